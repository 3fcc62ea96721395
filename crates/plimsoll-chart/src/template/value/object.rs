//! Values that are neither numbers nor texts, lists or plain maps: Go's structs and named types.

use super::{Item, Kind, Value};
use crate::template::function::Function;
use std::fmt;
use std::rc::Rc;

/// Something with fields or methods of its own.
pub(crate) trait Object: fmt::Debug {
    /// The name of the type in Go.
    fn type_name(&self) -> &'static str;

    /// What the type is made of.
    fn kind(&self) -> Kind {
        Kind::Struct
    }

    /// The field or method of a name.
    fn member(&self, name: &str) -> Option<Member>;

    /// As `fmt` prints it.
    fn print(&self) -> String;

    /// As JSON sees it.
    fn plain(&self) -> Value;

    /// How many elements it has, if it is a slice or map.
    fn length(&self) -> Option<usize> {
        None
    }

    /// The elements of a slice.
    fn items(&self) -> Option<Vec<Item>> {
        None
    }

    /// The entries of a map, sorted by key.
    fn entries(&self) -> Option<Vec<(Rc<str>, Item)>> {
        None
    }

    /// For functions that take just this type.
    fn as_any(&self) -> &dyn std::any::Any;
}

/// What stands behind a dot.
pub(crate) enum Member {
    Field(Item),
    /// A function whose first argument is the object itself.
    Method(&'static Function),
}
