//! What others have put on the cluster before an example comes: the things that `plimsoll check` lists as needed.
//!
//! One file for each, named after the object as reports write it, with dots for slashes. Kinds of operators are not
//! here: their definitions come with the operator, once for a cluster.

use super::failure::Failure;
use super::room::Room;

macro_rules! stage {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("stage/", $name, ".yaml")))),*]
    };
}

const STAGE: [(&str, &str); 25] = stage![
    "ClusterIssuer.internal",
    "ClusterIssuer.letsencrypt",
    "ClusterSecretStore.vault",
    "ConfigMap.default.web-settings",
    "CustomResourceDefinition.buckets.acme.io",
    "CustomResourceDefinition.gadgets.acme.io",
    "CustomResourceDefinition.rings.rings.acme.io",
    "CustomResourceDefinition.shelfs.inventory.acme.io",
    "CustomResourceDefinition.stores.acme.io",
    "CustomResourceDefinition.xstores.acme.io",
    "Deployment.default.web",
    "GatewayClass.public",
    "Namespace.made-by-the-platform-team",
    "OCIRepository.default.web",
    "PersistentVolumeClaim.default.original",
    "PersistentVolumeClaim.default.web-data",
    "PriorityClass.shop-critical",
    "ResourceClaimTemplate.default.gpu",
    "RuntimeClass.gvisor",
    "Secret.default.web-values",
    "SecretStore.default.vault",
    "Service.default.guard",
    "Service.kube-system.metrics-server",
    "Service.shop.web",
    "ServiceAccount.default.web",
];

/// Puts one object on the cluster, if it is kept here.
pub(super) fn set(room: &Room<'_>, object: &str) -> Result<(), Failure> {
    let wanted = object.replace('/', ".");
    let Some((name, text)) = STAGE.iter().find(|(name, _)| *name == wanted) else { return Ok(()) };
    let file = format!("../stage/{name}.yaml");
    room.store(&file, text)?;
    room.line(&format!("kubectl apply -f '{file}'"))?;
    if text.contains("\nstatus:") {
        // Those who would say so are not here.
        room.line(&format!(
            "kubectl apply --server-side --force-conflicts --subresource=status -f '{file}'"
        ))?;
    }
    if name.starts_with("CustomResourceDefinition") {
        room.line("kubectl wait --for=condition=Established crd --all --timeout=30s")?;
    } else if name.contains("SecretStore") {
        room.line(&format!("kubectl wait --for=condition=Ready -f '{file}' --timeout=30s"))?;
    }
    match object.split('/').collect::<Vec<_>>().as_slice() {
        // The workload behind a Service has its name.
        [_, namespace, name] if text.contains("kind: Deployment") => {
            let namespace = room.namespace_of(namespace);
            let wait = format!("kubectl wait --for=condition=Available deployment/{name}");
            room.line(&format!("{wait} --namespace={namespace} --timeout=60s")).map(drop)
        }
        _ => Ok(()),
    }
}

/// Whether an object is kept here and noticed outside its namespace.
pub(super) fn is_cluster_wide(object: &str) -> bool {
    let is_own = matches!(object.split('/').collect::<Vec<_>>().as_slice(), [_, "default", _]);
    !is_own && STAGE.iter().any(|(name, _)| *name == object.replace('/', "."))
}
