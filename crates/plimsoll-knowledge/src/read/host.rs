//! Services that a container names as a host, in its environment, command or arguments.

use plimsoll_model::{Node, ObjectId};

/// The known Services that a container names, each with the field that names it.
pub(crate) fn named<'a>(
    namespace: &str,
    container: &'a Node,
    is_known: impl Fn(&ObjectId) -> bool,
) -> Vec<(ObjectId, &'a Node)> {
    let mut services: Vec<(ObjectId, &Node)> = Vec::new();
    for (variable, node) in texts(container) {
        for service in candidates(node.text().unwrap_or_default(), namespace) {
            let is_here = service.namespace() == Some(namespace);
            let is_new = is_known(&service) && !services.iter().any(|(id, _)| *id == service);
            if is_new && node.text().is_some_and(|text| names(text, variable, &service, is_here)) {
                services.push((service, node));
            }
        }
    }
    services
}

/// Every Service that a word of a text could mean: `name` in this namespace, `name.namespace` in any.
fn candidates(text: &str, namespace: &str) -> impl Iterator<Item = ObjectId> {
    text.split(|c| !is_part(c)).filter(|word| !word.is_empty()).map(move |word| {
        let mut labels = word.split('.');
        let (name, other) = (labels.next().unwrap_or_default(), labels.next());
        ObjectId::new("", "Service", Some(other.unwrap_or(namespace)), name)
    })
}

/// Whether a character can stand in a host name.
fn is_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '.')
}

/// Whether a container waits by itself until what it talks to answers.
pub(crate) fn waits(container: &Node) -> bool {
    const SIGNS: [&str; 12] = [
        "until ", "while ", "wait-for", "wait_for", "wait4", "waitfor", "-wait ", "--wait", "--retry",
        "retry", "sleep ", "for i in",
    ];
    texts(container).any(|(_, node)| {
        node.text().is_some_and(|text| {
            let text = text.to_ascii_lowercase();
            SIGNS.iter().any(|sign| text.contains(sign))
        })
    })
}

/// Values of variables with the variable's name, and the words of the command line.
fn texts(container: &Node) -> impl Iterator<Item = (Option<&str>, &Node)> {
    let variables = container.list_at(&["env"]).iter();
    let variables = variables.filter_map(|one| Some((one.text_at(&["name"]), one.get("value")?)));
    let words = container.list_at(&["command"]).iter().chain(container.list_at(&["args"]));
    variables.chain(words.map(|word| (None, word)))
}

/// A full name of a Service is one wherever it stands. A bare name is one only where a host is expected: in front of a
/// port, behind `//`, `@` or a host flag, or as the whole value of a variable that is called so.
fn names(text: &str, variable: Option<&str>, service: &ObjectId, is_here: bool) -> bool {
    let namespace = service.namespace().unwrap_or_default();
    let mut rest = text;
    while let Some(start) = rest.find(service.name()) {
        let (before, after) = rest.split_at(start);
        let after = after.strip_prefix(service.name()).unwrap_or_default();
        if !before.ends_with(is_part) {
            let host = after.split(|c| !is_part(c)).next().unwrap_or_default();
            let behind = after.strip_prefix(host).unwrap_or_default();
            let is_full =
                host.strip_prefix('.').and_then(|rest| rest.strip_prefix(namespace)).is_some_and(|rest| {
                    rest == ".svc"
                        || rest.starts_with(".svc.")
                        || (rest.is_empty() && is_expected(before, behind, variable))
                });
            if is_full || (is_here && host.is_empty() && is_expected(before, behind, variable)) {
                return true;
            }
        }
        rest = after;
    }
    false
}

fn is_expected(before: &str, behind: &str, variable: Option<&str>) -> bool {
    const FLAGS: [&str; 6] = ["//", "@", "-h ", "--host ", "host=", "--host="];
    const CALLED: [&str; 6] = ["HOST", "ADDR", "SERVER", "ENDPOINT", "URL", "BROKER"];
    let is_called = |name: &str| CALLED.iter().any(|part| name.to_ascii_uppercase().contains(part));
    let has_port =
        behind.strip_prefix(':').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let is_whole = before.is_empty() && behind.is_empty();
    has_port
        || FLAGS.iter().any(|flag| before.ends_with(flag))
        || (is_whole && variable.is_some_and(is_called))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_told_from_words() {
        let service = ObjectId::new("", "Service", Some("shop"), "db");
        let check = |text: &str, variable: Option<&str>| names(text, variable, &service, true);
        for text in [
            "db:5432",
            "postgres://u:p@db/shop",
            "http://db/x",
            "psql -h db shop",
            "db.shop.svc",
            "x db.shop.svc.cluster.local",
        ] {
            assert!(check(text, None), "{text}");
        }
        for text in
            ["db", "migrate the db now", "mydb:5432", "db-2:5432", "db.other.svc", "http://db.example.com"]
        {
            assert!(!check(text, None), "{text}");
        }
        assert!(check("db", Some("DB_HOST")));
        assert!(!check("db", Some("DB_NAME")));
        assert!(!names("db:5432", None, &service, false), "a bare name means the own namespace");
    }
}
