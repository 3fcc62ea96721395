//! The files of a container: a copy-on-write view of this machine with the pod's mounts at their real paths.

use super::{InsideError, Mount, Specification, devices, step};
use rustix::fs::{CWD, Mode, OFlags, XattrFlags, open};
use rustix::io::Errno;
use rustix::mount::{MountFlags, UnmountFlags, mount, mount_bind_recursive, mount_remount, unmount};
use rustix::process::{chdir, pivot_root};
use std::fs::{self, File, Permissions};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Folders that are the machine's own business: empty in a container, like an image's.
const HIDDEN: [(&str, u32); 7] = [
    ("tmp", 0o1777),
    ("var/tmp", 0o1777),
    ("run", 0o755),
    ("var/lib/kubelet", 0o755),
    ("var/log", 0o755),
    ("mnt", 0o755),
    ("srv", 0o755),
];

/// Makes the container's files the root of this process. The machine's are out of reach afterwards.
pub(super) fn prepare(specification: &Specification) -> Result<(), InsideError> {
    // Opened while the machine's paths still mean what they say; mounted when the container's do, so that links such
    // as /var/run lead to where the container has them.
    let sources = specification.mounts.iter().map(opened).collect::<Result<Vec<_>, _>>()?;
    let root = layers(&specification.machine, &specification.folder)?;
    system(&root)?;
    chdir(&root).map_err(step("enter the root folder"))?;
    // The machine's files lie over the container's now, invisible from `/`, and can still be bound.
    pivot_root(".", ".").map_err(step("pivot to the root folder"))?;
    for (source, wanted) in sources.iter().zip(&specification.mounts) {
        bind(source, wanted)?;
    }
    unmount(".", UnmountFlags::DETACH).map_err(step("leave the machine's files"))?;
    chdir("/").map_err(step("enter /"))?;
    if specification.read_only {
        mount_remount("/", MountFlags::BIND | MountFlags::RDONLY, c"").map_err(step("make / read-only"))?;
    }
    Ok(())
}

fn opened(wanted: &Mount) -> Result<OwnedFd, InsideError> {
    let flags = OFlags::PATH | OFlags::CLOEXEC;
    let named = || format!("open {}", wanted.from.display());
    match open(&wanted.from, flags, Mode::empty()) {
        // A path of the node that nobody has made is a folder, as with other runtimes.
        Err(Errno::NOENT) => {
            fs::create_dir_all(&wanted.from).map_err(step(named()))?;
            open(&wanted.from, flags, Mode::empty()).map_err(step(named()))
        }
        opened => opened.map_err(step(named())),
    }
}

/// The overlay of this machine's files.
fn layers(machine: &Path, folder: &Path) -> Result<PathBuf, InsideError> {
    let [upper, work, root] = ["upper", "work", "root"].map(|name| folder.join(name));
    for folder in [&upper, &work, &root] {
        fs::create_dir_all(folder).map_err(step(format!("create {}", folder.display())))?;
    }
    fs::set_permissions(&upper, Permissions::from_mode(0o755)).map_err(step("open the upper layer"))?;
    for (hidden, mode) in HIDDEN {
        hide(machine, &upper, (hidden, mode))?;
    }
    let [lower, upper, work] = [machine, &upper, &work].map(Path::display);
    let data = format!("lowerdir={lower},upperdir={upper},workdir={work}");
    let data = std::ffi::CString::new(data).map_err(|error| step("mount /")(std::io::Error::from(error)))?;
    mount("overlay", &root, "overlay", MountFlags::empty(), Some(data.as_c_str()))
        .map_err(step(format!("mount an overlay of / at {}", root.display())))?;
    Ok(root)
}

/// An opaque folder in the upper layer, if the machine has it as a folder of its own.
fn hide(machine: &Path, upper: &Path, (hidden, mode): (&str, u32)) -> Result<(), InsideError> {
    let below = machine.join(hidden);
    if !fs::symlink_metadata(&below).is_ok_and(|data| data.is_dir()) {
        return Ok(());
    }
    let folder = upper.join(hidden);
    let named = || format!("hide /{hidden}");
    fs::create_dir_all(&folder).map_err(step(named()))?;
    fs::set_permissions(&folder, Permissions::from_mode(mode)).map_err(step(named()))?;
    rustix::fs::setxattr(&folder, "trusted.overlay.opaque", b"y", XattrFlags::empty()).map_err(step(named()))
}

/// The kernel's own file systems.
fn system(root: &Path) -> Result<(), InsideError> {
    let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
    mount("proc", root.join("proc"), "proc", flags, None).map_err(step("mount /proc"))?;
    mount("sysfs", root.join("sys"), "sysfs", flags | MountFlags::RDONLY, None)
        .map_err(step("mount /sys"))?;
    devices::prepare(&root.join("dev"))
}

fn bind(source: &OwnedFd, wanted: &Mount) -> Result<(), InsideError> {
    let named = || format!("mount {}", wanted.to.display());
    let data = rustix::fs::statat(source, "", rustix::fs::AtFlags::EMPTY_PATH).map_err(step(named()))?;
    if rustix::fs::FileType::from_raw_mode(data.st_mode) == rustix::fs::FileType::Directory {
        fs::create_dir_all(&wanted.to).map_err(step(named()))?;
    } else if rustix::fs::accessat(CWD, &wanted.to, rustix::fs::Access::EXISTS, rustix::fs::AtFlags::empty())
        .is_err()
    {
        wanted.to.parent().map_or(Ok(()), fs::create_dir_all).map_err(step(named()))?;
        File::create(&wanted.to).map_err(step(named()))?;
    }
    mount_bind_recursive(format!("/proc/self/fd/{}", source.as_raw_fd()), &wanted.to)
        .map_err(step(named()))?;
    if wanted.read_only {
        mount_remount(&wanted.to, MountFlags::BIND | MountFlags::RDONLY, c"").map_err(step(named()))?;
    }
    Ok(())
}
