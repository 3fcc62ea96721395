//! PLM-R032: the controller that must release a finalizer may be deleted before the object that carries it is gone.

use crate::read::permission;
use crate::read::pods::Pods;
use crate::rule::{Found, Rule};
use crate::view::View;
use plimsoll_model::Milestone::Gone;
use plimsoll_model::{Actor, Class, Code, Node, Object, ObjectId, Reading};

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R032"),
    name: "controller-deleted-before-finalizers",
    class: Class::OrphanedFinalizer,
    page: include_str!("controller_deleted_before_finalizers.md"),
    find,
};

fn find(view: &View<'_>, found: &mut Found) {
    let removed = view.removed();
    for object in removed.iter().filter_map(|id| view.object(id)) {
        let Some(finalizer) = own_finalizer(object) else { continue };
        for pods in view.pods().iter().filter(|pods| permission::may_change(view, pods, &object.id)) {
            for gone in [pods.owner.id.clone(), pods.home()] {
                if removed.contains(&&gone) {
                    state(object, finalizer, (&gone, pods), found);
                }
            }
        }
    }
}

/// A finalizer that belongs to the API of the object itself, so that the API's own controller releases it.
fn own_finalizer(object: &Object) -> Option<&Node> {
    let group = object.id.group();
    let finalizers = object.root.list_at(&["metadata", "finalizers"]).iter();
    let is_own = |one: &&Node| {
        let domain = one.text().and_then(|text| text.split_once('/')).map_or("", |(domain, _)| domain);
        !group.is_empty()
            && (domain == group || domain.strip_suffix(group).is_some_and(|rest| rest.ends_with('.')))
    };
    finalizers.into_iter().find(is_own)
}

fn state(object: &Object, finalizer: &Node, (gone, pods): (&ObjectId, &Pods<'_>), found: &mut Found) {
    let name = finalizer.text().unwrap_or_default();
    RULE.requires(object.id.at(Gone), gone.at(Gone))
        .read(Reading::OnceForGood)
        .at(finalizer.place)
        .says(format!(
            "{} carries {name}, which {} releases, and {gone} is deleted",
            object.id, pods.owner.id
        ))
        .answered(Actor::ApiServer, format!("keeps {} until {name} is released", object.id), "")
        .push(found);
}
