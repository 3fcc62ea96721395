//! The classes that claims can ask for.

use super::{PROVISIONER, ProvisionerError};
use k8s_openapi::api::storage::v1::StorageClass;
use kube::api::{Api, Patch, PatchParams};
use serde_json::{Value, json};

/// Applies both classes.
pub(super) async fn ensure(client: &kube::Client) -> Result<(), ProvisionerError> {
    let classes: Api<StorageClass> = Api::all(client.clone());
    let applied = PatchParams::apply("plimsoll-testbed").force();
    for (name, class) in [
        ("standard", class("standard", "WaitForFirstConsumer", true)),
        ("immediate", class("immediate", "Immediate", false)),
    ] {
        classes
            .patch(name, &applied, &Patch::Apply(class))
            .await
            .map_err(|cause| ProvisionerError::Class { name: name.to_owned(), cause: Box::new(cause) })?;
    }
    Ok(())
}

fn class(name: &str, binding: &str, is_default: bool) -> Value {
    json!({
        "apiVersion": "storage.k8s.io/v1",
        "kind": "StorageClass",
        "metadata": {
            "name": name,
            "annotations": {"storageclass.kubernetes.io/is-default-class": is_default.to_string()},
        },
        "provisioner": PROVISIONER,
        "reclaimPolicy": "Delete",
        "volumeBindingMode": binding,
        "allowVolumeExpansion": false,
    })
}
