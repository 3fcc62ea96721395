//! Secret values in a script never show.

use super::{bundle_at, bundle_of};
use plimsoll_model::Place;

const CANARY: &str = "hunter2-canary";

#[test]
fn secret_values_show_nowhere() {
    for script in [
        format!("kubectl create secret generic s --from-literal=password={CANARY}\n"),
        format!("kubectl create secret generic s --from-literal password={CANARY}\n"),
        format!("kubectl create secret generic s --from-literal=\"password={CANARY}\"\n"),
        format!(
            "kubectl create secret generic s \\\n  --from-literal=user=me \\\n  --from-literal=password='{CANARY}'\n"
        ),
        format!("P={CANARY}\nkubectl create secret generic s --from-literal=password=\"$P\"\n"),
        format!("kubectl create secret docker-registry s --docker-username=me --docker-password={CANARY}\n"),
        format!("kubectl --token={CANARY} apply -f a.yaml\n"),
        format!("kubectl apply --token {CANARY} -f a.yaml\n"),
        format!("helm upgrade --install x y --set db.password={CANARY}\n"),
        format!(
            "kubectl create secret generic s --from-literal=a={CANARY} --dry-run=client -o yaml | kubectl apply -f -\n"
        ),
        format!(
            "kubectl apply -f - <<EOF\napiVersion: v1\nkind: Secret\nmetadata: {{name: s}}\nstringData:\n  a: {CANARY}\nEOF\n"
        ),
        format!(
            "P={CANARY}\nkubectl apply -f - <<EOF\napiVersion: v1\nkind: Secret\nmetadata: {{name: s}}\nstringData:\n  a: $P\nEOF\n"
        ),
    ] {
        let bundle = bundle_of(&script);
        assert_eq!(bundle.steps.len(), 1, "{script}");
        assert!(!format!("{:?}", bundle.steps).contains(CANARY), "{script}{:?}", bundle.steps);
        assert!(!format!("{:?}", bundle.problems).contains(CANARY), "{script}");
        assert!(!format!("{bundle:?}").contains(CANARY), "{script}");
        for line in 1..20 {
            let file = bundle.steps[0].place.unwrap().file;
            let shown = bundle.files.line(Place { file, line, column: 1 }).unwrap_or_default();
            assert!(!shown.contains(CANARY), "line {line} of {script}");
        }
    }
}

#[test]
fn a_secret_from_a_file_is_concealed() {
    let bundle = bundle_at(
        "deploy.sh",
        "kubectl create secret generic s --from-file=key.txt --from-env-file=.env\n",
        &[("key.txt", CANARY), (".env", "A=hunter2-canary\n# no\nB=2\n")],
    );
    assert!(!format!("{:?}", bundle.steps).contains(CANARY));
    let (_, object) = bundle.deliveries().next().unwrap();
    let keys: Vec<&str> =
        object.root.get("data").unwrap().entries().iter().map(|(key, _)| &*key.text).collect();
    assert_eq!(keys, ["key.txt", "A", "B"]);
}

#[test]
fn the_key_is_still_said() {
    let bundle =
        bundle_of("kubectl create secret generic s --from-literal=password=x1 --from-literal=user=y1\n");
    assert_eq!(
        bundle.steps[0].says,
        "kubectl create secret generic s --from-literal=password=… --from-literal=user=…"
    );
}
