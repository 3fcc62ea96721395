//! What Flux's source-controller would store and serve: archives that a test makes of folders, and the `status` of the
//! source objects that point at them.

use super::failure::{OperatorError, succeeded};
use crate::cluster::Cluster;
use ring::digest::{SHA256, digest};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::fs;
use std::io::{self, BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// The cluster's bridge, which every pod reaches.
const ADDRESS: SocketAddr =
    SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::new(10, 244, 0, 1)), 9790);

/// Archives, served to the pods of a cluster until it is dropped.
#[derive(Debug)]
pub struct Storage<'a> {
    cluster: &'a Cluster,
    folder: TempDir,
    server: Child,
}

/// An archive that is served.
#[derive(Debug)]
pub struct Artifact {
    name: String,
    digest: String,
    size: usize,
}

impl<'a> Storage<'a> {
    /// Begins to serve, with nothing in it.
    pub fn open(cluster: &'a Cluster) -> Result<Self, OperatorError> {
        let folder = cluster.workplace()?;
        let own = crate::cluster::own_program()?;
        let failure = |cause| OperatorError::Serve { address: ADDRESS, cause };
        let mut server = cluster
            .command_inside(&own)
            .arg("serve")
            .arg(cluster.seen_inside(folder.path()))
            .args(["--while-input", "--address", &ADDRESS.to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(failure)?;
        let output = server.stdout.take().ok_or_else(|| failure(io::ErrorKind::BrokenPipe.into()))?;
        // Its first line: it listens.
        BufReader::new(output).read_line(&mut String::new()).map_err(failure)?;
        Ok(Self { cluster, folder, server })
    }

    /// Packs what a folder holds.
    pub fn pack(&self, name: &str, tree: &Path) -> Result<Artifact, OperatorError> {
        let name = format!("{name}.tar.gz");
        let output = Command::new("tar")
            .args(["--create", "--gzip", "--sort=name", "--mtime=@0", "--owner=0", "--group=0", "--file"])
            .arg(self.folder.path().join(&name))
            .arg("--directory")
            .arg(tree)
            .arg(".")
            .output()
            .map_err(OperatorError::file(Path::new("tar")))?;
        succeeded(&format!("tar of {}", tree.display()), &output)?;
        self.stored(name)
    }

    /// Takes over a file that is an archive already, such as a chart that Helm has packed.
    pub fn take(&self, archive: &Path) -> Result<Artifact, OperatorError> {
        let name = archive.file_name().unwrap_or_default().to_string_lossy().into_owned();
        fs::copy(archive, self.folder.path().join(&name)).map_err(OperatorError::file(archive))?;
        self.stored(name)
    }

    /// Says in a source object's status what source-controller would say: the archive is there, and this is its
    /// revision.
    pub fn publish(
        &self,
        object: &str,
        namespace: &str,
        artifact: &Artifact,
        revision: &str,
    ) -> Result<(), OperatorError> {
        let status = status(artifact, revision).to_string();
        let namespace = format!("--namespace={namespace}");
        let words = [&namespace, "patch", object, "--subresource=status", "--type=merge", "--patch", &status];
        succeeded(&format!("patching the status of {object}"), &self.cluster.kubectl(words)?).map(drop)
    }

    fn stored(&self, name: String) -> Result<Artifact, OperatorError> {
        let path = self.folder.path().join(&name);
        let content = fs::read(&path).map_err(OperatorError::file(&path))?;
        let mut hexadecimal = String::new();
        for byte in digest(&SHA256, &content).as_ref() {
            // Writing to a string cannot fail.
            let _ = write!(hexadecimal, "{byte:02x}");
        }
        Ok(Artifact { name, digest: format!("sha256:{hexadecimal}"), size: content.len() })
    }
}

impl Drop for Storage<'_> {
    fn drop(&mut self) {
        // It ends with its input, and with the cluster in any case.
        drop(self.server.stdin.take());
        let _ = self.server.wait();
    }
}

fn status(artifact: &Artifact, revision: &str) -> Value {
    let Artifact { name, digest, size } = artifact;
    let now = jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
    json!({"status": {
        "observedGeneration": 1,
        "artifact": {
            "path": name,
            "url": format!("http://{ADDRESS}/{name}"),
            "revision": revision,
            "digest": digest,
            "size": size,
            "lastUpdateTime": now,
        },
        "conditions": [{
            "type": "Ready",
            "status": "True",
            "reason": "Succeeded",
            "message": format!("stored artifact for revision '{revision}'"),
            "observedGeneration": 1,
            "lastTransitionTime": now,
        }],
    }})
}
