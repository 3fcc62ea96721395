//! The body of a forwarded answer: passed on piece by piece as it comes, counted, and ended early by a fault.

use super::Shared;
use super::rule::ApiFault;
use bytes::Bytes;
use hyper::body::{Body, Frame, Incoming, SizeHint};
use jiff::Timestamp;
use std::future::Future as _;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tokio::time::Sleep;
use tokio_util::sync::CancellationToken;

/// An answer that flows through.
pub(super) struct Flow {
    pub(super) body: Incoming,
    pub(super) fate: Option<Fate>,
    pub(super) shared: Arc<Shared>,
    pub(super) number: usize,
}

/// How and when an answer ends before its time.
pub(super) struct Fate {
    time: Pin<Box<Sleep>>,
    end: End,
    connection: CancellationToken,
}

#[derive(Clone, Copy)]
enum End {
    Closed,
    Broken,
    Stalled,
}

impl Fate {
    /// The fate that a fault holds for an answer that begins now.
    pub(super) fn of(fault: Option<ApiFault>, connection: &CancellationToken) -> Option<Self> {
        let (end, after) = match fault? {
            ApiFault::Close { after } => (End::Closed, after),
            ApiFault::Break { after } => (End::Broken, after),
            ApiFault::Stall { after } => (End::Stalled, after),
            _ => return None,
        };
        Some(Self { time: Box::pin(tokio::time::sleep(after)), end, connection: connection.clone() })
    }
}

impl Body for Flow {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        if let Some(fate) = &mut self.fate
            && fate.time.as_mut().poll(context).is_ready()
        {
            return match fate.end {
                End::Closed => Poll::Ready(None),
                End::Broken => {
                    fate.connection.cancel();
                    Poll::Pending
                }
                End::Stalled => Poll::Pending,
            };
        }
        let frame = Pin::new(&mut self.body).poll_frame(context);
        if let Poll::Ready(Some(Ok(frame))) = &frame
            && let Some(data) = frame.data_ref()
        {
            let count = u64::try_from(data.len()).unwrap_or(u64::MAX);
            self.shared.records.change(self.number, |call| call.received += count);
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.fate.is_none() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for Flow {
    fn drop(&mut self) {
        self.shared.records.change(self.number, |call| call.ended = Some(Timestamp::now()));
    }
}
