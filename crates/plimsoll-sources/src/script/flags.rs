//! Arguments of kubectl: flags, and the words between them.

use super::expand::Field;

/// Long flags that take a value when it is not behind `=`.
/// Read from `kubectl` v1.36.4, the flags of the commands this reader knows and the global ones.
const WITH_VALUE: [&str; 73] = [
    "filename",
    "kustomize",
    "namespace",
    "selector",
    "output",
    "for",
    "timeout",
    "context",
    "kubeconfig",
    "cluster",
    "user",
    "server",
    "as",
    "as-group",
    "as-uid",
    "token",
    "username",
    "password",
    "field-selector",
    "field-manager",
    "from-literal",
    "from-file",
    "from-env-file",
    "type",
    "cert",
    "key",
    "docker-server",
    "docker-username",
    "docker-password",
    "docker-email",
    "verb",
    "resource",
    "resource-name",
    "non-resource-url",
    "clusterrole",
    "role",
    "serviceaccount",
    "group",
    "image",
    "replicas",
    "port",
    "tcp",
    "node-port",
    "clusterip",
    "external-name",
    "from",
    "patch",
    "patch-file",
    "template",
    "revision",
    "current-replicas",
    "resource-version",
    "prune-allowlist",
    "applyset",
    "grace-period",
    "request-timeout",
    "cache-dir",
    "v",
    "certificate-authority",
    "client-certificate",
    "client-key",
    "tls-server-name",
    "sort-by",
    "subresource",
    "schedule",
    "aggregation-rule",
    "container",
    "pod-running-timeout",
    "tail",
    "since",
    "since-time",
    "limit-bytes",
    "max-log-requests",
];

/// Short flags that take a value.
const SHORT_WITH_VALUE: &str = "fklnocpLv";

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
        let mut rest = arguments.iter();
        while let Some(field) = rest.next() {
            let text = field.text.as_str();
            if text == "--" {
                break;
            } else if let Some(long) = text.strip_prefix("--") {
                match long.split_once('=') {
                    Some((name, value)) => flags.add(name, Some(with_text(field, value))),
                    None if WITH_VALUE.contains(&long) => flags.add(long, rest.next().cloned()),
                    None => flags.add(long, None),
                }
            } else if let Some(letters) = text.strip_prefix('-').filter(|letters| !letters.is_empty()) {
                flags.add_short(letters, field, &mut rest);
            } else {
                flags.words.push(field.clone());
            }
        }
        flags
    }

    fn add_short<'a>(&mut self, letters: &str, field: &Field, rest: &mut impl Iterator<Item = &'a Field>) {
        for (at, letter) in letters.char_indices() {
            let name = letter.to_string();
            if !SHORT_WITH_VALUE.contains(letter) {
                self.add(&name, None);
                continue;
            }
            let value = letters.get(at + letter.len_utf8()..).unwrap_or_default();
            let value = value.strip_prefix('=').unwrap_or(value);
            let value = if value.is_empty() { rest.next().cloned() } else { Some(with_text(field, value)) };
            self.add(&name, value);
            return;
        }
    }

    fn add(&mut self, name: &str, value: Option<Field>) {
        let long = match name {
            "f" => "filename",
            "k" => "kustomize",
            "n" => "namespace",
            "l" => "selector",
            "o" => "output",
            "R" => "recursive",
            "A" => "all-namespaces",
            "p" => "patch",
            other => other,
        };
        self.flags.push((long.to_owned(), value));
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
