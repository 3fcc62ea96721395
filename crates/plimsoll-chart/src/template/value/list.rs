//! Slices. No function changes one in place, so they are shared.

use super::{Item, Value};
use std::rc::Rc;

/// A slice and the type of its elements.
#[derive(Debug, Clone)]
pub(crate) struct List {
    element: Element,
    items: Rc<[Item]>,
}

/// The type of the elements of a slice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Element {
    Any,
    Text,
    Int,
    /// `[]interface {}`
    List,
}

impl Element {
    pub(crate) fn slice_name(self) -> &'static str {
        match self {
            Self::Any => "[]interface {}",
            Self::Text => "[]string",
            Self::Int => "[]int",
            Self::List => "[][]interface {}",
        }
    }
}

impl List {
    pub(crate) fn new(element: Element, items: Vec<Item>) -> Self {
        Self { element, items: items.into() }
    }

    /// A `[]interface {}`.
    pub(crate) fn of_any(items: Vec<Item>) -> Self {
        Self::new(Element::Any, items)
    }

    /// A `[]string`.
    pub(crate) fn of_texts<T: Into<Value>>(texts: impl IntoIterator<Item = T>) -> Self {
        Self::new(Element::Text, texts.into_iter().map(|text| Item::from(text.into())).collect())
    }

    pub(crate) fn element(&self) -> Element {
        self.element
    }

    pub(crate) fn items(&self) -> &[Item] {
        &self.items
    }
}

impl From<List> for Value {
    fn from(list: List) -> Self {
        Self::List(list)
    }
}
