//! Patterns for paths: Go's `filepath.Match`, and `github.com/gobwas/glob` v0.2.3 with `/` as separator.

/// Whether a path fits a pattern with `*`, `?` and `[…]`, none of which takes a slash.
pub(crate) fn matches_path(pattern: &str, path: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let path: Vec<char> = path.chars().collect();
    Matcher { has_groups: false }.matches(&pattern, &path)
}

/// The same with `**`, which takes slashes, and `{a,b}`.
pub(crate) fn matches_glob(pattern: &str, path: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let path: Vec<char> = path.chars().collect();
    Matcher { has_groups: true }.matches(&pattern, &path)
}

struct Matcher {
    has_groups: bool,
}

impl Matcher {
    fn matches(&self, pattern: &[char], path: &[char]) -> bool {
        match pattern {
            [] => path.is_empty(),
            ['*', '*', rest @ ..] if self.has_groups => {
                (0..=path.len()).any(|taken| self.matches(rest, path.get(taken..).unwrap_or_default()))
            }
            ['*', rest @ ..] => {
                let longest = path.iter().take_while(|next| **next != '/').count();
                (0..=longest).any(|taken| self.matches(rest, path.get(taken..).unwrap_or_default()))
            }
            ['{', inner @ ..] if self.has_groups => self.group(inner, path),
            ['[', inner @ ..] => self.class(inner, path),
            ['?', rest @ ..] => match path {
                [next, behind @ ..] if *next != '/' => self.matches(rest, behind),
                _ => false,
            },
            ['\\', escaped, rest @ ..] => match path {
                [next, behind @ ..] if next == escaped => self.matches(rest, behind),
                _ => false,
            },
            [first, rest @ ..] => match path {
                [next, behind @ ..] if next == first => self.matches(rest, behind),
                _ => false,
            },
        }
    }

    /// `{a,b}`, whose brace was read.
    fn group(&self, inner: &[char], path: &[char]) -> bool {
        let mut depth = 0;
        let mut start = 0;
        let mut choices = Vec::new();
        for (index, character) in inner.iter().enumerate() {
            match character {
                '{' => depth += 1,
                ',' if depth == 0 => {
                    choices.push(start..index);
                    start = index + 1;
                }
                '}' if depth == 0 => {
                    choices.push(start..index);
                    let rest = inner.get(index + 1..).unwrap_or_default();
                    return choices.into_iter().any(|choice| {
                        let choice = inner.get(choice).unwrap_or_default();
                        self.matches(&[choice, rest].concat(), path)
                    });
                }
                '}' => depth -= 1,
                _ => {}
            }
        }
        false
    }

    /// `[a-z]`, whose bracket was read.
    fn class(&self, inner: &[char], path: &[char]) -> bool {
        let ([next, behind @ ..], Some(end)) = (path, inner.iter().skip(1).position(|next| *next == ']'))
        else {
            return false;
        };
        let (class, rest) = (inner.get(..=end).unwrap_or_default(), inner.get(end + 2..).unwrap_or_default());
        let (is_negated, class) = match class {
            ['^' | '!', class @ ..] => (true, class),
            class => (false, class),
        };
        let mut found = false;
        let mut class = class;
        while let [first, tail @ ..] = class {
            if let ['-', last, behind @ ..] = tail {
                found |= (first..=last).contains(&next);
                class = behind;
            } else {
                found |= first == next;
                class = tail;
            }
        }
        found != is_negated && *next != '/' && self.matches(rest, behind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs_take_slashes_only_with_two_stars() {
        for (pattern, path) in [
            ("files/*.txt", "files/a.txt"),
            ("files/**", "files/a/b.txt"),
            ("**.yaml", "a/b.yaml"),
            ("{a,b/c}*", "b/cd"),
            ("[a-c]?", "bx"),
            ("config/**.{json,yaml}", "config/x/y.json"),
        ] {
            assert!(matches_glob(pattern, path), "{pattern} {path}");
        }
        for (pattern, path) in [("*", "a/b"), ("files/*", "files/a/b"), ("[!a]", "a"), ("?", "/")] {
            assert!(!matches_glob(pattern, path), "{pattern} {path}");
        }
        assert!(!matches_path("a**", "a/b"));
    }
}
