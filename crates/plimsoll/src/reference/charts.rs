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

pub(super) fn page() -> String {
    let mut text = HEAD.to_owned();
    for chart in plimsoll_knowledge::shelf() {
        let versions = said(chart, "plimsoll.dev/versions").replace(' ', ", ");
        let groups = said(chart, "plimsoll.dev/groups").replace(' ', ", ");
        text.push_str(&row(&[chart.name, &versions, &groups]));
    }
    text
}

/// An annotation of the chart.
fn said(chart: &StandIn, key: &str) -> String {
    let (_, about) = chart.files.iter().find(|(path, _)| *path == "Chart.yaml").expect("Chart.yaml");
    let about = plimsoll_yaml::value(about, FileIndex(0)).expect("YAML");
    about.text_at(&["annotations", key]).unwrap_or_default().to_owned()
}
