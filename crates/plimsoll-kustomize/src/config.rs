//! Which fields each change goes to: kustomize's own tables, and what `configurations` and `crds` add
//! (`sigs.k8s.io/kustomize/api` v0.21.1, `internal/plugins/builtinconfig`, `internal/konfig/builtinpluginconsts`).
//!
//! `data/fields.tsv` is written by `cargo xtask generate kustomize`.

mod crds;
mod parse;

pub(crate) use crds::config_of_crds;
pub(crate) use parse::{field_spec, parse_config};

use crate::field_spec::{FieldSpec, merge};
use crate::identity::Gvk;
use crate::sorting;
use std::sync::LazyLock;

/// The fields of every change.
#[derive(Debug, Clone, Default)]
pub(crate) struct Config {
    pub(crate) name_prefix: Vec<FieldSpec>,
    pub(crate) name_suffix: Vec<FieldSpec>,
    pub(crate) namespace: Vec<FieldSpec>,
    pub(crate) common_labels: Vec<FieldSpec>,
    pub(crate) labels: Vec<FieldSpec>,
    pub(crate) template_labels: Vec<FieldSpec>,
    pub(crate) common_annotations: Vec<FieldSpec>,
    pub(crate) name_reference: Vec<BackReference>,
    pub(crate) var_reference: Vec<FieldSpec>,
    pub(crate) images: Vec<FieldSpec>,
    pub(crate) replicas: Vec<FieldSpec>,
}

/// The fields that hold the name of an object of a kind.
#[derive(Debug, Clone, Default)]
pub(crate) struct BackReference {
    pub(crate) target: Gvk,
    pub(crate) referrers: Vec<FieldSpec>,
}

/// kustomize's own tables.
pub(crate) fn defaults() -> &'static Config {
    &DEFAULTS
}

static DEFAULTS: LazyLock<Config> = LazyLock::new(|| {
    let mut config = Config::default();
    for line in include_str!("../data/fields.tsv").lines() {
        let mut columns = line.split('\t').map(Box::<str>::from);
        let mut next = || columns.next().unwrap_or_default();
        let section = next();
        let mut gvk = || Gvk { group: next(), version: next(), kind: next() };
        let (target, gvk) = (gvk(), gvk());
        let spec = FieldSpec { gvk, path: next(), creates: &*next() == "create" };
        if &*section == "nameReference" {
            config.add_reference(&BackReference { target, referrers: vec![spec] }).unwrap_or_default();
        } else if let Some(specs) = config.section(&section) {
            specs.push(spec);
        }
    }
    config
});

impl Config {
    /// The field specs that a section of a configuration holds.
    pub(crate) fn section(&mut self, name: &str) -> Option<&mut Vec<FieldSpec>> {
        Some(match name {
            "namePrefix" => &mut self.name_prefix,
            "nameSuffix" => &mut self.name_suffix,
            "namespace" => &mut self.namespace,
            "commonLabels" => &mut self.common_labels,
            "labels" => &mut self.labels,
            "templateLabels" => &mut self.template_labels,
            "commonAnnotations" => &mut self.common_annotations,
            "varReference" => &mut self.var_reference,
            "images" => &mut self.images,
            "replicas" => &mut self.replicas,
            _ => return None,
        })
    }

    /// Adds fields that hold the name of an object.
    pub(crate) fn add_reference(&mut self, reference: &BackReference) -> Result<(), &'static str> {
        let known = self.name_reference.iter_mut().find(|own| own.target == reference.target);
        if let Some(own) = known {
            return merge(&mut own.referrers, &reference.referrers);
        }
        self.name_reference.push(reference.clone());
        Ok(())
    }

    /// Adds what another one says.
    pub(crate) fn merge(&mut self, other: &Config) -> Result<(), &'static str> {
        merge(&mut self.name_prefix, &other.name_prefix)?;
        merge(&mut self.name_suffix, &other.name_suffix)?;
        merge(&mut self.namespace, &other.namespace)?;
        merge(&mut self.common_annotations, &other.common_annotations)?;
        merge(&mut self.common_labels, &other.common_labels)?;
        merge(&mut self.labels, &other.labels)?;
        merge(&mut self.template_labels, &other.template_labels)?;
        merge(&mut self.var_reference, &other.var_reference)?;
        for reference in &other.name_reference {
            self.add_reference(reference)?;
        }
        merge(&mut self.images, &other.images)?;
        merge(&mut self.replicas, &other.replicas)?;
        // The order of references is the order in which they are mended.
        self.name_reference.sort_by(|one, other| sorting::compare_kinds(&one.target, &other.target));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_read() {
        let config = defaults();
        assert_eq!(config.name_prefix.len(), 1);
        assert!(config.namespace.iter().any(|spec| &*spec.path == "metadata/name" && spec.creates));
        let service = config.name_reference.iter().find(|own| &*own.target.kind == "Service").unwrap();
        assert!(service.referrers.iter().any(|spec| &*spec.path == "spec/serviceName"));
        assert!(Config::default().section("nothing").is_none());
    }
}
