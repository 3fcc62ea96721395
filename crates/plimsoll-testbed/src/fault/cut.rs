//! Cutting every open connection at once.

use std::sync::Mutex;
use tokio_util::sync::CancellationToken;

/// The scissors of one proxy: connections hold a token of the present time, and a cut ends that time.
#[derive(Debug, Default)]
pub(super) struct Cut(Mutex<CancellationToken>);

impl Cut {
    /// For a connection that begins now: a token that a cut cancels, and that can be cancelled alone.
    pub(super) fn token(&self) -> CancellationToken {
        super::lock(&self.0).child_token()
    }

    /// Ends every connection there is; later ones are not touched.
    pub(super) fn all(&self) {
        std::mem::take(&mut *super::lock(&self.0)).cancel();
    }
}
