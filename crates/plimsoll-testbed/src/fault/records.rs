//! What passed through a proxy, for tests to look at and to wait for.

use std::time::Duration;
use tokio::sync::watch;

/// Every call so far, in the order in which they began.
#[derive(Debug)]
pub(super) struct Records<Call>(watch::Sender<Vec<Call>>);

impl<Call: Clone> Records<Call> {
    pub(super) fn new() -> Self {
        Self(watch::Sender::new(Vec::new()))
    }

    /// Notes that a call began; its number is for [`Records::change`].
    pub(super) fn begin(&self, call: Call) -> usize {
        let mut number = 0;
        self.0.send_modify(|calls| {
            number = calls.len();
            calls.push(call);
        });
        number
    }

    /// Notes what became of it.
    pub(super) fn change(&self, number: usize, change: impl FnOnce(&mut Call)) {
        self.0.send_modify(|calls| {
            if let Some(call) = calls.get_mut(number) {
                change(call);
            }
        });
    }

    pub(super) fn all(&self) -> Vec<Call> {
        self.0.borrow().clone()
    }

    /// Waits for a call like this; nothing if none comes in time.
    pub(super) async fn wait_for(&self, within: Duration, wanted: impl Fn(&Call) -> bool) -> Option<Call> {
        let mut changes = self.0.subscribe();
        let found = changes.wait_for(|calls| calls.iter().any(&wanted));
        let calls = tokio::time::timeout(within, found).await.ok()?.ok()?;
        calls.iter().find(|call| wanted(call)).cloned()
    }
}
