//! Facts of Kubernetes' history, each from its deprecation guide or changelog, read against the tables.

use super::*;

const NEWEST: Version = Version { minor: 37 };

fn v(minor: u32) -> Version {
    Version { minor }
}

fn removed(minor: u32, instead: &[&'static str]) -> Served {
    let instead = instead.to_vec();
    Served::No { removed_in: Some(v(minor)), introduced_in: None, is_optional: false, instead }
}

/// What Kubernetes' deprecation guide says of versions that people still write.
const LONG_GONE: &str = "\
extensions/v1beta1 Ingress: removed in 1.22, use networking.k8s.io/v1
networking.k8s.io/v1beta1 Ingress: removed in 1.22, use networking.k8s.io/v1
extensions/v1beta1 Deployment: removed in 1.16, use apps/v1
extensions/v1beta1 NetworkPolicy: removed in 1.16, use networking.k8s.io/v1
apps/v1beta1 StatefulSet: removed in 1.16, use apps/v1
apps/v1beta2 DaemonSet: removed in 1.16, use apps/v1
batch/v1beta1 CronJob: removed in 1.25, use batch/v1
discovery.k8s.io/v1beta1 EndpointSlice: removed in 1.25, use discovery.k8s.io/v1
policy/v1beta1 PodDisruptionBudget: removed in 1.25, use policy/v1
policy/v1beta1 PodSecurityPolicy: removed in 1.25
node.k8s.io/v1beta1 RuntimeClass: removed in 1.25, use node.k8s.io/v1
rbac.authorization.k8s.io/v1beta1 ClusterRole: removed in 1.22, use rbac.authorization.k8s.io/v1
apiextensions.k8s.io/v1beta1 CustomResourceDefinition: removed in 1.22, use apiextensions.k8s.io/v1
admissionregistration.k8s.io/v1beta1 ValidatingWebhookConfiguration: removed in 1.22, use admissionregistration.k8s.io/v1
autoscaling/v2beta1 HorizontalPodAutoscaler: removed in 1.25, use autoscaling/v2 or autoscaling/v1
autoscaling/v2beta2 HorizontalPodAutoscaler: removed in 1.26, use autoscaling/v2 or autoscaling/v1
storage.k8s.io/v1beta1 CSIStorageCapacity: removed in 1.27, use storage.k8s.io/v1";

fn describe(answer: Served) -> String {
    match answer {
        Served::No { removed_in: Some(version), introduced_in: None, is_optional: false, instead }
            if instead.is_empty() =>
        {
            format!("removed in {version}")
        }
        Served::No { removed_in: Some(version), introduced_in: None, is_optional: false, instead } => {
            format!("removed in {version}, use {}", instead.join(" or "))
        }
        other => format!("{other:?}"),
    }
}

#[test]
fn versions_removed_long_ago_name_their_successor() {
    for line in LONG_GONE.lines() {
        let (question, answer) = line.split_once(": ").unwrap();
        let (api_version, kind) = question.split_once(' ').unwrap();
        let (group, version) = api_version.split_once('/').unwrap();
        for server in [NEWEST, v(28)] {
            assert_eq!(describe(served(server, group, version, kind)), answer, "{question} on {server}");
        }
    }
}

#[test]
fn an_old_server_still_serves_what_was_removed_later() {
    assert_eq!(served(v(24), "batch", "v1beta1", "CronJob"), Served::Yes);
    assert_eq!(served(v(21), "extensions", "v1beta1", "Ingress"), Served::Yes);
    assert_eq!(served(v(22), "apps", "v1", "Deployment"), Served::Yes);
    let early = served(v(17), "networking.k8s.io", "v1beta1", "IngressClass");
    assert!(matches!(early, Served::No { removed_in: None, introduced_in: Some(Version { minor: 18 }), .. }));
    let policy = served(v(24), "extensions", "v1beta1", "PodSecurityPolicy");
    assert_eq!(policy, removed(16, &["policy/v1beta1"]));
}

#[test]
fn versions_that_end_within_the_known_minors() {
    let group = "flowcontrol.apiserver.k8s.io";
    assert_eq!(served(v(28), group, "v1beta2", "FlowSchema"), Served::Yes);
    let best = ["flowcontrol.apiserver.k8s.io/v1", "flowcontrol.apiserver.k8s.io/v1beta3"];
    assert_eq!(served(v(29), group, "v1beta2", "FlowSchema"), removed(29, &best));
    assert_eq!(served(v(31), group, "v1beta3", "FlowSchema"), Served::Yes);
    assert_eq!(served(v(32), group, "v1beta3", "FlowSchema"), removed(32, &best[..1]));
}

#[test]
fn versions_that_are_still_to_come() {
    let (group, kind) = ("admissionregistration.k8s.io", "ValidatingAdmissionPolicy");
    assert_eq!(served(v(30), group, "v1", kind), Served::Yes);
    let to_come = |minor| Served::No {
        removed_in: None,
        introduced_in: Some(v(minor)),
        is_optional: false,
        instead: Vec::new(),
    };
    assert_eq!(served(v(29), group, "v1", kind), to_come(30));
    assert_eq!(served(v(33), group, "v1", "MutatingAdmissionPolicy"), to_come(36));
    assert_eq!(served(v(25), "networking.k8s.io", "v1", "ServiceCIDR"), to_come(33));
    assert_eq!(served(v(33), "resource.k8s.io", "v1", "ResourceClaim"), to_come(34));
}

#[test]
fn betas_are_off_unless_asked_for() {
    let off = |instead: &[&'static str]| Served::No {
        removed_in: None,
        introduced_in: None,
        is_optional: true,
        instead: instead.to_vec(),
    };
    assert_eq!(served(v(32), "resource.k8s.io", "v1beta1", "ResourceClaim"), off(&[]));
    assert_eq!(served(v(34), "resource.k8s.io", "v1beta1", "ResourceClaim"), off(&["resource.k8s.io/v1"]));
    let gone = served(v(34), "admissionregistration.k8s.io", "v1beta1", "ValidatingAdmissionPolicy");
    assert_eq!(gone, removed(34, &["admissionregistration.k8s.io/v1"]));
}

#[test]
fn versions_that_never_were_and_kinds_that_are_not_ours() {
    let never =
        Served::No { removed_in: None, introduced_in: None, is_optional: false, instead: vec!["apps/v1"] };
    assert_eq!(served(NEWEST, "apps", "v2", "Deployment"), never);
    assert_eq!(served(NEWEST, "apps", "", "Deployment"), never);
    assert_eq!(served(NEWEST, "apps", "v1", "Deploymnet"), Served::UnknownKind);
    assert_eq!(served(NEWEST, "", "v1", "Deployment"), Served::UnknownKind);
    assert_eq!(served(NEWEST, "cert-manager.io", "v1", "Certificate"), Served::UnknownKind);
}

#[test]
fn every_stable_kind_is_served_by_the_newest_server() {
    let stable = [
        ("", "Pod"),
        ("", "Secret"),
        ("apps", "Deployment"),
        ("batch", "CronJob"),
        ("networking.k8s.io", "Ingress"),
        ("apiextensions.k8s.io", "CustomResourceDefinition"),
        ("apiregistration.k8s.io", "APIService"),
    ];
    for version in crate::versions() {
        for (group, kind) in stable {
            assert_eq!(served(version, group, "v1", kind), Served::Yes, "{group} {kind} on {version}");
        }
    }
    // A server newer than the data is taken for the newest known.
    assert_eq!(served(v(99), "apps", "v1", "Deployment"), Served::Yes);
    assert_eq!(served(v(99), "batch", "v1beta1", "CronJob"), removed(25, &["batch/v1"]));
}

#[test]
fn versions_follow_each_other_in_the_life_of_a_kind() {
    let life = ["v1alpha1", "v1alpha2", "v1beta1", "v1", "v2alpha1", "v2beta2", "v2", "v10"];
    for (at, version) in life.iter().enumerate() {
        for (other_at, other) in life.iter().enumerate() {
            assert_eq!(is_later(version, other), at > other_at, "{version} after {other}");
        }
    }
}
