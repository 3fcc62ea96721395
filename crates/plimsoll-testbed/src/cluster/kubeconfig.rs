//! Kubeconfig files: certificates and keys stand in them, so that one file is enough.

use super::certificates::Identity;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

/// For clients outside the cluster's network.
pub(super) const OUTSIDE: &str = "kubeconfig";

/// For processes inside it.
pub(super) const INSIDE: &str = "inside.kubeconfig";

/// A kubeconfig, as JSON, which is YAML too.
pub(super) fn write(server: &str, authority: &str, identity: &Identity) -> String {
    json!({
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": "plimsoll",
        "clusters": [{"name": "plimsoll", "cluster": {
            "server": server,
            "certificate-authority-data": STANDARD.encode(authority),
        }}],
        "users": [{"name": "plimsoll", "user": {
            "client-certificate-data": STANDARD.encode(&identity.certificate),
            "client-key-data": STANDARD.encode(&identity.key),
        }}],
        "contexts": [{"name": "plimsoll", "context": {"cluster": "plimsoll", "user": "plimsoll"}}],
    })
    .to_string()
}
