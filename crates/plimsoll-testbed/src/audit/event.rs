//! One line of the audit log.

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;

/// One request at one stage, as the API server logged it (`Event` of `k8s.io/apiserver/pkg/apis/audit/v1`).
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Event {
    /// The same for all stages of one request.
    #[serde(rename = "auditID")]
    pub id: String,
    /// How far the request had come.
    pub stage: Stage,
    /// When the server received the request, to the microsecond.
    #[serde(rename = "requestReceivedTimestamp")]
    pub received: Timestamp,
    /// When the stage was reached: for `ResponseComplete` the time of the answer.
    #[serde(rename = "stageTimestamp")]
    pub reached: Timestamp,
    /// The request's verb: `create`, `update`, `patch`, `delete`, `deletecollection`, `get`, `list`, `watch`, or an HTTP
    /// method in lower case where no resource is asked for.
    pub verb: String,
    /// Path and query.
    #[serde(rename = "requestURI")]
    pub uri: String,
    /// Who asked.
    pub user: User,
    /// On whose behalf, if the user impersonates somebody.
    pub impersonated_user: Option<User>,
    /// What the client's program calls itself.
    #[serde(default)]
    pub user_agent: String,
    /// What the request is about; nothing for `/healthz`, discovery and the like.
    #[serde(rename = "objectRef")]
    pub object: Option<ObjectReference>,
    /// What was answered; nothing before the answer began.
    #[serde(rename = "responseStatus")]
    pub answer: Option<Answer>,
    /// What was sent, if the policy keeps it.
    pub request_object: Option<Value>,
    /// What came back, if the policy keeps it.
    pub response_object: Option<Value>,
    /// What admission and authorization noted.
    #[serde(default)]
    pub annotations: BTreeMap<String, String>,
}

/// How far a request had come when it was logged.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
pub enum Stage {
    /// Before anything was done with it.
    RequestReceived,
    /// The answer's head is sent, its body still flows: watches, logs, exec.
    ResponseStarted,
    /// The answer is complete.
    ResponseComplete,
    /// The server failed in the middle.
    Panic,
}

/// Who asked.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq)]
pub struct User {
    /// The name: `admin`, `system:serviceaccount:kube-system:job-controller`, `system:node:node-1`.
    #[serde(default)]
    pub username: String,
    /// The groups.
    #[serde(default)]
    pub groups: Vec<String>,
}

/// What a request is about. A part that the request does not name is empty: the core group, the name of a `list`, a
/// name that the server is yet to generate.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "camelCase", default)]
pub struct ObjectReference {
    /// The API group.
    pub api_group: String,
    /// The version in the group.
    pub api_version: String,
    /// The resource: `configmaps`.
    pub resource: String,
    /// The subresource: `status`, `binding`, `log`.
    pub subresource: String,
    /// The namespace.
    pub namespace: String,
    /// The name.
    pub name: String,
}

/// What the server answered.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(default)]
pub struct Answer {
    /// The HTTP status.
    pub code: u16,
    /// The machine's word for a failure: `NotFound`, `Invalid`, `InternalError`.
    pub reason: String,
    /// The sentence for a failure.
    pub message: String,
}

impl Event {
    /// Whether the request tried to change something.
    #[must_use]
    pub fn is_write(&self) -> bool {
        matches!(self.verb.as_str(), "create" | "update" | "patch" | "delete" | "deletecollection")
    }

    /// Whether the request was only a rehearsal: nothing was stored.
    #[must_use]
    pub fn is_dry_run(&self) -> bool {
        let query = self.uri.split_once('?').map_or("", |(_, query)| query);
        query.split('&').any(|pair| pair.starts_with("dryRun="))
    }

    /// Whether the answer was a failure.
    #[must_use]
    pub fn is_refused(&self) -> bool {
        self.code() >= 400
    }

    /// The HTTP status of the answer, 0 while there is none.
    #[must_use]
    pub fn code(&self) -> u16 {
        self.answer.as_ref().map_or(0, |answer| answer.code)
    }

    /// The sentence of a failure, empty if there is none.
    #[must_use]
    pub fn message(&self) -> &str {
        self.answer.as_ref().map_or("", |answer| &answer.message)
    }

    /// Whether the request is about this object itself, not a subresource of it. Cluster-wide objects have the empty
    /// namespace.
    #[must_use]
    pub fn is_about(&self, resource: &str, namespace: &str, name: &str) -> bool {
        self.object.as_ref().is_some_and(|object| {
            object.subresource.is_empty()
                && (object.resource.as_str(), object.namespace.as_str(), object.name.as_str())
                    == (resource, namespace, name)
        })
    }
}

/// `15:52:45.225076 admin create configmaps default/a: 201`
impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = self.received.strftime("%H:%M:%S.%6f");
        write!(f, "{time} {} {} ", self.user.username, self.verb)?;
        match &self.object {
            Some(object) => write!(f, "{object}")?,
            None => write!(f, "{}", self.uri)?,
        }
        if self.is_dry_run() {
            write!(f, " (dry run)")?;
        }
        write!(f, ": {}", self.code())?;
        if self.message().is_empty() { Ok(()) } else { write!(f, " {}", self.message()) }
    }
}

/// `certificates.cert-manager.io/status default/web`
impl fmt::Display for ObjectReference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.resource)?;
        for (before, part) in [(".", &self.api_group), ("/", &self.subresource), (" ", &self.namespace)] {
            if !part.is_empty() {
                write!(f, "{before}{part}")?;
            }
        }
        if self.name.is_empty() {
            return Ok(());
        }
        write!(f, "{}{}", if self.namespace.is_empty() { " " } else { "/" }, self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Event {
        serde_json::from_str(line).unwrap()
    }

    #[test]
    fn a_refusal_has_time_user_object_and_sentence() {
        // Logged by kube-apiserver v1.36.4, groups and latencies left out.
        let event = parse(
            r#"{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"439dfb0a","stage":"ResponseComplete",
            "requestURI":"/api/v1/namespaces/default/pods?fieldManager=kubectl-create\u0026fieldValidation=Strict","verb":"create",
            "user":{"username":"admin","groups":["system:masters"]},"sourceIPs":["127.0.0.1"],"userAgent":"kubectl/v1.36.4",
            "objectRef":{"resource":"pods","namespace":"default","name":"x","apiVersion":"v1"},
            "responseStatus":{"metadata":{},"status":"Failure","message":"Pod \"x\" is invalid: spec.containers: Required value",
            "reason":"Invalid","details":{"name":"x","kind":"Pod"},"code":422},
            "requestReceivedTimestamp":"2026-11-15T15:52:45.627993Z","stageTimestamp":"2026-11-15T15:52:46.151464Z"}"#,
        );
        assert_eq!(event.stage, Stage::ResponseComplete);
        assert_eq!(event.reached.duration_since(event.received).as_micros(), 523_471);
        assert!(event.is_write() && event.is_refused() && !event.is_dry_run());
        assert!(event.is_about("pods", "default", "x") && !event.is_about("pods", "", "x"));
        assert_eq!(event.answer.as_ref().unwrap().reason, "Invalid");
        assert_eq!(
            event.to_string(),
            "15:52:45.627993 admin create pods default/x: 422 Pod \"x\" is invalid: spec.containers: Required value"
        );
    }

    #[test]
    fn a_subresource_is_not_the_object_and_a_dry_run_is_said() {
        let event = parse(
            r#"{"auditID":"1","stage":"ResponseComplete","requestURI":"/x?dryRun=All\u0026force=true","verb":"patch","user":{},
            "objectRef":{"resource":"certificates","apiGroup":"cert-manager.io","subresource":"status","name":"web"},
            "responseStatus":{"metadata":{},"code":200},
            "requestReceivedTimestamp":"2026-11-15T15:52:45.000000Z","stageTimestamp":"2026-11-15T15:52:45.000001Z"}"#,
        );
        assert!(!event.is_about("certificates", "", "web"));
        assert_eq!(
            event.to_string(),
            "15:52:45.000000  patch certificates.cert-manager.io/status web (dry run): 200"
        );
    }
}
