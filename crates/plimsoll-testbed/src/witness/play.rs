//! One example on a real cluster: the stage is set, the provider kept back, the page's own script run; then what is
//! said and seen is held against the page; then the provider comes, and it heals or does not.

use super::asked::{Asked, End, Finding};
use super::company::Company;
use super::document::Document;
use super::failure::Failure;
use super::hold::{self, Hold, holds};
use super::kubectl::Said;
use super::lasting::Noted;
use super::outcome::{Healing, Outcome, Part};
use super::quote::{is_quoted, is_said};
use super::reached;
use super::room::{Cluster, Room};
use super::subject::Subject;
use super::{Setting, stage};
use plimsoll_knowledge::page::{Example, SCRIPT, Seen, fits};
use std::time::{Duration, Instant};

/// How long anything that a page quotes may take to be said.
const PATIENCE: Duration = Duration::from_secs(40);
/// How long is listened for what must not be said, where nothing shows that all is well.
const SILENCE: Duration = Duration::from_secs(2);
/// How long healing may take; the slowest clock of these examples is the kubelet's, at two minutes.
const HEALING: u32 = 130;

/// What needs more than a test cluster has, such as storage, or a vault, a repository or a registry behind a network:
/// what is said of the provider is compared, and whether all is well in the end cannot be seen.
const WITHOUT_END: [&str; 5] =
    ["crossplane-function", "flux-kustomization-source", "iscsi-volume-secret", "olm-catalog", "PLM-R054"];

/// How long what is in the right order may take.
const PASSING: u32 = 60;

/// One example to be played.
#[derive(Debug, Clone)]
pub(super) struct Play {
    pub(super) subject: String,
    pub(super) part: Part,
    pub(super) example: Example,
    pub(super) documents: Vec<Document>,
    /// For a race, its findings; for the others, what must come about all the same.
    pub(super) findings: Vec<Finding>,
    pub(super) needs: Vec<String>,
    /// For the others, what must not be said.
    pub(super) unsaid: Vec<String>,
}

impl Play {
    /// Prepares an example: what the program says of it, and which objects it has.
    pub(super) fn prepare(
        setting: &Setting,
        subject: &Subject,
        part: Part,
        example: &Example,
    ) -> Result<Self, Failure> {
        let (rule, program) = (&subject.rule, &setting.plimsoll);
        let folder = tempfile::tempdir_in(&setting.folder).map_err(Failure::file(&setting.folder))?;
        for (name, text) in example.files.iter().map(|(name, text)| (name.as_str(), text.as_str())) {
            let path = folder.path().join(name);
            if let Some(parent) = path.parent() {
                std::fs::create_dir_all(parent).map_err(Failure::file(parent))?;
            }
            std::fs::write(&path, text).map_err(Failure::file(&path))?;
        }
        let script = folder.path().join(SCRIPT);
        std::fs::write(&script, example.deployed_by()).map_err(Failure::file(&script))?;
        let asked = Asked::ask(program, example, folder.path(), example.attribute("operation"))?;
        // What is taken away must have been brought, and that has needs of its own.
        let brought = Asked::ask(program, example, folder.path(), Some("install"))?;
        let needs = asked.needs.iter().chain(&brought.needs);
        let documents = Document::all(example);
        let mut needs: Vec<String> = needs.map(|need| need.object.clone()).collect();
        needs.extend(
            documents
                .iter()
                .filter_map(Document::service)
                .filter(|service| !documents.iter().any(|document| document.is(service))),
        );
        needs.sort();
        needs.dedup();
        Ok(Self {
            subject: subject.name.clone(),
            part,
            example: example.clone(),
            findings: asked.of(rule).cloned().collect(),
            documents,
            needs,
            unsaid: Vec::new(),
        })
    }

    /// Whether nobody outside its namespace notices it, so that it may be played beside others.
    pub(super) fn is_shareable(&self) -> bool {
        let texts = self.example.files.iter().map(|(_, text)| text.as_str());
        let all = texts.chain([self.example.deployed_by()]).chain(self.example.before.as_deref());
        !self.documents.iter().any(Document::is_cluster_wide)
            && !self.needs.iter().any(|need| stage::is_cluster_wide(need))
            && all.clone().all(|text| !text.contains("default/") && !text.contains("default."))
            && !self.example.deployed_by().contains("namespace")
    }

    /// Whether its script ends with a deletion, so that what it has brought cannot be seen afterwards.
    pub(super) fn takes_away(&self) -> bool {
        let last = self.example.deployed_by().trim_end().lines().last();
        last.is_some_and(|line| line.starts_with("kubectl delete"))
    }

    /// Every text that is to be said: by the program's findings, and by the page.
    pub(super) fn quotes(&self) -> Vec<String> {
        let found: Vec<&str> = self.findings.iter().flat_map(Finding::answers).collect();
        let on_page = self.example.answers.iter().map(|answer| answer.text.as_str());
        // What a finding says in full need not be looked for in short.
        let on_page = on_page.filter(|text| !found.iter().any(|answer| fits(text, answer)));
        let mut texts: Vec<String> = found.iter().copied().chain(on_page).map(str::to_owned).collect();
        texts.sort();
        texts.dedup();
        texts
    }

    /// Plays it. What keeps it from being played is a fault of this play alone.
    pub(super) fn play(&self, cluster: &Cluster) -> Outcome {
        let begin = Instant::now();
        let mut outcome = Outcome {
            subject: self.subject.clone(),
            example: self.example.name.clone(),
            part: self.part,
            faults: Vec::new(),
            signs: 0,
            healing: Healing::Unseen,
            took: Duration::ZERO,
            versions: self.versions(cluster),
        };
        if let Err(failure) = self.play_in(cluster, &mut outcome) {
            outcome.faults.push(failure.to_string());
        }
        outcome.took = begin.elapsed();
        outcome
    }

    fn play_in(&self, cluster: &Cluster, outcome: &mut Outcome) -> Result<(), Failure> {
        let room = Room::enter(cluster, self.is_shareable())?;
        for need in &self.needs {
            stage::set(&room, need)?;
        }
        if self.example.attribute("operation").is_some_and(|operation| operation != "install") {
            self.install(&room)?;
        }
        self.write(&room, &self.documents)?;
        if let Some(before) = &self.example.before {
            room.line(before)?;
        }
        if self.is_repeated() {
            let first = room.script(SCRIPT)?;
            if !first.is_success && self.part != Part::Race {
                outcome.faults.push(format!("the first run fails: {}{}", first.stdout, first.stderr));
            }
        }
        let there = self.note(&room)?;
        match self.part {
            Part::Race => self.race(&room, &there, outcome)?,
            Part::Fixed | Part::Silent => self.pass(&room, &there, outcome)?,
        }
        room.leave()
    }

    fn versions(&self, cluster: &Cluster) -> String {
        let mut versions = format!("Kubernetes {}", cluster.version);
        for program in self.programs() {
            versions.push_str(", ");
            versions.push_str(&program.told());
        }
        versions
    }

    /// What takes part besides Kubernetes.
    pub(super) fn programs(&self) -> Vec<Company> {
        Company::of(&self.needs, &self.example, self.is_by_helm())
    }

    fn is_by_helm(&self) -> bool {
        self.example.deployed_by().lines().any(|line| line.starts_with("helm "))
    }

    /// The provider is kept back, the script run; then the provider comes.
    fn race(&self, room: &Room<'_>, there: &[Noted], outcome: &mut Outcome) -> Result<(), Failure> {
        // What Helm sends and deletes is its own doing; how long its hooks take is not.
        let is_held = |finding: &&Finding| !self.is_by_helm() || finding.class == "hook-order";
        let findings = self.findings.iter().filter(is_held);
        let all = findings.flat_map(|finding| holds(finding, &self.documents));
        let all: Vec<(usize, Hold)> = all.collect();
        let way = |index: usize| all.iter().find(|(other, _)| *other == index).map(|(_, way)| *way);
        let kept = (0..).zip(&self.documents).filter_map(|(index, document)| match way(index) {
            Some(way) => way.kept(document),
            None => Some(document.clone()),
        });
        self.write(room, &kept.collect::<Vec<_>>())?;
        let still =
            if hold::is_about_products(&self.findings, &self.documents) { room.still() } else { None };
        let said = room.script(SCRIPT)?;
        drop(still);
        let sent = Instant::now();
        for noted in there {
            outcome.signs += 1;
            if noted.lasts(room)? != Some(false) {
                outcome.faults.push(format!("{} is as it was before", noted.object));
            }
        }
        for (index, document) in (0..).zip(&self.documents) {
            if way(index) == Some(Hold::Delayed) {
                room.send(document)?;
            }
        }
        self.expect_quotes(room, &said, outcome);
        self.expect_seen(room, outcome)?;
        if outcome.signs == 0 {
            room.hears(|_| false, SILENCE);
            let heard = room.heard().join("\n    ");
            outcome.faults.push(format!("nothing is quoted that could be seen\n  the cluster: {heard}"));
            return Ok(());
        }
        if !outcome.faults.is_empty() {
            // What did not fail as the page says has nothing to heal from.
            return Ok(());
        }
        self.write(room, &self.documents)?;
        let came: Vec<&Document> = (0..)
            .zip(&self.documents)
            .filter(|(index, _)| way(*index).is_some())
            .map(|(_, one)| one)
            .collect();
        let begin = if came.is_empty() { sent } else { Instant::now() };
        self.heal(room, &came, begin, outcome)
    }

    fn expect_quotes(&self, room: &Room<'_>, said: &Said, outcome: &mut Outcome) {
        for quoted in self.quotes() {
            outcome.signs += 1;
            let is_in_output = is_said(&quoted, &said.stderr) || is_said(&quoted, &said.stdout);
            if !is_in_output && !room.hears(|message| is_quoted(&quoted, message), PATIENCE) {
                let heard = room.heard().join("\n    ");
                outcome.faults.push(format!(
                    "nobody says: {quoted}\n  the script: {}{}\n  the cluster: {heard}",
                    said.stdout, said.stderr
                ));
            }
        }
    }

    fn expect_seen(&self, room: &Room<'_>, outcome: &mut Outcome) -> Result<(), Failure> {
        for seen in &self.example.seen {
            outcome.signs += 1;
            if let Some(fault) = look(room, seen)? {
                outcome.faults.push(fault);
            }
        }
        Ok(())
    }

    /// The provider comes. What heals alone is waited for; what was refused is sent again.
    fn heal(
        &self,
        room: &Room<'_>,
        came: &[&Document],
        begin: Instant,
        outcome: &mut Outcome,
    ) -> Result<(), Failure> {
        let complaints = self.complaints(room)?;
        for document in came {
            room.send(document)?;
        }
        let Some(finding) = self.findings.first().filter(|_| !self.is_without_end()) else { return Ok(()) };
        let is_lasting = matches!(finding.consequence.as_str(), "stuck" | "damage");
        if !self.example.healed.is_empty() {
            return self.expect_healed(room, is_lasting.then_some(finding), begin, outcome);
        }
        if finding.heals.is_some() && !is_lasting {
            match self.wait_for_all(room, HEALING)? {
                Some(true) => outcome.healing = Healing::Alone(begin.elapsed()),
                Some(false) => outcome.faults.push("it does not heal by itself".to_owned()),
                // The cluster has no sign for it; what was said of it may be taken back.
                None => self.expect_taken_back(room, &complaints, (begin, HEALING), outcome)?,
            }
            return Ok(());
        }
        let again = run_again(room, finding, is_lasting)?;
        if is_lasting {
            self.expect_seen(room, outcome)?;
            // A state that the page shows is the better sign: a pod may well run, and with the wrong thing in it.
            let is_shown = !self.example.seen.is_empty() || finding.before.object != finding.after.object;
            let is_request = matches!(finding.after.milestone.as_str(), "checked" | "stored");
            let goes_on = || {
                if is_request {
                    Ok(again.is_success)
                } else {
                    self.wait_for_all(room, 1).map(|all| all == Some(true))
                }
            };
            if finding.consequence == "stuck" && !is_shown && goes_on()? {
                outcome.faults.push("it is called stuck, and yet it goes on".to_owned());
            }
            outcome.healing = Healing::Never;
        } else if again.is_success && self.wait_for_all(room, HEALING)? != Some(false) {
            outcome.healing = Healing::Repeated;
        } else {
            outcome
                .faults
                .push(format!("the same command again does not help: {}{}", again.stdout, again.stderr));
        }
        Ok(())
    }

    /// The page shows what is seen when all is well again: by itself, or once the same command was run again.
    fn expect_healed(
        &self,
        room: &Room<'_>,
        lasting: Option<&Finding>,
        begin: Instant,
        outcome: &mut Outcome,
    ) -> Result<(), Failure> {
        if let Some(finding) = lasting {
            run_again(room, finding, true)?;
        }
        for seen in &self.example.healed {
            outcome.faults.extend(look(room, seen)?);
        }
        let alone = Healing::Alone(begin.elapsed());
        outcome.healing = if lasting.is_some() { Healing::Repeated } else { alone };
        Ok(())
    }

    /// The right order, or what only looks alike: the script succeeds, what needs something gets it, nobody complains.
    fn pass(&self, room: &Room<'_>, there: &[Noted], outcome: &mut Outcome) -> Result<(), Failure> {
        let said = room.script(SCRIPT)?;
        if !said.is_success {
            outcome.faults.push(format!("the script fails: {}{}", said.stdout, said.stderr));
        }
        for noted in there {
            if noted.lasts(room)? == Some(true) {
                outcome.signs += 1;
            } else {
                outcome.faults.push(format!("{} is not what it was before", noted.object));
            }
        }
        match self.wait_for_all(room, PASSING)? {
            Some(true) => outcome.signs += 1,
            Some(false) => outcome.faults.push("what needs something does not get it".to_owned()),
            None => {}
        }
        self.expect_seen(room, outcome)?;
        let is_unsaid = |message: &str| self.unsaid.iter().any(|quoted| is_quoted(quoted, message));
        let most = if outcome.signs > 0 { Duration::ZERO } else { SILENCE };
        if room.hears(is_unsaid, most) {
            outcome.faults.push("somebody says what the page says of the wrong order".to_owned());
        }
        Ok(())
    }

    /// Waits until every consumer has what it needs; nothing if the cluster does not show that of any.
    fn wait_for_all(&self, room: &Room<'_>, seconds: u32) -> Result<Option<bool>, Failure> {
        let mut all = None;
        if self.is_without_end() {
            return Ok(all);
        }
        let findings = self.findings.iter().filter(|finding| !finding.is_loss());
        let mut ends: Vec<&End> = findings.map(|finding| &finding.after).collect();
        ends.dedup_by_key(|end| (&end.object, &end.milestone));
        for end in ends {
            let document = self.documents.iter().find(|document| document.is(&end.object));
            let replicas = document.and_then(Document::replicas).unwrap_or(1);
            if let Some(is_reached) = reached::wait(room, end, replicas, seconds)? {
                all = Some(is_reached && all.unwrap_or(true));
            }
        }
        Ok(all)
    }

    fn is_without_end(&self) -> bool {
        WITHOUT_END.contains(&self.subject.as_str())
    }

    /// Everything is there, as an earlier run left it.
    fn install(&self, room: &Room<'_>) -> Result<(), Failure> {
        self.write(room, &self.documents)?;
        for round in 0..3 {
            let said = room.line("kubectl apply -f .")?;
            if said.is_success || round == 2 {
                break;
            }
            room.line("kubectl wait --for=condition=Established crd --all --timeout=30s")?;
        }
        Ok(())
    }

    /// The page's own script; what takes everything away again is the same with another verb.
    fn script(&self) -> String {
        let text = self.example.deployed_by();
        match self.example.attribute("operation") {
            Some("uninstall") => text.replace("kubectl apply", "kubectl delete --timeout=10s"),
            _ => text.to_owned(),
        }
    }

    fn write(&self, room: &Room<'_>, documents: &[Document]) -> Result<(), Failure> {
        let names: Vec<&str> = self.example.files.iter().map(|(name, _)| name.as_str()).collect();
        room.write(documents, &names)?;
        room.store(SCRIPT, &self.script())
    }
}

/// Runs a command until it prints what the page says; a fault if it never does.
fn look(room: &Room<'_>, seen: &Seen) -> Result<Option<String>, Failure> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let said = room.line(&seen.command)?;
        let printed = format!("{}{}", said.stdout, said.stderr);
        if fits(&seen.output, printed.trim_end()) {
            return Ok(None);
        }
        if Instant::now() > deadline {
            return Ok(Some(format!("`{}` prints {}", seen.command, printed.trim_end())));
        }
        room.wait_for_news(Duration::from_millis(500));
    }
}

/// Runs the script again once the provider is what it must be; more than once where it takes a while to be felt.
fn run_again(room: &Room<'_>, finding: &Finding, is_once: bool) -> Result<Said, Failure> {
    let carriers = finding.before.carriers.iter();
    let carriers = carriers.map(|object| End { object: object.clone(), ..finding.before.clone() });
    for end in std::iter::once(finding.before.clone()).chain(carriers) {
        if !is_once && !end.object.starts_with("Step/") {
            reached::wait(room, &end, 1, PASSING)?;
        }
    }
    let deadline = Instant::now() + PATIENCE;
    loop {
        let again = room.script(SCRIPT)?;
        if again.is_success || is_once || Instant::now() > deadline {
            return Ok(again);
        }
        room.wait_for_news(Duration::from_secs(1));
    }
}
