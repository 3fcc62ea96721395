//! What a chart must be told before it renders at all, found from what it says when it refuses.

use super::switches::{comparisons, texts};
use crate::question::{Need, Question};
use plimsoll_chart::{Chart, DiskFolder};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// How many values a chart may need.
const MOST_NEEDS: usize = 6;

/// Texts that are tried where templates compare with none: a word, and an address.
const ANY: &[&str] = &["needed", "https://example.org/needed"];

/// Texts that templates compare values with, by the paths of the values.
type Compared = BTreeMap<String, BTreeSet<String>>;

/// Values without which some of the charts refuse a plain release.
pub(crate) fn needs(folders: &[&Path]) -> Vec<Need> {
    let mut needs = Vec::new();
    for folder in folders {
        let Ok(chart) = Chart::from_folder(&DiskFolder((*folder).to_owned())) else { continue };
        let before = needs.len();
        let mut compared = BTreeMap::new();
        comparisons(&folder.join("templates"), "", &mut compared);
        if !satisfy(folder, &chart, &compared, &mut needs) {
            needs.truncate(before);
        }
    }
    needs
}

/// Adds what a chart needs, and gives whether that is all that it needs.
fn satisfy(folder: &Path, chart: &Chart, compared: &Compared, needs: &mut Vec<Need>) -> bool {
    let values = texts(folder);
    let plain = Question::plain("release");
    for _ in 0..MOST_NEEDS {
        let Err(cause) = plain.ask(chart, needs) else { return true };
        let helps = |need: &Need| {
            let with: Vec<Need> = needs.iter().cloned().chain([need.clone()]).collect();
            let is_new = needs.iter().all(|(path, _)| *path != need.0);
            is_new && plain.ask(chart, &with).map_or_else(|other| other != cause, |_| true)
        };
        let Some(need) = candidates(folder, &values, compared, &cause).into_iter().find(helps) else { break };
        crate::tell(&format!("{} needs {}={}", chart.metadata.version, need.0, need.1));
        needs.push(need);
    }
    plain.ask(chart, needs).is_ok()
}

/// Values that a refusal mentions, or else the line that it names, the most plainly mentioned ones first, with the texts
/// that they may have.
fn candidates(folder: &Path, values: &BTreeSet<String>, compared: &Compared, cause: &str) -> Vec<Need> {
    let last = |path: &str| path.rsplit('.').next().unwrap_or(path).to_owned();
    let mut mentioned: Vec<String> =
        values.iter().filter(|path| cause.contains(&last(path))).cloned().collect();
    mentioned.sort_by_key(|path| (!cause.contains(path.as_str()), Reverse(path.len())));
    mentioned.extend(at_refusal(folder, cause));
    let with_texts = mentioned.into_iter().flat_map(|path| {
        let known = compared.get(&path).into_iter().flatten().map(String::as_str);
        let texts = known.filter(|text| !text.is_empty()).chain(ANY.iter().copied());
        texts.map(|text| (path.clone(), text.to_owned())).collect::<Vec<_>>()
    });
    with_texts.collect()
}

/// The values on the line that a refusal names: `… at (NAME/templates/identity.yaml:19:21): …`.
fn at_refusal(folder: &Path, cause: &str) -> Vec<String> {
    let found = || {
        let (_, place) = cause.split_once("at (")?;
        let (place, _) = place.split_once(')')?;
        let mut parts = place.split(':');
        let (_, file) = parts.next()?.split_once('/')?;
        let line = parts.next()?.parse::<usize>().ok()?.checked_sub(1)?;
        let text = fs::read_to_string(folder.join(file)).ok()?;
        let prefix = file.strip_prefix("charts/").and_then(|rest| rest.split_once('/'));
        let prefix = prefix.map_or(String::new(), |(inside, _)| format!("{inside}."));
        let is_path = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '_');
        let behind = text.lines().nth(line)?.split(".Values.").skip(1);
        let path =
            |text: &str| text.split(|letter| !is_path(letter)).next().map(|path| format!("{prefix}{path}"));
        Some(behind.filter_map(path).collect())
    };
    found().unwrap_or_default()
}
