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
        match told(&words) {
            Some(text) => split(text).into_iter().map(|words| command(words).filled_in()).collect(),
            None => vec![command(words.into_iter().map(str::to_owned).collect()).filled_in()],
        }
    }

    /// The last part of the image's name.
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

/// The last part of an image's name: `certgen` of `registry:5000/x/certgen:v1@sha256:…`.
pub(crate) fn program(image: &str) -> &str {
    let name = last_part(image.split('@').next().unwrap_or(image));
    name.split(':').next().unwrap_or(name)
}

/// What is behind the last slash.
pub(super) fn last_part(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The text that a shell among the words is told: what follows its options, where `-c` is one of them.
fn told<'w>(words: &[&'w str]) -> Option<&'w str> {
    let is_shell = |word: &&str| matches!(last_part(word), "sh" | "bash" | "ash" | "dash");
    let mut behind = words.iter().skip_while(|word| !is_shell(word)).skip(1);
    let mut is_told = false;
    while let Some(word) = behind.next() {
        let Some(letters) = word.strip_prefix('-') else { return is_told.then_some(*word) };
        if !letters.starts_with('-') {
            is_told |= letters.contains('c');
            // `-o pipefail`, also together with others.
            if letters.contains('o') {
                behind.next();
            }
        }
    }
    None
}

/// The simple commands of a text for a shell; what `$(…)` would print stays as it is.
fn split(text: &str) -> Vec<Vec<String>> {
    let (mut commands, mut words, mut word) = (Vec::new(), Vec::new(), String::new());
    let (mut quote, mut depth) = (None, 0_usize);
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        let is_apart = quote.is_none() && depth == 0;
        match letter {
            '#' if is_apart && word.is_empty() => {
                letters.find(|letter| *letter == '\n');
                commands.push(std::mem::take(&mut words));
            }
            '\\' if quote != Some('\'') => match letters.next().filter(|next| *next != '\n') {
                Some(next) if quote.is_some() && !"$`\"\\".contains(next) => word.extend([letter, next]),
                next => word.extend(next),
            },
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_split_as_a_shell_splits_it() {
        let check = |text: &str, expected: &[&str]| {
            let commands = split(text).into_iter().filter(|words| !words.is_empty());
            assert_eq!(commands.map(|words| words.join(" ")).collect::<Vec<_>>(), expected, "{text}");
        };
        check("# don't fail\nkubectl get a # nor \"here\nls", &["kubectl get a", "ls"]);
        check("# no more \\\nls", &["ls"]);
        check("echo a#b $# '#c'", &["echo a#b $# #c"]);
        check("echo don\\'t\nls a\\;b \\# c", &["echo don't", "ls a;b # c"]);
        check("echo \"say \\\"a; b\\\" \\n\"; ls '\\'", &["echo say \"a; b\" \\n", "ls \\"]);
        check("ls \\\n  a\\\nb", &["ls ab"]);
    }

    #[test]
    fn only_a_shell_is_told_a_text() {
        let check = |words: &[&str], expected| assert_eq!(told(words), expected, "{words:?}");
        check(&["/bin/sh", "-ec", "text"], Some("text"));
        check(&["/usr/bin/env", "bash", "-euxo", "pipefail", "-c", "text", "-c", "no"], Some("text"));
        check(&["bash", "--norc", "-ce", "text"], Some("text"));
        check(&["sh", "run.sh", "-c", "no"], None);
        check(&["certgen", "-c", "no"], None);
        check(&["find", "-exec", "no"], None);
    }
}
