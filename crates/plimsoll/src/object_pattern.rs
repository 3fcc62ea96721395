//! How a user names an object on the command line.

use plimsoll_model::ObjectId;
use std::fmt;
use std::str::FromStr;

/// An object as a user writes it: `Kind/name`, `Kind/namespace/name`, or `Kind.group/…`; `*` stands for any text.
///
/// Kinds are compared without regard to case. `Kind/name` also names an object of any namespace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ObjectPattern {
    kind: String,
    group: Option<String>,
    namespace: Option<String>,
    name: String,
}

impl ObjectPattern {
    /// Whether this names the object.
    pub(crate) fn matches(&self, id: &ObjectId) -> bool {
        let is_kind = if self.kind.contains('*') {
            fits(&self.kind.to_lowercase(), &id.kind().to_lowercase())
        } else {
            self.kind.eq_ignore_ascii_case(id.kind())
        };
        is_kind
            && self.group.as_deref().is_none_or(|group| fits(group, id.group()))
            && self.namespace.as_deref().is_none_or(|namespace| fits(namespace, id.namespace().unwrap_or("")))
            && fits(&self.name, id.name())
    }

    /// The name, where it is one and no pattern.
    pub(crate) fn whole_name(&self) -> Option<&str> {
        Some(self.name.as_str()).filter(|name| !name.contains('*'))
    }
}

impl FromStr for ObjectPattern {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts: Vec<&str> = text.split('/').collect();
        let (kind, namespace, name) = match *parts.as_slice() {
            [kind, name] => (kind, None, name),
            [kind, namespace, name] => (kind, Some(namespace), name),
            _ => return Err("an object is written Kind/name or Kind/namespace/name".to_owned()),
        };
        if kind.is_empty() || name.is_empty() {
            return Err("an object needs a kind and a name: Kind/name or Kind/namespace/name".to_owned());
        }
        let (kind, group) = match kind.split_once('.') {
            Some((kind, group)) => (kind, Some(group.to_owned())),
            None => (kind, None),
        };
        Ok(Self {
            kind: kind.to_owned(),
            group,
            namespace: namespace.map(str::to_owned),
            name: name.to_owned(),
        })
    }
}

impl fmt::Display for ObjectPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.kind)?;
        if let Some(group) = &self.group {
            write!(f, ".{group}")?;
        }
        if let Some(namespace) = &self.namespace {
            write!(f, "/{namespace}")?;
        }
        write!(f, "/{}", self.name)
    }
}

/// Whether a text fits a pattern in which `*` stands for any text.
fn fits(pattern: &str, text: &str) -> bool {
    let Some((head, rest)) = pattern.split_once('*') else {
        return pattern == text;
    };
    let Some(mut left) = text.strip_prefix(head) else {
        return false;
    };
    let mut pieces: Vec<&str> = rest.split('*').collect();
    let tail = pieces.pop().unwrap_or("");
    for piece in pieces {
        match left.split_once(piece) {
            Some((_, after)) => left = after,
            None => return false,
        }
    }
    left.ends_with(tail)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pattern: &str, id: &ObjectId, expected: bool) {
        let parsed: ObjectPattern = pattern.parse().expect(pattern);
        assert_eq!(parsed.matches(id), expected, "{pattern} and {id}");
        assert_eq!(parsed.to_string(), pattern);
    }

    #[test]
    fn a_pattern_names_objects_by_kind_group_namespace_and_name() {
        let secret = ObjectId::new("", "Secret", Some("shop"), "web-tls");
        check("Secret/web-tls", &secret, true);
        check("secret/shop/web-tls", &secret, true);
        check("Secret/other/web-tls", &secret, false);
        check("Secret/*/web-*", &secret, true);
        check("*/shop/*-tls", &secret, true);
        check("Secret/*b*ls", &secret, true);
        check("Secret/*x*ls", &secret, false);
        check("ConfigMap/web-tls", &secret, false);
    }

    #[test]
    fn a_group_after_the_kind_tells_two_kinds_of_one_name_apart() {
        let service = ObjectId::new("serving.knative.dev", "Service", Some("shop"), "web");
        check("Service.serving.knative.dev/web", &service, true);
        check("Service.example.org/web", &service, false);
    }

    #[test]
    fn a_text_without_a_kind_or_a_name_is_refused() {
        for text in ["web", "/web", "Secret/", "a/b/c/d"] {
            assert!(text.parse::<ObjectPattern>().is_err(), "{text}");
        }
    }
}
