//! Anchors and aliases, with the budget that keeps a small text from becoming a huge tree.
//!
//! The budget is go-yaml's own (`go.yaml.in/yaml/v2` v2.4.3, `decode.go`, `allowedAliasRatio`), and a limit on bytes
//! beside it, because a copy here takes room where Go shares the text.

use super::document::Fault;
use super::limits::MAX_COPIED_BYTES;
use plimsoll_model::{Node, Place, Value};
use std::collections::BTreeMap;
use std::mem::size_of;

/// The named nodes of a document and what was spent on copying them.
#[derive(Debug, Default)]
pub(super) struct Anchors {
    named: BTreeMap<String, Named>,
    /// Nodes decoded so far, copies included.
    decoded: u64,
    /// Nodes that were decoded because of an alias.
    aliased: u64,
    /// Bytes that the nodes take, roughly.
    weight: u64,
    /// Bytes that copies take, roughly.
    copied: u64,
}

#[derive(Debug)]
enum Named {
    /// The node has not ended: an alias to it would contain itself.
    Unfinished,
    Finished {
        node: Node,
        decoded: u64,
        weight: u64,
    },
}

/// A list or map with an anchor that has begun.
#[derive(Debug)]
pub(super) struct Opened {
    name: String,
    decoded: u64,
    weight: u64,
}

impl Anchors {
    /// Counts a node that was written out.
    pub(super) fn count(&mut self, value: &Value) {
        self.decoded += 1;
        self.weight += weight(value);
    }

    /// Names a scalar.
    pub(super) fn name(&mut self, name: String, node: &Node, place: Place) -> Result<(), Fault> {
        let weight = weight(&node.value);
        self.spend(weight, place)?;
        self.named.insert(name, Named::Finished { node: node.clone(), decoded: 1, weight });
        Ok(())
    }

    /// Names a list or map that begins.
    pub(super) fn open(&mut self, name: String) -> Opened {
        self.named.insert(name.clone(), Named::Unfinished);
        // The node itself was counted just before.
        Opened { name, decoded: self.decoded - 1, weight: self.weight }
    }

    /// Completes the node of a name, unless the name was given anew inside it.
    pub(super) fn close(&mut self, opened: Opened, node: &Node) -> Result<(), Fault> {
        if !matches!(self.named.get(&opened.name), Some(Named::Unfinished)) {
            return Ok(());
        }
        let weight = self.weight - opened.weight;
        self.spend(weight, node.place)?;
        let decoded = self.decoded - opened.decoded;
        self.named.insert(opened.name, Named::Finished { node: node.clone(), decoded, weight });
        Ok(())
    }

    /// The copy that an alias stands for; inside it, every place is that of the anchored text.
    pub(super) fn copy(&mut self, name: &str, place: Place) -> Result<Node, Fault> {
        let (decoded, weight) = match self.named.get(name) {
            Some(Named::Finished { decoded, weight, .. }) => (*decoded, *weight),
            Some(Named::Unfinished) => {
                return Err(Fault::new(
                    place,
                    "this alias stands inside the value it names; write the value out",
                ));
            }
            None => {
                return Err(Fault::new(
                    place,
                    "this alias names an anchor that was not set before; set it first",
                ));
            }
        };
        self.decoded += 1 + decoded;
        self.aliased += decoded;
        if is_excessive(self.aliased, self.decoded) {
            return Err(Fault::new(
                place,
                "the aliases of this document multiply it beyond measure; write values out",
            ));
        }
        self.spend(weight, place)?;
        self.weight += weight;
        match self.named.get(name) {
            Some(Named::Finished { node, .. }) => Ok(Node { value: node.value.clone(), place }),
            _ => Ok(Node { value: Value::Null, place }),
        }
    }

    fn spend(&mut self, weight: u64, place: Place) -> Result<(), Fault> {
        self.copied = self.copied.saturating_add(weight);
        if self.copied <= MAX_COPIED_BYTES {
            return Ok(());
        }
        let limit = MAX_COPIED_BYTES / (1024 * 1024);
        Err(Fault::new(
            place,
            format!("anchors and aliases of this document copy more than {limit} MiB; write values out"),
        ))
    }
}

#[expect(clippy::cast_precision_loss, reason = "go-yaml computes the ratio in the same way")]
fn is_excessive(aliased: u64, decoded: u64) -> bool {
    const LOW: f64 = 400_000.0;
    const HIGH: f64 = 4_000_000.0;
    if aliased <= 100 || decoded <= 1000 {
        return false;
    }
    let count = decoded as f64;
    let allowed = 0.99 - 0.89 * ((count - LOW) / (HIGH - LOW)).clamp(0.0, 1.0);
    aliased as f64 / count > allowed
}

fn weight(value: &Value) -> u64 {
    let text = if let Value::Text(text) = value { text.len() } else { 0 };
    (size_of::<Node>() + text) as u64
}
