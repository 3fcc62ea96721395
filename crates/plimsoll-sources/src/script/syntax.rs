//! The syntax tree of a shell script: what the grammar reads and the interpreter walks.

use std::rc::Rc;

/// Line and column in the script, both from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Position {
    pub(crate) line: u32,
    pub(crate) column: u32,
}

/// Commands one after the other.
#[derive(Debug, Clone, Default)]
pub(crate) struct List(pub(crate) Vec<Item>);

/// One `a && b || c`, perhaps in the background.
#[derive(Debug, Clone)]
pub(crate) struct Item {
    pub(crate) first: Pipeline,
    pub(crate) rest: Vec<(Joint, Pipeline)>,
    pub(crate) in_background: bool,
}

/// What stands between two pipelines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Joint {
    And,
    Or,
}

/// Commands joined by `|`.
#[derive(Debug, Clone)]
pub(crate) struct Pipeline {
    pub(crate) is_negated: bool,
    pub(crate) commands: Vec<Command>,
}

/// A command with its redirections.
#[derive(Debug, Clone)]
pub(crate) struct Command {
    pub(crate) body: Body,
    pub(crate) redirects: Vec<Redirect>,
    pub(crate) at: Position,
}

/// What kind of command it is.
#[derive(Debug, Clone)]
pub(crate) enum Body {
    Simple(Simple),
    Group(List),
    Subshell(List),
    If {
        arms: Vec<(List, List)>,
        otherwise: Option<List>,
    },
    Loop {
        is_until: bool,
        condition: List,
        body: List,
    },
    For(For),
    CountedFor {
        body: List,
    },
    Case {
        arms: Vec<CaseArm>,
    },
    Function {
        name: String,
        body: Rc<Command>,
    },
    /// `[[ … ]]`, its operators as words.
    Test(Vec<Word>),
    /// `(( … ))`.
    Arithmetic,
}

/// `for NAME in values; do body; done`; without values it goes over the arguments.
#[derive(Debug, Clone)]
pub(crate) struct For {
    pub(crate) name: String,
    pub(crate) values: Option<Vec<Word>>,
    pub(crate) body: List,
    /// Whether the body has a use for the variable.
    pub(crate) uses_name: bool,
}

/// One arm of a `case`.
#[derive(Debug, Clone)]
pub(crate) struct CaseArm {
    pub(crate) patterns: Vec<Word>,
    pub(crate) body: List,
}

/// Assignments and words.
#[derive(Debug, Clone, Default)]
pub(crate) struct Simple {
    pub(crate) assignments: Vec<Assignment>,
    pub(crate) words: Vec<Word>,
}

/// `NAME=value` or `NAME+=value`.
#[derive(Debug, Clone)]
pub(crate) struct Assignment {
    pub(crate) name: String,
    pub(crate) value: Word,
    pub(crate) appends: bool,
}

/// A word before expansion, with its text as written.
#[derive(Debug, Clone, Default)]
pub(crate) struct Word {
    pub(crate) pieces: Vec<Piece>,
    pub(crate) text: String,
    pub(crate) at: Position,
}

/// A part of a word.
#[derive(Debug, Clone)]
pub(crate) enum Piece {
    /// Text without quotes.
    Bare(String),
    /// Text in single quotes or behind a backslash.
    Quoted(String),
    /// Parts in double quotes.
    Double(Vec<Piece>),
    /// `$X`, `${X}`, `${X:-word}`.
    Parameter(Parameter),
    /// `$(…)` or backquotes.
    Command(Rc<List>),
    /// `<(…)` or `>(…)`.
    Process(Rc<List>),
    /// `$((…))`.
    Arithmetic,
    /// `(a b c)` behind `NAME=`.
    Array(Vec<Word>),
}

/// A parameter expansion.
#[derive(Debug, Clone)]
pub(crate) struct Parameter {
    /// The name, a digit or a special character; with `[…]` behind it for an array.
    pub(crate) name: String,
    /// The operator, such as `:-`, and the word behind it; `#` alone means the length.
    pub(crate) operator: Option<(String, Vec<Piece>)>,
}

/// A redirection.
#[derive(Debug, Clone)]
pub(crate) struct Redirect {
    pub(crate) kind: RedirectKind,
    pub(crate) target: Word,
}

/// What a redirection does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RedirectKind {
    /// `< file`.
    Input,
    /// `<<< word`.
    HereString,
    /// `<<EOF`: the document with this number.
    HereDocument(usize),
    /// Anything that writes, duplicates or closes.
    Output,
}

/// The text of a here-document.
#[derive(Debug, Clone, Default)]
pub(crate) struct HereDocument {
    pub(crate) pieces: Vec<Piece>,
    pub(crate) first_line: u32,
}

/// A whole script.
#[derive(Debug, Clone, Default)]
pub(crate) struct Program {
    pub(crate) list: List,
    pub(crate) documents: Vec<HereDocument>,
}

impl Word {
    /// The text if the word is one plain, unquoted text.
    pub(crate) fn bare(&self) -> Option<&str> {
        match self.pieces.as_slice() {
            [Piece::Bare(text)] => Some(text),
            _ => None,
        }
    }
}
