//! Constraints such as `>=1.2 <2 || ^3.1-0`.

use super::Version;
use crate::template::quote::quoted;
use std::cmp::Ordering;

/// Groups of comparisons: one group must hold as a whole.
#[derive(Debug)]
pub(crate) struct Constraints(Vec<Vec<Constraint>>);

#[derive(Debug)]
struct Constraint {
    operator: Operator,
    version: Version,
    /// The first number that is missing or a wildcard.
    open: Open,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operator {
    Equal,
    NotEqual,
    Greater,
    Less,
    GreaterEqual,
    LessEqual,
    Tilde,
    Caret,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Open {
    Nothing,
    Major,
    Minor,
    Patch,
}

/// Longer spellings stand before their beginnings.
const OPERATORS: [(&str, Operator); 11] = [
    ("!=", Operator::NotEqual),
    (">=", Operator::GreaterEqual),
    ("=>", Operator::GreaterEqual),
    ("<=", Operator::LessEqual),
    ("=<", Operator::LessEqual),
    ("~>", Operator::Tilde),
    ("=", Operator::Equal),
    (">", Operator::Greater),
    ("<", Operator::Less),
    ("~", Operator::Tilde),
    ("^", Operator::Caret),
];

impl Constraints {
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        text.split("||").map(group).collect::<Result<_, _>>().map(Self)
    }

    pub(crate) fn hold(&self, version: &Version) -> bool {
        self.0.iter().any(|group| {
            let takes_prereleases = group.iter().any(|constraint| !constraint.version.prerelease.is_empty());
            (version.prerelease.is_empty() || takes_prereleases)
                && group.iter().all(|constraint| constraint.holds(version))
        })
    }
}

fn group(text: &str) -> Result<Vec<Constraint>, String> {
    let improper = || format!("improper constraint: {}", quoted(text));
    let mut found = Vec::new();
    let mut rest = text.trim();
    if rest.is_empty() {
        return Err(improper());
    }
    while !rest.is_empty() {
        let (operator, behind) = OPERATORS
            .iter()
            .find_map(|(spelling, operator)| Some((*operator, rest.strip_prefix(spelling)?)))
            .unwrap_or((Operator::Equal, rest));
        let behind = behind.trim_start();
        let length = behind.find(|next: char| next.is_whitespace() || next == ',').unwrap_or(behind.len());
        let (word, behind) = behind.split_at(length);
        let mut behind = behind.trim_start();
        let constraint = Constraint::new(operator, word).ok_or_else(improper)?;
        // `1.2 - 3.4` is a range.
        if let Some(upper) = behind.strip_prefix("- ") {
            let upper = upper.trim_start();
            let length = upper.find(|next: char| next.is_whitespace() || next == ',').unwrap_or(upper.len());
            let (word, after) = upper.split_at(length);
            found.push(Constraint { operator: Operator::GreaterEqual, ..constraint });
            found.push(Constraint::new(Operator::LessEqual, word).ok_or_else(improper)?);
            behind = after.trim_start();
        } else {
            found.push(constraint);
        }
        rest = behind.strip_prefix(',').unwrap_or(behind).trim_start();
    }
    Ok(found)
}

fn is_wildcard(part: &str) -> bool {
    matches!(part, "x" | "X" | "*")
}

impl Constraint {
    fn new(operator: Operator, word: &str) -> Option<Self> {
        let bare = word.strip_prefix('v').unwrap_or(word);
        let end = bare.find(['-', '+']).unwrap_or(bare.len());
        let (numbers, suffix) = bare.split_at(end);
        let prerelease = suffix.split('+').next().unwrap_or_default();
        let parts: Vec<&str> = numbers.split('.').collect();
        let is_part = |part: &&str| is_wildcard(part) || part.parse::<u64>().is_ok();
        if parts.len() > 3 || !parts.iter().all(is_part) {
            return None;
        }
        let is_open = |index: usize| parts.get(index).is_none_or(|part| is_wildcard(part));
        let part = |index: usize| parts.get(index).copied().unwrap_or("0");
        let (text, open) = if is_open(0) {
            (format!("0.0.0{prerelease}"), Open::Major)
        } else if is_open(1) {
            (format!("{}.0.0{prerelease}", part(0)), Open::Minor)
        } else if is_open(2) {
            (format!("{}.{}.0{prerelease}", part(0), part(1)), Open::Patch)
        } else {
            (bare.to_owned(), Open::Nothing)
        };
        Some(Self { operator, version: Version::parse(&text).ok()?, open })
    }

    fn holds(&self, version: &Version) -> bool {
        let order = version.order(&self.version);
        match self.operator {
            Operator::Equal if self.open == Open::Nothing => order == Ordering::Equal,
            Operator::Equal | Operator::Tilde => self.tilde(version),
            Operator::NotEqual => self.differs(version),
            Operator::Greater => match self.open {
                Open::Nothing | Open::Major => order == Ordering::Greater,
                Open::Minor => version.major > self.version.major,
                Open::Patch => (version.major, version.minor) > (self.version.major, self.version.minor),
            },
            Operator::Less => order == Ordering::Less,
            Operator::GreaterEqual => order != Ordering::Less,
            Operator::LessEqual => match self.open {
                Open::Nothing => order != Ordering::Greater,
                Open::Minor => version.major <= self.version.major,
                Open::Major | Open::Patch => {
                    (version.major, version.minor) <= (self.version.major, self.version.minor)
                }
            },
            Operator::Caret => self.caret(version),
        }
    }

    fn differs(&self, version: &Version) -> bool {
        let own = &self.version;
        match self.open {
            Open::Nothing | Open::Major => version.order(own) != Ordering::Equal,
            Open::Minor => version.major != own.major,
            Open::Patch => {
                (version.major, version.minor) != (own.major, own.minor)
                    || version.prerelease != own.prerelease
            }
        }
    }

    fn tilde(&self, version: &Version) -> bool {
        let own = &self.version;
        if version.order(own) == Ordering::Less {
            return false;
        }
        let is_zero = (own.major, own.minor, own.patch) == (0, 0, 0);
        if is_zero && matches!(self.open, Open::Nothing | Open::Major) {
            return true;
        }
        version.major == own.major && (version.minor == own.minor || self.open == Open::Minor)
    }

    fn caret(&self, version: &Version) -> bool {
        let own = &self.version;
        if version.order(own) == Ordering::Less {
            return false;
        }
        if own.major > 0 || self.open == Open::Minor {
            return version.major == own.major;
        }
        if version.major > 0 {
            return false;
        }
        if own.minor > 0 || self.open == Open::Patch {
            return version.minor == own.minor;
        }
        version.minor == 0 && version.patch == own.patch
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(constraint: &str, version: &str) -> bool {
        Constraints::parse(constraint).unwrap().hold(&Version::parse(version).unwrap())
    }

    #[test]
    fn constraints_are_read_as_masterminds_reads_them() {
        for (constraint, version) in [
            (">=1.19-0", "v1.36.0"),
            (">= 1.19.0-0", "1.19.0-rc.1"),
            ("^1", "1.9.0"),
            ("~1.2", "1.2.9"),
            ("1.x", "1.4.5"),
            ("*", "9.9.9"),
            ("1.2 - 3.4", "3.4.9"),
            (">=1.2, <2 || >4", "5.0.0"),
            (">1.2 <2", "1.3.0"),
            ("!=1.2.x", "1.3.0"),
            ("^0.2.3", "0.2.9"),
            ("<1.21-0", "1.20.5"),
        ] {
            assert!(holds(constraint, version), "{constraint} {version}");
        }
        for (constraint, version) in [
            ("^1", "2.0.0"),
            (">=1.0", "1.2.3-alpha"),
            ("~1.2.3", "1.3.0"),
            ("^0.2", "0.3.0"),
            ("1.2", "1.3.0"),
        ] {
            assert!(!holds(constraint, version), "{constraint} {version}");
        }
        assert!(Constraints::parse("nonsense").is_err());
        assert!(Version::parse("1.2.3.4").is_err());
    }
}
