//! What others provide: a file that a platform team publishes, taken like `--assume`.

use crate::folder::{Folder, TOO_LATE};

const PUBLISHED: &str = "\
apiVersion: plimsoll.dev/v1alpha1
kind: Externals
metadata: {name: production}
provides:
  - {object: Namespace/shop, milestone: stored, by: platform team}
  - {object: Secret/elsewhere/unrelated}
  - {api: acme.io/v1, by: platform team}
  - {chart: cert-manager, version: 1.18.2, by: platform team}
";

const INSTANCE: &str = "apiVersion: acme.io/v1\nkind: Widget\nmetadata: {name: one, namespace: default}\n";

#[test]
fn what_others_provide_is_there_before() {
    let folder = Folder::of(&[("k8s/a.yaml", TOO_LATE), ("platform.yaml", PUBLISHED)]);
    assert_eq!(folder.run(&["check", "k8s"]).code, 1);
    let answer = folder.run(&["check", "k8s", "--externals", "platform.yaml"]);
    assert_eq!(answer.code, 0, "{}", answer.out);
    assert!(!answer.out.contains("note: "), "what is not needed here is no news: {}", answer.out);
}

#[test]
fn an_api_that_is_served_needs_no_definition() {
    let folder = Folder::of(&[
        ("k8s/a.yaml", INSTANCE),
        ("shared/platform.yaml", PUBLISHED),
        (".plimsoll.yaml", "externals: [shared/platform.yaml]\n"),
    ]);
    let needs = |arguments: &[&str]| folder.report(&[&["k8s"], arguments].concat())["needs"].clone();
    assert!(needs(&["--no-config"]).to_string().contains("acme.io"), "{}", needs(&["--no-config"]));
    assert_eq!(needs(&[]), serde_json::json!([]));
    assert_eq!(needs(&["--no-config", "--assume", "api/acme.io/v1"]), serde_json::json!([]));
    assert_eq!(folder.run(&["check", "k8s", "--closed"]).code, 0);
    assert_eq!(folder.run(&["check", "k8s", "--closed", "--no-config"]).code, 1);
}

#[test]
fn what_is_wrong_with_externals_ends_the_run_with_its_place() {
    for (text, cause) in [
        (
            PUBLISHED.replace("v1alpha1", "v9"),
            "platform.yaml:1:1: this is not `apiVersion: plimsoll.dev/v1alpha1`",
        ),
        (
            PUBLISHED.replace("milestone: stored", "milestone: shiny"),
            "platform.yaml:5:5: `shiny` is no milestone",
        ),
        (PUBLISHED.replace("provides:", "provide:"), "platform.yaml:4:1: there is no `provide` in externals"),
    ] {
        let folder = Folder::of(&[("k8s/a.yaml", TOO_LATE), ("platform.yaml", &text)]);
        let answer = folder.run(&["check", "k8s", "--externals", "platform.yaml"]);
        assert_eq!((answer.code, answer.out.as_str()), (2, ""), "{text}");
        assert!(answer.err.contains(cause), "{}", answer.err);
    }
    let answer = Folder::of(&[("a.yaml", TOO_LATE)]).run(&["check", "--externals", "nowhere.yaml"]);
    assert_eq!(answer.code, 2, "{answer:?}");
}
