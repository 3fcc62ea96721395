//! A file of `configurations`.

use super::{BackReference, Config};
use crate::field_spec::FieldSpec;
use crate::fields::Fields;
use crate::identity::Gvk;
use crate::refusal::Refusal;
use crate::sorting;
use plimsoll_model::Node;

/// What a file of `configurations` says; kustomize refuses fields that it does not know.
pub(crate) fn parse_config(root: &Node) -> Result<Config, Refusal> {
    let mut config = Config::default();
    for (key, value) in Fields::of(root)?.entries() {
        let items = Fields::list(value)?;
        if &*key.text == "nameReference" {
            for item in items {
                let reference = back_reference(item)?;
                config.name_reference.push(reference);
            }
            continue;
        }
        let specs = items.iter().map(strict_field_spec).collect::<Result<Vec<_>, _>>()?;
        let section = config.section(&key.text).ok_or_else(|| {
            Refusal::new(key.place, format!("kustomize has no configuration `{}`", key.text))
        })?;
        *section = specs;
    }
    config.name_reference.sort_by(|one, other| sorting::compare_kinds(&one.target, &other.target));
    Ok(config)
}

fn back_reference(node: &Node) -> Result<BackReference, Refusal> {
    let fields = Fields::of(node)?;
    fields.only(&["group", "version", "kind", "fieldSpecs"])?;
    let referrers = fields.items("fieldSpecs")?.iter().map(strict_field_spec).collect::<Result<_, _>>()?;
    Ok(BackReference { target: gvk(&fields)?, referrers })
}

/// One field spec of a file of `configurations`.
fn strict_field_spec(node: &Node) -> Result<FieldSpec, Refusal> {
    Fields::of(node)?.only(&["group", "version", "kind", "path", "create"])?;
    field_spec(node)
}

/// One field spec as it is written; plugins pass over fields that they do not know.
pub(crate) fn field_spec(node: &Node) -> Result<FieldSpec, Refusal> {
    let fields = Fields::of(node)?;
    Ok(FieldSpec { gvk: gvk(&fields)?, path: fields.text("path")?.into(), creates: fields.truth("create")? })
}

fn gvk(fields: &Fields<'_>) -> Result<Gvk, Refusal> {
    let text = |name| Ok(fields.text(name)?.into());
    Ok(Gvk { group: text("group")?, version: text("version")?, kind: text("kind")? })
}
