//! Looking into nodes, and making them.

use super::{Form, Key, Node, Scalar, Tag};
use plimsoll_model::Place;

impl Node {
    pub(crate) fn new(form: Form, place: Place) -> Self {
        Self { form, place, twin: 0 }
    }

    pub(crate) fn scalar(text: impl Into<Box<str>>, tag: Tag, place: Place) -> Self {
        Self::new(Form::Scalar(Scalar { text: text.into(), tag, is_plain: true }), place)
    }

    /// Text that stays text.
    pub(crate) fn text(text: impl Into<Box<str>>, place: Place) -> Self {
        Self::scalar(text, Tag::Text, place)
    }

    pub(crate) fn map(place: Place) -> Self {
        Self::new(Form::Map(Vec::new()), place)
    }

    pub(crate) fn list(place: Place) -> Self {
        Self::new(Form::List(Vec::new()), place)
    }

    pub(crate) fn is_null(&self) -> bool {
        matches!(&self.form, Form::Scalar(Scalar { tag: Tag::Null, .. }))
    }

    /// Null, or a list or map with nothing in it.
    pub(crate) fn is_nothing(&self) -> bool {
        match &self.form {
            Form::Scalar(scalar) => scalar.tag == Tag::Null,
            Form::List(items) => items.is_empty(),
            Form::Map(entries) => entries.is_empty(),
        }
    }

    pub(crate) fn is_scalar(&self) -> bool {
        matches!(self.form, Form::Scalar(_))
    }

    /// Whether it is text, or something of which nothing was said.
    pub(crate) fn is_text(&self) -> bool {
        matches!(&self.form, Form::Scalar(Scalar { tag: Tag::Text | Tag::None, .. }))
    }

    /// The text of a scalar as it is written; nothing for a list or map.
    pub(crate) fn written(&self) -> &str {
        match &self.form {
            Form::Scalar(scalar) => &scalar.text,
            _ => "",
        }
    }

    /// The text of a scalar that is not null.
    pub(crate) fn said(&self) -> &str {
        if self.is_null() { "" } else { self.written() }
    }

    pub(crate) fn items(&self) -> &[Node] {
        match &self.form {
            Form::List(items) => items,
            _ => &[],
        }
    }

    pub(crate) fn entries(&self) -> &[(Key, Node)] {
        match &self.form {
            Form::Map(entries) => entries,
            _ => &[],
        }
    }

    /// The value under a key, null or not.
    pub(crate) fn get(&self, key: &str) -> Option<&Node> {
        self.entries().iter().find(|(found, _)| &*found.text == key).map(|(_, node)| node)
    }

    pub(crate) fn get_mut(&mut self, key: &str) -> Option<&mut Node> {
        match &mut self.form {
            Form::Map(entries) => {
                entries.iter_mut().find(|(found, _)| &*found.text == key).map(|(_, node)| node)
            }
            _ => None,
        }
    }

    /// The value under a key that is neither null nor empty.
    pub(crate) fn filled(&self, key: &str) -> Option<&Node> {
        self.get(key).filter(|node| !node.is_nothing())
    }

    /// The text of a scalar under a key that is not null.
    pub(crate) fn said_at(&self, key: &str) -> &str {
        self.get(key).map_or("", Node::said)
    }
}

impl Key {
    pub(crate) fn new(text: impl Into<Box<str>>, place: Place) -> Self {
        Self { text: text.into(), place, is_text: true }
    }
}
