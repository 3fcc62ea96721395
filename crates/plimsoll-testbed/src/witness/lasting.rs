//! Whether what was there before an upgrade is there after it: the same object, and nobody has asked for its deletion.

use super::asked::{End, Finding};
use super::failure::Failure;
use super::outcome::Part;
use super::play::Play;
use super::reached::{self, parts};
use super::room::Room;

/// How long it may take until what is there is in use, in seconds.
const IN_USE: u32 = 60;

impl Play {
    /// Whether the script is run twice, to install and to upgrade. What fails at once fails at the installation.
    pub(super) fn is_repeated(&self) -> bool {
        let is_upgrade = |finding: &Finding| finding.operation == "upgrade";
        self.example.deployed_by().contains("helm upgrade --install")
            && (self.part != Part::Race || self.findings.iter().any(is_upgrade))
    }

    /// What is there before an upgrade that may take it away, once it is in use.
    pub(super) fn note(&self, room: &Room<'_>) -> Result<Vec<Noted>, Failure> {
        let is_known = self.is_repeated() || self.example.attribute("from").is_some();
        let losses = self.findings.iter().filter(|finding| finding.is_loss() && is_known);
        losses
            .map(|finding| {
                let user = End { milestone: "ready".to_owned(), ..finding.before.clone() };
                reached::wait(room, &user, 1, IN_USE)?;
                Noted::now(room, &finding.after.object)
            })
            .collect()
    }
}

/// An object as it was at one time.
#[derive(Debug)]
pub(super) struct Noted {
    pub(super) object: String,
    state: String,
}

impl Noted {
    /// Looks at an object now.
    pub(super) fn now(room: &Room<'_>, object: &str) -> Result<Self, Failure> {
        Ok(Self { object: object.to_owned(), state: state(room, object)? })
    }

    /// Whether it is the same as before; nothing if it was not there.
    pub(super) fn lasts(&self, room: &Room<'_>) -> Result<Option<bool>, Failure> {
        let now = state(room, &self.object)?;
        Ok((!self.state.is_empty()).then_some(self.state == now))
    }
}

/// What changes when an object is deleted, is being deleted, or was made anew; nothing for one that is not there.
fn state(room: &Room<'_>, object: &str) -> Result<String, Failure> {
    let Some((kind, namespace, name)) = parts(object) else { return Ok(String::new()) };
    let mut arguments =
        vec!["get", kind, name, "--output=jsonpath={.metadata.uid}{.metadata.deletionTimestamp}"];
    if let Some(namespace) = namespace {
        arguments.extend(["--namespace", room.namespace_of(namespace)]);
    }
    Ok(room.kubectl(&arguments)?.stdout)
}
