//! The name under which a finding is known from one run to the next.
//!
//! It rests on what the finding is about and never on lines, order or wording, so that it survives edits and moves.

use plimsoll_model::{Bundle, Finding, ObjectId};
use rustc_hash::FxHashMap;

/// Gives findings of one bundle their names.
pub(super) struct Fingerprints<'a> {
    /// The commands of scripts by file and line, which is how a step is called that is an end of a pair.
    commands: FxHashMap<String, &'a str>,
}

impl<'a> Fingerprints<'a> {
    pub(super) fn new(bundle: &'a Bundle) -> Self {
        let steps = bundle.steps.iter();
        let commands = steps.filter_map(|step| {
            let place = step.place?;
            Some((format!("{}:{}", bundle.files.path(place), place.line), step.says.as_str()))
        });
        Self { commands: commands.collect() }
    }

    /// The name of a finding: 32 hexadecimal digits, from the rule, what is lacked, and what lacks it.
    pub(super) fn of(&self, finding: &Finding) -> String {
        let mut digest = Digest::new();
        digest.add(finding.rule.0);
        self.add_object(&mut digest, &finding.before.object);
        digest.add(finding.before.milestone.word());
        self.add_object(&mut digest, &finding.after.object);
        format!("{:032x}", digest.0)
    }

    /// A step is known by what it does: its line moves with every edit above it, and its file may be renamed.
    fn add_object(&self, digest: &mut Digest, id: &ObjectId) {
        let command = self.commands.get(id.name()).filter(|_| id.is("", "Step"));
        digest.add(id.group());
        digest.add(id.kind());
        digest.add(id.namespace().unwrap_or(""));
        digest.add(command.copied().unwrap_or_else(|| without_generated_suffix(id.name())));
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
    use plimsoll_model::{File, Milestone, Operation, Place};

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

    fn of(finding: &Finding) -> String {
        Fingerprints::new(&Bundle::default()).of(finding)
    }

    #[test]
    fn a_fingerprint_outlives_lines_and_words_but_not_identity() {
        let finding = sample::mount();
        let mut moved = finding.clone();
        moved.message = "said in other words".to_owned();
        moved.root = 7;
        moved.after.place = None;
        moved.operation = Operation::Upgrade;
        assert_eq!(of(&finding), of(&moved));

        let mut other = finding.clone();
        other.before.milestone = Milestone::Ready;
        assert_ne!(of(&finding), of(&other));
        other.before.milestone = finding.before.milestone;
        other.after.object = ObjectId::new("apps", "Deployment", Some("shop"), "api");
        assert_ne!(of(&finding), of(&other));
    }

    #[test]
    fn a_step_is_known_by_its_command_and_not_by_its_line_or_file() {
        let of_step = |path: &str, line: u32, says: &str| {
            let mut bundle = sample::bundle();
            let file = bundle.files.add(File { path: path.into(), text: "".into(), hidden: Vec::new() });
            for step in &mut bundle.steps {
                step.place = Some(Place { file, line, column: 1 });
                step.says = says.to_owned();
            }
            let mut finding = sample::mount();
            finding.after.object = ObjectId::new("", "Step", None, &format!("{path}:{line}"));
            Fingerprints::new(&bundle).of(&finding)
        };
        let waits = of_step("deploy.sh", 4, "kubectl wait --for=create secret/web-tls");
        assert_eq!(waits, of_step("ci/up.sh", 40, "kubectl wait --for=create secret/web-tls"));
        assert_ne!(waits, of_step("deploy.sh", 4, "kubectl logs deployment/web"));
    }

    /// A baseline written by one release must be read by the next.
    #[test]
    fn a_fingerprint_never_changes_between_releases() {
        assert_eq!(of(&sample::mount()), "0204a29844042f7cc983dc6d9a650756");
    }
}
