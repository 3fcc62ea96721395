//! The second opinion on control flow: bash itself runs scripts with a kubectl that only records and fails on demand,
//! and every order it shows must obey what the reader promised.

use super::bundle_at;
use plimsoll_model::{Action, Bundle, Outcome};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// A kubectl that writes down when it begins and ends, and fails when its number of calls is in `FAIL`.
/// Names of objects and files are unique in each script, so the last word tells which step it is.
const STUB: &str = r#"#!/usr/bin/env bash
for word in "$@"; do case "$word" in step-*) name=$word ;; esac; done
name=${name%.yaml}; name=${name##*/}
echo "begin $name" >> "$RECORD"
for wanted in $FAIL; do
  if [ "$wanted" = "$name" ]; then
    # A loop may poll: what fails does so twice, then it works.
    echo x >> "$RECORD.$name"
    if [ -z "$ONCE" ] || [ "$(wc -l < "$RECORD.$name")" -le 2 ]; then
      echo "failed $name" >> "$RECORD"; exit 1
    fi
  fi
done
echo "succeeded $name" >> "$RECORD"
[ -n "$PRINTS" ] && echo "$PRINTS"
exit 0
"#;

/// Scripts over the ways in which a shell goes on or stops. `A 1` is an apply, `W 1` a wait, each with its number.
const SCRIPTS: [&str; 76] = [
    "set -e\nif ! W 1; then A 2; W 3; fi\nA 4\n",
    "set -e\nif ! W 1; then A 2; W 3 || true; fi\nA 4\n",
    "if ! W 1; then A 2; W 3; fi\nA 4\n",
    "set -e\nif W 1; then A 2; W 3; else A 5; W 6; fi\nA 4\n",
    "set -e\nif W 1; then A 2; if W 5; then W 3; fi; fi\nA 4\n",
    "set -e\nif W 1; then A 2; if W 5; then A 6; W 3; fi; W 7; fi\nA 4\n",
    "set -e\nW 1 || { A 2; W 3; }\nA 4\n",
    "set -e\nW 1 && A 2 && W 3\nA 4\n",
    "set -e\nf() { A 2; W 3; }\nW 1 || f\nA 4\n",
    "set -e\nf() { A 2 || return 0; W 3; }\nW 1 || f\nA 4\n",
    "set -e\nif W 1; then (A 2; W 3); fi\nA 4\n",
    "set -e\nif W 1; then A 2; fi\nif W 5; then W 3; fi\nA 4\n",
    "set -e\nif W 1; then A 2 & wait; W 3; fi\nA 4\n",
    "set -e\nif W 1; then A 2; W 3 & fi\nA 4\n",
    "set -e\nfor i in 1 2; do if W $i; then A 1$i; W 3$i; fi; done\nA 4\n",
    "for i in 1 2; do W $i || continue; A 1$i; W 3$i || break; done\nA 4\n",
    "set -e\ncase x in x) A 1; W 2 ;; *) A 3 ;; esac\nA 4\n",
    "set -e\nif W 1; then A 2; A 5 || true; W 3; fi\nA 4\nW 6\nA 7\n",
    "set -e\nA 1\nW 2\nA 3\n",
    "A 1\nW 2\nA 3\n",
    "set -e\nA 1\nW 2 || true\nA 3\n",
    "A 1\nW 2 || exit 1\nA 3\n",
    "set -e\nA 1 && A 2\nA 3\n",
    "set -e\nA 1 && A 2 && A 3\nA 4\n",
    "set -e\nA 1 || A 2\nA 3\n",
    "set -e\nA 1 || A 2 && A 3\nA 4\n",
    "set -e\nA 1 && A 2 || A 3\nA 4\n",
    "set -e\n! A 1\nA 2\n",
    "set -e\nif W 1; then A 2; fi\nA 3\n",
    "set -e\nif W 1; then A 2; else A 3; fi\nA 4\n",
    "set -e\nif ! W 1; then A 2; exit 1; fi\nA 3\n",
    "set -e\nif W 1; then A 2; elif W 3; then A 4; else A 5; fi\nA 6\n",
    "if W 1 && W 2; then A 3; else exit 3; fi\nA 4\n",
    "set -e\n{ A 1; A 2; }\nA 3\n",
    "set -e\n{ A 1 && A 2; }\nA 3\n",
    "set -e\n(A 1 && A 2)\nA 3\n",
    "set -e\n(A 1; A 2)\nA 3\n",
    "set -e\n(A 1; A 2) || true\nA 3\n",
    "(set -e; A 1; A 2)\nA 3\n",
    "set -e\n(set +e; A 1; A 2)\nA 3\n",
    "set -e\nf() { A 1; A 2; }\nf\nA 3\n",
    "set -e\nf() { A 1; A 2; }\nf || true\nA 3\n",
    "set -e\nf() { A 1 && A 2; }\nf\nA 3\n",
    "set -e\nf() { A 1 || return 1; A 2; }\nif f; then A 3; fi\nA 4\n",
    "f() { A 1 || return 1; A 2; }\nf || exit 1\nA 3\n",
    "set -e\nf() { set +e; A 1; A 2; }\nf\nA 3\nA 4\n",
    "set -e\nfor i in 1 2 3; do A $i; done\nA 4\n",
    "for i in 1 2 3; do A $i || break; done\nA 4\n",
    "for i in 1 2 3; do A $i || continue; W 1$i; done\nA 4\n",
    "set -e\nfor i in 1 2; do W $i && A 1$i; done\nA 4\n",
    "set -e\ncase x in x) A 1 ;; *) A 2 ;; esac\nA 3\n",
    "set -e\ncase x in y) A 1 ;; esac\nA 3\n",
    "set -e\nA 1 | cat\nA 2\n",
    "set -eo pipefail\nA 1 | cat\nA 2\n",
    "set -e\necho x | A 1\nA 2\n",
    "set -eo pipefail\nA 1 | A 2\nA 3\n",
    "set -e\nA 1 | A 2\nA 3\n",
    "set -e\nA 1 &\nA 2\nwait\nA 3\n",
    "set -e\nA 1 &\nA 2 &\nwait\nA 3\n",
    "set -e\nA 1 &\nwait $!\nA 3\n",
    "set -e\nA 1 & P=$!\nA 2 & Q=$!\nwait $P\nwait $Q\nA 3\n",
    "set -e\n(A 1; A 2) &\nwait %1\nA 3\n",
    "set -e\nfor i in 1 2; do A $i & P+=($!); done\nfor p in \"${P[@]}\"; do wait $p || exit 1; done\nA 3\n",
    "set -e\nfor i in 1 2; do A $i & P+=($!); done\nfor p in \"${P[@]}\"; do wait $p || true; done\nA 3\n",
    "A 1 &\nwait\nA 2 && wait\nA 3\n",
    "set -e\ntrap 'echo bye' EXIT\nA 1\nA 2\n",
    "f() { A 1; return 0; }\nf && A 2\nA 3\n",
    "set -e\nif (A 1; A 2); then A 3; fi\nA 4\n",
    "set -e\nX=$(A 1)\nA 2\n",
    "set -e\nexport X=$(A 1)\nA 2\n",
    "set -e\necho $(A 1; A 2)\nA 3\n",
    "set -e\nX=$(A 1; A 2)\nA 3\n",
    "A 1\nif [ $? -ne 0 ]; then exit 1; fi\nA 2\n",
    "A 1\n[ $? -eq 0 ] && A 2\nA 3\n",
    "set -e\nbash -c 'A 1; A 2'\nA 3\n",
    "set -e\nif bash -ec 'A 1; A 2'; then A 3; fi\nA 4\n",
];

/// Loops that poll: what fails does so twice and then works.
const POLLING: [&str; 8] = [
    "until W 1; do :; done\nA 2\n",
    "set -e\nwhile ! W 1; do A 3; done\nA 2\n",
    "while true; do W 1 && break; done\nA 2\n",
    "while true; do if W 1; then break; fi; A 3; done\nA 2\n",
    "until W 1 && W 2; do :; done\nA 3\n",
    "until G 1 | grep -q yes; do :; done\nA 2\n",
    "until [ \"$(G 1)\" = yes ]; do :; done\nA 2\n",
    "for i in 1 2 3; do W 1 && break; done\nA 2\n",
];

#[test]
fn bash_obeys_every_promised_order() {
    let Some(ground) = Ground::new("flow") else { return };
    let mut runs = 0;
    for script in SCRIPTS {
        runs += ground.examine(script, false);
    }
    for script in POLLING {
        runs += ground.examine(script, true);
    }
    assert!(runs > 250, "{runs} runs are too few to mean something");
}

/// A folder with the stub in it.
struct Ground {
    folder: PathBuf,
}

impl Ground {
    fn new(name: &str) -> Option<Self> {
        if Command::new("bash").arg("--version").stdout(Stdio::null()).status().is_err() {
            println!("skipped: there is no bash to compare with");
            return None;
        }
        let folder = std::env::temp_dir().join(format!("plimsoll-script-{name}-{}", std::process::id()));
        fs::create_dir_all(folder.join("bin")).unwrap();
        let stub = folder.join("bin/kubectl");
        fs::write(&stub, STUB).unwrap();
        fs::set_permissions(&stub, fs::Permissions::from_mode(0o755)).unwrap();
        Some(Self { folder })
    }

    /// Runs a script with no failure, with each single failure, each pair and all, and returns the number of runs.
    fn examine(&self, short: &str, fails_only_at_first: bool) -> usize {
        let script = written_out(short);
        let files: Vec<(String, String)> = (1..=39)
            .map(|n| {
                (
                    format!("step-{n}.yaml"),
                    format!("apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: step-{n}}}\n"),
                )
            })
            .collect();
        let borrowed: Vec<(&str, &str)> =
            files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let bundle = bundle_at("deploy.sh", &script, &borrowed);
        assert!(bundle.problems.iter().all(|problem| !problem.is_fatal), "{script}{:?}", bundle.problems);
        let names: Vec<String> = step_names(&bundle).into_keys().collect();
        let mut choices: Vec<Vec<&str>> = vec![Vec::new(), names.iter().map(String::as_str).collect()];
        choices.extend(names.iter().map(|name| vec![name.as_str()]));
        for (at, first) in names.iter().enumerate() {
            choices.extend(names.iter().skip(at + 1).map(|second| vec![first.as_str(), second.as_str()]));
        }
        for fails in &choices {
            let record = self.run(&script, &fails.join(" "), fails_only_at_first);
            obeys(&bundle, &record, &format!("{script}--- failing {fails:?}, bash did:\n{record}"));
        }
        choices.len()
    }

    fn run(&self, script: &str, fails: &str, fails_only_at_first: bool) -> String {
        let folder = self.folder.join("run");
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        let record = folder.join("record");
        fs::write(&record, "").unwrap();
        let path =
            format!("{}:{}", self.folder.join("bin").display(), std::env::var("PATH").unwrap_or_default());
        // Background jobs may outlive the script. They hold its streams open, so this returns when the last has ended.
        let output = Command::new("bash")
            .args(["-c", &format!("{script}\nwait\n")])
            .current_dir(&folder)
            .env("PATH", path)
            .env("RECORD", &record)
            .env("FAIL", fails)
            .env("ONCE", if fails_only_at_first { "yes" } else { "" })
            .env("PRINTS", "yes")
            .stdin(Stdio::null())
            .output();
        assert!(output.is_ok(), "bash did not start");
        fs::read_to_string(&record).unwrap()
    }
}

impl Drop for Ground {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// `A 1` becomes `kubectl apply -f step-1.yaml`, `W 1` a wait, `G 1` a look that prints.
fn written_out(short: &str) -> String {
    let mut script = String::new();
    let mut rest = short;
    while let Some(at) = rest.find(['A', 'W', 'G']) {
        let (before, found) = rest.split_at(at);
        script.push_str(before);
        let number: String =
            found.chars().skip(2).take_while(|c| c.is_ascii_digit() || *c == '$' || *c == 'i').collect();
        if number.is_empty() || found.as_bytes()[1] != b' ' {
            script.push_str(&found[..1]);
            rest = &found[1..];
            continue;
        }
        let command = match &found[..1] {
            "A" => format!("kubectl apply -f step-{number}.yaml"),
            "W" => format!("kubectl wait --for=condition=Ready pod/x-{number} -n step-{number} "),
            _ => format!("kubectl get pod x -n step-{number} -o jsonpath='{{.status.phase}}'"),
        };
        script.push_str(&command);
        rest = &found[2 + number.len()..];
    }
    script.push_str(rest);
    script
}

/// Which step of the bundle a recorded name is.
fn step_names(bundle: &Bundle) -> BTreeMap<String, usize> {
    let mut names = BTreeMap::new();
    for (number, step) in bundle.steps.iter().enumerate() {
        let name = match &step.action {
            Action::Deliver(unit) => unit.objects[0].id.name().to_owned(),
            Action::Wait(gate) => match &gate.targets[0] {
                plimsoll_model::Target::Named { namespace, .. } => namespace.clone().unwrap(),
                other => panic!("{other:?}"),
            },
            Action::Sleep(_) => continue,
            other => panic!("{other:?}"),
        };
        assert!(names.insert(name, number).is_none(), "two steps of one name");
    }
    names
}

fn obeys(bundle: &Bundle, record: &str, story: &str) {
    let names = step_names(bundle);
    // The latest end of each step so far, and whether it was a success.
    let mut ends: BTreeMap<usize, bool> = BTreeMap::new();
    let mut begun: BTreeMap<usize, usize> = BTreeMap::new();
    for line in record.lines() {
        let (what, name) = line.split_once(' ').unwrap();
        let number =
            *names.get(name).unwrap_or_else(|| panic!("bash ran {name}, which was not read\n{story}"));
        if what != "begin" {
            ends.insert(number, what == "succeeded");
            continue;
        }
        let first_time = begun.insert(number, 1).is_none();
        for edge in bundle.steps[number].after.iter().filter(|_| first_time) {
            let earlier = edge.step.0 as usize;
            let ended = ends.get(&earlier);
            let skipped = edge.unless_skipped.is_some_and(|step| !begun.contains_key(&(step.0 as usize)));
            let holds = match edge.outcome {
                Outcome::Succeeded => ended == Some(&true),
                Outcome::Ended => ended.is_some(),
                Outcome::Begun => begun.contains_key(&earlier),
            };
            assert!(
                holds || skipped,
                "step {} began before step {} was {:?}\n{story}",
                number + 1,
                earlier + 1,
                edge.outcome
            );
        }
    }
}
