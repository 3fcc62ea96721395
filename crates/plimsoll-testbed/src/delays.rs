//! How long things take on a real cluster, by the API server's own clock. A scene is put on the cluster, and the audit
//! log says when it began and when it was done; or, for those who try again, how long they paused between two attempts.

mod failure;
mod moment;
mod scene;
mod scenes;

pub use failure::DelayError;

use crate::cluster::{AuditLevel, Cluster, Options};
use crate::operators::{self, Operator};
use scene::Scene;
use serde_json::json;
use std::path::Path;
use std::thread;
use std::time::Duration;

/// What was measured of one delay or one clock.
#[derive(Debug)]
pub struct Measured {
    /// What it is called in `delays.toml`, or among the clocks of the reference table.
    pub name: String,
    /// From where to where the time was taken.
    pub method: String,
    /// A delay, run by run; or the pauses of a clock, in their order.
    pub times: Vec<Duration>,
    /// Whether these are pauses.
    pub is_clock: bool,
}

/// Plays all scenes on a cluster of its own, with real operators: delays several times, one after the other. Clocks, and
/// what takes half a minute each time, are watched beside them.
pub fn measure(
    runs: usize,
    folder: &Path,
    progress: &mut dyn FnMut(&str),
) -> Result<Vec<Measured>, DelayError> {
    let (slow, quick): (Vec<Scene>, Vec<Scene>) = scenes::all()?.into_iter().partition(Scene::is_slow);
    let operators = [Operator::CertManager, Operator::ExternalSecrets];
    operators::prepare(&operators, progress)?;
    let cluster = start(folder)?;
    operators::install(&cluster, &operators, progress)?;
    thread::scope(|scope| {
        let watched = slow.iter().map(|scene| (scene, scope.spawn(|| scene.times(&cluster, 0, runs))));
        let watched: Vec<_> = watched.collect();
        let mut all: Vec<Measured> = Vec::new();
        for scene in &quick {
            let other = all.iter_mut().find(|measured| measured.name == scene.name);
            let first = other.as_ref().map_or(0, |measured| measured.times.len());
            let times = scene.times(&cluster, first, runs)?;
            progress(&format!("{:<20} {times:.3?}", scene.name));
            match other {
                Some(measured) => measured.times.extend(times),
                None => all.push(scene.measured(times)),
            }
        }
        for (scene, times) in watched {
            let lost = || DelayError::Lost { scene: scene.name.clone() };
            let times = times.join().map_err(|_| lost())??;
            progress(&format!("{:<20} {times:.1?}", scene.name));
            all.push(scene.measured(times));
        }
        Ok(all)
    })
}

/// One node; every request and every answer is logged in full.
fn start(folder: &Path) -> Result<Cluster, DelayError> {
    let path = folder.join("images.yaml");
    let images = json!({
        "images": [
            {"image": "finishes", "behaviour": "finishes"},
            {"image": "fails", "behaviour": "exits 1"},
            {"image": "missing", "pull": "fails", "behaviour": "sleeps"},
        ],
        "otherwise": "sleeps",
    });
    let failure = |cause| DelayError::File { path: path.clone(), cause };
    std::fs::write(&path, images.to_string()).map_err(failure)?;
    let options = Options {
        name: "delays".to_owned(),
        nodes: 1,
        images: Some(path.clone()),
        audit: AuditLevel::RequestResponse,
        ..Options::default()
    };
    Ok(Cluster::start(options)?)
}
