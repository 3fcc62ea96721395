//! JUnit's XML: one test case for each pair, which fails where the pair fails the run.
//!
//! There is no one schema; what is written here is what Jenkins, GitLab and Azure read alike.

use super::text;
use super::{Report, Told};
use crate::report::problem;
use std::fmt::Write as _;

/// Lines in the body of a failure are laid out for this width.
const WIDTH: usize = 100;

/// The report as XML.
pub(crate) fn write(report: &Report<'_>) -> String {
    let problems: Vec<_> = report.bundle.problems.iter().filter(|problem| problem.is_fatal).collect();
    let told: Vec<Told<'_>> = report.told().collect();
    let failures = told.iter().filter(|told| told.fails()).count();
    let is_clean = told.is_empty() && problems.is_empty();
    let tests = told.len() + problems.len() + usize::from(is_clean);
    let counts = format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"{}\"", problems.len());
    let mut xml = format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {counts}>\n");
    let _ = writeln!(xml, "  <testsuite name=\"plimsoll check\" {counts}>");
    for told in told {
        xml.push_str(&case(report, told));
    }
    for problem in problems {
        let sentence = escaped(&problem::sentence(&report.bundle.files, problem));
        let _ = writeln!(
            xml,
            "    <testcase classname=\"input\" name=\"{sentence}\"><error message=\"{sentence}\"/></testcase>"
        );
    }
    if is_clean {
        xml.push_str("    <testcase classname=\"plimsoll\" name=\"no order of events fails\"/>\n");
    }
    xml.push_str("  </testsuite>\n</testsuites>\n");
    xml
}

fn case(report: &Report<'_>, told: Told<'_>) -> String {
    let finding = told.finding;
    let name = escaped(&finding.message);
    let file = finding.after.place.map_or("", |place| report.bundle.files.path(place));
    let file = if file.is_empty() { String::new() } else { format!(" file=\"{}\"", escaped(file)) };
    let body = escaped(&text::block(report, told, WIDTH));
    let outcome = if told.fails() {
        format!("<failure type=\"{}\" message=\"{name}\">{body}</failure>", finding.consequence.word())
    } else {
        format!("<system-out>{body}</system-out>")
    };
    let class = escaped(&format!("{} {}", finding.rule.0, finding.name));
    format!("    <testcase classname=\"{class}\" name=\"{name}\"{file}>{outcome}</testcase>\n")
}

/// Text inside an element or an attribute; what XML 1.0 has no way to write is left out.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(letter),
            '\u{fffe}' | '\u{ffff}' => {}
            letter if letter < ' ' => {}
            letter => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Verdict;
    use crate::report::sample;
    use plimsoll_model::Bundle;

    #[test]
    fn every_pair_is_a_test_case() {
        insta::assert_snapshot!(sample::told(true, write));
    }

    #[test]
    fn a_clean_answer_is_one_test_that_passes() {
        let bundle = Bundle { problems: Vec::new(), ..sample::bundle() };
        let xml = sample::told_of(&bundle, &Verdict::default(), false, write);
        assert!(xml.contains("tests=\"1\" failures=\"0\" errors=\"0\""), "{xml}");
    }

    #[test]
    fn what_means_something_to_xml_is_escaped() {
        assert_eq!(escaped("a<b> & \"c\"\u{1}\u{1b}[0m"), "a&lt;b&gt; &amp; &quot;c&quot;[0m");
    }
}
