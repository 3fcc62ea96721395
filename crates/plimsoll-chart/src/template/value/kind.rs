//! The names of types and kinds, as Go's `%T` and `reflect.Kind` print them.

use super::Value;

/// What a type is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Invalid,
    Bool,
    Int,
    Int64,
    Uint8,
    Uint64,
    Float64,
    String,
    Slice,
    Map,
    Struct,
    Pointer,
}

impl Kind {
    /// The name in Go.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Invalid => "invalid",
            Self::Bool => "bool",
            Self::Int => "int",
            Self::Int64 => "int64",
            Self::Uint8 => "uint8",
            Self::Uint64 => "uint64",
            Self::Float64 => "float64",
            Self::String => "string",
            Self::Slice => "slice",
            Self::Map => "map",
            Self::Struct => "struct",
            Self::Pointer => "ptr",
        }
    }
}

impl Value {
    /// What the type of the value is made of.
    pub(crate) fn kind(&self) -> Kind {
        match self {
            Self::Invalid | Self::Nil => Kind::Invalid,
            Self::Bool(_) => Kind::Bool,
            Self::Int(_) => Kind::Int,
            Self::Int64(_) | Self::Duration(_) => Kind::Int64,
            Self::Byte(_) => Kind::Uint8,
            Self::Uint64(_) => Kind::Uint64,
            Self::Float(_) => Kind::Float64,
            Self::Text(_) => Kind::String,
            Self::List(_) => Kind::Slice,
            Self::Map(_) => Kind::Map,
            Self::Object(object) => object.kind(),
        }
    }

    /// The name of the type in Go.
    pub(crate) fn type_name(&self) -> &'static str {
        match self {
            Self::Invalid | Self::Nil => "<nil>",
            Self::Bool(_) => "bool",
            Self::Int(_) => "int",
            Self::Int64(_) => "int64",
            Self::Byte(_) => "uint8",
            Self::Uint64(_) => "uint64",
            Self::Float(_) => "float64",
            Self::Text(_) => "string",
            Self::List(list) => list.element().slice_name(),
            Self::Map(map) => map.kind().name(),
            Self::Duration(_) => "time.Duration",
            Self::Object(object) => object.type_name(),
        }
    }
}
