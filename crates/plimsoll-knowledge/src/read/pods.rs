//! Everything that makes pods, seen the same way: workloads by their template, bare pods by themselves.

use crate::View;
use crate::clocks;
use plimsoll_model::Milestone::{Observed, Started, Stored};
use plimsoll_model::{Moment, Node, Object, ObjectId, Reading, StepIndex};

/// The pods that one object makes.
#[derive(Debug)]
pub(crate) struct Pods<'a> {
    /// The workload, or the pod itself.
    pub(crate) owner: &'a Object,
    /// The pod's specification.
    pub(crate) spec: &'a Node,
    /// The pod's labels.
    pub(crate) labels: Option<&'a Node>,
    /// The pod's annotations.
    pub(crate) annotations: Option<&'a Node>,
    /// Whether any pod is made on delivery: not with `replicas: 0`, nor before a CronJob's time has come.
    pub(crate) run: bool,
}

/// Where a kind keeps its pod template.
fn template_path(id: &ObjectId) -> Option<&'static [&'static str]> {
    match (id.group(), id.kind()) {
        ("apps", "Deployment" | "StatefulSet" | "DaemonSet" | "ReplicaSet")
        | ("batch", "Job")
        | ("", "ReplicationController") => Some(&["spec", "template"]),
        ("batch", "CronJob") => Some(&["spec", "jobTemplate", "spec", "template"]),
        ("", "Pod") => Some(&[]),
        _ => None,
    }
}

impl<'a> Pods<'a> {
    /// The pods an object makes, if it makes any.
    pub(crate) fn of(owner: &'a Object) -> Option<Self> {
        let template = owner.root.at(template_path(&owner.id)?)?;
        let run = owner.id.kind() != "CronJob"
            && owner.root.int_at(&["spec", "replicas"]) != Some(0)
            && owner.root.bool_at(&["spec", "suspend"]) != Some(true);
        Some(Self {
            owner,
            spec: template.get("spec")?,
            labels: template.at(&["metadata", "labels"]),
            annotations: template.at(&["metadata", "annotations"]),
            run,
        })
    }

    /// Whether the object is a pod itself, so that its own request makes the pod.
    pub(crate) fn is_bare(&self) -> bool {
        self.owner.id.is("", "Pod")
    }

    /// Whether pods are made at some time: on delivery, or when a CronJob's time comes.
    pub(crate) fn ever_run(&self) -> bool {
        self.run
            || (self.owner.id.kind() == "CronJob"
                && self.owner.root.bool_at(&["spec", "suspend"]) != Some(true))
    }

    /// The name of a pod; `{…}` stands for what a controller generates.
    pub(crate) fn pod_name(&self) -> String {
        let owner = self.owner.id.name();
        match self.owner.id.kind() {
            "Pod" => owner.to_owned(),
            "StatefulSet" => format!("{owner}-0"),
            _ => format!("{owner}-{{…}}"),
        }
    }

    /// The first step that brings their owner.
    pub(crate) fn step(&self, view: &View<'_>) -> Option<StepIndex> {
        view.step_of(&self.owner.id)
    }

    /// The namespace of the pods.
    pub(crate) fn namespace(&self) -> &'a str {
        self.owner.id.namespace().unwrap_or("default")
    }

    /// The Namespace of the pods.
    pub(crate) fn home(&self) -> ObjectId {
        ObjectId::new("", "Namespace", None, self.namespace())
    }

    /// An object of the core group in the pods' namespace.
    pub(crate) fn neighbour(&self, kind: &str, name: &str) -> ObjectId {
        ObjectId::new("", kind, Some(self.namespace()), name)
    }

    /// The moments at which pods are created, and how their maker takes a refusal.
    pub(crate) fn creations(&self, view: &View<'_>) -> Vec<(Moment, Reading)> {
        if self.is_bare() {
            return view.requests(&self.owner.id, Stored).map(|moment| (moment, Reading::Once)).collect();
        }
        let reading =
            if self.owner.id.kind() == "Job" { clocks::JOB_POD_CREATION } else { clocks::POD_CREATION };
        vec![(self.owner.id.at(Observed), reading)]
    }

    /// How a refusal to create a pod begins, up to the reason; `{…}` stands for generated parts of names.
    /// Seen on a real server, v1.36.4.
    pub(crate) fn refused(&self) -> String {
        let name = self.owner.id.name();
        match self.owner.id.kind() {
            "Pod" => format!(
                "Error from server (Forbidden): error when creating \"{{…}}\": pods \"{name}\" is forbidden: "
            ),
            "StatefulSet" => {
                format!(
                    "Create Pod {name}-0 in StatefulSet {name} failed error: pods \"{name}-0\" is forbidden: "
                )
            }
            "Deployment" => format!("Error creating: pods \"{name}-{{…}}-\" is forbidden: "),
            _ => format!("Error creating: pods \"{name}-\" is forbidden: "),
        }
    }

    /// Whether a container mounts a volume. The kubelet prepares no others:
    /// kubernetes v1.36.4 `pkg/kubelet/volumemanager/volume_manager.go` `getExpectedVolumes`; seen on a real kubelet.
    pub(crate) fn mounts(&self, volume: &str) -> bool {
        self.all_containers().any(|container| {
            let mounts =
                container.list_at(&["volumeMounts"]).iter().chain(container.list_at(&["volumeDevices"]));
            mounts.filter_map(|mount| mount.text_at(&["name"])).any(|name| name == volume)
        })
    }

    /// The moment at which containers start.
    pub(crate) fn start(&self) -> Moment {
        self.owner.id.at(Started)
    }

    /// Ordinary containers.
    pub(crate) fn containers(&self) -> &'a [Node] {
        self.spec.list_at(&["containers"])
    }

    /// Init containers, sidecars among them.
    pub(crate) fn init_containers(&self) -> &'a [Node] {
        self.spec.list_at(&["initContainers"])
    }

    /// Whether an init container keeps running beside the ordinary ones.
    pub(crate) fn has_sidecars(&self) -> bool {
        self.init_containers().iter().any(|container| container.text_at(&["restartPolicy"]) == Some("Always"))
    }

    /// Init containers and ordinary ones.
    pub(crate) fn all_containers(&self) -> impl Iterator<Item = &'a Node> {
        self.init_containers().iter().chain(self.containers())
    }
}
