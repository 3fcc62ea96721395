//! `plimsoll explain KIND/NAME PATH…`: what does this object need, what protects it, and what does it hold up?

use super::ExplainArguments;
use crate::analysis;
use crate::commands::answer;
use crate::failure::Failure;
use crate::object_pattern::ObjectPattern;
use crate::report::text::visible;
use crate::report::{explained, problem};
use crate::{exit_code, output};
use plimsoll_model::Bundle;
use plimsoll_sources::Disk;
use std::process::ExitCode;

/// So many objects are explained at once; who asks for more wants a report.
const MOST_OBJECTS: usize = 10;

/// Explains the objects that go by a name.
pub(super) fn explain(mut arguments: ExplainArguments, asked: &str) -> Result<ExitCode, Failure> {
    let pattern: ObjectPattern = asked.parse().map_err(|cause: String| Failure::usage(cause))?;
    let config = arguments.input.settle()?;
    arguments.world.settle(&config, &mut arguments.input)?;
    let settings = arguments.world.settings(&arguments.input);
    let bundle = answer::read(&arguments.input, &arguments.world, &Disk)?;
    let mut all = analysis::explain(&bundle, &settings, &pattern).map_err(|flaw| Failure::flaw(&flaw))?;
    let is_incomplete = complain(&bundle);
    if all.is_empty() {
        return Err(Failure::usage(format!("nothing in the input is called {pattern}"))
            .hint("`plimsoll render` lists what was read"));
    }
    let left = all.len().saturating_sub(MOST_OBJECTS);
    all.truncate(MOST_OBJECTS);
    output::print(&explained::write(&all, &bundle.files, output::width()))?;
    if left > 0 {
        output::complain(&format!("note: {left} more are called {pattern}; name one of them"));
    }
    Ok(exit_code::decide(false, is_incomplete))
}

/// Says what could not be read, and whether that may make the answer wrong.
fn complain(bundle: &Bundle) -> bool {
    for problem in bundle.problems.iter().filter(|problem| problem.is_fatal) {
        output::complain(&format!("error: {}", visible(&problem::sentence(&bundle.files, problem))));
    }
    bundle.problems.iter().any(|problem| problem.is_fatal)
}
