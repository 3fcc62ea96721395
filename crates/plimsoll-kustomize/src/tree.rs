//! A document as kustomize holds it: scalars keep their text, their tag and whether they were quoted, because all three
//! decide what a change makes of them (`sigs.k8s.io/kustomize/kyaml` v0.21.1, `yaml/rnode.go`, on `go.yaml.in/yaml/v3`).

mod access;
mod document;
mod edit;
mod fold;
mod json;
mod lookup;
mod path;
mod read;
mod resolve;
mod timestamp;
mod value;

pub(crate) use document::{Document, documents};
pub(crate) use json::{from_model, through_json};
pub(crate) use lookup::{Step, follow, follow_mut, steps};
pub(crate) use path::{split, split_smartly};
pub(crate) use read::read_document;
pub(crate) use resolve::{is_other_in_yaml_1_1, tag_of_plain};
pub(crate) use value::to_value;

use plimsoll_model::Place;

/// A node of a document and where it was written.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Node {
    pub(crate) form: Form,
    pub(crate) place: Place,
    /// Nodes of one object with the same number that is not 0 are one node for kustomize: what changes one changes all.
    pub(crate) twin: u32,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Form {
    Scalar(Scalar),
    List(Vec<Node>),
    Map(Vec<(Key, Node)>),
}

/// A value that is neither a list nor a map.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Scalar {
    pub(crate) text: Box<str>,
    pub(crate) tag: Tag,
    /// Whether it is written without quotes.
    pub(crate) is_plain: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Key {
    pub(crate) text: Box<str>,
    pub(crate) place: Place,
    /// Whether it is text; kustomize prints no map with another key.
    pub(crate) is_text: bool,
}

/// What a scalar is said to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tag {
    /// Nothing was said: the text decides when it is printed, unless it is quoted.
    None,
    Null,
    Bool,
    Int,
    Float,
    Text,
    Time,
    Binary,
}
