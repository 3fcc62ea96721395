//! What is there before the run, as a user writes it.

use crate::object_pattern::ObjectPattern;
use plimsoll_model::{Milestone, Moment, ObjectId};
use rustc_hash::FxHashMap;
use std::str::FromStr;

/// Something that is there before the run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Assumption {
    /// An object that has reached a milestone, or is ready in every way.
    Object(ObjectPattern, Option<Milestone>),
    /// A chart in a version, with what is known of it.
    Chart {
        /// Its name.
        name: String,
        /// Its version.
        version: String,
    },
    /// An API that is served: `cert-manager.io/v1`.
    Api(String),
}

/// An object that is there before the run, and who sees to it.
#[derive(Debug, Clone)]
pub(crate) struct Assumed {
    /// Which object.
    pub(crate) pattern: ObjectPattern,
    /// How far it has come; without one it is ready in every way.
    pub(crate) milestone: Option<Milestone>,
    /// Who provides it, and where that was published; nothing if the question itself says it.
    pub(crate) by: Option<String>,
}

/// The objects that are there before the run.
#[derive(Debug, Clone, Default)]
pub(crate) struct Assumptions {
    /// Those with a whole name, by that; a platform may publish thousands.
    by_name: FxHashMap<String, Vec<Assumed>>,
    /// Those whose name is a pattern.
    by_pattern: Vec<Assumed>,
}

impl Assumptions {
    /// Adds one.
    pub(crate) fn add(&mut self, assumed: Assumed) {
        match assumed.pattern.whole_name() {
            Some(name) => self.by_name.entry(name.to_owned()).or_default().push(assumed),
            None => self.by_pattern.push(assumed),
        }
    }

    /// What says that an object is there.
    pub(crate) fn of(&self, id: &ObjectId) -> impl Iterator<Item = &Assumed> {
        let named = self.by_name.get(id.name()).into_iter().flatten();
        named.chain(&self.by_pattern).filter(|assumed| assumed.pattern.matches(id))
    }

    /// Whether a moment has come before the run.
    pub(crate) fn has(&self, moment: &Moment, id: &ObjectId) -> bool {
        self.of(id).any(|assumed| assumed.milestone.is_none_or(|milestone| moment.milestone <= milestone))
    }

    /// Those that the question itself says.
    pub(crate) fn asked(&self) -> impl Iterator<Item = &Assumed> {
        self.by_name.values().flatten().chain(&self.by_pattern).filter(|assumed| assumed.by.is_none())
    }
}

impl FromStr for Assumption {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some((name, version)) = text.strip_prefix("chart/").and_then(|chart| chart.split_once('@')) {
            return Self::chart(name, version);
        }
        if let Some(api) = text.strip_prefix("api/") {
            return Self::api(api);
        }
        let (object, milestone) = match text.split_once('=') {
            Some((object, word)) => (object, Some(milestone(word)?)),
            None => (text, None),
        };
        Ok(Self::Object(object.parse()?, milestone))
    }
}

impl Assumption {
    /// A chart in a version.
    pub(crate) fn chart(name: &str, version: &str) -> Result<Self, String> {
        let version = version.trim_start_matches('v');
        if name.is_empty() || !version.starts_with(|letter: char| letter.is_ascii_digit()) {
            return Err("a chart is written chart/NAME@VERSION, such as chart/cert-manager@1.18.2".to_owned());
        }
        Ok(Self::Chart { name: name.to_owned(), version: version.to_owned() })
    }

    /// An API that is served.
    pub(crate) fn api(text: &str) -> Result<Self, String> {
        match *text.split('/').collect::<Vec<_>>().as_slice() {
            [group, version] if group.contains('.') && version.starts_with('v') => {
                Ok(Self::Api(text.to_owned()))
            }
            _ => Err("an API is written GROUP/VERSION, such as cert-manager.io/v1".to_owned()),
        }
    }

    /// The objects that are there because of it.
    pub(crate) fn object(&self) -> Option<(ObjectPattern, Option<Milestone>)> {
        match self {
            Self::Object(pattern, milestone) => Some((pattern.clone(), *milestone)),
            Self::Api(api) => {
                let (group, _) = api.split_once('/')?;
                let pattern = format!("CustomResourceDefinition/*.{group}").parse().ok()?;
                Some((pattern, Some(Milestone::Discoverable)))
            }
            Self::Chart { .. } => None,
        }
    }
}

/// The milestone that a word stands for.
pub(crate) fn milestone(word: &str) -> Result<Milestone, String> {
    let found = Milestone::ALL.into_iter().find(|milestone| milestone.word() == word);
    found.ok_or_else(|| {
        let words = Milestone::ALL.map(Milestone::word).join(", ");
        format!("`{word}` is no milestone; the milestones are: {words}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_is_found_by_name_and_by_pattern() {
        let mut assumptions = Assumptions::default();
        for text in ["Secret/shop/db", "Secret/*/tls-*=stored", "api/cert-manager.io/v1"] {
            let (pattern, milestone) = text.parse::<Assumption>().expect(text).object().expect(text);
            assumptions.add(Assumed { pattern, milestone, by: None });
        }
        let has = |kind: &str, namespace: Option<&str>, name: &str, milestone: Milestone| {
            let id = ObjectId::new("", kind, namespace, name);
            assumptions.has(&id.at(milestone), &id)
        };
        assert!(has("Secret", Some("shop"), "db", Milestone::Ready));
        assert!(!has("Secret", Some("other"), "db", Milestone::Stored));
        assert!(has("Secret", Some("shop"), "tls-web", Milestone::Stored));
        assert!(!has("Secret", Some("shop"), "tls-web", Milestone::Ready));
        assert!(has("CustomResourceDefinition", None, "issuers.cert-manager.io", Milestone::Established));
    }

    #[test]
    fn what_is_written_otherwise_is_refused() {
        for text in ["chart/a@latest", "chart/@1.0", "api/v1", "api/apps/v1", "web", "Secret/web=shiny"] {
            assert!(text.parse::<Assumption>().is_err(), "{text}");
        }
    }
}
