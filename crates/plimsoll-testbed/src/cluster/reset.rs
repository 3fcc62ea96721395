//! Makes a used cluster as good as new: whatever was created since it was ready is deleted from etcd, of which the API
//! server, the controllers and the kubelets hear at once. No finalizer can hold anything up, since nobody is asked.

use super::etcd::Etcd;
use serde::Deserialize;
use serde_json::{Value, json};
use std::io;
use std::net::SocketAddr;

/// Deletes what was created after a moment in the life of a cluster; runs inside its network.
#[derive(Clone, Debug, clap::Args)]
pub struct ResetSettings {
    /// Where etcd listens
    #[arg(long)]
    pub etcd: SocketAddr,
    /// The revision of etcd at that moment
    #[arg(long)]
    pub revision: i64,
}

/// How many deletions etcd takes at once; its own limit is 128.
const AT_ONCE: usize = 100;

#[derive(Deserialize)]
struct Found {
    #[serde(default)]
    kvs: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    key: String,
}

impl ResetSettings {
    /// Deletes; gives the keys that are gone.
    pub fn run(self) -> io::Result<Vec<String>> {
        let etcd = Etcd::at(self.etcd);
        let range = json!({
            "key": Etcd::encode("/registry/"),
            // The first key after all that begin so.
            "range_end": Etcd::encode("/registry0"),
            "keys_only": true,
            "min_create_revision": (self.revision + 1).to_string(),
        });
        let found: Found = serde_json::from_value(etcd.ask("/v3/kv/range", &range)?)?;
        let keys =
            found.kvs.into_iter().map(|entry| Etcd::decode(&entry.key)).collect::<io::Result<Vec<_>>>()?;
        let gone: Vec<String> = keys.into_iter().filter(|key| !belongs_to_the_cluster(key)).collect();
        for some in gone.chunks(AT_ONCE) {
            let deletions: Vec<Value> =
                some.iter().map(|key| json!({"request_delete_range": {"key": Etcd::encode(key)}})).collect();
            etcd.ask("/v3/kv/txn", &json!({"success": deletions}))?;
        }
        Ok(gone)
    }
}

/// Whether the cluster's own programs keep this object, and may make it whenever they like. Controllers log in with the
/// service accounts of kube-system.
fn belongs_to_the_cluster(key: &str) -> bool {
    let parts: Vec<&str> = key.split('/').skip(2).collect();
    let is_system =
        |namespace: &str| ["default", "kube-system", "kube-public", "kube-node-lease"].contains(&namespace);
    match parts.as_slice() {
        ["minions" | "csinodes" | "leases" | "masterleases" | "ranges", ..]
        | ["serviceaccounts", "kube-system", _] => true,
        ["serviceaccounts", namespace, "default"] | ["configmaps", namespace, "kube-root-ca.crt"] => {
            is_system(namespace)
        }
        ["configmaps", "kube-system", name] => OWN_SETTINGS.contains(name),
        _ => false,
    }
}

/// What the API server publishes of itself.
const OWN_SETTINGS: [&str; 2] =
    ["extension-apiserver-authentication", "kube-apiserver-legacy-service-account-token-tracking"];

#[cfg(test)]
mod tests {
    use super::belongs_to_the_cluster;

    #[test]
    fn what_the_programs_make_for_themselves_stays() {
        let stays = [
            "/registry/minions/node-1",
            "/registry/leases/kube-node-lease/node-1",
            "/registry/serviceaccounts/kube-system/job-controller",
            "/registry/configmaps/kube-public/kube-root-ca.crt",
        ];
        assert!(stays.iter().all(|key| belongs_to_the_cluster(key)));
    }

    #[test]
    fn what_a_test_makes_goes() {
        let goes = [
            "/registry/namespaces/shop",
            "/registry/configmaps/shop/kube-root-ca.crt",
            "/registry/serviceaccounts/default/web",
            "/registry/apiextensions.k8s.io/customresourcedefinitions/shops.example.com",
            "/registry/pods/default/web",
        ];
        assert!(goes.iter().all(|key| !belongs_to_the_cluster(key)));
    }
}
