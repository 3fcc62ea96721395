//! The shape of `plimsoll.check/v1`, field by field.

use serde::Serialize;

#[derive(Serialize)]
pub(super) struct Document<'a> {
    pub(super) schema: &'static str,
    pub(super) coverage: Coverage<'a>,
    pub(super) needs: Vec<Need>,
    pub(super) findings: Vec<Finding<'a>>,
    /// Findings that may stay.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) allowed: Vec<Allowed<'a>>,
}

#[derive(Serialize)]
pub(super) struct Allowed<'a> {
    pub(super) rule: &'static str,
    pub(super) fingerprint: &'a str,
    pub(super) message: &'a str,
    pub(super) reason: &'a str,
    pub(super) until: Option<String>,
    /// Where it was said.
    pub(super) by: String,
}

#[derive(Serialize)]
pub(super) struct Coverage<'a> {
    pub(super) objects: usize,
    pub(super) understood: usize,
    pub(super) opaque: usize,
    pub(super) foreign: usize,
    /// Objects that are taken as given, and what has to be true for that.
    pub(super) assumed: Vec<Assumed>,
    pub(super) problems: Vec<Problem<'a>>,
}

#[derive(Serialize)]
pub(super) struct Assumed {
    pub(super) object: String,
    pub(super) premise: String,
}

#[derive(Serialize)]
pub(super) struct Problem<'a> {
    pub(super) file: &'a str,
    pub(super) line: Option<u32>,
    pub(super) column: Option<u32>,
    pub(super) cause: &'a str,
}

#[derive(Serialize)]
pub(super) struct Need {
    pub(super) object: String,
    pub(super) milestone: &'static str,
    pub(super) by: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) elsewhere: Vec<String>,
}

#[derive(Serialize)]
pub(super) struct Finding<'a> {
    pub(super) rule: &'static str,
    pub(super) name: &'static str,
    pub(super) class: &'static str,
    pub(super) consequence: &'static str,
    pub(super) confidence: &'static str,
    pub(super) tool: &'static str,
    pub(super) operation: &'static str,
    pub(super) root: String,
    pub(super) fingerprint: &'a str,
    pub(super) message: &'a str,
    /// What was taken as given, in words behind "if".
    pub(super) premise: Option<&'a str>,
    pub(super) before: End<'a>,
    pub(super) after: End<'a>,
    pub(super) timeline: Vec<Instant<'a>>,
    pub(super) heals: Option<Healing<'a>>,
    pub(super) guard: Option<Guard<'a>>,
    pub(super) fixes: Vec<Fix<'a>>,
}

#[derive(Serialize)]
pub(super) struct End<'a> {
    pub(super) object: String,
    pub(super) milestone: &'static str,
    pub(super) carriers: &'a [String],
    pub(super) file: Option<&'a str>,
    pub(super) line: Option<u32>,
    pub(super) column: Option<u32>,
    /// Where the value is set that a template prints there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) value: Option<Set<'a>>,
}

#[derive(Serialize)]
pub(super) struct Set<'a> {
    pub(super) file: &'a str,
    pub(super) line: u32,
    pub(super) column: u32,
}

#[derive(Serialize)]
pub(super) struct Instant<'a> {
    pub(super) t: String,
    pub(super) actor: &'static str,
    pub(super) object: Option<String>,
    pub(super) does: &'a str,
    pub(super) answer: Option<&'a str>,
}

#[derive(Serialize)]
pub(super) struct Healing<'a> {
    pub(super) by: &'a str,
    pub(super) within: String,
}

#[derive(Serialize)]
pub(super) struct Guard<'a> {
    pub(super) what: &'a str,
    pub(super) why_not: &'a str,
}

#[derive(Serialize)]
pub(super) struct Fix<'a> {
    pub(super) safety: &'static str,
    pub(super) summary: &'a str,
    /// Whether the input was analysed again with the fix made, and this pair and everything else was held.
    pub(super) checked: bool,
    /// Why not.
    pub(super) why_unchecked: Option<&'a str>,
    /// Text edits come with `plimsoll fix`; the field is there so that readers need not change.
    pub(super) edits: [(); 0],
}
