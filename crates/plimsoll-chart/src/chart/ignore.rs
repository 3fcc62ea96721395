//! `.helmignore`: patterns of Go's `filepath.Match`, by name or by path.

use super::ChartFailure;
use crate::glob;

/// The patterns of a chart.
#[derive(Debug)]
pub(super) struct Rules(Vec<Rule>);

#[derive(Debug)]
struct Rule {
    pattern: String,
    is_negated: bool,
    only_folders: bool,
    by_name: bool,
}

impl Default for Rules {
    /// Hidden files below `templates/` are never read.
    fn default() -> Self {
        Self(vec![Rule::new("templates/.?*")])
    }
}

impl Rules {
    pub(super) fn parse(text: &str) -> Result<Self, ChartFailure> {
        let mut rules = Vec::new();
        for line in text.trim_start_matches('\u{FEFF}').lines().map(str::trim) {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if line.contains("**") {
                let cause = format!("the pattern {line} has two stars, which Helm does not know");
                return Err(ChartFailure::Broken { path: ".helmignore".to_owned(), cause });
            }
            rules.push(Rule::new(line));
        }
        let Self(defaults) = Self::default();
        rules.extend(defaults);
        Ok(Self(rules))
    }

    /// Whether a path is left out. A negated pattern leaves out all that it does not match, as Helm has it.
    pub(super) fn ignore(&self, path: &str, is_folder: bool) -> bool {
        for rule in &self.0 {
            let wrong_kind = rule.only_folders && !is_folder;
            if rule.is_negated && (wrong_kind || !rule.matches(path)) {
                return true;
            }
            if !rule.is_negated && !wrong_kind && rule.matches(path) {
                return true;
            }
        }
        false
    }
}

impl Rule {
    fn new(line: &str) -> Self {
        let (is_negated, pattern) = line.strip_prefix('!').map_or((false, line), |rest| (true, rest));
        let (only_folders, pattern) = pattern.strip_suffix('/').map_or((false, pattern), |rest| (true, rest));
        let (by_name, pattern) = match pattern.strip_prefix('/') {
            Some(rest) => (false, rest),
            None => (!pattern.contains('/'), pattern),
        };
        Self { pattern: pattern.to_owned(), is_negated, only_folders, by_name }
    }

    fn matches(&self, path: &str) -> bool {
        let subject = if self.by_name { path.rsplit('/').next().unwrap_or(path) } else { path };
        let is_plain = |pattern: &str| !pattern.contains(['*', '?', '[', '\\']);
        // Most patterns are a name or an ending, and most files are neither.
        match self.pattern.strip_prefix('*') {
            None if is_plain(&self.pattern) => subject == self.pattern,
            Some(ending) if self.by_name && is_plain(ending) => subject.ends_with(ending),
            _ => glob::matches_path(&self.pattern, subject),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Rule, Rules};
    use crate::glob;

    #[test]
    fn patterns_leave_files_out() {
        let rules = Rules::parse("# a comment\n*.swp\n/ci\nbuild/\ndocs/*.md\n").unwrap();
        for (path, is_folder) in
            [("a/b.swp", false), ("ci", true), ("build", true), ("docs/a.md", false), ("templates/.x", false)]
        {
            assert!(rules.ignore(path, is_folder), "{path}");
        }
        for (path, is_folder) in
            [("a/ci", true), ("build", false), ("docs/a/b.md", false), ("templates/x", false)]
        {
            assert!(!rules.ignore(path, is_folder), "{path}");
        }
        assert!(Rules::parse("a/**").is_err());
    }

    #[test]
    fn names_and_endings_are_found_as_patterns_are() {
        for pattern in ["*.swp", "*~", "*", "a", "/a", "a/b", "a/*.c", "*/b", ".?*", "*[a]", "", "*.swp/"] {
            let rule = Rule::new(pattern);
            for path in
                ["a", "b", "a/b", "a/b.c", "x.swp", "a/x.swp", "a/.swp", "x.swp.y", "a~", ".a", "é.swp"]
            {
                let name = path.rsplit('/').next().unwrap_or(path);
                let subject = if rule.by_name { name } else { path };
                assert_eq!(
                    rule.matches(path),
                    glob::matches_path(&rule.pattern, subject),
                    "{pattern} {path}"
                );
            }
        }
    }
}
