//! `PLM-R012 reason="…" until=2027-01-31`.

use crate::policy::date::Date;

/// What a line allows, before it is known where.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) rule: String,
    pub(super) reason: String,
    pub(super) until: Option<Date>,
}

/// Reads one line.
pub(super) fn read(text: &str) -> Result<Line, String> {
    let text = text.trim();
    let (rule, mut rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    known(rule)?;
    let (mut reason, mut until) = (None, None);
    while !rest.trim_start().is_empty() {
        let (key, after) = rest.trim_start().split_once('=').ok_or_else(|| expected(rest))?;
        let (value, left) = value(after)?;
        match key.trim_end() {
            "reason" if reason.is_none() => reason = Some(value.trim().to_owned()),
            "until" if until.is_none() => until = Some(value.parse()?),
            "reason" | "until" => return Err(format!("`{key}` is said twice")),
            _ => return Err(expected(key)),
        }
        rest = left;
    }
    let reason = reason.filter(|reason: &String| !reason.is_empty());
    let reason = reason.ok_or("a reason is missing: reason=\"why this may stay\"")?;
    Ok(Line { rule: rule.to_owned(), reason, until })
}

/// Refuses the code of a rule that does not exist.
pub(super) fn known(code: &str) -> Result<(), String> {
    let is_known = plimsoll_knowledge::rules().iter().any(|rule| rule.code.0 == code);
    is_known
        .then_some(())
        .ok_or_else(|| format!("there is no rule `{code}`; `plimsoll explain` lists every rule"))
}

/// A value in quotes or up to the next space, and what stands behind it.
fn value(text: &str) -> Result<(&str, &str), String> {
    match text.chars().next().filter(|quote| ['"', '\''].contains(quote)) {
        Some(quote) => {
            let inside = text.strip_prefix(quote).unwrap_or(text);
            inside.split_once(quote).ok_or_else(|| format!("the closing {quote} is missing"))
        }
        None => Ok(text.split_once(char::is_whitespace).unwrap_or((text, ""))),
    }
}

fn expected(found: &str) -> String {
    let found = found.trim();
    format!("`{found}` is not understood; write RULE reason=\"why this may stay\" until=2027-01-31")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_a_rule_a_reason_and_perhaps_an_end() {
        let line = |reason: &str, until: Option<&str>| Line {
            rule: "PLM-R012".to_owned(),
            reason: reason.to_owned(),
            until: until.map(|day| day.parse().expect(day)),
        };
        for (text, expected) in [
            ("PLM-R012 reason=\"it is = known\" until=2027-01-31", line("it is = known", Some("2027-01-31"))),
            ("  PLM-R012  until='2027-01-31'  reason=known ", line("known", Some("2027-01-31"))),
            ("PLM-R012 reason='a \"b\"'", line("a \"b\"", None)),
        ] {
            assert_eq!(read(text).as_ref(), Ok(&expected), "{text}");
        }
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        for (text, cause) in [
            ("", "there is no rule ``"),
            ("PLM-R999 reason=a", "there is no rule `PLM-R999`"),
            ("PLM-R012", "a reason is missing"),
            ("PLM-R012 reason=\" \"", "a reason is missing"),
            ("PLM-R012 reason=\"a", "the closing \" is missing"),
            ("PLM-R012 reason=a until=soon", "`soon` is no day"),
            ("PLM-R012 reason=a reason=b", "`reason` is said twice"),
            ("PLM-R012 because=a", "`because` is not understood"),
            ("PLM-R012 it is fine", "`it is fine` is not understood"),
        ] {
            let refused = read(text).expect_err(text);
            assert!(refused.starts_with(cause), "{text}: {refused}");
        }
    }
}
