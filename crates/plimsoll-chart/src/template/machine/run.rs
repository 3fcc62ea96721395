//! One run of a template: its variables, and the node that an error would name.

use crate::template::failure::{Failure, Site};
use crate::template::origin::{FrameIndex, Origin, ValuePlace};
use crate::template::tree::{Branch, Command, Expression, Node, Pipe, Source, Template};
use crate::template::value::Item;
use std::mem;
use std::sync::Arc;

/// A template that is being walked.
pub(super) struct Run<'t> {
    template: &'t Template,
    index: FrameIndex,
    dot: Item,
    variables: Vec<(Arc<str>, Item)>,
    at: At<'t>,
}

/// The node that is being worked on.
#[derive(Clone, Copy)]
pub(super) enum At<'t> {
    Start,
    Node(&'t Node),
    Range(&'t Branch),
    Pipe(&'t Pipe),
    Command(&'t Command),
    Expression(&'t Expression),
}

impl<'t> Run<'t> {
    pub(super) fn new(template: &'t Template, index: FrameIndex, dot: Item) -> Self {
        Self { template, index, dot: dot.clone(), variables: vec![("$".into(), dot)], at: At::Start }
    }

    pub(super) fn dot(&self) -> Item {
        self.dot.clone()
    }

    /// Sets the dot and gives the one before.
    pub(super) fn set_dot(&mut self, dot: Item) -> Item {
        mem::replace(&mut self.dot, dot)
    }

    pub(super) fn at(&mut self, at: At<'t>) {
        self.at = at;
    }

    /// The number of the file that the template stands in; 0 for another text.
    pub(super) fn file(&self) -> u32 {
        self.template.source.file
    }

    /// So many bytes of the template's source.
    pub(super) fn text(&self, offset: u32, length: u32) -> &'t str {
        self.template.source.text(offset, length)
    }

    /// A place in the template.
    pub(super) fn origin(&self, offset: u32, value: ValuePlace) -> Origin {
        Origin { frame: self.index, offset, value, is_copied: false }
    }

    /// The failure at the node that is being worked on.
    pub(super) fn fail(&self, cause: impl Into<String>) -> Failure {
        self.fail_with(Failure::from(cause.into()))
    }

    pub(super) fn fail_with(&self, failure: Failure) -> Failure {
        self.fail_within(failure, "")
    }

    /// The failure as it is, or at this node if it has no place yet.
    pub(super) fn placed(&self, failure: Failure) -> Failure {
        if failure.sites().is_empty() { self.fail_with(failure) } else { failure }
    }

    pub(super) fn fail_within(&self, failure: Failure, words: &str) -> Failure {
        let site = Site {
            template: Arc::clone(&self.template.name),
            source: Arc::clone(&self.template.source),
            offset: self.at.offset(),
            context: self.at.written(&self.template.source),
        };
        failure.at(site, words)
    }

    pub(super) fn mark(&self) -> usize {
        self.variables.len()
    }

    /// Forgets the variables that were declared since a mark.
    pub(super) fn release(&mut self, mark: usize) {
        self.variables.truncate(mark);
    }

    pub(super) fn declare(&mut self, name: &Arc<str>, item: Item) {
        self.variables.push((Arc::clone(name), item));
    }

    pub(super) fn assign(&mut self, name: &str, item: Item) -> Result<(), Failure> {
        match self.variables.iter_mut().rev().find(|(known, _)| &**known == name) {
            Some((_, value)) => {
                *value = item;
                Ok(())
            }
            None => Err(self.fail(format!("undefined variable: {name}"))),
        }
    }

    /// Sets a variable by its distance from the newest, which is 1.
    pub(super) fn set_newest(&mut self, distance: usize, item: Item) {
        let index = self.variables.len().checked_sub(distance);
        if let Some((_, value)) = index.and_then(|index| self.variables.get_mut(index)) {
            *value = item;
        }
    }

    pub(super) fn variable(&self, name: &str) -> Result<Item, Failure> {
        match self.variables.iter().rev().find(|(known, _)| &**known == name) {
            Some((_, item)) => Ok(item.clone()),
            None => Err(self.fail(format!("undefined variable: {name}"))),
        }
    }
}

impl At<'_> {
    /// Where Go says the node is.
    pub(super) fn offset(&self) -> u32 {
        match self {
            Self::Start => 0,
            Self::Node(node) => match node {
                Node::Text { offset, .. } | Node::Action { offset, .. } | Node::Template { offset, .. } => {
                    *offset
                }
                Node::If(branch) | Node::With(branch) | Node::Range(branch) => branch.pipe.offset,
                Node::Break | Node::Continue => 0,
            },
            Self::Range(branch) => branch.pipe.offset,
            Self::Pipe(pipe) => pipe.offset,
            Self::Command(command) => command.offset,
            Self::Expression(expression) => expression.offset,
        }
    }

    /// The node as its errors show it.
    fn written(&self, source: &Source) -> String {
        match self {
            Self::Start => String::new(),
            Self::Node(node) => node.written(source),
            Self::Range(branch) => branch.pipe.to_string(),
            Self::Pipe(pipe) => pipe.to_string(),
            Self::Command(command) => command.to_string(),
            Self::Expression(expression) => expression.to_string(),
        }
    }
}
