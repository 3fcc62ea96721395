//! One request of a client: recorded, struck by a fault or not, forwarded, and its answer passed on as it comes.

use super::flow::{Fate, Flow};
use super::identity::{Identity, declare};
use super::request::Asked;
use super::rule::{ApiCall, ApiFault};
use super::{Shared, answer};
use bytes::Bytes;
use http_body_util::BodyExt as _;
use http_body_util::combinators::BoxBody;
use hyper::body::Incoming;
use hyper::header::{CONNECTION, HOST, HeaderMap, UPGRADE, USER_AGENT};
use hyper::upgrade::OnUpgrade;
use hyper::{Request, Response, StatusCode, Uri, Version};
use hyper_util::rt::TokioIo;
use jiff::Timestamp;
use std::convert::Infallible;
use std::sync::Arc;
use tokio::io::copy_bidirectional;
use tokio_util::sync::CancellationToken;

/// What answers are made of.
pub(super) type Answered = Response<BoxBody<Bytes, hyper::Error>>;

/// One client's connection.
#[derive(Clone)]
pub(super) struct Client {
    pub(super) shared: Arc<Shared>,
    pub(super) identity: Option<Identity>,
    pub(super) connection: CancellationToken,
}

impl Client {
    /// Answers one request.
    pub(super) async fn answer(self, request: Request<Incoming>) -> Result<Answered, Infallible> {
        let asked = Asked::read(request.method(), request.uri());
        let agent = text(request.headers().get(USER_AGENT));
        let number = self.shared.records.begin(self.begun(&request, &asked, &agent));
        let holds = |fault: &ApiFault| *fault == ApiFault::Hold;
        let held = |fault: &ApiFault| self.note(number, |call| call.fault = Some(*fault));
        let fault = self.shared.rules.strike(|when| when.matches(&asked, &agent), holds, held).await;
        self.note(number, |call| call.fault = fault);
        if let Some(response) = fault.and_then(answer::instead) {
            self.note(number, |call| call.code = Some(response.status().as_u16()));
            self.note(number, |call| call.ended = Some(Timestamp::now()));
            return Ok(response.map(|body| body.map_err(|never| match never {}).boxed()));
        }
        if fault == Some(ApiFault::Reset) {
            return Ok(self.reset(number).await);
        }
        Ok(self.forward(request, number, fault).await)
    }

    fn begun(&self, request: &Request<Incoming>, asked: &Asked, agent: &str) -> ApiCall {
        let uri = request.uri().path_and_query().map(ToString::to_string).unwrap_or_default();
        ApiCall {
            began: Timestamp::now(),
            user: self.identity.as_ref().map(|identity| identity.user.clone()).unwrap_or_default(),
            agent: agent.to_owned(),
            verb: asked.verb.clone(),
            uri,
            code: None,
            fault: None,
            received: 0,
            ended: None,
            failure: None,
        }
    }

    async fn forward(
        &self,
        mut request: Request<Incoming>,
        number: usize,
        fault: Option<ApiFault>,
    ) -> Answered {
        let near = hyper::upgrade::on(&mut request);
        self.address(&mut request);
        let upstream =
            if self.identity.is_some() { &self.shared.as_front_proxy } else { &self.shared.as_nobody };
        let mut response = match upstream.request(request).await {
            Ok(response) => response,
            Err(cause) => {
                // A client of an API server that is gone sees its connection break, not an answer.
                self.note(number, |call| call.failure = Some(causes(&cause)));
                return self.reset(number).await;
            }
        };
        self.note(number, |call| call.code = Some(response.status().as_u16()));
        if response.status() == StatusCode::SWITCHING_PROTOCOLS {
            let far = hyper::upgrade::on(&mut response);
            tokio::spawn(self.clone().carry(number, near, far));
        } else {
            keep_end_to_end(response.headers_mut());
        }
        let fate = Fate::of(fault, &self.connection);
        if fault == Some(ApiFault::LoseAnswer) {
            return self.reset(number).await;
        }
        let shared = Arc::clone(&self.shared);
        response.map(|body| Flow { body, fate, shared, number }.boxed())
    }

    /// Turns the request to the API server: its address, who asks, and nothing that belongs to this connection only.
    fn address(&self, request: &mut Request<Incoming>) {
        let path = request.uri().path_and_query().map_or("/", hyper::http::uri::PathAndQuery::as_str);
        let upstream = format!("https://{}{path}", self.shared.upstream);
        if let Ok(uri) = upstream.parse::<Uri>() {
            *request.uri_mut() = uri;
        }
        *request.version_mut() = Version::HTTP_11;
        let headers = request.headers_mut();
        if !headers.contains_key(UPGRADE) {
            keep_end_to_end(headers);
        }
        headers.remove(HOST);
        declare(self.identity.as_ref(), headers);
    }

    /// Bytes both ways after an upgrade: `exec`, `attach`, `port-forward`.
    async fn carry(self, number: usize, near: OnUpgrade, far: OnUpgrade) {
        if let (Ok(near), Ok(far)) = (near.await, far.await) {
            let (mut near, mut far) = (TokioIo::new(near), TokioIo::new(far));
            tokio::select! {
                _ = copy_bidirectional(&mut near, &mut far) => {}
                () = self.connection.cancelled() => {}
            }
        }
        self.note(number, |call| call.ended = Some(Timestamp::now()));
    }

    async fn reset(&self, number: usize) -> Answered {
        self.note(number, |call| call.ended = Some(Timestamp::now()));
        self.connection.cancel();
        // The connection is dropped, and this with it.
        std::future::pending().await
    }

    fn note(&self, number: usize, change: impl FnOnce(&mut ApiCall)) {
        self.shared.records.change(number, change);
    }
}

/// Removes the headers that concern one connection only (RFC 9110, 7.6.1).
fn keep_end_to_end(headers: &mut HeaderMap) {
    headers.remove(CONNECTION);
    for name in ["keep-alive", "proxy-connection", "te", "transfer-encoding", "upgrade"] {
        headers.remove(name);
    }
}

fn text(value: Option<&hyper::header::HeaderValue>) -> String {
    value.and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned()
}

/// An error and everything behind it.
fn causes(error: &dyn std::error::Error) -> String {
    let mut said = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        said = format!("{said}: {error}");
        cause = error.source();
    }
    said
}
