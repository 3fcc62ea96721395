//! Arguments of kubectl: flags, and the words between them.

use super::expand::Field;
use plimsoll_schema::{Argument, kubectl_arguments};

/// The arguments of one call, taken apart.
#[derive(Debug, Default)]
pub(super) struct Flags {
    /// The words that are no flags: verb, resource, names.
    pub(super) words: Vec<Field>,
    flags: Vec<(String, Option<Field>)>,
}

impl Flags {
    pub(super) fn of(arguments: &[Field]) -> Self {
        let mut flags = Self::default();
        for argument in kubectl_arguments(arguments) {
            match argument {
                Argument::Word(field) => flags.words.push(field.clone()),
                Argument::Flag(name, value) => {
                    let value = value.map(|(field, text)| with_text(field, text));
                    flags.flags.push((name.to_owned(), value));
                }
            }
        }
        flags
    }

    /// Whether a flag is set and not to `false`.
    pub(super) fn has(&self, name: &str) -> bool {
        self.last(name).is_some_and(|value| value.as_ref().is_none_or(|value| value.text != "false"))
    }

    /// Whether a flag is set to `false`.
    pub(super) fn denies(&self, name: &str) -> bool {
        self.last(name).is_some_and(|value| value.as_ref().is_some_and(|value| value.text == "false"))
    }

    fn last(&self, name: &str) -> Option<&Option<Field>> {
        self.flags.iter().rev().find(|(flag, _)| flag == name).map(|(_, value)| value)
    }

    /// The value of a flag; the last one counts.
    pub(super) fn value(&self, name: &str) -> Option<&Field> {
        self.last(name)?.as_ref()
    }

    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.value(name).map(|field| field.text.as_str())
    }

    /// Every value of a flag that may be repeated.
    pub(super) fn values(&self, name: &str) -> impl Iterator<Item = &Field> {
        self.flags.iter().filter(move |(flag, _)| flag == name).filter_map(|(_, value)| value.as_ref())
    }

    /// The flags of a delivery that change its order or outcome, as written.
    pub(super) fn that_matter(&self) -> Vec<String> {
        const MATTER: [&str; 6] =
            ["server-side", "prune", "validate", "force", "force-conflicts", "overwrite"];
        // Which objects are pruned depends on these.
        const PRUNING: [&str; 4] = ["selector", "prune-allowlist", "applyset", "namespace"];
        let is_pruning = self.has("prune");
        let matters = |name: &str| MATTER.contains(&name) || (is_pruning && PRUNING.contains(&name));
        let matter = self.flags.iter().filter(|(name, _)| matters(name));
        matter
            .map(|(name, value)| match value {
                Some(value) => format!("--{name}={}", value.text),
                None => format!("--{name}"),
            })
            .collect()
    }

    /// Whether nothing is sent: `--dry-run`, `--dry-run=client` and `=server`.
    pub(super) fn is_dry(&self) -> bool {
        self.last("dry-run")
            .is_some_and(|value| value.as_ref().is_none_or(|v| v.text != "none" && v.text != "false"))
    }
}

fn with_text(field: &Field, text: &str) -> Field {
    Field { text: text.to_owned(), unknown: field.unknown.clone() }
}
