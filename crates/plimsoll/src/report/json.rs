//! The JSON report: `plimsoll.check/v1`, which other programs read.
//!
//! The structs here are the wire format and nothing else speaks it; a change of meaning needs a new version.

mod wire;

use super::duration::spoken;
use super::{Report, Told};
use crate::policy::Allowance;
use plimsoll_model::{Bundle, End, Finding, Instant, Need, Object, Place, Tool};

/// The report as JSON text, ending in a line break.
pub(crate) fn write(report: &Report<'_>) -> Result<String, serde_json::Error> {
    let mut text = serde_json::to_string_pretty(&document(report))?;
    text.push('\n');
    Ok(text)
}

fn document<'a>(report: &Report<'a>) -> wire::Document<'a> {
    let Report { bundle, verdict, .. } = *report;
    wire::Document {
        schema: "plimsoll.check/v1",
        coverage: wire::Coverage {
            objects: bundle.coverage.objects,
            understood: verdict.understood,
            opaque: bundle.coverage.opaque,
            foreign: bundle.coverage.foreign,
            assumed: super::assumed(bundle).filter_map(assumed).collect(),
            problems: problems(bundle),
        },
        needs: verdict.needs.iter().map(need).collect(),
        findings: report.told().map(|told| finding(bundle, told)).collect(),
        allowed: report.allowed().map(|(finding, name, by)| allowed(bundle, finding, name, by)).collect(),
    }
}

fn assumed(object: &Object) -> Option<wire::Assumed> {
    let premise = object.premise.as_ref()?.says.clone();
    Some(wire::Assumed { object: object.id.to_string(), premise })
}

fn problems(bundle: &Bundle) -> Vec<wire::Problem<'_>> {
    let told = bundle.problems.iter().map(|problem| wire::Problem {
        file: bundle.files.path(problem.place),
        line: known(problem.place.line),
        column: known(problem.place.column),
        cause: &problem.cause,
    });
    told.collect()
}

fn allowed<'a>(
    bundle: &Bundle,
    finding: &'a Finding,
    fingerprint: &'a str,
    allowance: &'a Allowance,
) -> wire::Allowed<'a> {
    wire::Allowed {
        rule: finding.rule.0,
        fingerprint,
        message: &finding.message,
        reason: &allowance.reason,
        until: allowance.until.map(|day| day.to_string()),
        by: allowance.origin(&bundle.files),
    }
}

fn need(need: &Need) -> wire::Need {
    wire::Need {
        object: need.object.to_string(),
        milestone: need.milestone.word(),
        by: need.by.iter().map(ToString::to_string).collect(),
        elsewhere: need.elsewhere.iter().map(ToString::to_string).collect(),
    }
}

fn finding<'a>(bundle: &'a Bundle, told: Told<'a>) -> wire::Finding<'a> {
    let Told { finding, fingerprint, .. } = told;
    wire::Finding {
        rule: finding.rule.0,
        name: finding.name,
        class: finding.class.word(),
        consequence: finding.consequence.word(),
        confidence: finding.confidence.word(),
        tool: finding.tool.word(),
        operation: finding.operation.word(),
        root: format!("r{}", finding.root),
        fingerprint,
        message: &finding.message,
        premise: finding.premise.as_deref(),
        before: end(bundle, &finding.before),
        after: end(bundle, &finding.after),
        timeline: finding.timeline.0.iter().map(|instant| moment(finding.tool, instant)).collect(),
        heals: finding
            .heals
            .as_ref()
            .map(|healing| wire::Healing { by: &healing.by, within: spoken(healing.within) }),
        guard: finding.guard.as_ref().map(|guard| wire::Guard { what: &guard.what, why_not: &guard.why_not }),
        fixes: finding
            .fixes
            .iter()
            .map(|fix| wire::Fix {
                safety: fix.safety.word(),
                summary: &fix.summary,
                checked: fix.unchecked.is_none(),
                why_unchecked: fix.unchecked.as_deref(),
                edits: [],
            })
            .collect(),
    }
}

fn end<'a>(bundle: &'a Bundle, end: &'a End) -> wire::End<'a> {
    wire::End {
        object: end.object.to_string(),
        milestone: end.milestone.word(),
        carriers: &end.carriers,
        file: end.place.map(|place: Place| bundle.files.path(place)),
        line: end.place.and_then(|place| known(place.line)),
        column: end.place.and_then(|place| known(place.column)),
        value: end.place.and_then(|place| bundle.files.value_of(place)).map(|place| wire::Set {
            file: bundle.files.path(place),
            line: place.line,
            column: place.column,
        }),
    }
}

fn moment(tool: Tool, instant: &Instant) -> wire::Instant<'_> {
    wire::Instant {
        t: format!("T+{}", spoken(instant.time)),
        actor: match instant.actor {
            plimsoll_model::Actor::Tool => tool.word(),
            actor => actor.word(),
        },
        object: instant.object.as_ref().map(ToString::to_string),
        does: &instant.does,
        answer: instant.answer.as_deref(),
    }
}

/// Lines and columns count from 1; 0 stands for one that is not known.
fn known(number: u32) -> Option<u32> {
    (number > 0).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    fn written(is_pedantic: bool) -> String {
        sample::told(is_pedantic, |report| write(report).expect("the report is plain data"))
    }

    #[test]
    fn the_contract_is_kept() {
        insta::assert_snapshot!(written(false));
    }

    #[test]
    fn noise_is_listed_only_when_asked_for() {
        let count = |text: &str| text.matches("\"consequence\": \"noise\"").count();
        assert_eq!(count(&written(false)), 0);
        assert_eq!(count(&written(true)), 1);
    }
}
