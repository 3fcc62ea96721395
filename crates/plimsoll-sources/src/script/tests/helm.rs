//! Helm in scripts: what is taken away, and what is gone back to.

use super::{bundle_at, shown};
use plimsoll_model::Action;

#[test]
fn a_release_goes_without_its_hooks_definitions_and_what_is_to_be_kept() {
    let object = |name: &str, annotations: &str| {
        format!(
            "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}, annotations: {{{annotations}}}}}\n"
        )
    };
    let templates = [
        object("a", ""),
        object("b", "helm.sh/hook: pre-install"),
        object("c", "helm.sh/resource-policy: keep"),
    ];
    let files = [
        ("shop/Chart.yaml", "apiVersion: v2\nname: shop\nversion: 1.0.0\n"),
        ("shop/templates/all.yaml", &templates.concat()),
        ("shop/crds/d.yaml", &object("d", "")),
    ];
    let script = "helm install x shop -n n\nhelm uninstall x --namespace n --wait\nhelm uninstall x\n";
    let bundle = bundle_at("deploy.sh", script, &files);
    let shown = shown(&bundle);
    let expected = ["delete [ConfigMap/n/a]", "delete --wait=false []"];
    for (line, expected) in shown.iter().skip(1).zip(expected) {
        assert!(line.contains(expected), "{shown:#?}");
    }
}

#[test]
fn helm_runs_hooks_around_what_it_takes_away() {
    let object = |name: &str, annotation: &str| {
        format!(
            "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}, annotations: {{{annotation}}}}}\n"
        )
    };
    let templates = [
        object("a", ""),
        object("b", "helm.sh/hook: 'pre-delete,post-delete'"),
        object("c", "helm.sh/hook: post-delete"),
    ];
    let files = [
        ("shop/Chart.yaml", "apiVersion: v2\nname: shop\nversion: 1.0.0\n"),
        ("shop/templates/all.yaml", &*templates.concat()),
    ];
    let removal = |flags: &str| {
        let script = format!("set -e\nhelm install x shop\nhelm uninstall x {flags}\nkubectl get a\n");
        let bundle = bundle_at("deploy.sh", &script, &files);
        let shown = bundle.steps.iter().skip(1).map(|step| match &step.action {
            Action::Deliver(unit) => {
                let names = unit.objects.iter().map(|object| object.id.name());
                format!("{} {}", unit.delivery.verb, names.collect::<Vec<_>>().join(" "))
            }
            Action::Remove(removal) => removal.objects.iter().map(ToString::to_string).collect(),
            other => format!("{other:?}"),
        });
        shown.collect::<Vec<_>>()
    };
    assert_eq!(removal("--wait"), ["uninstall b", "ConfigMap/default/a", "uninstall c"]);
    assert_eq!(removal("--no-hooks"), ["ConfigMap/default/a"]);
}

#[test]
fn a_rollback_delivers_an_earlier_revision_again() {
    let chart = |name: &str| format!("apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}}}\n");
    let metadata = "apiVersion: v2\nname: shop\nversion: 1.0.0\n";
    let files = [
        ("one/Chart.yaml", metadata),
        ("one/templates/all.yaml", &*chart("first")),
        ("two/Chart.yaml", metadata),
        ("two/templates/all.yaml", &*chart("second")),
    ];
    for (words, expected) in [
        ("helm rollback x", "rollback first"),
        ("helm rollback x 2 --wait", "rollback second"),
        ("helm rollback x 0 -n other", "not known"),
        ("helm rollback x 7", "not known"),
    ] {
        let script = format!("helm install x one\nhelm upgrade x two\n{words}\n");
        let bundle = bundle_at("deploy.sh", &script, &files);
        let found = match bundle.steps.last().map(|step| &step.action) {
            Some(Action::Deliver(unit)) => {
                let name = unit.objects.first().map_or("", |object| object.id.name());
                format!("{} {name}", unit.delivery.verb)
            }
            _ => "not known".to_owned(),
        };
        assert_eq!(found, expected, "{words}");
    }
}
