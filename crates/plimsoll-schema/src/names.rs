//! Finds the kind that is meant when somebody names a resource as kubectl allows it: `deploy`, `Deployment`,
//! `deployments.apps`, `deployments.v1.apps`, `pods.v1.`.

use crate::known::{KNOWN, Known};

/// Group and kind of the resource that is meant; the first of [`kinds_of_resource`].
#[must_use]
pub fn kind_of_resource(name: &str) -> Option<(&'static str, &'static str)> {
    kinds_of_resource(name).into_iter().next()
}

/// Group and kind of every resource that may be meant by a plural, singular or short name, in any case, with or without
/// version and group. What every server has comes first, then groups by name: kubectl's order when all are installed.
#[must_use]
pub fn kinds_of_resource(name: &str) -> Vec<(&'static str, &'static str)> {
    let (word, group) = match name.split_once('.') {
        Some((word, group)) => (word, Some(group)),
        None => (name, None),
    };
    let is_meant =
        |known: &&Known| is_named(known, word) && group.is_none_or(|group| is_group(known.group, group));
    let mut found = Vec::new();
    for kind in KNOWN
        .iter()
        .filter(is_meant)
        .map(|known| (known.group, known.kind))
    {
        if !found.contains(&kind) {
            found.push(kind);
        }
    }
    found
}

fn is_named(known: &Known, word: &str) -> bool {
    let mut names = [known.plural, known.kind]
        .into_iter()
        .chain(known.short.split(','));
    !word.is_empty() && names.any(|name| name.eq_ignore_ascii_case(word))
}

/// `apps` and `v1.apps` are the group `apps`; `v1.` is the core group.
fn is_group(group: &str, text: &str) -> bool {
    let after_version = text.split_once('.').map(|(_version, rest)| rest);
    text.eq_ignore_ascii_case(group) || after_version.is_some_and(|rest| rest.eq_ignore_ascii_case(group))
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
            ("po", "", "Pod"),
            ("pods.v1.", "", "Pod"),
            ("svc", "", "Service"),
            ("services.serving.knative.dev", "serving.knative.dev", "Service"),
            (
                "services.v1.serving.knative.dev",
                "serving.knative.dev",
                "Service",
            ),
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
        for name in [
            "",
            ".",
            "widgets",
            "deployments.example.org",
            "deployments.",
            "all",
        ] {
            assert_eq!(kind_of_resource(name), None, "{name}");
        }
    }

    #[test]
    fn a_name_may_mean_several_kinds() {
        let gateways = kinds_of_resource("gateways");
        assert_eq!(gateways[0], ("gateway.networking.k8s.io", "Gateway"));
        assert!(gateways.contains(&("networking.istio.io", "Gateway")));
    }
}
