//! Complaints that objects carry in their status, and whether they are taken back.

use super::asked::Finding;
use super::ear::gather;
use super::failure::Failure;
use super::outcome::{Healing, Outcome};
use super::play::Play;
use super::quote::is_quoted;
use super::room::Room;
use std::time::{Duration, Instant};

/// An object that complained when what it names was not there.
#[derive(Debug)]
pub(super) struct Complaint {
    /// As kubectl takes it.
    object: [String; 2],
    quotes: Vec<String>,
}

impl Play {
    /// Which consumers complain now, in their own status, of what the findings say.
    pub(super) fn complaints(&self, room: &Room<'_>) -> Result<Vec<Complaint>, Failure> {
        let mut complaints = Vec::new();
        for finding in &self.findings {
            let document = self.documents.iter().find(|document| document.is(&finding.after.object));
            let Some(id) = document.and_then(|document| document.id.as_ref()) else { continue };
            let object = [format!("{}.{}", id.kind(), id.group()), id.name().to_owned()];
            let quotes = finding.answers().map(str::to_owned).collect();
            let complaint = Complaint { object, quotes };
            if complaint.stands(room)? {
                complaints.push(complaint);
            }
        }
        Ok(complaints)
    }

    /// Waits for at most so many seconds until all complaints are taken back, where that is promised within this time.
    pub(super) fn expect_taken_back(
        &self,
        room: &Room<'_>,
        complaints: &[Complaint],
        (begin, seconds): (Instant, u32),
        outcome: &mut Outcome,
    ) -> Result<(), Failure> {
        let most = Duration::from_secs(seconds.into());
        if complaints.is_empty() || !self.findings.iter().all(|finding| heals_within(finding, most)) {
            return Ok(());
        }
        for complaint in complaints {
            if !complaint.is_taken_back(room, most)? {
                outcome.faults.push("it does not heal by itself: the complaint stands".to_owned());
                return Ok(());
            }
        }
        outcome.healing = Healing::Alone(begin.elapsed());
        Ok(())
    }
}

impl Complaint {
    /// Waits until it is taken back.
    fn is_taken_back(&self, room: &Room<'_>, most: Duration) -> Result<bool, Failure> {
        let deadline = Instant::now() + most;
        while self.stands(room)? {
            if Instant::now() > deadline {
                return Ok(false);
            }
            room.wait_for_news(Duration::from_millis(500));
        }
        Ok(true)
    }

    fn stands(&self, room: &Room<'_>) -> Result<bool, Failure> {
        let [kind, name] = &self.object;
        let said = room.kubectl(&["get", kind, name, "--output=json"])?;
        let object: serde_json::Value = serde_json::from_str(&said.stdout).unwrap_or_default();
        let mut texts = Vec::new();
        gather(&object, &mut texts);
        Ok(self.quotes.iter().any(|quoted| texts.iter().any(|text| is_quoted(quoted, text))))
    }
}

/// Whether a finding promises to heal within a time.
fn heals_within(finding: &Finding, most: Duration) -> bool {
    let within = finding.heals.as_ref().and_then(|heals| heals.get("within"));
    let within = within.and_then(serde_json::Value::as_str).and_then(|text| text.parse().ok());
    within.is_none_or(|within: jiff::SignedDuration| within.unsigned_abs() <= most)
}
