//! Writes a stand-in: asks every version of a chart with each switch turned, and explains the answers.
//!
//! What is found is held against random questions; where it fails, the smallest question that shows it is added, and
//! everything is explained anew. What still cannot be explained is left out and named.

mod answers;
mod blocks;
mod explain;
mod facts;
mod known;
mod learn;
mod needs;
mod pairs;
mod probe;
mod refine;
mod switches;
mod wrapped;
mod write;

pub(crate) use facts::program;
pub(crate) use switches::folders;

use crate::question;
use answers::Answers;
use plimsoll_chart::{Chart, DiskFolder, Entry, Folder};
use sha2::{Digest as _, Sha256};
use std::path::{Path, PathBuf};
use std::{fs, io};

/// Writes the stand-in for a chart whose versions lie below a folder.
pub(crate) fn outline(
    folder: &Path,
    repositories: &str,
    sources: &str,
    into: &Path,
) -> Result<String, String> {
    let mut read = Vec::new();
    for folder in crate::charts(folder) {
        match Chart::from_folder(&Stating(DiskFolder(folder.clone()))) {
            Ok(chart) => read.push((order(&chart.metadata.version), folder, chart)),
            Err(failure) => crate::tell(&format!("{} is not read: {failure}", folder.display())),
        }
    }
    let needs = needs::needs(&read.iter().map(|(_, folder, _)| folder.as_path()).collect::<Vec<_>>());
    read.retain(|(_, _, chart)| match readable(chart, &needs) {
        Ok(()) => true,
        Err(cause) => {
            crate::tell(&format!("{} is not read: {cause}", chart.metadata.version));
            false
        }
    });
    read.sort_by(|one, other| one.0.cmp(&other.0));
    let Some((_, _, newest)) = read.last() else { return Err(format!("{}: no chart", folder.display())) };
    let name = newest.metadata.name.clone();
    let places: Vec<&Path> = read.iter().map(|(_, folder, _)| folder.as_path()).collect();
    let digests: Vec<String> = places.iter().map(|folder| digest(folder)).collect();
    let parts = probe::parts(&name, places.last().copied().unwrap_or(folder), "");
    let wrappers: Vec<Option<String>> =
        read.iter().map(|(_, folder, chart)| wrapped::wrapper(folder, chart, &needs)).collect();
    let switches = switches::switches(&places, &parts, &wrappers);
    let versions: Vec<String> =
        read.iter().map(|(_, _, chart)| chart.metadata.version.trim_start_matches('v').to_owned()).collect();
    let charts = read.into_iter().map(|(_, _, chart)| chart).collect();
    let mut answers = Answers::new(versions, charts, switches, needs);
    let probed = probe::probe(&mut answers, &name, &parts);
    let mut known = refine::refine(&mut answers, &probed);
    let stated = write::Stated { name: &name, repositories, sources, digests: &digests, answers: &answers };
    stated.write(&mut known, into).map_err(|cause| cause.to_string())?;
    for one in known.iter().filter(|one| one.presence.is_none()) {
        crate::tell(&format!("left out: {}", one.shown()));
    }
    let left_out = known.iter().filter(|known| known.presence.is_none()).count();
    Ok(format!(
        "{name}: {} versions, {} questions, {} objects, {left_out} left out",
        answers.versions.len(),
        answers.asked.len(),
        known.len()
    ))
}

/// Whether a chart renders, and brings nothing that no server takes any more.
fn readable(chart: &Chart, needs: &[question::Need]) -> Result<(), String> {
    let answer = question::Question::plain("release").ask(chart, needs)?;
    let mut versions = answer.objects.iter().filter_map(|(_, object)| object.text_at(&["apiVersion"]));
    match versions.find(|version| *version == "apiextensions.k8s.io/v1beta1") {
        Some(version) => Err(format!("it brings {version}")),
        None => Ok(()),
    }
}

/// A folder with nothing in templates that bring nothing that is stated, which makes asking faster.
struct Stating(DiskFolder);

impl Folder for Stating {
    fn list(&self, path: &str) -> io::Result<Vec<Entry>> {
        self.0.list(path)
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        let content = self.0.read(path)?;
        let is_template = path.contains("templates/");
        // An empty one, since others may include it for a checksum.
        Ok(if is_template && is_unstated(&String::from_utf8_lossy(&content)) { Vec::new() } else { content })
    }
}

fn is_unstated(text: &str) -> bool {
    let mut kinds = text.lines().filter_map(|line| line.strip_prefix("kind: ")).peekable();
    let is_stated = |kind: &str| !facts::UNSTATED.contains(&kind.trim());
    kinds.peek().is_some() && !kinds.any(is_stated) && !text.contains("define ")
}

/// What versions are sorted by: their numbers, and whether they are no preview.
fn order(version: &str) -> (Vec<u64>, bool, String) {
    let bare = version.trim_start_matches('v');
    let (numbers, preview) = bare.split_once('-').map_or((bare, ""), |(numbers, preview)| (numbers, preview));
    let numbers = numbers.split(['.', '+']).map(|number| number.parse().unwrap_or(0)).collect();
    (numbers, preview.is_empty(), preview.to_owned())
}

/// A digest of every file of a chart.
fn digest(folder: &Path) -> String {
    let mut files = Vec::new();
    list(folder, &mut files);
    files.sort();
    let mut sum = Sha256::new();
    for file in files {
        let below = file.strip_prefix(folder).unwrap_or(&file).to_string_lossy().into_owned();
        let content = fs::read(&file).unwrap_or_default();
        sum.update(format!("{below} {}\n", content.len()));
        sum.update(content);
    }
    let sum = sum.finalize();
    let first = sum.iter().take(8).fold(0, |number: u64, byte| number << 8 | u64::from(*byte));
    format!("{first:016x}")
}

fn list(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.path() {
            path if path.is_dir() => list(&path, found),
            path => found.push(path),
        }
    }
}
