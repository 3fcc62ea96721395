//! What can happen to a call of the API server, and what is recorded of it.

use crate::fault::rules::Rule;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::net::{IpAddr, SocketAddr};

/// `{"when": {"port": 10250}, "fault": "refuse", "times": 2}`
pub type EgressRule = Rule<EgressWhen, EgressFault>;

/// Which calls.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct EgressWhen {
    /// The pod's address.
    pub address: Option<IpAddr>,
    /// The pod's port.
    pub port: Option<u16>,
}

impl EgressWhen {
    pub(super) fn matches(&self, target: SocketAddr) -> bool {
        self.address.is_none_or(|address| address == target.ip())
            && self.port.is_none_or(|port| port == target.port())
    }
}

/// What happens to a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EgressFault {
    /// As if nothing listened there.
    Refuse,
    /// The connection is made, and reset at the first byte.
    Reset,
    /// Nothing ever answers, as behind a partition.
    BlackHole,
    /// It waits until the rules are replaced, and goes on under the new ones.
    Hold,
}

/// One connection that the API server asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EgressCall {
    /// When it was asked for.
    pub began: Timestamp,
    /// The address it asked for.
    pub target: String,
    /// What became of it.
    pub outcome: EgressOutcome,
    /// Bytes from the API server.
    pub sent: u64,
    /// Bytes to the API server.
    pub received: u64,
    /// When it was over.
    pub ended: Option<Timestamp>,
}

/// What became of a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EgressOutcome {
    /// Not decided yet: it is delayed, or being dialled.
    Waiting,
    /// It is held until the rules are replaced.
    Held,
    /// Bytes flow.
    Open,
    /// It ended by itself.
    Closed,
    /// It was cut while it was open.
    Cut,
    /// It was refused by a rule.
    Refused,
    /// It was reset by a rule.
    Reset,
    /// It is left without an answer by a rule.
    BlackHoled,
    /// The target could not be reached, without any rule; why, in the words of a Go program.
    Failed(String),
}

impl EgressCall {
    pub(super) fn new(target: &str) -> Self {
        Self {
            began: Timestamp::now(),
            target: target.to_owned(),
            outcome: EgressOutcome::Waiting,
            sent: 0,
            received: 0,
            ended: None,
        }
    }
}
