//! A rule's page for the terminal: headings stand out, paragraphs are wrapped, examples keep their lines.

use super::text::Page;
use anstyle::Style;

const HEADING: Style = Style::new().bold();
const PLAIN: Style = Style::new();

/// The section whose examples show what is not found; their names say enough.
const SILENT: &str = "Stays silent";

/// A page of Markdown as text with terminal styles.
pub(crate) fn write(markdown: &str, width: usize) -> String {
    let mut writer = Writer { page: Page::new(width), paragraph: String::new(), is_silent: false };
    let mut fence = None;
    for line in markdown.lines() {
        match (line.strip_prefix("```"), &fence) {
            (Some(_), Some(_)) => fence = None,
            (Some(info), None) => {
                writer.begin_example(info);
                fence = Some(info);
            }
            (None, Some(info)) => writer.example(line, info),
            (None, None) => writer.prose(line),
        }
    }
    writer.flush();
    writer.page.finish()
}

/// A page that is being written.
struct Writer {
    page: Page,
    paragraph: String,
    is_silent: bool,
}

impl Writer {
    fn begin_example(&mut self, info: &str) {
        self.flush();
        if let Some(title) = title(info).filter(|_| !self.is_silent) {
            self.page.hanging("  ", HEADING, &title);
        }
    }

    fn example(&mut self, line: &str, info: &str) {
        match line.split_once("# race: ") {
            _ if self.is_silent => {}
            _ if info.starts_with("answer") => self.page.hanging("    ", PLAIN, line),
            Some((yaml, found)) => self.page.exact(&format!("    {yaml}# <- {found}")),
            None => self.page.exact(&format!("    {line}")),
        }
    }

    fn prose(&mut self, line: &str) {
        if line.trim().is_empty() {
            self.flush();
            self.blank();
        } else if let Some(name) = line.strip_prefix("### ") {
            self.flush();
            if self.is_silent {
                self.page.hanging("  - ", PLAIN, name);
            } else {
                self.page.hanging(name, HEADING, "");
            }
        } else if let Some(heading) = line.strip_prefix("## ") {
            self.flush();
            if self.is_silent {
                self.page.blank();
            }
            self.is_silent = heading == SILENT;
            self.page.hanging(&heading.to_uppercase(), HEADING, "");
        } else if let Some(heading) = line.strip_prefix("# ") {
            self.page.hanging(heading, HEADING, "");
        } else {
            if is_item(line) {
                self.flush();
            }
            self.paragraph.push_str(line.trim());
            self.paragraph.push(' ');
        }
    }

    /// Examples that are left out leave no gaps behind.
    fn blank(&mut self) {
        if !self.is_silent {
            self.page.blank();
        }
    }

    fn flush(&mut self) {
        let text = std::mem::take(&mut self.paragraph);
        let text = text.trim();
        if is_item(text) {
            self.page.hanging("  - ", PLAIN, text.get(2..).unwrap_or(""));
        } else if !text.is_empty() {
            self.page.hanging("", PLAIN, text);
        }
    }
}

/// What an example is, from the words after its fence.
fn title(info: &str) -> Option<String> {
    let (first, rest) = info.trim().split_once(' ').unwrap_or((info.trim(), ""));
    let named = |key: &str| rest.split(' ').find_map(|word| word.strip_prefix(key)).map(str::to_owned);
    match first {
        "sh" if rest == "before" => Some("before that".to_owned()),
        "sh" => Some("deployed with".to_owned()),
        "console" => Some("what is seen then".to_owned()),
        "answer" => Some(format!("answer of the {}", named("from=").unwrap_or_else(|| "cluster".to_owned()))),
        _ => named("file="),
    }
}

fn is_item(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("- ") || line.starts_with("* ")
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_page_keeps_examples_and_wraps_paragraphs() {
        let markdown = "# instance-before-crd\n\n## What happens\n\nThe API server does not know the kind yet, and says so.\n\
                        \n- one\n- two that\n  goes on\n\n```yaml file=a.yaml\nkind: A # race: PLM-R001\n```\n\
                        ```answer from=apiserver\nno matches for kind\n```\n\
                        \n## Stays silent\n\n### an old one\n\n```yaml file=a.yaml\nkind: B\n```\n\n## Sources\n";
        let styled = super::write(markdown, 40);
        insta::assert_snapshot!(anstream::adapter::strip_str(&styled).to_string(), @r"
instance-before-crd

WHAT HAPPENS

The API server does not know the kind
yet, and says so.

  - one
  - two that goes on

  a.yaml
    kind: A # <- PLM-R001
  answer of the apiserver
    no matches for kind

STAYS SILENT
  - an old one

SOURCES
");
    }
}
