//! etcd, API server, controller manager and scheduler: their files, their arguments, and the order they start in.

use super::certificates::{Authority, Identity, TokenKeys};
use super::kubeconfig;
use super::messages::Order;
use super::options::Options;
use super::readiness::Question;
use super::room::Room;
use crate::processes::{Children, Program, Readiness};
use serde_json::json;
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::time::{Duration, Instant};

/// Where the API server writes what it was asked.
pub(super) const AUDIT_LOG: &str = "audit.log";

/// The authority that containers have which admit, by their behaviour.
const PLAYED_CERTIFICATE: &str = "played.crt";

/// Its key.
const PLAYED_KEY: &str = "played.key";

/// How long a program may take to be ready; a cold disk reads a hundred megabytes first.
const PATIENCE: Duration = Duration::from_mins(1);

/// A control plane that runs: what it takes to let others in.
pub(super) struct ControlPlane {
    pub(super) authority: Authority,
    pub(super) question: Question,
}

impl ControlPlane {
    /// The argument that lets a program of this name do anything; the audit log knows it by its name.
    pub(super) fn kubeconfig_for(&self, room: &Room, name: &str) -> io::Result<String> {
        let identity = self.authority.client(name, Some("system:masters")).map_err(io::Error::other)?;
        let server = format!("https://{}", room.api_server);
        let file = format!("{name}.kubeconfig");
        room.write(&file, &kubeconfig::write(&server, &self.authority.identity().certificate, &identity))?;
        Ok(format!("--kubeconfig={}", room.file(&file).display()))
    }

    /// Waits until a program that was started again is of use.
    pub(super) fn settle(&self, name: &str) -> io::Result<()> {
        if name == "kube-apiserver" {
            // It tells its manager when it listens, which is a while before it is ready.
            self.question.until_answered("/readyz", Instant::now() + PATIENCE)?;
        }
        Ok(())
    }
}

/// Starts the control plane and waits until it is ready.
pub(super) fn start(
    room: &Room,
    order: &Order,
    children: &Children,
    progress: &mut dyn FnMut(&str),
) -> io::Result<ControlPlane> {
    let authority = Authority::new("plimsoll-test-authority").map_err(io::Error::other)?;
    let admin = write_files(room, order, &authority)?;
    progress("starting etcd");
    let etcd = program(order, "etcd", etcd_arguments(room))?;
    children.start(&etcd.ready_by(Readiness::Notice))?;
    progress("starting kube-apiserver");
    let server = program(order, "kube-apiserver", api_server_arguments(room, &order.options))?;
    // What Go's programs trust when they are told of no authority.
    let server = server.with("SSL_CERT_FILE", PLAYED_CERTIFICATE);
    children.start(&server.ready_by(Readiness::Notice))?;
    let question = Question::new(room.api_server, &authority.identity().certificate, &admin)?;
    let deadline = Instant::now() + PATIENCE;
    question.until_answered("/readyz", deadline)?;
    progress("starting kube-controller-manager and kube-scheduler");
    let controllers = controller_arguments(&order.options);
    children.start(&program(order, "kube-controller-manager", controllers)?)?;
    children.start(&program(order, "kube-scheduler", scheduler_arguments())?)?;
    let account = "/api/v1/namespaces/default/serviceaccounts?watch=true&fieldSelector=metadata.name=default";
    question.until_seen(account, "ADDED", deadline)?;
    Ok(ControlPlane { authority, question })
}

/// A program of the order with its arguments.
pub(super) fn program(order: &Order, name: &str, arguments: Vec<String>) -> io::Result<Program> {
    let missing = || io::Error::new(io::ErrorKind::NotFound, format!("{name} was not among the programs"));
    Ok(Program::new(name, order.programs.get(name).ok_or_else(missing)?, arguments))
}

/// Writes every file that the programs read; gives the identity that may do anything.
fn write_files(room: &Room, order: &Order, authority: &Authority) -> io::Result<Identity> {
    let own = authority.identity();
    let names = [
        "localhost",
        "kubernetes",
        "kubernetes.default",
        "kubernetes.default.svc",
        "kubernetes.default.svc.cluster.local",
        "127.0.0.1",
        "10.96.0.1",
    ];
    let server = authority.server("kube-apiserver", &names).map_err(io::Error::other)?;
    let admin = authority.client("admin", Some("system:masters")).map_err(io::Error::other)?;
    let proxy = authority.client("front-proxy", None).map_err(io::Error::other)?;
    let caller = authority.client("kube-apiserver", Some("system:masters")).map_err(io::Error::other)?;
    let tokens = TokenKeys::new().map_err(io::Error::other)?;
    let identities =
        [("ca", &own), ("apiserver", &server), ("front-proxy", &proxy), ("kubelet-client", &caller)];
    for (name, identity) in identities {
        room.write(&format!("{name}.crt"), &identity.certificate)?;
        room.write(&format!("{name}.key"), &identity.key)?;
    }
    write_played(room)?;
    room.write("tokens.key", &tokens.private)?;
    room.write("tokens.pub", &tokens.public)?;
    let inside = format!("https://{}", room.api_server);
    room.write(kubeconfig::INSIDE, &kubeconfig::write(&inside, &own.certificate, &admin))?;
    // The other programs have users of their own: the audit log tells them apart.
    for user in ["kube-controller-manager", "kube-scheduler"] {
        let identity = authority.client(&format!("system:{user}"), None).map_err(io::Error::other)?;
        room.write(&format!("{user}.kubeconfig"), &kubeconfig::write(&inside, &own.certificate, &identity))?;
    }
    let outside = format!("https://{}", order.address);
    room.write(kubeconfig::OUTSIDE, &kubeconfig::write(&outside, &own.certificate, &admin))?;
    write_policies(room, &order.options)?;
    Ok(admin)
}

/// Writes the authority of containers that only behave. Any user in one may read it: it vouches for nobody else.
fn write_played(room: &Room) -> io::Result<()> {
    let played = Authority::new("plimsoll-test-played").map_err(io::Error::other)?.identity();
    for (name, text) in [(PLAYED_CERTIFICATE, &played.certificate), (PLAYED_KEY, &played.key)] {
        room.write(name, text)?;
        std::fs::set_permissions(room.file(name), std::fs::Permissions::from_mode(0o644))?;
    }
    Ok(())
}

fn write_policies(room: &Room, options: &Options) -> io::Result<()> {
    let policy = json!({
        "apiVersion": "audit.k8s.io/v1",
        "kind": "Policy",
        "omitStages": ["RequestReceived"],
        "rules": [
            {"level": "None", "verbs": ["get", "list", "watch"], "userGroups": ["system:nodes"]},
            {"level": options.audit},
        ],
    });
    room.write("audit.json", &policy.to_string())?;
    let Some(socket) = &options.egress_socket else { return Ok(()) };
    let egress = json!({
        "apiVersion": "apiserver.k8s.io/v1beta1",
        "kind": "EgressSelectorConfiguration",
        "egressSelections": [{"name": "cluster", "connection": {
            "proxyProtocol": "HTTPConnect",
            "transport": {"uds": {"udsName": socket}},
        }}],
    });
    room.write("egress.json", &egress.to_string())
}

fn etcd_arguments(room: &Room) -> Vec<String> {
    let clients = format!("http://127.0.0.1:{}", room.etcd_port);
    let peers = format!("http://127.0.0.1:{}", room.peer_port);
    vec![
        format!("--data-dir={}", room.file("etcd").display()),
        // Nothing is to survive the cluster, so nothing is flushed to a disk.
        "--unsafe-no-fsync".to_owned(),
        format!("--listen-client-urls={clients}"),
        format!("--advertise-client-urls={clients}"),
        format!("--listen-peer-urls={peers}"),
        format!("--initial-advertise-peer-urls={peers}"),
        format!("--initial-cluster=default={peers}"),
        "--quota-backend-bytes=8589934592".to_owned(),
        "--log-level=warn".to_owned(),
    ]
}

fn api_server_arguments(room: &Room, options: &Options) -> Vec<String> {
    let mut arguments = vec![
        format!("--etcd-servers=http://127.0.0.1:{}", room.etcd_port),
        format!("--bind-address={}", room.api_server.ip()),
        format!("--secure-port={}", room.api_server.port()),
        format!("--cert-dir={}", room.folder.display()),
        format!("--audit-log-path={AUDIT_LOG}"),
    ];
    let fixed = [
        // No address is published for the API server itself: it refuses to publish a loopback one.
        "--endpoint-reconciler-type=none",
        "--advertise-address=192.0.2.1",
        "--tls-cert-file=apiserver.crt",
        "--tls-private-key-file=apiserver.key",
        "--client-ca-file=ca.crt",
        "--allow-privileged",
        "--service-account-issuer=https://kubernetes.default.svc",
        "--service-account-key-file=tokens.pub",
        "--service-account-signing-key-file=tokens.key",
        "--service-cluster-ip-range=10.96.0.0/16",
        "--authorization-mode=Node,RBAC",
        // Webhooks are called at the addresses of their pods; a cluster address would need a proxy on this side.
        "--enable-aggregator-routing",
        "--requestheader-client-ca-file=ca.crt",
        "--requestheader-allowed-names=front-proxy",
        "--requestheader-username-headers=X-Remote-User",
        "--requestheader-group-headers=X-Remote-Group",
        "--requestheader-extra-headers-prefix=X-Remote-Extra-",
        "--proxy-client-cert-file=front-proxy.crt",
        "--proxy-client-key-file=front-proxy.key",
        "--audit-policy-file=audit.json",
        "--kubelet-certificate-authority=ca.crt",
        "--kubelet-client-certificate=kubelet-client.crt",
        "--kubelet-client-key=kubelet-client.key",
        // The names of nodes resolve nowhere.
        "--kubelet-preferred-address-types=InternalIP",
    ];
    arguments.extend(fixed.map(str::to_owned));
    if options.egress_socket.is_some() {
        arguments.push("--egress-selector-config-file=egress.json".to_owned());
    }
    arguments.extend(options.api_server_arguments.iter().cloned());
    arguments
}

fn controller_arguments(options: &Options) -> Vec<String> {
    let fixed = [
        "--kubeconfig=kube-controller-manager.kubeconfig",
        // Each controller with a user of its own: the audit log tells them apart.
        "--use-service-account-credentials",
        "--service-account-private-key-file=tokens.key",
        "--root-ca-file=ca.crt",
        "--controllers=*,bootstrapsigner,tokencleaner",
        "--leader-elect=false",
        // The defaults of 20 and 30 would dominate whatever is measured.
        "--kube-api-qps=500",
        "--kube-api-burst=1000",
        "--secure-port=0",
        "--cluster-signing-cert-file=ca.crt",
        "--cluster-signing-key-file=ca.key",
    ];
    fixed.into_iter().map(str::to_owned).chain(options.controller_arguments.iter().cloned()).collect()
}

fn scheduler_arguments() -> Vec<String> {
    let arguments = [
        "--kubeconfig=kube-scheduler.kubeconfig",
        "--leader-elect=false",
        "--kube-api-qps=500",
        "--kube-api-burst=1000",
        "--secure-port=0",
    ];
    arguments.map(str::to_owned).to_vec()
}
