//! Where the machine's own files are for a node, which has copies of its own: what changes there is seen here at once.

use std::path::{Path, PathBuf};

/// A path of the machine, by where its root is.
#[must_use]
pub(crate) fn path(machine: &Path, path: &Path) -> PathBuf {
    path.strip_prefix("/").map_or_else(|_| path.to_owned(), |below| machine.join(below))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absolute_paths_lie_below_the_machines_root() {
        assert_eq!(
            path(Path::new("/run/node/machine"), Path::new("/usr/bin/sh")),
            Path::new("/run/node/machine/usr/bin/sh")
        );
        assert_eq!(path(Path::new("/"), Path::new("/usr/bin/sh")), Path::new("/usr/bin/sh"));
        assert_eq!(path(Path::new("/machine"), Path::new("images.yaml")), Path::new("images.yaml"));
    }
}
