//! What a node says it has: much by default, so that a chart made for large machines can be scheduled on a small one.

use rustix::mount::{MountFlags, mount, mount_bind};
use serde::{Deserialize, Serialize};
use std::io;
use std::path::Path;
use std::str::FromStr;

/// What a node has in the eyes of its kubelet. How much works for it is the kernel's matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Capacity {
    /// Processors.
    pub processors: u16,
    /// Memory in gibibytes.
    pub gibibytes: u16,
}

impl Default for Capacity {
    fn default() -> Self {
        Self { processors: 64, gibibytes: 256 }
    }
}

/// A capacity that is not written like `4,16Gi`.
#[derive(Debug, thiserror::Error)]
#[error("{0:?} is no capacity: it is written like 4,16Gi")]
pub struct CapacityError(String);

impl FromStr for Capacity {
    type Err = CapacityError;

    fn from_str(text: &str) -> Result<Self, CapacityError> {
        let read = || {
            let (processors, memory) = text.split_once(',')?;
            let (processors, gibibytes) =
                (processors.parse().ok()?, memory.strip_suffix("Gi")?.parse().ok()?);
            (processors > 0 && gibibytes > 0).then_some(Self { processors, gibibytes })
        };
        read().ok_or_else(|| CapacityError(text.to_owned()))
    }
}

/// Where the kernel describes processors, and which of them are near to which memory.
const PROCESSORS: &str = "/sys/devices/system/cpu";
const NEARNESS: &str = "/sys/devices/system/node";

/// Where the kernel says how much memory there is.
const MEMORY: &str = "/proc/meminfo";

impl Capacity {
    /// Hides what the machine has, in this mount namespace; `folder` takes a file that must stay. The kubelet counts
    /// the folders of processors where nothing is said of their nearness, and reads `MemTotal` (cadvisor v0.56.2,
    /// `utils/sysinfo/sysinfo.go` and `machine/machine.go`).
    pub(super) fn pretend(self, folder: &Path) -> io::Result<()> {
        for hidden in [PROCESSORS, NEARNESS].into_iter().filter(|hidden| Path::new(hidden).is_dir()) {
            mount("tmpfs", hidden, "tmpfs", MountFlags::NOSUID | MountFlags::NODEV, None)?;
        }
        for number in 0..self.processors {
            std::fs::create_dir_all(Path::new(PROCESSORS).join(format!("cpu{number}")))?;
        }
        let file = folder.join("meminfo");
        std::fs::write(&file, self.memory(&std::fs::read_to_string(MEMORY)?))?;
        mount_bind(&file, MEMORY)?;
        Ok(())
    }

    /// What the kernel says of its memory, with another total.
    fn memory(self, said: &str) -> String {
        let kibibytes = u64::from(self.gibibytes) << 20;
        let lines = said.lines().map(|line| match line.strip_prefix("MemTotal:") {
            Some(_) => format!("MemTotal: {kibibytes:>15} kB\n"),
            None => format!("{line}\n"),
        });
        lines.collect()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::Capacity;

    #[test]
    fn a_capacity_is_processors_and_memory() {
        assert_eq!("4,16Gi".parse::<Capacity>().unwrap(), Capacity { processors: 4, gibibytes: 16 });
        for text in ["4", "4,16", "0,16Gi", "4,0Gi", "many,16Gi", "4,16Mi"] {
            let refused = text.parse::<Capacity>().unwrap_err().to_string();
            assert_eq!(refused, format!("{text:?} is no capacity: it is written like 4,16Gi"));
        }
    }

    #[test]
    fn only_the_total_is_another() {
        let capacity = Capacity { processors: 1, gibibytes: 2 };
        let said = "MemTotal:       24609320 kB\nMemFree:         6512000 kB\n";
        assert_eq!(capacity.memory(said), "MemTotal:         2097152 kB\nMemFree:         6512000 kB\n");
    }
}
