//! Each line of the table was tried on a real server v1.36.4: a webhook at an address where nobody listens, one object,
//! and whether the API server called it.

use super::*;
use crate::view::Scene;
use plimsoll_model::{Bundle, FileIndex, Key, Operation, Place, Value};

const ALL: &str = "{apiGroups=['*'],apiVersions=['*'],operations=['*'],resources=['*']}";

#[test]
fn webhooks_see_what_the_api_server_shows_them() {
    let core = |resources: &str, rest: &str| {
        format!(
            "rules=[{{apiGroups=[''],apiVersions=['v1'],operations=['CREATE'],resources=['{resources}']{rest}}}]"
        )
    };
    let all = |rest: &str| format!("rules=[{ALL}],{rest}");
    let autoscaler = |version: &str, rest: &str| {
        format!(
            "rules=[{{apiGroups=['autoscaling'],apiVersions=['{version}'],operations=['CREATE'],resources=['horizontalpodautoscalers']}}]{rest}"
        )
    };
    let name = "key='kubernetes.io/metadata.name'";
    let expression = |text: &str| format!("namespaceSelector={{matchExpressions=[{{{name},{text}}}]}}");
    let table = [
        (core("configmaps", ""), config_map(), true),
        (core("configmaps/*", ""), config_map(), true),
        (core("*/status", ""), config_map(), false),
        (core("configmaps", "").replace("CREATE", "UPDATE"), config_map(), false),
        (all("x=1"), config_map(), true),
        (all("x=1").replace("['*']}", "['*/*']}"), config_map(), true),
        (core("*", ",scope='Cluster'"), config_map(), false),
        (core("*", ",scope='Cluster'"), namespace(), true),
        (core("*", ",scope='Namespaced'"), namespace(), false),
        (all(&expression("operator='In',values=['default']")), config_map(), true),
        (all(&expression("operator='NotIn',values=['default']")), config_map(), false),
        (all("namespaceSelector={matchLabels={x='z'}}"), cluster_role(), true),
        (all("namespaceSelector={matchLabels={a='b'}}"), namespace(), true),
        (all("namespaceSelector={matchLabels={a='c'}}"), namespace(), false),
        (all("namespaceSelector={matchLabels={'kubernetes.io/metadata.name'='probe'}}"), namespace(), true),
        (all("objectSelector={matchLabels={x='z'}}"), config_map(), false),
        (
            all("objectSelector={matchExpressions=[{key='x',operator='NotIn',values=['q']}]}"),
            config_map(),
            true,
        ),
        (autoscaler("v1", ""), scaler(), true),
        (autoscaler("v1", ",matchPolicy='Exact'"), scaler(), false),
        (autoscaler("v2beta2", ""), scaler(), false),
        (
            all("x=1"),
            ("admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicyBinding", None, ""),
            false,
        ),
    ];
    for (webhook, object, expected) in table {
        assert_eq!(sees(&webhook, object).is_some(), expected, "{webhook}\n{object:?}");
    }
}

#[test]
fn what_is_not_known_is_not_proved() {
    let all = |rest: &str| format!("rules=[{ALL}],{rest}");
    let elsewhere = ("v1", "ConfigMap", Some("theirs"), "");
    let opt_out = all("namespaceSelector={matchExpressions=[{key='off',operator='DoesNotExist'}]}");
    assert_eq!(sees(&opt_out, elsewhere), Some(Confidence::Assumed), "labels outside the input");
    assert_eq!(sees(&opt_out, config_map()), Some(Confidence::Proved), "default has no label but its name");
    assert_eq!(sees(&all("namespaceSelector={matchLabels={on='1'}}"), elsewhere), None);
    let conditional = all("matchConditions=[{name='x',expression='false'}]");
    assert_eq!(sees(&conditional, config_map()), Some(Confidence::Heuristic), "CEL is not evaluated");
}

/// API version, kind, namespace, and labels as TOML.
type Sample = (&'static str, &'static str, Option<&'static str>, &'static str);

fn config_map() -> Sample {
    ("v1", "ConfigMap", Some("default"), "")
}

fn namespace() -> Sample {
    ("v1", "Namespace", None, "a='b'")
}

fn cluster_role() -> Sample {
    ("rbac.authorization.k8s.io/v1", "ClusterRole", None, "")
}

fn scaler() -> Sample {
    ("autoscaling/v2", "HorizontalPodAutoscaler", Some("default"), "")
}

fn sees(webhook: &str, (api_version, kind, namespace, labels): Sample) -> Option<Confidence> {
    let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
    let id = ObjectId::new(group, kind, namespace, "probe");
    let labels = node(&format!("metadata={{labels={{{labels}}}}}"));
    let mut bundle = Bundle::default();
    if kind == "Namespace" {
        bundle.steps.push(delivery(id.clone(), labels.clone()));
    }
    let scene = Scene { kube_version: plimsoll_schema::newest(), operation: Operation::Install };
    let view = View::new(&bundle, scene);
    let webhook = node(webhook);
    let request = Request {
        resource: plimsoll_schema::resource(group, kind).expect("a built-in kind").to_owned(),
        labels: labels.at(&["metadata", "labels"]),
        operation: "CREATE",
        at: StepIndex(0),
        version,
        id,
    };
    let conditions = webhook.list_at(&["matchConditions"]);
    let criteria = Criteria { node: Some(&webhook), rules: "rules", conditions };
    let seen = criteria.see(&view, &request);
    assert!(seen.is_none() || criteria.may_see(group), "the quick look agrees");
    seen
}

fn delivery(id: ObjectId, root: Node) -> plimsoll_model::Step {
    let object = plimsoll_model::Object::new(id, "v1", root);
    let delivery = plimsoll_model::Delivery::by(plimsoll_model::Tool::Kubectl, "apply");
    plimsoll_model::Step {
        action: plimsoll_model::Action::Deliver(plimsoll_model::Unit::new(delivery, vec![object])),
        after: Vec::new(),
        may_be_skipped: false,
        branch: None,
        is_presumed: false,
        place: None,
        says: String::new(),
        marks: Vec::new(),
    }
}

/// A node written as the inside of a TOML inline table.
fn node(text: &str) -> Node {
    let table: toml::Table = toml::from_str(&format!("v={{{text}}}")).expect(text);
    convert(&table["v"])
}

fn convert(value: &toml::Value) -> Node {
    let place = Place { file: FileIndex(0), line: 0, column: 0 };
    let value = match value {
        toml::Value::String(text) => Value::Text(text.as_str().into()),
        toml::Value::Integer(number) => Value::Int(*number),
        toml::Value::Array(items) => Value::List(items.iter().map(convert).collect()),
        toml::Value::Table(entries) => Value::Map(
            entries
                .iter()
                .map(|(key, value)| (Key { text: key.as_str().into(), place }, convert(value)))
                .collect(),
        ),
        other => panic!("{other:?}"),
    };
    Node { value, place }
}
