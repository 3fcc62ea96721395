//! What the backend answers, by path.

use serde_json::{Value, json};

/// Status and body of the answer to a request.
pub(super) fn answer(method: &str, path: &str, body: &[u8]) -> (u16, Value) {
    let review: Value = serde_json::from_slice(body).unwrap_or_default();
    let path = path.split('?').next().unwrap_or_default();
    match path.trim_matches('/') {
        "validate" => (200, admitted(&review, None)),
        "inject" => (200, admitted(&review, Some(MARK))),
        "convert" => (200, converted(&review)),
        path => served(method, path, review),
    }
}

/// `[{"op":"add","path":"/metadata/labels/injected","value":"yes"}]`, as the API server wants it. What it is shown on
/// the pages has labels.
const MARK: &str = "W3sib3AiOiJhZGQiLCJwYXRoIjoiL21ldGFkYXRhL2xhYmVscy9pbmplY3RlZCIsInZhbHVlIjoieWVzIn1d";

fn admitted(review: &Value, patch: Option<&str>) -> Value {
    let mut response = json!({"uid": review.pointer("/request/uid"), "allowed": true});
    if let (Some(patch), Some(response)) = (patch, response.as_object_mut()) {
        response.insert("patchType".to_owned(), "JSONPatch".into());
        response.insert("patch".to_owned(), patch.into());
    }
    json!({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "response": response})
}

fn converted(review: &Value) -> Value {
    let version = review.pointer("/request/desiredAPIVersion").cloned().unwrap_or_default();
    let mut objects = review.pointer("/request/objects").cloned().unwrap_or_default();
    for object in objects.as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
        object.insert("apiVersion".to_owned(), version.clone());
    }
    json!({"apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview", "response": {
        "uid": review.pointer("/request/uid"), "convertedObjects": objects, "result": {"status": "Success"},
    }})
}

/// The kind `Shelf` of `inventory.acme.io/v1`, and the metrics of no pod at all.
fn served(method: &str, path: &str, sent: Value) -> (u16, Value) {
    let resource = |name: &str, kind: &str| {
        json!({"name": name, "singularName": "", "namespaced": true, "kind": kind,
               "verbs": ["create", "get", "list", "patch"]})
    };
    let list = |version: &str, resource: Value| json!({"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": version, "resources": [resource]});
    let pieces: Vec<&str> = path.split('/').collect();
    match (method, pieces.as_slice()) {
        (_, ["apis", "inventory.acme.io", "v1"]) => {
            (200, list("inventory.acme.io/v1", resource("shelfs", "Shelf")))
        }
        (_, ["apis", "metrics.k8s.io", "v1beta1"]) => {
            (200, list("metrics.k8s.io/v1beta1", resource("pods", "PodMetrics")))
        }
        ("POST" | "PATCH" | "PUT", [.., "shelfs"]) => (201, sent),
        ("GET", ["apis", "metrics.k8s.io", ..]) => {
            (200, json!({"kind": "PodMetricsList", "apiVersion": "metrics.k8s.io/v1beta1", "items": []}))
        }
        _ => {
            let message = "the server could not find the requested resource";
            (
                404,
                json!({"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "NotFound", "code": 404, "message": message}),
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_review_is_answered_under_its_own_name() {
        let (status, answer) = answer("POST", "/inject?timeout=10s", br#"{"request":{"uid":"7"}}"#);
        assert_eq!(status, 200);
        assert_eq!(answer.pointer("/response/uid"), Some(&json!("7")));
        assert_eq!(answer.pointer("/response/patchType"), Some(&json!("JSONPatch")));
    }

    #[test]
    fn conversion_changes_the_version_alone() {
        let body = br#"{"request":{"uid":"7","desiredAPIVersion":"acme.io/v1","objects":[{"apiVersion":"acme.io/v1beta1","a":1}]}}"#;
        let (_, answer) = answer("POST", "/convert", body);
        let expected = json!([{"apiVersion": "acme.io/v1", "a": 1}]);
        assert_eq!(answer.pointer("/response/convertedObjects"), Some(&expected));
    }
}
