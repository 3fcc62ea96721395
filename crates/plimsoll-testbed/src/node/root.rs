//! The files of a node: this machine's, copied on write, so that what pods do to their node's files happens on that node
//! alone. They stay when it reboots, and go with the cluster.

use rustix::fs::{AtFlags, CWD, StatxFlags, statx};
use rustix::mount::{
    MountFlags, UnmountFlags, mount, mount_bind, mount_bind_recursive, mount_remount, unmount,
};
use rustix::process::{chdir, pivot_root};
use std::ffi::CString;
use std::io;
use std::path::{Path, PathBuf};

/// Where a node has this machine's files as they are, below its folder.
pub(super) const MACHINE: &str = "machine";

/// What is the cluster's or the kernel's own, and therefore stands on the node as it is.
const AS_THEY_ARE: [&str; 4] = ["/proc", "/sys", "/run", "/var/log"];

/// File systems of the kernel that cannot be copied on write.
const OF_THE_KERNEL: [&str; 4] = ["devpts", "mqueue", "cgroup2", "hugetlbfs"];

/// Makes the node's files the root of this process; those of the machine lie in the node's folder then.
pub(super) fn enter(folder: &Path) -> io::Result<()> {
    let (machine, root) = (folder.join(MACHINE), folder.join("root"));
    for folder in [&machine, &root] {
        std::fs::create_dir_all(folder)?;
    }
    let mounted = std::fs::read_to_string("/proc/self/mountinfo")?;
    let mut points: Vec<Point> = mounted.lines().filter_map(Point::read).filter(Point::is_visible).collect();
    // A folder before what is mounted in it.
    points.sort_by(|one, other| one.path.cmp(&other.path));
    for (number, point) in points.iter().enumerate() {
        point.mount(&root, &folder.join("layers").join(number.to_string()))?;
    }
    mount_bind_recursive("/", below(&root, &machine))?;
    chdir(&root)?;
    pivot_root(".", ".")?;
    unmount(".", UnmountFlags::DETACH)?;
    Ok(chdir("/")?)
}

/// An absolute path under another root.
fn below(root: &Path, path: &Path) -> PathBuf {
    root.join(path.strip_prefix("/").unwrap_or(path))
}

/// Something that is mounted on this machine.
#[derive(Debug, PartialEq, Eq)]
struct Point {
    number: u64,
    path: PathBuf,
    kind: String,
}

impl Point {
    /// A line of `/proc/self/mountinfo`: proc_pid_mountinfo(5).
    fn read(line: &str) -> Option<Self> {
        let (fields, behind) = line.split_once(" - ")?;
        let mut fields = fields.split(' ');
        let number = fields.next()?.parse().ok()?;
        let path = fields.nth(3)?.replace("\\040", " ").into();
        Some(Self { number, path, kind: behind.split(' ').next()?.to_owned() })
    }

    /// Whether nothing else is mounted over it.
    fn is_visible(&self) -> bool {
        let found = statx(CWD, &self.path, AtFlags::SYMLINK_NOFOLLOW, StatxFlags::MNT_ID);
        found.is_ok_and(|found| found.stx_mnt_id == self.number)
    }

    /// Mounts it at its place below the root, with its changes in `layers`.
    fn mount(&self, root: &Path, layers: &Path) -> io::Result<()> {
        let target = below(root, &self.path);
        let stays = AS_THEY_ARE.iter().any(|folder| self.path.starts_with(folder))
            || OF_THE_KERNEL.contains(&self.kind.as_str());
        if stays {
            return self.at(mount_bind(&self.path, &target));
        }
        if self.path.is_dir() && self.overlay(&target, layers).is_ok() {
            return Ok(());
        }
        // A single file, or a file system that nothing can be laid over.
        self.at(mount_bind(&self.path, &target))?;
        self.at(mount_remount(&target, MountFlags::BIND | MountFlags::RDONLY, c""))
    }

    fn overlay(&self, target: &Path, layers: &Path) -> io::Result<()> {
        let [upper, work] = ["upper", "work"].map(|name| layers.join(name));
        std::fs::create_dir_all(&upper)?;
        std::fs::create_dir_all(&work)?;
        std::fs::set_permissions(&upper, std::fs::metadata(&self.path)?.permissions())?;
        let [lower, upper, work] = [&self.path, &upper, &work].map(|path| path.display().to_string());
        let data = CString::new(format!("lowerdir={lower},upperdir={upper},workdir={work}"))?;
        Ok(mount("overlay", target, "overlay", MountFlags::empty(), Some(data.as_c_str()))?)
    }

    fn at(&self, done: rustix::io::Result<()>) -> io::Result<()> {
        done.map_err(|cause| {
            let cause = io::Error::from(cause);
            io::Error::new(cause.kind(), format!("mount {} on the node: {cause}", self.path.display()))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_mount_table_are_read() {
        let line =
            "36 35 98:0 /mnt1 /mnt/my\\040disk rw,noatime master:1 - ext3 /dev/root rw,errors=continue";
        let expected = Point { number: 36, path: "/mnt/my disk".into(), kind: "ext3".to_owned() };
        assert_eq!(Point::read(line), Some(expected));
        assert_eq!(Point::read("nothing of that sort"), None);
    }

    #[test]
    fn the_root_is_visible_and_what_lies_under_another_is_not() {
        let table = std::fs::read_to_string("/proc/self/mountinfo").expect("a table");
        let visible: Vec<Point> = table.lines().filter_map(Point::read).filter(Point::is_visible).collect();
        assert_eq!(visible.iter().filter(|point| point.path == Path::new("/")).count(), 1);
    }
}
