//! Changing nodes as `FieldSetter` and `FieldClearer` of `kyaml` v0.21.1 do (`yaml/fns.go`).

use super::{Form, Key, Node, Scalar, Tag, is_other_in_yaml_1_1, tag_of_plain};
use crate::refusal::Refusal;
use plimsoll_model::Place;

impl Node {
    /// Takes a field away.
    pub(crate) fn clear(&mut self, key: &str) {
        if let Form::Map(entries) = &mut self.form {
            entries.retain(|(found, _)| &*found.text != key);
        }
    }

    /// Sets a field of a map; a scalar keeps the quotes of the one it replaces.
    pub(crate) fn set(&mut self, key: &str, value: Node) {
        if let Some(field) = self.get_mut(key) {
            field.assign(value);
        } else {
            self.append(key, value);
        }
    }

    /// Adds a field that is not there; text that kubectl would read as something else gets quotes.
    pub(crate) fn append(&mut self, key: &str, mut value: Node) {
        value.quote();
        let place = value.place;
        if let Form::Map(entries) = &mut self.form {
            // The key is written without quotes, whatever it looks like.
            let is_text = tag_of_plain(key) == Tag::Text;
            entries.push((Key { is_text, ..Key::new(key, place) }, value));
        }
    }

    /// Text that kubectl would read as something else gets quotes.
    pub(crate) fn quote(&mut self) {
        if let Form::Scalar(scalar) = &mut self.form {
            let is_text = matches!(scalar.tag, Tag::Text | Tag::None);
            if is_text && scalar.is_plain && is_other_in_yaml_1_1(&scalar.text) {
                scalar.is_plain = false;
            }
        }
    }

    /// Becomes another value in its place: what is one node with this one changes too.
    pub(crate) fn assign(&mut self, value: Node) {
        let quotes = match &self.form {
            Form::Scalar(scalar) => Some(scalar.is_plain),
            _ => None,
        };
        self.form = value.form;
        self.place = value.place;
        if let (Form::Scalar(scalar), Some(is_plain)) = (&mut self.form, quotes) {
            scalar.is_plain = is_plain;
        }
    }

    /// Sets the text of a scalar.
    pub(crate) fn set_scalar(&mut self, text: &str, tag: Tag, place: Place) -> Result<(), Refusal> {
        if !self.is_scalar() {
            let cause = "kustomize can only put text here, and this is a list or a map";
            return Err(Refusal::new(self.place, cause));
        }
        self.assign(Node::scalar(text, tag, place));
        Ok(())
    }

    /// The map under a key, made where there is none.
    pub(crate) fn map_at(&mut self, key: &str, place: Place) -> Option<&mut Node> {
        if self.get(key).is_none_or(Node::is_null) {
            self.clear(key);
            self.append(key, Node::map(place));
        }
        self.get_mut(key).filter(|node| matches!(node.form, Form::Map(_)))
    }

    /// Null becomes an empty value of this form.
    pub(crate) fn fill(&mut self, form: Form) {
        if self.is_null() {
            self.form = form;
        }
    }

    /// A copy that changes with nothing else.
    pub(crate) fn alone(&self) -> Node {
        let mut copy = self.clone();
        copy.part();
        copy
    }

    fn part(&mut self) {
        self.twin = 0;
        match &mut self.form {
            Form::Scalar(_) => {}
            Form::List(items) => items.iter_mut().for_each(Node::part),
            Form::Map(entries) => entries.iter_mut().for_each(|(_, node)| node.part()),
        }
    }
}

impl Scalar {
    /// An empty text of which a kind is said.
    pub(crate) fn empty(tag: Tag) -> Self {
        Self { text: "".into(), tag, is_plain: true }
    }
}
