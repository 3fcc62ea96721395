//! Functions of a template: their names, the types they take, and what they are given.

use super::failure::Failure;
use super::machine::Machine;
use super::origin::Origin;
use super::value::{Item, Map, Text, Value};
use std::collections::HashMap;
use std::fmt;

/// What a function answers.
pub(crate) type Outcome = Result<Item, Failure>;

/// A function.
pub(crate) struct Function {
    pub(crate) name: &'static str,
    pub(crate) parameters: &'static [Parameter],
    /// The type of any number of further arguments.
    pub(crate) rest: Option<Parameter>,
    pub(crate) body: fn(&mut Call<'_>) -> Outcome,
}

/// The type of an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Parameter {
    /// `interface {}`
    Any,
    /// A value as the evaluation has it, where nil and no value differ.
    Raw,
    Text,
    Bool,
    Int,
    Uint32,
    Float,
    /// `map[string]interface {}`
    Map,
    /// `[]interface {}`
    List,
    Time,
    Certificate,
}

impl Parameter {
    /// The name of the type in Go.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Any => "interface {}",
            Self::Raw => "reflect.Value",
            Self::Text => "string",
            Self::Bool => "bool",
            Self::Int => "int",
            Self::Uint32 => "uint32",
            Self::Float => "float64",
            Self::Map => "map[string]interface {}",
            Self::List => "[]interface {}",
            Self::Time => "time.Time",
            Self::Certificate => "sprig.certificate",
        }
    }

    /// Whether nil is one of them.
    pub(crate) fn takes_nil(self) -> bool {
        matches!(self, Self::Any | Self::Raw | Self::Map | Self::List)
    }

    /// Whether a value is of the type.
    pub(crate) fn takes(self, value: &Value) -> bool {
        match (self, value) {
            (Self::Any | Self::Raw, _)
            | (Self::Text, Value::Text(_))
            | (Self::Bool, Value::Bool(_))
            | (Self::Int, Value::Int(_))
            | (Self::Float, Value::Float(_)) => true,
            (Self::Map, Value::Map(map)) => map.kind() != super::value::MapKind::Texts,
            (Self::List, Value::List(list)) => list.element() == super::value::Element::Any,
            (Self::Time | Self::Certificate, Value::Object(object)) => object.type_name() == self.name(),
            _ => false,
        }
    }
}

impl Function {
    pub(crate) const fn new(
        name: &'static str,
        parameters: &'static [Parameter],
        body: fn(&mut Call<'_>) -> Outcome,
    ) -> Self {
        Self { name, parameters, rest: None, body }
    }

    /// A function that takes further arguments.
    pub(crate) const fn open(
        name: &'static str,
        parameters: &'static [Parameter],
        rest: Parameter,
        body: fn(&mut Call<'_>) -> Outcome,
    ) -> Self {
        Self { name, parameters, rest: Some(rest), body }
    }
}

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// The functions that a text may name.
#[derive(Debug, Default)]
pub(crate) struct Library(HashMap<&'static str, &'static Function>);

impl Library {
    /// Functions in groups; one of a later group replaces one of an earlier.
    pub(crate) fn new(groups: &[&'static [Function]]) -> Self {
        let functions = groups.iter().copied().flatten();
        Self(functions.map(|function| (function.name, function)).collect())
    }

    pub(crate) fn get(&self, name: &str) -> Option<&'static Function> {
        self.0.get(name).copied()
    }
}

/// What a function is given. The types of the arguments were checked.
pub(crate) struct Call<'m> {
    pub(crate) machine: &'m mut Machine,
    pub(crate) arguments: &'m [Item],
    /// The object, where a method is called.
    pub(crate) receiver: Option<&'m Value>,
    /// Where the call stands.
    pub(crate) origin: Origin,
}

impl Call<'_> {
    pub(crate) fn item(&self, index: usize) -> Item {
        self.arguments.get(index).cloned().unwrap_or_else(|| Value::Nil.into())
    }

    pub(crate) fn value(&self, index: usize) -> &Value {
        self.arguments.get(index).map_or(&Value::Nil, |item| &item.value)
    }

    pub(crate) fn str(&self, index: usize) -> &str {
        self.value(index).as_text().map_or("", |text| text)
    }

    pub(crate) fn text(&self, index: usize) -> Text {
        self.value(index).as_text().cloned().unwrap_or_else(|| Text::from(""))
    }

    pub(crate) fn int(&self, index: usize) -> i64 {
        match self.value(index) {
            Value::Int(value) | Value::Int64(value) => *value,
            _ => 0,
        }
    }

    pub(crate) fn bool(&self, index: usize) -> bool {
        matches!(self.value(index), Value::Bool(true))
    }

    /// The map, or `None` for a nil one.
    pub(crate) fn map(&self, index: usize) -> Option<&Map> {
        self.value(index).as_map()
    }

    /// The arguments from an index on.
    pub(crate) fn from(&self, index: usize) -> &[Item] {
        self.arguments.get(index..).unwrap_or_default()
    }
}

impl<T: Into<Value>> From<T> for Item
where
    T: NotAValue,
{
    fn from(value: T) -> Self {
        Self::from(value.into())
    }
}

/// What becomes an item by way of a value.
pub(crate) trait NotAValue {}

impl NotAValue for &str {}
impl NotAValue for String {}
impl NotAValue for bool {}
impl NotAValue for Text {}
impl NotAValue for Map {}
impl NotAValue for super::value::List {}
