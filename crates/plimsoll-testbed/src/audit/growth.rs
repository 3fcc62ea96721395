//! Waking when a file may have grown.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::inotify;
use rustix::io::Errno;
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::time::{Duration, Instant};

/// A watch on a folder: wakes when a file in it is written, made or renamed.
///
/// The folder and not the file, because the server makes the file late and renames it when it is full.
#[derive(Debug)]
pub(super) struct Growth(OwnedFd);

impl Growth {
    pub(super) fn in_folder(folder: &Path) -> std::io::Result<Self> {
        let watch = inotify::init(inotify::CreateFlags::CLOEXEC | inotify::CreateFlags::NONBLOCK)?;
        let changes =
            inotify::WatchFlags::MODIFY | inotify::WatchFlags::CREATE | inotify::WatchFlags::MOVED_TO;
        inotify::add_watch(&watch, folder, changes)?;
        Ok(Self(watch))
    }

    /// Waits for the next change or the deadline; false if the deadline came first. Changes since the last call count.
    pub(super) fn wait_until(&self, deadline: Instant) -> std::io::Result<bool> {
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let mut waiting = [PollFd::new(&self.0, PollFlags::IN)];
            match poll(&mut waiting, Some(&span(left))) {
                Ok(0) => return Ok(false),
                Ok(_) => {
                    self.forget()?;
                    return Ok(true);
                }
                Err(Errno::INTR) => {}
                Err(cause) => return Err(cause.into()),
            }
        }
    }

    /// Takes the changes out of the queue; what they were does not matter, the file itself is read again.
    fn forget(&self) -> std::io::Result<()> {
        let mut buffer = [MaybeUninit::uninit(); 4096];
        let mut changes = inotify::Reader::new(&self.0, &mut buffer);
        loop {
            match changes.next() {
                Ok(_) => {}
                Err(Errno::AGAIN) => return Ok(()),
                Err(cause) => return Err(cause.into()),
            }
        }
    }
}

fn span(left: Duration) -> Timespec {
    Timespec {
        tv_sec: i64::try_from(left.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: left.subsec_nanos().into(),
    }
}
