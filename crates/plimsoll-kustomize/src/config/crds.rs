//! What the OpenAPI definitions that `crds` names say of fields (`internal/accumulator/loadconfigfromcrds.go`).

use super::{BackReference, Config};
use crate::field_spec::{FieldSpec, merge};
use crate::identity::Gvk;
use plimsoll_model::Node;

/// The fields of the types in a file of definitions.
pub(crate) fn config_of_crds(root: &Node) -> Result<Config, &'static str> {
    let mut config = Config::default();
    for (name, definition) in root.entries() {
        let is_object =
            ["kind", "apiVersion", "metadata"].iter().all(|field| property(definition, field).is_some());
        if is_object {
            let kind = name.text.rsplit('.').next().unwrap_or_default();
            let gvk = Gvk { kind: kind.into(), ..Gvk::default() };
            let mut walk = Walk { root, gvk, config: &mut config, path: Vec::new() };
            walk.definition(&name.text)?;
        }
    }
    Ok(config)
}

fn property<'n>(definition: &'n Node, name: &str) -> Option<&'n Node> {
    properties(definition)?.get(name)
}

fn properties(definition: &Node) -> Option<&Node> {
    let schema = definition.entries().iter().find(|(key, _)| key.text.eq_ignore_ascii_case("schema"));
    schema?.1.get("properties")
}

struct Walk<'n, 'c> {
    root: &'n Node,
    gvk: Gvk,
    config: &'c mut Config,
    path: Vec<&'n str>,
}

/// Deeper definitions than this refer to themselves.
const MAX_DEPTH: usize = 50;

impl Walk<'_, '_> {
    fn definition(&mut self, name: &str) -> Result<(), &'static str> {
        let Some(found) = self.root.get(name).and_then(properties) else { return Ok(()) };
        if self.path.len() > MAX_DEPTH {
            return Err("the definitions of `crds` refer to themselves");
        }
        for (key, property) in found.entries() {
            self.path.push(&key.text);
            self.property(property)?;
            self.path.pop();
        }
        Ok(())
    }

    fn property(&mut self, property: &Node) -> Result<(), &'static str> {
        let spec = self.spec(None);
        for (sign, section) in [
            ("x-kubernetes-annotation", "commonAnnotations"),
            ("x-kubernetes-label-selector", "commonLabels"),
            ("x-kubernetes-identity", "namePrefix"),
        ] {
            if let (Some(_), Some(specs)) = (property.get(sign), self.config.section(section)) {
                merge(specs, std::slice::from_ref(&spec))?;
            }
        }
        let text = |name: &str| property.get(name).and_then(Node::text);
        if let (Some(version), Some(kind)) =
            (text("x-kubernetes-object-ref-api-version"), text("x-kubernetes-object-ref-kind"))
        {
            let key = text("x-kubernetes-object-ref-name-key").unwrap_or("name");
            let target = Gvk { group: "".into(), version: version.into(), kind: kind.into() };
            let referrers = vec![self.spec(Some(key))];
            self.config.add_reference(&BackReference { target, referrers })?;
        }
        match text("$ref") {
            Some(reference) => self.definition(reference),
            None => Ok(()),
        }
    }

    fn spec(&self, more: Option<&str>) -> FieldSpec {
        let parts: Vec<&str> = self.path.iter().copied().chain(more).collect();
        FieldSpec { gvk: self.gvk.clone(), path: parts.join("/").into(), creates: false }
    }
}
