//! A scene: what is put on the cluster, and between which two moments time is taken.

use super::moment::Moment;
use super::{DelayError, Measured};
use crate::audit::{Event, Trail};
use crate::cluster::Cluster;
use jiff::Timestamp;
use serde::Deserialize;
use std::time::Duration;

/// How long anything may take to happen.
const PATIENCE: Duration = Duration::from_mins(4);

/// One scene. `HERE` in its texts is a namespace of its own for each run.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Scene {
    /// The delay, or the clock.
    pub(super) name: String,
    method: String,
    /// What is there before the time begins.
    #[serde(default)]
    before: String,
    /// The moment in which that is complete.
    ready: Option<Moment>,
    /// What is sent; nothing if the namespace itself is all.
    #[serde(default)]
    sent: String,
    /// What is asked for again and again, as a rehearsal: until it is refused before something is sent, and until it is
    /// granted afterwards.
    asked: Option<String>,
    /// Whether the namespace is deleted after that.
    #[serde(default)]
    deleted: bool,
    /// When the time begins; without it, when kubectl is started.
    from: Option<Moment>,
    /// When it ends: all of these have come.
    #[serde(default)]
    until: Vec<Moment>,
    /// For a clock, what happens at each attempt, and how often it is waited for.
    each: Option<Moment>,
    #[serde(default)]
    attempts: usize,
}

impl Scene {
    pub(super) fn parse(text: &str) -> Result<Self, DelayError> {
        serde_saphyr::from_str(text).map_err(|cause| DelayError::Scene {
            scene: text.lines().next().unwrap_or_default().to_owned(),
            cause: cause.to_string(),
        })
    }

    fn is_clock(&self) -> bool {
        self.each.is_some()
    }

    /// Whether there is something to take time of.
    #[cfg(test)]
    pub(super) fn is_whole(&self) -> bool {
        self.is_clock() == (self.attempts > 1) && self.is_clock() == self.until.is_empty()
    }

    pub(super) fn measured(&self, times: Vec<Duration>) -> Measured {
        let method = self.method.trim().replace('\n', " ");
        Measured { name: self.name.clone(), method, times, is_clock: self.is_clock() }
    }

    /// Whether it takes so long that others are better not kept waiting.
    pub(super) fn is_slow(&self) -> bool {
        self.is_clock() || self.asked.is_some()
    }

    /// Its pauses, or its time in several runs.
    pub(super) fn times(
        &self,
        cluster: &Cluster,
        first: usize,
        runs: usize,
    ) -> Result<Vec<Duration>, DelayError> {
        if self.is_clock() {
            return self.pauses(cluster);
        }
        // What a busy machine has lost once is tried once more, under a name of its own.
        let time = |run: usize| self.time(cluster, run).or_else(|_| self.time(cluster, run + 100));
        (first..first + runs).map(time).collect()
    }

    /// Plays it once and takes its time.
    fn time(&self, cluster: &Cluster, run: usize) -> Result<Duration, DelayError> {
        let here = self.here(run);
        let (mut trail, started) = self.set(cluster, &here)?;
        let begun = match &self.from {
            Some(moment) => self.wait(&mut trail, moment, &here)?.reached,
            None => started,
        };
        if let Some(asked) = &self.asked {
            self.ask(cluster, &asked.replace("HERE", &here), true)?;
        }
        let mut done = begun;
        for moment in &self.until {
            trail.rewind();
            let seen = trail.wait_for(&format!("{moment:?}"), PATIENCE, |event| {
                event.reached >= begun && moment.is(event, &here)
            });
            done = done.max(self.seen(seen)?.reached);
        }
        self.leave(cluster, &here)?;
        Ok(done.duration_since(begun).unsigned_abs())
    }

    /// Plays it once and gives the pauses between its attempts.
    fn pauses(&self, cluster: &Cluster) -> Result<Vec<Duration>, DelayError> {
        let here = self.here(0);
        let (mut trail, _) = self.set(cluster, &here)?;
        let mut moments = Vec::new();
        for _ in 0..self.attempts {
            if let Some(moment) = &self.each {
                moments.push(self.wait(&mut trail, moment, &here)?.reached);
            }
        }
        self.leave(cluster, &here)?;
        let pauses = moments.windows(2).filter_map(|pair| match pair {
            [one, next] => Some(next.duration_since(*one).unsigned_abs()),
            _ => None,
        });
        Ok(pauses.collect())
    }

    fn here(&self, run: usize) -> String {
        format!("{}-{run}", self.name.replace('_', "-"))
    }

    /// Makes the namespace and sends everything; gives the log from before that, and when the last kubectl was started.
    fn set(&self, cluster: &Cluster, here: &str) -> Result<(Trail, Timestamp), DelayError> {
        let unseen = |cause| DelayError::Unseen { scene: self.name.clone(), cause };
        let mut trail = Trail::from_now(cluster.audit_log()).map_err(unseen)?;
        let mut started = Timestamp::now();
        self.kubectl(cluster, &["create", "namespace", here])?;
        let namespace = format!("--namespace={here}");
        self.kubectl(cluster, &["wait", "--for=create", "serviceaccount/default", &namespace])?;
        if !self.before.is_empty() {
            self.send(cluster, &self.before.replace("HERE", here))?;
        }
        if let Some(moment) = &self.ready {
            self.wait(&mut trail, moment, here)?;
            trail.rewind();
        }
        if let Some(asked) = &self.asked {
            self.ask(cluster, &asked.replace("HERE", here), false)?;
        }
        if !self.sent.is_empty() {
            started = self.send(cluster, &self.sent.replace("HERE", here))?;
        }
        if self.deleted {
            self.kubectl(cluster, &["delete", "namespace", here, "--wait=false"])?;
        }
        Ok((trail, started))
    }

    fn send(&self, cluster: &Cluster, text: &str) -> Result<Timestamp, DelayError> {
        let folder = cluster.workplace()?;
        let path = folder.path().join("scene.yaml");
        std::fs::write(&path, text).map_err(|cause| DelayError::File { path: path.clone(), cause })?;
        let started = Timestamp::now();
        self.kubectl(cluster, &["apply", "--filename", &path.to_string_lossy()])?;
        Ok(started)
    }

    fn ask(&self, cluster: &Cluster, text: &str, is_granted: bool) -> Result<(), DelayError> {
        let folder = cluster.workplace()?;
        let path = folder.path().join("asked.yaml");
        std::fs::write(&path, text).map_err(|cause| DelayError::File { path: path.clone(), cause })?;
        let words = ["create", "--dry-run=server", "--filename", &path.to_string_lossy()];
        // The slowest clock that is asked is the server's own, at half a minute.
        for _ in 0..1000 {
            if self.kubectl(cluster, &words).is_ok() == is_granted {
                return Ok(());
            }
        }
        let said = format!("always the same, granted or not: {text}");
        Err(DelayError::Refused { scene: self.name.clone(), said })
    }

    /// Nothing of a run is in the way of the next.
    fn leave(&self, cluster: &Cluster, here: &str) -> Result<(), DelayError> {
        self.kubectl(cluster, &["delete", "namespace", here, "--ignore-not-found", "--wait=false"])
    }

    fn wait(&self, trail: &mut Trail, moment: &Moment, here: &str) -> Result<Event, DelayError> {
        self.seen(trail.wait_for(&format!("{moment:?}"), PATIENCE, |event| moment.is(event, here)))
    }

    fn seen(&self, seen: Result<Event, crate::audit::TrailError>) -> Result<Event, DelayError> {
        seen.map_err(|cause| DelayError::Unseen { scene: self.name.clone(), cause })
    }

    fn kubectl(&self, cluster: &Cluster, words: &[&str]) -> Result<(), DelayError> {
        let output = cluster.kubectl(words)?;
        let said = || String::from_utf8_lossy(&output.stderr).trim().to_owned();
        if output.status.success() {
            return Ok(());
        }
        Err(DelayError::Refused { scene: self.name.clone(), said: said() })
    }
}
