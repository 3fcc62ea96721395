//! What a chart becomes, where each byte of it comes from, and what is refused.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod memory;

use memory::MemoryFolder;
use plimsoll_chart::{
    Capabilities, Chart, HelmVersion, Limits, Origin, RenderFailure, Rendering, Request, ValueSource, render,
    with_renderer,
};
use std::time::Duration;

const CHART: (&str, &str) = ("Chart.yaml", "apiVersion: v2\nname: web\nversion: 1.2.3\n");

fn chart(files: &[(&str, &str)]) -> Chart {
    Chart::from_folder(&MemoryFolder::new(&[&[CHART], files].concat())).unwrap()
}

fn rendered(files: &[(&str, &str)]) -> Result<Rendering, RenderFailure> {
    render(&chart(files), &Request::default())
}

/// Checks what the template `templates/a.yaml` becomes with values.
fn check(template: &str, values: &str, expect: &str) {
    let rendering = rendered(&[("templates/a.yaml", template), ("values.yaml", values)]).unwrap();
    assert_eq!(rendering.files[0].text, expect, "{template}");
}

fn failure(template: &str) -> String {
    rendered(&[("templates/a.yaml", template)]).unwrap_err().to_string()
}

/// The origin of a text in the first file.
fn origin(rendering: &Rendering, text: &str) -> Origin {
    let file = &rendering.files[0];
    rendering.origin(file, file.text.find(text).unwrap()).unwrap()
}

fn sites(origin: &Origin) -> Vec<String> {
    let shown = |path: &Option<std::sync::Arc<str>>| path.as_deref().unwrap_or("-").to_owned();
    origin.sites.iter().map(|site| format!("{}:{}:{}", shown(&site.path), site.line, site.column)).collect()
}

fn value_line(origin: &Origin) -> Option<(String, u32)> {
    origin.value.as_ref().map(|(file, place)| (file.path.to_string(), place.line))
}

#[test]
fn values_have_the_types_that_go_gives_them() {
    check(
        "{{ .Values.few }} {{ .Values.big }} {{ .Values.few | int }}",
        "{few: 3, big: 1000000}",
        "3 1e+06 3",
    );
    check("{{ typeOf .Values.few }} {{ kindOf .Values.m }}", "{few: 3, m: {}}", "float64 map");
    check("{{ .Values.missing }}|{{ .Values.m.missing | default 1 }}", "m: {}", "|1");
    check(
        "{{ dig \"a\" \"b\" \"none\" .Values.AsMap }} {{ typeOf .Values.AsMap }} {{ .Values.AsMap.a.b }}",
        "a: {b: 1}",
        "1 map[string]interface {} 1",
    );
    check(
        "{{ range $k, $v := .Values }}{{ $k }}={{ $v }};{{ end }}",
        "{b: 1, a: x, c: [1, 2]}",
        "a=x;b=1;c=[1 2];",
    );
}

#[test]
fn functions_answer_as_in_helm() {
    for (template, expect) in [
        (r#"{{ "a-b" | replace "-" "." | upper | quote }}"#, r#""A.B""#),
        (r#"{{ list 1 "a" nil | toJson }}"#, r#"[1,"a",null]"#),
        (r#"{{ dict "b" 1 "a" (list "x" 2.5) | toYaml }}"#, "a:\n- x\n- 2.5\nb: 1"),
        (r#"{{ $d := dict }}{{ $_ := set $d "k" "v" }}{{ $d.k }}"#, "v"),
        (r#"{{ merge (dict "a" 1) (dict "a" 2 "b" 3) | toJson }}"#, r#"{"a":1,"b":3}"#),
        (r#"{{ mergeOverwrite (dict "a" 1) (dict "a" 2) | toJson }}"#, r#"{"a":2}"#),
        (r#"{{ dig "a" "b" "none" (dict "a" (dict)) }}"#, "none"),
        (r#"{{ "abc" | sha256sum | trunc 8 }}"#, "ba7816bf"),
        (r#"{{ regexReplaceAll "(a)(b)" "xaby" "${2}${1}" }}"#, "xbay"),
        (r#"{{ "aGk=" | b64dec }} {{ "hi" | b64enc }}"#, "hi aGk="),
        (r#"{{ semverCompare ">=1.20-0" "v1.36.0" }}"#, "true"),
        (r#"{{ splitList "," "a,b" | join "+" }} {{ (split "," "a,b")._1 }}"#, "a+b b"),
        (r"{{ until 3 }} {{ untilStep 4 0 -2 }} {{ seq 1 3 }}", "[0 1 2] [4 2] 1 2 3"),
        (r#"{{ "12" | atoi | add 1 }} {{ div 7 2 }} {{ round 2.567 1 }}"#, "13 3 2.6"),
        (r#"{{ fromJson "{\"a\":\t1}" | toJson }} {{ (fromToml "a = 1").a | typeOf }}"#, r#"{"a":1} int64"#),
        (r#"{{ fromYaml "a: [1, {b: c}]" | toJson }}"#, r#"{"a":[1,{"b":"c"}]}"#),
        (r#"{{ ternary "y" "n" true }} {{ coalesce "" nil "z" }} {{ empty list }}"#, "y z true"),
        (r#"{{ "2024-02-29" | toDate "2006-01-02" | date "Mon 02 Jan" }}"#, "Thu 29 Feb"),
        (r#"{{ toString 1.5 }} {{ kindIs "string" "a" }} {{ has 1 (list 1 2) }}"#, "1.5 true true"),
        (r#"{{ "a: b" | squote }} {{ snakecase "fooBar" }} {{ title "ab cd" }}"#, "'a: b' foo_bar Ab Cd"),
        (
            r"{{ first (list 1 2) }}{{ last (list 1 2) }}{{ rest (list 1 2) }}{{ uniq (list 1 1) }}",
            "12[2][1]",
        ),
        (r#"{{ (urlParse "http://u@h:80/p?q#f").host }} {{ base "a/b" }} {{ ext "a.b" }}"#, "h:80 b .b"),
    ] {
        check(template, "{}", expect);
    }
}

#[test]
fn every_byte_knows_its_template_line_and_its_value() {
    let rendering = rendered(&[
        ("values.yaml", "name: shop\nlimits:\n  cpu: 2\n  memory: 1Gi\nnote: 'n-{{ .Release.Name }}'\n"),
        ("templates/_parts.tpl", "{{- define \"label\" -}}\napp: {{ .Values.name }}\n{{- end -}}\n"),
        (
            "templates/a.yaml",
            "plain: text\nlabels:\n  {{- include \"label\" . | nindent 2 }}\nlimits:\n  {{- toYaml .Values.limits | nindent 2 }}\nnote: {{ tpl .Values.note . | quote }}\n",
        ),
    ])
    .unwrap();
    let text = &rendering.files[0].text;
    assert!(text.contains("  app: shop\n"), "{text}");
    assert_eq!(sites(&origin(&rendering, "text")), ["templates/a.yaml:1:8"]);
    let label = origin(&rendering, "app:");
    assert_eq!(sites(&label), ["templates/_parts.tpl:2:1", "templates/a.yaml:3:7"]);
    let shop = origin(&rendering, "shop");
    assert_eq!(sites(&shop)[0], "templates/_parts.tpl:2:9");
    assert_eq!(value_line(&shop), Some(("values.yaml".to_owned(), 1)));
    let memory = origin(&rendering, "memory: 1Gi");
    assert_eq!(sites(&memory), ["templates/a.yaml:5:7"]);
    assert_eq!(value_line(&memory), Some(("values.yaml".to_owned(), 4)));
    assert_eq!(value_line(&origin(&rendering, "\"n-release-name\"")), Some(("values.yaml".to_owned(), 5)));
}

#[test]
fn a_user_s_value_is_found_in_the_user_s_file() {
    let chart = chart(&[("values.yaml", "a: 1\nb: 2\n"), ("templates/a.yaml", "x: {{ .Values.b }}\n")]);
    let file =
        ValueSource::File { path: "prod.yaml".to_owned(), text: "# for production\nb: 9\n".to_owned() };
    let rendering = render(&chart, &Request { values: vec![file], ..Request::default() }).unwrap();
    assert_eq!(value_line(&origin(&rendering, "9")), Some(("prod.yaml".to_owned(), 2)));
}

#[test]
fn charts_inside_are_named_turned_off_and_given_their_values() {
    let files = [
        (
            "Chart.yaml",
            "apiVersion: v2\nname: web\nversion: 1.0.0\ndependencies:\n- {name: db, version: 1.x, condition: db.enabled}\n- {name: db, version: 1.x, alias: other, import-values: [shared]}\n- {name: gone, version: 1.x, tags: [extra]}\n",
        ),
        (
            "values.yaml",
            "db: {size: 2, enabled: false}\nother: {size: 3, drop: null}\ntags: {extra: false}\nglobal: {zone: north}\n",
        ),
        ("templates/a.yaml", "imported: {{ .Values.port }}\n"),
        ("charts/db/Chart.yaml", "apiVersion: v2\nname: db\nversion: 1.4.0\n"),
        ("charts/db/values.yaml", "size: 1\ndrop: me\nexports: {shared: {port: 5432}}\n"),
        (
            "charts/db/templates/b.yaml",
            "{{ .Chart.Name }}: {{ .Values.size }} {{ .Values.global.zone }} {{ hasKey .Values \"drop\" }}\n",
        ),
        ("charts/gone/Chart.yaml", "apiVersion: v2\nname: gone\nversion: 1.0.0\n"),
        ("charts/gone/templates/c.yaml", "never: here\n"),
    ];
    let chart = Chart::from_folder(&MemoryFolder::new(&files)).unwrap();
    // A null in the values of a chart takes away what a chart inside says only in Helm 3.
    for (helm, has_key) in [(HelmVersion::Three, false), (HelmVersion::Four, true)] {
        let rendering = render(&chart, &Request { helm, ..Request::default() }).unwrap();
        let found: Vec<_> =
            rendering.files.iter().map(|file| (file.name.as_str(), file.text.as_str())).collect();
        let inner = format!("other: 3 north {has_key}\n");
        assert_eq!(
            found,
            [("web/charts/other/templates/b.yaml", &*inner), ("web/templates/a.yaml", "imported: 5432\n")]
        );
    }
}

#[test]
fn what_is_asked_of_the_cluster_in_vain_is_written_down() {
    let template = "{{ if .Capabilities.APIVersions.Has \"monitoring.coreos.com/v1\" }}a{{ else }}b{{ end }}\
                    {{ .Capabilities.APIVersions.Has \"v1\" }} {{ .Capabilities.KubeVersion.Minor }}";
    let chart = chart(&[("templates/a.yaml", template)]);
    let rendering = render(&chart, &Request::default()).unwrap();
    assert_eq!(rendering.files[0].text, "btrue 36");
    assert_eq!(rendering.unanswered, ["monitoring.coreos.com/v1"]);
    let api_versions = rendering.unanswered.into_iter().chain(["v1".to_owned()]).collect();
    let capabilities = Capabilities { api_versions, ..Capabilities::default() };
    let again = render(&chart, &Request { capabilities, ..Request::default() }).unwrap();
    assert_eq!(again.files[0].text, "atrue 36");
    assert!(again.unanswered.is_empty());
}

#[test]
fn what_is_rendered_again_is_what_a_new_rendering_makes() {
    let asks = "{{ if .Capabilities.APIVersions.Has \"a.example/v1\" }}a: {{ .Values.x }}{{ end }}";
    let asks_then = "{{ if and (.Capabilities.APIVersions.Has \"a.example/v1\") (.Capabilities.APIVersions.Has \"b.example/v1\") }}b: 1{{ end }}";
    let counts = "{{ len .Capabilities.APIVersions }}";
    let lists = "{{ range .Capabilities.APIVersions }}- {{ . }}\n{{ end }}";
    let plain = "c: {{ .Values.x }}";
    let changes =
        "{{ if .Capabilities.APIVersions.Has \"a.example/v1\" }}{{ $_ := set .Values \"x\" 2 }}{{ end }}";
    let marks = "{{ $_ := set $ \"mark\" (.Capabilities.APIVersions.Has \"a.example/v1\") }}";
    let marked = "d: {{ .mark }}";
    for templates in [
        &[asks, plain] as &[&str],
        &[asks_then, plain],
        &[counts, plain],
        &[lists, plain],
        &[plain, changes],
        &[marked, marks],
    ] {
        let names: Vec<String> = (0..templates.len()).map(|at| format!("templates/{at}.yaml")).collect();
        let mut files: Vec<(&str, &str)> =
            names.iter().map(String::as_str).zip(templates.iter().copied()).collect();
        files.push(("values.yaml", "x: 1"));
        let chart = chart(&files);
        let offering = |count: usize| {
            let api_versions = ["v1", "a.example/v1", "b.example/v1"].map(str::to_owned);
            let api_versions = api_versions[..count].to_vec();
            Request {
                capabilities: Capabilities { api_versions, ..Capabilities::default() },
                ..Request::default()
            }
        };
        with_renderer(&chart, |renderer| {
            for count in [1, 2, 3, 1] {
                let again = renderer.render(&offering(count)).unwrap();
                let anew = render(&chart, &offering(count)).unwrap();
                let told = |rendering: &Rendering| -> Vec<_> {
                    let files = rendering.files.iter();
                    files.map(|file| (file.text.clone(), rendering.origin(file, 0))).collect()
                };
                assert_eq!(told(&again), told(&anew), "{templates:?} with {count}");
                assert_eq!(again.unanswered, anew.unanswered, "{templates:?} with {count}");
            }
        })
        .unwrap();
    }
}

#[test]
fn failures_have_the_words_of_helm_and_the_way_to_them() {
    let files = [
        ("templates/_t.tpl", "{{ define \"x\" }}{{ .Values.a.b }}{{ end }}"),
        ("templates/a.yaml", "a:\n  {{ include \"x\" . }}\n"),
    ];
    let failure = rendered(&files).unwrap_err();
    assert_eq!(
        failure.to_string(),
        "template: web/templates/a.yaml:2:5: executing \"web/templates/a.yaml\" at <include \"x\" .>: error calling include: \
         template: web/templates/_t.tpl:1:26: executing \"x\" at <.Values.a.b>: nil pointer evaluating interface {}.b"
    );
    let RenderFailure::Template { steps, cause, .. } = failure else { unreachable!() };
    assert_eq!(cause, "nil pointer evaluating interface {}.b");
    let lines: Vec<_> = steps.iter().map(|step| (step.site.path.as_deref(), step.site.line)).collect();
    assert_eq!(lines, [(Some("templates/a.yaml"), 2), (Some("templates/_t.tpl"), 1)]);
}

#[test]
fn what_charts_refuse_is_said_in_their_words() {
    assert_eq!(failure("{{ fail \"no way\" }}"), "execution error at (web/templates/a.yaml:1:3): no way");
    assert_eq!(
        failure("{{ required \"name it\" .Values.name }}"),
        "execution error at (web/templates/a.yaml:1:3): name it"
    );
    assert_eq!(
        failure("a\n{{ nope }}"),
        "parse error at (web/templates/a.yaml:2): function \"nope\" not defined"
    );
    assert!(failure("{{ eq .Values.a 1 \"x\" | lt 1 }}").contains("incompatible types for comparison"));
}

#[test]
fn a_chart_that_asks_for_too_much_is_stopped() {
    for (template, cause) in [
        ("{{ define \"x\" }}{{ include \"x\" . }}{{ end }}{{ include \"x\" . }}", "levels deep"),
        ("{{ define \"x\" }}{{ template \"x\" . }}{{ end }}{{ template \"x\" . }}", "levels deep"),
        ("{{ $t := \"{{ tpl .t . }}\" }}{{ tpl $t (dict \"t\" $t \"Template\" .Template) }}", "levels deep"),
        ("{{ repeat 1000000000 \"aaaaaaaaaa\" }}", "MiB"),
        ("{{ range until 1000000000 }}a{{ end }}", "MiB"),
        ("{{ range 1000000000 }}{{ end }}", "steps"),
        ("{{ range 100000 }}{{ range 100000 }}aaaaaaaaaaaaaaaaaaaaaaaaaaa{{ end }}{{ end }}", "more than"),
        ("{{ $l := list }}{{ range 1000000000 }}{{ $l = list $l }}{{ end }}", "steps"),
        ("{{ $l := list 1 }}{{ range 100 }}{{ $l = concat $l $l }}{{ end }}", "MiB"),
        ("{{ $s := \"a\" }}{{ range 100 }}{{ $s = printf \"%s%s\" $s $s }}{{ end }}", "MiB"),
        ("{{ $d := dict }}{{ $_ := set $d \"d\" $d }}{{ $d | toYaml }}{{ deepCopy $d }}", "holds itself"),
        ("{{ regexMatch \"((a?){900}(b?){900}c?){100}\" \"a\" }}", "a pattern takes more than"),
        ("{{ $l := list 1 }}{{ range 40 }}{{ $l = list $l $l }}{{ end }}{{ $l }}", "more than 2000000 parts"),
        (
            "{{ $l := list 1 }}{{ range 40 }}{{ $l = list $l $l }}{{ end }}{{ eq $l $l }}",
            "more than 2000000 parts",
        ),
    ] {
        let limits = Limits { steps: 1_000_000, ..Limits::default() };
        let chart = chart(&[("templates/a.yaml", template)]);
        let found = render(&chart, &Request { limits, ..Request::default() }).unwrap_err().to_string();
        assert!(found.contains(cause), "{template}: {}", found.chars().take(300).collect::<String>());
    }
}

#[test]
fn a_chart_that_lasts_too_long_is_stopped_at_its_line() {
    for template in [
        "a: b\n{{ range 1000000 }}{{ range 1000000 }}{{ end }}{{ end }}",
        "a: b\n{{ $s := repeat 1000000 \"a\" }}{{ range 10000000 }}{{ $x := sha256sum $s }}{{ end }}",
        "a: b\n{{ tpl \"{{ range 1000000 }}{{ $x := until 10000 }}{{ end }}\" . }}",
        // One call that takes hours and cannot be stopped.
        "a: b\n{{ regexFindAll \".*[^a-z]|a\" (repeat 1000000 \"ab\") -1 | len }}",
    ] {
        let limits = Limits { time: Duration::from_millis(200), steps: u64::MAX, ..Limits::default() };
        let chart = chart(&[("templates/a.yaml", template)]);
        let failure = render(&chart, &Request { limits, ..Request::default() }).unwrap_err();
        let RenderFailure::Template { steps, is_limit, cause, .. } = failure else {
            panic!("{template}: {failure}");
        };
        assert!(is_limit && cause.contains("longer than"), "{template}: {cause}");
        let site = &steps.first().unwrap().site;
        assert_eq!((site.path.as_deref(), site.line), (Some("templates/a.yaml"), 2), "{template}");
    }
}

#[test]
fn actions_stand_deep_in_each_other() {
    let inside = |depth: usize| format!("{}a{}", "{{ if true }}".repeat(depth), "{{ end }}".repeat(depth));
    let brackets = |depth: usize| format!("{{{{ {}1{} }}}}", "(".repeat(depth), ")".repeat(depth));
    for depth in [49, 51, 400] {
        check(&inside(depth), "", "a");
        check(&brackets(depth), "", "1");
    }
    let several: Vec<(String, String)> =
        (0..8).map(|at| (format!("templates/{at}.yaml"), inside(499))).collect();
    let files: Vec<(&str, &str)> = several.iter().map(|(path, text)| (&**path, &**text)).collect();
    assert!(rendered(&files).unwrap().files.iter().all(|file| file.text == "a"));
    assert!(failure(&inside(501)).contains("more than 500 deep in each other"));
}

#[test]
fn helm_3_and_helm_4_differ_where_they_do() {
    let chart = chart(&[
        ("values.yaml", "a: null\n"),
        ("templates/a.yaml", "{{ hasKey .Values \"a\" }} {{ kindOf .Chart }}"),
    ]);
    let text = |helm| render(&chart, &Request { helm, ..Request::default() }).unwrap().files[0].text.clone();
    assert_eq!(text(HelmVersion::Three), "true struct");
    assert_eq!(text(HelmVersion::Four), "false map");
}

#[test]
fn helm_3_takes_the_first_document_of_values_as_it_ends() {
    let template = ("templates/a.yaml", "{{ .Values | toJson }}{{ fromYaml \"k: |\\n  z\" | toJson }}");
    for (values, three, four) in [
        ("a: |\n  b", r#"{"a":"b"}"#, r#"{"a":"b\n"}"#),
        ("a: 1\n---\nb: |\n  c", r#"{"a":1}"#, r#"{"a":1,"b":"c\n"}"#),
    ] {
        let chart = chart(&[("values.yaml", values), template]);
        let file = |text| ValueSource::File { path: "v".to_owned(), text };
        for (helm, expected) in [(HelmVersion::Three, three), (HelmVersion::Four, four)] {
            let expected = format!("{expected}{}", r#"{"k":"z"}"#);
            for values in [Vec::new(), vec![file(values.to_owned())]] {
                let request = Request { helm, values, ..Request::default() };
                assert_eq!(render(&chart, &request).unwrap().files[0].text, expected);
            }
        }
    }
}

#[test]
fn files_that_need_a_template_nobody_defines_may_be_left_out() {
    let chart = chart(&[
        ("templates/a.yaml", "a: {{ include \"common.name\" . }}"),
        ("templates/b.yaml", "b: {{ .Release.Name }}"),
        ("templates/c.yaml", "c: {{ template \"common.name\" . }}"),
    ]);
    assert!(render(&chart, &Request::default()).unwrap_err().lacks_template());
    let rendering = render(&chart, &Request { leaves_out: true, ..Request::default() }).unwrap();
    assert_eq!((rendering.files.len(), rendering.left_out.len()), (1, 2));
    assert_eq!(rendering.files[0].text, "b: release-name");
}

#[test]
fn charts_that_helm_does_not_render_are_refused() {
    let refusal = |metadata: &str, helm| {
        let chart = Chart::from_folder(&MemoryFolder::new(&[("Chart.yaml", metadata)])).unwrap();
        render(&chart, &Request { helm, ..Request::default() }).err().map(|failure| failure.to_string())
    };
    let library = refusal("apiVersion: v2\nname: parts\nversion: 1.0.0\ntype: library\n", HelmVersion::Four);
    assert!(library.unwrap().contains("library chart"));
    let newer = "apiVersion: v3\nname: web\nversion: 1.0.0\n";
    assert!(refusal(newer, HelmVersion::Four).unwrap().contains("apiVersion v3"));
    assert_eq!(refusal(newer, HelmVersion::Three), None);
    let demanding = "apiVersion: v2\nname: web\nversion: 1.0.0\nkubeVersion: '>=1.99'\n";
    assert!(refusal(demanding, HelmVersion::Four).unwrap().contains("incompatible with Kubernetes v1.36.0"));
}

#[test]
fn values_are_held_against_the_schema() {
    let schema =
        "{\"type\": \"object\", \"properties\": {\"port\": {\"type\": \"integer\", \"maximum\": 65535}}}";
    let chart = chart(&[("values.schema.json", schema), ("values.yaml", "port: 80\n")]);
    assert!(render(&chart, &Request::default()).is_ok());
    let bad = || vec![ValueSource::Set("port=70000".to_owned())];
    let found = render(&chart, &Request { values: bad(), ..Request::default() }).unwrap_err().to_string();
    assert!(found.contains("chart web") && found.contains("/port"), "{found}");
    let skipping = Request { values: bad(), skips_schema: true, ..Request::default() };
    assert!(render(&chart, &skipping).is_ok());
}

#[test]
fn files_are_read_and_left_out_as_helm_does() {
    let rendering = rendered(&[
        (".helmignore", "*.bak\n/secret/\n"),
        ("conf/a.txt", "one\ntwo\n"),
        ("conf/b.bak", "never\n"),
        ("secret/c.txt", "never\n"),
        ("templates/a.yaml", "{{ .Files.Get \"conf/a.txt\" | trim }};{{ .Files.Get \"conf/b.bak\" }};{{ (.Files.Glob \"**.txt\").AsConfig }};{{ range .Files.Lines \"conf/a.txt\" }}<{{ . }}>{{ end }}"),
    ])
    .unwrap();
    assert_eq!(rendering.files[0].text, "one\ntwo;;a.txt: |\n  one\n  two;<one><two>");
}

#[test]
fn documents_are_cut_as_helm_cuts_them() {
    let rendering = rendered(&[
        ("templates/NOTES.txt", "thanks\n"),
        ("templates/a.yaml", "\n---\na: 1\n--- \nb: |\n  ---\n---\n\n---\nc: 3"),
    ])
    .unwrap();
    let found: Vec<_> = rendering.manifests().map(|manifest| (manifest.start, manifest.text)).collect();
    assert_eq!(found, [(5, "a: 1\n"), (15, "b: |\n  ---\n"), (35, "c: 3")]);
}

/// Seen with `helm template` of v3.22.0 and v4.3.1: a line of blanks belongs to the value for Helm 4 only, and not at the
/// end of a file.
#[test]
fn blanks_behind_a_document_are_dropped_by_helm_3() {
    let files = [("templates/a.yaml", "a: |\n  one\n    \n\n---\nb: |\n  two\n    \n\n")];
    for (helm, expected) in [
        (HelmVersion::Three, ["a: |\n  one\n", "b: |\n  two\n"]),
        (HelmVersion::Four, ["a: |\n  one\n    \n\n", "b: |\n  two\n"]),
    ] {
        let rendering = render(&chart(&files), &Request { helm, ..Request::default() }).unwrap();
        let found: Vec<_> = rendering.manifests().map(|manifest| manifest.text).collect();
        assert_eq!(found, expected);
    }
}
