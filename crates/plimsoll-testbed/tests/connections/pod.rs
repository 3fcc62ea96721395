//! The network of a pod, without a container: a namespace on the bridge, with the resolver's settings that a kubelet
//! writes.

use plimsoll_testbed::cluster::Cluster;
use plimsoll_testbed::programs::Program;
use std::path::Path;
use std::process::{Command, Output};

/// A pod's network.
pub(crate) struct Pod<'a> {
    cluster: &'a Cluster,
    /// The process that holds it, as the cluster numbers its processes.
    holder: String,
}

const ADDRESS: &str = "10.244.77.7/16";

const RESOLVER: &str = "search default.svc.cluster.local svc.cluster.local cluster.local\\nnameserver 10.96.0.10\\noptions ndots:5\\n";

impl<'a> Pod<'a> {
    /// Makes it; it ends with the cluster.
    pub(crate) fn new(cluster: &'a Cluster) -> Self {
        let script = format!(
            "set -e
            unshare --net --mount sleep infinity >/dev/null 2>&1 &
            holder=$!
            # Until it has left this namespace, its link would end up here.
            until [ \"$(readlink /proc/$holder/ns/net)\" != \"$(readlink /proc/$$/ns/net)\" ]; do :; done
            ip link add pod77 type veth peer name eth0 netns $holder
            ip link set pod77 master cbr0 up
            nsenter --target $holder --net sh -c 'ip link set lo up; ip address add {ADDRESS} dev eth0; ip link set eth0 up; ip route add default via 10.244.0.1'
            printf '{RESOLVER}' > /run/resolv.conf
            nsenter --target $holder --mount mount --bind /run/resolv.conf /etc/resolv.conf
            echo $holder"
        );
        let output = cluster.command_inside(Path::new("sh")).args(["-c", &script]).output().unwrap();
        assert!(output.status.success(), "{}", crate::said(&output));
        Self { cluster, holder: String::from_utf8(output.stdout).unwrap().trim().to_owned() }
    }

    /// Asks the API server at this address whether it is ready, from within the pod.
    pub(crate) fn ask(&self, server: &str) -> Output {
        let kubectl = Program::named("kubectl").unwrap().find().unwrap();
        let mut command: Command = self.cluster.command_inside(Path::new("nsenter"));
        command.args(["--target", &self.holder, "--net", "--mount", "--"]).arg(kubectl);
        command.args(["--server", server, "--tls-server-name=kubernetes", "--request-timeout=5s"]);
        command.args(["get", "--raw", "/readyz"]).output().unwrap()
    }
}
