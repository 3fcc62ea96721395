//! A node: process 1 of a process and a mount namespace, with the container runtime and the real kubelet in them. To
//! end that process is to cut the power; to start it again is to boot.

mod capacity;
mod kubelet;
mod order;
mod root;
mod settings;

pub use capacity::{Capacity, CapacityError};
pub use settings::NodeSettings;

pub(crate) use order::{Identity, Place, address, write};

use crate::lifetime;
use crate::processes::{Children, Control};
use order::Order;
use rustix::mount::{MountFlags, mount, mount_bind};
use rustix::process::Signal;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

/// How long a slow node works and pauses in turn.
const TURN: Duration = Duration::from_millis(500);

/// Runs as process 1 of the node whose order lies in this file.
#[must_use]
pub fn live(order: &Path) -> ExitCode {
    match begin(order) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            // This is the node's log.
            let _ = writeln!(io::stderr(), "{failure}");
            ExitCode::FAILURE
        }
    }
}

fn begin(order: &Path) -> io::Result<()> {
    let order: Order = serde_json::from_str(&std::fs::read_to_string(order)?)?;
    root::enter(&order.folder)?;
    mount("proc", "/proc", "proc", MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC, None)?;
    order.capacity.pretend(&order.folder)?;
    for (from, to) in &order.binds {
        std::fs::create_dir_all(from)?;
        std::fs::create_dir_all(to)?;
        mount_bind(from, to)?;
    }
    let children = Children::new(&order.folder, true)?;
    let reaper = children.clone();
    thread::spawn(move || reaper.reap());
    for program in &order.programs {
        children.start(program)?;
    }
    if let Some(share) = order.busy_share {
        let slowed = children.clone();
        thread::spawn(move || slow_down(&slowed, share));
    }
    let control = Control::bind(&order.folder)?;
    lifetime::tell_ready()?;
    control.serve(&children, &|_| Ok(()));
    Ok(())
}

/// Lets the kubelet and the runtime work for a part of the time only, as on a machine that is busy with other things.
fn slow_down(children: &Children, share: f64) {
    loop {
        for (signal, part) in [(Signal::STOP, share), (Signal::CONT, 1.0 - share)] {
            children.signal(order::RUNTIME, signal);
            children.signal(order::KUBELET, signal);
            thread::sleep(TURN.mul_f64(part));
        }
    }
}
