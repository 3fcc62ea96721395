//! The commands of a container, as far as its words tell them: what it starts, and what a shell in it is told to.

use crate::read::pods::Pods;
use plimsoll_model::Node;

/// One command of a container.
pub(super) struct Command<'a> {
    container: &'a Node,
    pub(super) pods: &'a Pods<'a>,
    pub(super) words: Vec<String>,
}

impl<'a> Command<'a> {
    /// The commands of a container: its words, or where a shell is told a text, those of the text.
    pub(super) fn all(pods: &'a Pods<'a>, container: &'a Node) -> Vec<Self> {
        let command = |words| Self { container, pods, words };
        let words = container.list_at(&["command"]).iter().chain(container.list_at(&["args"]));
        let words: Vec<&str> = words.filter_map(Node::text).collect();
        let told = words.iter().position(|word| is_option_c(word)).and_then(|at| words.get(at + 1));
        match told {
            Some(text) => split(text).into_iter().map(|words| command(words).filled_in()).collect(),
            None => vec![command(words.into_iter().map(str::to_owned).collect()).filled_in()],
        }
    }

    /// The last part of the image's name: `certgen` of `registry:5000/x/certgen:v1@sha256:…`.
    pub(super) fn image(&self) -> Option<&'a str> {
        self.container.text_at(&["image"]).map(program)
    }

    /// A text with its places filled in: `{--flag}` or `{--flag=DEFAULT}`, and `{$NAME}` for a variable. Nothing where
    /// one of them is not known.
    pub(super) fn filled(&self, text: &str) -> Option<String> {
        let Some((before, (place, after))) =
            text.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?)))
        else {
            return is_plain(text).then(|| text.to_owned());
        };
        let (flag, usual) = place.split_once('=').unzip();
        let filled = match place.strip_prefix('$') {
            Some(variable) => self.variable(variable),
            None => self.flag(flag.unwrap_or(place)).or(usual),
        };
        Some(format!("{before}{}{}", filled.filter(|value| is_plain(value))?, self.filled(after)?))
    }

    /// The value of a flag.
    fn flag<'s>(&'s self, flag: &str) -> Option<&'s str> {
        let behind = self.words.iter().find_map(|word| word.strip_prefix(flag)?.strip_prefix('='));
        behind.or_else(|| self.words.iter().skip_while(|word| *word != flag).nth(1).map(String::as_str))
    }

    /// A variable that the container says, or the pod's namespace.
    fn variable(&self, name: &str) -> Option<&'a str> {
        let variables = self.container.list_at(&["env"]).iter();
        let variable = variables.rev().find(|variable| variable.text_at(&["name"]) == Some(name))?;
        match variable.text_at(&["valueFrom", "fieldRef", "fieldPath"]) {
            Some("metadata.namespace") => Some(self.pods.namespace()),
            _ => variable.text_at(&["value"]),
        }
    }

    /// With every variable filled in that the container says: `$(NAME)`, as the kubelet does, `$NAME` and `${NAME}`.
    fn filled_in(mut self) -> Self {
        let mut words = std::mem::take(&mut self.words);
        for word in words.iter_mut().filter(|word| word.contains('$')) {
            for variable in self.container.list_at(&["env"]) {
                let Some(name) = variable.text_at(&["name"]) else { continue };
                let Some(value) = self.variable(name) else { continue };
                *word = word.replace(&format!("$({name})"), value).replace(&format!("${{{name}}}"), value);
                if word.strip_prefix('$') == Some(name) {
                    value.clone_into(word);
                }
            }
        }
        Self { words, ..self }
    }
}

/// Whether a text says itself, and no shell has to.
pub(super) fn is_plain(text: &str) -> bool {
    !text.contains(['$', '`', '*'])
}

pub(super) fn program(image: &str) -> &str {
    let name = last_part(image.split('@').next().unwrap_or(image));
    name.split(':').next().unwrap_or(name)
}

/// What is behind the last slash.
pub(super) fn last_part(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// `-c`, also together with other options as in `-ec`.
fn is_option_c(word: &str) -> bool {
    let is_short =
        |letters: &str| letters.len() < 5 && letters.bytes().all(|letter| letter.is_ascii_lowercase());
    word.strip_prefix('-').is_some_and(|letters| letters.ends_with('c') && is_short(letters))
}

/// The simple commands of a text for a shell; what `$(…)` would print stays as it is.
fn split(text: &str) -> Vec<Vec<String>> {
    let text = text.replace("\\\n", " ");
    let (mut commands, mut words, mut word) = (Vec::new(), Vec::new(), String::new());
    let (mut quote, mut depth) = (None, 0_usize);
    for letter in text.chars() {
        let is_apart = quote.is_none() && depth == 0;
        match letter {
            '\'' | '"' if quote == Some(letter) => quote = None,
            '\'' | '"' if quote.is_none() => quote = Some(letter),
            '(' if depth > 0 || word.ends_with('$') => {
                depth += 1;
                word.push(letter);
            }
            ')' if depth > 0 => {
                depth -= 1;
                word.push(letter);
            }
            _ if !is_apart || !(letter.is_whitespace() || ";&|()".contains(letter)) => word.push(letter),
            _ => {
                end(&mut word, &mut words);
                if !matches!(letter, ' ' | '\t') {
                    commands.push(std::mem::take(&mut words));
                }
            }
        }
    }
    end(&mut word, &mut words);
    commands.push(words);
    commands
}

/// A word is over; what only tells a shell when to run a command is none of it.
fn end(word: &mut String, words: &mut Vec<String>) {
    const BEFORE: [&str; 10] = ["if", "then", "else", "elif", "do", "while", "until", "!", "{", "exec"];
    let word = std::mem::take(word);
    let is_before = words.is_empty() && BEFORE.contains(&word.as_str());
    if !word.is_empty() && !is_before {
        words.push(word);
    }
}
