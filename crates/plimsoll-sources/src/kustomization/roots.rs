//! Which kustomizations of a folder are deployed: those that no other one there takes in. Where several of them share a
//! base, they are variants of one thing, of which a cluster gets one; nobody here knows which.

use crate::claim::KUSTOMIZATION_NAMES;
use crate::host::{EntryKind, Host};
use crate::script::paths::{normal, resolve};
use crate::search::join;
use plimsoll_model::{FileIndex, Node};
use plimsoll_yaml::MAX_FILE_BYTES;
use std::collections::{BTreeMap, BTreeSet};

/// The kustomizations of a folder that are deployed on their own, and those that are variants of each other.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Roots {
    pub(crate) alone: Vec<String>,
    pub(crate) variants: Vec<String>,
}

/// Tells the kustomizations that were found apart.
pub(crate) fn roots(host: &dyn Host, found: &[String]) -> Roots {
    let inside: BTreeMap<&String, BTreeSet<String>> =
        found.iter().map(|folder| (folder, taken_in(host, folder))).collect();
    let is_taken = |folder: &str| inside.values().any(|inside| inside.contains(&normal(folder)));
    let outermost: Vec<(&String, &BTreeSet<String>)> = found
        .iter()
        .filter(|folder| !is_taken(folder))
        .filter_map(|folder| Some((folder, inside.get(folder)?)))
        .collect();
    let mut roots = Roots::default();
    for (folder, own) in &outermost {
        let shares =
            |(other, inside): &(&String, &BTreeSet<String>)| other != folder && !own.is_disjoint(inside);
        let list = if outermost.iter().any(shares) { &mut roots.variants } else { &mut roots.alone };
        list.push((*folder).clone());
    }
    roots
}

/// Every folder that a kustomization takes in, directly or not.
fn taken_in(host: &dyn Host, folder: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut waiting = vec![normal(folder)];
    while let Some(next) = waiting.pop() {
        let listed = KUSTOMIZATION_NAMES.iter().find_map(|name| read(host, &join(shown(&next), name)));
        for path in listed.iter().flat_map(listed_paths) {
            let Some(path) = resolve(Some(&next), &path) else { continue };
            if host.look(shown(&path)) == Ok(EntryKind::Folder) && found.insert(path.clone()) {
                waiting.push(path);
            }
        }
    }
    found
}

fn shown(path: &str) -> &str {
    if path.is_empty() { "." } else { path }
}

fn read(host: &dyn Host, path: &str) -> Option<Node> {
    let text = String::from_utf8(host.read(path, MAX_FILE_BYTES).ok()?).ok()?;
    plimsoll_yaml::value(&text, FileIndex::default()).ok()
}

fn listed_paths(node: &Node) -> Vec<String> {
    let lists = ["resources", "bases", "components"].into_iter().flat_map(|field| node.list_at(&[field]));
    lists.filter_map(|item| Some(item.text()?.to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::Memory;

    #[test]
    fn what_others_take_in_is_no_root_and_variants_are_told_apart() {
        let host = Memory::new([
            ("base/kustomization.yaml", "resources: [a.yaml]\n"),
            ("base/a.yaml", ""),
            ("overlays/dev/kustomization.yaml", "resources: [../../base]\n"),
            ("overlays/prod/kustomization.yml", "bases: [../../base]\n"),
            ("other/kustomization.yaml", "resources: [a.yaml]\n"),
            ("other/a.yaml", ""),
        ]);
        let found = ["base", "other", "overlays/dev", "overlays/prod"].map(str::to_owned);
        let expected = Roots {
            alone: vec!["other".to_owned()],
            variants: vec!["overlays/dev".to_owned(), "overlays/prod".to_owned()],
        };
        assert_eq!(roots(&host, &found), expected);
        assert_eq!(roots(&host, &found[..3]).alone, ["other", "overlays/dev"]);
    }
}
