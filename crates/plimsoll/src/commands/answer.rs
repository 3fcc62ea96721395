//! What is found in one state of the files.

use crate::analysis::{self, Settings, Verdict};
use crate::cli::{InputArguments, WorldArguments};
use crate::failure::Failure;
use crate::input::{self, Around};
use plimsoll_model::Bundle;
use plimsoll_sources::Host;

/// Reads everything that a question is about.
pub(super) fn read(
    arguments: &InputArguments,
    world: &WorldArguments,
    host: &dyn Host,
) -> Result<Bundle, Failure> {
    // What is known is read while the input is.
    rayon::spawn(plimsoll_knowledge::prepare);
    let charts = world.charts();
    let unheard = input::unheard_of(&charts);
    let around = Around {
        charts,
        from: world.from.clone(),
        from_values: world.from_values.clone(),
        is_closed: world.closed,
    };
    let mut bundle = input::read(arguments, around, host)?;
    bundle.problems.extend(unheard);
    if world.closed {
        bundle.outside.retain(|outside| outside.is_said || outside.installer.is_some());
    }
    Ok(bundle)
}

/// Finds everything there is to find.
pub(super) fn find(bundle: &mut Bundle, settings: &Settings) -> Result<Verdict, Failure> {
    let verdict = analysis::analyse(bundle, settings).map_err(|flaw| Failure::flaw(&flaw))?;
    let idle = verdict.idle_assumptions.iter();
    let remarks = idle.map(|pattern| format!("--assume {pattern} speaks of nothing that is here or needed"));
    bundle.problems.extend(remarks.map(input::remark));
    Ok(verdict)
}
