//! Words on the command line that are held against what the tool takes, so that a slip is not passed over in silence.

/// The flags of `kubectl apply` and of every kubectl command, without dashes. Read from kubectl v1.36.4.
const FLAGS: [&str; 55] = [
    "R",
    "all",
    "allow-missing-template-keys",
    "applyset",
    "as",
    "as-group",
    "as-uid",
    "as-user-extra",
    "cache-dir",
    "cascade",
    "certificate-authority",
    "client-certificate",
    "client-key",
    "cluster",
    "context",
    "disable-compression",
    "dry-run",
    "field-manager",
    "force",
    "force-conflicts",
    "grace-period",
    "insecure-skip-tls-verify",
    "k",
    "kubeconfig",
    "kuberc",
    "kustomize",
    "l",
    "log-flush-frequency",
    "match-server-version",
    "o",
    "openapi-patch",
    "output",
    "overwrite",
    "password",
    "profile",
    "profile-output",
    "prune",
    "prune-allowlist",
    "recursive",
    "request-timeout",
    "s",
    "selector",
    "server",
    "server-side",
    "show-managed-fields",
    "subresource",
    "template",
    "timeout",
    "tls-server-name",
    "token",
    "user",
    "username",
    "v",
    "validate",
    "wait",
];

/// The flags of `helm install` and `helm upgrade` that change what is sent or waited for. Read from Helm v4.3.1 and
/// v3.22.0.
const HELM_FLAGS: [&str; 9] = [
    "atomic",
    "create-namespace",
    "no-hooks",
    "rollback-on-failure",
    "server-side",
    "skip-crds",
    "timeout",
    "wait",
    "wait-for-jobs",
];

/// A version of the tool, as it was written: `1.34` of kubectl, `4` or `v3.22.0` of Helm.
pub(crate) fn version(text: &str) -> Result<String, String> {
    let numbers = text.strip_prefix('v').unwrap_or(text).split(['-', '+']).next().unwrap_or_default();
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let is_version = numbers.split('.').count() <= 3 && numbers.split('.').all(is_number);
    is_version.then(|| text.to_owned()).ok_or_else(|| format!("`{text}` is not a version such as 1.34"))
}

/// A flag that `kubectl apply` or `helm install` has.
pub(crate) fn flag(text: &str) -> Result<String, String> {
    let name = text.trim_start_matches('-').split('=').next().unwrap_or_default();
    if text.starts_with('-') && (FLAGS.contains(&name) || HELM_FLAGS.contains(&name)) {
        return Ok(text.to_owned());
    }
    Err(format!(
        "neither `kubectl apply` nor `helm install` has a flag `{text}` that counts here; what it reads is named as PATH, and the namespace with -n"
    ))
}

/// A name that a namespace can have: lower case letters, digits and dashes.
pub(crate) fn namespace(text: &str) -> Result<String, String> {
    let is_inner = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let is_edge = |byte: Option<u8>| byte.is_some_and(|byte| is_inner(byte) && byte != b'-');
    let is_name = text.len() <= 63
        && text.bytes().all(is_inner)
        && is_edge(text.bytes().next())
        && is_edge(text.bytes().last());
    let fault = || format!("`{text}` is not the name of a namespace: lower case letters, digits and dashes");
    is_name.then(|| text.to_owned()).ok_or_else(fault)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_refused() {
        for text in ["--server-side", "--dry-run=server", "-R", "--force=true"] {
            assert_eq!(flag(text).as_deref(), Ok(text));
        }
        for text in ["--serverside", "server-side", "", "--", "-f", "--namespace"] {
            assert!(flag(text).is_err(), "{text}");
        }
        for text in ["shop", "a", "0-9"] {
            assert_eq!(namespace(text).as_deref(), Ok(text));
        }
        for text in ["", "Shop", "-a", "a-", "a.b", "a b"] {
            assert!(namespace(text).is_err(), "{text}");
        }
        assert!(version("1.34").is_ok() && version("v1.34.2").is_ok() && version("banana").is_err());
    }

    #[test]
    fn flags_are_sorted_and_distinct() {
        assert!(FLAGS.windows(2).all(|pair| pair.first() < pair.last()));
    }
}
