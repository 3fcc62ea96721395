//! What the user wants left out: `--exclude` patterns and `.plimsollignore` files, both in gitignore syntax.

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// The name of the files that list what is left out.
pub(crate) const FILE_NAME: &str = ".plimsollignore";

/// The patterns that hold below one folder.
#[derive(Debug, Clone)]
pub(crate) struct Ignored {
    folder: String,
    patterns: Gitignore,
}

impl Ignored {
    /// Patterns, one a line, that hold below a folder; and the lines, from 1, that are no patterns.
    pub(crate) fn new<'l>(folder: &str, lines: impl IntoIterator<Item = &'l str>) -> (Self, Vec<u32>) {
        let mut builder = GitignoreBuilder::new("");
        let mut broken = Vec::new();
        for (number, line) in (1u32..).zip(lines) {
            if builder.add_line(None, line).is_err() {
                broken.push(number);
            }
        }
        let patterns = builder.build().unwrap_or_else(|_| Gitignore::empty());
        (Self { folder: folder.to_owned(), patterns }, broken)
    }

    fn matched(&self, path: &str, is_folder: bool) -> Option<bool> {
        let below = path.strip_prefix(&*self.folder)?.trim_start_matches('/');
        match self.patterns.matched(below, is_folder) {
            Match::None => None,
            Match::Ignore(_) => Some(true),
            Match::Whitelist(_) => Some(false),
        }
    }
}

/// Whether a path is left out: the innermost patterns that speak of it decide.
pub(crate) fn leaves_out(ignored: &[Ignored], path: &str, is_folder: bool) -> bool {
    ignored.iter().rev().find_map(|patterns| patterns.matched(path, is_folder)).unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_those_of_gitignore() {
        let (outer, broken) =
            Ignored::new("k8s", ["# comment", "*.gen.yaml", "/old/", "a[z-a]", "docs/**/x.yaml"]);
        assert_eq!(broken, [4]);
        let (inner, _) = Ignored::new("k8s/sub", ["!keep.gen.yaml"]);
        let ignored = [outer, inner];
        assert!(leaves_out(&ignored, "k8s/a.gen.yaml", false));
        assert!(leaves_out(&ignored, "k8s/old", true));
        assert!(!leaves_out(&ignored, "k8s/sub/old", true));
        assert!(!leaves_out(&ignored, "k8s/sub/keep.gen.yaml", false));
        assert!(leaves_out(&ignored, "k8s/docs/deep/x.yaml", false));
        assert!(!leaves_out(&ignored, "k8s/b.yaml", false));
    }
}
