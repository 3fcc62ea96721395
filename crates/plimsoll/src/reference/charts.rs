//! The page about the chart shelf.

use super::row;
use plimsoll_model::{FileIndex, StandIn};

const HEAD: &str = "\
# The chart shelf

What is known of charts whose files are not at hand: their definitions, webhooks, services, hooks and jobs, under which values,
by which names. A version that was not read is answered by the nearest one that was, and findings say so.

| chart | versions read | API groups it defines |
| --- | --- | --- |
";

const MANIFESTS: &str = "
## Manifests from the network

What is known of manifests that scripts and kustomizations name by their address (`kubectl apply -f https://…`,
`curl … | kubectl apply -f -`, `resources`).
Nothing is fetched. In an address VERSION stands for the version, or for a word in its place such as `latest`.

| manifest | versions read | API groups it defines | addresses |
| --- | --- | --- | --- |
";

pub(super) fn page() -> String {
    let (mut charts, mut manifests) = (HEAD.to_owned(), MANIFESTS.to_owned());
    for known in plimsoll_knowledge::shelf() {
        let listed = |key: &str| said(known, key).replace(' ', ", ");
        let (versions, groups) = (listed("plimsoll.dev/versions"), listed("plimsoll.dev/groups"));
        if known.is_manifest() {
            let addresses = listed("plimsoll.dev/repositories");
            manifests.push_str(&row(&[known.name, &versions, &groups, &addresses]));
        } else {
            charts.push_str(&row(&[known.name, &versions, &groups]));
        }
    }
    charts + &manifests
}

/// An annotation of the chart.
fn said(chart: &StandIn, key: &str) -> String {
    let (_, about) = chart.files.iter().find(|(path, _)| *path == "Chart.yaml").expect("Chart.yaml");
    let about = plimsoll_yaml::value(about, FileIndex(0)).expect("YAML");
    about.text_at(&["annotations", key]).unwrap_or_default().to_owned()
}
