//! `.Chart`: a struct in Helm 3, a map in Helm 4.

use super::structure::Structure;
use crate::chart::{Dependency, Metadata};
use crate::render::HelmVersion;
use crate::template::value::{Element, Item, Kind, List, Map, MapKind, Value};
use crate::values::ChartNode;
use std::rc::Rc;

/// `.Chart` of a chart.
pub(crate) fn value(chart: &ChartNode<'_>, is_root: bool, helm: HelmVersion) -> Value {
    let fields = fields(&chart.chart.metadata, &chart.name, &chart.dependencies, is_root, helm);
    match helm {
        HelmVersion::Three => Value::Object(Rc::new(Structure {
            type_name: "struct { chart.Metadata; IsRoot bool }",
            kind: Kind::Struct,
            fields,
            methods: &[],
            text: None,
        })),
        HelmVersion::Four => map(fields),
    }
}

fn map(fields: Vec<(&'static str, Value)>) -> Value {
    Map::of_any(fields.into_iter().map(|(name, value)| (name.into(), value.into())).collect()).into()
}

fn fields(
    metadata: &Metadata,
    name: &str,
    dependencies: &[Dependency],
    is_root: bool,
    helm: HelmVersion,
) -> Vec<(&'static str, Value)> {
    let element = if helm == HelmVersion::Three { Element::Text } else { Element::Any };
    let texts = |texts: &[String]| {
        Value::from(List::new(element, texts.iter().map(|text| Item::from(text.as_str())).collect()))
    };
    let annotations =
        metadata.annotations.iter().map(|(key, text)| (Rc::from(&**key), Item::from(text.as_str())));
    let maintainers = metadata.maintainers.iter().map(|[name, email, url]| {
        let text = |text: &String| Value::from(text.as_str());
        structure(
            "*chart.Maintainer",
            vec![("Name", text(name)), ("Email", text(email)), ("URL", text(url))],
            helm,
        )
    });
    let text = |text: &str| Value::from(text);
    vec![
        ("Name", text(name)),
        ("Home", text(&metadata.home)),
        ("Sources", texts(&metadata.sources)),
        ("Version", text(&metadata.version)),
        ("Description", text(&metadata.description)),
        ("Keywords", texts(&metadata.keywords)),
        ("Maintainers", List::of_any(maintainers.collect()).into()),
        ("Icon", text(&metadata.icon)),
        ("APIVersion", text(&metadata.api_version)),
        ("Condition", text(&metadata.condition)),
        ("Tags", text(&metadata.tags)),
        ("AppVersion", text(&metadata.app_version)),
        ("Deprecated", Value::Bool(metadata.is_deprecated)),
        ("Annotations", Map::new(MapKind::Texts, annotations.collect()).into()),
        ("KubeVersion", text(&metadata.kube_version)),
        ("Dependencies", List::of_any(dependencies.iter().map(|one| dependency(one, helm)).collect()).into()),
        ("Type", text(&metadata.kind)),
        ("IsRoot", Value::Bool(is_root)),
    ]
}

fn structure(type_name: &'static str, fields: Vec<(&'static str, Value)>, helm: HelmVersion) -> Item {
    if helm == HelmVersion::Four {
        return map(fields).into();
    }
    let structure = Structure { type_name, kind: Kind::Pointer, fields, methods: &[], text: None };
    Value::Object(Rc::new(structure)).into()
}

fn dependency(dependency: &Dependency, helm: HelmVersion) -> Item {
    let text = |text: &str| Value::from(text);
    let tags = dependency.tags.iter().map(|tag| Item::from(tag.as_str()));
    let fields = vec![
        ("Name", text(&dependency.name)),
        ("Version", text(&dependency.version)),
        ("Repository", text(&dependency.repository)),
        ("Condition", text(&dependency.condition)),
        ("Tags", List::of_any(tags.collect()).into()),
        ("Enabled", Value::Bool(true)),
        ("Alias", text(&dependency.alias)),
    ];
    structure("*chart.Dependency", fields, helm)
}
