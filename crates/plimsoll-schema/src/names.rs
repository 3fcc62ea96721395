//! Finds the kind that is meant when somebody names a resource as kubectl allows it: `deploy`, `Deployment`,
//! `deployments.apps`, `deployments.v1.apps`, `pods.v1.`.

use crate::known::{KNOWN, Known};

/// Group and kind of the resource that is meant; the first of [`kinds_of_resource`].
#[must_use]
pub fn kind_of_resource(name: &str) -> Option<(&'static str, &'static str)> {
    kinds_of_resource(name).into_iter().next()
}

/// Group and kind of every resource that may be meant by a plural, singular (both in any case) or short name, with or
/// without version and group. What every server has comes first, then groups by name: kubectl's order when all are
/// installed.
///
/// The rules are those of `DefaultRESTMapper.ResourcesFor` in `k8s.io/apimachinery@v0.36.4`, and were tried with kubectl;
/// only whether the named version exists is not looked at.
#[must_use]
pub fn kinds_of_resource(name: &str) -> Vec<(&'static str, &'static str)> {
    let (word, qualifier) = name.split_once('.').unwrap_or((name, ""));
    let group = group_after_version(qualifier).unwrap_or(qualifier);
    let mut found = Vec::new();
    for known in KNOWN.iter().filter(|known| is_named(known, word)) {
        let kind = (known.group, known.kind);
        if known.group.starts_with(group) && !found.contains(&kind) {
            found.push(kind);
        }
    }
    // The beginning of a group is enough, `storageclass.storage`, unless it is another group's whole name.
    if found.iter().any(|(of, _)| !group.is_empty() && *of == group) {
        found.retain(|(of, _)| *of == group);
    }
    found
}

/// Plural and singular are taken in any case, short names only as they are.
fn is_named(known: &Known, word: &str) -> bool {
    let is_long = [known.plural, known.kind].iter().any(|name| name.eq_ignore_ascii_case(word));
    is_long || (!word.is_empty() && known.short.split(',').any(|name| name == word))
}

/// The group of `v1.apps` is `apps`; that of `v1.` is left open.
fn group_after_version(qualifier: &str) -> Option<&str> {
    let (version, group) = qualifier.split_once('.')?;
    let digits = version.strip_prefix('v')?;
    digits.starts_with(|first: char| first.is_ascii_digit()).then_some(group)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_as_kubectl_takes_them() {
        for (name, group, kind) in [
            ("deploy", "apps", "Deployment"),
            ("deployment", "apps", "Deployment"),
            ("Deployments", "apps", "Deployment"),
            ("deployments.apps", "apps", "Deployment"),
            ("deployments.v1.apps", "apps", "Deployment"),
            ("deployments.extensions", "extensions", "Deployment"),
            ("deployments.v1.", "apps", "Deployment"),
            ("deployments.", "apps", "Deployment"),
            ("storageclass.storage", "storage.k8s.io", "StorageClass"),
            ("ingress.networking", "networking.k8s.io", "Ingress"),
            ("po", "", "Pod"),
            ("pods.v1.", "", "Pod"),
            ("svc", "", "Service"),
            ("services.serving.knative.dev", "serving.knative.dev", "Service"),
            ("services.v1.serving.knative.dev", "serving.knative.dev", "Service"),
            ("events", "", "Event"),
            ("events.events.k8s.io", "events.k8s.io", "Event"),
            ("ing", "networking.k8s.io", "Ingress"),
            ("ingresses", "networking.k8s.io", "Ingress"),
            ("crd", "apiextensions.k8s.io", "CustomResourceDefinition"),
            ("certificate", "cert-manager.io", "Certificate"),
            ("certs", "cert-manager.io", "Certificate"),
            ("psp", "", ""),
            ("podsecuritypolicy", "policy", "PodSecurityPolicy"),
            ("networkpolicies", "networking.k8s.io", "NetworkPolicy"),
            ("pods.metrics.k8s.io", "metrics.k8s.io", "PodMetrics"),
        ] {
            let expected = (!kind.is_empty()).then_some((group, kind));
            assert_eq!(kind_of_resource(name), expected, "{name}");
        }
        for name in ["", ".", ".apps", "DEPLOY", "widgets", "deployments.Apps", "pods.v1", "pods.apps", "all"]
        {
            assert_eq!(kind_of_resource(name), None, "{name}");
        }
    }

    #[test]
    fn a_name_may_mean_several_kinds() {
        assert_eq!(kinds_of_resource("gateways.networking"), [("networking.istio.io", "Gateway")]);
        let gateways = kinds_of_resource("gateways");
        assert_eq!(gateways[0], ("gateway.networking.k8s.io", "Gateway"));
        assert!(gateways.contains(&("networking.istio.io", "Gateway")));
    }
}
