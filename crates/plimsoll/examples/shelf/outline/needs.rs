//! What a chart must be told before it renders at all, found from what it says when it refuses.

use super::switches::{comparisons, texts};
use crate::question::{Need, Question};
use plimsoll_chart::{Chart, DiskFolder};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
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
        if !satisfy(&chart, &texts(folder), &compared, &mut needs) {
            needs.truncate(before);
        }
    }
    needs
}

/// Adds what a chart needs, and gives whether that is all that it needs.
fn satisfy(chart: &Chart, values: &BTreeSet<String>, compared: &Compared, needs: &mut Vec<Need>) -> bool {
    let plain = Question::plain("release");
    for _ in 0..MOST_NEEDS {
        let Err(cause) = plain.ask(chart, needs) else { return true };
        let helps = |need: &Need| {
            let with: Vec<Need> = needs.iter().cloned().chain([need.clone()]).collect();
            let is_new = needs.iter().all(|(path, _)| *path != need.0);
            is_new && plain.ask(chart, &with).map_or_else(|other| other != cause, |_| true)
        };
        let Some(need) = candidates(values, compared, &cause).into_iter().find(helps) else { break };
        crate::tell(&format!("{} needs {}={}", chart.metadata.version, need.0, need.1));
        needs.push(need);
    }
    plain.ask(chart, needs).is_ok()
}

/// Values that a refusal mentions, the most plainly mentioned ones first, with the texts that they may have.
fn candidates(values: &BTreeSet<String>, compared: &Compared, cause: &str) -> Vec<Need> {
    let last = |path: &str| path.rsplit('.').next().unwrap_or(path).to_owned();
    let mut mentioned: Vec<&String> = values.iter().filter(|path| cause.contains(&last(path))).collect();
    mentioned.sort_by_key(|path| (!cause.contains(path.as_str()), Reverse(path.len())));
    let with_texts = mentioned.into_iter().flat_map(|path| {
        let known = compared.get(path).into_iter().flatten().map(String::as_str);
        let texts = known.filter(|text| !text.is_empty()).chain(ANY.iter().copied());
        texts.map(|text| (path.clone(), text.to_owned())).collect::<Vec<_>>()
    });
    with_texts.collect()
}
