//! kustomize: a folder with a kustomization becomes the objects that `kustomize build` prints, in that order, and every
//! node of them points to the file, line and column where a person wrote it.
//!
//! Read from `sigs.k8s.io/kustomize/api` v0.21.1 and `sigs.k8s.io/kustomize/kyaml` v0.21.1, which kustomize v5.8.1 and
//! kubectl v1.36.4 are built with. [`build`] is the door; files are reached only through [`Files`]. `accumulate` goes
//! through folders as the program does, `generate` and `transform` hold one of its plugins a file, `merge` is its
//! strategic merge, `tree` its idea of a document.

mod accumulate;
mod build;
mod config;
mod field_spec;
mod fields;
mod files;
mod generate;
mod identity;
mod inflation;
mod inline;
mod kustomization;
mod labels;
mod load;
mod merge;
mod plugins;
mod printed;
mod references;
mod refusal;
mod resource;
mod schema;
mod schema_in_use;
mod select;
mod sorting;
mod transform;
mod tree;
mod variables;

pub use build::{Built, Settings, build};
pub use files::{Files, KUSTOMIZATION_NAMES, Opened, Standing, normal};
pub use inflation::{ChartParts, Inflation, ValueLayer};
pub use refusal::Refusal;
pub use sorting::Sorting;
