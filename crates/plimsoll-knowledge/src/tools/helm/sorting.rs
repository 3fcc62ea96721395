//! The order of kinds in which Helm creates and deletes the objects of a release
//! (Helm v4.3.1 `pkg/release/v1/util/kind_sorter.go`, `InstallOrder`, `UninstallOrder`, `lessByKind`).

use super::settings::Version;
use plimsoll_model::{Object, Operation};
use plimsoll_schema::helm_rank;

/// Objects in the order in which Helm takes them, kind by kind. Objects of one kind keep the order of the templates.
pub(crate) fn by_kind(
    mut objects: Vec<&Object>,
    version: Version,
    operation: Operation,
) -> Vec<Vec<&Object>> {
    let key = |object: &&Object| {
        let kind = object.id.kind();
        // Deletion is the other way round, but for Services: they go right behind what sends them requests.
        let like = if kind == "Service" && operation == Operation::Uninstall { "IngressClass" } else { kind };
        let rank = match helm_rank(like, version == Version::Four) {
            Some(rank) if operation == Operation::Uninstall => usize::MAX - 1 - rank,
            Some(rank) => rank,
            None => usize::MAX,
        };
        // A known kind has a rank of its own; the others follow by name, whatever their group.
        (rank, kind.to_owned())
    };
    objects.sort_by_cached_key(key);
    let kinds = objects.chunk_by(|one, other| one.id.kind() == other.id.kind());
    kinds.map(<[&Object]>::to_vec).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    fn order(kinds: &[&str], version: Version, operation: Operation) -> String {
        let objects: Vec<Object> = kinds
            .iter()
            .map(|kind| {
                sample::object(
                    &serde_json::json!({"apiVersion": "v1", "kind": kind, "metadata": {"name": "a"}}),
                )
            })
            .collect();
        let sorted = by_kind(objects.iter().collect(), version, operation);
        let kinds: Vec<&str> = sorted.iter().filter_map(|kind| Some(kind.first()?.id.kind())).collect();
        kinds.join(" ")
    }

    #[test]
    fn helm_3_takes_webhook_configurations_for_kinds_it_does_not_know() {
        let kinds =
            ["ValidatingWebhookConfiguration", "ServiceMonitor", "Certificate", "Ingress", "Namespace"];
        assert_eq!(
            order(&kinds, Version::Three, Operation::Install),
            "Namespace Ingress Certificate ServiceMonitor ValidatingWebhookConfiguration"
        );
        assert_eq!(
            order(&kinds, Version::Four, Operation::Install),
            "Namespace Ingress ValidatingWebhookConfiguration Certificate ServiceMonitor"
        );
    }

    #[test]
    fn services_are_deleted_before_the_workloads_behind_them() {
        let kinds =
            ["Namespace", "Service", "Deployment", "IngressClass", "CronJob", "Ingress", "Certificate"];
        assert_eq!(
            order(&kinds, Version::Four, Operation::Uninstall),
            "Ingress IngressClass Service CronJob Deployment Namespace Certificate"
        );
    }
}
