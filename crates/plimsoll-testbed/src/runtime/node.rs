//! What one runtime knows: its options, its table, and the pods, containers and images it has.

use super::addresses::{Addresses, Range};
use super::container::Container;
use super::error::RuntimeError;
use super::images::Images;
use super::machine;
use super::network::{Network, release};
use super::pod::Pod;
use super::streaming::Requests;
use super::table::{Row, TableFile};
use crate::connection::client;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::sync::Mutex;

/// How the runtime is started.
#[derive(Debug, Clone, clap::Args)]
pub struct Options {
    /// The socket to serve the kubelet on.
    #[arg(long)]
    pub socket: PathBuf,
    /// The image table (docs/image-table.md); only everyday images without one.
    #[arg(long)]
    pub images: Option<PathBuf>,
    /// A folder for the files of containers, on a file system that ends with the cluster.
    #[arg(long)]
    pub state: PathBuf,
    /// The node's name.
    #[arg(long)]
    pub node_name: String,
    /// The node's address, where containers listen that share its network; everywhere without it.
    #[arg(long)]
    pub node_address: Option<Ipv4Addr>,
    /// The bridge to connect pods to.
    #[arg(long, default_value = "cbr0")]
    pub bridge: String,
    /// The node's pod addresses; all of the bridge's network without it.
    #[arg(long)]
    pub pod_cidr: Option<Range>,
    /// A folder to look for the table's programs in, before PATH; may be given several times.
    #[arg(long)]
    pub programs: Vec<PathBuf>,
    /// A kubeconfig that may read this node's pods: containers that only behave learn from it which ports are probed.
    #[arg(long)]
    pub kubeconfig: Option<PathBuf>,
    /// An authority that the API server trusts, FILE.crt and FILE.key: containers that admit prove themselves by it.
    #[arg(long)]
    pub authority: Option<PathBuf>,
    /// Where this machine's files are that containers see.
    #[arg(long, default_value = "/")]
    pub machine: PathBuf,
}

/// One node's runtime.
pub(crate) struct Node {
    /// How it was started.
    pub(crate) options: Options,
    /// The pods' network.
    pub(crate) network: Network,
    /// This program, for what runs inside containers.
    pub(crate) program: PathBuf,
    /// The way to the API server, if there is one.
    pub(crate) client: Option<kube::Client>,
    /// What was pulled.
    pub(crate) images: Mutex<Images>,
    /// Streams that the kubelet has asked for and not yet opened.
    pub(crate) requests: Requests,
    table: Mutex<TableFile>,
    addresses: Mutex<Addresses>,
    pods: Mutex<BTreeMap<String, Arc<Pod>>>,
    containers: Mutex<BTreeMap<String, Arc<Container>>>,
    sequence: AtomicU64,
}

impl Node {
    /// A node without pods. What an earlier life of it left in its folder is removed, but for where addresses go on.
    pub(crate) async fn new(options: Options, requests: Requests) -> Result<Self, RuntimeError> {
        let network = Network::find(&options.bridge).await?;
        let table = TableFile::open(options.images.clone(), &options.machine)?;
        clear(&options.state)?;
        let client = match &options.kubeconfig {
            Some(file) => Some(client(file).await?),
            None => None,
        };
        let all: Result<Range, _> = format!("{}/{}", network.gateway, network.bits).parse();
        let range = options.pod_cidr.or(all.ok()).ok_or(RuntimeError::NoAddress)?;
        let next = std::fs::read_to_string(options.state.join("next-address")).unwrap_or_default();
        let addresses = Addresses::new(range, network.gateway, next.trim().parse().unwrap_or(0));
        let program = std::env::current_exe().map_err(RuntimeError::at("find this program"))?;
        Ok(Self {
            network,
            program,
            client,
            images: Mutex::default(),
            requests,
            table: Mutex::new(table),
            addresses: Mutex::new(addresses),
            pods: Mutex::default(),
            containers: Mutex::default(),
            sequence: AtomicU64::new(0),
            options,
        })
    }

    /// An identifier that no other pod or container of any node has.
    pub(crate) fn identifier(&self) -> String {
        let number = self.sequence.fetch_add(1, Ordering::Relaxed);
        digest(&(&self.options.node_name, std::process::id(), number, now()))
    }

    /// The table's row for an image.
    pub(crate) async fn row(&self, image: &str) -> Result<Option<Row>, RuntimeError> {
        Ok(self.table.lock().await.find(image)?)
    }

    /// Where a program of the table lies on this machine.
    pub(crate) fn locate(&self, program: &str, image: &str) -> Result<PathBuf, RuntimeError> {
        let found = if program.contains('/') {
            let beside = self.options.images.as_deref().and_then(Path::parent).unwrap_or(Path::new(""));
            Some(machine::path(&self.options.machine, &beside.join(program))).filter(|path| path.is_file())
        } else {
            let path = std::env::var_os("PATH").unwrap_or_default();
            let folders = self.options.programs.iter().cloned().chain(std::env::split_paths(&path));
            folders
                .map(|folder| machine::path(&self.options.machine, &folder.join(program)))
                .find(|path| path.is_file())
        };
        let missing = || RuntimeError::NoProgram { program: program.to_owned(), image: image.to_owned() };
        found.and_then(|path| path.canonicalize().ok()).ok_or_else(missing)
    }

    /// An address for a pod.
    pub(crate) async fn take_address(&self) -> Result<Ipv4Addr, RuntimeError> {
        let mut addresses = self.addresses.lock().await;
        let address = addresses.take().ok_or(RuntimeError::NoAddress)?;
        // Without the file a restarted node would give old addresses sooner; no reason to refuse the pod.
        let _ = std::fs::write(self.options.state.join("next-address"), addresses.next().to_string());
        Ok(address)
    }

    /// Takes a pod's address back.
    pub(crate) async fn give_back(&self, address: Ipv4Addr) {
        self.addresses.lock().await.give_back(address);
    }

    /// A pod.
    pub(crate) async fn pod(&self, id: &str) -> Result<Arc<Pod>, RuntimeError> {
        let missing = || RuntimeError::NotFound { kind: "sandbox", id: id.to_owned() };
        self.pods.lock().await.get(id).cloned().ok_or_else(missing)
    }

    /// A container.
    pub(crate) async fn container(&self, id: &str) -> Result<Arc<Container>, RuntimeError> {
        let missing = || RuntimeError::NotFound { kind: "container", id: id.to_owned() };
        self.containers.lock().await.get(id).cloned().ok_or_else(missing)
    }

    /// All pods.
    pub(crate) async fn pods(&self) -> Vec<Arc<Pod>> {
        self.pods.lock().await.values().cloned().collect()
    }

    /// All containers.
    pub(crate) async fn containers(&self) -> Vec<Arc<Container>> {
        self.containers.lock().await.values().cloned().collect()
    }

    /// The containers of a pod.
    pub(crate) async fn containers_of(&self, pod: &str) -> Vec<Arc<Container>> {
        self.containers().await.into_iter().filter(|container| container.pod == pod).collect()
    }

    /// Adds a pod.
    pub(crate) async fn add_pod(&self, pod: Pod) {
        self.pods.lock().await.insert(pod.id.clone(), Arc::new(pod));
    }

    /// Adds a container.
    pub(crate) async fn add_container(&self, container: Container) {
        self.containers.lock().await.insert(container.id.clone(), Arc::new(container));
    }

    /// Forgets a pod.
    pub(crate) async fn forget_pod(&self, id: &str) {
        self.pods.lock().await.remove(id);
    }

    /// Forgets a container.
    pub(crate) async fn forget_container(&self, id: &str) {
        self.containers.lock().await.remove(id);
    }
}

/// Removes what an earlier life of the node has left.
fn clear(state: &Path) -> Result<(), RuntimeError> {
    for pod in std::fs::read_dir(state.join("pods")).into_iter().flatten().filter_map(Result::ok) {
        release(&pod.path());
    }
    for old in ["pods", "containers"].map(|name| state.join(name)) {
        // What cannot be removed is in nobody's way: identifiers do not come again.
        let _ = std::fs::remove_dir_all(&old);
        std::fs::create_dir_all(&old).map_err(RuntimeError::at(format!("create {}", old.display())))?;
    }
    Ok(())
}

/// Sixty-four hexadecimal digits that stand for a value.
pub(super) fn digest(value: &impl Hash) -> String {
    let part = |round: u8| {
        let mut hasher = DefaultHasher::new();
        (round, value).hash(&mut hasher);
        format!("{:016x}", hasher.finish())
    };
    (0..4).map(part).collect()
}

/// Now, in nanoseconds since 1970, as the interface counts.
pub(super) fn now() -> i64 {
    i64::try_from(jiff::Timestamp::now().as_nanosecond()).unwrap_or(i64::MAX)
}
