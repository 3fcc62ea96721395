//! Lists, pipelines, simple commands and redirections.

use super::super::syntax::{
    Assignment, Body, Command, Item, Joint, List, Piece, Pipeline, Redirect, RedirectKind, Simple, Word,
};
use super::words::is_name;
use super::{Grammar, Parsed};
use std::rc::Rc;

/// Reserved words that end a list.
const CLOSERS: [&str; 8] = ["then", "else", "elif", "fi", "do", "done", "esac", "}"];

impl Grammar {
    /// Reads commands up to something that ends a list, which is left standing.
    pub(super) fn list(&mut self) -> Parsed<List> {
        let mut items = Vec::new();
        loop {
            self.newlines()?;
            if self.is_list_end() {
                return Ok(List(items));
            }
            let mut item = self.and_or()?;
            self.blanks();
            match self.cursor.peek() {
                Some('&') => {
                    self.cursor.advance();
                    item.in_background = true;
                }
                Some(';') if self.cursor.peek_at(1) != Some(';') && self.cursor.peek_at(1) != Some('&') => {
                    self.cursor.advance();
                }
                Some('\n') => {}
                _ if self.is_list_end() => {}
                _ => return Err(self.unexpected()),
            }
            items.push(item);
        }
    }

    fn is_list_end(&self) -> bool {
        match self.cursor.peek() {
            None | Some(')') => true,
            Some(';') => matches!(self.cursor.peek_at(1), Some(';' | '&')),
            Some(_) => CLOSERS.contains(&self.cursor.peek_reserved().as_str()),
        }
    }

    fn and_or(&mut self) -> Parsed<Item> {
        let first = self.pipeline()?;
        let mut rest = Vec::new();
        loop {
            self.blanks();
            let joint = if self.cursor.take("&&") {
                Joint::And
            } else if self.cursor.take("||") {
                Joint::Or
            } else {
                return Ok(Item { first, rest, in_background: false });
            };
            self.newlines()?;
            rest.push((joint, self.pipeline()?));
        }
    }

    fn pipeline(&mut self) -> Parsed<Pipeline> {
        let mut is_negated = false;
        loop {
            match self.cursor.peek_reserved().as_str() {
                "!" => is_negated = !is_negated,
                "time" => {}
                _ => break,
            }
            self.cursor.take_while(|c| c == '!' || c.is_ascii_alphabetic());
            self.blanks();
        }
        let mut commands = vec![self.nested(Self::command)?];
        loop {
            self.blanks();
            if self.cursor.looking_at("||") || self.cursor.peek() != Some('|') {
                return Ok(Pipeline { is_negated, commands });
            }
            self.cursor.advance();
            self.cursor.take("&");
            self.newlines()?;
            commands.push(self.nested(Self::command)?);
        }
    }

    pub(super) fn command(&mut self) -> Parsed<Command> {
        let at = self.cursor.position();
        let (body, mut redirects) = match self.compound()? {
            Some(body) => (body, Vec::new()),
            None => self.simple()?,
        };
        loop {
            self.blanks();
            match self.redirect()? {
                Some(redirect) => redirects.push(redirect),
                None => return Ok(Command { body, redirects, at }),
            }
        }
    }

    fn simple(&mut self) -> Parsed<(Body, Vec<Redirect>)> {
        let (mut simple, mut redirects) = (Simple::default(), Vec::new());
        loop {
            self.blanks();
            if let Some(redirect) = self.redirect()? {
                redirects.push(redirect);
                continue;
            }
            match self.cursor.peek() {
                None | Some('\n' | ';' | '&' | '|' | ')') => break,
                Some('(') => return self.function_behind_name(&simple).map(|body| (body, redirects)),
                Some(_) => {}
            }
            let word = self.word()?;
            match as_assignment(&word) {
                Some(assignment) if simple.words.is_empty() => simple.assignments.push(assignment),
                _ => simple.words.push(word),
            }
        }
        if simple.words.is_empty() && simple.assignments.is_empty() && redirects.is_empty() {
            return Err(self.unexpected());
        }
        Ok((Body::Simple(simple), redirects))
    }

    fn function_behind_name(&mut self, simple: &Simple) -> Parsed<Body> {
        let [name] = simple.words.as_slice() else { return Err(self.unexpected()) };
        self.cursor.advance();
        self.blanks();
        if !self.cursor.take(")") {
            return Err(self.missing(")"));
        }
        self.newlines()?;
        let body = Rc::new(self.nested(Self::command)?);
        Ok(Body::Function { name: name.text.clone(), body })
    }

    fn redirect(&mut self) -> Parsed<Option<Redirect>> {
        let digits = self.cursor.count_digits();
        let sign = self.cursor.peek_at(digits);
        let is_both = digits == 0 && sign == Some('&') && self.cursor.peek_at(1) == Some('>');
        if !is_both && !matches!(sign, Some('<' | '>')) {
            return Ok(None);
        }
        if self.cursor.peek_at(digits + 1) == Some('(') {
            return Ok(None);
        }
        self.cursor.advance_by(digits);
        let sign = SIGNS.into_iter().find(|sign| self.cursor.take(sign)).unwrap_or_default();
        self.blanks();
        let target = self.word()?;
        let kind = match sign {
            "<<<" => RedirectKind::HereString,
            "<<" => RedirectKind::HereDocument(self.announce(&target, false)),
            "<<-" => RedirectKind::HereDocument(self.announce(&target, true)),
            "<" => RedirectKind::Input,
            _ => RedirectKind::Output,
        };
        Ok(Some(Redirect { kind, target }))
    }
}

/// Signs of redirections, longer ones first.
const SIGNS: [&str; 12] = ["<<<", "<<-", "<<", "&>>", "&>", "<&", "<>", ">>", ">&", ">|", "<", ">"];

/// The assignment that a word is, if it is one.
pub(crate) fn as_assignment(word: &Word) -> Option<Assignment> {
    let (first, rest) = word.pieces.split_first()?;
    let Piece::Bare(head) = first else { return None };
    let (name, value) = head.split_once('=')?;
    let (name, appends) = name.strip_suffix('+').map_or((name, false), |name| (name, true));
    let plain = name.split_once('[').map_or(name, |(name, _)| name);
    if !is_name(plain) {
        return None;
    }
    let mut pieces = Vec::new();
    if !value.is_empty() {
        pieces.push(Piece::Bare(value.to_owned()));
    }
    pieces.extend_from_slice(rest);
    let text = word.text.split_once('=').map_or_else(String::new, |(_, text)| text.to_owned());
    Some(Assignment { name: name.to_owned(), value: Word { pieces, text, at: word.at }, appends })
}
