//! `lookup`: what templates ask the cluster for, and the answers that are known.
//!
//! Rendering never talks to a cluster. What was asked and not known is told with the result; whoever can ask renders
//! again with the answers.

use crate::read;
use crate::template::failure::Failure;
use crate::template::value::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// An object that is asked for; without a name, all objects of the kind.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct LookUp {
    /// The API, as `apps/v1`.
    pub api_version: String,
    /// The kind.
    pub kind: String,
    /// The namespace; empty for all of them, and for a kind that has none.
    pub namespace: String,
    /// The name, or nothing.
    pub name: String,
}

/// What the cluster says: the object as JSON, which is `{}` if there is none, or why it does not say.
pub type Answers = BTreeMap<LookUp, Result<Arc<str>, String>>;

/// The answers that are known, and what else was asked.
#[derive(Debug, Default)]
pub(crate) struct LookUps {
    answers: Arc<Answers>,
    asked: BTreeSet<LookUp>,
}

impl LookUps {
    pub(crate) fn knowing(answers: &Arc<Answers>) -> Self {
        Self { answers: Arc::clone(answers), asked: BTreeSet::new() }
    }

    /// What was asked and is not known.
    pub(crate) fn asked(&self) -> Vec<LookUp> {
        self.asked.iter().cloned().collect()
    }

    /// The answer; without one the object is not there, as `helm template` has it.
    pub(crate) fn answer(&mut self, question: LookUp) -> Result<Value, Failure> {
        match self.answers.get(&question) {
            Some(Ok(object)) => Ok(read::unstructured(object)?),
            Some(Err(cause)) => Err(cause.clone().into()),
            None => {
                self.asked.insert(question);
                Ok(Map::of_values([]).into())
            }
        }
    }
}
