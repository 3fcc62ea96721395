//! How much one file, one document and one alias may ask for.

/// The largest file that is read: room for a dump of a large cluster.
pub const MAX_FILE_BYTES: u64 = 256 * 1024 * 1024;

/// The largest document that is read. An API server takes requests of at most 3 MiB
/// (`k8s.io/apiserver` v0.36.4, `pkg/server/config.go`, `MaxRequestBodyBytes`), so only a long `List` comes near.
pub const MAX_DOCUMENT_BYTES: usize = 32 * 1024 * 1024;

/// The deepest nesting that is read. Kubernetes stops at 10,000 levels; the YAML scanner needs time that grows with
/// the square of the depth, and no served API nests this deep.
pub const MAX_DEPTH: usize = 500;

/// How many bytes the copies that anchors and aliases ask for may take together in one document.
pub(super) const MAX_COPIED_BYTES: u64 = 64 * 1024 * 1024;
