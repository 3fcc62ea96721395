//! All cases on one control plane, several at a time.

use super::case::Case;
use super::failure::PromiseError;
use super::generate;
use super::judge::{self, Judgement, Seen};
use super::play::{Played, Stage};
use super::shrink;
use super::tally::Tally;
use super::trace::{self, Trace};
use crate::audit::Trail;
use crate::cluster::{Cluster, Options};
use crate::programs::Program;
use crate::workplace::Workplace;
use std::collections::BTreeMap;
use std::process::Stdio;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How many cases, and which.
#[derive(Debug, Clone, Copy)]
pub struct Wish {
    /// How many cases are played.
    pub cases: usize,
    /// The seed of the first; the others follow it.
    pub seed: u64,
}

/// What came of it.
#[derive(Debug, Default)]
pub struct Outcome {
    /// What was counted.
    pub tally: Tally,
    /// Every contradiction, with the smallest case that shows it.
    pub contradictions: Vec<String>,
}

/// How many cases are played at the same time.
const AT_ONCE: usize = 4;

/// How many contradicting cases are made smaller, and how often each is played for it.
const SHRUNK: usize = 3;
const TRIES: usize = 40;

/// Plays cases and compares each with the model.
pub fn run(wish: Wish, progress: &mut dyn FnMut(&str)) -> Result<Outcome, PromiseError> {
    let cluster = Cluster::start_with_progress(Options::default(), progress)?;
    let temporary = |cause| PromiseError::File { path: std::env::temp_dir(), cause };
    let workplace = Workplace::open().map_err(temporary)?;
    let stage = Stage {
        kubeconfig: cluster.kubeconfig_path(),
        folder: workplace.path().to_owned(),
        kubectl: Program::named("kubectl")?.obtain(progress)?,
        kustomize: Program::named("kustomize")?.obtain(progress)?,
    };
    refuse_labelled(&cluster)?;
    let ground = Ground { cluster, stage };
    progress(&format!("{} cases", wish.cases));
    let seeds: Vec<u64> = (0..wish.cases as u64).map(|number| wish.seed.wrapping_add(number)).collect();
    let cases: Vec<(String, Case)> =
        seeds.iter().map(|seed| (format!("c{seed}"), generate::case(*seed))).collect();
    let judgements = ground.judge_all(&cases)?;
    let mut outcome = Outcome::default();
    for ((name, case), judgement) in cases.iter().zip(judgements) {
        outcome.tally.add(&judgement.tally);
        if judgement.contradictions.is_empty() {
            continue;
        }
        progress(&format!("{name}: {}", judgement.contradictions.join("; ")));
        let shown = if outcome.contradictions.len() < SHRUNK {
            ground.shrink(name, case, judgement)?
        } else {
            format!("{name}: {}", judgement.contradictions.join("\n"))
        };
        outcome.contradictions.push(shown);
    }
    Ok(outcome)
}

/// The cluster and what cases are played with.
struct Ground {
    cluster: Cluster,
    stage: Stage,
}

impl Ground {
    /// Plays cases, several at a time, and judges them by the audit log.
    fn judge_all(&self, cases: &[(String, Case)]) -> Result<Vec<Judgement>, PromiseError> {
        let results = self.play_all(cases);
        let mut trail = Trail::from_start(self.cluster.audit_log())?;
        let traces = trace::traces(trail.events()?);
        let judge = |((_, case), played): (&(String, Case), Result<Played, PromiseError>)| {
            let played = played?;
            let bundle = judge::bundle(case, &played.prefix);
            let own = of_case(&traces, &played.prefix);
            Ok(judge::judge(&Seen { bundle: &bundle, played: &played, traces: &own }))
        };
        cases.iter().zip(results.into_values()).map(judge).collect()
    }

    fn play_all(&self, cases: &[(String, Case)]) -> BTreeMap<usize, Result<Played, PromiseError>> {
        let next = AtomicUsize::new(0);
        let results: Mutex<BTreeMap<usize, Result<Played, PromiseError>>> = Mutex::default();
        let work = || {
            while let Some((at, (name, case))) = take(&next, cases) {
                let played = self.stage.play_in_peace(case, name);
                results.lock().unwrap_or_else(PoisonError::into_inner).insert(at, played);
            }
        };
        std::thread::scope(|scope| (0..AT_ONCE).for_each(|_| drop(scope.spawn(work))));
        results.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// The smallest case that still contradicts, in words.
    fn shrink(&self, name: &str, case: &Case, judgement: Judgement) -> Result<String, PromiseError> {
        let (mut smallest, mut contradictions) = (case.clone(), judgement.contradictions);
        let mut tries = 0;
        'smaller: while tries < TRIES {
            for less in shrink::smaller(&smallest) {
                tries += 1;
                let again = self.judge_all(&[(format!("{name}x{tries}"), less.clone())])?;
                if let Some(again) = again.into_iter().find(|again| !again.contradictions.is_empty()) {
                    (smallest, contradictions) = (less, again.contradictions);
                    continue 'smaller;
                }
                if tries >= TRIES {
                    break;
                }
            }
            break;
        }
        let files = smallest.render(name).into_iter().map(|(path, text)| format!("--- {path}\n{text}"));
        Ok(format!("{name}: {}\n{}", contradictions.join("\n"), files.collect::<String>()))
    }
}

fn take<'a>(next: &AtomicUsize, cases: &'a [(String, Case)]) -> Option<(usize, &'a (String, Case))> {
    let at = next.fetch_add(1, Ordering::Relaxed);
    cases.get(at).map(|case| (at, case))
}

/// The traces of one case by the number of the command.
fn of_case(traces: &BTreeMap<String, Trace>, name: &str) -> BTreeMap<usize, Trace> {
    let number = |user: &str| user.strip_prefix(name)?.strip_prefix('-')?.parse().ok();
    traces.iter().filter_map(|(user, trace)| Some((number(user)?, trace.clone()))).collect()
}

/// A policy that refuses every object with the label `refused`; in force when this returns.
pub(super) fn refuse_labelled(cluster: &Cluster) -> Result<(), PromiseError> {
    const POLICY: &str = include_str!("run/policy.yaml");
    const PROBE: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: probe, namespace: default, labels: {refused: probe}}\n";
    let (_, said) = piped(cluster, &["apply", "-f", "-"], POLICY)?;
    let deadline = Instant::now() + Duration::from_secs(30);
    loop {
        let (is_accepted, answer) = piped(cluster, &["create", "--dry-run=server", "-f", "-"], PROBE)?;
        if !is_accepted && answer.contains("labelled to be refused") {
            return Ok(());
        }
        if Instant::now() > deadline {
            return Err(PromiseError::Policy { answer: said + &answer });
        }
    }
}

fn piped(cluster: &Cluster, arguments: &[&str], text: &str) -> Result<(bool, String), PromiseError> {
    use std::io::Write as _;
    let failed = |cause| PromiseError::Run { program: "kubectl".to_owned(), cause };
    let kubectl = Program::named("kubectl")?.obtain(&mut |_| {})?;
    let mut child = cluster
        .command(&kubectl)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    if let Some(mut input) = child.stdin.take() {
        input.write_all(text.as_bytes()).map_err(failed)?;
    }
    let output = child.wait_with_output().map_err(failed)?;
    Ok((output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned()))
}
