//! PLM-R056: a program may start before the Job that prepares its database has ended.

use crate::clocks;
use crate::read::pods::Pods;
use crate::read::{backend, host};
use crate::rule::{Found, Rule};
use crate::view::View;
use plimsoll_model::Milestone::Complete;
use plimsoll_model::{Actor, Class, Code, Confidence, Node, ObjectId};

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R056"),
    name: "workload-before-its-migration",
    class: Class::JobBeforeWorkload,
    page: include_str!("workload_before_its_migration.md"),
    find,
};

/// Words by which a Job that prepares a database is known.
const PREPARES: [&str; 9] = [
    "alembic",
    "dbmigrate",
    "flyway",
    "liquibase",
    "migrate",
    "migration",
    "migrations",
    "migrator",
    "schema",
];

fn find(view: &View<'_>, found: &mut Found) {
    let jobs = view.pods().iter().filter(|pods| pods.owner.id.kind() == "Job" && pods.run);
    for job in jobs.filter(|job| prepares(job)) {
        for pods in view.pods_in(job.namespace()).into_iter().filter(|pods| needs(view, pods, job)) {
            state(job, pods, found);
        }
    }
}

fn prepares(job: &Pods<'_>) -> bool {
    let spoken = job.all_containers().flat_map(|container| {
        let words = container.list_at(&["command"]).iter().chain(container.list_at(&["args"]));
        words.filter_map(Node::text).chain(container.text_at(&["name"])).chain(image(container))
    });
    spoken.chain([job.owner.id.name()]).any(is_preparing)
}

fn is_preparing(text: &str) -> bool {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    words.into_iter().any(|word| PREPARES.contains(&word.to_ascii_lowercase().as_str()))
}

/// Whether a workload uses what a Job prepares: it has the Job's program, or its password.
fn needs(view: &View<'_>, pods: &Pods<'_>, job: &Pods<'_>) -> bool {
    let is_alike = || images(pods).iter().any(|one| images(job).contains(one));
    let is_trusted = || passwords(pods).iter().any(|one| passwords(job).contains(one));
    let is_lasting = matches!(pods.owner.id.kind(), "Deployment" | "StatefulSet") && pods.run;
    is_lasting && (is_alike() || is_trusted()) && !waits(pods) && !talks_to(view, job, pods)
}

/// Whether an init container waits, or prepares the database itself.
fn waits(pods: &Pods<'_>) -> bool {
    let says_so = |container: &Node| {
        let words = container.list_at(&["command"]).iter().chain(container.list_at(&["args"]));
        let mut texts = words.filter_map(Node::text).chain(container.text_at(&["name"]));
        texts.any(|text| is_preparing(text) || text.contains("wait"))
    };
    pods.init_containers().iter().any(|container| host::waits(container) || says_so(container))
}

/// Whether a workload is what the Job talks to, such as the database itself.
fn talks_to(view: &View<'_>, job: &Pods<'_>, pods: &Pods<'_>) -> bool {
    let is_known = |service: &ObjectId| view.delivers(service);
    let services =
        job.all_containers().flat_map(|container| host::named(job.namespace(), container, is_known));
    let objects = services.filter_map(|(service, _)| view.object(&service));
    let mut behind = objects.flat_map(|service| backend::workloads(view, service));
    behind.any(|backend| backend.owner.id == pods.owner.id)
}

fn images<'a>(pods: &Pods<'a>) -> Vec<&'a str> {
    pods.all_containers().filter_map(image).collect()
}

/// An image without its tag.
fn image(container: &Node) -> Option<&str> {
    let image = container.text_at(&["image"])?.split('@').next()?;
    match image.rsplit_once(':') {
        Some((name, tag)) if !tag.contains('/') => Some(name),
        _ => Some(image),
    }
}

/// The keys of Secrets that containers read into their environment; all of one where no key is named.
fn passwords<'a>(pods: &Pods<'a>) -> Vec<(&'a str, &'a str)> {
    let mut passwords = Vec::new();
    for container in pods.all_containers() {
        let named = container.list_at(&["env"]).iter();
        let keys = named.filter_map(|one| one.at(&["valueFrom", "secretKeyRef"]));
        passwords.extend(keys.filter_map(|one| Some((one.text_at(&["name"])?, one.text_at(&["key"])?))));
        let whole = container.list_at(&["envFrom"]).iter();
        passwords.extend(whole.filter_map(|one| Some((one.text_at(&["secretRef", "name"])?, ""))));
    }
    passwords
}

fn state(job: &Pods<'_>, pods: &Pods<'_>, found: &mut Found) {
    let (job, owner) = (&job.owner.id, &pods.owner.id);
    RULE.requires(job.at(Complete), pods.start())
        .read(clocks::CRASH_LOOP)
        // That it does, and cannot do without, is told by names alone.
        .sure(Confidence::Heuristic)
        .at(pods.owner.place_of(&["kind"]))
        .says(format!("{owner} uses the database that {job} prepares"))
        .answered(Actor::Container, "starts with a database that is not prepared", "")
        .push(found);
}
