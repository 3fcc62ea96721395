//! The report for people: one block for each root cause, worst first, then what was read and a summary.
//!
//! The text carries terminal styles; whoever prints it strips them where the reader is no terminal. No meaning
//! rests on a colour alone.

mod finding;
mod input;
mod page;
mod snippet;
mod style;
mod summary;
mod timeline;

pub(crate) use page::{Page, visible};

use super::root::{self, Root};
use super::{Report, Told};

/// More blocks than this are counted and not shown, so that a first run can be read.
const MOST_BLOCKS: usize = 20;

/// The report as text with terminal styles, for lines of a given width.
pub(crate) fn write(report: &Report<'_>, width: usize) -> String {
    let mut page = Page::new(width);
    let roots = root::group(report.told());
    for root in roots.iter().take(MOST_BLOCKS) {
        finding::write(&mut page, report, root);
        page.blank();
    }
    write_left_out(&mut page, roots.get(MOST_BLOCKS..).unwrap_or(&[]));
    input::write(&mut page, report);
    summary::write(&mut page, report, &roots);
    page.finish()
}

/// What is told of one pair, without terminal styles.
pub(super) fn block(report: &Report<'_>, told: Told<'_>, width: usize) -> String {
    let mut page = Page::new(width);
    finding::write(&mut page, report, &Root { first: told, rest: Vec::new() });
    anstream::adapter::strip_str(&page.finish()).to_string()
}

fn write_left_out(page: &mut Page, roots: &[Root<'_>]) {
    if roots.is_empty() {
        return;
    }
    let counts = summary::counts(roots);
    page.hanging(
        "",
        style::PLAIN,
        &format!("and {} more causes, none worse: {counts}; `-o json` lists every one", roots.len()),
    );
    page.blank();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Verdict;
    use crate::report::sample;
    use plimsoll_model::{Bundle, Coverage};

    fn written(bundle: &Bundle, verdict: &Verdict, is_pedantic: bool, width: usize) -> String {
        let styled = sample::told_of(bundle, verdict, is_pedantic, |report| write(report, width));
        anstream::adapter::strip_str(&styled).to_string()
    }

    #[test]
    fn a_finding_reads_well_at_100_columns() {
        insta::assert_snapshot!(written(&sample::bundle(), &sample::verdict(), false, 100));
    }

    #[test]
    fn a_finding_reads_well_at_60_columns() {
        insta::assert_snapshot!(written(&sample::bundle(), &sample::verdict(), true, 60));
    }

    #[test]
    fn a_line_with_a_secret_value_is_never_shown() {
        let text = written(&sample::bundle(), &sample::verdict(), true, 100);
        assert!(text.contains("k8s/secret.yaml:3:3"), "{text}");
        assert!(!text.contains("CANARY"), "{text}");
    }

    #[test]
    fn a_clean_answer_is_calm_and_says_what_it_rests_on() {
        let bundle = Bundle {
            problems: Vec::new(),
            coverage: Coverage { objects: 42, ..Coverage::default() },
            ..sample::bundle()
        };
        let verdict = Verdict { held: 312, understood: 42, ..Verdict::default() };
        insta::assert_snapshot!(written(&bundle, &verdict, false, 100), @r"
        read 42 objects in 3 files
        clean: no order of events was found in which this deployment fails; 312 requirements are held, each
               by a guarantee
        ");
    }

    #[test]
    fn an_empty_input_is_not_called_clean() {
        let text = written(&Bundle::default(), &Verdict::default(), false, 100);
        insta::assert_snapshot!(text, @r"
        read 0 objects in 0 files
        nothing to judge: no Kubernetes object was read
        ");
    }

    #[test]
    fn a_first_run_shows_the_worst_blocks_and_counts_the_rest() {
        let mut verdict = Verdict::default();
        for root in 0..30 {
            let mut finding = sample::mount_of(&format!("web-{root}"));
            finding.root = root;
            verdict.findings.push(finding);
        }
        let text = written(&sample::bundle(), &verdict, false, 100);
        assert_eq!(text.matches("error[PLM-R012/late]").count(), MOST_BLOCKS);
        assert!(text.contains("and 10 more causes, none worse: 10 late"), "{text}");
    }
}
