//! Folded blocks. kustomize writes every object once more before it prints it, and the writer of go-yaml (v3,
//! `emitterc.go`, `yaml_emitter_write_folded_scalar`) sets one line break too many before a line that is indented
//! further, and at the end of a block that keeps its line breaks.

use super::{Document, Form, Node};

/// Lets folded blocks be what they are once kustomize has written and read them again.
pub(super) fn refold(root: &mut Node, document: &Document<'_>) {
    if document.text.contains('>') {
        let lines: Vec<&str> = document.text.lines().collect();
        walk(root, document.start.line, &lines);
    }
}

fn walk(node: &mut Node, first: u32, lines: &[&str]) {
    match &mut node.form {
        Form::List(items) => items.iter_mut().for_each(|item| walk(item, first, lines)),
        Form::Map(entries) => entries.iter_mut().for_each(|(_, node)| walk(node, first, lines)),
        Form::Scalar(scalar) if scalar.text.contains('\n') => {
            let line = lines.get(node.place.line.saturating_sub(first) as usize).copied().unwrap_or_default();
            if line.chars().nth(node.place.column.saturating_sub(1) as usize) == Some('>') {
                scalar.text = refolded(&scalar.text).into();
            }
        }
        Form::Scalar(_) => {}
    }
}

fn refolded(text: &str) -> String {
    let is_indented = |line: &str| line.starts_with([' ', '\t']);
    let is_written_folded = !text.contains(" \n") && !text.ends_with(' ');
    if !is_written_folded || is_indented(text.trim_start_matches('\n')) {
        return text.to_owned();
    }
    let mut folded = String::with_capacity(text.len() + 1);
    let mut lines = text.split('\n').peekable();
    let mut last = "";
    let mut breaks = 0;
    while let Some(line) = lines.next() {
        let is_last = lines.peek().is_none();
        if !line.is_empty() || is_last {
            let is_after_text = !last.is_empty() && !is_indented(last);
            let adds = is_indented(line) || (line.is_empty() && breaks > 1);
            breaks += usize::from(breaks > 0 && is_after_text && adds);
            folded.extend(std::iter::repeat_n('\n', breaks));
            folded.push_str(line);
            (last, breaks) = (line, 0);
        }
        breaks += usize::from(!is_last);
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn breaks_are_added_where_go_yaml_adds_them() {
        // Seen with kustomize v5.8.1.
        for (text, expected) in [
            ("a b", "a b"),
            ("a\nb\n", "a\nb\n"),
            ("a\n  b\nc", "a\n\n  b\nc"),
            ("a\n\n  b\n", "a\n\n\n  b\n"),
            ("a\n  b\n  c\nd\n\te", "a\n\n  b\n  c\nd\n\n\te"),
            ("a\n\n", "a\n\n\n"),
            ("a \n  b", "a \n  b"),
        ] {
            assert_eq!(refolded(text), expected, "{text:?}");
        }
    }
}
