//! The cluster that the tests share, and plain `kubectl` on it.

use plimsoll_testbed::audit::Trail;
use plimsoll_testbed::cluster::{Cluster, Options};
use plimsoll_testbed::node::NodeSettings;
use plimsoll_testbed::operators::{self, Operator};
use plimsoll_testbed::programs::Program;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Output, Stdio};
use std::sync::OnceLock;

/// A cluster with one node, which has the operators' images.
pub(crate) struct Stage {
    pub(crate) cluster: Cluster,
    kubectl: PathBuf,
}

/// A kubelet that looks every few seconds, not every minute, whether a mounted Secret has changed. Who comes too early
/// to external-secrets waits for that as well, if the webhook's pod was quicker than its certificate.
fn quick() -> NodeSettings {
    let mut settings = NodeSettings::default();
    settings.kubelet.insert("syncFrequency".to_owned(), "5s".into());
    settings
}

impl Stage {
    /// The one cluster of this process; it ends with it. Nothing where the tests are skipped.
    pub(crate) fn shared() -> Option<&'static Self> {
        static SHARED: OnceLock<Option<Stage>> = OnceLock::new();
        let shared = SHARED.get_or_init(|| {
            let options = Options {
                nodes: 1,
                node_settings: [("node-1".to_owned(), quick())].into(),
                ..Options::default()
            };
            let cluster = Cluster::start_for_test(options).expect("a cluster")?;
            operators::prepare(&Operator::ALL, &mut |text| println!("{text}")).expect("programs");
            let kubectl = Program::named("kubectl").ok().and_then(|program| program.find()).expect("kubectl");
            Some(Self { cluster, kubectl })
        });
        shared.as_ref()
    }

    /// Where a chart of these tests lies.
    pub(crate) fn chart(name: &str) -> String {
        format!("{}/tests/operators/charts/{name}", env!("CARGO_MANIFEST_DIR"))
    }

    /// The audit log from its beginning.
    pub(crate) fn trail(&self) -> Trail {
        Trail::from_start(self.cluster.audit_log()).expect("an audit log")
    }

    /// Runs `kubectl` with something on its standard input.
    pub(crate) fn kubectl(&self, arguments: &[&str], input: &str) -> Output {
        let mut child = self
            .cluster
            .command(&self.kubectl)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("kubectl");
        child.stdin.take().expect("its input").write_all(input.as_bytes()).expect("written");
        child.wait_with_output().expect("kubectl")
    }

    /// What `kubectl` prints; it must succeed.
    pub(crate) fn must(&self, arguments: &[&str]) -> String {
        let output = self.kubectl(arguments, "");
        assert!(output.status.success(), "kubectl {arguments:?}: {output:?}");
        String::from_utf8(output.stdout).expect("text")
    }

    /// Applies manifests.
    pub(crate) fn apply(&self, manifests: &str) {
        let output = self.kubectl(&["apply", "-f", "-"], manifests);
        assert!(output.status.success(), "{output:?}");
    }

    /// Waits until an object is as wanted.
    pub(crate) fn wait(&self, namespace: &str, object: &str, wanted: &str) {
        let (namespace, wanted) = (format!("--namespace={namespace}"), format!("--for={wanted}"));
        let output = self.kubectl(&["wait", &namespace, object, &wanted, "--timeout=180s"], "");
        if !output.status.success() {
            let state = self.kubectl(&["describe", &namespace, object], "");
            let pods = self.kubectl(&["get", "pods,events", "--all-namespaces"], "");
            let text = [state.stdout, pods.stdout].concat();
            panic!("{object} {wanted}: {output:?}\n{}", String::from_utf8_lossy(&text));
        }
    }
}
