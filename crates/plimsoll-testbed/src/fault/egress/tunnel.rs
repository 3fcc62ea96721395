//! One `CONNECT`: decided, dialled, and then bytes both ways.

use super::rule::{EgressCall, EgressFault, EgressOutcome};
use super::{Shared, lock};
use crate::fault::transport;
use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::ext::ReasonPhrase;
use hyper::upgrade::{OnUpgrade, Upgraded};
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use jiff::Timestamp;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::io::copy_bidirectional;
use tokio::net::{TcpStream, UnixStream};
use tokio_util::io::{InspectReader, InspectWriter};

/// Answers a `CONNECT` and, if it is granted, carries its bytes from then on.
pub(super) async fn open(shared: Arc<Shared>, request: Request<Incoming>) -> Response<Full<Bytes>> {
    let asked = request.uri().to_string();
    let call = Call { number: shared.records.begin(EgressCall::new(&asked)), shared };
    let Ok(target) = asked.parse::<SocketAddr>() else {
        return call.refuse(EgressOutcome::Failed("no such host".to_owned()), "no such host");
    };
    let holds = |fault: &EgressFault| *fault == EgressFault::Hold;
    let held = |_: &EgressFault| call.note(EgressOutcome::Held);
    match call.shared.rules.strike(|when| when.matches(target), holds, held).await {
        Some(EgressFault::Refuse) => call.refuse(EgressOutcome::Refused, transport::REFUSED),
        Some(EgressFault::BlackHole) => {
            call.note(EgressOutcome::BlackHoled);
            std::future::pending().await
        }
        Some(EgressFault::Reset) => {
            tokio::spawn(call.reset(hyper::upgrade::on(request)));
            Response::default()
        }
        // What is held is let go by the rules, so that it never comes out of them.
        None | Some(EgressFault::Hold) => match call.dial(target).await {
            Ok(far) => {
                tokio::spawn(call.carry(hyper::upgrade::on(request), far));
                Response::default()
            }
            Err(cause) => call.refuse(EgressOutcome::Failed(cause.clone()), &cause),
        },
    }
}

/// A call under way.
struct Call {
    shared: Arc<Shared>,
    number: usize,
}

impl Call {
    async fn dial(&self, target: SocketAddr) -> Result<TcpStream, String> {
        let route = lock(&self.shared.routes).get(&target).copied();
        let address = match route {
            Some(address) => address,
            None if self.shared.has_pod_network => target,
            None => return Err(transport::NO_ROUTE.to_owned()),
        };
        TcpStream::connect(address).await.map_err(|cause| transport::connect_failure(&cause))
    }

    /// The reason phrase carries the cause, so that the API server's message tells it too.
    fn refuse(&self, outcome: EgressOutcome, cause: &str) -> Response<Full<Bytes>> {
        self.end(outcome);
        let mut response = Response::new(Full::default());
        *response.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
        if let Ok(phrase) = ReasonPhrase::try_from(cause.as_bytes()) {
            response.extensions_mut().insert(phrase);
        }
        response
    }

    /// A Unix socket that is closed with unread bytes resets its peer, as a TCP connection does.
    async fn reset(self, upgrade: OnUpgrade) {
        let stream = upgrade.await.ok().and_then(|upgraded| upgraded.downcast::<TokioIo<UnixStream>>().ok());
        if let Some(parts) = stream {
            let stream = parts.io.into_inner();
            // Whether bytes have come or the peer is gone: the connection ends here.
            let _ = stream.readable().await;
        }
        self.end(EgressOutcome::Reset);
    }

    async fn carry(self, upgrade: OnUpgrade, far: TcpStream) {
        let cut = self.shared.cut.token();
        let Ok(near) = upgrade.await else { return self.end(EgressOutcome::Closed) };
        self.note(EgressOutcome::Open);
        let outcome = tokio::select! {
            () = self.copy(near, far) => EgressOutcome::Closed,
            () = cut.cancelled() => EgressOutcome::Cut,
        };
        self.end(outcome);
    }

    /// Copies until both sides are done; a side that breaks ends it as well.
    async fn copy(&self, near: Upgraded, far: TcpStream) {
        let records = &self.shared.records;
        let count = |bytes: &[u8]| u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        let far = InspectReader::new(far, |bytes| {
            records.change(self.number, |call| call.received += count(bytes));
        });
        let mut far = InspectWriter::new(far, |bytes| {
            records.change(self.number, |call| call.sent += count(bytes));
        });
        let _ = copy_bidirectional(&mut TokioIo::new(near), &mut far).await;
    }

    fn note(&self, outcome: EgressOutcome) {
        self.shared.records.change(self.number, |call| call.outcome = outcome);
    }

    fn end(&self, outcome: EgressOutcome) {
        self.shared.records.change(self.number, |call| {
            call.outcome = outcome;
            call.ended = Some(Timestamp::now());
        });
    }
}
