//! A volume: its object, its folder, and their end.

use super::{Failure, PROVISIONER, Provisioner};
use k8s_openapi::api::core::v1::{PersistentVolume, PersistentVolumeClaim};
use k8s_openapi::api::storage::v1::StorageClass;
use kube::api::{Api, DeleteParams};
use kube::runtime::controller::Action;
use kube::{Resource as _, ResourceExt as _};
use serde_json::{Value, json};
use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::sync::Arc;

/// Who made a volume; the controller manager leaves its deletion to them.
const PROVISIONED_BY: &str = "pv.kubernetes.io/provisioned-by";

/// The volume for a claim, named after it; nothing for a claim that the API server has not stored.
pub(super) fn made_for(
    claim: &PersistentVolumeClaim,
    class: &StorageClass,
    node: Option<&str>,
    folder: &Path,
) -> Option<PersistentVolume> {
    let name = format!("pvc-{}", claim.uid()?);
    let spec = claim.spec.as_ref()?;
    let mut volume = json!({
        "metadata": {"name": name, "annotations": {PROVISIONED_BY: PROVISIONER}},
        "spec": {
            "capacity": spec.resources.as_ref()?.requests,
            "accessModes": spec.access_modes,
            "volumeMode": "Filesystem",
            "storageClassName": class.name_any(),
            "persistentVolumeReclaimPolicy": class.reclaim_policy.as_deref().unwrap_or("Delete"),
            "mountOptions": class.mount_options,
            "claimRef": claim.object_ref(&()),
            "hostPath": {"path": folder.join(&name), "type": "DirectoryOrCreate"},
        },
    });
    if let (Some(node), Some(Value::Object(spec))) = (node, volume.get_mut("spec")) {
        spec.insert("nodeAffinity".to_owned(), affinity(node));
    }
    serde_json::from_value(volume).ok()
}

/// Only pods on this node may use it.
fn affinity(node: &str) -> Value {
    let on_node = json!({"key": "kubernetes.io/hostname", "operator": "In", "values": [node]});
    json!({"required": {"nodeSelectorTerms": [{"matchExpressions": [on_node]}]}})
}

/// Makes the folder, for every user: containers run as whom they like.
pub(super) fn make_folder(volume: &PersistentVolume) -> io::Result<()> {
    let Some(folder) = folder_of(volume) else { return Ok(()) };
    fs::create_dir_all(folder)?;
    fs::set_permissions(folder, Permissions::from_mode(0o777))
}

/// Removes a volume that we made, whose claim is gone, and that its policy says to delete.
pub(super) async fn delete(
    volume: Arc<PersistentVolume>,
    provisioner: Arc<Provisioner>,
) -> Result<Action, Failure> {
    if is_to_delete(&volume) {
        remove_folder(&volume, &provisioner.folder)?;
        let volumes: Api<PersistentVolume> = Api::all(provisioner.client.clone());
        volumes.delete(&volume.name_any(), &DeleteParams::default()).await?;
    }
    Ok(Action::await_change())
}

fn is_to_delete(volume: &PersistentVolume) -> bool {
    let ours = volume.annotations().get(PROVISIONED_BY).is_some_and(|maker| maker == PROVISIONER);
    let phase = volume.status.as_ref().and_then(|status| status.phase.as_deref());
    let policy = volume.spec.as_ref().and_then(|spec| spec.persistent_volume_reclaim_policy.as_deref());
    let deleting = volume.metadata.deletion_timestamp.is_some();
    ours && !deleting && phase == Some("Released") && policy == Some("Delete")
}

/// Removes the folder, if it lies where we make folders: the object may have been changed.
fn remove_folder(volume: &PersistentVolume, under: &Path) -> io::Result<()> {
    let expected = under.join(volume.name_any());
    match folder_of(volume) {
        Some(folder) if *folder == expected => match fs::remove_dir_all(folder) {
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(()),
            outcome => outcome,
        },
        _ => Ok(()),
    }
}

fn folder_of(volume: &PersistentVolume) -> Option<&Path> {
    Some(Path::new(&volume.spec.as_ref()?.host_path.as_ref()?.path))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(folder: &Path, node: Option<&str>) -> PersistentVolume {
        let claim = json!({
            "metadata": {"name": "data", "namespace": "d", "uid": "1234", "resourceVersion": "7"},
            "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}},
        });
        let class =
            json!({"metadata": {"name": "standard"}, "provisioner": PROVISIONER, "reclaimPolicy": "Delete"});
        let claim = serde_json::from_value(claim).unwrap();
        made_for(&claim, &serde_json::from_value(class).unwrap(), node, folder).unwrap()
    }

    fn with_phase(mut volume: PersistentVolume, phase: &str) -> PersistentVolume {
        volume.status = Some(serde_json::from_value(json!({"phase": phase})).unwrap());
        volume
    }

    #[test]
    fn a_volume_belongs_to_its_claim_and_its_node() {
        let volume = serde_json::to_value(sample(Path::new("/v"), Some("node-1"))).unwrap();
        assert_eq!(volume.pointer("/metadata/name").unwrap(), "pvc-1234");
        assert_eq!(volume.pointer("/spec/hostPath/path").unwrap(), "/v/pvc-1234");
        assert_eq!(volume.pointer("/spec/capacity/storage").unwrap(), "1Gi");
        assert_eq!(volume.pointer("/spec/claimRef/uid").unwrap(), "1234");
        assert_eq!(volume.pointer("/spec/claimRef/kind").unwrap(), "PersistentVolumeClaim");
        let term = "/spec/nodeAffinity/required/nodeSelectorTerms/0/matchExpressions/0/values/0";
        assert_eq!(volume.pointer(term).unwrap(), "node-1");
        let anywhere = serde_json::to_value(sample(Path::new("/v"), None)).unwrap();
        assert_eq!(anywhere.pointer("/spec/nodeAffinity"), None);
    }

    #[test]
    fn only_a_released_volume_of_ours_is_deleted() {
        let volume = sample(Path::new("/v"), None);
        assert!(is_to_delete(&with_phase(volume.clone(), "Released")));
        assert!(!is_to_delete(&with_phase(volume.clone(), "Bound")));
        let mut kept = with_phase(volume.clone(), "Released");
        kept.spec.as_mut().unwrap().persistent_volume_reclaim_policy = Some("Retain".to_owned());
        assert!(!is_to_delete(&kept));
        let mut foreign = with_phase(volume, "Released");
        foreign.metadata.annotations = None;
        assert!(!is_to_delete(&foreign));
    }

    #[test]
    fn only_our_folders_are_removed() {
        let under = tempfile::tempdir().unwrap();
        let volume = sample(under.path(), None);
        make_folder(&volume).unwrap();
        let folder = under.path().join("pvc-1234");
        assert_eq!(folder.metadata().unwrap().permissions().mode() & 0o777, 0o777);
        remove_folder(&volume, Path::new("/elsewhere")).unwrap();
        assert!(folder.exists());
        remove_folder(&volume, under.path()).unwrap();
        assert!(!folder.exists());
        remove_folder(&volume, under.path()).unwrap();
    }
}
