//! One version, read leniently: `v1.2` is a version.

use crate::template::function::{Call, Function, Outcome, Parameter};
use crate::template::value::{Item, Kind, Member, Object, Value};
use std::any::Any;
use std::cmp::Ordering;
use std::fmt;

/// A version. `Display` gives it in full.
#[derive(Debug, Clone)]
pub(crate) struct Version {
    pub(crate) major: u64,
    pub(crate) minor: u64,
    pub(crate) patch: u64,
    pub(crate) prerelease: String,
    metadata: String,
    original: String,
}

const INVALID: &str = "invalid semantic version";

impl Version {
    /// Reads a version with one to three numbers and an optional `v`.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let invalid = || INVALID.to_owned();
        let bare = text.strip_prefix('v').unwrap_or(text);
        let (bare, metadata) = bare.split_once('+').map_or((bare, None), |(bare, rest)| (bare, Some(rest)));
        let (numbers, prerelease) =
            bare.split_once('-').map_or((bare, None), |(bare, rest)| (bare, Some(rest)));
        let parts: Vec<&str> = numbers.split('.').collect();
        let is_number = |part: &&str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        let has_identifiers = [prerelease, metadata].into_iter().flatten().all(is_identifiers);
        if parts.len() > 3 || !parts.iter().all(is_number) || !has_identifiers {
            return Err(invalid());
        }
        let number =
            |index: usize| parts.get(index).map_or(Ok(0), |part| part.parse().map_err(|_| invalid()));
        let prerelease = prerelease.unwrap_or_default();
        let leads_with_zero = |part: &str| part.len() > 1 && part.starts_with('0') && is_number(&part);
        if prerelease.split('.').any(leads_with_zero) {
            return Err("version segment starts with 0".to_owned());
        }
        Ok(Self {
            major: number(0)?,
            minor: number(1)?,
            patch: number(2)?,
            prerelease: prerelease.to_owned(),
            metadata: metadata.unwrap_or_default().to_owned(),
            original: text.to_owned(),
        })
    }

    /// Which of two comes first; metadata does not count.
    pub(crate) fn order(&self, other: &Self) -> Ordering {
        let numbers = |version: &Self| (version.major, version.minor, version.patch);
        numbers(self)
            .cmp(&numbers(other))
            .then_with(|| order_prereleases(&self.prerelease, &other.prerelease))
    }
}

fn is_identifiers(text: &str) -> bool {
    let is_identifier = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    text.split('.').all(is_identifier)
}

fn order_prereleases(left: &str, right: &str) -> Ordering {
    match (left.is_empty(), right.is_empty()) {
        (true, true) => return Ordering::Equal,
        (true, false) => return Ordering::Greater,
        (false, true) => return Ordering::Less,
        (false, false) => {}
    }
    let (mut left, mut right) = (left.split('.'), right.split('.'));
    loop {
        match (left.next(), right.next()) {
            (None, None) => return Ordering::Equal,
            (None, Some(_)) => return Ordering::Less,
            (Some(_), None) => return Ordering::Greater,
            (Some(left), Some(right)) => match order_parts(left, right) {
                Ordering::Equal => {}
                order => return order,
            },
        }
    }
}

fn order_parts(left: &str, right: &str) -> Ordering {
    match (left.parse::<u64>(), right.parse::<u64>()) {
        (Ok(left), Ok(right)) => left.cmp(&right),
        (Ok(_), Err(_)) => Ordering::Less,
        (Err(_), Ok(_)) => Ordering::Greater,
        (Err(_), Err(_)) => left.cmp(right),
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)?;
        if !self.prerelease.is_empty() {
            write!(f, "-{}", self.prerelease)?;
        }
        if !self.metadata.is_empty() {
            write!(f, "+{}", self.metadata)?;
        }
        Ok(())
    }
}

/// What `semver` answers is a Go object with methods.
impl Object for Version {
    fn type_name(&self) -> &'static str {
        "*semver.Version"
    }

    fn kind(&self) -> Kind {
        Kind::Pointer
    }

    fn member(&self, name: &str) -> Option<Member> {
        METHODS.iter().find(|method| method.name == name).map(Member::Method)
    }

    fn print(&self) -> String {
        self.to_string()
    }

    fn plain(&self) -> Value {
        Value::from(self.to_string())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

const METHODS: &[Function] = &[
    Function::new("Major", &[], |call| with(call, |version| Value::Uint64(version.major))),
    Function::new("Minor", &[], |call| with(call, |version| Value::Uint64(version.minor))),
    Function::new("Patch", &[], |call| with(call, |version| Value::Uint64(version.patch))),
    Function::new("Prerelease", &[], |call| with(call, |version| Value::from(&*version.prerelease))),
    Function::new("Metadata", &[], |call| with(call, |version| Value::from(&*version.metadata))),
    Function::new("Original", &[], |call| with(call, |version| Value::from(&*version.original))),
    Function::new("String", &[], |call| with(call, |version| Value::from(version.to_string()))),
    Function::new("Compare", &[Parameter::Any], compare),
];

fn with(call: &Call<'_>, answer: impl FnOnce(&Version) -> Value) -> Outcome {
    let version = call.receiver.and_then(version_of);
    Ok(version.map_or(Value::Nil, answer).into())
}

fn compare(call: &mut Call<'_>) -> Outcome {
    let pair = call.receiver.and_then(version_of).zip(version_of(call.value(0)));
    let order = pair.map_or(Ordering::Equal, |(left, right)| left.order(right));
    Ok(Item::from(Value::Int(order as i64)))
}

fn version_of(value: &Value) -> Option<&Version> {
    match value {
        Value::Object(object) => object.as_any().downcast_ref(),
        _ => None,
    }
}
