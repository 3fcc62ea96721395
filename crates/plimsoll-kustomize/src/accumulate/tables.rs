//! The fields of every change that hold at one point of a build. Nearly always they are kustomize's own.

use crate::config::{Config, defaults};

/// The fields of every change.
#[derive(Debug, Default)]
pub(crate) enum Tables {
    /// None yet.
    #[default]
    Empty,
    /// kustomize's own.
    Defaults,
    /// With more.
    Extended(Box<Config>),
}

static NONE: Config = Config {
    name_prefix: Vec::new(),
    name_suffix: Vec::new(),
    namespace: Vec::new(),
    common_labels: Vec::new(),
    labels: Vec::new(),
    template_labels: Vec::new(),
    common_annotations: Vec::new(),
    name_reference: Vec::new(),
    var_reference: Vec::new(),
    images: Vec::new(),
    replicas: Vec::new(),
};

impl Tables {
    /// kustomize's own.
    pub(super) fn defaults() -> Self {
        Self::Defaults
    }

    pub(crate) fn config(&self) -> &Config {
        match self {
            Self::Empty => &NONE,
            Self::Defaults => defaults(),
            Self::Extended(config) => config,
        }
    }

    /// Adds what others say.
    pub(super) fn merge(&mut self, other: &Tables) -> Result<(), &'static str> {
        match (&mut *self, other) {
            (_, Self::Empty) | (Self::Defaults, Self::Defaults) => Ok(()),
            (Self::Empty, Self::Defaults) => {
                *self = Self::Defaults;
                Ok(())
            }
            (_, other) => self.merge_config(other.config()),
        }
    }

    /// Adds what a configuration says.
    pub(super) fn merge_config(&mut self, other: &Config) -> Result<(), &'static str> {
        let mut config = self.config().clone();
        config.merge(other)?;
        *self = Self::Extended(Box::new(config));
        Ok(())
    }
}
