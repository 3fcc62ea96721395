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

/// Asks the kinds, the reference table and every rule, one after the other, and tells after each how much it said: for
/// those who measure what each of them takes.
pub fn ask_apart(bundle: &Bundle, scene: Scene, mut told: impl FnMut(&'static str, usize)) {
    let view = View::new(bundle, scene);
    let mut lives = Found::default();
    kinds::live(&view, &mut lives);
    told("lives", lives.requirements.len());
    let rules = rules::RULES.iter().map(|rule| (rule.code.0, rule.find));
    for (name, find) in std::iter::once(("references", references::find as Find)).chain(rules) {
        let mut apart = lives.apart();
        find(&view, &mut apart);
        told(name, apart.requirements.len() + apart.windows.len());
    }
}

type Find = fn(&View<'_>, &mut Found);

/// Asks the reference table and every rule, side by side; the answers come in the order of the list.
fn ask_all(view: &View<'_>, lives: &Found) -> Vec<Found> {
    let mut finds: Vec<Find> = vec![references::find];
    finds.extend(rules::RULES.iter().map(|rule| rule.find));
    let ask = |find: &Find| {
        let mut apart = lives.apart();
        find(view, &mut apart);
        apart
    };
    finds.par_iter().map(ask).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use plimsoll_model::Operation;

    #[test]
    fn everybody_is_asked_apart() {
        let mut asked = Vec::new();
        let scene = Scene { kube_version: plimsoll_schema::newest(), operation: Operation::Install };
        ask_apart(&Bundle::default(), scene, |name, said| asked.push((name, said)));
        let names = ["lives", "references"].into_iter().chain(rules::RULES.iter().map(|rule| rule.code.0));
        assert_eq!(asked, names.map(|name| (name, 0)).collect::<Vec<_>>());
    }
}
