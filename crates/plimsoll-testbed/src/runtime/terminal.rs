//! A pseudo-terminal for a program that wants one.

use rustix::pty::{OpenptFlags, grantpt, ioctl_tiocgptpeer, openpt, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, OwnedFd};

/// Both ends of a terminal.
#[derive(Debug)]
pub(crate) struct Terminal {
    /// The runtime's end.
    pub(crate) ours: File,
    /// The program's end.
    pub(crate) theirs: OwnedFd,
}

impl Terminal {
    /// A new terminal.
    pub(crate) fn open() -> io::Result<Self> {
        let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
        let ours = openpt(flags)?;
        grantpt(&ours)?;
        unlockpt(&ours)?;
        let theirs = ioctl_tiocgptpeer(&ours, flags)?;
        Ok(Self { ours: File::from(ours), theirs })
    }
}

/// Tells a terminal its size.
pub(crate) fn resize(terminal: impl AsFd, columns: u16, rows: u16) -> io::Result<()> {
    let size = Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    Ok(tcsetwinsize(terminal, size)?)
}
