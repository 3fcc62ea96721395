//! Every rule before a real cluster: the racy example of its page is played with the provider kept back, and what the
//! server, the controllers and the kubelet say is held against what the page quotes. Then the right order, and what only
//! looks alike, must pass.

mod asked;
mod backend;
mod company;
mod complaint;
mod document;
mod ear;
mod failure;
mod hold;
mod images;
mod kubectl;
mod lasting;
mod operator;
mod outcome;
pub mod page;
mod play;
mod quote;
mod reached;
pub mod record;
mod room;
mod schedule;
mod sealing;
mod stage;
mod standing;
mod subject;
mod trust;

pub use backend::serve;
pub use failure::Failure;
pub use images::table as image_table;
pub use outcome::{Healing, Outcome, Part};
pub use subject::Subject;
pub use trust::Trust;

use asked::Finding;
use company::Company;
use kubectl::Kubectl;
use play::Play;
use room::Cluster;
use std::path::PathBuf;

/// What the witness works with.
#[derive(Debug, Clone)]
pub struct Setting {
    /// The program whose findings are played.
    pub plimsoll: PathBuf,
    /// The folder of kubectl.
    pub programs: PathBuf,
    /// The clusters; plays that stay in a namespace share the first.
    pub kubeconfigs: Vec<PathBuf>,
    /// The authority of what serves on pages.
    pub trust: Trust,
    /// An empty folder for everything that is written.
    pub folder: PathBuf,
}

/// Plays every example of the subjects; outcomes in their order. `progress` hears of programs that are built for it.
pub fn witness(
    setting: &Setting,
    subjects: &[Subject],
    tell: &(dyn Fn(&Outcome) + Sync),
    progress: &mut dyn FnMut(&str),
) -> Result<Vec<Outcome>, Failure> {
    let mut plays = Vec::new();
    for subject in subjects {
        plays.extend(prepare(setting, subject)?);
    }
    let company = together(plays.iter());
    // Only the first cluster has plays that share it.
    let of_others = together(plays.iter().filter(|play| !play.is_shareable()));
    let programs = Company::tools(&company, &setting.programs, &setting.folder, progress)?;
    let (company, of_others, programs) = (&company, &of_others, &programs);
    let doors = (0..).zip(&setting.kubeconfigs).map(|(number, kubeconfig)| {
        let company = if number == 0 { company } else { of_others };
        let folder = setting.folder.join(format!("cluster-{number}"));
        Box::new(move || {
            std::fs::create_dir_all(&folder).map_err(Failure::file(&folder))?;
            let kubectl = Kubectl {
                programs: programs.clone(),
                kubeconfig: kubeconfig.clone(),
                memory: folder.join("discovered"),
            };
            Cluster::enter(kubectl, &folder, &setting.trust, company)
        }) as Box<_>
    });
    let doors: Vec<_> = doors.collect();
    schedule::run(&doors, plays, tell)
}

/// All programs that take part in some plays, each once.
fn together<'p>(plays: impl Iterator<Item = &'p Play>) -> Vec<Company> {
    let mut company: Vec<Company> = plays.flat_map(Play::programs).collect();
    company.sort_unstable();
    company.dedup();
    company
}

/// The plays of a subject: its races, and then what must pass for the same consumers without the same complaints.
fn prepare(setting: &Setting, subject: &Subject) -> Result<Vec<Play>, Failure> {
    let prepare = |part, example| Play::prepare(setting, subject, part, example);
    let races: Result<Vec<Play>, Failure> =
        subject.races.iter().map(|example| prepare(Part::Race, example)).collect();
    let races = races?;
    let mut plays = races.clone();
    let fixed = subject.fixed.iter().map(|example| (Part::Fixed, example));
    let silent = subject.silent.iter().map(|example| (Part::Silent, example));
    for (part, example) in fixed.chain(silent) {
        let mut play = prepare(part, example)?;
        let findings = races.iter().flat_map(|race| &race.findings);
        let is_there = |object: &str| play.documents.iter().any(|document| document.is(object));
        // What a deletion damages by itself is not deleted here.
        let is_damage = |finding: &Finding| {
            finding.after.milestone == "gone" && finding.before.object == finding.after.object
        };
        // What an upgrade takes away is missed only where somebody needs it.
        let is_missed = |finding: &Finding| !finding.is_loss() || is_there(&finding.before.object);
        let is_taken_away = play.takes_away();
        let is_due = |finding: &&Finding| {
            is_there(&finding.after.object) && is_missed(finding) && !is_damage(finding) && !is_taken_away
        };
        play.findings = findings.filter(is_due).cloned().collect();
        play.unsaid = races.iter().flat_map(Play::quotes).collect();
        plays.push(play);
    }
    Ok(plays)
}
