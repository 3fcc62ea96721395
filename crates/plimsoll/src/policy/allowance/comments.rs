//! The comment `# plimsoll:allow …` on the line it is about or above it, in manifests, templates, values and scripts.

use super::{Allowance, Covers, Remark, SaidAt, Weight, grammar};
use plimsoll_model::{Bundle, File, FileIndex, Place};
use std::ops::RangeInclusive;

const WORD: &str = "plimsoll:allow";

/// What the comments in the files of a bundle allow.
pub(super) fn read(bundle: &Bundle) -> Vec<Result<Allowance, Remark>> {
    let files = (0u32..).map(FileIndex).zip(bundle.files.iter());
    let speaking = files.filter(|(_, file)| file.text.contains(WORD));
    speaking.flat_map(|(index, file)| of(index, file, &objects_in(bundle, index))).collect()
}

/// The lines of a file on which objects begin.
fn objects_in(bundle: &Bundle, file: FileIndex) -> Vec<u32> {
    let places = bundle.deliveries().map(|(_, object)| object.place());
    places.filter(|place| place.file == file).map(|place| place.line).collect()
}

fn of(index: FileIndex, file: &File, objects: &[u32]) -> Vec<Result<Allowance, Remark>> {
    let lines: Vec<&str> = file.text.lines().collect();
    // What looks like a comment in a text of several lines is part of the text, unless objects are made of that.
    let mut texts = if file.path.ends_with(".sh") { Vec::new() } else { texts(&lines) };
    texts.retain(|text| !objects.iter().any(|line| text.contains(line)));
    let mut all = Vec::new();
    for (number, line) in (1u32..).zip(&lines) {
        let Some((before, text)) = comment(line) else { continue };
        if texts.iter().any(|text| text.contains(&number)) {
            continue;
        }
        let column = u32::try_from(before.chars().count()).unwrap_or(0).saturating_add(1);
        let said = SaidAt::Input(Place { file: index, line: number, column });
        let mut covered = vec![number];
        if before.trim().is_empty() {
            covered.extend(next(&lines, number));
        }
        let read = grammar::read(text).map(|line| Allowance {
            rule: line.rule,
            reason: line.reason,
            until: line.until,
            said: said.clone(),
            covers: Covers::Lines(covered),
        });
        all.push(read.map_err(|cause| Remark { said, cause, weight: Weight::Wrong }));
    }
    all
}

/// What stands before a comment that allows, and what it says.
fn comment(line: &str) -> Option<(&str, &str)> {
    let (before, text) = line.split_once(WORD)?;
    let before = before.trim_end();
    if let Some(before) = before.strip_suffix('#') {
        return Some((before, text));
    }
    // A comment of a template: {{/* … */}} or {{- /* … */ -}}.
    let before = before.strip_suffix("/*")?.trim_end().trim_end_matches('-').strip_suffix("{{")?;
    Some((before, text.split("*/").next().unwrap_or(text)))
}

/// The lines of each block scalar: what stands below `key: |` and further in.
fn texts(lines: &[&str]) -> Vec<RangeInclusive<u32>> {
    let mut found: Vec<RangeInclusive<u32>> = Vec::new();
    for (number, line) in (1u32..).zip(lines) {
        let is_inside = found.last().is_some_and(|text| text.contains(&number));
        let Some(indent) = opens_text(line).filter(|_| !is_inside) else { continue };
        let is_part = |line: &&&str| line.trim().is_empty() || line.len() - line.trim_start().len() > indent;
        let count = lines.iter().skip(number as usize).take_while(is_part).count();
        let end = number.saturating_add(u32::try_from(count).unwrap_or(u32::MAX));
        found.push(number.saturating_add(1)..=end);
    }
    found
}

/// The column of the key or dash whose value is a block scalar.
fn opens_text(line: &str) -> Option<usize> {
    let (head, last) = line.trim_end().rsplit_once(' ')?;
    let is_header =
        last.starts_with(['|', '>']) && last.bytes().skip(1).all(|byte| b"+-123456789".contains(&byte));
    let is_value = head.ends_with(':') || head.trim_start_matches([' ', '-']).is_empty();
    let column = |head: &str| head.len() - head.trim_start_matches([' ', '-']).len();
    let dash = head.rfind('-').unwrap_or_default();
    (is_header && is_value).then(|| if head.ends_with(':') { column(head) } else { dash })
}

/// The next line that is no comment and not empty.
fn next(lines: &[&str], number: u32) -> Option<u32> {
    let is_said = |line: &str| {
        let line = line.trim_start();
        !(line.is_empty() || line.starts_with('#') || line.starts_with("{{/*") || line.starts_with("{{- /*"))
    };
    let below = (number.saturating_add(1)..).zip(lines.iter().skip(number as usize));
    below.into_iter().find(|(_, line)| is_said(line)).map(|(number, _)| number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[u32]) {
        let file = File { path: "a.yaml".into(), text: text.into(), hidden: Vec::new() };
        let read = of(FileIndex(0), &file, &[]);
        let [Ok(Allowance { covers: Covers::Lines(lines), reason, .. })] = read.as_slice() else {
            panic!("{text}: {read:?}");
        };
        assert_eq!((lines.as_slice(), reason.as_str()), (expected, "known"), "{text}");
    }

    #[test]
    fn a_comment_covers_its_line_or_the_one_below() {
        check("a: b\nc: d # plimsoll:allow PLM-R001 reason=known\ne: f\n", &[2]);
        check("# plimsoll:allow PLM-R001 reason=known\na: b\n", &[1, 2]);
        check("  # plimsoll:allow PLM-R001 reason=known\n\n  # more\n  a: b\n", &[1, 4]);
        check("{{- /* plimsoll:allow PLM-R001 reason=\"known\" */}}\na: {{ b }}\n", &[1, 2]);
        check("a: {{ b }} {{/* plimsoll:allow PLM-R001 reason=\"known\" */ -}}\n", &[1]);
        check("# plimsoll:allow PLM-R001 reason=known", &[1]);
    }

    #[test]
    fn a_word_that_is_no_comment_allows_nothing() {
        let file = File { path: "a".into(), text: "a: plimsoll:allow PLM-R001\n".into(), hidden: Vec::new() };
        assert!(of(FileIndex(0), &file, &[]).is_empty());
    }

    #[test]
    fn a_text_of_several_lines_allows_nothing_unless_objects_are_made_of_it() {
        let comment = "# plimsoll:allow PLM-R001 reason=known";
        let check = |text: &str, objects: &[u32], expected: usize| {
            let file = File { path: "a.yaml".into(), text: text.into(), hidden: Vec::new() };
            assert_eq!(of(FileIndex(0), &file, objects).len(), expected, "{text}");
        };
        let text = format!("data:\n  a.yaml: |-\n\n    {comment}\n    kind: Pod\n  b: c\n");
        check(&text, &[1], 0);
        check(&text, &[1, 5], 1);
        check(&format!("- >\n  {comment}\n- a\n"), &[], 0);
        check(&format!("- a: |\n    text\n  b: c {comment}\n"), &[], 1);
        check(&format!("a: b |\n  {comment}\n"), &[], 1);
    }
}
