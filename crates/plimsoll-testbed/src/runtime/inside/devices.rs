//! The `/dev` of a container: the harmless devices, terminals of its own, and nothing of the machine's disks.

use super::{InsideError, step};
use rustix::mount::{MountFlags, mount, mount_bind};
use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::path::Path;

/// The devices every container has.
const DEVICES: [&str; 6] = ["null", "zero", "full", "random", "urandom", "tty"];

/// Fills `dev`, the container's `/dev` seen from outside.
pub(super) fn prepare(dev: &Path) -> Result<(), InsideError> {
    let flags = MountFlags::NOSUID;
    fs::create_dir_all(dev).map_err(step("create /dev"))?;
    mount("tmpfs", dev, "tmpfs", flags, Some(c"mode=755")).map_err(step("mount /dev"))?;
    for device in DEVICES {
        let target = dev.join(device);
        File::create(&target).map_err(step(format!("create /dev/{device}")))?;
        mount_bind(Path::new("/dev").join(device), &target).map_err(step(format!("bind /dev/{device}")))?;
    }
    for (folder, kind, data) in [
        ("pts", "devpts", c"newinstance,ptmxmode=0666,mode=0620"),
        ("shm", "tmpfs", c"mode=1777,size=65536k"),
    ] {
        let target = dev.join(folder);
        fs::create_dir(&target).map_err(step(format!("create /dev/{folder}")))?;
        mount(kind, &target, kind, flags, Some(data)).map_err(step(format!("mount /dev/{folder}")))?;
    }
    let links = [("ptmx", "pts/ptmx"), ("fd", "/proc/self/fd"), ("stdin", "/proc/self/fd/0")];
    for (name, to) in links.into_iter().chain([("stdout", "/proc/self/fd/1"), ("stderr", "/proc/self/fd/2")])
    {
        symlink(to, dev.join(name)).map_err(step(format!("link /dev/{name}")))?;
    }
    Ok(())
}
