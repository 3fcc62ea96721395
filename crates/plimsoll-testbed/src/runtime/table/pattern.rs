//! Names of images and the patterns that match them.

use serde::Deserialize;

/// An image pattern: `*` stands for any characters, `?` for one. Without a tag it matches every tag and digest;
/// `docker.io/` and `library/` may be left out on either side, as in pods.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(from = "String")]
pub struct Pattern(String);

impl From<String> for Pattern {
    fn from(text: String) -> Self {
        Self(familiar(&text).to_owned())
    }
}

impl Pattern {
    /// Whether the pattern matches an image as a pod names it.
    #[must_use]
    pub fn matches(&self, image: &str) -> bool {
        let image = familiar(image);
        let (undigested, _) = image.split_once('@').unwrap_or((image, ""));
        if self.0.contains('@') {
            return glob(&self.0, image);
        }
        if tag_at(&self.0).is_some() {
            return match tag_at(undigested) {
                Some(_) => glob(&self.0, undigested),
                None => glob(&self.0, &format!("{undigested}:latest")),
            };
        }
        glob(&self.0, tag_at(undigested).map_or(undigested, |(repository, _)| repository))
    }
}

/// The name as people write it.
fn familiar(name: &str) -> &str {
    let name = name.strip_prefix("docker.io/").unwrap_or(name);
    name.strip_prefix("library/").unwrap_or(name)
}

/// Repository and tag; a colon before the last slash is a registry's port.
fn tag_at(name: &str) -> Option<(&str, &str)> {
    name.rsplit_once(':').filter(|(_, tag)| !tag.contains('/'))
}

/// Whether a text matches `*` and `?`.
pub(super) fn glob(pattern: &str, text: &str) -> bool {
    let mut pattern_rest = pattern.chars();
    match pattern_rest.next() {
        None => text.is_empty(),
        Some('*') => {
            let rest = pattern_rest.as_str();
            text.char_indices().any(|(at, _)| glob(rest, text.get(at..).unwrap_or_default()))
                || glob(rest, "")
        }
        Some(wanted) => {
            let mut text_rest = text.chars();
            text_rest.next().is_some_and(|found| wanted == '?' || wanted == found)
                && glob(pattern_rest.as_str(), text_rest.as_str())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_as_people_mean_them() {
        let cases = [
            ("busybox", "busybox", true),
            ("busybox", "docker.io/library/busybox:1.36", true),
            ("docker.io/library/busybox", "busybox:1.36", true),
            ("busybox", "acme/busybox", false),
            ("*/busybox", "registry.acme.io:5000/tools/busybox@sha256:0a", true),
            ("busybox:1.*", "busybox:1.36", true),
            ("busybox:1.*", "busybox:2.0", false),
            ("busybox:latest", "busybox", true),
            ("registry:5000/web", "registry:5000/web:3", true),
            ("quay.io/*/controller", "quay.io/a/b/controller:v1", true),
            ("quay.io/*/controller", "quay.io/a/b/controllers:v1", false),
            ("web@sha256:0a*", "web:1@sha256:0abc", false),
            ("web*@sha256:0a*", "web:1@sha256:0abc", true),
            ("*", "anything/at:all", true),
        ];
        for (pattern, image, expected) in cases {
            assert_eq!(Pattern::from(pattern.to_owned()).matches(image), expected, "{pattern} {image}");
        }
    }
}
