//! Waiting until an API server has heard of what is gone: it is asked until it answers as it should.

use std::path::Path;
use std::process::Output;
use std::time::{Duration, Instant};
use std::{fs, io};

/// How long the API server may take to hear of what is gone.
const LIMIT: Duration = Duration::from_secs(30);

/// A write that every cluster admits which has neither webhook nor policy.
pub(super) const PROBE: [&str; 5] =
    ["create", "configmap", "is-clean", "--dry-run=server", "--namespace=default"];

/// A policy that refuses the probe and nothing else.
const SENTINEL: &str = r#"
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: is-clean}
spec:
  matchConstraints:
    resourceRules:
      - {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps], resourceNames: [is-clean]}
  validations: [{expression: "false"}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: is-clean}
spec: {policyName: is-clean, validationActions: [Deny]}
"#;

/// Asks by running kubectl.
pub(crate) struct Patience<K> {
    kubectl: K,
    deadline: Instant,
}

impl<K: Fn(&[&str]) -> io::Result<Output>> Patience<K> {
    pub(crate) fn new(kubectl: K) -> Self {
        Self { kubectl, deadline: Instant::now() + LIMIT }
    }

    /// Asks until it succeeds, or until it fails, whichever is wanted.
    pub(super) fn until(&self, arguments: &[&str], wanted: bool) -> io::Result<()> {
        loop {
            let output = (self.kubectl)(arguments)?;
            if output.status.success() == wanted {
                return Ok(());
            }
            if Instant::now() > self.deadline {
                let complaint = String::from_utf8_lossy(&output.stderr);
                return Err(io::Error::other(format!("kubectl {}: {complaint}", arguments.join(" "))));
            }
        }
    }

    /// The API server gathers its policies once a second, and asks those that are gone until then. Once a new one
    /// works, the others are forgotten.
    pub(crate) fn until_policies_are_renewed(&self, folder: &Path) -> io::Result<()> {
        let file = folder.join("sentinel.yaml");
        fs::write(&file, SENTINEL)?;
        let file = file.to_string_lossy();
        self.until(&["apply", "-f", &file], true)?;
        self.until(&PROBE, false)?;
        self.until(&["delete", "--ignore-not-found", "-f", &file], true)?;
        self.until(&PROBE, true)
    }
}
