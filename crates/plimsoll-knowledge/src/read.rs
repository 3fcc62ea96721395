//! Shared readers: what two rules need to see in an object is read once, here.

pub(crate) mod admission;
pub(crate) mod amounts;
pub(crate) mod answer;
pub(crate) mod api_service;
pub(crate) mod backend;
pub(crate) mod bounds;
pub(crate) mod crd;
pub(crate) mod host;
pub(crate) mod init_guard;
pub(crate) mod injected_ca;
pub(crate) mod intercepted;
pub(crate) mod keys;
pub(crate) mod metrics;
pub(crate) mod mutation;
pub(crate) mod permission;
pub(crate) mod pods;
pub(crate) mod policy;
pub(crate) mod quantity;
pub(crate) mod quota;
pub(crate) mod resource;
pub(crate) mod retry;
pub(crate) mod scope;
pub(crate) mod selector;
pub(crate) mod service_port;
pub(crate) mod usage;
pub(crate) mod webhook;
