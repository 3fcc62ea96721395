//! Which metrics an autoscaler asks for, and of which API.
//!
//! kubernetes v1.36.4 `pkg/controller/podautoscaler/{horizontal,replica_calculator}.go`, `metrics/client.go`; the texts
//! were seen on a real controller.

use crate::view::View;
use plimsoll_model::{Object, ObjectId, Place};

/// One metric of an autoscaler.
#[derive(Debug)]
pub(crate) struct Metric<'a> {
    pub(crate) name: &'a str,
    pub(crate) place: Place,
    source: Source,
}

#[derive(Debug, Clone, Copy)]
enum Source {
    /// CPU or memory; whether as a share of the request or as an amount.
    Resource {
        is_share: bool,
    },
    Custom,
    External {
        has_selector: bool,
    },
}

/// The metrics of an autoscaler; without any it asks for the share of CPU.
pub(crate) fn asked(scaler: &Object) -> Vec<Metric<'_>> {
    let listed: Vec<_> = scaler.root.list_at(&["spec", "metrics"]).iter().filter_map(metric).collect();
    if !scaler.root.list_at(&["spec", "metrics"]).is_empty() {
        return listed;
    }
    let place = scaler.place_of(&["spec"]);
    vec![Metric { name: "cpu", place, source: Source::Resource { is_share: true } }]
}

fn metric(node: &plimsoll_model::Node) -> Option<Metric<'_>> {
    let of = |field: &str, path: &[&str]| node.get(field)?.at(path);
    let (name, source) = match node.text_at(&["type"])? {
        kind @ ("Resource" | "ContainerResource") => {
            let field = if kind == "Resource" { "resource" } else { "containerResource" };
            let is_share = of(field, &["target", "averageUtilization"]).is_some();
            (of(field, &["name"])?, Source::Resource { is_share })
        }
        "Pods" => (of("pods", &["metric", "name"])?, Source::Custom),
        "Object" => (of("object", &["metric", "name"])?, Source::Custom),
        "External" => {
            let has_selector = of("external", &["metric", "selector"]).is_some();
            (of("external", &["metric", "name"])?, Source::External { has_selector })
        }
        _ => return None,
    };
    Some(Metric { name: name.text()?, place: name.place, source })
}

impl Metric<'_> {
    /// The APIs that can answer: those that the input brings, or else the usual one.
    pub(crate) fn apis(&self, view: &View<'_>) -> Vec<ObjectId> {
        let names: &[&str] = match self.source {
            Source::Resource { .. } => &["v1beta1.metrics.k8s.io"],
            Source::Custom => &["v1beta1.custom.metrics.k8s.io", "v1beta2.custom.metrics.k8s.io"],
            Source::External { .. } => &["v1beta1.external.metrics.k8s.io"],
        };
        let ids: Vec<ObjectId> = names
            .iter()
            .map(|name| ObjectId::new("apiregistration.k8s.io", "APIService", None, name))
            .collect();
        let own: Vec<ObjectId> = ids.iter().filter(|id| view.delivers(id)).cloned().collect();
        if own.is_empty() { ids.into_iter().take(1).collect() } else { own }
    }

    /// The event on the autoscaler while the API does not answer, or is not even known.
    pub(crate) fn answer(&self, scaler: &Object, is_known: bool) -> String {
        let name = self.name;
        let trouble = if is_known {
            "the server is currently unable to handle the request"
        } else {
            "the server could not find the requested resource"
        };
        let cause = |resource: &str| format!("{trouble} (get {resource})");
        match self.source {
            Source::Resource { is_share } => format!(
                "failed to get {name} {}: unable to get metrics for resource {name}: unable to fetch metrics from \
                 resource metrics API: {}",
                if is_share { "utilization" } else { "usage" },
                cause("pods.metrics.k8s.io")
            ),
            Source::Custom => format!(
                "unable to get metric {name}: unable to fetch metrics from custom metrics API: {}",
                if is_known {
                    "no known available metric versions found"
                } else {
                    "no custom metrics API (custom.metrics.k8s.io) registered"
                }
            ),
            Source::External { has_selector } => format!(
                "unable to get external metric {}/{name}/{}: unable to fetch metrics from external metrics API: {}",
                scaler.id.namespace().unwrap_or_default(),
                if has_selector { "{…}" } else { "nil" },
                cause(&format!("{name}.external.metrics.k8s.io"))
            ),
        }
    }
}
