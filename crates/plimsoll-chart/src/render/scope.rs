//! What the templates of each chart see: the map behind the first dot.

use super::request::Request;
use crate::chart::ChartFile;
use crate::objects::capabilities::Offer;
use crate::objects::files::Files;
use crate::objects::{capabilities, metadata};
use crate::template::value::{Item, Map, MapKind, Value};
use crate::values::ChartNode;
use std::rc::Rc;
use std::sync::Arc;

/// A template file and what it is given.
pub(super) struct Renderable<'c> {
    /// Helm's name for it, as `web/charts/db/templates/pod.yaml`.
    pub(super) name: String,
    /// The path below the outermost chart.
    pub(super) path: Arc<str>,
    pub(super) file: &'c ChartFile,
    pub(super) scope: Map,
    /// The folder of its templates, by Helm's name.
    pub(super) base_path: String,
}

/// The templates of a chart and all charts inside.
pub(super) fn renderables<'c>(
    root: &ChartNode<'c>,
    values: &Map,
    request: &Request,
    offer: &Rc<Offer>,
) -> Vec<Renderable<'c>> {
    let shared = [
        ("Release", release(request)),
        ("Capabilities", capabilities::value(&request.capabilities, request.helm, offer)),
    ];
    let mut gatherer = Gatherer { request, shared, found: Vec::new() };
    gatherer.gather(root, values, "", true);
    gatherer.found
}

fn release(request: &Request) -> Value {
    let release = &request.release;
    Map::of_values([
        ("Name", Value::from(&*release.name)),
        ("Namespace", Value::from(&*release.namespace)),
        ("IsUpgrade", Value::Bool(release.is_upgrade)),
        ("IsInstall", Value::Bool(!release.is_upgrade)),
        ("Revision", Value::Int(i64::from(release.revision))),
        ("Service", Value::from("Helm")),
    ])
    .into()
}

struct Gatherer<'r, 'c> {
    request: &'r Request,
    shared: [(&'static str, Value); 2],
    found: Vec<Renderable<'c>>,
}

impl<'c> Gatherer<'_, 'c> {
    /// Adds the templates of a chart and gives what they see.
    fn gather(&mut self, chart: &ChartNode<'c>, values: &Map, outer: &str, is_root: bool) -> Map {
        let name =
            if outer.is_empty() { chart.name.to_string() } else { format!("{outer}/charts/{}", chart.name) };
        let subcharts = Map::of_values([]);
        let scope = Map::of_values([
            ("Chart", metadata::value(chart, is_root, self.request.helm)),
            ("Files", Value::Object(Rc::new(Files::new(&chart.chart.files)))),
            ("Values", values.clone().into()),
            ("Subcharts", subcharts.clone().into()),
        ]);
        for (key, value) in &self.shared {
            scope.set((*key).into(), value.clone().into());
        }
        for inner in &chart.charts {
            let own = values.get(&inner.name).map(|item| item.value);
            let own = match own {
                Some(Value::Map(map)) => map,
                _ => Map::of_values([]),
            };
            let own = own.with_kind(self.values_kind());
            let inner_scope = self.gather(inner, &own, &name, false);
            subcharts.set(Rc::clone(&inner.name), Item::from(Value::Map(inner_scope)));
        }
        self.templates(chart, &scope, &name);
        scope
    }

    fn values_kind(&self) -> MapKind {
        match self.request.helm {
            super::HelmVersion::Three => MapKind::Values3,
            super::HelmVersion::Four => MapKind::Values4,
        }
    }

    fn templates(&mut self, chart: &ChartNode<'c>, scope: &Map, name: &str) {
        for file in &chart.chart.templates {
            let is_partial = crate::functions::base(&file.path).starts_with('_');
            if chart.chart.is_library() && !is_partial {
                continue;
            }
            let path = if chart.chart.path.is_empty() {
                Arc::clone(&file.path)
            } else {
                format!("{}/{}", chart.chart.path, file.path).into()
            };
            self.found.push(Renderable {
                name: format!("{name}/{}", file.path),
                path,
                file,
                scope: scope.clone(),
                base_path: format!("{name}/templates"),
            });
        }
    }
}
