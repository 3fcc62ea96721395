//! Text as Kubernetes reads it: YAML 1.1 in the manner of `sigs.k8s.io/yaml`, and JSON streams.
//!
//! [`parse`] reads a file of manifests as kubectl does, [`pieces`] and [`parse_piece`] do it in two steps, and [`value`]
//! reads a text that is not a manifest, such as the values of a chart. [`listen`] tells what stands in a piece, scalar by
//! scalar as it was written, to whoever reads YAML by other rules.
//!
//! `split` cuts a file into pieces as kubectl does, `events`, `plain` and `json` tell what stands in one piece, `build`
//! makes a tree of it, `conceal` and `hide` take secret values out of sight. Nothing here knows an object or a folder.

mod anchor;
mod build;
mod conceal;
mod contain;
mod document;
mod events;
mod feed;
mod hide;
mod json;
mod limits;
mod marks;
mod merge;
mod number;
mod plain;
mod resolve;
mod scalar;
mod split;
mod timestamp;
mod value;

pub use conceal::conceal;
pub use document::{Document, Fault, Parsed, parse, parse_piece, problem_of};
pub use events::{Event, Listener, Span, Tail, listen};
pub use limits::{MAX_DEPTH, MAX_DOCUMENT_BYTES, MAX_FILE_BYTES};
pub use number::{number, settle};
pub use resolve::{base64_text, is_text};
pub use scalar::Scalar;
pub use split::{Form, Piece, pieces, yaml_pieces};
pub use value::{piece_value, value};
