//! A baseline: what was there is not told again, what is new fails, what is gone can be taken out.

use crate::folder::{Folder, TOO_LATE};

#[test]
fn a_baseline_lets_only_new_findings_fail_and_ratchets() {
    let folder = Folder::of(&[("k8s/a.yaml", TOO_LATE)]);
    let kept = || std::fs::read_to_string(folder.path().join("known.json")).expect("a baseline");
    let check = |more: &[&str]| folder.run(&[&["check", "k8s", "--baseline", "known.json"], more].concat());

    let absent = check(&[]);
    assert_eq!(absent.code, 2, "{absent:?}");
    assert!(absent.err.contains("`--write-baseline` writes one"), "{}", absent.err);

    let written = check(&["--write-baseline"]);
    assert_eq!(written.code, 0, "{}", written.out);
    assert!(written.out.contains("set aside: 1 finding in the baseline"), "{}", written.out);
    assert!(
        kept().contains("plimsoll.baseline/v1") && kept().contains("ConfigMap/shop/settings"),
        "{}",
        kept()
    );

    folder.write("k8s/a.yaml", &format!("# moved\n{TOO_LATE}"));
    assert_eq!(check(&[]).code, 0);
    folder.write("k8s/0.yaml", &TOO_LATE.replace("settings", "options"));
    let new = check(&[]);
    assert_eq!(new.code, 1, "{}", new.out);
    assert!(new.out.contains("ConfigMap/shop/options"), "{}", new.out);

    folder.write("k8s/0.yaml", "apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n");
    let gone = check(&[]);
    assert_eq!(gone.code, 0, "{}", gone.out);
    assert!(
        gone.out.contains("note: known.json: a finding of the baseline is gone (PLM-R001 "),
        "{}",
        gone.out
    );
    assert_eq!(check(&["--preset", "ci"]).code, 1);
    assert_eq!(check(&["--update-baseline"]).code, 0);
    assert!(!kept().contains("ConfigMap/shop/settings"), "{}", kept());
    assert_eq!(check(&["--preset", "ci"]).code, 0);
}

#[test]
fn a_baseline_is_named_in_the_settings_as_seen_from_there() {
    let folder = Folder::of(&[("k8s/a.yaml", TOO_LATE), (".plimsoll.yaml", "baseline: known.json\n")]);
    let below = folder.path().join("k8s");
    assert_eq!(crate::folder::run_in(&below, &["check", "a.yaml", "--write-baseline"]).code, 0);
    assert!(folder.path().join("known.json").is_file());
    assert_eq!(crate::folder::run_in(&below, &["check", "a.yaml"]).code, 0);
}

#[test]
fn an_update_adds_nothing_and_leaves_the_file_where_not_all_was_read() {
    let folder = Folder::of(&[("k8s/a.yaml", TOO_LATE), ("known.json", EMPTY)]);
    assert_eq!(folder.run(&["check", "k8s", "--baseline", "known.json", "--update-baseline"]).code, 1);
    assert_eq!(std::fs::read_to_string(folder.path().join("known.json")).expect("a baseline"), EMPTY);
    folder.write("k8s/b.yaml", "apiVersion: v1\nkind: [\n");
    for flag in ["--update-baseline", "--write-baseline"] {
        let answer = folder.run(&["check", "k8s", "--baseline", "known.json", flag]);
        assert_eq!(answer.code, 2, "{answer:?}");
        assert!(answer.err.contains("the baseline is left as it is"), "{}", answer.err);
    }
}

const EMPTY: &str = "{\n  \"schema\": \"plimsoll.baseline/v1\",\n  \"findings\": []\n}\n";

#[test]
fn a_baseline_of_another_format_is_no_answer() {
    for (text, cause) in [
        (EMPTY.replace("/v1", "/v2"), "its format is plimsoll.baseline/v2, and plimsoll.baseline/v1 is read"),
        ("{}".to_owned(), "it does not say its format"),
        ("[".to_owned(), "cannot use the baseline known.json"),
        (EMPTY.replace("[]", "[{}]"), "missing field `fingerprint`"),
    ] {
        let folder = Folder::of(&[("k8s/a.yaml", TOO_LATE), ("known.json", &text)]);
        let answer = folder.run(&["check", "k8s", "--baseline", "known.json"]);
        assert_eq!((answer.code, answer.out.as_str()), (2, ""), "{text}");
        assert!(answer.err.contains(cause), "{}", answer.err);
    }
    let answer = Folder::of(&[("a.yaml", TOO_LATE)]).run(&["check", "--write-baseline"]);
    assert_eq!(answer.code, 2, "{answer:?}");
}
