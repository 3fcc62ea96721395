//! PLM-R037: a container may start before the Service whose variables it uses.
//!
//! The kubelet sets `NAME_SERVICE_HOST` and the like from the Services it knows when a container starts:
//! kubernetes v1.36.4 `pkg/kubelet/kubelet_pods.go` `getServiceEnvVarMap`, `pkg/kubelet/envvars/envvars.go`.
//! Seen on a real kubelet: `$(DB_SERVICE_HOST)` stays as literal text.

use crate::read::pods::Pods;
use crate::rule::{Found, Rule};
use crate::view::View;
use plimsoll_model::Milestone::Stored;
use plimsoll_model::{Actor, Class, Code, Node, Object, Reading};

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R037"),
    name: "pod-before-service-variables",
    class: Class::ReferenceMissing,
    page: include_str!("pod_before_service_variables.md"),
    find,
};

fn find(view: &View<'_>, found: &mut Found) {
    for pods in view
        .pods()
        .iter()
        .filter(|pods| pods.run && pods.spec.bool_at(&["enableServiceLinks"]) != Some(false))
    {
        for container in pods.all_containers() {
            for node in
                texts(container).filter(|node| node.text().is_some_and(|text| text.contains("_SERVICE_")))
            {
                let here = view.of_kind_in(pods.namespace(), "", "Service");
                let with_address = here.into_iter().filter(|service| has_address(service));
                with_address.for_each(|service| look(pods, container, node, service, found));
            }
        }
    }
}

/// Services without a cluster address have no variables.
fn has_address(service: &Object) -> bool {
    service.text_at(&["spec", "clusterIP"]) != Some("None")
        && service.text_at(&["spec", "type"]) != Some("ExternalName")
}

/// Where a container can use a variable: values of its own variables, command and arguments.
fn texts(container: &Node) -> impl Iterator<Item = &Node> {
    let values = container.list_at(&["env"]).iter().filter_map(|variable| variable.get("value"));
    values.chain(container.list_at(&["command"])).chain(container.list_at(&["args"]))
}

fn look(pods: &Pods<'_>, container: &Node, node: &Node, service: &Object, found: &mut Found) {
    let prefix = service.id.name().to_ascii_uppercase().replace('-', "_");
    let uses = |variable: &str| node.text().is_some_and(|text| uses(text, variable));
    let names = [format!("{prefix}_SERVICE_HOST"), format!("{prefix}_SERVICE_PORT")];
    let Some(variable) = names.into_iter().find(|variable| uses(variable)) else { return };
    let own = container.list_at(&["env"]).iter().filter_map(|variable| variable.text_at(&["name"]));
    if own.into_iter().any(|name| name == variable) {
        return;
    }
    RULE.requires(service.id.at(Stored), pods.start())
        .read(Reading::OnceSilently)
        .at(node.place)
        .says(format!("{} uses variable {variable} of {}", pods.owner.id, service.id))
        .answered(Actor::Kubelet, format!("starts a container without variable {variable}"), "")
        .push(found);
}

/// `$(NAME)`, `${NAME}` or `$NAME`; not `$$(NAME)`, which stays as it is, nor `${NAME:-other}`, which has a way out.
fn uses(text: &str, variable: &str) -> bool {
    text.match_indices(variable).any(|(at, _)| {
        let before = text.get(..at).unwrap_or_default();
        let after = text.get(at + variable.len()..).unwrap_or_default();
        let is_asked = before.ends_with('$') || before.ends_with("${") || before.ends_with("$(");
        let is_plain = before.ends_with("$$(") || after.starts_with(":-");
        is_asked && !is_plain && !after.starts_with(|next: char| next.is_ascii_alphanumeric() || next == '_')
    })
}

#[cfg(test)]
mod tests {
    use super::uses;

    #[test]
    fn a_variable_is_used_where_something_puts_its_value_in() {
        let used = ["$(DB_SERVICE_HOST)", "http://${DB_SERVICE_HOST}:80", "nc $DB_SERVICE_HOST 80"];
        assert!(used.iter().all(|text| uses(text, "DB_SERVICE_HOST")));
        let other = [
            "DB_SERVICE_HOST",
            "$$(DB_SERVICE_HOST)",
            "${DB_SERVICE_HOST:-db}",
            "$MYDB_SERVICE_HOST",
            "$DB_SERVICE_HOSTS",
        ];
        assert!(other.iter().all(|text| !uses(text, "DB_SERVICE_HOST")));
    }
}
