//! Where a play happens: a cluster, a namespace, a folder; and that nothing of it is left for the next play.
//!
//! What stays inside one namespace gets a namespace of its own and is played beside others. It is written for
//! `default`, so that word is exchanged in what is sent, and exchanged back in what is heard.

use super::company::Company;
use super::document::Document;
use super::ear::{Ear, Since};
use super::failure::Failure;
use super::kubectl::{Kubectl, Said};
use super::sealing;
use super::standing::{Standing, Still, operators};
use super::trust::Trust;
use crate::cluster::patience::Patience;
use crate::fault::transport::translate;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant, SystemTime};

/// A cluster that plays are played on.
pub(super) struct Cluster {
    folder: PathBuf,
    pub(super) kubectl: Kubectl,
    pub(super) ear: Ear,
    pub(super) version: String,
    /// Its configuration, with everything in it.
    pub(super) config: serde_json::Value,
    plays: AtomicUsize,
    pub(super) trust: Trust,
    standing: Standing,
}

/// The place of one play.
pub(super) struct Room<'c> {
    cluster: &'c Cluster,
    kubectl: Kubectl,
    namespace: String,
    folder: tempfile::TempDir,
    since: Since,
}

const WRITTEN_FOR: &str = "default";

impl Cluster {
    /// Enters a cluster that runs already.
    pub(super) fn enter(
        kubectl: Kubectl,
        folder: &Path,
        trust: &Trust,
        company: &[Company],
    ) -> Result<Self, Failure> {
        let kubeconfig = kubectl.kubeconfig.display().to_string();
        let broken = |cause: String| Failure::Cluster { kubeconfig: kubeconfig.clone(), cause };
        let said = kubectl.run(&["config", "view", "--minify", "--flatten", "--output=json"])?;
        let config = serde_json::from_str(&said.stdout).map_err(|_| broken(said.stderr))?;
        let said = kubectl.run(&["get", "--raw", "/version"])?;
        let version: serde_json::Value =
            serde_json::from_str(&said.stdout).map_err(|_| broken(said.stderr))?;
        let version =
            version.get("gitVersion").and_then(serde_json::Value::as_str).unwrap_or("unknown").to_owned();
        let mut standing = Standing::set(&kubectl, folder, trust, company)?;
        let ear = Ear::listen(&kubectl, &operators(company))?;
        standing.logs.drain(..).for_each(|log| ear.listen_to(log));
        Ok(Self {
            folder: folder.to_owned(),
            kubectl,
            ear,
            version,
            config,
            plays: AtomicUsize::new(0),
            trust: trust.clone(),
            standing,
        })
    }
}

impl<'c> Room<'c> {
    /// Enters a room for a play; one that is shared with others has a namespace of its own.
    pub(super) fn enter(cluster: &'c Cluster, is_shared: bool) -> Result<Self, Failure> {
        let number = cluster.plays.fetch_add(1, Ordering::Relaxed);
        let namespace =
            if is_shared { format!("play-{}-{number}", std::process::id()) } else { WRITTEN_FOR.to_owned() };
        let folder = tempfile::tempdir_in(&cluster.folder).map_err(Failure::file(&cluster.folder))?;
        let kubeconfig = folder.path().join("kubeconfig");
        let mut config = cluster.config.clone();
        if let Some(context) =
            config.pointer_mut("/contexts/0/context").and_then(serde_json::Value::as_object_mut)
        {
            context.insert("namespace".to_owned(), namespace.clone().into());
        }
        std::fs::write(&kubeconfig, config.to_string()).map_err(Failure::file(&kubeconfig))?;
        for part in ["files", "stage"] {
            let path = folder.path().join(part);
            std::fs::create_dir(&path).map_err(Failure::file(&path))?;
        }
        let memory = folder.path().join("cache");
        let kubectl = Kubectl { kubeconfig, memory, ..cluster.kubectl.clone() };
        if is_shared {
            kubectl.run(&["create", "namespace", &namespace])?;
        }
        // A pod in a fresh namespace is refused until its account is there; that is not what is being shown.
        kubectl.run(&["wait", "--for=create", "serviceaccount/default", "--timeout=30s"])?;
        let since = cluster.ear.now(&namespace, timestamp());
        Ok(Self { cluster, kubectl, namespace, folder, since })
    }

    /// The folder that scripts run in.
    pub(super) fn folder(&self) -> PathBuf {
        self.folder.path().join("files")
    }

    pub(super) fn is_shared(&self) -> bool {
        self.namespace != WRITTEN_FOR
    }

    /// Writes files for this room; what was there before is gone.
    pub(super) fn write(&self, documents: &[Document], names: &[&str]) -> Result<(), Failure> {
        for name in names {
            let mut texts = Vec::new();
            for document in documents.iter().filter(|document| document.file == *name) {
                let filled = self.cluster.trust.fill(&document.provided());
                texts.push(self.to_here(&sealing::provide(&self.kubectl, &self.namespace, filled)?.text));
            }
            self.store(name, &texts.join("---\n"))?;
        }
        Ok(())
    }

    /// Sends one document alone.
    pub(super) fn send(&self, document: &Document) -> Result<(), Failure> {
        let alone = Document { file: "../provider.yaml".to_owned(), ..document.clone() };
        self.write(&[alone], &["../provider.yaml"])?;
        self.line("kubectl apply -f ../provider.yaml").map(drop)
    }

    /// Writes one file.
    pub(super) fn store(&self, name: &str, text: &str) -> Result<(), Failure> {
        let path = self.folder().join(name);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).map_err(Failure::file(parent))?;
        }
        std::fs::write(&path, text).map_err(Failure::file(&path))
    }

    /// Runs a script that lies in the folder.
    pub(super) fn script(&self, name: &str) -> Result<Said, Failure> {
        Ok(self.as_written(self.kubectl.shell(&self.folder(), &[name], 90)?))
    }

    /// Runs one line.
    pub(super) fn line(&self, line: &str) -> Result<Said, Failure> {
        Ok(self.as_written(self.kubectl.shell(&self.folder(), &["-c", &self.to_here(line)], 60)?))
    }

    /// Runs kubectl; `default` is this room's namespace.
    pub(super) fn kubectl(&self, arguments: &[&str]) -> Result<Said, Failure> {
        Ok(self.as_written(self.kubectl.run(arguments)?))
    }

    /// Lets the operators of the cluster stand still, if nobody else is here who needs them.
    pub(super) fn still(&self) -> Option<Still<'_>> {
        (!self.is_shared()).then(|| self.cluster.standing.still())
    }

    /// The namespace that an object of the page has here.
    pub(super) fn namespace_of<'n>(&'n self, written: &'n str) -> &'n str {
        if written == WRITTEN_FOR { &self.namespace } else { written }
    }

    /// Waits until something is said that fits.
    pub(super) fn hears(&self, fit: impl Fn(&str) -> bool, most: Duration) -> bool {
        let deadline = Instant::now() + most;
        self.cluster.ear.wait(
            &self.listens(),
            |text| fit(&text.replace(&self.namespace, WRITTEN_FOR)),
            deadline,
        )
    }

    /// Waits for anything new.
    pub(super) fn wait_for_news(&self, most: Duration) {
        self.cluster.ear.wait_for_news(most);
    }

    /// Everything that was said since the room was entered.
    pub(super) fn heard(&self) -> Vec<String> {
        let all = self.cluster.ear.all(&self.listens());
        all.into_iter().map(|text| text.replace(&self.namespace, WRITTEN_FOR)).collect()
    }

    /// A play that has the cluster to itself may use several namespaces.
    fn listens(&self) -> Since {
        let namespace = if self.is_shared() { self.namespace.clone() } else { String::new() };
        Since { namespace, ..self.since.clone() }
    }

    fn to_here(&self, text: &str) -> String {
        let here = &self.namespace;
        text.replace("namespace: default", &format!("namespace: {here}"))
            // What is kept back was changed, and is written as JSON.
            .replace("\"namespace\": \"default\"", &format!("\"namespace\": \"{here}\""))
            .replace("serviceaccount=default:", &format!("serviceaccount={here}:"))
    }

    fn as_written(&self, said: Said) -> Said {
        let back = |text: String| {
            let lines: Vec<String> = text.lines().map(translate).collect();
            let end = if text.ends_with('\n') { "\n" } else { "" };
            (lines.join("\n") + end).replace(&self.namespace, WRITTEN_FOR)
        };
        Said { stdout: back(said.stdout), stderr: back(said.stderr), ..said }
    }

    /// Takes away everything that the play has made.
    pub(super) fn leave(self) -> Result<(), Failure> {
        if self.is_shared() {
            self.kubectl.run(&["delete", "namespace", &self.namespace, "--wait=false"])?;
            return Ok(());
        }
        let [files, stage] =
            ["files", "stage"].map(|part| format!("--filename={}", self.folder.path().join(part).display()));
        let policies = self.kubectl.run(&["get", "validatingadmissionpolicies", "--output=name"])?;
        // What has a finalizer has lost the one who would remove it.
        self.kubectl.run(&[
            "patch",
            "--recursive",
            &files,
            "--type=merge",
            "--patch",
            r#"{"metadata":{"finalizers":null}}"#,
        ])?;
        self.kubectl.run(&[
            "delete",
            "--recursive",
            &files,
            &stage,
            "--ignore-not-found",
            "--force",
            "--grace-period=0",
            "--timeout=30s",
        ])?;
        self.kubectl.run(&["delete", MADE, "--all", "--force", "--grace-period=0", "--timeout=30s"])?;
        if !policies.stdout.is_empty() {
            self.leave_policies()?;
        }
        self.leave_namespaces()
    }

    fn leave_policies(&self) -> Result<(), Failure> {
        let program = self.kubectl.programs.join("kubectl");
        Patience::new(|arguments| self.kubectl.command(&program).args(arguments).output())
            .until_policies_are_renewed(self.folder.path())
            .map_err(Failure::program("kubectl"))
    }

    /// Takes away the namespaces that scripts have made; one that is half gone would stand in the next play's way.
    fn leave_namespaces(&self) -> Result<(), Failure> {
        let said = self.kubectl.run(&["get", "namespaces", "--output=name"])?;
        let names = said.stdout.lines().filter_map(|line| line.strip_prefix("namespace/"));
        let made: Vec<&str> = names.filter(|name| !is_lasting(name)).collect();
        if made.is_empty() {
            return Ok(());
        }
        let mut arguments = vec!["delete", "namespaces", "--ignore-not-found", "--timeout=60s"];
        arguments.extend(made);
        self.kubectl.run(&arguments).map(drop)
    }
}

/// Whether a namespace is there for all plays, or belongs to one that is played beside others.
fn is_lasting(namespace: &str) -> bool {
    ["default", "cert-manager"].contains(&namespace)
        || namespace.starts_with("kube-")
        || namespace.starts_with("play-")
}

/// What controllers and programs make in a namespace.
const MADE: &str =
    "deployments,statefulsets,jobs,replicasets,pods,persistentvolumeclaims,configmaps,secrets,events";

/// The time as Kubernetes writes it, to the second.
pub(super) fn timestamp() -> String {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    jiff::Timestamp::from_second(i64::try_from(since.as_secs()).unwrap_or_default())
        .map(|time| time.to_string())
        .unwrap_or_default()
}
