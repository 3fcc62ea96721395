//! Where a rendering stands at this moment, for those who wait for it on another thread.

use std::sync::atomic::{AtomicU64, Ordering};

/// The action of a file that called a function last.
#[derive(Debug, Default)]
pub(crate) struct Beacon(AtomicU64);

impl Beacon {
    /// A function is called. A text that is no file has the number 0: the action that runs it stays.
    pub(crate) fn pass(&self, file: u32, offset: u32) {
        if file != 0 {
            self.0.store(u64::from(file) << 32 | u64::from(offset), Ordering::Relaxed);
        }
    }

    /// The number of the file, and the offset of the action in it; `None` before the first.
    pub(crate) fn seen(&self) -> Option<(u32, u32)> {
        let seen = self.0.load(Ordering::Relaxed);
        let narrow = |part: u64| u32::try_from(part).unwrap_or_default();
        (seen != 0).then(|| (narrow(seen >> 32), narrow(seen & u64::from(u32::MAX))))
    }

    /// Nothing was called yet.
    pub(crate) fn reset(&self) {
        self.0.store(0, Ordering::Relaxed);
    }
}
