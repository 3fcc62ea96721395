//! Expansion of words as far as it can be known without running anything.

use super::files::Shelf;
use super::paths;
use super::state::State;
use super::syntax::{Body, Command, Item, Joint, List, Parameter, Piece, Word};

/// A word after expansion.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Field {
    /// The text; what is not known stands in it as it was written.
    pub(super) text: String,
    /// The first part whose value is not known.
    pub(super) unknown: Option<String>,
}

impl AsRef<str> for Field {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

/// The longest list a word may expand to.
const MOST_FIELDS: usize = 2000;

/// Looks values up; it never runs anything.
pub(super) struct Expander<'a> {
    pub(super) state: &'a State,
    pub(super) script: &'a str,
    pub(super) shelf: &'a Shelf<'a>,
}

impl Expander<'_> {
    /// The fields of a word: braces, variables, splitting and file patterns.
    pub(super) fn fields(&self, word: &Word) -> Vec<Field> {
        if let [Piece::Double(pieces)] = word.pieces.as_slice()
            && let [Piece::Parameter(parameter)] = pieces.as_slice()
            && let Some(fields) = self.all_arguments(parameter)
        {
            return fields;
        }
        if let Some(text) = word.bare()
            && let Some(texts) = braces(text)
        {
            return texts.into_iter().flat_map(|text| self.patterns(&text)).take(MOST_FIELDS).collect();
        }
        let field = self.joined(&word.pieces);
        let splits = word.pieces.iter().any(|p| matches!(p, Piece::Parameter(_) | Piece::Command(_)));
        match word.pieces.as_slice() {
            _ if field.unknown.is_some() => vec![field],
            [] => Vec::new(),
            _ if splits => {
                field.text.split_whitespace().take(MOST_FIELDS).flat_map(|t| self.patterns(t)).collect()
            }
            pieces if pieces.iter().any(is_pattern) => self.patterns(&field.text),
            _ => vec![field],
        }
    }

    fn all_arguments(&self, parameter: &Parameter) -> Option<Vec<Field>> {
        if let Some(name) = parameter.name.strip_suffix("[@]") {
            let items = self.state.variables.get(&format!("{name}[@]"))?.as_ref()?;
            return Some(items.split('\0').filter(|t| !t.is_empty()).map(known).collect());
        }
        if parameter.name != "@" {
            return None;
        }
        Some(
            self.state
                .arguments
                .iter()
                .map(|value| value.as_deref().map_or_else(|| unknown("$@"), known))
                .collect(),
        )
    }

    /// Pieces joined to one text, as in double quotes or an assignment.
    pub(super) fn joined(&self, pieces: &[Piece]) -> Field {
        let mut all = Field::default();
        for piece in pieces {
            let field = self.piece(piece);
            all.text.push_str(&field.text);
            all.unknown = all.unknown.or(field.unknown);
        }
        all
    }

    fn piece(&self, piece: &Piece) -> Field {
        match piece {
            Piece::Bare(text) if text == "~" || text.starts_with("~/") => unknown(text),
            Piece::Bare(text) | Piece::Quoted(text) => known(text),
            Piece::Double(pieces) => self.joined(pieces),
            Piece::Parameter(parameter) => self.parameter(parameter),
            Piece::Command(list) => self.output(list).map_or_else(|| unknown("$(…)"), |text| known(&text)),
            Piece::Process(_) => unknown("<(…)"),
            Piece::Arithmetic => unknown("$((…))"),
            Piece::Array(words) => {
                let fields: Vec<Field> = words.iter().flat_map(|word| self.fields(word)).collect();
                let unknown = fields.iter().find_map(|field| field.unknown.clone());
                Field { text: fields.into_iter().map(|f| f.text).collect::<Vec<_>>().join("\0"), unknown }
            }
        }
    }

    fn parameter(&self, parameter: &Parameter) -> Field {
        let value = self.value(&parameter.name);
        let Some((operator, pieces)) = &parameter.operator else {
            return value.map_or_else(|| unknown(&format!("${{{}}}", parameter.name)), |text| known(&text));
        };
        let is_set = value.as_ref().is_some_and(|text| !text.is_empty() || !operator.starts_with(':'));
        let declared = self.state.variables.contains_key(&parameter.name);
        match (operator.as_str(), value) {
            (":-" | "-" | ":=" | "=", Some(text)) if is_set => known(&text),
            // The environment could say otherwise; the default is what the author expects.
            (":-" | "-" | ":=" | "=", None) if declared => unknown(&format!("${{{}}}", parameter.name)),
            (":-" | "-" | ":=" | "=", _) => self.joined(pieces),
            (":?" | "?", Some(text)) => known(&text),
            (":+" | "+", Some(_)) if is_set => self.joined(pieces),
            (":+" | "+", _) if !declared => known(""),
            ("%" | "%%", Some(text)) => {
                self.trimmed(&text, pieces, |text, pattern| cut_suffix(text, pattern, operator))
            }
            ("#" | "##", Some(text)) if !pieces.is_empty() => {
                self.trimmed(&text, pieces, |text, pattern| cut_prefix(text, pattern, operator))
            }
            _ => unknown(&format!("${{{}}}", parameter.name)),
        }
    }

    fn trimmed(&self, text: &str, pieces: &[Piece], cut: impl Fn(&str, &str) -> Option<String>) -> Field {
        let pattern = self.joined(pieces);
        match cut(text, &pattern.text) {
            Some(text) if pattern.unknown.is_none() => known(&text),
            _ => unknown("${…}"),
        }
    }

    fn value(&self, name: &str) -> Option<String> {
        match name {
            "0" | "BASH_SOURCE" | "BASH_SOURCE[0]" => Some(self.script.to_owned()),
            "PWD" => self.state.folder.as_deref().map(shown_folder),
            "#" => Some(self.state.arguments.len().to_string()),
            _ if name.starts_with(|c: char| c.is_ascii_digit()) => {
                let number: usize = name.parse().ok()?;
                self.state.arguments.get(number.checked_sub(1)?)?.clone()
            }
            _ => self.state.variables.get(name)?.clone(),
        }
    }

    /// What a command substitution prints, where that follows from the script alone.
    fn output(&self, list: &List) -> Option<String> {
        let [item] = list.0.as_slice() else { return None };
        match item.rest.as_slice() {
            [] => self.printed(item),
            [(Joint::And, second)] => {
                let is_pwd = matches!(self.words_of(second.commands.as_slice())?.as_slice(), [name, ..] if name == "pwd");
                let words = self.words_of(item.first.commands.as_slice())?;
                match words.as_slice() {
                    [cd, folder] if cd == "cd" && is_pwd => {
                        paths::resolve(self.state.folder.as_deref(), folder).map(|f| shown_folder(&f))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn printed(&self, item: &Item) -> Option<String> {
        let words = self.words_of(item.first.commands.as_slice())?;
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match words.as_slice() {
            ["dirname", path] | ["dirname", "--", path] => Some(paths::parent(path).to_owned()),
            ["basename", path] => Some(path.rsplit('/').next().unwrap_or(path).to_owned()),
            ["pwd", ..] => self.state.folder.as_deref().map(shown_folder),
            ["realpath" | "readlink", .., path] => Some((*path).to_owned()),
            ["echo", rest @ ..] if rest.first().is_none_or(|first| !first.starts_with('-')) => {
                Some(rest.join(" "))
            }
            ["seq", last] => sequence("1", last),
            ["seq", first, last] => sequence(first, last),
            ["cat", path] => {
                let path = paths::resolve(self.state.folder.as_deref(), path)?;
                self.shelf.text(&path).ok().map(|text| text.trim_end_matches('\n').to_owned())
            }
            _ => None,
        }
    }

    fn words_of(&self, commands: &[Command]) -> Option<Vec<String>> {
        let [Command { body: Body::Simple(simple), .. }] = commands else { return None };
        let fields: Vec<Field> = simple.words.iter().flat_map(|word| self.fields(word)).collect();
        fields.into_iter().map(|field| field.unknown.is_none().then_some(field.text)).collect()
    }

    /// The files that match a pattern; the pattern itself where none does.
    fn patterns(&self, text: &str) -> Vec<Field> {
        if !text.contains(['*', '?', '[']) || text.contains(['{', '$', '=', '(']) {
            return vec![known(text)];
        }
        let found = self.shelf.matching(self.state.folder.as_deref(), text);
        if found.is_empty() { vec![known(text)] } else { found.iter().map(|path| known(path)).collect() }
    }
}

fn known(text: &str) -> Field {
    Field { text: text.to_owned(), unknown: None }
}

fn unknown(text: &str) -> Field {
    Field { text: text.to_owned(), unknown: Some(text.to_owned()) }
}

fn shown_folder(folder: &str) -> String {
    if folder.is_empty() { ".".to_owned() } else { folder.to_owned() }
}

fn is_pattern(piece: &Piece) -> bool {
    matches!(piece, Piece::Bare(text) if text.contains(['*', '?', '[']))
}

fn sequence(first: &str, last: &str) -> Option<String> {
    let (first, last): (i64, i64) = (first.parse().ok()?, last.parse().ok()?);
    let numbers = (first..=last).take(MOST_FIELDS).map(|n| n.to_string());
    Some(numbers.collect::<Vec<_>>().join(" "))
}

/// `{a,b}` and `{1..3}` inside a plain text.
fn braces(text: &str) -> Option<Vec<String>> {
    let open = text.find('{')?;
    let close = open + text.get(open..)?.find('}')?;
    let (before, inside, after) = (text.get(..open)?, text.get(open + 1..close)?, text.get(close + 1..)?);
    let items: Vec<String> = match inside.split_once("..") {
        Some((first, last)) => sequence(first, last)?.split(' ').map(str::to_owned).collect(),
        None if inside.contains(',') => inside.split(',').map(str::to_owned).collect(),
        None => return None,
    };
    Some(items.into_iter().map(|item| format!("{before}{item}{after}")).collect())
}

fn cut_suffix(text: &str, pattern: &str, operator: &str) -> Option<String> {
    match pattern.strip_suffix('*') {
        _ if !pattern.contains(['*', '?', '[']) => {
            Some(text.strip_suffix(pattern).unwrap_or(text).to_owned())
        }
        Some(head) if !head.contains(['*', '?', '[']) && !head.is_empty() => {
            let at = if operator == "%%" { text.find(head) } else { text.rfind(head) };
            at.map_or(Some(text.to_owned()), |at| text.get(..at).map(str::to_owned))
        }
        _ => None,
    }
}

fn cut_prefix(text: &str, pattern: &str, operator: &str) -> Option<String> {
    match pattern.strip_prefix('*') {
        _ if !pattern.contains(['*', '?', '[']) => {
            Some(text.strip_prefix(pattern).unwrap_or(text).to_owned())
        }
        Some(tail) if !tail.contains(['*', '?', '[']) && !tail.is_empty() => {
            let at = if operator == "##" { text.rfind(tail) } else { text.find(tail) };
            at.map_or(Some(text.to_owned()), |at| text.get(at + tail.len()..).map(str::to_owned))
        }
        _ => None,
    }
}
