//! PLM-R062: a field is declared otherwise than before, and the API server refuses to change it.
//!
//! Each refusal seen with Helm v3.22.0, v4.3.1 and kubectl v1.36.4 on a real server v1.36.4.

use crate::read::answer;
use crate::read::immutable::{self, Fixed};
use crate::rule::{Found, Rule};
use crate::tools::helm;
use crate::view::{Delivered, View};
use plimsoll_model::Milestone::{Gone, Stored};
use plimsoll_model::{Actor, Class, Clause, Code, Delivery, Moment, Object, ObjectId, Reading, Tool};
use rustc_hash::FxHashMap;

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R062"),
    name: "immutable-field-changed",
    class: Class::ImmutableChange,
    page: include_str!("immutable_field_changed.md"),
    find,
};

fn find(view: &View<'_>, found: &mut Found) {
    let Some(before) = view.bundle.before.as_deref().filter(|_| view.scene.operation.is_change()) else {
        return;
    };
    let old: FxHashMap<&ObjectId, &Object> = before.deliveries().map(|(_, one)| (&one.id, one)).collect();
    for delivered in view.deliveries().iter().filter(|delivered| is_changed_in_place(view, **delivered)) {
        let Some(old) = old.get(&delivered.object.id) else { continue };
        for fixed in immutable::changes(old, delivered.object) {
            state(view, *delivered, &fixed, found);
        }
    }
}

/// Whether the object is sent over the one that is there. Hooks are deleted before, and so is what is replaced by force.
fn is_changed_in_place(view: &View<'_>, delivered: Delivered<'_>) -> bool {
    let is_forced = |delivery: &Delivery| delivery.flags.iter().any(|flag| flag.starts_with("--force"));
    match view.delivery(delivered.step) {
        Some(delivery) if delivery.tool == Tool::Helm => helm::is_main(delivered.object),
        Some(delivery) => delivery.verb != "create" && !is_forced(delivery),
        None => false,
    }
}

fn state(view: &View<'_>, delivered: Delivered<'_>, fixed: &Fixed, found: &mut Found) {
    let id = &delivered.object.id;
    RULE.requires(Clause(Vec::new()), Moment::request(delivered.step, id, Stored))
        .told(id.at(Gone))
        .read(Reading::OnceForGood)
        .at(fixed.place)
        .says(format!("{id} has another {} than before, which cannot be changed", fixed.field))
        .answered(
            Actor::ApiServer,
            format!("refuses to change {}", fixed.field),
            answer::invalid(view, delivered, &fixed.answer),
        )
        .mended(format!(
            "leave {} as it is, give the object another name, or delete {id} before: what it holds is lost for that time",
            fixed.field
        ))
        .push(found);
}
