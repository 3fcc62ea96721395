//! Answers that the proxy gives in the API server's place, as the API server words them.

use super::rule::ApiFault;
use bytes::Bytes;
use http_body_util::Full;
use hyper::header::{CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use hyper::{Response, StatusCode};
use serde_json::json;

/// The answer of a fault; nothing for one that is no answer.
pub(super) fn instead(fault: ApiFault) -> Option<Response<Full<Bytes>>> {
    match fault {
        ApiFault::TooManyRequests { retry_after_seconds: seconds } => {
            let message = "the server has received too many requests and has asked us to try again later";
            let mut response = status(StatusCode::TOO_MANY_REQUESTS, "TooManyRequests", message, seconds);
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(seconds));
            Some(response)
        }
        ApiFault::InternalError => {
            let message = "Internal error occurred: a fault was asked for";
            Some(status(StatusCode::INTERNAL_SERVER_ERROR, "InternalError", message, 0))
        }
        ApiFault::Unavailable => {
            let message = "the server is currently unable to handle the request";
            Some(status(StatusCode::SERVICE_UNAVAILABLE, "ServiceUnavailable", message, 0))
        }
        _ => None,
    }
}

fn status(code: StatusCode, reason: &str, message: &str, retry_after: u32) -> Response<Full<Bytes>> {
    let mut status = json!({
        "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
        "message": message, "reason": reason, "code": code.as_u16(),
    });
    if retry_after > 0
        && let Some(status) = status.as_object_mut()
    {
        status.insert("details".to_owned(), json!({"retryAfterSeconds": retry_after}));
    }
    let mut response = Response::new(Full::new(Bytes::from(status.to_string())));
    *response.status_mut() = code;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}
