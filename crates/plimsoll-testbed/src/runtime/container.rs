//! A container: one program in the pod's namespaces and in its own mount and process namespaces.

use super::error::RuntimeError;
use super::inside::Entry;
use super::interface::{self as cri, ContainerConfig, ContainerState, CreateContainerRequest};
use super::log::Log;
use super::node::{Node, now};
use super::selection::selects;
use super::stop_signal;
use super::table::Deed;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::net::unix::OwnedWriteHalf;
use tokio::sync::{Mutex, mpsc, watch};
use tokio::time::timeout;

/// How long a killed container may take to be gone.
const KILLED: Duration = Duration::from_secs(10);

/// One container, from its creation to its removal.
#[derive(Debug)]
pub(crate) struct Container {
    /// Its identifier.
    pub(crate) id: String,
    /// Its pod's.
    pub(crate) pod: String,
    /// What the kubelet asked for.
    pub(crate) config: ContainerConfig,
    /// Its folder on the machine.
    pub(crate) folder: PathBuf,
    /// Where its output goes.
    pub(crate) log: Arc<Log>,
    /// What it does and did.
    pub(crate) phase: watch::Sender<Phase>,
    /// The connection to its process 1.
    pub(crate) control: Mutex<Option<OwnedWriteHalf>>,
    /// What is typed to it, if it listens to that.
    pub(crate) input: Mutex<Option<mpsc::Sender<Vec<u8>>>>,
    log_path: PathBuf,
    created: i64,
}

/// Where a container is in its life.
#[derive(Debug, Clone)]
pub(crate) enum Phase {
    /// Not yet started.
    Created,
    /// Running.
    Running(Arc<Running>),
    /// Ended.
    Exited(Exit),
}

/// What is known of a running container.
#[derive(Debug)]
pub(crate) struct Running {
    /// Its process 1, as this process sees it.
    pub(crate) pid: i32,
    /// Since when, in nanoseconds.
    pub(crate) started: i64,
    /// How its program was started; other commands are executed as the same user.
    pub(crate) entry: Entry,
    /// What it does, if it only behaves.
    pub(crate) deed: Option<Deed>,
}

/// How a container ended.
#[derive(Debug, Clone)]
pub(crate) struct Exit {
    /// When it began, or 0.
    pub(crate) started: i64,
    /// When it ended.
    pub(crate) finished: i64,
    /// Its exit code.
    pub(crate) code: i32,
    /// What pods show as the reason.
    pub(crate) reason: &'static str,
    /// And as the message.
    pub(crate) message: String,
}

impl Container {
    /// Creates a container that does not run yet.
    pub(crate) async fn create(node: &Node, request: CreateContainerRequest) -> Result<String, RuntimeError> {
        let pod = node.pod(&request.pod_sandbox_id).await?;
        let config = request.config.ok_or(RuntimeError::Lacks("the container's configuration"))?;
        let id = node.identifier();
        let folder = node.options.state.join("containers").join(&id);
        std::fs::create_dir_all(&folder).map_err(RuntimeError::at(format!("create {}", folder.display())))?;
        let log_path = match (pod.config.log_directory.as_str(), config.log_path.as_str()) {
            ("", _) | (_, "") => PathBuf::new(),
            (folder, name) => PathBuf::from(folder).join(name),
        };
        let log = Log::open(&log_path).map_err(RuntimeError::at(format!("open {}", log_path.display())))?;
        let container = Self {
            id: id.clone(),
            pod: pod.id.clone(),
            config,
            folder,
            log: Arc::new(log),
            phase: watch::Sender::new(Phase::Created),
            control: Mutex::default(),
            input: Mutex::default(),
            log_path,
            created: now(),
        };
        node.add_container(container).await;
        Ok(id)
    }

    /// The container if it runs.
    pub(crate) fn running(&self) -> Result<Arc<Running>, RuntimeError> {
        match &*self.phase.borrow() {
            Phase::Running(running) => Ok(Arc::clone(running)),
            _ => Err(RuntimeError::NotRunning(self.id.clone())),
        }
    }

    /// Asks the program to end, and ends it when its time is over.
    pub(crate) async fn stop(&self, grace: Duration) {
        if self.running().is_err() {
            return;
        }
        self.signal(stop_signal::number(self.config.stop_signal)).await;
        if grace.is_zero() || timeout(grace, self.exited()).await.is_err() {
            self.signal(stop_signal::KILL).await;
            if timeout(KILLED, self.exited()).await.is_err() {
                // Process 1 ends with its connection, and all others with it.
                self.control.lock().await.take();
            }
        }
    }

    /// Removes what it has written; it must have ended.
    pub(crate) fn remove_files(&self) {
        // What stays, stays on a file system that ends with the cluster.
        let _ = std::fs::remove_dir_all(&self.folder);
    }

    async fn signal(&self, number: i32) {
        if let Some(control) = self.control.lock().await.as_mut() {
            // A connection that is gone has ended the container.
            let _ = control.write_all(format!("{number}\n").as_bytes()).await;
        }
    }

    async fn exited(&self) {
        // The sender lives as long as this.
        let _ = self.phase.subscribe().wait_for(|phase| matches!(phase, Phase::Exited(_))).await;
    }

    fn state(&self) -> ContainerState {
        match &*self.phase.borrow() {
            Phase::Created => ContainerState::ContainerCreated,
            Phase::Running(_) => ContainerState::ContainerRunning,
            Phase::Exited(_) => ContainerState::ContainerExited,
        }
    }

    /// Whether a filter of the kubelet's lets it through.
    #[must_use]
    pub(crate) fn passes(&self, filter: &cri::ContainerFilter) -> bool {
        (filter.id.is_empty() || filter.id == self.id)
            && (filter.pod_sandbox_id.is_empty() || filter.pod_sandbox_id == self.pod)
            && filter.state.is_none_or(|wanted| wanted.state() == self.state())
            && selects(&filter.label_selector, &self.config.labels)
    }

    /// The image as the pod names it.
    #[must_use]
    pub(crate) fn image(&self) -> &str {
        let Some(image) = &self.config.image else { return "" };
        if image.user_specified_image.is_empty() { &image.image } else { &image.user_specified_image }
    }

    /// The container in a list.
    #[must_use]
    pub(crate) fn item(&self) -> cri::Container {
        let reference = self.config.image.as_ref().map(|image| image.image.clone()).unwrap_or_default();
        cri::Container {
            id: self.id.clone(),
            pod_sandbox_id: self.pod.clone(),
            metadata: self.config.metadata.clone(),
            image: self.config.image.clone(),
            image_ref: reference.clone(),
            image_id: reference,
            state: self.state().into(),
            created_at: self.created,
            labels: self.config.labels.clone(),
            annotations: self.config.annotations.clone(),
        }
    }

    /// The container's status.
    #[must_use]
    pub(crate) fn status(&self) -> cri::ContainerStatus {
        let item = self.item();
        let mut status = cri::ContainerStatus {
            id: item.id,
            metadata: item.metadata,
            state: item.state,
            created_at: item.created_at,
            image: Some(cri::ImageSpec { image: self.image().to_owned(), ..cri::ImageSpec::default() }),
            image_ref: item.image_ref,
            image_id: item.image_id,
            labels: item.labels,
            annotations: item.annotations,
            mounts: self.config.mounts.clone(),
            log_path: self.log_path.to_string_lossy().into_owned(),
            ..cri::ContainerStatus::default()
        };
        match &*self.phase.borrow() {
            Phase::Created => {}
            Phase::Running(running) => status.started_at = running.started,
            Phase::Exited(exit) => {
                status.started_at = exit.started;
                status.finished_at = exit.finished;
                status.exit_code = exit.code;
                exit.reason.clone_into(&mut status.reason);
                status.message.clone_from(&exit.message);
            }
        }
        status
    }
}
