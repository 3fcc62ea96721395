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
        glob::matches_path(&self.pattern, subject)
    }
}

#[cfg(test)]
mod tests {
    use super::Rules;

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
}
