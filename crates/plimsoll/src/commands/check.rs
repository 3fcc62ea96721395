//! `plimsoll check`: can this deployment fail, the way it is deployed?

mod arguments;
mod known;
mod settle;

pub(crate) use arguments::CheckArguments;

use super::answer;
use crate::analysis::{self, Settings, WhyNot};
use crate::exit_code;
use crate::failure::Failure;
use crate::output;
use crate::policy::Policy;
use crate::report::format::Format;
use crate::report::{Report, why_not};
use arguments::{Destination, Shown};
use plimsoll_model::Bundle;
use plimsoll_sources::Disk;
use std::process::ExitCode;

/// Reads, analyses, reports.
pub(crate) fn check(mut arguments: CheckArguments) -> Result<ExitCode, Failure> {
    let config = arguments.settle()?;
    let arguments = &arguments;
    let printed = arguments.output.iter().filter(|destination| destination.file.is_none());
    if printed.count() > 1 {
        let failure = Failure::usage("two reports cannot share the standard output");
        return Err(failure.hint("give one of them a file: -o json=report.json"));
    }
    let settings = arguments.world.settings(&arguments.input);
    let baseline = known::baseline(arguments)?;
    let mut bundle = answer::read(&arguments.input, &arguments.world, &Disk)?;
    if let Some([first, then]) = arguments.why_not.as_deref() {
        return answer_why_not(&bundle, &settings, [first, then]);
    }
    let verdict = answer::find(&mut bundle, &settings)?;
    let earlier = known::earlier(arguments, (&config, &settings), &mut bundle)?;
    let mut policy = Policy { baseline, earlier, ..arguments.policy(&config, &bundle) };
    let judgement = policy.judge(&bundle, &verdict.findings);
    let mut judgement = known::ratchet(arguments, &mut policy, (&bundle, &verdict.findings), judgement)?;
    bundle.problems.append(&mut judgement.problems);
    let shows_rendered = arguments.show == Some(Shown::Rendered);
    let report = Report { bundle: &bundle, verdict: &verdict, judgement: &judgement, shows_rendered };
    for destination in &arguments.output {
        deliver(&report, destination)?;
    }
    let is_read_by_program = !arguments.output.iter().any(|destination| destination.format == Format::Text);
    if is_read_by_program && report.is_incomplete() {
        output::complain(if report.is_empty() {
            "plimsoll: nothing to judge: no Kubernetes object was read"
        } else {
            "plimsoll: not everything could be read; see coverage.problems in the report"
        });
    }
    let code = exit_code::decide(judgement.fails(), report.is_incomplete() && !arguments.allow_incomplete);
    // The process ends here: giving back a large bundle node by node would only take time.
    std::mem::forget((bundle, verdict));
    Ok(code)
}

fn deliver(report: &Report<'_>, destination: &Destination) -> Result<(), Failure> {
    let written = destination.format.write(report, output::width());
    let text = written.map_err(|error| Failure::output("cannot write the report", &error))?;
    match &destination.file {
        Some(path) => output::save(path, &text),
        None => output::print(&text),
    }
}

fn answer_why_not(bundle: &Bundle, settings: &Settings, pair: [&String; 2]) -> Result<ExitCode, Failure> {
    let [first, then] = pair.map(String::as_str);
    let answer = analysis::why_not(bundle, settings, first, then).map_err(|flaw| Failure::flaw(&flaw))?;
    output::print(&why_not::write(&answer, &bundle.files, [first, then], output::width()))?;
    let number = match answer {
        WhyNot::Held(_) => exit_code::CLEAN,
        WhyNot::Open(_) => exit_code::FOUND,
        WhyNot::NotNeeded | WhyNot::Unknown(_) => exit_code::NO_ANSWER,
    };
    Ok(ExitCode::from(number))
}
