//! Settings: found by walking up, outweighed by the command line, refused with their place.

use crate::folder::{Folder, TOO_LATE, run_in};
use serde_json::Value;

fn with(config: &str) -> Folder {
    Folder::of(&[(".plimsoll.yaml", config), ("k8s/a.yaml", TOO_LATE)])
}

#[test]
fn a_file_above_is_found_and_the_command_line_outweighs_it() {
    let folder = with("fail-on: damage\n");
    let below = folder.path().join("k8s");
    assert_eq!(run_in(&below, &["check", "a.yaml"]).code, 0);
    assert_eq!(run_in(&below, &["check", "a.yaml", "--fail-on", "late"]).code, 1);
    assert_eq!(run_in(&below, &["check", "a.yaml", "--no-config"]).code, 1);
    assert_eq!(run_in(&below, &["check", "a.yaml", "--config", "../.plimsoll.yaml"]).code, 0);
    assert_eq!(run_in(&below, &["check", "a.yaml", "--config", "nowhere.yaml"]).code, 2);
}

#[test]
fn a_file_above_the_repository_says_nothing() {
    let folder = with("fail-on: damage\n");
    std::fs::create_dir(folder.path().join("k8s/.git")).expect("a folder");
    assert_eq!(run_in(&folder.path().join("k8s"), &["check", "a.yaml"]).code, 1);
}

#[test]
fn what_is_wrong_with_a_file_ends_the_run_with_its_place() {
    for (config, cause) in [
        ("fail_on: late\n", ".plimsoll.yaml:1:1: there is no setting `fail_on`; the nearest is `fail-on`"),
        ("rules: {PLM-R999: off}\n", ".plimsoll.yaml:1:9: there is no rule `PLM-R999`"),
        ("kube-version: 'banana'\n", ".plimsoll.yaml:1:1: kube-version: "),
        (
            "fail-on: never\nrules: {PLM-R001: error}\n",
            ".plimsoll.yaml:2:1: rules: PLM-R001: error fails the run",
        ),
    ] {
        for command in [&["check", "k8s"][..], &["render", "k8s"]] {
            let answer = with(config).run(command);
            assert_eq!((answer.code, answer.out.as_str()), (2, ""), "{config}");
            assert!(answer.err.contains(cause), "{}", answer.err);
        }
    }
}

#[test]
fn a_rule_weighs_what_the_file_says() {
    let off = with("rules: {PLM-R001: off}\n").run(&["check", "k8s"]);
    assert_eq!(off.code, 0, "{off:?}");
    assert!(off.out.contains("set aside: 1 finding of rules that are switched off"), "{}", off.out);
    let warning = with("rules: {PLM-R001: warning}\n").run(&["check", "k8s"]);
    assert_eq!(warning.code, 0, "{warning:?}");
    assert!(warning.out.starts_with("warning[PLM-R001/late]"), "{}", warning.out);
}

#[test]
fn a_preset_is_outweighed_by_what_is_said() {
    assert_eq!(with("preset: audit\n").run(&["check", "k8s"]).code, 0);
    assert_eq!(with("").run(&["check", "k8s", "--preset", "audit"]).code, 0);
    assert_eq!(with("preset: audit\nfail-on: late\n").run(&["check", "k8s"]).code, 1);
    assert_eq!(with("preset: audit\n").run(&["check", "k8s", "--preset", "ci"]).code, 1);
}

#[test]
fn every_setting_is_shown_with_who_said_it() {
    let folder = with("preset: strict\nnamespace: shop\nrules: {PLM-R001: off}\nexclude: ['**/tests/**']\n");
    insta::assert_snapshot!("config_show_origin", folder.run(&["config", "show", "--origin"]).out);
    let plain = folder.run(&["config", "show"]).out;
    let again = Folder::of(&[(".plimsoll.yaml", &plain)]);
    assert_eq!(again.run(&["config", "show"]).out, plain, "what is shown can be written");
}

#[test]
fn the_schema_takes_what_the_program_takes() {
    let schema: Value = serde_json::from_str(&Folder::of(&[]).run(&["config", "schema"]).out).expect("JSON");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let cases = [
        ("{}", true),
        (r#"{"preset": "ci", "fail-on": "stuck", "pedantic": true, "exclude": ["a"]}"#, true),
        (r#"{"rules": {"PLM-R001": "off"}, "kube-version": "1.34", "operations": ["install"]}"#, true),
        (r#"{"rules": {"R001": "off"}}"#, false),
        (r#"{"rules": {"PLM-R001": "loud"}}"#, false),
        (r#"{"preset": "lax"}"#, false),
        (r#"{"kube-version": 1.34}"#, false),
        (r#"{"exclude": "a"}"#, false),
        (r#"{"fial-on": "late"}"#, false),
    ];
    for (text, is_taken) in cases {
        assert_eq!(validator.is_valid(&serde_json::from_str(text).expect(text)), is_taken, "{text}");
        let code = Folder::of(&[(".plimsoll.yaml", text)]).run(&["config", "show"]).code;
        assert_eq!(code == 0, is_taken, "{text}");
    }
}
