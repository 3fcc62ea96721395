//! A rule's page as a program reads it: headings, examples with their files and scripts, what is quoted, and which
//! races the comments announce. The pages' test holds it against the program, the witness against a real cluster.

mod pattern;

pub use pattern::fits;

/// The headings every page has, in this order; *Sources* may follow.
pub const HEADINGS: [&str; 7] = [
    "What it finds",
    "What happens",
    "When it heals by itself",
    "Example",
    "After the fix",
    "Stays silent",
    "When to silence it",
];

/// The name under which the script of an example is stored.
pub const SCRIPT: &str = "deploy.sh";

/// A page of Markdown, taken apart.
#[derive(Debug, Default)]
pub struct Page {
    /// The first line.
    pub title: String,
    /// The headings of the second level, in order.
    pub headings: Vec<String>,
    /// Everything that can be executed.
    pub examples: Vec<Example>,
}

/// Files, the script that deploys them, and what is expected.
#[derive(Debug, Default, Clone)]
pub struct Example {
    /// The heading it stands under.
    pub section: String,
    /// The heading, and the sub-heading where there is one.
    pub name: String,
    /// Names and texts of the files.
    pub files: Vec<(String, String)>,
    /// The script that deploys them; one `kubectl apply` unless said.
    pub script: Option<String>,
    /// Words on the fence of the script: `closed`, `operation=upgrade`, `from=old`, `kube=1.28`.
    pub attributes: Vec<String>,
    /// Commands that set the scene on a real cluster before the script runs; `check` does not read them.
    pub before: Option<String>,
    /// What the cluster or the tool says.
    pub answers: Vec<Quoted>,
    /// Commands, and what they print once the race was lost.
    pub seen: Vec<Seen>,
    /// The same once what came too late is there.
    pub healed: Vec<Seen>,
}

/// A text that somebody says; `{…}` in it stands for any text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quoted {
    /// Who says it: `apiserver`, `controller`, `kubelet`, `tool`.
    pub from: String,
    /// What is said.
    pub text: String,
}

/// A command and its output, in which `{…}` stands for any text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    /// A line for the shell.
    pub command: String,
    /// What it prints.
    pub output: String,
}

/// A race that a comment announces on the line at fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Announced {
    /// The file of the comment.
    pub file: String,
    /// Its line.
    pub line: usize,
    /// The rule.
    pub code: String,
    /// The consequence, where the comment names one.
    pub consequence: Option<String>,
}

impl Page {
    /// Takes a page apart.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let mut page = Self::default();
        let mut lines = text.lines();
        let mut example = Example::default();
        while let Some(line) = lines.next() {
            if let Some(fence) = line.strip_prefix("```") {
                let body: Vec<&str> = lines.by_ref().take_while(|line| !line.starts_with("```")).collect();
                example.add(fence, &(body.join("\n") + "\n"));
            } else if let Some(heading) = line.strip_prefix("## ") {
                page.take(&mut example);
                example =
                    Example { section: heading.to_owned(), name: heading.to_owned(), ..Example::default() };
                page.headings.push(heading.to_owned());
            } else if let Some(name) = line.strip_prefix("### ") {
                let section = example.section.clone();
                page.take(&mut example);
                example = Example { name: format!("{section}: {name}"), section, ..Example::default() };
            } else if let Some(title) = line.strip_prefix("# ") {
                title.clone_into(&mut page.title);
            }
        }
        page.take(&mut example);
        page
    }

    /// The examples under a heading.
    pub fn under<'p>(&'p self, section: &'p str) -> impl Iterator<Item = &'p Example> {
        self.examples.iter().filter(move |example| example.section == section)
    }

    fn take(&mut self, example: &mut Example) {
        if !example.files.is_empty() || example.script.is_some() {
            self.examples.push(std::mem::take(example));
        }
    }
}

impl Example {
    /// An example that is one file; comments after `# seen:` and `# healed:` hold what is seen.
    #[must_use]
    pub fn of_file(name: &str, text: &str) -> Self {
        let files = vec![("example.yaml".to_owned(), text.to_owned())];
        let under = |heading: &str| {
            let comments = text.lines().skip_while(|line| *line != heading).skip(1);
            let comments = comments.map_while(|line| line.strip_prefix("# "));
            let lines: Vec<&str> = comments.take_while(|line| !line.ends_with(':')).collect();
            transcript(&lines.join("\n"))
        };
        Self {
            section: "Example".to_owned(),
            name: name.to_owned(),
            files,
            seen: under("# seen:"),
            healed: under("# healed:"),
            ..Self::default()
        }
    }

    /// The script that deploys it.
    #[must_use]
    pub fn deployed_by(&self) -> &str {
        self.script.as_deref().unwrap_or("kubectl apply -f .\n")
    }

    /// The value of a word on the fence of the script: `upgrade` for `operation`.
    #[must_use]
    pub fn attribute(&self, key: &str) -> Option<&str> {
        self.attributes.iter().find_map(|word| word.strip_prefix(key)?.strip_prefix('='))
    }

    fn add(&mut self, fence: &str, body: &str) {
        let mut words = fence.split_whitespace();
        match (words.next(), words.next()) {
            (Some("yaml"), Some(word)) => {
                if let Some(file) = word.strip_prefix("file=") {
                    self.files.push((file.to_owned(), body.to_owned()));
                }
            }
            (Some("sh"), Some("deploy")) => {
                self.script = Some(body.to_owned());
                self.attributes = words.map(str::to_owned).collect();
            }
            (Some("sh"), Some("before")) => self.before = Some(body.to_owned()),
            (Some("answer"), Some(word)) => {
                let from = word.strip_prefix("from=").unwrap_or(word).to_owned();
                self.answers.push(Quoted { from, text: body.trim_end().to_owned() });
            }
            (Some("console"), Some("seen")) => self.seen.extend(transcript(body)),
            (Some("console"), Some("healed")) => self.healed.extend(transcript(body)),
            _ => {}
        }
    }

    /// The races that comments announce, by file and line; also in the script.
    #[must_use]
    pub fn races(&self) -> Vec<Announced> {
        let script = self.script.iter().map(|text| (SCRIPT, text.as_str()));
        let files = self.files.iter().map(|(name, text)| (name.as_str(), text.as_str()));
        let mut races = Vec::new();
        for (file, text) in files.chain(script) {
            for (number, line) in (1..).zip(text.lines()) {
                let Some((_, comment)) = line.split_once("# race: ") else {
                    continue;
                };
                for one in comment.split(',') {
                    let mut words = one.split_whitespace();
                    races.push(Announced {
                        file: file.to_owned(),
                        line: number,
                        code: words.next().unwrap_or_default().to_owned(),
                        consequence: words.next().map(str::to_owned),
                    });
                }
            }
        }
        races
    }
}

/// Lines after `$ ` are commands; what follows each is its output.
fn transcript(body: &str) -> Vec<Seen> {
    let pieces = body.split("$ ").skip(1);
    let split = pieces.map(|piece| piece.split_once('\n').unwrap_or((piece, "")));
    split
        .map(|(command, output)| Seen { command: command.to_owned(), output: output.trim_end().to_owned() })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_says_what_is_seen() {
        let text = "kind: A\n# seen:\n# $ kubectl get a\n# None\n# healed:\n# $ kubectl get a\n# One\n";
        let example = Example::of_file("row", text);
        let seen = |output: &str| Seen { command: "kubectl get a".into(), output: output.into() };
        assert_eq!((example.seen, example.healed), (vec![seen("None")], vec![seen("One")]));
    }

    #[test]
    fn a_page_is_taken_apart() {
        let page = Page::parse(
            "# PLM-R999 name\n\n## Example\n\n### one\n\n```yaml file=a.yaml\nkind: A # race: PLM-R999 late\n```\n\
             ```sh deploy operation=upgrade\nkubectl apply -f a.yaml\n```\n```answer from=kubelet\nno {…}\n```\n\
             ```console seen\n$ kubectl get a\nNone\n$ kubectl get b\n```\n\n## After the fix\n",
        );
        assert_eq!(page.headings, ["Example", "After the fix"]);
        let [example] = page.examples.as_slice() else { panic!("{page:?}") };
        assert_eq!(example.name, "Example: one");
        assert_eq!(example.attribute("operation"), Some("upgrade"));
        assert_eq!(example.answers, [Quoted { from: "kubelet".into(), text: "no {…}".into() }]);
        assert_eq!(example.seen.len(), 2);
        assert_eq!(example.seen[0], Seen { command: "kubectl get a".into(), output: "None".into() });
        let race = &example.races()[0];
        assert_eq!(
            (race.line, race.code.as_str(), race.consequence.as_deref()),
            (1, "PLM-R999", Some("late"))
        );
    }
}
