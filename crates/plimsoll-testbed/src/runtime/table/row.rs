//! One row of the image table.

use super::behaviour::Behaviour;
use super::pattern::{Pattern, glob};
use super::pull::Pull;
use serde::Deserialize;
use std::collections::BTreeMap;

/// What a pod gets that names this image.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "Written")]
pub struct Row {
    /// Which images.
    pub image: Pattern,
    /// What runs.
    pub source: Source,
    /// Programs put on the container's path besides.
    pub brings: Vec<String>,
    /// Arguments of the pod that are replaced, by pattern.
    rewrite: Vec<(String, Vec<String>)>,
    /// How it is pulled.
    pub pull: Pull,
    /// Whose processes these are, if the pod does not say.
    pub user: User,
    /// Variables of the image; the pod's win.
    pub environment: BTreeMap<String, String>,
    /// The working folder, if the pod does not say.
    pub working_folder: Option<String>,
    /// Whether nobody wrote it for this image: it is what the table says of all others.
    pub is_for_others: bool,
}

/// What runs in place of an image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// These words, whatever program the pod names; `{args}` stands for the pod's words after it.
    Program(Vec<String>),
    /// The pod's own command as on this machine; without one, these words as an image's entry point and command.
    Entrypoint {
        /// Kept unless the pod has a `command`.
        entrypoint: Vec<String>,
        /// Kept unless the pod has a `command` or `args`.
        command: Vec<String>,
    },
    /// No program: the built-in one behaves so.
    Behaviour(Behaviour),
}

/// The user of an image, as its author wrote it: `65532`, `1000:1000`, `nobody`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(from = "UserWritten")]
pub struct User(pub String);

#[derive(Deserialize)]
#[serde(untagged)]
enum UserWritten {
    Number(u32),
    Name(String),
}

impl From<UserWritten> for User {
    fn from(written: UserWritten) -> Self {
        match written {
            UserWritten::Number(number) => Self(number.to_string()),
            UserWritten::Name(name) => Self(name),
        }
    }
}

impl Default for User {
    /// Not root, so that the kubelet lets pods with `runAsNonRoot` start.
    fn default() -> Self {
        Self("65532".to_owned())
    }
}

/// A list of words, or one text of them.
#[derive(Deserialize)]
#[serde(untagged)]
enum Words {
    Text(String),
    List(Vec<String>),
}

impl From<Words> for Vec<String> {
    fn from(words: Words) -> Self {
        match words {
            Words::Text(text) => text.split_whitespace().map(str::to_owned).collect(),
            Words::List(list) => list,
        }
    }
}

/// A row as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    image: Pattern,
    program: Option<Words>,
    entrypoint: Option<Words>,
    command: Option<Words>,
    behaviour: Option<Behaviour>,
    brings: Option<Words>,
    #[serde(default)]
    rewrite: BTreeMap<String, Option<Words>>,
    #[serde(default)]
    pull: Pull,
    #[serde(default)]
    user: User,
    #[serde(default)]
    env: BTreeMap<String, String>,
    workdir: Option<String>,
}

impl TryFrom<Written> for Row {
    type Error = String;

    fn try_from(written: Written) -> Result<Self, String> {
        let list = |words: Option<Words>| words.map(Vec::from).unwrap_or_default();
        let source = match (written.program, written.entrypoint, written.behaviour) {
            (Some(program), None, None) => Source::Program(program.into()),
            (None, Some(words), None) => {
                Source::Entrypoint { entrypoint: words.into(), command: list(written.command) }
            }
            (None, None, Some(behaviour)) => Source::Behaviour(behaviour),
            (None, None, None) if written.pull.fails == u32::MAX => Source::Program(Vec::new()),
            _ => return Err("a row has one of program, entrypoint or behaviour, or `pull: fails`".to_owned()),
        };
        if source == Source::Program(Vec::new()) && written.pull.fails != u32::MAX {
            return Err("`program` is empty: name a program and its arguments".to_owned());
        }
        Ok(Self {
            image: written.image,
            source,
            brings: list(written.brings),
            rewrite: written.rewrite.into_iter().map(|(from, to)| (from, list(to))).collect(),
            pull: written.pull,
            user: written.user,
            environment: written.env,
            working_folder: written.workdir,
            is_for_others: false,
        })
    }
}

impl Row {
    /// A row for any image that only behaves.
    #[must_use]
    pub(super) fn behaving(behaviour: Behaviour) -> Self {
        Self {
            image: Pattern::from("*".to_owned()),
            source: Source::Behaviour(behaviour),
            brings: Vec::new(),
            rewrite: Vec::new(),
            pull: Pull::default(),
            user: User::default(),
            environment: BTreeMap::new(),
            working_folder: None,
            is_for_others: true,
        }
    }

    /// The words that run for a pod's `command` and `args`; nothing if the row behaves.
    #[must_use]
    pub fn words(&self, command: &[String], args: &[String]) -> Vec<String> {
        match &self.source {
            Source::Behaviour(_) => Vec::new(),
            Source::Program(words) => {
                let given: Vec<String> = command.iter().skip(1).chain(args).cloned().collect();
                let given = self.rewritten(&given);
                words
                    .iter()
                    .flat_map(|word| if word == "{args}" { given.clone() } else { vec![word.clone()] })
                    .collect()
            }
            Source::Entrypoint { entrypoint, command: default } => {
                let first = if command.is_empty() { entrypoint } else { command };
                let unsaid = command.is_empty() && args.is_empty();
                let rest = if unsaid { default } else { args };
                first.iter().cloned().chain(self.rewritten(rest)).collect()
            }
        }
    }

    fn rewritten(&self, words: &[String]) -> Vec<String> {
        let replaced = |word: &String| self.rewrite.iter().find(|(pattern, _)| glob(pattern, word));
        words
            .iter()
            .flat_map(|word| replaced(word).map_or_else(|| vec![word.clone()], |(_, words)| words.clone()))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(row: &str, command: &[&str], args: &[&str]) -> String {
        let row: Row = serde_saphyr::from_str(row).expect("a row");
        let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        row.words(&owned(command), &owned(args)).join(" ")
    }

    #[test]
    fn a_program_stands_for_whatever_the_pod_calls_it() {
        let row = "{image: a, program: 'tool serve {args} --last'}";
        assert_eq!(words(row, &["/app/tool", "-v"], &["--port=1"]), "tool serve -v --port=1 --last");
        assert_eq!(words(row, &[], &["--port=1"]), "tool serve --port=1 --last");
        assert_eq!(words("{image: a, program: tool serve}", &["/app/tool"], &["--port=1"]), "tool serve");
        assert_eq!(words("{image: a, program: [my tool, '{args}']}", &[], &["x y"]), "my tool x y");
    }

    #[test]
    fn an_entry_point_is_an_images() {
        let row = "{image: a, entrypoint: kubectl, command: version}";
        assert_eq!(words(row, &[], &[]), "kubectl version");
        assert_eq!(words(row, &[], &["get", "pods"]), "kubectl get pods");
        assert_eq!(words(row, &["sh", "-c"], &["true"]), "sh -c true");
        assert_eq!(words(row, &["sh"], &[]), "sh");
    }

    #[test]
    fn arguments_are_rewritten_by_pattern() {
        let row = "{image: a, program: 'tool {args}', rewrite: {'--leader-elect*': , '--port=80': '--port=8080 -v'}}";
        assert_eq!(words(row, &[], &["--leader-elect=true", "--port=80", "-x"]), "tool --port=8080 -v -x");
    }

    #[test]
    fn users_are_numbers_or_names() {
        let user = |row: &str| serde_saphyr::from_str::<Row>(row).expect("a row").user.0;
        assert_eq!(user("{image: a, program: b}"), "65532");
        assert_eq!(user("{image: a, program: b, user: 0}"), "0");
        assert_eq!(user("{image: a, program: b, user: '10:20'}"), "10:20");
    }
}
