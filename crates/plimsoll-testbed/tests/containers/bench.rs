//! How many pods one kubelet starts in a second on this runtime.

use super::playground::Playground;
use std::time::Instant;

/// Pods in the measurement.
const PODS: u32 = 50;

#[test]
fn fifty_sleeping_pods_are_started() {
    let Some(playground) = Playground::shared() else { return };
    let pod = |number: u32| {
        format!(
            "---\napiVersion: v1\nkind: Pod\nmetadata: {{name: sleeping-{number}, labels: {{of: fifty}}}}\n\
             spec: {{terminationGracePeriodSeconds: 1, containers: [{{name: main, image: acme/sleeping}}]}}\n"
        )
    };
    let pods: String = (0..PODS).map(pod).collect::<Vec<_>>().concat();
    let began = Instant::now();
    playground.apply(&pods);
    let output =
        playground.kubectl(&["wait", "pod", "-l", "of=fifty", "--for=condition=Ready", "--timeout=300s"], "");
    assert!(output.status.success(), "{output:?}");
    let took = began.elapsed();
    println!("{PODS} pods ready after {took:?}: {:.1} pods a second", f64::from(PODS) / took.as_secs_f64());
    playground.must(&["delete", "pod", "-l", "of=fifty"]);
}
