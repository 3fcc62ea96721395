//! Paths as a script follows them: joined to the current folder, without looking at the disk.

pub(crate) use plimsoll_kustomize::normal;

/// A path seen from the folder the script is in; `None` where that folder is not known.
pub(crate) fn resolve(folder: Option<&str>, path: &str) -> Option<String> {
    if path.starts_with('/') {
        return Some(normal(path));
    }
    let folder = folder?;
    Some(if folder.is_empty() { normal(path) } else { normal(&format!("{folder}/{path}")) })
}

/// The folder a path is in, as `dirname` prints it.
pub(crate) fn parent(path: &str) -> &str {
    match path.trim_end_matches('/').rsplit_once('/') {
        None => ".",
        Some(("", _)) => "/",
        Some((folder, _)) => folder,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_followed_lexically() {
        for (folder, path, expected) in [
            ("", "a.yaml", "a.yaml"),
            ("k8s", "./a.yaml", "k8s/a.yaml"),
            ("k8s/base", "../a.yaml", "k8s/a.yaml"),
            ("k8s", "..", ""),
            ("", "../x", "../x"),
            ("a", "/etc/x", "/etc/x"),
            ("/", "../x", "/x"),
        ] {
            assert_eq!(resolve(Some(folder), path).as_deref(), Some(expected), "{folder} + {path}");
        }
        assert_eq!(resolve(None, "a"), None);
        assert_eq!((parent("a/b.sh"), parent("b.sh"), parent("/b"), parent("a/b/")), ("a", ".", "/", "a"));
    }
}
