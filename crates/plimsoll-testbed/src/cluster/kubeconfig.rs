//! Kubeconfig files: certificates and keys stand in them, so that one file is enough.

use super::certificates::Identity;
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
            "certificate-authority-data": base64(authority.as_bytes()),
        }}],
        "users": [{"name": "plimsoll", "user": {
            "client-certificate-data": base64(identity.certificate.as_bytes()),
            "client-key-data": base64(identity.key.as_bytes()),
        }}],
        "contexts": [{"name": "plimsoll", "context": {"cluster": "plimsoll", "user": "plimsoll"}}],
    })
    .to_string()
}

/// Base 64 with padding, as kubeconfig files want it.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let value = chunk.iter().fold(0_usize, |value, byte| value << 8 | usize::from(*byte))
            << (8 * (3 - chunk.len()));
        for place in 0..4 {
            let letter = LETTERS.get(value >> (18 - 6 * place) & 63).copied().unwrap_or(b'=');
            text.push(if place <= chunk.len() { char::from(letter) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::base64;

    #[test]
    fn base64_pads_as_rfc_4648_says() {
        let pairs = [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
        ];
        for (plain, encoded) in pairs {
            assert_eq!(base64(plain.as_bytes()), encoded);
        }
    }
}
