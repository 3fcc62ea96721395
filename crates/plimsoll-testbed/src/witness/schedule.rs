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

type Enter<'e> = dyn Fn() -> Result<Cluster, Failure> + Send + Sync + 'e;
type Queue = Mutex<VecDeque<(usize, Play)>>;

/// Plays everything; outcomes in the order of the plays. `tell` is called as each ends. Clusters are entered side by
/// side, each by the thread that stays until its last play: what runs beside a cluster ends with that thread.
pub(super) fn run(
    doors: &[Box<Enter<'_>>],
    plays: Vec<Play>,
    tell: &(dyn Fn(&Outcome) + Sync),
) -> Result<Vec<Outcome>, Failure> {
    let numbered = (0usize..).zip(plays);
    let (shared, alone): (VecDeque<_>, VecDeque<_>) = numbered.partition(|(_, play)| play.is_shareable());
    let (shared, alone) = (Mutex::new(shared), Mutex::new(alone));
    let done: Mutex<Vec<(usize, Outcome)>> = Mutex::default();
    let work = |cluster: &Cluster, queue: &Queue| {
        let next = || lock(queue).pop_front();
        while let Some((number, play)) = next() {
            let outcome = play.play(cluster);
            tell(&outcome);
            lock(&done).push((number, outcome));
        }
    };
    let beside = |cluster: &Cluster| {
        std::thread::scope(|scope| {
            for _ in 0..BESIDE_EACH_OTHER {
                scope.spawn(|| work(cluster, &shared));
            }
        });
    };
    std::thread::scope(|scope| {
        let lanes = (0..).zip(doors).map(|(number, enter)| {
            let (work, beside, alone) = (&work, &beside, &alone);
            scope.spawn(move || {
                let cluster = enter()?;
                if number == 0 {
                    beside(&cluster);
                }
                work(&cluster, alone);
                Ok::<(), Failure>(())
            })
        });
        let lanes: Vec<_> = lanes.collect();
        // A lane that panicked has lost its play, which the table then misses.
        lanes.into_iter().try_for_each(|lane| lane.join().unwrap_or(Ok(())))
    })?;
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(number, _)| *number);
    Ok(done.into_iter().map(|(_, outcome)| outcome).collect())
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
