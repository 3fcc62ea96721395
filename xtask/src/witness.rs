//! `cargo xtask witness`: every rule before a real cluster.

mod share;

use anyhow::{Context as _, Result, bail, ensure};
use plimsoll_knowledge::witness::{Unwitnessed, Witnessed, read_unwitnessed, read_witnessed};
use plimsoll_testbed::cluster::{Cluster, Options};
use plimsoll_testbed::witness::{Outcome, Setting, Subject, Trust, image_table, page, record, witness};
use plimsoll_testbed::workplace::Workplace;
use share::Share;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

const TABLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/plimsoll-knowledge/data/witness.tsv");
const REASONS: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/plimsoll-knowledge/data/unwitnessed.tsv");
const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/witness.md");

const USAGE: &str = "usage: cargo xtask witness [--check] [--share N/M] [RULE|ROW]…
  plays the examples of every rule and row, or of those that are named, on real clusters of its own, and writes
  crates/plimsoll-knowledge/data/witness.tsv and docs/witness.md
      --check             change nothing; end with 1 if an example is not as kept. What stands in unwitnessed.tsv is
                          left out, unless it is named
      --share N/M         only the Nth of M shares of the rules and rows, in their order: together they are all
      --page              only write docs/witness.md from the tables
      --kubeconfig FILE   play on this cluster; may be repeated. It needs the images that --images writes
      --images FILE       write the image table of the clusters there
      --plimsoll FILE     the program whose findings are played; without it, it is built";

/// What was asked for.
#[derive(Default)]
struct Asked {
    is_check: bool,
    is_page: bool,
    is_help: bool,
    kubeconfigs: Vec<PathBuf>,
    plimsoll: Option<PathBuf>,
    images: Option<PathBuf>,
    share: Option<Share>,
    subjects: Vec<String>,
}

/// Plays, tells, and writes or compares.
pub(crate) fn run(arguments: &[&str]) -> Result<()> {
    let asked = Asked::read(arguments)?;
    if asked.is_help {
        return writeln!(std::io::stdout(), "{USAGE}").context("standard output");
    }
    let kept = read_witnessed(&std::fs::read_to_string(TABLE).context(TABLE)?);
    let open = read_unwitnessed(&std::fs::read_to_string(REASONS).context(REASONS)?);
    if asked.is_page {
        return store(PAGE, &page::write(&kept, &open));
    }
    let mut subjects = Subject::chosen(&asked.subjects)?;
    if asked.is_check && asked.subjects.is_empty() {
        subjects = subjects.into_iter().map(|subject| subject.without(&open)).collect();
    }
    let (subjects, others) = match asked.share {
        Some(share) => share.split(subjects),
        None => (subjects, Vec::new()),
    };
    let plimsoll = asked.plimsoll.clone().map_or_else(build, Ok)?;
    let trust = Trust::new().context("a certificate authority")?;
    let workplace = Workplace::open().context("a folder for the plays")?;
    let clusters = if asked.kubeconfigs.is_empty() { start(&trust, workplace.path())? } else { Vec::new() };
    if let Some(file) = &asked.images {
        std::fs::write(file, images_of(&trust)?)?;
    }
    let own = clusters.iter().map(|cluster| cluster.kubeconfig_path());
    let kubeconfigs = asked.kubeconfigs.iter().cloned().chain(own).collect();
    let folder = workplace.path().to_owned();
    let setting = Setting { plimsoll, programs: programs()?, kubeconfigs, trust, folder };
    let outcomes = witness(&setting, &subjects, &tell, &mut say)?;
    tell_unplayed(&others);
    let differences = record::differences(&outcomes, &open);
    if asked.is_check {
        compare_page(&kept, &open)?;
    } else {
        let all: Vec<String> = Subject::all()?.into_iter().map(|subject| subject.name).collect();
        let rows = record::merge(&kept, &outcomes, &all);
        store(TABLE, &record::write(&rows))?;
        store(PAGE, &page::write(&rows, &open))?;
    }
    ensure!(
        differences.is_empty(),
        "{} examples are not as kept:\n{}",
        differences.len(),
        differences.join("\n")
    );
    Ok(())
}

/// One cluster for the plays that stay in a namespace, and two for those that need one to themselves.
fn start(trust: &Trust, folder: &Path) -> Result<Vec<Cluster>> {
    let images = folder.join("images.yaml");
    std::fs::write(&images, images_of(trust)?)?;
    let names = ["witness-shared", "witness-alone-1", "witness-alone-2"];
    let starts = names.map(|name| {
        let options =
            Options { name: name.to_owned(), nodes: 1, images: Some(images.clone()), ..Options::default() };
        std::thread::spawn(move || Cluster::start(options))
    });
    let started = starts.into_iter().map(|start| match start.join() {
        Ok(cluster) => Ok(cluster?),
        Err(_) => bail!("starting a cluster panicked"),
    });
    started.collect()
}

fn images_of(trust: &Trust) -> Result<String> {
    let own = std::env::current_exe().context("where this program lies")?;
    Ok(image_table(&own.with_file_name("plimsoll-testbed"), trust).to_string())
}

fn compare_page(kept: &[Witnessed], open: &[Unwitnessed]) -> Result<()> {
    let current = std::fs::read_to_string(PAGE).context(PAGE)?;
    ensure!(current == page::write(kept, open), "docs/witness.md is stale: run `cargo xtask witness --page`");
    Ok(())
}

fn store(path: &str, text: &str) -> Result<()> {
    std::fs::write(path, text).context(path.to_owned())
}

impl Asked {
    fn read(arguments: &[&str]) -> Result<Self> {
        let mut asked = Self::default();
        let mut words = arguments.iter();
        while let Some(word) = words.next() {
            match *word {
                "--check" => asked.is_check = true,
                "--page" => asked.is_page = true,
                "--help" | "-h" => asked.is_help = true,
                "--kubeconfig" => {
                    asked.kubeconfigs.push(words.next().context("--kubeconfig needs a file")?.into());
                }
                "--images" => asked.images = Some(words.next().context("--images needs a file")?.into()),
                "--share" => asked.share = Some(words.next().context("--share needs a share")?.parse()?),
                "--plimsoll" => {
                    asked.plimsoll = Some(words.next().context("--plimsoll needs a file")?.into());
                }
                word if word.starts_with('-') => bail!("unknown option {word}\n{USAGE}"),
                word => asked.subjects.push(word.to_owned()),
            }
        }
        Ok(asked)
    }
}

/// Says what the share leaves out.
fn tell_unplayed(others: &[Subject]) {
    if !others.is_empty() {
        let names: Vec<&str> = others.iter().map(|subject| subject.name.as_str()).collect();
        // Nothing is left to report to when standard output is closed.
        let _ = writeln!(std::io::stdout(), "not played, being in other shares: {}", names.join(" "));
    }
}

fn say(text: &str) {
    // Nothing is left to report to when standard output is closed.
    let _ = writeln!(std::io::stdout(), "{text}");
}

fn tell(outcome: &Outcome) {
    let word = if outcome.is_confirmed() { "as said" } else { "NOT as said" };
    let Outcome { subject, example, took, .. } = outcome;
    let heals = record::record(outcome).heals;
    let mut text = format!("{subject:<28} {word:<11} {:>5.1} s  {example}  {heals}\n", took.as_secs_f64());
    for fault in &outcome.faults {
        text.push_str("    ");
        text.push_str(&fault.trim_end().replace('\n', "\n    "));
        text.push('\n');
    }
    // Nothing is left to report to when standard output is closed.
    let _ = std::io::stdout().write_all(text.as_bytes());
}

/// The program, and the one that clusters are made of, built once.
fn build() -> Result<PathBuf> {
    let mut cargo = Command::new("cargo");
    let status = cargo
        .args(["build", "--quiet", "-p", "plimsoll", "-p", "plimsoll-testbed"])
        .status()
        .context("running cargo")?;
    ensure!(status.success(), "cargo build -p plimsoll -p plimsoll-testbed: {status}");
    let own = std::env::current_exe().context("where this program lies")?;
    Ok(own.with_file_name("plimsoll"))
}

fn programs() -> Result<PathBuf> {
    let folders = plimsoll_testbed::programs::folders();
    let found = folders.into_iter().find(|folder| has_kubectl(folder));
    found
        .context("no kubectl in the cache: run `cargo xtask test-cluster up` once, or set KUBEBUILDER_ASSETS")
}

fn has_kubectl(folder: &Path) -> bool {
    folder.join("kubectl").is_file()
}
