//! Everything that is known of a bundle: how moments come about, what needs what, and what the tools promise.

use crate::left::Left;
use crate::rule::Found;
use crate::view::{Scene, View};
use crate::{at_once, kinds, references, rules, tools};
use plimsoll_model::{Bundle, Cause, Deadline, Guarantee, Requirement, Window};
use rayon::prelude::*;

/// Everything that is known of a bundle, in the words of the reasoning.
#[derive(Debug, Default)]
pub struct Known {
    /// How each moment comes about.
    pub causes: Vec<Cause>,
    /// What must come before what.
    pub requirements: Vec<Requirement>,
    /// When a moment must not happen.
    pub windows: Vec<Window>,
    /// What the tools promise.
    pub guarantees: Vec<Guarantee>,
    /// How long the tools wait.
    pub deadlines: Vec<Deadline>,
    /// What the deployment before has left, where that is known.
    pub left: Option<Left>,
}

/// Everything that kinds, rules and tools say of a bundle.
#[must_use]
pub fn know(bundle: &Bundle, scene: Scene) -> Known {
    let view = View::new(bundle, scene);
    let mut found = Found::default();
    kinds::live(&view, &mut found);
    found.join(ask_all(&view, &found));
    rules::hook_deleted_before_its_reader::find(&view, &mut found);
    rules::object_deleted_before_its_reader::find(&view, &mut found);
    rules::object_dropped_while_needed::find(&view, &mut found);
    at_once::settle(&mut found);
    let left = Left::of(&view);
    if let Some(left) = &left {
        left.meet(&view, &mut found);
    }
    let Found { causes, requirements, windows, .. } = found;
    let mut known = Known { causes, requirements, windows, left, ..Known::default() };
    tools::steps::promise(&view, &mut known);
    known
}

/// Asks the reference table and every rule, side by side; the answers come in the order of the list.
fn ask_all(view: &View<'_>, lives: &Found) -> Vec<Found> {
    let mut finds: Vec<fn(&View<'_>, &mut Found)> = vec![references::find];
    finds.extend(rules::RULES.iter().map(|rule| rule.find));
    let ask = |find: &fn(&View<'_>, &mut Found)| {
        let mut apart = lives.apart();
        find(view, &mut apart);
        apart
    };
    finds.par_iter().map(ask).collect()
}
