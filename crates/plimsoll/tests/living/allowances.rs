//! What may stay: by annotation, by comment and by settings; with a reason, until a day, and never in silence.

use crate::folder::{Answer, Folder, TOO_LATE};

/// The finding is at line 5 of this.
fn annotated(allowance: &str) -> String {
    TOO_LATE.replace(
        "  name: settings\n",
        &format!("  name: settings\n  annotations: {{plimsoll.dev/allow: '{allowance}'}}\n"),
    )
}

fn commented(comment: &str) -> String {
    TOO_LATE.replace("  namespace: shop\n", &format!("  # plimsoll:allow {comment}\n  namespace: shop\n"))
}

fn check(files: &[(&str, &str)]) -> Answer {
    Folder::of(files).run(&["check", "--today", "2027-01-31"])
}

#[test]
fn an_annotation_a_comment_and_a_setting_let_a_finding_stay() {
    let reason = "PLM-R001 reason=\"the team makes it\"";
    let behind =
        TOO_LATE.replace("namespace: shop\n-", &format!("namespace: shop  # plimsoll:allow {reason}\n-"));
    let on_the_namespace = TOO_LATE.replace(
        "metadata: {name: shop}",
        "metadata: {name: shop, annotations: {plimsoll.dev/allow: 'PLM-R001 reason=known'}}",
    );
    let setting = "allow: [{rule: PLM-R001, object: ConfigMap/shop/*, reason: known, until: '2027-01-31'}]\n";
    let cases: [&[(&str, &str)]; 6] = [
        &[("a.yaml", &annotated(reason))],
        &[("a.yaml", &annotated(&format!("{reason} until=2027-01-31")))],
        &[("a.yaml", &commented(reason))],
        &[("a.yaml", &behind)],
        &[("a.yaml", &on_the_namespace)],
        &[("a.yaml", TOO_LATE), (".plimsoll.yaml", setting)],
    ];
    for files in cases {
        let answer = check(files);
        assert_eq!(answer.code, 0, "{files:?} {}", answer.out);
        assert!(answer.out.contains("set aside: 1 finding allowed"), "{}", answer.out);
    }
}

#[test]
fn another_rule_line_or_object_is_not_allowed() {
    let cases: [&[(&str, &str)]; 3] = [
        &[("a.yaml", &annotated("PLM-R002 reason=known"))],
        &[(
            "a.yaml",
            &TOO_LATE.replace("kind: ConfigMap", "kind: ConfigMap # plimsoll:allow PLM-R001 reason=known"),
        )],
        &[
            ("a.yaml", TOO_LATE),
            (".plimsoll.yaml", "allow: [{rule: PLM-R001, object: ConfigMap/x, reason: known}]\n"),
        ],
    ];
    for files in cases {
        let answer = check(files);
        assert_eq!(answer.code, 1, "{files:?} {}", answer.out);
        assert!(answer.out.contains("note: "), "what allows nothing is said: {}", answer.out);
    }
}

#[test]
fn what_has_ended_or_finds_nothing_is_said_and_fails_where_nothing_may_be_stale() {
    let ended = commented("PLM-R001 reason=known until=2027-01-30");
    let answer = check(&[("a.yaml", &ended)]);
    assert_eq!(answer.code, 1, "{}", answer.out);
    assert!(
        answer.out.contains("note: a.yaml:5:3: this allowed PLM-R001 until 2027-01-30, and has ended"),
        "{}",
        answer.out
    );

    let needless =
        "# plimsoll:allow PLM-R001 reason=known\napiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n";
    let answer = check(&[("a.yaml", needless)]);
    assert_eq!(answer.code, 0, "{}", answer.out);
    assert!(
        answer.out.contains("note: a.yaml:1:1: this allows PLM-R001, which finds nothing here"),
        "{}",
        answer.out
    );
    let answer = check(&[("a.yaml", needless), (".plimsoll.yaml", "preset: ci\n")]);
    assert_eq!(answer.code, 1, "{}", answer.out);
    assert!(answer.out.contains("stale: 1 of what was set aside"), "{}", answer.out);
}

#[test]
fn what_cannot_be_taken_ends_the_run_with_its_place() {
    let entry = |text: &str| format!("allow: [{text}]\n");
    for (files, cause) in [
        ([("a.yaml", annotated("PLM-R001"))].as_slice(), "error: a.yaml:5:37: a reason is missing"),
        (&[("a.yaml", commented("PLM-R999 reason=known"))], "error: a.yaml:5:3: there is no rule `PLM-R999`"),
        (&[("a.yaml", commented("PLM-R001 reason=known until=soon"))], "error: a.yaml:5:3: `soon` is no day"),
        (
            &[
                ("a.yaml", TOO_LATE.to_owned()),
                (".plimsoll.yaml", entry("{rule: PLM-R001, object: A/b, reason: ' '}")),
            ],
            "error: .plimsoll.yaml:1:9: a reason is missing",
        ),
        (
            &[("a.yaml", TOO_LATE.to_owned()), (".plimsoll.yaml", entry("{rule: PLM-R001, object: A/b}"))],
            ".plimsoll.yaml:1:9: `reason` is missing",
        ),
        (
            &[
                ("a.yaml", commented("PLM-R001 reason=known")),
                (".plimsoll.yaml", "require-expiry: true\n".to_owned()),
            ],
            "error: a.yaml:5:3: an end is missing",
        ),
        (
            &[(
                ".plimsoll.yaml",
                format!("rules: {{PLM-R001: off}}\n{}", entry("{rule: PLM-R001, object: A/b, reason: c}")),
            )],
            "PLM-R001 is allowed here and switched off",
        ),
    ] {
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
        let answer = check(&files);
        assert_eq!(answer.code, 2, "{files:?} {answer:?}");
        assert!(format!("{}{}", answer.out, answer.err).contains(cause), "{cause} in {answer:?}");
    }
}

/// The comment stands in the template or beside the value, and is read from there.
#[test]
fn a_comment_in_a_chart_is_read_from_the_source() {
    let template = |above: &str| {
        format!(
            "apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\n  annotations: {{helm.sh/hook: pre-install}}\nspec:\n  containers:\n    \
             - name: web\n      image: web\n      envFrom:\n        - secretRef:\n{above}            name: {{{{ .Values.secret }}}}\n---\n\
             apiVersion: v1\nkind: Secret\nmetadata: {{name: {{{{ .Values.secret }}}}}}\n"
        )
    };
    let chart = |template: &str, values: &str| {
        let files = [
            ("shop/Chart.yaml", "apiVersion: v2\nname: shop\nversion: 1.0.0\n"),
            ("shop/values.yaml", values),
            ("shop/templates/all.yaml", template),
        ];
        Folder::of(&files).run(&["check", "shop", "--today", "2027-01-31"])
    };
    let values = "secret: db\n";
    let found = chart(&template(""), values);
    assert_eq!(found.code, 1, "{}", found.out);
    let code = found.out.split(['[', '/']).nth(1).expect("a code").to_owned();
    let hash = format!("            # plimsoll:allow {code} reason=\"it is optional\"\n");
    let braces = format!("            {{{{- /* plimsoll:allow {code} reason=\"it is optional\" */}}}}\n");
    let beside = format!("secret: db # plimsoll:allow {code} reason=\"it is optional\"\n");
    for (template, values) in
        [(template(&hash), values), (template(&braces), values), (template(""), &beside)]
    {
        let answer = chart(&template, values);
        assert_eq!(answer.code, 0, "{template}{values}{}", answer.out);
    }
}

#[test]
fn what_may_stay_is_in_the_reports_for_programs() {
    let folder =
        Folder::of(&[("a.yaml", &commented("PLM-R001 reason=\"the team makes it\" until=2027-01-31"))]);
    let report = folder.report(&["--today", "2027-01-31"]);
    let allowed = &report["allowed"][0];
    assert_eq!((allowed["by"].as_str(), allowed["until"].as_str()), (Some("a.yaml:5:3"), Some("2027-01-31")));
    let sarif = folder.run(&["check", "-o", "sarif", "--today", "2027-01-31"]).out;
    assert_eq!(crate::sarif_schema::faults(&sarif), [] as [&str; 0]);
    let sarif: serde_json::Value = serde_json::from_str(&sarif).expect("JSON");
    let suppression = &sarif["runs"][0]["results"][0]["suppressions"][0];
    assert_eq!(suppression["kind"], "inSource");
    assert_eq!(suppression["justification"], "the team makes it");
}
