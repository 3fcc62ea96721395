//! What can happen to a client's request, and what is recorded of it.

use super::request::Asked;
use crate::fault::milliseconds;
use crate::fault::rules::Rule;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// `{"when": {"verb": "create", "resource": "configmaps"}, "fault": {"tooManyRequests": {"retryAfterSeconds": 1}}, "times": 2}`
pub type ApiRule = Rule<ApiWhen, ApiFault>;

/// Which requests. Words are those of the audit log; all must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ApiWhen {
    /// `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`.
    pub verb: Option<String>,
    /// `configmaps`.
    pub resource: Option<String>,
    /// `status`; the empty one is the object itself.
    pub subresource: Option<String>,
    /// The namespace of the object.
    pub namespace: Option<String>,
    /// The name in the address; a `create` has none there.
    pub name: Option<String>,
    /// A word in what the client's program calls itself: `kubectl`, `helm`.
    pub agent: Option<String>,
}

impl ApiWhen {
    /// Every request for a resource with this verb.
    #[must_use]
    pub fn asked(verb: &str, resource: &str) -> Self {
        Self { verb: Some(verb.to_owned()), resource: Some(resource.to_owned()), ..Self::default() }
    }

    pub(super) fn matches(&self, asked: &Asked, agent: &str) -> bool {
        let is = |wanted: &Option<String>, found: &str| wanted.as_ref().is_none_or(|wanted| wanted == found);
        is(&self.verb, &asked.verb)
            && is(&self.resource, &asked.resource)
            && is(&self.subresource, &asked.subresource)
            && is(&self.namespace, &asked.namespace)
            && is(&self.name, &asked.name)
            && self.agent.as_ref().is_none_or(|word| agent.contains(word.as_str()))
    }
}

/// What happens to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ApiFault {
    /// 429 with `Retry-After`: the API server has no room for it.
    TooManyRequests {
        /// What `Retry-After` says.
        retry_after_seconds: u32,
    },
    /// 500.
    InternalError,
    /// 503 without `Retry-After`.
    Unavailable,
    /// The connection is reset before anything is forwarded.
    Reset,
    /// It waits until the rules are replaced, and goes on under the new ones.
    Hold,
    /// It is forwarded and done, but the connection is reset before the answer: the client cannot know.
    LoseAnswer,
    /// The answer ends cleanly some time after it began, as a watch ends at its time limit.
    Close {
        /// How long after.
        #[serde(with = "milliseconds", rename = "afterMilliseconds")]
        after: Duration,
    },
    /// The connection is reset some time after the answer began.
    Break {
        /// How long after.
        #[serde(with = "milliseconds", rename = "afterMilliseconds")]
        after: Duration,
    },
    /// Nothing comes any more some time after the answer began, and the connection stays open.
    Stall {
        /// How long after.
        #[serde(with = "milliseconds", rename = "afterMilliseconds")]
        after: Duration,
    },
}

/// One request of a client.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ApiCall {
    /// When it came.
    pub began: Timestamp,
    /// The user of the client's certificate; empty for a client that shows none (a token is passed on unread).
    pub user: String,
    /// What the client's program calls itself.
    pub agent: String,
    /// The verb, in the words of the audit log.
    pub verb: String,
    /// Path and query.
    pub uri: String,
    /// The status of the answer; nothing while there is none.
    pub code: Option<u16>,
    /// The fault that struck it.
    pub fault: Option<ApiFault>,
    /// Bytes of the answer so far.
    pub received: u64,
    /// When the answer was over or the client gone.
    pub ended: Option<Timestamp>,
    /// Why it could not be forwarded, without any fault of ours.
    pub failure: Option<String>,
}
