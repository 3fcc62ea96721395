//! Nodes as Go writes them in its errors.

use super::quote::quoted;
use super::tree::{Branch, Command, Expression, ExpressionKind, Node, Pipe};
use std::fmt::{self, Display};
use std::rc::Rc;

impl Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text { text, .. } => f.write_str(text),
            Self::Action { pipe, .. } => write!(f, "{{{{{pipe}}}}}"),
            Self::If(branch) => write_branch(f, "if", branch),
            Self::With(branch) => write_branch(f, "with", branch),
            Self::Range(branch) => write_branch(f, "range", branch),
            Self::Template { name, pipe: None, .. } => write!(f, "{{{{template {}}}}}", quoted(name)),
            Self::Template { name, pipe: Some(pipe), .. } => {
                write!(f, "{{{{template {} {pipe}}}}}", quoted(name))
            }
            Self::Break => f.write_str("{{break}}"),
            Self::Continue => f.write_str("{{continue}}"),
        }
    }
}

fn write_branch(f: &mut fmt::Formatter<'_>, word: &str, branch: &Branch) -> fmt::Result {
    write!(f, "{{{{{word} {}}}}}", branch.pipe)?;
    for node in &branch.body {
        node.fmt(f)?;
    }
    if let Some(otherwise) = &branch.otherwise {
        f.write_str("{{else}}")?;
        for node in otherwise {
            node.fmt(f)?;
        }
    }
    f.write_str("{{end}}")
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

fn write_fields(f: &mut fmt::Formatter<'_>, fields: &[Rc<str>]) -> fmt::Result {
    fields.iter().try_for_each(|field| write!(f, ".{field}"))
}
