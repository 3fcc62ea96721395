//! Claims are bound when their class says so, and their volumes go with them.

use crate::services::KUBECONFIG;
use crate::{apply, kubectl, process};
use plimsoll_testbed::cluster::{Cluster, Options};
use serde_json::{Value, json};

/// Where the volumes lie, inside the cluster's own file system.
const FOLDER: &str = "/run/plimsoll/volumes";

#[test]
fn a_claim_is_bound_at_once_or_with_its_first_pod() {
    let Some(cluster) = Cluster::start_for_test(Options::default()).unwrap() else { return };
    let _provisioner =
        process::inside(&cluster, &["provisioner", "--folder", FOLDER, "--kubeconfig", KUBECONFIG]);
    apply(&cluster, &[claim("now", Some("immediate")), claim("later", None)]);
    wait(&cluster, "persistentvolumeclaim/now", "{.status.phase}=Bound");
    assert_eq!(
        get(&cluster, "persistentvolumeclaim/later", "{.status.phase}{.spec.storageClassName}"),
        "Pendingstandard"
    );

    // A node that is only an object is enough for the scheduler; the pod need not run.
    apply(&cluster, &[node(), pod()]);
    let status = r#"{"status": {"allocatable": {"cpu": "4", "memory": "8Gi", "pods": "110"}}}"#;
    kubectl(&cluster, &["patch", "node", "node-9", "--subresource=status", "--patch", status]);
    wait(&cluster, "persistentvolumeclaim/later", "{.status.phase}=Bound");
    let volume = get(&cluster, "persistentvolumeclaim/later", "{.spec.volumeName}");
    let place = "{.spec.nodeAffinity.required.nodeSelectorTerms[0].matchExpressions[0].values[0]}";
    assert_eq!(get(&cluster, &format!("persistentvolume/{volume}"), place), "node-9");
    let path = get(&cluster, &format!("persistentvolume/{volume}"), "{.spec.hostPath.path}");
    assert_eq!(path, format!("{FOLDER}/{volume}"));
    let folder = cluster.folder().join("volumes").join(&volume);
    assert!(folder.is_dir(), "{}", folder.display());
    let events = kubectl(&cluster, &["events", "--for=persistentvolumeclaim/later"]);
    assert!(events.contains(&format!("Successfully provisioned volume {volume}")), "{events}");

    kubectl(&cluster, &["delete", "pod/user", "--force", "--grace-period=0"]);
    kubectl(&cluster, &["delete", "persistentvolumeclaim/later"]);
    kubectl(&cluster, &["wait", &format!("persistentvolume/{volume}"), "--for=delete", "--timeout=60s"]);
    assert!(!folder.exists());
}

fn wait(cluster: &Cluster, object: &str, wanted: &str) {
    kubectl(cluster, &["wait", object, &format!("--for=jsonpath={wanted}"), "--timeout=60s"]);
}

fn get(cluster: &Cluster, object: &str, path: &str) -> String {
    kubectl(cluster, &["get", object, &format!("-o=jsonpath={path}")])
}

fn claim(name: &str, class: Option<&str>) -> Value {
    json!({"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": name, "namespace": "default"},
           "spec": {"storageClassName": class, "accessModes": ["ReadWriteOnce"],
                    "resources": {"requests": {"storage": "1Gi"}}}})
}

fn node() -> Value {
    json!({"apiVersion": "v1", "kind": "Node",
           "metadata": {"name": "node-9", "labels": {"kubernetes.io/hostname": "node-9"}}})
}

fn pod() -> Value {
    json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "user", "namespace": "default"},
           "spec": {"tolerations": [{"operator": "Exists"}],
                    "containers": [{"name": "c", "image": "none", "volumeMounts": [{"name": "data", "mountPath": "/data"}]}],
                    "volumes": [{"name": "data", "persistentVolumeClaim": {"claimName": "later"}}]}})
}
