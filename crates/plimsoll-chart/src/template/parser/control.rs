//! Actions that decide what is walked: `if`, `range`, `with`, `define`, `block`, `template` and their ends.

use super::{Ending, Parser, Scope, Step};
use crate::template::failure::ParseFailure;
use crate::template::quote::unquoted;
use crate::template::token::{Keyword, Token, TokenKind};
use crate::template::tree::{Branch, Node};
use std::mem;
use std::sync::Arc;

impl<'t> Parser<'t> {
    /// What stands between two delimiters, the first of which was read.
    pub(super) fn action(&mut self) -> Result<Step, ParseFailure> {
        let token = self.next_word();
        let node = match token.kind {
            TokenKind::Keyword(Keyword::Block) => self.block()?,
            TokenKind::Keyword(Keyword::Break) => self.jump("{{break}}", Node::Break)?,
            TokenKind::Keyword(Keyword::Continue) => self.jump("{{continue}}", Node::Continue)?,
            TokenKind::Keyword(Keyword::Else) => return self.otherwise(),
            TokenKind::Keyword(Keyword::End) => {
                self.expect(TokenKind::RightDelimiter, "end")?;
                return Ok(Step::Ending(Ending::End));
            }
            TokenKind::Keyword(Keyword::If) => Node::If(self.branch(Keyword::If)?),
            TokenKind::Keyword(Keyword::Range) => Node::Range(self.branch(Keyword::Range)?),
            TokenKind::Keyword(Keyword::With) => Node::With(self.branch(Keyword::With)?),
            TokenKind::Keyword(Keyword::Template) => self.template()?,
            _ => {
                self.backup();
                let offset = self.peek().start;
                Node::Action { offset, pipe: self.pipeline("command", TokenKind::RightDelimiter)? }
            }
        };
        Ok(Step::Node(node))
    }

    fn jump(&mut self, written: &str, node: Node) -> Result<Node, ParseFailure> {
        let token = self.next_word();
        if token.kind != TokenKind::RightDelimiter {
            return self.unexpected(&token, written);
        }
        if self.scope.ranges == 0 {
            return self.fail(format!("{written} outside {{{{range}}}}"));
        }
        Ok(node)
    }

    /// `else`; an `if` or `with` behind it is left for the branch that it belongs to.
    fn otherwise(&mut self) -> Result<Step, ParseFailure> {
        let next = self.peek_word().kind;
        let goes_on = matches!(next, TokenKind::Keyword(Keyword::If | Keyword::With));
        if !goes_on {
            self.expect(TokenKind::RightDelimiter, "else")?;
        }
        Ok(Step::Ending(Ending::Else))
    }

    fn branch(&mut self, keyword: Keyword) -> Result<Branch, ParseFailure> {
        let outer = self.scope.variables.len();
        let context = match keyword {
            Keyword::Range => "range",
            Keyword::With => "with",
            _ => "if",
        };
        let pipe = self.pipeline(context, TokenKind::RightDelimiter)?;
        let range = usize::from(keyword == Keyword::Range);
        self.scope.ranges += range;
        let (body, ending) = self.list()?;
        self.scope.ranges -= range;
        let otherwise = match ending {
            Ending::End => None,
            Ending::Else => Some(self.other_branch(keyword)?),
        };
        self.scope.variables.truncate(outer);
        Ok(Branch { pipe, body, otherwise })
    }

    fn other_branch(&mut self, keyword: Keyword) -> Result<Box<[Node]>, ParseFailure> {
        let goes_on = keyword != Keyword::Range && self.peek().kind == TokenKind::Keyword(keyword);
        if goes_on {
            self.next();
            let branch = self.nested(|parser| parser.branch(keyword))?;
            let is_if = keyword == Keyword::If;
            return Ok([if is_if { Node::If(branch) } else { Node::With(branch) }].into());
        }
        let (body, ending) = self.list()?;
        if ending != Ending::End {
            return self.fail("expected end; found {{else}}");
        }
        Ok(body)
    }

    /// `define`, whose keyword was read.
    pub(super) fn definition(&mut self) -> Result<(), ParseFailure> {
        const CONTEXT: &str = "define clause";
        let token = self.next_word();
        let name = self.template_name(&token, CONTEXT)?;
        self.expect(TokenKind::RightDelimiter, CONTEXT)?;
        self.body_of(name, CONTEXT)
    }

    fn body_of(&mut self, name: Arc<str>, context: &str) -> Result<(), ParseFailure> {
        let outer = mem::take(&mut self.scope);
        let action = self.action.take();
        let (body, ending) = self.list()?;
        if ending != Ending::End {
            return self.fail(format!("unexpected {{{{else}}}} in {context}"));
        }
        self.scope = outer;
        self.action = action;
        self.add(name, body)
    }

    fn block(&mut self) -> Result<Node, ParseFailure> {
        const CONTEXT: &str = "block clause";
        let token = self.next_word();
        let name = self.template_name(&token, CONTEXT)?;
        let pipe = self.pipeline(CONTEXT, TokenKind::RightDelimiter)?;
        self.body_of(Arc::clone(&name), CONTEXT)?;
        Ok(Node::Template { offset: token.start, name, pipe: Some(pipe) })
    }

    fn template(&mut self) -> Result<Node, ParseFailure> {
        const CONTEXT: &str = "template clause";
        let token = self.next_word();
        let name = self.template_name(&token, CONTEXT)?;
        let mut pipe = None;
        if self.next_word().kind != TokenKind::RightDelimiter {
            self.backup();
            pipe = Some(self.pipeline(CONTEXT, TokenKind::RightDelimiter)?);
        }
        Ok(Node::Template { offset: token.start, name, pipe })
    }

    fn template_name(&mut self, token: &Token<'t>, context: &str) -> Result<Arc<str>, ParseFailure> {
        if !matches!(token.kind, TokenKind::String | TokenKind::RawString) {
            return self.unexpected(token, context);
        }
        match unquoted(token.text) {
            Some(name) => Ok(name.into()),
            None => self.fail("invalid syntax"),
        }
    }
}

impl Scope {
    /// Whether a variable was declared.
    pub(super) fn knows(&self, name: &str) -> bool {
        self.variables.iter().any(|known| &**known == name)
    }
}
