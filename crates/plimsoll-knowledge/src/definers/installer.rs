//! An object for which a whole operator or provider is installed.

use super::Installed;
use plimsoll_model::Object;
use serde::Deserialize;

/// A row of the table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Installer {
    #[cfg_attr(not(test), expect(dead_code, reason = "what people call the row"))]
    id: String,
    of: String,
    #[serde(default)]
    field: String,
    #[serde(default)]
    named: Vec<String>,
    groups: Vec<String>,
    #[cfg_attr(not(test), expect(dead_code, reason = "a row without a source does not parse"))]
    source: String,
}

impl Installer {
    pub(super) fn installed(&self, object: &Object) -> Option<Installed> {
        let (group, kinds) = self.of.split_once('/')?;
        if object.id.group() != group || !kinds.split('|').any(|kind| kind == object.id.kind()) {
            return None;
        }
        let word = if self.field.is_empty() { "" } else { self.word(object)? };
        let defines = self.groups.iter().map(|group| group.replace("{}", word)).collect();
        Some(Installed { defines, awaited: &[] })
    }

    /// What `{}` stands for, where the object is called as the row says.
    fn word<'a>(&self, object: &'a Object) -> Option<&'a str> {
        let path = object.text_at(&self.field.split('.').collect::<Vec<_>>())?;
        let name = path.rsplit('/').next()?.split([':', '@']).next()?;
        self.named.iter().find_map(|named| match named.strip_suffix("{}") {
            Some(beginning) => name.strip_prefix(beginning).filter(|word| !word.is_empty()),
            None => (name == named).then_some(""),
        })
    }

    #[cfg(test)]
    pub(super) fn is_whole(&self) -> bool {
        !self.id.is_empty()
            && self.field.is_empty() == self.named.is_empty()
            && !self.groups.is_empty()
            && self.source.len() > 20
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
        installed(&provider).any(|installed| installed.defines(group, "Any"))
    }

    #[test]
    fn a_part_of_a_provider_defines_its_own_group_and_that_of_the_family() {
        let package = "xpkg.upbound.io/upbound/provider-aws-s3:v1.2.3@sha256:0ab1";
        assert!(defines(package, "s3.aws.upbound.io") && defines(package, "aws.upbound.io"));
        assert!(!defines(package, "ec2.aws.upbound.io"));
        assert!(defines("registry.example.com/provider-aws:v1", "ec2.aws.upbound.io"));
        let family = "xpkg.upbound.io/upbound/provider-family-aws:v1";
        assert!(defines(family, "aws.upbound.io") && !defines(family, "s3.aws.upbound.io"));
        assert!(!defines("registry.example.com/provider-unheard-of", "aws.upbound.io"));
    }
}
