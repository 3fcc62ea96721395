//! Which requests a webhook or an admission policy is asked about.
//!
//! apiserver v0.36.4 `pkg/admission/plugin/webhook/predicates/{rules,namespace,object}`,
//! `pkg/admission/plugin/policy/matching/matching.go`; every line of the table in the test was seen on a real server.

use super::{crd, marks, selector};
use crate::view::View;
use plimsoll_model::{Confidence, Node, ObjectId, StepIndex};
use plimsoll_schema::Served;

/// The label that every namespace gets by itself.
pub(crate) const NAME_LABEL: &str = "kubernetes.io/metadata.name";

/// A write as admission sees it.
#[derive(Debug, Clone)]
pub(crate) struct Request<'a> {
    pub(crate) id: ObjectId,
    pub(crate) version: &'a str,
    pub(crate) resource: String,
    pub(crate) labels: Option<&'a Node>,
    pub(crate) operation: &'static str,
    /// The step in which it is written; what commands have written on its namespace before counts.
    pub(crate) at: StepIndex,
}

/// The rules and selectors of a webhook, of a policy's `matchConstraints` or of a binding's `matchResources`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Criteria<'a> {
    pub(crate) node: Option<&'a Node>,
    /// The field that holds the rules; a webhook without rules sees nothing, a binding without them everything.
    pub(crate) rules: &'static str,
    /// Conditions in CEL, which are not evaluated.
    pub(crate) conditions: &'a [Node],
}

impl Criteria<'_> {
    /// How sure it is that the request is seen; `None` if it is not.
    pub(crate) fn see(&self, view: &View<'_>, request: &Request<'_>) -> Option<Confidence> {
        if is_exempt(&request.id) {
            return None;
        }
        let matched = |field: &str| {
            let rules = self.node.map_or(&[][..], |node| node.list_at(&[field]));
            rules.iter().any(|rule| self.rule_matches(view, rule, request))
        };
        if !(self.takes_all() || matched(self.rules)) || matched("excludeResourceRules") {
            return None;
        }
        let labels = |key: &str| request.labels?.text_at(&[key]).map(str::to_owned);
        if !selector::selects(self.field("objectSelector"), labels) {
            return None;
        }
        let sure = in_namespace(view, self.field("namespaceSelector"), request)?;
        Some(if self.conditions.is_empty() { sure } else { Confidence::Heuristic })
    }

    /// Whether any rule is about a group; a quick look before the full one.
    pub(crate) fn may_see(&self, group: &str) -> bool {
        let groups = self.rules().iter().flat_map(|rule| rule.list_at(&["apiGroups"])).filter_map(Node::text);
        self.takes_all() || groups.into_iter().any(|one| one == "*" || one == group)
    }

    /// Whether a rule names the group itself and not only a wildcard.
    pub(crate) fn names_group(&self, group: &str) -> bool {
        let mut groups = self.rules().iter().flat_map(|rule| rule.list_at(&["apiGroups"]));
        groups.any(|named| named.text() == Some(group))
    }

    /// Whether a rule names the resource itself and not only a wildcard.
    pub(crate) fn names(&self, resource: &str) -> bool {
        let resources =
            self.rules().iter().flat_map(|rule| rule.list_at(&["resources"])).filter_map(Node::text);
        resources.into_iter().any(|named| named.split('/').next() == Some(resource))
    }

    /// Whether it selects namespaces by a label.
    pub(crate) fn names_label(&self, key: &str) -> bool {
        self.field("namespaceSelector").is_some_and(|selector| {
            let equal = selector.get("matchLabels").is_some_and(|labels| labels.get(key).is_some());
            equal
                || selector
                    .list_at(&["matchExpressions"])
                    .iter()
                    .any(|one| one.text_at(&["key"]) == Some(key))
        })
    }

    /// Whether a selector asks for a label, so that what it picks has asked to be seen.
    pub(crate) fn opts_in(&self) -> bool {
        ["objectSelector", "namespaceSelector"].into_iter().filter_map(|key| self.field(key)).any(
            |selector| {
                let mut expressions = selector.list_at(&["matchExpressions"]).iter();
                selector.get("matchLabels").is_some_and(|labels| !labels.entries().is_empty())
                    || expressions.any(|one| matches!(one.text_at(&["operator"]), Some("In" | "Exists")))
            },
        )
    }

    fn field(&self, key: &str) -> Option<&Node> {
        self.node.and_then(|node| node.get(key))
    }

    fn rules(&self) -> &[Node] {
        self.node.map_or(&[], |node| node.list_at(&[self.rules]))
    }

    /// A policy or binding without rules takes everything.
    fn takes_all(&self) -> bool {
        self.rules == "resourceRules" && self.rules().is_empty()
    }

    fn rule_matches(&self, view: &View<'_>, rule: &Node, request: &Request<'_>) -> bool {
        let lists = |field: &str, wanted: &str| {
            let mut items = rule.list_at(&[field]).iter().filter_map(Node::text);
            items.any(|item| item == "*" || item == wanted)
        };
        let names = rule.list_at(&["resourceNames"]);
        in_scope(rule, &request.id)
            && lists("operations", request.operation)
            && lists("apiGroups", request.id.group())
            && (lists("apiVersions", request.version) || self.sees_equivalent(view, rule, &request.id))
            && rule
                .list_at(&["resources"])
                .iter()
                .filter_map(Node::text)
                .any(|named| is_main(named, &request.resource))
            && (names.is_empty() || names.iter().any(|name| name.text() == Some(request.id.name())))
    }

    /// With `matchPolicy: Equivalent`, the default, a rule for another served version of the kind matches too.
    fn sees_equivalent(&self, view: &View<'_>, rule: &Node, id: &ObjectId) -> bool {
        if self.field("matchPolicy").and_then(Node::text) == Some("Exact") {
            return false;
        }
        let mut versions = rule.list_at(&["apiVersions"]).iter().filter_map(Node::text);
        versions.any(|version| {
            if let Some(own) = view.crd(id.group(), id.kind()) {
                return crd::serves(own, version);
            }
            let served = plimsoll_schema::served(view.scene.kube_version, id.group(), version, id.kind());
            matches!(served, Served::Yes | Served::UnknownKind)
        })
    }
}

/// Webhook configurations and admission policies are never shown to either.
fn is_exempt(id: &ObjectId) -> bool {
    id.group() == "admissionregistration.k8s.io"
        && ["WebhookConfiguration", "AdmissionPolicy", "AdmissionPolicyBinding"]
            .iter()
            .any(|end| id.kind().ends_with(end))
}

fn in_scope(rule: &Node, id: &ObjectId) -> bool {
    match rule.text_at(&["scope"]) {
        Some("Cluster") => id.namespace().is_none(),
        Some("Namespaced") => id.namespace().is_some(),
        _ => true,
    }
}

/// Whether a rule's resource is the object itself and not only a subresource. `pods/*` includes `pods`.
fn is_main(named: &str, resource: &str) -> bool {
    let (name, subresource) = named.split_once('/').unwrap_or((named, ""));
    (name == "*" || name == resource) && matches!(subresource, "" | "*")
}

/// Labels of a namespace outside the input are not known, but for the automatic one: what asks for another is taken
/// as not matching, so that nothing is said where a label opts in; where one only opts out, the match is assumed.
fn in_namespace(view: &View<'_>, selector: Option<&Node>, request: &Request<'_>) -> Option<Confidence> {
    let is_namespace = request.id.is("", "Namespace");
    let name = if is_namespace { Some(request.id.name()) } else { request.id.namespace() };
    let Some(name) = name else { return Some(Confidence::Proved) };
    let own = ObjectId::new("", "Namespace", None, name);
    let is_known = is_namespace || view.delivers(&own) || name == "default" || only_asks_name(selector);
    let label = |key: &str| match key {
        NAME_LABEL => Some(name.to_owned()),
        _ => marks::value(view, (&own, view.object(&own)), ("labels", key), request.at).map(str::to_owned),
    };
    let is_sure = is_known && (only_asks_name(selector) || !marks::are_open(view, &own));
    let sure = if is_sure { Confidence::Proved } else { Confidence::Assumed };
    selector::selects(selector, label).then_some(sure)
}

fn only_asks_name(selector: Option<&Node>) -> bool {
    let Some(selector) = selector else { return true };
    let equal = selector.get("matchLabels").map_or(&[][..], Node::entries);
    let expressions = selector.list_at(&["matchExpressions"]);
    equal.iter().all(|(key, _)| &*key.text == NAME_LABEL)
        && expressions.iter().all(|expression| expression.text_at(&["key"]) == Some(NAME_LABEL))
}

#[cfg(test)]
mod tests;
