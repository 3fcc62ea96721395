//! What was counted over all cases.

use std::collections::BTreeMap;

/// Counts over all cases.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// Cases that were played.
    pub cases: usize,
    /// Commands that ran.
    pub commands: usize,
    /// Requests about named objects.
    pub requests: usize,
    /// Requests that would store an object of a delivery, the first one for each object and command.
    pub stored: usize,
    /// Objects that the server refused.
    pub refused: usize,
    /// Pairs of requests whose order is promised, directly or through others; all of them kept it.
    pub promised: usize,
    /// Pairs of requests of different commands whose order is left open, and that came as they were written.
    pub free_as_written: usize,
    /// The same, and they came the other way round.
    pub free_other_way: usize,
    /// How long a request overlapped with the one that is promised to be over, in microseconds of the server's notes.
    pub longest_overlap: i128,
    /// Commands that ran although an earlier one had failed, as the script has it.
    pub run_after_failure: usize,
    /// Commands that did not run because an earlier one had failed.
    pub stopped_by_failure: usize,
    /// Instances sent by the same command as their CRD, by verb: how many kubectl found a kind for, and how many not.
    pub instances: BTreeMap<String, (usize, usize)>,
    /// Commands by verb, and how many of them looked kinds up again after their first write.
    pub lookups: BTreeMap<String, (usize, usize)>,
    /// Objects that `--prune` deleted, all of them behind everything that was applied.
    pub pruned: usize,
    /// Pairs of them whose order is promised; all of them kept it.
    pub pruned_in_order: usize,
    /// Objects that were looked at and left as they were.
    pub unchanged: usize,
    /// Objects that stand twice in what a command sends, and were written twice.
    pub sent_twice: usize,
    /// Waits that ran.
    pub gates: usize,
    /// Instances sent behind a wait for their CRD: how many kubectl found a kind for, and how many not.
    pub instances_behind_gate: (usize, usize),
    /// Objects that `kubectl delete` deleted.
    pub deleted: usize,
    /// Neighbouring deletions of one command, and how many came in the order of the files.
    pub deletions: (usize, usize),
    /// Objects that were created again by the command behind a deletion that waited.
    pub created_again: usize,
    /// Of these, still there after a deletion that had failed for another object and so had not waited.
    pub still_there: usize,
}

impl Tally {
    /// Adds another tally.
    pub fn add(&mut self, other: &Self) {
        let pairs = [
            (&mut self.cases, other.cases),
            (&mut self.commands, other.commands),
            (&mut self.requests, other.requests),
            (&mut self.stored, other.stored),
            (&mut self.refused, other.refused),
            (&mut self.promised, other.promised),
            (&mut self.free_as_written, other.free_as_written),
            (&mut self.free_other_way, other.free_other_way),
            (&mut self.run_after_failure, other.run_after_failure),
            (&mut self.stopped_by_failure, other.stopped_by_failure),
            (&mut self.pruned, other.pruned),
            (&mut self.pruned_in_order, other.pruned_in_order),
            (&mut self.unchanged, other.unchanged),
            (&mut self.sent_twice, other.sent_twice),
            (&mut self.gates, other.gates),
            (&mut self.deleted, other.deleted),
            (&mut self.created_again, other.created_again),
            (&mut self.still_there, other.still_there),
        ];
        for (sum, more) in pairs {
            *sum += more;
        }
        self.longest_overlap = self.longest_overlap.max(other.longest_overlap);
        for (sum, more) in [
            (&mut self.deletions, other.deletions),
            (&mut self.instances_behind_gate, other.instances_behind_gate),
        ] {
            *sum = (sum.0 + more.0, sum.1 + more.1);
        }
        for (sums, more) in [(&mut self.instances, &other.instances), (&mut self.lookups, &other.lookups)] {
            for (verb, (one, two)) in more {
                let sum = sums.entry(verb.clone()).or_default();
                *sum = (sum.0 + one, sum.1 + two);
            }
        }
    }
}
