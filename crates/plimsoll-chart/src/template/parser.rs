//! Makes templates of a text, as `text/template/parse/parse.go` of Go 1.26 does, with its errors.

mod control;
mod pipeline;
mod term;

use super::failure::ParseFailure;
use super::function::Library;
use super::lexer::Lexer;
use super::token::{Keyword, Token, TokenKind};
use super::tree::{Node, Source, Template};
use rustc_hash::FxHashMap;
use std::fmt::Write;
use std::sync::Arc;

/// How much room the thread has that parses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Room {
    /// As much as threads have by themselves.
    Little,
    /// As much as the thread that renders has.
    Much,
}

impl Room {
    /// How deep actions and parentheses may stand in each other. Go takes any depth of actions.
    fn nesting(self) -> usize {
        match self {
            Self::Little => 50,
            Self::Much => 500,
        }
    }
}

/// The templates of a text: each `define`, and the text itself, which is the last.
pub(crate) fn parse(
    source: &Arc<Source>,
    library: &Library,
    room: Room,
) -> Result<Arc<[Arc<Template>]>, ParseFailure> {
    let mut parser = Parser {
        library,
        source,
        lexer: Lexer::new(&source.text),
        tokens: [const { None }; 3],
        waiting: 0,
        scope: Scope::default(),
        action: None,
        depth: 0,
        room,
        names: FxHashMap::default(),
        found: Vec::new(),
    };
    let body = parser.top()?;
    parser.add(Arc::clone(&source.name), body)?;
    Ok(parser.found.into_iter().map(Arc::new).collect())
}

struct Parser<'t> {
    library: &'t Library,
    source: &'t Arc<Source>,
    lexer: Lexer<'t>,
    /// The first is the newest that was read; the others were put back.
    tokens: [Option<Token<'t>>; 3],
    waiting: usize,
    scope: Scope,
    /// Where the action being read began.
    action: Option<u32>,
    depth: usize,
    room: Room,
    /// The names so far: few are written often.
    names: FxHashMap<&'t str, Arc<str>>,
    found: Vec<Template>,
}

/// What a template may name. A `define` begins with a new one.
#[derive(Debug)]
struct Scope {
    variables: Vec<Arc<str>>,
    ranges: usize,
}

impl Default for Scope {
    fn default() -> Self {
        Self { variables: vec!["$".into()], ranges: 0 }
    }
}

/// What ends a list of nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    End,
    Else,
}

/// A node, or the word that ends the list.
enum Step {
    Node(Node),
    Ending(Ending),
}

impl<'t> Parser<'t> {
    fn next(&mut self) -> Token<'t> {
        if self.waiting > 0 {
            self.waiting -= 1;
            let kept = self.tokens.get(self.waiting).copied().flatten();
            return kept.unwrap_or_else(|| self.lexer.next());
        }
        let token = self.lexer.next();
        self.keep(0, token);
        token
    }

    fn keep(&mut self, index: usize, token: Token<'t>) {
        if let Some(kept) = self.tokens.get_mut(index) {
            *kept = Some(token);
        }
    }

    fn backup(&mut self) {
        self.waiting += 1;
    }

    /// Puts the newest token back, and one before it.
    fn backup_two(&mut self, before: Token<'t>) {
        self.keep(1, before);
        self.waiting = 2;
    }

    /// Puts the newest token back, and two before it.
    fn backup_three(&mut self, first: Token<'t>, second: Token<'t>) {
        self.keep(1, second);
        self.keep(2, first);
        self.waiting = 3;
    }

    fn peek(&mut self) -> Token<'t> {
        let token = self.next();
        self.backup();
        token
    }

    fn next_word(&mut self) -> Token<'t> {
        loop {
            let token = self.next();
            if token.kind != TokenKind::Space {
                return token;
            }
        }
    }

    fn peek_word(&mut self) -> Token<'t> {
        let token = self.next_word();
        self.backup();
        token
    }

    /// A name that may have been written before.
    fn name(&mut self, name: &'t str) -> Arc<str> {
        Arc::clone(self.names.entry(name).or_insert_with(|| name.into()))
    }

    fn fail<T>(&self, cause: impl Into<String>) -> Result<T, ParseFailure> {
        let offset = self.tokens.first().and_then(Option::as_ref).map_or(0, |token| token.start);
        Err(ParseFailure::new(self.source, offset, cause.into()))
    }

    fn unexpected<T>(&self, token: &Token<'t>, context: &str) -> Result<T, ParseFailure> {
        if token.kind != TokenKind::Error {
            return self.fail(format!("unexpected {token} in {context}"));
        }
        let mut cause = self.lexer.cause.clone();
        let begun = self.action.map(|offset| self.source.line(offset));
        if let Some(line) = begun.filter(|line| *line != self.source.line(token.start)) {
            let word = if cause.ends_with(" action") { "" } else { " in action" };
            let _ = write!(cause, "{word} started at {}:{line}", self.source.name);
        }
        self.fail(cause)
    }

    fn expect(&mut self, kind: TokenKind, context: &str) -> Result<Token<'t>, ParseFailure> {
        let token = self.next_word();
        if token.kind == kind { Ok(token) } else { self.unexpected(&token, context) }
    }

    /// Goes one level deeper into the text.
    fn nested<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, ParseFailure>,
    ) -> Result<T, ParseFailure> {
        let limit = self.room.nesting();
        if self.depth >= limit {
            let cause = format!("actions or parentheses stand more than {limit} deep in each other");
            let is_for_lack_of_room = self.room == Room::Little;
            return self.fail(cause).map_err(|failure| ParseFailure { is_for_lack_of_room, ..failure });
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    fn top(&mut self) -> Result<Box<[Node]>, ParseFailure> {
        let mut body = Vec::new();
        while self.peek().kind != TokenKind::End {
            if self.peek().kind == TokenKind::LeftDelimiter {
                let delimiter = self.next();
                if self.next_word().kind == TokenKind::Keyword(Keyword::Define) {
                    self.definition()?;
                    continue;
                }
                self.backup_two(delimiter);
            }
            match self.text_or_action()? {
                Step::Node(node) => body.push(node),
                Step::Ending(Ending::End) => return self.fail("unexpected {{end}}"),
                Step::Ending(Ending::Else) => return self.fail("unexpected {{else}}"),
            }
        }
        Ok(body.into())
    }

    fn text_or_action(&mut self) -> Result<Step, ParseFailure> {
        let token = self.next_word();
        match token.kind {
            TokenKind::Text => {
                let length = u32::try_from(token.text.len()).unwrap_or(u32::MAX);
                Ok(Step::Node(Node::Text { offset: token.start, length }))
            }
            TokenKind::LeftDelimiter => {
                self.action = Some(token.start);
                let step = self.nested(Self::action)?;
                self.action = None;
                Ok(step)
            }
            _ => self.unexpected(&token, "input"),
        }
    }

    /// The nodes up to an `end` or `else`.
    fn list(&mut self) -> Result<(Box<[Node]>, Ending), ParseFailure> {
        let mut nodes = Vec::new();
        while self.peek_word().kind != TokenKind::End {
            match self.text_or_action()? {
                Step::Node(node) => nodes.push(node),
                Step::Ending(ending) => return Ok((nodes.into(), ending)),
            }
        }
        self.fail("unexpected EOF")
    }

    /// Adds a template. One that says nothing gives way to another of its name; two that say something may not stand
    /// in one text.
    fn add(&mut self, name: Arc<str>, body: Box<[Node]>) -> Result<(), ParseFailure> {
        let template = Template { name, source: Arc::clone(self.source), body };
        match self.found.iter_mut().find(|known| known.name == template.name) {
            None => self.found.push(template),
            Some(known) if known.is_empty() => *known = template,
            Some(_) if template.is_empty() => {}
            Some(_) => {
                let name = super::quote::quoted(&template.name);
                return self.fail(format!("template: multiple definition of template {name}"));
            }
        }
        Ok(())
    }
}
