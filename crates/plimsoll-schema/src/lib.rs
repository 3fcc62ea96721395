//! Which kinds Kubernetes has, version by version: names, scope, and which API versions a server serves by default.
//! Data only: `data/kinds.tsv` and `data/removed.tsv` are written by `cargo xtask generate schema`, `data/ecosystem.tsv` is
//! kept by hand.
//!
//! What `kinds.tsv` says is served was compared with the discovery of real servers v1.36.4 and v1.37.1 without any
//! `--runtime-config`: the same 68 and 72 kinds with the same names, scopes and verbs, and none besides.
//! Before those, no kind of a stable version hangs on a feature gate (1.28 to 1.35, `pkg/registry/*/rest/storage_*.go`).

mod delivering;
mod helm;
mod kinds;
mod known;
mod kubectl;
mod names;
mod served;
mod tables;
mod version;

pub use delivering::delivering_spec;
pub use helm::helm_rank;
pub use kinds::{Scope, Verbs, is_builtin_group, is_builtin_kind, resource, scope, verbs};
pub use kubectl::{Argument, kubectl_arguments};
pub use names::{kind_of_resource, kinds_of_resource};
pub use served::{Served, api_versions, is_later, served};
pub use version::{NotAVersion, Version, newest, versions};
