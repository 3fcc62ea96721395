//! What a port of a container that only behaves answers, in the language of whoever asks: 200 to a browser or a probe,
//! "serving" to a gRPC health check, "allowed" to an API server with an admission review, and an aggregated API without
//! resources to one that discovers.

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full, Limited, StreamBody};
use hyper::body::{Frame, Incoming};
use hyper::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use hyper::{Method, Request, Response, StatusCode};
use serde_json::{Value, json};
use std::convert::Infallible;

/// `HealthCheckResponse{status: SERVING}` as one uncompressed message.
const SERVING: &[u8] = &[0, 0, 0, 0, 2, 8, 1];

/// The longest question that is read; an object in etcd is shorter.
const LONGEST: usize = 8 * 1024 * 1024;

type Body = http_body_util::combinators::BoxBody<Bytes, Infallible>;

/// Answers one request.
pub(super) async fn answer(request: Request<Incoming>) -> Response<Body> {
    let kind = request.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if kind.starts_with("application/grpc") {
        return serving();
    }
    if request.method() == Method::POST && kind.starts_with("application/json") {
        let body = Limited::new(request.into_body(), LONGEST).collect().await;
        let question = body.ok().and_then(|body| serde_json::from_slice(&body.to_bytes()).ok());
        return question.as_ref().and_then(review).map_or_else(fine, |answer| json(StatusCode::OK, &answer));
    }
    match aggregated(request.uri().path()) {
        Some((code, answer)) => json(code, &answer),
        None => fine(),
    }
}

/// The answer to a review of an API server, if it is one.
fn review(question: &Value) -> Option<Value> {
    let field = |path: &str| question.pointer(path).cloned().unwrap_or_default();
    let kind = question.pointer("/kind").and_then(Value::as_str)?;
    let response = match kind {
        "AdmissionReview" => json!({"uid": field("/request/uid"), "allowed": true}),
        "ConversionReview" => {
            let mut objects = field("/request/objects");
            for object in objects.as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
                object.insert("apiVersion".to_owned(), field("/request/desiredAPIVersion"));
            }
            let uid = field("/request/uid");
            json!({"uid": uid, "convertedObjects": objects, "result": {"status": "Success"}})
        }
        _ => return None,
    };
    Some(json!({"apiVersion": field("/apiVersion"), "kind": kind, "response": response}))
}

/// The answer of an aggregated API: each group and version exists and has no resources. An answer that cannot be read
/// would keep every namespace of the cluster from being deleted.
fn aggregated(path: &str) -> Option<(StatusCode, Value)> {
    let words: Vec<&str> = path.trim_matches('/').split('/').collect();
    let (root, rest) = words.split_first()?;
    match (*root, rest) {
        ("apis", [group, version]) => {
            let version = format!("{group}/{version}");
            let list = json!({"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": version, "resources": []});
            Some((StatusCode::OK, list))
        }
        ("apis" | "openapi", _) => {
            let missing = json!({
                "kind": "Status",
                "apiVersion": "v1",
                "status": "Failure",
                "reason": "NotFound",
                "message": "the server could not find the requested resource",
                "code": 404,
            });
            Some((StatusCode::NOT_FOUND, missing))
        }
        _ => None,
    }
}

fn fine() -> Response<Body> {
    Response::new(Full::new(Bytes::from_static(b"ok\n")).boxed())
}

fn json(code: StatusCode, value: &Value) -> Response<Body> {
    let mut response = Response::new(Full::new(Bytes::from(value.to_string())).boxed());
    *response.status_mut() = code;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

fn serving() -> Response<Body> {
    let status =
        HeaderMap::from_iter([(HeaderName::from_static("grpc-status"), HeaderValue::from_static("0"))]);
    let frames = [Ok(Frame::data(Bytes::from_static(SERVING))), Ok(Frame::trailers(status))];
    let mut response = Response::new(StreamBody::new(tokio_stream::iter(frames)).boxed());
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/grpc"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn admission_is_granted_to_the_one_who_asked() {
        let question = json!({
            "apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {"uid": "u-1"},
        });
        let answer = review(&question).expect("an answer");
        assert_eq!(answer["response"], json!({"uid": "u-1", "allowed": true}));
        assert_eq!(answer["apiVersion"], "admission.k8s.io/v1");
        assert_eq!(review(&json!({"kind": "Login"})), None);
    }

    #[test]
    fn objects_are_converted_by_name_alone() {
        let request = json!({
            "uid": "u-2", "desiredAPIVersion": "acme.io/v2", "objects": [{"apiVersion": "acme.io/v1", "kind": "Store"}],
        });
        let question =
            json!({"apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview", "request": request});
        let answer = review(&question).expect("an answer");
        assert_eq!(answer["response"]["convertedObjects"][0]["apiVersion"], "acme.io/v2");
        assert_eq!(answer["response"]["result"]["status"], "Success");
    }

    #[test]
    fn an_aggregated_api_exists_and_has_no_resources() {
        let (code, list) = aggregated("/apis/metrics.k8s.io/v1beta1").expect("an answer");
        assert_eq!((code, &list["groupVersion"]), (StatusCode::OK, &json!("metrics.k8s.io/v1beta1")));
        let (code, _) = aggregated("/apis/metrics.k8s.io/v1beta1/nodes").expect("an answer");
        assert_eq!(code, StatusCode::NOT_FOUND);
        assert!(aggregated("/healthz").is_none() && aggregated("/").is_none());
    }
}
