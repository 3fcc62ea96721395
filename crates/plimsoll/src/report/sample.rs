//! A small bundle and hand-written findings for the tests of the reports.

use super::Report;
use crate::analysis::Verdict;
use crate::policy::{Allowances, Policy};
use plimsoll_model::{
    Action, Actor, Bundle, Change, Class, Code, Confidence, Consequence, Coverage, Delivery, End, File,
    FileIndex, Files, Finding, Fix, Guard, Healing, Instant, Milestone, Need, Node, Object, ObjectId,
    Operation, Place, Problem, Safety, Step, Timeline, Tool, Unit, Value,
};
use std::collections::BTreeMap;
use std::time::Duration;

const WEB: &str = "\
kind: Deployment
spec:
  template:
    spec:
      volumes:
        - name: tls
          secret: {secretName: web-tls}
";
const CERTIFICATE: &str = "kind: Certificate\nspec:\n  secretName: web-tls\n";
const SECRET: &str = "kind: Secret\nstringData:\n  password: CANARY-5d41\n";

/// What a writer of reports makes of the sample.
pub(crate) fn told<T>(is_pedantic: bool, write: impl FnOnce(&Report<'_>) -> T) -> T {
    told_of(&bundle(), &verdict(), is_pedantic, write)
}

/// What is judged without a word from the user.
pub(crate) fn policy() -> Policy {
    Policy {
        is_pedantic: false,
        fail_on: Some(Consequence::Late),
        surest: Confidence::Proved,
        rules: BTreeMap::new(),
        allowances: Allowances::default(),
        baseline: None,
        earlier: None,
        refuses_stale: false,
    }
}

/// What a writer of reports makes of a bundle and its verdict.
pub(crate) fn told_of<T>(
    bundle: &Bundle,
    verdict: &Verdict,
    is_pedantic: bool,
    write: impl FnOnce(&Report<'_>) -> T,
) -> T {
    let policy = Policy { is_pedantic, ..policy() };
    let judgement = policy.judge(bundle, &verdict.findings);
    write(&Report { bundle, verdict, judgement: &judgement, shows_rendered: false })
}

pub(crate) fn bundle() -> Bundle {
    let mut files = Files::default();
    for (path, text) in
        [("k8s/web.yaml", WEB), ("k8s/certificate.yaml", CERTIFICATE), ("k8s/secret.yaml", SECRET)]
    {
        files.add(File { path: path.into(), text: text.into(), hidden: Vec::new() });
    }
    files.hide(FileIndex(2), 3..=3);
    let problem = Problem {
        place: place(1, 9, 1),
        cause: "a mapping key without a value; write `key: value`".to_owned(),
        is_fatal: true,
    };
    Bundle {
        before: None,
        files,
        steps: vec![delivery()],
        problems: vec![problem],
        coverage: Coverage { objects: 42, opaque: 1, foreign: 3 },
        outside: Vec::new(),
        pages: Vec::new(),
    }
}

fn delivery() -> Step {
    let root = Node { value: Value::Map(Vec::new()), place: place(0, 1, 1) };
    let object = Object::new(deployment("web"), "v1", root);
    let delivery = Delivery::by(Tool::Kubectl, "apply");
    Step {
        action: Action::Deliver(Unit::new(delivery, vec![object])),
        after: Vec::new(),
        may_be_skipped: false,
        branch: None,
        is_presumed: false,
        place: None,
        says: "kubectl apply -R -f k8s".to_owned(),
        marks: Vec::new(),
    }
}

pub(crate) fn place(file: u32, line: u32, column: u32) -> Place {
    Place { file: FileIndex(file), line, column }
}

pub(crate) fn secret() -> ObjectId {
    ObjectId::new("", "Secret", Some("shop"), "web-tls")
}

pub(crate) fn deployment(name: &str) -> ObjectId {
    ObjectId::new("apps", "Deployment", Some("shop"), name)
}

fn instant(
    seconds: u64,
    actor: Actor,
    object: Option<ObjectId>,
    does: &str,
    answer: Option<&str>,
) -> Instant {
    Instant {
        time: Duration::from_secs(seconds),
        actor,
        object,
        does: does.to_owned(),
        answer: answer.map(str::to_owned),
    }
}

/// A Secret that cert-manager writes and a pod mounts: late, proved, heals.
pub(crate) fn mount() -> Finding {
    let pod = ObjectId::new("", "Pod", Some("shop"), "web-…");
    Finding {
        rule: Code("PLM-R012"),
        name: "secret-read-before-issued",
        class: Class::SecretNotYetProduced,
        consequence: Consequence::Late,
        confidence: Confidence::Proved,
        tool: Tool::Kubectl,
        operation: Operation::Install,
        root: 1,
        message: "Deployment/shop/web mounts Secret web-tls before cert-manager has written it".to_owned(),
        premise: None,
        before: End {
            object: secret(),
            milestone: Milestone::Stored,
            carriers: vec!["Certificate/shop/web".to_owned()],
            place: Some(place(1, 3, 3)),
        },
        after: End {
            object: deployment("web"),
            milestone: Milestone::Started,
            carriers: Vec::new(),
            place: Some(place(0, 7, 20)),
        },
        timeline: Timeline(vec![
            instant(0, Actor::Tool, Some(deployment("web")), "applies it", None),
            instant(
                2,
                Actor::Kubelet,
                Some(pod),
                "mounts volume tls",
                Some("MountVolume.SetUp failed for volume \"tls\" : secret \"web-tls\" not found"),
            ),
            instant(31, Actor::Operator("cert-manager"), Some(secret()), "writes it", None),
        ]),
        heals: Some(Healing { by: "kubelet".to_owned(), within: Duration::from_secs(123) }),
        guard: Some(Guard {
            what: "the init container wait-for-tls".to_owned(),
            why_not: "volumes are mounted before any init container starts".to_owned(),
        }),
        fixes: vec![
            Fix {
                safety: Safety::Safe,
                summary: "apply the Certificate and wait for it before the Deployment".to_owned(),
                change: Some(Change::Order),
                unchecked: None,
            },
            Fix::new(Safety::Manual, "make the volume optional".to_owned(), None),
        ],
    }
}

/// The same cause for another Deployment.
pub(crate) fn mount_of(name: &str) -> Finding {
    let mut finding = mount();
    finding.after.object = deployment(name);
    finding.after.place = None;
    finding
}

/// A requirement of something outside the input: stuck, assumed, never heals.
pub(crate) fn assumed() -> Finding {
    let mut finding = mount();
    finding.rule = Code("PLM-R004");
    finding.name = "instance-before-crd";
    finding.class = Class::CrBeforeCrd;
    finding.consequence = Consequence::Stuck;
    finding.confidence = Confidence::Assumed;
    finding.root = 2;
    finding.message = "Certificate/shop/web can be applied before its CRD exists".to_owned();
    finding.before = End {
        object: ObjectId::new(
            "apiextensions.k8s.io",
            "CustomResourceDefinition",
            None,
            "certificates.cert-manager.io",
        ),
        milestone: Milestone::Discoverable,
        carriers: vec!["chart/cert-manager".to_owned()],
        place: None,
    };
    finding.after = End {
        object: ObjectId::new("cert-manager.io", "Certificate", Some("shop"), "web"),
        milestone: Milestone::Checked,
        carriers: Vec::new(),
        place: Some(place(1, 1, 1)),
    };
    finding.timeline = Timeline(vec![instant(
        0,
        Actor::Tool,
        None,
        "looks up the kind of Certificate/shop/web",
        Some(
            "no matches for kind \"Certificate\" in version \"cert-manager.io/v1\"\nensure CRDs are installed first",
        ),
    )]);
    finding.heals = None;
    finding.guard = None;
    finding.fixes = vec![Fix {
        safety: Safety::Review,
        summary: "kubectl wait --for=condition=Established crd/certificates.cert-manager.io".to_owned(),
        change: None,
        unchecked: None,
    }];
    finding
}

/// A finding whose place is a line with a secret value.
pub(crate) fn in_a_secret() -> Finding {
    let mut finding = mount();
    finding.root = 3;
    finding.after.place = Some(place(2, 3, 3));
    finding.before.place = None;
    finding
}

/// A finding that only `--pedantic` shows.
pub(crate) fn noise() -> Finding {
    let mut finding = mount();
    finding.root = 4;
    finding.consequence = Consequence::Noise;
    finding.message = "Deployment/shop/api starts before ConfigMap settings exists".to_owned();
    finding.heals = Some(Healing { by: "kubelet".to_owned(), within: Duration::from_secs(10) });
    finding
}

pub(crate) fn verdict() -> Verdict {
    let need = |kind: &str, name: &str, milestone, by: &[&str]| Need {
        object: ObjectId::new("", kind, None, name),
        milestone,
        by: by.iter().map(|name| deployment(name)).collect(),
        elsewhere: Vec::new(),
    };
    Verdict {
        findings: vec![assumed(), mount(), mount_of("api"), mount_of("worker"), in_a_secret(), noise()],
        needs: vec![
            need("StorageClass", "fast", Milestone::Stored, &["web", "api"]),
            need(
                "CustomResourceDefinition",
                "certificates.cert-manager.io",
                Milestone::Discoverable,
                &["web"],
            ),
        ],
        held: 312,
        understood: 40,
        ..Verdict::default()
    }
}
