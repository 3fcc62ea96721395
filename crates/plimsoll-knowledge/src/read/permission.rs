//! Who may do what: bindings, the roles they name, and the accounts they name.

use crate::read::pods::Pods;
use crate::view::View;
use plimsoll_model::{Node, Object, ObjectId};
use rustc_hash::FxHashMap;

const GROUP: &str = "rbac.authorization.k8s.io";

/// Every RoleBinding and ClusterRoleBinding of the input.
pub(crate) fn bindings<'a>(view: &View<'a>) -> Vec<&'a Object> {
    let mut bindings = view.of_kind(GROUP, "RoleBinding");
    bindings.extend(view.of_kind(GROUP, "ClusterRoleBinding"));
    bindings
}

/// The Role or ClusterRole that a binding grants.
pub(crate) fn role(binding: &Object) -> Option<ObjectId> {
    let reference = binding.root.get("roleRef")?;
    let (kind, name) = (reference.text_at(&["kind"])?, reference.text_at(&["name"])?);
    let namespace = if kind == "Role" { binding.id.namespace() } else { None };
    Some(ObjectId::new(GROUP, kind, namespace, name))
}

/// The bindings of the input by the accounts they name.
pub(crate) fn by_account<'a>(view: &View<'a>) -> FxHashMap<ObjectId, Vec<&'a Object>> {
    let mut named: FxHashMap<ObjectId, Vec<&Object>> = FxHashMap::default();
    for binding in bindings(view) {
        for subject in binding.root.list_at(&["subjects"]) {
            let namespace = subject.text_at(&["namespace"]).or(binding.id.namespace());
            if let (Some("ServiceAccount"), Some(name)) =
                (subject.text_at(&["kind"]), subject.text_at(&["name"]))
            {
                named.entry(ObjectId::new("", "ServiceAccount", namespace, name)).or_default().push(binding);
            }
        }
    }
    named
}

/// Whether a binding names an account.
fn names(binding: &Object, account: &ObjectId) -> bool {
    binding.root.list_at(&["subjects"]).iter().any(|subject| {
        let namespace = subject.text_at(&["namespace"]).or(binding.id.namespace());
        subject.text_at(&["kind"]) == Some("ServiceAccount")
            && subject.text_at(&["name"]) == Some(account.name())
            && namespace == account.namespace()
    })
}

/// The account whose token the pods carry, if they name one and mount its token.
pub(crate) fn account(view: &View<'_>, pods: &Pods<'_>) -> Option<ObjectId> {
    let name =
        pods.spec.text_at(&["serviceAccountName"]).or_else(|| pods.spec.text_at(&["serviceAccount"]))?;
    let account = pods.neighbour("ServiceAccount", name);
    let of_pod = pods.spec.bool_at(&["automountServiceAccountToken"]);
    let of_account = || view.object(&account)?.root.bool_at(&["automountServiceAccountToken"]);
    of_pod.or_else(of_account).unwrap_or(true).then_some(account)
}

/// Whether the input lets pods change objects of a kind, as the controller of that kind must.
pub(crate) fn may_change(view: &View<'_>, pods: &Pods<'_>, object: &ObjectId) -> bool {
    let Some(account) = account(view, pods) else { return false };
    let granted = bindings(view).into_iter().filter(|binding| names(binding, &account));
    let roles = granted.filter_map(|binding| view.object(&role(binding)?));
    roles.flat_map(|role| role.root.list_at(&["rules"])).any(|rule| {
        let lists = |field: &str, is: &dyn Fn(&str) -> bool| {
            rule.list_at(&[field]).iter().filter_map(Node::text).any(is)
        };
        lists("apiGroups", &|group| group == object.group())
            && lists("verbs", &|verb| matches!(verb, "update" | "patch" | "*"))
    })
}

/// The answer to the first thing that a role would permit, before it does. Seen on a real server v1.36.4.
pub(crate) fn refusal(view: &View<'_>, binding: &Object, account: &ObjectId) -> Option<String> {
    let rule = view.object(&role(binding)?)?.root.list_at(&["rules"]).first()?;
    let first = |field: &str| rule.list_at(&[field]).first().and_then(Node::text).filter(|text| *text != "*");
    let (group, resource, verb) = (first("apiGroups")?, first("resources")?, first("verbs")?);
    let full = if group.is_empty() { resource.to_owned() } else { format!("{resource}.{group}") };
    let scope = match binding.id.namespace() {
        Some(namespace) => format!("in the namespace \"{namespace}\""),
        None => "at the cluster scope".to_owned(),
    };
    let user = format!("system:serviceaccount:{}:{}", account.namespace()?, account.name());
    let named =
        if matches!(verb, "list" | "watch" | "create" | "deletecollection") { "" } else { " \"{…}\"" };
    Some(format!(
        "{full}{named} is forbidden: User \"{user}\" cannot {verb} resource \"{resource}\" in API group \"{group}\" {scope}"
    ))
}
