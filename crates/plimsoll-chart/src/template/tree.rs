//! A parsed template: the nodes of Go's `text/template/parse`, each with the offset it is known by in errors. Charts have
//! a hundred thousand of them, so they are kept small.

use super::function::Function;
use super::value::Text;
use memchr::{memchr_iter, memrchr};
use std::sync::Arc;

/// One named template.
#[derive(Debug)]
pub(crate) struct Template {
    pub(crate) name: Arc<str>,
    /// The text it was written in; several templates may share one.
    pub(crate) source: Arc<Source>,
    pub(crate) body: Box<[Node]>,
}

/// A text that was parsed.
#[derive(Debug)]
pub(crate) struct Source {
    /// The name in errors.
    pub(crate) name: Arc<str>,
    pub(crate) text: Arc<str>,
    /// The number of the file that it is; 0 for another text.
    pub(crate) file: u32,
}

/// A part of a template that is walked.
#[derive(Debug)]
pub(crate) enum Node {
    /// So many bytes of the source, copied.
    Text {
        offset: u32,
        length: u32,
    },
    Action {
        offset: u32,
        pipe: Pipe,
    },
    If(Branch),
    With(Branch),
    Range(Branch),
    Template {
        offset: u32,
        name: Arc<str>,
        pipe: Option<Pipe>,
    },
    Break,
    Continue,
}

/// What `if`, `with` and `range` have in common.
#[derive(Debug)]
pub(crate) struct Branch {
    pub(crate) pipe: Pipe,
    pub(crate) body: Box<[Node]>,
    pub(crate) otherwise: Option<Box<[Node]>>,
}

/// Commands, each given the result of the one before it as its last argument.
#[derive(Debug)]
pub(crate) struct Pipe {
    pub(crate) offset: u32,
    /// `=` instead of `:=`.
    pub(crate) is_assignment: bool,
    pub(crate) variables: Box<[Arc<str>]>,
    pub(crate) commands: Box<[Command]>,
}

/// A word and its arguments.
#[derive(Debug)]
pub(crate) struct Command {
    pub(crate) offset: u32,
    pub(crate) first: Expression,
    pub(crate) arguments: Box<[Expression]>,
}

/// A word or an argument.
#[derive(Debug)]
pub(crate) struct Expression {
    pub(crate) offset: u32,
    pub(crate) kind: ExpressionKind,
}

#[derive(Debug)]
pub(crate) enum ExpressionKind {
    Function(&'static Function),
    /// `$` and its name, and fields behind it.
    Variable(Arc<str>, Box<[Arc<str>]>),
    Dot,
    Nil,
    Field(Box<[Arc<str>]>),
    Chain(Box<Expression>, Box<[Arc<str>]>),
    Bool(bool),
    Number(Box<Number>),
    Text {
        quoted: Arc<str>,
        text: Text,
    },
    Pipe(Box<Pipe>),
}

/// A number as written, and as what it can be taken.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Number {
    pub(crate) text: Arc<str>,
    pub(crate) whole: Option<i64>,
    pub(crate) unsigned: Option<u64>,
    pub(crate) float: Option<f64>,
}

impl Template {
    /// Whether it has nothing but blanks: such a template does not replace another of its name.
    pub(crate) fn is_empty(&self) -> bool {
        let is_blank = |node: &Node| match node {
            Node::Text { offset, length } => self.source.text(*offset, *length).trim().is_empty(),
            _ => false,
        };
        self.body.iter().all(is_blank)
    }
}

impl Source {
    /// So many bytes from an offset on.
    pub(crate) fn text(&self, offset: u32, length: u32) -> &str {
        let start = offset as usize;
        self.text.get(start..start + length as usize).unwrap_or_default()
    }

    /// The line of an offset, from 1.
    pub(crate) fn line(&self, offset: u32) -> u32 {
        self.position(offset).0
    }

    /// The line of an offset, from 1, and how many bytes stand before it on that line.
    pub(crate) fn position(&self, offset: u32) -> (u32, u32) {
        position(&self.text, offset)
    }
}

/// The line of an offset, from 1, and how many bytes stand before it on that line.
pub(crate) fn position(text: &str, offset: u32) -> (u32, u32) {
    let before = text.get(..offset as usize).unwrap_or_default();
    let line = memchr_iter(b'\n', before.as_bytes()).count() + 1;
    let start = memrchr(b'\n', before.as_bytes()).map_or(0, |newline| newline + 1);
    let narrow = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    (narrow(line), narrow(before.len() - start))
}
