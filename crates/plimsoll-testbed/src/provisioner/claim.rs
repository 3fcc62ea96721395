//! A claim that waits for its volume.

use super::{Failure, PROVISIONER, Provisioner, volume};
use k8s_openapi::api::core::v1::{PersistentVolume, PersistentVolumeClaim};
use k8s_openapi::api::storage::v1::StorageClass;
use kube::runtime::controller::Action;
use kube::runtime::events::{Event, EventType};
use kube::{Api, Resource as _, ResourceExt as _};
use std::sync::Arc;

/// Written by the controller manager once a volume is to be made.
const STORAGE_PROVISIONER: [&str; 2] =
    ["volume.kubernetes.io/storage-provisioner", "volume.beta.kubernetes.io/storage-provisioner"];

/// Written by the scheduler once it knows where the first consumer goes.
const SELECTED_NODE: &str = "volume.kubernetes.io/selected-node";

/// Makes the volume of a claim, if it is ours to make and the time has come.
pub(super) async fn provision(
    claim: Arc<PersistentVolumeClaim>,
    provisioner: Arc<Provisioner>,
) -> Result<Action, Failure> {
    let done = Ok(Action::await_change());
    let Some(class_name) = asks_us(&claim) else { return done };
    let classes: Api<StorageClass> = Api::all(provisioner.client.clone());
    let class = classes.get(class_name).await?;
    if class.provisioner != PROVISIONER || !is_time(&claim, &class) {
        return done;
    }
    let Some(volume) = volume::made_for(&claim, &class, node(&claim), &provisioner.folder) else {
        return done;
    };
    let volumes: Api<PersistentVolume> = Api::all(provisioner.client.clone());
    if volumes.get_opt(&volume.name_any()).await?.is_some() {
        return done;
    }
    if is_block(&claim) {
        let said = "only volumes with a file system are made here, not block devices";
        provisioner.tell(&claim, EventType::Warning, "ProvisioningFailed", said.to_owned()).await;
        return done;
    }
    let full_name = format!("{}/{}", claim.namespace().unwrap_or_default(), claim.name_any());
    let said = format!("External provisioner is provisioning volume for claim \"{full_name}\"");
    provisioner.tell(&claim, EventType::Normal, "Provisioning", said).await;
    volume::make_folder(&volume)?;
    volumes.create(&kube::api::PostParams::default(), &volume).await?;
    let said = format!("Successfully provisioned volume {}", volume.name_any());
    provisioner.tell(&claim, EventType::Normal, "ProvisioningSucceeded", said).await;
    done
}

/// The class of a claim that has no volume yet and was given to us.
fn asks_us(claim: &PersistentVolumeClaim) -> Option<&str> {
    let spec = claim.spec.as_ref()?;
    let given_to = STORAGE_PROVISIONER.iter().find_map(|key| claim.annotations().get(*key))?;
    let unbound = spec.volume_name.as_ref().is_none_or(String::is_empty);
    (unbound && given_to == PROVISIONER).then_some(spec.storage_class_name.as_deref())?
}

/// A class that waits for the first consumer waits until its node is selected.
fn is_time(claim: &PersistentVolumeClaim, class: &StorageClass) -> bool {
    class.volume_binding_mode.as_deref() != Some("WaitForFirstConsumer") || node(claim).is_some()
}

fn node(claim: &PersistentVolumeClaim) -> Option<&str> {
    claim.annotations().get(SELECTED_NODE).map(String::as_str).filter(|node| !node.is_empty())
}

fn is_block(claim: &PersistentVolumeClaim) -> bool {
    claim.spec.as_ref().and_then(|spec| spec.volume_mode.as_deref()) == Some("Block")
}

impl Provisioner {
    /// An event is worth having and never worth failing for.
    async fn tell(&self, claim: &PersistentVolumeClaim, kind: EventType, reason: &str, note: String) {
        let event = Event {
            type_: kind,
            reason: reason.to_owned(),
            note: Some(note),
            action: "Provisioning".to_owned(),
            secondary: None,
        };
        let _ = self.events.publish(&event, &claim.object_ref(&())).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn claim(annotations: &Value, spec: &Value) -> PersistentVolumeClaim {
        let claim = json!({"metadata": {"name": "data", "annotations": annotations}, "spec": spec});
        serde_json::from_value(claim).unwrap()
    }

    #[test]
    fn a_claim_is_ours_once_the_controller_manager_gives_it_to_us() {
        let ours = json!({"volume.kubernetes.io/storage-provisioner": PROVISIONER});
        let spec = json!({"storageClassName": "standard"});
        assert_eq!(asks_us(&claim(&ours, &spec)), Some("standard"));
        assert_eq!(asks_us(&claim(&json!({}), &spec)), None);
        assert_eq!(asks_us(&claim(&json!({"volume.kubernetes.io/storage-provisioner": "x"}), &spec)), None);
        let bound = json!({"storageClassName": "standard", "volumeName": "pvc-1"});
        assert_eq!(asks_us(&claim(&ours, &bound)), None);
    }

    #[test]
    fn a_class_that_waits_waits_for_the_node() {
        let class = |mode: &str| -> StorageClass {
            serde_json::from_value(json!({"provisioner": PROVISIONER, "volumeBindingMode": mode})).unwrap()
        };
        let waiting = claim(&json!({}), &json!({}));
        let scheduled = claim(&json!({SELECTED_NODE: "node-1"}), &json!({}));
        assert!(is_time(&waiting, &class("Immediate")));
        assert!(!is_time(&waiting, &class("WaitForFirstConsumer")));
        assert!(is_time(&scheduled, &class("WaitForFirstConsumer")));
    }
}
