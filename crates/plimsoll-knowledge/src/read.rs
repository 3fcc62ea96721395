//! Shared readers: what two rules need to see in an object is read once, here.

pub(crate) mod crd;
pub(crate) mod init_guard;
pub(crate) mod keys;
pub(crate) mod mutation;
pub(crate) mod pods;
pub(crate) mod scope;
pub(crate) mod selector;
