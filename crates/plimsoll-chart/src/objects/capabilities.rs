//! `.Capabilities`: what the cluster offers. What it was asked for and does not offer is written down.

use super::structure::Structure;
use crate::render::{Capabilities, HelmVersion};
use crate::template::function::{Call, Function, Outcome, Parameter};
use crate::template::value::{Item, Kind, Member, Object, Value};
use std::any::Any;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

/// API versions that a template asked for in vain.
pub(crate) type Unanswered = Rc<RefCell<BTreeSet<Rc<str>>>>;

/// `.Capabilities`
pub(crate) fn value(capabilities: &Capabilities, helm: HelmVersion, unanswered: &Unanswered) -> Value {
    let version = &*capabilities.kube_version;
    let mut numbers = version.trim_start_matches('v').split('.');
    let mut number = || Value::from(numbers.next().unwrap_or_default());
    let kube_version = Structure {
        type_name: "common.KubeVersion",
        kind: Kind::Struct,
        fields: vec![("Version", Value::from(version)), ("Major", number()), ("Minor", number())],
        methods: KUBE_VERSION,
        text: Some(version.into()),
    };
    let helm_version = Structure {
        type_name: "version.BuildInfo",
        kind: Kind::Struct,
        fields: vec![
            ("Version", Value::from(helm.version())),
            ("GitCommit", Value::from("")),
            ("GitTreeState", Value::from("")),
            ("GoVersion", Value::from("go1.26")),
        ],
        methods: &[],
        text: None,
    };
    let versions = VersionSet {
        versions: capabilities.api_versions.iter().map(|version| version.as_str().into()).collect(),
        unanswered: Rc::clone(unanswered),
    };
    object(Structure {
        type_name: "*common.Capabilities",
        kind: Kind::Pointer,
        fields: vec![
            ("KubeVersion", object(kube_version)),
            ("APIVersions", Value::Object(Rc::new(versions))),
            ("HelmVersion", object(helm_version)),
        ],
        methods: &[],
        text: None,
    })
}

fn object(structure: Structure) -> Value {
    Value::Object(Rc::new(structure))
}

const KUBE_VERSION: &[Function] =
    &[Function::new("String", &[], version_text), Function::new("GitVersion", &[], version_text)];

fn version_text(call: &mut Call<'_>) -> Outcome {
    match call.receiver {
        Some(Value::Object(object)) => Ok(object.print().into()),
        _ => Ok("".into()),
    }
}

/// `.Capabilities.APIVersions`
#[derive(Debug)]
struct VersionSet {
    versions: Vec<Rc<str>>,
    unanswered: Unanswered,
}

impl Object for VersionSet {
    fn type_name(&self) -> &'static str {
        "common.VersionSet"
    }

    fn kind(&self) -> Kind {
        Kind::Slice
    }

    fn member(&self, name: &str) -> Option<Member> {
        (name == "Has").then_some(Member::Method(&HAS))
    }

    fn print(&self) -> String {
        format!("[{}]", self.versions.join(" "))
    }

    fn plain(&self) -> Value {
        crate::template::value::List::of_texts(self.versions.iter().map(|version| &**version)).into()
    }

    fn length(&self) -> Option<usize> {
        Some(self.versions.len())
    }

    fn items(&self) -> Option<Vec<Item>> {
        Some(self.versions.iter().map(|version| Item::from(&**version)).collect())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

static HAS: Function = Function::new("Has", &[Parameter::Text], has);

fn has(call: &mut Call<'_>) -> Outcome {
    let Some(Value::Object(object)) = call.receiver else {
        return Ok(false.into());
    };
    let Some(set) = object.as_any().downcast_ref::<VersionSet>() else {
        return Ok(false.into());
    };
    Ok(set.has(call.str(0)).into())
}

impl VersionSet {
    /// Whether an API is offered; if not, that it was asked for is noted.
    fn has(&self, api: &str) -> bool {
        let is_known = self.versions.iter().any(|version| **version == *api);
        if !is_known {
            self.unanswered.borrow_mut().insert(api.into());
        }
        is_known
    }
}

/// Whether a list that is asked for a text is `.Capabilities.APIVersions`, and then the answer.
pub(crate) fn offers(list: &Value, api: &Value) -> Option<bool> {
    let (Value::Object(object), Value::Text(api)) = (list, api) else { return None };
    let set = object.as_any().downcast_ref::<VersionSet>()?;
    Some(set.has(api))
}
