//! `.Capabilities`: what the cluster offers. What it was asked for and does not offer is written down.

use super::structure::Structure;
use crate::render::{Capabilities, HelmVersion};
use crate::template::function::{Call, Function, Outcome, Parameter};
use crate::template::value::{Item, Kind, Member, Object, Value};
use std::any::Any;
use std::cell::{Cell, Ref, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

/// The APIs that the cluster offers, and what templates want to know of them.
#[derive(Debug, Default)]
pub(crate) struct Offer {
    versions: RefCell<Vec<Rc<str>>>,
    /// What was asked for in vain.
    unanswered: RefCell<BTreeSet<Rc<str>>>,
    /// Whether more on offer may make a difference.
    is_looked_at: Cell<bool>,
}

impl Offer {
    /// Offers something; nothing was asked for yet.
    pub(crate) fn begin(&self, versions: &[String]) {
        self.versions.replace(versions.iter().map(|version| version.as_str().into()).collect());
        self.unanswered.take();
        self.is_looked_at.set(false);
    }

    /// Whether, since this was asked last, somebody saw something that would be another with more on offer.
    pub(crate) fn was_looked_at(&self) -> bool {
        self.is_looked_at.take()
    }

    /// The API versions that were asked for in vain.
    pub(crate) fn unanswered(&self) -> Vec<String> {
        self.unanswered.borrow().iter().map(ToString::to_string).collect()
    }

    /// All there is.
    fn versions(&self) -> Ref<'_, Vec<Rc<str>>> {
        self.is_looked_at.set(true);
        self.versions.borrow()
    }

    /// Whether an API is offered; if not, that it was asked for is noted.
    fn has(&self, api: &str) -> bool {
        let is_known = self.versions.borrow().iter().any(|version| **version == *api);
        if !is_known {
            self.is_looked_at.set(true);
            self.unanswered.borrow_mut().insert(api.into());
        }
        is_known
    }
}

/// `.Capabilities`
pub(crate) fn value(capabilities: &Capabilities, helm: HelmVersion, offer: &Rc<Offer>) -> Value {
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
    object(Structure {
        type_name: "*common.Capabilities",
        kind: Kind::Pointer,
        fields: vec![
            ("KubeVersion", object(kube_version)),
            ("APIVersions", Value::Object(Rc::new(VersionSet(Rc::clone(offer))))),
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
struct VersionSet(Rc<Offer>);

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
        format!("[{}]", self.0.versions().join(" "))
    }

    fn plain(&self) -> Value {
        crate::template::value::List::of_texts(self.0.versions().iter().map(|version| &**version)).into()
    }

    fn length(&self) -> Option<usize> {
        Some(self.0.versions().len())
    }

    fn items(&self) -> Option<Vec<Item>> {
        Some(self.0.versions().iter().map(|version| Item::from(&**version)).collect())
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
    Ok(set.0.has(call.str(0)).into())
}

/// Whether a list that is asked for a text is `.Capabilities.APIVersions`, and then the answer.
pub(crate) fn offers(list: &Value, api: &Value) -> Option<bool> {
    let (Value::Object(object), Value::Text(api)) = (list, api) else { return None };
    let set = object.as_any().downcast_ref::<VersionSet>()?;
    Some(set.0.has(api))
}
