//! What a node can be like.

use super::capacity::Capacity;
use serde::{Deserialize, Serialize};

/// What a node shall be like; the default is an ordinary one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct NodeSettings {
    /// Taints that it registers with, `key=value:Effect`.
    pub taints: Vec<String>,
    /// Labels that it registers with, `key=value`.
    pub labels: Vec<String>,
    /// The part of the time, from 0 to 1, in which its kubelet and runtime stand still: 0.9 makes a slow node.
    pub busy_share: Option<f64>,
    /// What it says it has; much more than the machine by default.
    pub capacity: Capacity,
    /// More settings of the kubelet, as in a `KubeletConfiguration`; they win over those of the testbed.
    pub kubelet: serde_json::Map<String, serde_json::Value>,
}
