//! A rule's page as a test reads it: headings, files, scripts, answers and announced races.

/// The headings every page has, in this order; *Sources* may follow.
pub(crate) const HEADINGS: [&str; 7] = [
    "What it finds",
    "What happens",
    "When it heals by itself",
    "Example",
    "After the fix",
    "Stays silent",
    "When to silence it",
];

pub(crate) struct Page {
    pub(crate) title: String,
    pub(crate) headings: Vec<String>,
    pub(crate) examples: Vec<Example>,
}

/// Files, the script that deploys them, and what is expected.
#[derive(Default)]
pub(crate) struct Example {
    pub(crate) section: String,
    pub(crate) name: String,
    pub(crate) files: Vec<(String, String)>,
    pub(crate) script: Option<String>,
    pub(crate) attributes: Vec<String>,
    pub(crate) answers: Vec<String>,
}

pub(crate) struct Announced {
    pub(crate) file: String,
    pub(crate) line: usize,
    pub(crate) code: String,
    pub(crate) consequence: Option<String>,
}

impl Page {
    pub(crate) fn parse(text: &str) -> Self {
        let mut page = Self { title: String::new(), headings: Vec::new(), examples: Vec::new() };
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

    fn take(&mut self, example: &mut Example) {
        if !example.files.is_empty() || example.script.is_some() {
            self.examples.push(std::mem::take(example));
        }
    }
}

impl Example {
    /// An example that is one file.
    pub(crate) fn of_file(name: &str, text: &str) -> Self {
        let files = vec![("example.yaml".to_owned(), text.to_owned())];
        Self { section: "Example".to_owned(), name: name.to_owned(), files, ..Self::default() }
    }

    fn add(&mut self, fence: &str, body: &str) {
        let mut words = fence.split_whitespace();
        match (words.next(), words.next()) {
            (Some("yaml"), Some(file)) if file.starts_with("file=") => {
                self.files.push((file["file=".len()..].to_owned(), body.to_owned()));
            }
            (Some("sh"), Some("deploy")) => {
                self.script = Some(body.to_owned());
                self.attributes = words.map(str::to_owned).collect();
            }
            (Some("answer"), _) => self.answers.push(body.trim_end().to_owned()),
            _ => {}
        }
    }

    /// The races that comments announce, by file and line; also in the script.
    pub(crate) fn races(&self) -> Vec<Announced> {
        let script = self.script.iter().map(|text| (crate::folder::SCRIPT.to_owned(), text.clone()));
        let mut races = Vec::new();
        for (file, text) in self.files.iter().cloned().chain(script) {
            for (number, line) in text.lines().enumerate() {
                let Some((_, comment)) = line.split_once("# race: ") else {
                    continue;
                };
                for one in comment.split(',') {
                    let mut words = one.split_whitespace();
                    races.push(Announced {
                        file: file.clone(),
                        line: number + 1,
                        code: words.next().unwrap_or_default().to_owned(),
                        consequence: words.next().map(str::to_owned),
                    });
                }
            }
        }
        races
    }
}
