//! What the interpreter asks of the host besides manifests: other scripts, and which files there are.

use super::paths;
use crate::host::{EntryKind, Host, Refusal};

/// The largest script that is read.
pub(super) const LARGEST_SCRIPT: u64 = 1024 * 1024;

/// Looks at files; it keeps nothing.
pub(super) struct Shelf<'a> {
    pub(super) host: &'a dyn Host,
}

impl Shelf<'_> {
    /// The text of a small file.
    pub(super) fn text(&self, path: &str) -> Result<String, Refusal> {
        let bytes = self.host.read(path, LARGEST_SCRIPT)?;
        String::from_utf8(bytes).map_err(|error| Refusal::Failed(error.to_string()))
    }

    pub(super) fn is_missing(&self, path: &str) -> bool {
        matches!(self.host.look(path), Err(Refusal::Missing))
    }

    /// The files that match a pattern in its last part, sorted, as the shell gives them.
    pub(super) fn matching(&self, folder: Option<&str>, pattern: &str) -> Vec<String> {
        let (inside, last) = pattern.rsplit_once('/').map_or(("", pattern), |(inside, last)| (inside, last));
        if inside.contains(['*', '?', '[']) {
            return Vec::new();
        }
        let Some(looked_in) = paths::resolve(folder, if inside.is_empty() { "." } else { inside }) else {
            return Vec::new();
        };
        let looked_in = if looked_in.is_empty() { "." } else { &looked_in };
        let entries = self.host.list(looked_in).unwrap_or_default();
        let fits = |name: &str| !name.starts_with('.') && fits(last.as_bytes(), name.as_bytes());
        let mut found: Vec<String> = entries
            .into_iter()
            .filter(|entry| matches!(entry.kind, EntryKind::File | EntryKind::Folder) && fits(&entry.name))
            .map(|entry| if inside.is_empty() { entry.name } else { format!("{inside}/{}", entry.name) })
            .collect();
        found.sort();
        found
    }
}

/// Whether a name fits a pattern of `*` and `?`.
fn fits(pattern: &[u8], name: &[u8]) -> bool {
    let (mut p, mut n) = (0, 0);
    let mut retry: Option<(usize, usize)> = None;
    while n < name.len() {
        match pattern.get(p) {
            Some(b'*') => {
                retry = Some((p + 1, n));
                p += 1;
            }
            Some(c) if *c == b'?' || Some(c) == name.get(n) => {
                p += 1;
                n += 1;
            }
            _ => match retry {
                Some((after, from)) => {
                    retry = Some((after, from + 1));
                    p = after;
                    n = from + 1;
                }
                None => return false,
            },
        }
    }
    pattern.get(p..).unwrap_or_default().iter().all(|c| *c == b'*')
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn names_fit_patterns() {
        for (pattern, name, expected) in [
            ("*.yaml", "a.yaml", true),
            ("*.yaml", "a.yml", false),
            ("?-*.y*ml", "1-x.yml", true),
            ("*a*b*", "xxaxxbxx", true),
            ("*a*b*", "xxbxxaxx", false),
            ("a", "a", true),
        ] {
            assert_eq!(fits(pattern.as_bytes(), name.as_bytes()), expected, "{pattern} {name}");
        }
    }
}
