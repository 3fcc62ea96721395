//! Definitions that operators make while they run: `data/definers.toml` and `data/packages.tsv` know of which objects.

mod installer;
mod package;

use installer::Installer;
use plimsoll_model::{Object, ObjectId};
use serde::Deserialize;
use std::sync::LazyLock;

/// The rows of `data/definers.toml`.
static TABLE: LazyLock<Table> =
    LazyLock::new(|| toml::from_str(include_str!("../data/definers.toml")).unwrap_or_default());

/// Reads the table.
pub(crate) fn prepare() {
    LazyLock::force(&TABLE);
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    definer: Vec<Definer>,
    installer: Vec<Installer>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Definer {
    #[cfg_attr(not(test), expect(dead_code, reason = "what people call the row"))]
    id: String,
    of: String,
    group: String,
    kind: String,
    #[serde(default)]
    plural: String,
    #[cfg_attr(not(test), expect(dead_code, reason = "a row without a source does not parse"))]
    source: String,
}

/// A kind that an object defines in the end.
#[derive(Debug)]
pub(crate) struct Defined<'a> {
    pub(crate) group: &'a str,
    pub(crate) kind: &'a str,
    /// The definition that is made.
    pub(crate) crd: ObjectId,
}

/// The kinds that an operator defines for an object.
pub(crate) fn defined(object: &Object) -> impl Iterator<Item = Defined<'_>> {
    TABLE.definer.iter().filter_map(|definer| definer.defined(object))
}

/// What is installed for one object.
#[derive(Debug)]
pub(crate) struct Installed {
    /// Groups, `*.a` for every group below a, or `GROUP/KIND|KIND`.
    defines: Vec<String>,
    /// Resources a wait for which is a wait for the definitions too.
    awaited: &'static [&'static str],
}

/// What is installed for an object, if something is: it knows which kinds that defines.
pub(crate) fn installed(object: &Object) -> impl Iterator<Item = Installed> {
    let rows = TABLE.installer.iter().filter_map(|installer| installer.installed(object));
    rows.chain(package::installed(object))
}

impl Installed {
    /// Whether it defines a kind.
    pub(crate) fn defines(&self, group: &str, kind: &str) -> bool {
        self.defines.iter().any(|known| match (known.strip_prefix('*'), known.split_once('/')) {
            (Some(end), _) => group.ends_with(end),
            (None, Some((of, kinds))) => group == of && kinds.split('|').any(|one| one == kind),
            (None, None) => known == group,
        })
    }

    /// Whether a wait for this resource, as written, is a wait for what is installed.
    pub(crate) fn is_awaited(&self, resource: &str) -> bool {
        let resource = resource.split('.').next().unwrap_or(resource).trim_end_matches('s');
        self.awaited.contains(&resource)
    }
}

impl Definer {
    fn defined<'a>(&'a self, object: &'a Object) -> Option<Defined<'a>> {
        let (group, kind) = self.of.split_once('/')?;
        if !object.id.is(group, kind) {
            return None;
        }
        let text = |path: &str| object.text_at(&path.split('.').collect::<Vec<_>>());
        let group = self.group.strip_prefix('@').map_or(Some(self.group.as_str()), text)?;
        let kind = text(&self.kind)?;
        let plural = text(&self.plural).map_or_else(|| kind.to_ascii_lowercase(), str::to_owned);
        let name = format!("{plural}.{group}");
        let crd = ObjectId::new("apiextensions.k8s.io", "CustomResourceDefinition", None, &name);
        Some(Defined { group, kind, crd })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_data_file_is_understood() {
        let table: Table = toml::from_str(include_str!("../data/definers.toml")).expect("definers.toml");
        for row in table.definer {
            assert!(row.of.contains('/') && row.source.len() > 10, "{}", row.id);
        }
        for row in table.installer {
            assert!(row.is_whole(), "{row:?}");
        }
    }
}
