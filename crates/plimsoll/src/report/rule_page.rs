//! A rule's page for the terminal: headings stand out, paragraphs are wrapped, examples keep their lines.

use super::text::Page;
use anstyle::Style;

const HEADING: Style = Style::new().bold();
const PLAIN: Style = Style::new();

/// A page of Markdown as text with terminal styles.
pub(crate) fn write(markdown: &str, width: usize) -> String {
    let mut page = Page::new(width);
    let mut paragraph = String::new();
    let mut is_example = false;
    for line in markdown.lines() {
        if let Some(info) = line.strip_prefix("```") {
            flush(&mut page, &mut paragraph);
            is_example = !is_example;
            if is_example && let Some(title) = title(info) {
                page.hanging("  ", HEADING, &title);
            }
        } else if is_example {
            page.exact(&format!("    {line}"));
        } else if line.trim().is_empty() {
            flush(&mut page, &mut paragraph);
            page.blank();
        } else if line.starts_with('#') {
            flush(&mut page, &mut paragraph);
            page.hanging(line.trim_start_matches('#').trim(), HEADING, "");
        } else {
            if is_item(line) {
                flush(&mut page, &mut paragraph);
            }
            paragraph.push_str(line.trim());
            paragraph.push(' ');
        }
    }
    flush(&mut page, &mut paragraph);
    page.finish()
}

/// What an example is, from the words after its fence.
fn title(info: &str) -> Option<String> {
    let (first, rest) = info.trim().split_once(' ').unwrap_or((info.trim(), ""));
    let named = |key: &str| rest.split(' ').find_map(|word| word.strip_prefix(key)).map(str::to_owned);
    match first {
        "sh" => Some("deployed with".to_owned()),
        "answer" => Some(format!("answer of the {}", named("from=").unwrap_or_else(|| "cluster".to_owned()))),
        _ => named("file="),
    }
}

fn is_item(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("- ") || line.starts_with("* ")
}

fn flush(page: &mut Page, paragraph: &mut String) {
    let text = std::mem::take(paragraph);
    let text = text.trim();
    if is_item(text) {
        page.hanging("  - ", PLAIN, text.get(2..).unwrap_or(""));
    } else if !text.is_empty() {
        page.hanging("", PLAIN, text);
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_page_keeps_examples_and_wraps_paragraphs() {
        let markdown = "# instance-before-crd\n\n## What happens\n\nThe API server does not know the kind yet, and says so.\n\
                        \n- one\n- two that\n  goes on\n\n```yaml file=a.yaml\nkind: A # race: PLM-R001\n```\n\
                        ```answer from=apiserver\nno matches for kind\n```\n";
        let styled = super::write(markdown, 40);
        insta::assert_snapshot!(anstream::adapter::strip_str(&styled).to_string(), @r"
instance-before-crd

What happens

The API server does not know the kind
yet, and says so.

  - one
  - two that goes on

  a.yaml
    kind: A # race: PLM-R001
  answer of the apiserver
    no matches for kind
");
    }
}
