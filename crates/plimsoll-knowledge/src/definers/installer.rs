//! An object for which a whole operator or provider is installed.

use plimsoll_model::Object;
use serde::Deserialize;

/// A row of the table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Installer {
    #[cfg_attr(not(test), expect(dead_code, reason = "what people call the row"))]
    id: String,
    of: String,
    field: String,
    named: Vec<String>,
    groups: Vec<String>,
    #[serde(default)]
    awaited: Vec<String>,
    #[cfg_attr(not(test), expect(dead_code, reason = "a row without a source does not parse"))]
    source: String,
}

/// What is installed for one object.
#[derive(Debug)]
pub(crate) struct Installed<'a> {
    row: &'a Installer,
    /// What `{}` stands for.
    word: &'a str,
}

impl Installer {
    pub(super) fn installed<'a>(&'a self, object: &'a Object) -> Option<Installed<'a>> {
        let (group, kind) = self.of.split_once('/')?;
        if !object.id.is(group, kind) {
            return None;
        }
        let path = object.text_at(&self.field.split('.').collect::<Vec<_>>())?;
        let name = path.rsplit('/').next()?.split([':', '@']).next()?;
        let word = self.named.iter().find_map(|named| match named.strip_suffix("{}") {
            Some(beginning) => name.strip_prefix(beginning).filter(|word| !word.is_empty()),
            None => (name == named).then_some(""),
        })?;
        Some(Installed { row: self, word })
    }

    #[cfg(test)]
    pub(super) fn is_whole(&self) -> bool {
        !self.id.is_empty() && !self.named.is_empty() && !self.groups.is_empty() && self.source.len() > 20
    }
}

impl Installed<'_> {
    /// Whether it defines kinds of a group.
    pub(crate) fn defines(&self, group: &str) -> bool {
        self.row.groups.iter().any(|known| match known.strip_prefix('*') {
            Some(end) => group.ends_with(end),
            None => known.replace("{}", self.word) == group,
        })
    }

    /// Whether a wait for this resource, as written, is a wait for what is installed.
    pub(crate) fn is_awaited(&self, resource: &str) -> bool {
        let resource = resource.split('.').next().unwrap_or(resource).trim_end_matches('s');
        self.row.awaited.iter().any(|awaited| awaited == resource)
    }
}

#[cfg(test)]
mod tests {
    use crate::definers::installed;
    use crate::sample;
    use serde_json::json;

    fn defines(package: &str, group: &str) -> bool {
        let provider = sample::object(&json!({
            "apiVersion": "pkg.crossplane.io/v1", "kind": "Provider", "metadata": {"name": "aws"},
            "spec": {"package": package},
        }));
        installed(&provider).any(|installed| installed.defines(group))
    }

    #[test]
    fn a_part_of_a_provider_defines_its_own_group_and_that_of_the_family() {
        let package = "xpkg.upbound.io/upbound/provider-aws-s3:v1.2.3@sha256:0ab1";
        assert!(defines(package, "s3.aws.upbound.io") && defines(package, "aws.upbound.io"));
        assert!(!defines(package, "ec2.aws.upbound.io"));
        assert!(defines("registry.example.com/provider-aws:v1", "ec2.aws.upbound.io"));
        assert!(!defines("registry.example.com/provider-unheard-of", "aws.upbound.io"));
    }
}
