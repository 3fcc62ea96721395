//! The values a template works on, with the types Go gives them.

mod kind;
mod list;
mod map;
mod object;
mod text;

pub(crate) use kind::Kind;
pub(crate) use list::{Element, List};
pub(crate) use map::{Map, MapKind, Unchanged};
pub(crate) use object::{Member, Object};
pub(crate) use text::{Text, TextBuilder};

use super::origin::ValuePlace;
use std::rc::Rc;

/// A value of a template.
#[derive(Debug, Clone)]
pub(crate) enum Value {
    /// No value at all: what a pipeline makes of nil, Go's zero `reflect.Value`.
    Invalid,
    /// A nil that a map or list holds, or a missing key: an empty `interface {}`.
    Nil,
    /// `bool`
    Bool(bool),
    /// `int`
    Int(i64),
    /// `int64`
    Int64(i64),
    /// `uint8`
    Byte(u8),
    /// `uint64`
    Uint64(u64),
    /// `float64`
    Float(f64),
    /// `string`
    Text(Text),
    /// A slice.
    List(List),
    /// A map whose keys are texts.
    Map(Map),
    /// `time.Duration` in nanoseconds.
    Duration(i64),
    /// Something with fields or methods of its own.
    Object(Rc<dyn Object>),
}

/// A value, and where the user wrote it.
#[derive(Debug, Clone)]
pub(crate) struct Item {
    pub(crate) value: Value,
    pub(crate) place: ValuePlace,
    /// Whether Go has it as an `interface {}`, as it has what comes out of a map or list; only errors tell.
    pub(crate) is_interface: bool,
}

impl Value {
    /// Go's rule for `if`, `with`, `and`, `or` and `not`.
    pub(crate) fn is_true(&self) -> bool {
        match self {
            Self::Object(object) => object.length().is_none_or(|length| length > 0),
            _ => !self.is_empty(),
        }
    }

    /// Sprig's `empty`, which is Go's rule of truth upside down.
    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Self::Invalid | Self::Nil => true,
            Self::Bool(value) => !value,
            Self::Int(value) | Self::Int64(value) | Self::Duration(value) => *value == 0,
            Self::Byte(value) => *value == 0,
            Self::Uint64(value) => *value == 0,
            Self::Float(value) => *value == 0.0,
            Self::Text(text) => text.is_empty(),
            Self::List(list) => list.items().is_empty(),
            Self::Map(map) => map.borrow().is_empty(),
            Self::Object(object) => object.length() == Some(0),
        }
    }

    /// Whether it is nil, in whichever way.
    pub(crate) fn is_nil(&self) -> bool {
        matches!(self, Self::Invalid | Self::Nil)
    }

    /// The text of a text value.
    pub(crate) fn as_text(&self) -> Option<&Text> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The map of a map value.
    pub(crate) fn as_map(&self) -> Option<&Map> {
        match self {
            Self::Map(map) => Some(map),
            _ => None,
        }
    }

    /// The items of a slice, also of an object that is one.
    pub(crate) fn as_items(&self) -> Option<Vec<Item>> {
        match self {
            Self::List(list) => Some(list.items().to_vec()),
            Self::Object(object) => object.items(),
            _ => None,
        }
    }
}

impl From<Value> for Item {
    fn from(value: Value) -> Self {
        Self { value, place: ValuePlace::NONE, is_interface: false }
    }
}

impl Item {
    pub(crate) fn new(value: Value, place: ValuePlace) -> Self {
        Self { value, place, is_interface: false }
    }

    /// The same as an element of a map or list.
    pub(crate) fn into_interface(self) -> Self {
        Self { is_interface: true, ..self }
    }

    /// The value that an interface holds, or no value for nil: what the end of a pipeline makes of it.
    pub(crate) fn settled(self) -> Self {
        let value = if matches!(self.value, Value::Nil) { Value::Invalid } else { self.value };
        Self { value, is_interface: false, ..self }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(Text::from(text))
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(Text::from(text))
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}
