//! How kubectl takes its arguments apart.

/// Long flags that take a value when it is not behind `=`.
/// Read from `kubectl` v1.36.4, the global flags and those of the commands that are read here.
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

/// An argument of kubectl.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Argument<'a, T> {
    /// A word that is no flag: verb, resource, name.
    Word(&'a T),
    /// A flag by its long name; its value, with the word in which that stands.
    Flag(&'a str, Option<(&'a T, &'a str)>),
}

/// The arguments of a call, up to `--`.
pub fn kubectl_arguments<T: AsRef<str>>(words: &[T]) -> Vec<Argument<'_, T>> {
    let mut arguments = Vec::new();
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let text = word.as_ref();
        if text == "--" {
            break;
        } else if let Some(long) = text.strip_prefix("--") {
            let (name, value) = match long.split_once('=') {
                Some((name, value)) => (name, Some((word, value))),
                None if WITH_VALUE.contains(&long) => (long, next(&mut rest)),
                None => (long, None),
            };
            arguments.push(Argument::Flag(name, value));
        } else if let Some(letters) = text.strip_prefix('-').filter(|letters| !letters.is_empty()) {
            short(word, letters, &mut rest, &mut arguments);
        } else {
            arguments.push(Argument::Word(word));
        }
    }
    arguments
}

/// Short flags in one word; what follows the first that takes a value is that value.
fn short<'a, T: AsRef<str>>(
    word: &'a T,
    letters: &'a str,
    rest: &mut std::slice::Iter<'a, T>,
    arguments: &mut Vec<Argument<'a, T>>,
) {
    let mut left = letters;
    while let Some(letter) = left.chars().next() {
        let (flag, behind) = left.split_at(letter.len_utf8());
        left = behind;
        let mut value = None;
        if SHORT_WITH_VALUE.contains(letter) {
            let said = behind.strip_prefix('=').unwrap_or(behind);
            value = if said.is_empty() { next(rest) } else { Some((word, said)) };
            left = "";
        }
        arguments.push(Argument::Flag(long(flag), value));
    }
}

fn next<'a, T: AsRef<str>>(rest: &mut std::slice::Iter<'a, T>) -> Option<(&'a T, &'a str)> {
    rest.next().map(|word| (word, word.as_ref()))
}

fn long(flag: &str) -> &str {
    match flag {
        "f" => "filename",
        "k" => "kustomize",
        "n" => "namespace",
        "l" => "selector",
        "o" => "output",
        "R" => "recursive",
        "A" => "all-namespaces",
        "p" => "patch",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stand_behind_a_sign_in_the_word_or_in_the_next_one() {
        use Argument::{Flag, Word};
        let arguments = |words: &'static [&'static str]| {
            let plain = |argument| match argument {
                Word(word) => (*word, None),
                Flag(name, value) => (name, Some(value.map_or("", |(_, text)| text))),
            };
            kubectl_arguments(words).into_iter().map(plain).collect::<Vec<_>>()
        };
        assert_eq!(
            arguments(&["get", "--namespace", "a", "pods"]),
            [("get", None), ("namespace", Some("a")), ("pods", None)]
        );
        assert_eq!(arguments(&["-n=a", "-f", "-"]), [("namespace", Some("a")), ("filename", Some("-"))]);
        assert_eq!(
            arguments(&["-Rfa", "-", "--", "-n"]),
            [("recursive", Some("")), ("filename", Some("a")), ("-", None)]
        );
        assert_eq!(
            arguments(&["--wait", "--dry-run=client", "-n"]),
            [("wait", Some("")), ("dry-run", Some("client")), ("namespace", Some(""))]
        );
    }
}
