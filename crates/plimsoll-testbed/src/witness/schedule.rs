//! Which play is played where: those that stay inside a namespace beside each other on the first cluster, the others
//! one after the other, each with a cluster to itself.

use super::failure::Failure;
use super::outcome::Outcome;
use super::play::Play;
use super::room::Cluster;
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// How many plays share a cluster at a time. Most of their time is waiting.
const BESIDE_EACH_OTHER: usize = 6;

/// Plays everything; outcomes in the order of the plays. `tell` is called as each ends.
pub(super) fn run(
    clusters: &[Cluster],
    plays: Vec<Play>,
    tell: &(dyn Fn(&Outcome) + Sync),
) -> Result<Vec<Outcome>, Failure> {
    let count = plays.len();
    let numbered = (0usize..).zip(plays);
    let (shared, alone): (VecDeque<_>, VecDeque<_>) = numbered.partition(|(_, play)| play.is_shareable());
    let (shared, alone) = (Mutex::new(shared), Mutex::new(alone));
    let done: Mutex<Vec<(usize, Result<Outcome, Failure>)>> = Mutex::new(Vec::with_capacity(count));
    let work = |cluster: &Cluster, queue: &Mutex<VecDeque<(usize, Play)>>| {
        let next = || lock(queue).pop_front();
        while let Some((number, play)) = next() {
            let outcome = play.play(cluster);
            if let Ok(outcome) = &outcome {
                tell(outcome);
            }
            lock(&done).push((number, outcome));
        }
    };
    std::thread::scope(|scope| {
        let (first, others) =
            clusters.split_first().map_or((None, clusters), |(first, rest)| (Some(first), rest));
        for cluster in others {
            scope.spawn(|| work(cluster, &alone));
        }
        let Some(first) = first else { return };
        let beside: Vec<_> = (0..BESIDE_EACH_OTHER).map(|_| scope.spawn(|| work(first, &shared))).collect();
        for lane in beside {
            // A lane that panicked has lost its play, which is then missing below.
            let _ = lane.join();
        }
        work(first, &alone);
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, outcome)| outcome).collect()
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
