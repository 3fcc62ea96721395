//! `docs/promises.md`: what was compared, in numbers.

use super::tally::Tally;
use crate::programs::KUBERNETES;
use std::fmt::Write as _;

/// The page that says what was compared and counted.
#[must_use]
pub fn page(tally: &Tally) -> String {
    let mut text = format!(
        "# Promises against the real kubectl\n\n\
         Written by `cargo xtask promises --write`: kubectl {KUBERNETES} against kube-apiserver {KUBERNETES}.\n\n\
         Seeded dice make deployments (mixed kinds, Lists and typed lists, objects that stand twice, several files and folders, kustomizations) and a script that \
         sends them with\n`apply`, client-side and server-side, `create`, `replace`, `delete`, `-R`, `-k`, \
         `kustomize build |`, `wait` and `--prune`. A real shell runs the script;\nthe API server's audit log says which request \
         came when. The same files and script are read by the readers and judged by the promise\nmodel: each order that was \
         seen must be allowed, and all that is promised must have held. One object in fifteen is refused by a\npolicy, more \
         by a namespace or a CRD that is not there.\n\n| counted | |\n| --- | ---: |\n"
    );
    for (words, number) in rows(tally) {
        // Writing into a String cannot fail.
        let _ = writeln!(text, "| {words} | {number} |");
    }
    text.push_str("\n## Seen besides\n\n");
    for line in besides(tally) {
        let _ = writeln!(text, "* {line}");
    }
    text
}

fn rows(tally: &Tally) -> [(&'static str, usize); 14] {
    [
        ("bundles", tally.cases),
        ("commands that ran", tally.commands),
        ("requests about an object", tally.requests),
        ("objects sent, each counted once a command", tally.stored),
        ("of these refused", tally.refused),
        ("objects that were looked at and left as they were", tally.unchanged),
        ("objects that one command wrote twice, because they stand twice in its files", tally.sent_twice),
        ("waits for a CRD", tally.gates),
        ("pairs whose order is promised; all of them kept it", tally.promised),
        (
            "pairs of objects sent by commands in the background, not promised, seen as written",
            tally.free_as_written,
        ),
        ("the same, seen the other way round", tally.free_other_way),
        ("commands that ran although one before had failed, as the script has it", tally.run_after_failure),
        ("commands that did not run because one before had failed", tally.stopped_by_failure),
        ("objects created again behind a deletion that waited", tally.created_again),
    ]
}

fn besides(tally: &Tally) -> Vec<String> {
    let mut lines = vec![
        format!(
            "The longest overlap of two requests that are promised one after the other: {} µs.",
            tally.longest_overlap.max(0)
        ),
        "A refused object stopped no other object of its command; the command ended with 1, and with 0 only if all \
         was accepted."
            .to_owned(),
        format!(
            "`--prune` deleted {} objects, those that the model says and no other, each behind everything that was \
             applied, and none where something was refused; {} pairs in the order of kinds that is promised.",
            tally.pruned, tally.pruned_in_order
        ),
        format!(
            "`kubectl delete` deleted {} objects; {} of {} neighbours in the order of the files. The model promises no \
             order.",
            tally.deleted, tally.deletions.1, tally.deletions.0
        ),
    ];
    lines.push(format!(
        "A deletion that fails for one object waits for none: {} objects were still there for the next command.",
        tally.still_there
    ));
    let (found, missed) = tally.instances_behind_gate;
    lines.push(format!(
        "Instances sent behind a wait for `condition=Established` of their CRD: the kind was found for {found}, not for {missed}."
    ));
    for (verb, (found, missed)) in &tally.instances {
        lines.push(format!(
            "Instances that `kubectl {verb}` sent together with their CRD: the kind was found for {found}, not for {missed}."
        ));
    }
    for (verb, (commands, again)) in &tally.lookups {
        lines.push(format!(
            "`kubectl {verb}` asked for the server's kinds again after its first write in {again} of {commands} commands."
        ));
    }
    lines
}
