//! The name under which a finding is known from one run to the next.
//!
//! It rests on what the finding is about and never on lines, order or wording, so that it survives edits and moves.

use plimsoll_model::{Finding, ObjectId};

/// The name of a finding: 32 hexadecimal digits.
pub(super) fn fingerprint(finding: &Finding) -> String {
    let mut digest = Digest::new();
    digest.add(finding.rule.0);
    add_object(&mut digest, &finding.before.object);
    add_object(&mut digest, &finding.after.object);
    digest.add(finding.class.word());
    digest.add(finding.operation.word());
    format!("{:032x}", digest.0)
}

fn add_object(digest: &mut Digest, id: &ObjectId) {
    digest.add(id.group());
    digest.add(id.kind());
    digest.add(id.namespace().unwrap_or(""));
    digest.add(without_line(without_generated_suffix(id.name()), id.kind()));
}

/// The name of a step is its file and line; the line moves with every edit above it.
fn without_line<'a>(name: &'a str, kind: &str) -> &'a str {
    match name.rsplit_once(':') {
        Some((file, line)) if kind == "Step" && line.bytes().all(|byte| byte.is_ascii_digit()) => file,
        _ => name,
    }
}

/// A name without the hash that kustomize or a controller put at its end.
fn without_generated_suffix(name: &str) -> &str {
    let Some((stem, last)) = name.rsplit_once('-') else {
        return name;
    };
    if is_hash(last, 8..=10) {
        return stem;
    }
    // A pod of a Deployment carries the hash of its template and then five letters of its own.
    match stem.rsplit_once('-') {
        Some((stem, hash)) if is_hash(hash, 8..=10) && last.len() == 5 && is_safe(last) => stem,
        _ => name,
    }
}

/// Kubernetes and kustomize write hashes without vowels and without 0, 1 and 3; a word of a name has one of those,
/// or no digit.
fn is_hash(text: &str, lengths: std::ops::RangeInclusive<usize>) -> bool {
    lengths.contains(&text.len())
        && is_safe(text)
        && text.bytes().any(|byte| byte.is_ascii_digit())
        && text.bytes().any(|byte| byte.is_ascii_alphabetic())
}

fn is_safe(text: &str) -> bool {
    text.bytes().all(|byte| b"bcdfghjklmnpqrstvwxz2456789".contains(&byte))
}

/// FNV-1a with 128 bits: the same on every machine and in every release.
struct Digest(u128);

impl Digest {
    fn new() -> Self {
        Self(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }

    /// Adds a text and its end, so that two texts never run into each other.
    fn add(&mut self, text: &str) {
        for byte in text.bytes().chain([0]) {
            self.0 = (self.0 ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;
    use plimsoll_model::Operation;

    #[test]
    fn a_generated_hash_at_the_end_of_a_name_does_not_count() {
        let cases = [
            ("web-config-7g9k2h5m4t", "web-config"),
            ("web-6d4cf56db6", "web"),
            ("web-6d4cf56db6-x7k2p", "web"),
            ("web-frontend", "web-frontend"),
            ("grpc-k8s", "grpc-k8s"),
            ("web-20240131", "web-20240131"),
            ("web", "web"),
        ];
        for (name, expected) in cases {
            assert_eq!(without_generated_suffix(name), expected);
        }
    }

    #[test]
    fn a_fingerprint_outlives_lines_and_words_but_not_identity() {
        let finding = sample::mount();
        let mut moved = finding.clone();
        moved.message = "said in other words".to_owned();
        moved.root = 7;
        moved.after.place = None;
        assert_eq!(fingerprint(&finding), fingerprint(&moved));

        let step = |name| ObjectId::new("", "Step", None, name);
        moved.after.object = step("deploy.sh:4");
        let before_edit = fingerprint(&moved);
        moved.after.object = step("deploy.sh:40");
        assert_eq!(before_edit, fingerprint(&moved));

        let mut other = finding.clone();
        other.operation = Operation::Upgrade;
        assert_ne!(fingerprint(&finding), fingerprint(&other));
        other.operation = finding.operation;
        other.after.object = ObjectId::new("apps", "Deployment", Some("shop"), "api");
        assert_ne!(fingerprint(&finding), fingerprint(&other));
    }

    /// A baseline written by one release must be read by the next.
    #[test]
    fn a_fingerprint_never_changes_between_releases() {
        assert_eq!(fingerprint(&sample::mount()), "e8a6805cd6b55bf93f739b8a71c9d28a");
    }
}
