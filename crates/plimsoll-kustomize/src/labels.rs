//! Label selectors in one line: `app=web,tier!=db,env in (a, b),!old` (`k8s.io/apimachinery`, `pkg/labels/selector.go`).

use crate::resource::Texts;

/// Requirements that all hold.
#[derive(Debug, Clone)]
pub(crate) struct LabelSelector(Vec<Requirement>);

#[derive(Debug, Clone)]
struct Requirement {
    key: String,
    test: Test,
}

#[derive(Debug, Clone)]
enum Test {
    In(Vec<String>),
    NotIn(Vec<String>),
    Exists,
    Missing,
    Above(i64),
    Below(i64),
}

impl LabelSelector {
    /// A selector, or nothing where the text is none.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut requirements = Vec::new();
        let mut rest = text.trim();
        if rest.is_empty() {
            return Some(Self(requirements));
        }
        loop {
            let (requirement, after) = requirement(rest)?;
            requirements.push(requirement);
            match after.trim_start().strip_prefix(',') {
                Some(more) => rest = more.trim_start(),
                None if after.trim().is_empty() => return Some(Self(requirements)),
                None => return None,
            }
        }
    }

    /// Whether labels or annotations fulfil it.
    pub(crate) fn fits(&self, texts: &Texts) -> bool {
        self.0.iter().all(|requirement| {
            let value = texts.get(requirement.key.as_str()).map(|(text, _)| &**text);
            let number = || value.and_then(|value| value.parse::<i64>().ok());
            match &requirement.test {
                Test::In(values) => value.is_some_and(|value| values.iter().any(|one| one == value)),
                Test::NotIn(values) => value.is_none_or(|value| values.iter().all(|one| one != value)),
                Test::Exists => value.is_some(),
                Test::Missing => value.is_none(),
                Test::Above(limit) => number().is_some_and(|number| number > *limit),
                Test::Below(limit) => number().is_some_and(|number| number < *limit),
            }
        })
    }
}

fn requirement(written: &str) -> Option<(Requirement, &str)> {
    if let Some(rest) = written.strip_prefix('!') {
        let (key, rest) = word(rest.trim_start())?;
        return Some((Requirement { key: key.to_owned(), test: Test::Missing }, rest));
    }
    let (key, rest) = word(written)?;
    let after = rest.trim_start();
    let (test, rest) = if let Some(after) = after.strip_prefix("!=") {
        let (value, rest) = value(after);
        (Test::NotIn(vec![value]), rest)
    } else if let Some(after) = after.strip_prefix("==").or_else(|| after.strip_prefix('=')) {
        let (value, rest) = value(after);
        (Test::In(vec![value]), rest)
    } else if let Some(after) = after.strip_prefix('>') {
        let (value, rest) = value(after);
        (Test::Above(value.parse().ok()?), rest)
    } else if let Some(after) = after.strip_prefix('<') {
        let (value, rest) = value(after);
        (Test::Below(value.parse().ok()?), rest)
    } else if let Some((values, rest)) = after.strip_prefix("in").and_then(values) {
        (Test::In(values), rest)
    } else if let Some((values, rest)) = after.strip_prefix("notin").and_then(values) {
        (Test::NotIn(values), rest)
    } else {
        (Test::Exists, rest)
    };
    Some((Requirement { key: key.to_owned(), test }, rest))
}

/// A key, which is never empty.
fn word(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|letter: char| " \t,!=<>()".contains(letter)).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

/// A value, which may be empty.
fn value(text: &str) -> (String, &str) {
    let text = text.trim_start();
    let end = text.find(|letter: char| " \t,!=<>()".contains(letter)).unwrap_or(text.len());
    let (value, rest) = text.split_at(end);
    (value.to_owned(), rest)
}

fn values(text: &str) -> Option<(Vec<String>, &str)> {
    let (inside, rest) = text.trim_start().strip_prefix('(')?.split_once(')')?;
    Some((inside.split(',').map(|value| value.trim().to_owned()).collect(), rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use plimsoll_model::Place;

    #[test]
    fn every_form_of_requirement() {
        let texts: Texts = [("app", "web"), ("tier", "2")]
            .into_iter()
            .map(|(key, text)| (key.into(), (text.into(), Place::default())))
            .collect();
        for (text, fits) in [
            ("app=web", true),
            ("app == web,tier=2", true),
            ("app!=web", false),
            ("other!=web", true),
            ("app in (a, web)", true),
            ("app notin (web)", false),
            ("app", true),
            ("!app", false),
            ("tier>1", true),
            ("tier<1", false),
            ("", true),
            ("app=", false),
        ] {
            assert_eq!(LabelSelector::parse(text).unwrap().fits(&texts), fits, "{text}");
        }
        assert!(LabelSelector::parse("=a").is_none());
        assert!(LabelSelector::parse("a b").is_none());
    }
}
