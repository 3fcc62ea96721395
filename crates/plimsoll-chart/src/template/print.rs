//! Nodes as Go writes them in its errors.

use super::quote::quoted;
use super::tree::{Branch, Command, Expression, ExpressionKind, Node, Pipe, Source};
use std::fmt::{self, Display};
use std::sync::Arc;

impl Node {
    /// The node as its errors show it.
    pub(crate) fn written(&self, source: &Source) -> String {
        match self {
            Self::Text { offset, length } => source.text(*offset, *length).to_owned(),
            Self::Action { pipe, .. } => format!("{{{{{pipe}}}}}"),
            Self::If(branch) => branch.written("if", source),
            Self::With(branch) => branch.written("with", source),
            Self::Range(branch) => branch.written("range", source),
            Self::Template { name, pipe: None, .. } => format!("{{{{template {}}}}}", quoted(name)),
            Self::Template { name, pipe: Some(pipe), .. } => {
                format!("{{{{template {} {pipe}}}}}", quoted(name))
            }
            Self::Break => "{{break}}".to_owned(),
            Self::Continue => "{{continue}}".to_owned(),
        }
    }
}

impl Branch {
    fn written(&self, word: &str, source: &Source) -> String {
        let list = |nodes: &[Node]| nodes.iter().map(|node| node.written(source)).collect::<String>();
        let otherwise = self.otherwise.as_deref().map(|nodes| format!("{{{{else}}}}{}", list(nodes)));
        let otherwise = otherwise.unwrap_or_default();
        format!("{{{{{word} {}}}}}{}{otherwise}{{{{end}}}}", self.pipe, list(&self.body))
    }
}

impl Display for Pipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.variables.is_empty() {
            f.write_str(&self.variables.join(", "))?;
            f.write_str(if self.is_assignment { " = " } else { " := " })?;
        }
        for (index, command) in self.commands.iter().enumerate() {
            if index > 0 {
                f.write_str(" | ")?;
            }
            command.fmt(f)?;
        }
        Ok(())
    }
}

impl Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_operand(f, &self.first)?;
        for argument in &self.arguments {
            f.write_str(" ")?;
            write_operand(f, argument)?;
        }
        Ok(())
    }
}

fn write_operand(f: &mut fmt::Formatter<'_>, operand: &Expression) -> fmt::Result {
    match &operand.kind {
        ExpressionKind::Pipe(pipe) => write!(f, "({pipe})"),
        _ => operand.fmt(f),
    }
}

impl Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ExpressionKind::Function(function) => f.write_str(function.name),
            ExpressionKind::Variable(name, fields) => {
                f.write_str(name)?;
                write_fields(f, fields)
            }
            ExpressionKind::Dot => f.write_str("."),
            ExpressionKind::Nil => f.write_str("nil"),
            ExpressionKind::Field(fields) => write_fields(f, fields),
            ExpressionKind::Chain(first, fields) => {
                write_operand(f, first)?;
                write_fields(f, fields)
            }
            ExpressionKind::Bool(value) => value.fmt(f),
            ExpressionKind::Number(number) => f.write_str(&number.text),
            ExpressionKind::Text { quoted, .. } => f.write_str(quoted),
            ExpressionKind::Pipe(pipe) => pipe.fmt(f),
        }
    }
}

fn write_fields(f: &mut fmt::Formatter<'_>, fields: &[Arc<str>]) -> fmt::Result {
    fields.iter().try_for_each(|field| write!(f, ".{field}"))
}
