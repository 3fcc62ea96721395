//! Thousands of broken scripts: nothing panics, hangs, or makes a step wait for a later one.

use super::bundle_of;
use crate::dice::Dice;

const SEEDS: [&str; 6] = [
    "set -euo pipefail\ncd \"$(dirname \"$0\")\"\nNS=${NS:-shop}\nkubectl create namespace \"$NS\" --dry-run=client -o yaml | kubectl apply -f -\nkubectl apply -n $NS -f a.yaml -f k8s/\n",
    "until kubectl get certificate x -o jsonpath='{.status.conditions[?(@.type==\"Ready\")].status}' | grep -q True; do\n  echo wait; sleep 5\ndone\nkubectl apply -f a.yaml\n",
    "f() { local x=$1; kubectl apply -f \"$x\" || return 1; }\nfor i in a.yaml b.yaml; do f $i & done; wait\nif ! kubectl wait --for=condition=Ready pod -l app=x --timeout=1h30m; then exit 1; fi\n",
    "kubectl apply -f - <<EOF\napiVersion: v1\nkind: Secret\nmetadata: {name: \"${X:-s}\"}\nstringData: {a: b}\nEOF\ncase $1 in a|b) kubectl delete ns x;; *) :;; esac\n",
    "while [[ \"$(kubectl get svc x -o jsonpath='{.a}')\" != \"1\" ]]; do ((i++)); [ $i -gt 3 ] && break; done\nA=(a b); echo \"${A[@]}\" ${#A} $((1+2))\n",
    "timeout 60 bash -c 'until kubectl get x y; do sleep 1; done' || { echo no; exit 1; }\nkubectl create secret generic s --from-literal=a=b\nhelm upgrade --install x y | tee log\n",
];

#[test]
fn no_mutation_of_a_script_breaks_the_reader() {
    const SIGNS: [&str; 24] = [
        "$", "(", ")", "{", "}", "\"", "'", "`", "\\", "\n", ";", "&", "|", "<<EOF\n", ">", "<(", "$((",
        "${", "[[", "]]", " if ", " done ", "é", "-f ",
    ];
    let mut dice = Dice(0x5eed_1234_5678_9abc);
    let mut read = 0;
    for _ in 0..4000 {
        let mut text: Vec<char> = SEEDS[dice.below(SEEDS.len())].chars().collect();
        for _ in 0..=dice.below(4) {
            let at = dice.below(text.len());
            match dice.below(4) {
                0 => drop(text.drain(at..(at + 1 + dice.below(6)).min(text.len()))),
                1 => drop(text.splice(at..at, SIGNS[dice.below(SIGNS.len())].chars())),
                2 => {
                    let other: Vec<char> = SEEDS[dice.below(SEEDS.len())].chars().collect();
                    let from = dice.below(other.len());
                    drop(text.splice(
                        at..at,
                        other[from..(from + dice.below(40)).min(other.len())].iter().copied(),
                    ));
                }
                _ => text.truncate(at.max(1)),
            }
            if text.is_empty() {
                text.push('a');
            }
        }
        let script: String = text.into_iter().collect();
        let bundle = bundle_of(&script);
        for (number, step) in bundle.steps.iter().enumerate() {
            assert!(step.after.iter().all(|edge| (edge.step.0 as usize) < number), "{script}");
        }
        read += usize::from(!bundle.steps.is_empty());
    }
    assert!(read > 500, "only {read} of the mutated scripts were still scripts");
}
