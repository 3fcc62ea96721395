//! What kustomize knows of Kubernetes' own types: which are in no namespace, and which lists are merged item by item.
//!
//! It is what the program carries inside, the OpenAPI of Kubernetes v1.21.2 (`kyaml` v0.21.1, `openapi/kubernetesapi`),
//! whatever the cluster serves. `data/lists.tsv` is written by `cargo xtask generate kustomize`.

mod custom;

pub(crate) use custom::Definitions;

use crate::identity::Gvk;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::LazyLock;

/// Whether a kind is certainly in no namespace; of kinds that it does not know, kustomize assumes that they are in one.
pub(crate) fn is_cluster_scoped(gvk: &Gvk) -> bool {
    BUILT_IN.cluster.contains(&(gvk.api_version().as_str(), &*gvk.kind))
}

/// How the fields of a type are merged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Field {
    /// The type of the value, of the items, or of the values of a map.
    pub(crate) target: Option<Box<str>>,
    pub(crate) form: FieldForm,
    /// The fields by which the items of a list are told apart; an empty list where the items are scalars.
    pub(crate) keys: Option<Vec<Box<str>>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FieldForm {
    Direct,
    List,
    Map,
}

struct BuiltIn {
    cluster: FxHashSet<(&'static str, &'static str)>,
    definitions: Definitions,
}

static BUILT_IN: LazyLock<BuiltIn> = LazyLock::new(|| {
    let mut built_in = BuiltIn { cluster: FxHashSet::default(), definitions: Definitions::default() };
    for line in include_str!("../data/lists.tsv").lines() {
        let mut columns = line.split('\t');
        let mut next = || columns.next().unwrap_or_default();
        let (word, first, second) = (next(), next(), next());
        match word {
            "cluster" => drop(built_in.cluster.insert((first, second))),
            "kind" => built_in.definitions.add_kind(first, second, next()),
            _ => {
                let (form, target, keys) = (next(), next(), next());
                let form = match form {
                    "list" => FieldForm::List,
                    "map" => FieldForm::Map,
                    _ => FieldForm::Direct,
                };
                let target = (!target.is_empty()).then(|| target.into());
                let keys = match keys {
                    "" => None,
                    "-" => Some(Vec::new()),
                    keys => Some(keys.split(',').map(Box::from).collect()),
                };
                built_in.definitions.add_field(first, second, Field { target, form, keys });
            }
        }
    }
    built_in
});

/// The types of Kubernetes that kustomize carries inside.
pub(crate) fn built_in() -> &'static Definitions {
    &BUILT_IN.definitions
}

/// Fields of types, by the name of the type.
pub(crate) type Fields = FxHashMap<Box<str>, FxHashMap<Box<str>, Field>>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn containers_are_merged_by_name_and_ports_by_two_fields() {
        let pod = built_in().of_kind("v1", "Pod").unwrap();
        let spec = built_in().field(pod, "spec").unwrap();
        let spec = spec.target.as_deref().unwrap();
        let containers = built_in().field(spec, "containers").unwrap();
        assert_eq!(containers.keys, Some(vec!["name".into()]));
        let ports = built_in().field(containers.target.as_deref().unwrap(), "ports").unwrap();
        assert_eq!(ports.keys, Some(vec!["containerPort".into(), "protocol".into()]));
        assert_eq!(built_in().field(spec, "tolerations"), None);
    }

    #[test]
    fn what_came_later_than_1_21_is_thought_to_be_in_a_namespace() {
        let gvk = |group: &str, version: &str, kind: &str| Gvk {
            group: group.into(),
            version: version.into(),
            kind: kind.into(),
        };
        assert!(is_cluster_scoped(&gvk("", "v1", "Namespace")));
        assert!(!is_cluster_scoped(&gvk("admissionregistration.k8s.io", "v1", "ValidatingAdmissionPolicy")));
        assert!(!is_cluster_scoped(&gvk("", "v1", "Pod")));
    }
}
