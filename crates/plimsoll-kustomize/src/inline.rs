//! A text that stands inside a kustomization, such as a patch: its nodes point to the lines of the file.

use crate::tree::{Form, Node};
use plimsoll_model::Place;

/// Where the lines of an inline text begin in its file.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Origin {
    /// It is a block; its first line stands here, every line this far to the right.
    Block(Place, u32),
    /// It is folded or quoted; it stands here as a whole.
    Whole(Place),
}

impl Origin {
    /// Where an inline text stands, found in the text of its file.
    pub(crate) fn of(file: &str, place: Place) -> Self {
        let mut lines = file.lines().skip(place.line.saturating_sub(1) as usize);
        let sign = lines.next().and_then(|line| line.chars().nth(place.column.saturating_sub(1) as usize));
        if sign != Some('|') {
            return Self::Whole(place);
        }
        let content = lines.find(|line| !line.trim().is_empty()).unwrap_or_default();
        let indent = content.len() - content.trim_start_matches(' ').len();
        let first = Place { line: place.line + 1, column: 1, ..place };
        Self::Block(first, u32::try_from(indent).unwrap_or(0))
    }

    /// Where reading begins.
    pub(crate) fn start(self) -> Place {
        match self {
            Self::Block(place, _) => place,
            Self::Whole(place) => Place { column: 1, ..place },
        }
    }

    /// Lets a node that was read point into the file.
    pub(crate) fn settle(self, node: &mut Node) {
        self.settle_place(&mut node.place);
        match &mut node.form {
            Form::Scalar(_) => {}
            Form::List(items) => items.iter_mut().for_each(|item| self.settle(item)),
            Form::Map(entries) => {
                for (key, node) in entries {
                    self.settle_place(&mut key.place);
                    self.settle(node);
                }
            }
        }
    }

    /// Lets a place point into the file.
    pub(crate) fn settle_place(self, place: &mut Place) {
        match self {
            Self::Block(_, indent) => place.column = place.column.saturating_add(indent),
            Self::Whole(whole) => *place = whole,
        }
    }
}
