//! From a bundle to findings: what was asked, and the answer.

mod back;
mod behind;
mod consequence;
mod explained;
mod guards;
mod index;
mod mended;
mod mending;
mod narration;
mod otherwise;
mod presumed;
mod question;
mod recheck;
mod roots;
mod telling;
mod waits;
mod why;
mod world;

use crate::assumption::Assumptions;
pub(crate) use explained::{Explained, Protection, Tie, explain};
use plimsoll_model::{
    Bundle, Code, Confidence, Finding, Moment, Need, Object, Operation, Place, Requirement,
};
use plimsoll_order::{Flaw, Race};
use question::Asked;
use rayon::prelude::*;
use rustc_hash::FxHashSet;
use std::cmp::Reverse;
use std::collections::BTreeSet;
pub(crate) use why::why_not;

/// What is assumed of the cluster and which operations are looked at.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    /// The version of the API server.
    pub(crate) kube_version: plimsoll_schema::Version,
    /// What is done to the cluster.
    pub(crate) operations: Vec<Operation>,
    /// What is there before the run.
    pub(crate) assumed: Assumptions,
    /// Whether nothing is on the cluster but what the input brings.
    pub(crate) is_closed: bool,
    /// What is taken as served.
    pub(crate) served: Served,
}

/// Which kinds and versions are taken as served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Served {
    /// Those that are known to be, or assumed.
    AsKnown,
    /// All but those of which it is proved that they are not.
    UnlessProved,
    /// All of them, to see what lies behind one that is not.
    All,
}

/// The answer to a check.
#[derive(Debug, Clone, Default)]
pub(crate) struct Verdict {
    /// Every finding, worst first.
    pub(crate) findings: Vec<Finding>,
    /// What must be there before.
    pub(crate) needs: Vec<Need>,
    /// How many requirements were looked at and held by a guarantee.
    pub(crate) held: usize,
    /// How many objects are of a kind that is known.
    pub(crate) understood: usize,
    /// The assumptions that speak of nothing in the input.
    pub(crate) idle_assumptions: BTreeSet<String>,
}

impl Verdict {
    /// Adds findings that hold where a premise does.
    fn add_presumed(&mut self, more: Vec<Finding>, premise: &str) {
        let mut all = std::mem::take(&mut self.findings);
        all.extend(more.into_iter().map(|mut finding| {
            finding.confidence = finding.confidence.min(Confidence::Assumed);
            finding.premise.get_or_insert_with(|| premise.to_owned());
            finding
        }));
        self.findings = roots::gather(all);
    }
}

/// Why a pair is safe, or why it is not.
#[derive(Debug, Clone)]
pub(crate) enum WhyNot {
    /// No order of events has `then` before `first`, because of these guarantees, in the order of time.
    Held(Vec<Link>),
    /// Nothing protects the pair.
    Open(Box<Finding>),
    /// Nothing is known by which the second needs the first.
    NotNeeded,
    /// Nothing in the input goes by this name.
    Unknown(String),
}

/// One guarantee in a chain.
#[derive(Debug, Clone)]
pub(crate) struct Link {
    /// What comes first: `CustomResourceDefinition/certificates.cert-manager.io established`.
    pub(crate) first: String,
    /// What never comes before it.
    pub(crate) then: String,
    /// The setting or behaviour it rests on.
    pub(crate) because: String,
    /// Where that was read.
    pub(crate) source: String,
    /// Where the user said so.
    pub(crate) place: Option<Place>,
}

/// Finds every race in a bundle, and looks again whether the fixes help. A flaw is a defect of
/// Plimsoll: its own checker did not accept the answer.
pub(crate) fn analyse(bundle: &Bundle, settings: &Settings) -> Result<Verdict, Flaw> {
    let mut verdict = find(bundle, settings)?;
    recheck::fixes(bundle, settings, &mut verdict)?;
    back::add(bundle, settings, &mut verdict)?;
    if let Some(other) = bundle.otherwise().filter(|_| !settings.is_closed) {
        otherwise::add(&other, &served(bundle), settings, &mut verdict)?;
    }
    Ok(verdict)
}

/// The APIs that charts ask for and that may be served, in words behind "if".
fn served(bundle: &Bundle) -> String {
    let asked: BTreeSet<&str> = bundle.asked().collect();
    let are = if asked.len() == 1 { "is" } else { "are" };
    format!("{} {are} served", Vec::from_iter(asked).join(" and "))
}

fn find(bundle: &Bundle, settings: &Settings) -> Result<Verdict, Flaw> {
    let mut verdict = find_for(bundle, settings, &operations(bundle, settings))?;
    presumed::mark(bundle, settings, &mut verdict)?;
    behind::add(bundle, settings, &mut verdict)?;
    Ok(verdict)
}

fn find_for(bundle: &Bundle, settings: &Settings, operations: &[Operation]) -> Result<Verdict, Flaw> {
    let mut verdict = Verdict { understood: understood(bundle), ..Verdict::default() };
    let mut findings = Vec::new();
    for (number, operation) in operations.iter().copied().enumerate() {
        let asked = question::ask(bundle, settings, operation)?;
        findings.extend(waits::findings(&asked));
        findings.extend(races(&asked)?);
        waits::judge(&asked, &mut findings);
        let held = asked.held();
        let Asked { known, world, order, .. } = asked;
        // What a later operation needs, the first one has left.
        if number == 0 {
            verdict.held = held;
            verdict.needs = world.needs;
        }
        verdict.idle_assumptions = world.idle;
        // Giving back what was known of a large bundle takes as long as telling it, and nobody has to wait for it.
        std::thread::spawn(move || drop((known, order)));
    }
    verdict.findings = roots::gather(findings);
    Ok(verdict)
}

/// How many races are told in full, the worst first and one of each cause.
const TOLD_IN_FULL: usize = 50;

fn races(asked: &Asked<'_>) -> Result<Vec<Finding>, Flaw> {
    let mut races: Vec<(&Requirement, &Race)> =
        asked.races.iter().filter_map(|race| Some((asked.requirement(race)?, race))).collect();
    races.retain(|(requirement, _)| !is_inside_a_download(asked, requirement));
    races.sort_by_key(|(requirement, race)| Reverse(consequence::of(requirement.reading, race)));
    let mut causes: FxHashSet<(Code, Option<&Moment>)> = FxHashSet::default();
    let mut is_full = Vec::with_capacity(races.len());
    for (requirement, _) in races.iter().copied() {
        let is_first = causes.insert((requirement.rule, requirement.needed()));
        is_full.push(is_first && causes.len() <= TOLD_IN_FULL);
    }
    let tell = |((requirement, race), is_full): ((&Requirement, &Race), bool)| {
        telling::finding(asked, requirement, race, is_full)
    };
    races.into_par_iter().zip(is_full).map(tell).collect()
}

/// Whether one manifest that is fetched from the network brings both ends: its order is not known, and nobody here
/// could change it.
fn is_inside_a_download(asked: &Asked<'_>, requirement: &Requirement) -> bool {
    let carrier = |moment: &Moment| asked.index.premise(moment.object()?)?.carrier.as_deref();
    let Some(of_reader) = carrier(&requirement.then).filter(|carrier| carrier.starts_with("download/"))
    else {
        return false;
    };
    requirement.needed().is_none_or(|needed| carrier(needed) == Some(of_reader))
}

/// The operations that can differ from each other: an upgrade to the same input repeats nothing unless it also removes.
fn operations(bundle: &Bundle, settings: &Settings) -> Vec<Operation> {
    let removes = bundle.before.is_some() || plimsoll_knowledge::is_repeated_otherwise(bundle);
    let both = settings.operations.contains(&Operation::Install)
        && settings.operations.contains(&Operation::Upgrade);
    let worth = |operation: &&Operation| match operation {
        Operation::Upgrade => removes || !both,
        // The way back begins elsewhere.
        Operation::Rollback => bundle.before.is_none(),
        _ => true,
    };
    settings.operations.iter().filter(worth).copied().collect()
}

/// How many objects are of a kind that is known, or that the input itself defines.
fn understood(bundle: &Bundle) -> usize {
    let definitions =
        bundle.deliveries().filter(|(_, object)| object.id.kind() == "CustomResourceDefinition");
    let defined: FxHashSet<_> = definitions
        .filter_map(|(_, object)| {
            Some((object.text_at(&["spec", "group"])?, object.text_at(&["spec", "names", "kind"])?))
        })
        .collect();
    let is_known = |id: &plimsoll_model::ObjectId| {
        plimsoll_schema::scope(id.group(), id.kind()).is_some() || defined.contains(&(id.group(), id.kind()))
    };
    let is_read = |object: &Object| object.premise.as_ref().is_none_or(|premise| !premise.is_outline);
    let read = bundle.deliveries().filter(|(_, object)| is_read(object));
    read.filter(|(_, object)| is_known(&object.id)).count()
}
