//! The cluster that the tests share, and plain `kubectl` on it.

use plimsoll_testbed::cluster::{Cluster, Options};
use plimsoll_testbed::programs::Program;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Which image behaves how.
const IMAGES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/containers/images.yaml");

/// A cluster with one node.
pub(crate) struct Playground {
    cluster: Cluster,
    kubectl: PathBuf,
}

impl Playground {
    /// The one cluster of this process; it ends with it. Nothing where the tests are skipped.
    pub(crate) fn shared() -> Option<&'static Self> {
        static SHARED: OnceLock<Option<Playground>> = OnceLock::new();
        let shared = SHARED.get_or_init(|| {
            let options = Options { nodes: 1, images: Some(IMAGES.into()), ..Options::default() };
            let cluster = Cluster::start_for_test(options).expect("a cluster")?;
            let kubectl = Program::named("kubectl").ok().and_then(|program| program.find()).expect("kubectl");
            Some(Self { cluster, kubectl })
        });
        shared.as_ref()
    }

    /// Runs `kubectl` with something on its standard input.
    pub(crate) fn kubectl(&self, arguments: &[&str], input: &str) -> Output {
        let mut child = self.command(arguments).stdin(Stdio::piped()).spawn().expect("kubectl");
        child.stdin.take().expect("its input").write_all(input.as_bytes()).expect("written");
        child.wait_with_output().expect("kubectl")
    }

    /// What `kubectl` prints; it must succeed.
    pub(crate) fn must(&self, arguments: &[&str]) -> String {
        let output = self.kubectl(arguments, "");
        assert!(output.status.success(), "kubectl {arguments:?}: {output:?}");
        String::from_utf8(output.stdout).expect("text")
    }

    /// Asks again until `kubectl` prints what is wanted: what the kubelet reports, it reports a moment later.
    pub(crate) fn until(&self, arguments: &[&str], is_wanted: impl Fn(&str) -> bool) {
        let deadline = Instant::now() + Duration::from_mins(2);
        loop {
            let output = self.kubectl(arguments, "");
            if is_wanted(&String::from_utf8_lossy(&output.stdout)) {
                return;
            }
            assert!(Instant::now() < deadline, "kubectl {arguments:?}: {output:?}");
        }
    }

    /// Asks again until `kubectl` fails with what is wanted.
    pub(crate) fn until_refused(&self, arguments: &[&str], is_wanted: impl Fn(&str) -> bool) {
        let deadline = Instant::now() + Duration::from_mins(1);
        loop {
            let output = self.kubectl(arguments, "");
            if !output.status.success() && is_wanted(&String::from_utf8_lossy(&output.stderr)) {
                return;
            }
            assert!(Instant::now() < deadline, "kubectl {arguments:?}: {output:?}");
        }
    }

    /// Applies manifests.
    pub(crate) fn apply(&self, manifests: &str) {
        let output = self.kubectl(&["apply", "--server-side", "-f", "-"], manifests);
        assert!(output.status.success(), "{output:?}");
    }

    /// Waits until an object is as wanted.
    pub(crate) fn wait(&self, object: &str, wanted: &str) {
        let wanted = format!("--for={wanted}");
        let output = self.kubectl(&["wait", object, &wanted, "--timeout=120s"], "");
        if !output.status.success() {
            let state = self.kubectl(&["describe", object], "");
            panic!("{object} {wanted}: {output:?}\n{}", String::from_utf8_lossy(&state.stdout));
        }
    }

    /// What a pod answers to an HTTP request through `kubectl port-forward`.
    pub(crate) fn fetch(&self, pod: &str, port: u16) -> String {
        let mut forward = self.command(&["port-forward", pod, &format!(":{port}")]).spawn().expect("kubectl");
        let mut line = String::new();
        BufReader::new(forward.stdout.as_mut().expect("its output")).read_line(&mut line).expect("a line");
        let local = line.split(" -> ").next().and_then(|text| text.rsplit(':').next()).expect("a port");
        let mut stream = TcpStream::connect(format!("127.0.0.1:{local}")).expect("a connection");
        stream.write_all(b"GET / HTTP/1.1\r\nHost: pod\r\nConnection: close\r\n\r\n").expect("written");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        forward.kill().and_then(|()| forward.wait()).expect("ended");
        answer.split("\r\n\r\n").nth(1).unwrap_or(&answer).to_owned()
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.cluster.command(&self.kubectl);
        command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }
}
