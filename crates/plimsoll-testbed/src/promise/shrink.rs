//! A contradicting case without everything that it contradicts without.

use super::case::Case;

/// Every case that has one thing less.
pub(super) fn smaller(case: &Case) -> Vec<Case> {
    let mut cases = Vec::new();
    for at in 0..case.commands.len() {
        let mut less = case.clone();
        less.commands.remove(at);
        cases.push(less);
    }
    for at in 0..case.files.len() {
        cases.push(without_file(case, at));
        let documents = case.files.get(at).map_or(0, |file| file.documents.len());
        for document in (0..documents).filter(|_| documents > 1) {
            let mut less = case.clone();
            if let Some(file) = less.files.get_mut(at) {
                file.documents.remove(document);
            }
            cases.push(less);
        }
    }
    cases.extend(without_refusals(case));
    cases.retain(|less| !less.commands.is_empty() && !less.files.is_empty());
    cases
}

/// Without a file, and without the kustomization's word for it; a command that names it goes too.
fn without_file(case: &Case, at: usize) -> Case {
    let mut less = case.clone();
    let path = less.files.remove(at).path;
    for kustomization in &mut less.kustomizations {
        let folder = format!("{}/", kustomization.folder);
        kustomization.resources.retain(|resource| format!("{folder}{resource}") != path);
    }
    for sent in &mut less.commands {
        if let super::case::Source::Paths(paths) = &mut sent.source {
            for named in paths.iter_mut() {
                let kept: Vec<&str> = named.split(',').filter(|name| *name != path).collect();
                *named = kept.join(",");
            }
            paths.retain(|named| !named.is_empty());
        }
    }
    less.commands
        .retain(|sent| !matches!(&sent.source, super::case::Source::Paths(paths) if paths.is_empty()));
    less
}

fn without_refusals(case: &Case) -> Option<Case> {
    case.things().any(|thing| thing.is_refused).then(|| {
        let mut less = case.clone();
        for document in less.files.iter_mut().flat_map(|file| &mut file.documents) {
            for thing in document.things_mut() {
                thing.is_refused = false;
            }
        }
        less
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::promise::{generate, judge};

    #[test]
    fn what_is_made_smaller_can_still_be_read() {
        for seed in 0..20 {
            let case = generate::case(seed);
            for less in smaller(&case) {
                let size = |case: &Case| case.things().count() + case.commands.len() + case.files.len();
                let refused = |case: &Case| case.things().filter(|thing| thing.is_refused).count();
                assert!(size(&less) < size(&case) || refused(&less) < refused(&case), "{seed}");
                let read = judge::bundle(&less, "c1");
                assert_eq!(read.steps.len(), less.commands.len(), "{seed}: {:?}", less.render("c1"));
            }
        }
    }
}
