//! Compound commands: groups, conditions, loops, cases, functions and tests.

use super::super::syntax::{Body, CaseArm, For, List, Piece, Word};
use super::{Grammar, Parsed};
use std::rc::Rc;

impl Grammar {
    /// Reads a compound command, if one begins here.
    pub(super) fn compound(&mut self) -> Parsed<Option<Body>> {
        if self.cursor.peek() == Some('(') {
            return self.parentheses().map(Some);
        }
        let word = self.cursor.peek_reserved();
        let rule = match word.as_str() {
            "{" => Self::group,
            "if" => Self::condition,
            "while" => Self::while_loop,
            "until" => Self::until_loop,
            "for" | "select" => Self::for_loop,
            "case" => Self::case,
            "function" => Self::function,
            "[[" => Self::test,
            _ => return Ok(None),
        };
        self.cursor.advance_by(word.chars().count());
        rule(self).map(Some)
    }

    fn expect(&mut self, word: &str) -> Parsed<()> {
        self.newlines()?;
        if self.cursor.peek_reserved() != word {
            return Err(self.missing(word));
        }
        self.cursor.advance_by(word.chars().count());
        Ok(())
    }

    /// A list that must hold a command and ends in a reserved word.
    fn list_until(&mut self, word: &str) -> Parsed<List> {
        let list = self.list()?;
        if list.0.is_empty() {
            return Err(self.unexpected());
        }
        self.expect(word)?;
        Ok(list)
    }

    fn parentheses(&mut self) -> Parsed<Body> {
        self.cursor.advance();
        if self.cursor.peek() == Some('(') && self.is_arithmetic() {
            self.skip_arithmetic(1)?;
            return Ok(Body::Arithmetic);
        }
        let list = self.list()?;
        if list.0.is_empty() {
            return Err(self.unexpected());
        }
        if self.cursor.take(")") { Ok(Body::Subshell(list)) } else { Err(self.missing(")")) }
    }

    fn group(&mut self) -> Parsed<Body> {
        self.list_until("}").map(Body::Group)
    }

    fn condition(&mut self) -> Parsed<Body> {
        let mut arms = Vec::new();
        loop {
            let condition = self.list_until("then")?;
            let body = self.list()?;
            if body.0.is_empty() {
                return Err(self.unexpected());
            }
            arms.push((condition, body));
            let word = self.cursor.peek_reserved();
            match word.as_str() {
                "elif" => self.cursor.advance_by(4),
                "else" => {
                    self.cursor.advance_by(4);
                    let otherwise = Some(self.list_until("fi")?);
                    return Ok(Body::If { arms, otherwise });
                }
                _ => {
                    self.expect("fi")?;
                    return Ok(Body::If { arms, otherwise: None });
                }
            }
        }
    }

    fn while_loop(&mut self) -> Parsed<Body> {
        let condition = self.list_until("do")?;
        Ok(Body::Loop { is_until: false, condition, body: self.list_until("done")? })
    }

    fn until_loop(&mut self) -> Parsed<Body> {
        let condition = self.list_until("do")?;
        Ok(Body::Loop { is_until: true, condition, body: self.list_until("done")? })
    }

    fn for_loop(&mut self) -> Parsed<Body> {
        self.blanks();
        if self.cursor.take("((") {
            self.skip_arithmetic(2)?;
            return Ok(Body::CountedFor { body: self.loop_body()? });
        }
        let name = self.word()?.text;
        self.newlines()?;
        let values = if self.cursor.peek_reserved() == "in" {
            self.cursor.advance_by(2);
            Some(self.loop_values()?)
        } else {
            None
        };
        let start = self.cursor.index();
        let body = self.loop_body()?;
        let text = self.cursor.since(start);
        let uses_name = text.contains(&format!("${name}")) || text.contains(&format!("${{{name}"));
        Ok(Body::For(For { name, values, body, uses_name }))
    }

    fn loop_values(&mut self) -> Parsed<Vec<Word>> {
        let mut values = Vec::new();
        loop {
            self.blanks();
            match self.cursor.peek() {
                None | Some(';' | '\n') => return Ok(values),
                Some(_) => values.push(self.word()?),
            }
        }
    }

    fn loop_body(&mut self) -> Parsed<List> {
        self.blanks();
        self.cursor.take(";");
        self.expect("do")?;
        self.list_until("done")
    }

    fn case(&mut self) -> Parsed<Body> {
        self.blanks();
        self.word()?;
        self.expect("in")?;
        let mut arms = Vec::new();
        loop {
            self.newlines()?;
            if self.cursor.peek_reserved() == "esac" {
                self.cursor.advance_by(4);
                return Ok(Body::Case { arms });
            }
            arms.push(self.case_arm()?);
        }
    }

    fn case_arm(&mut self) -> Parsed<CaseArm> {
        self.cursor.take("(");
        let mut patterns = Vec::new();
        loop {
            self.blanks();
            patterns.push(self.word()?);
            self.blanks();
            if self.cursor.take(")") {
                break;
            }
            if !self.cursor.take("|") {
                return Err(self.missing(")"));
            }
        }
        let body = self.list()?;
        if ![";;&", ";;", ";&"].into_iter().any(|end| self.cursor.take(end))
            && self.cursor.peek_reserved() != "esac"
        {
            return Err(self.missing("esac"));
        }
        Ok(CaseArm { patterns, body })
    }

    fn function(&mut self) -> Parsed<Body> {
        self.blanks();
        let name = self.word()?.text;
        self.blanks();
        if self.cursor.take("(") {
            self.blanks();
            if !self.cursor.take(")") {
                return Err(self.missing(")"));
            }
        }
        self.newlines()?;
        Ok(Body::Function { name, body: Rc::new(self.nested(Self::command)?) })
    }

    /// `[[ … ]]`: operators become words of their own.
    fn test(&mut self) -> Parsed<Body> {
        let mut words = Vec::new();
        loop {
            self.newlines()?;
            let at = self.cursor.position();
            if self.cursor.is_at_end() {
                return Err(self.missing("]]"));
            }
            if self.cursor.peek_reserved() == "]]" {
                self.cursor.advance_by(2);
                return Ok(Body::Test(words));
            }
            let operator =
                ["&&", "||", "(", ")", "<", ">", "|", "&", ";"].into_iter().find(|o| self.cursor.take(o));
            words.push(match operator {
                Some(sign) => Word { pieces: vec![Piece::Bare(sign.to_owned())], text: sign.to_owned(), at },
                None => self.word()?,
            });
        }
    }
}
