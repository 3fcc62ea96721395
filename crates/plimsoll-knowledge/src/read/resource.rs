//! The resource name of a kind, and the name of the CRD that would define it.

use crate::view::View;
use plimsoll_model::ObjectId;

/// The lower-case plural of a kind: by the input's own CRD, by what is known, or as code generators make it.
pub(crate) fn of(view: &View<'_>, group: &str, kind: &str) -> String {
    let own = view.crd(group, kind).and_then(|crd| crd.text_at(&["spec", "names", "plural"]));
    match own.or_else(|| plimsoll_schema::resource(group, kind)) {
        Some(known) => known.to_owned(),
        None => plural(kind),
    }
}

/// The CRD of a kind, in the input or not.
pub(crate) fn crd(view: &View<'_>, group: &str, kind: &str) -> ObjectId {
    if let Some(crd) = view.crd(group, kind) {
        return crd.id.clone();
    }
    if let Some(made) = view.made_crd(group, kind) {
        return made;
    }
    let name = format!("{}.{group}", of(view, group, kind));
    ObjectId::new("apiextensions.k8s.io", "CustomResourceDefinition", None, &name)
}

/// The plural that the generator of definitions makes of a kind: controller-gen asks gobuffalo/flect, v1.0.3
/// `plural_rules.go`.
fn plural(kind: &str) -> String {
    let singular = kind.to_ascii_lowercase();
    let ends_in = |endings: &[&str]| endings.iter().any(|ending| singular.ends_with(ending));
    if ends_in(&["s", "x", "ch", "sh"]) {
        format!("{singular}es")
    } else if singular.ends_with('y') && !ends_in(&["ay", "ey", "oy", "uy"]) {
        format!("{}ies", singular.trim_end_matches('y'))
    } else {
        format!("{singular}s")
    }
}

#[cfg(test)]
mod tests {
    use super::plural;

    #[test]
    fn plurals_are_those_of_generated_definitions() {
        let check = |kind, expect| assert_eq!(plural(kind), expect);
        check("Policy", "policies");
        check("Gateway", "gateways");
        check("Mailbox", "mailboxes");
        check("Prometheus", "prometheuses");
        check("Match", "matches");
        check("Kafka", "kafkas");
    }
}
