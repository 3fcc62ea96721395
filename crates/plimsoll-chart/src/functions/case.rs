//! `snakecase` and `kebabcase`: names cut into words as `github.com/huandu/xstrings` v1.5.0 cuts them (`convert.go`).

use super::words::is_sign;

/// What a word is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Number,
    /// Capitals, or one capital with small letters behind it.
    Capital,
    Small,
    Connector,
    Sign,
    Other,
}

/// The words of a name in small letters, with a connector between them.
pub(super) fn connected(text: &str, connector: char) -> String {
    let words = words(text);
    let mut joined = String::with_capacity(text.len() + 4);
    let mut at = 0;
    while let (Some((kind, word)), Some(_)) = (words.get(at), words.get(at + 1)) {
        if *kind != Kind::Connector {
            push(&mut joined, *kind, word, connector);
        }
        at += 1;
        match kind {
            Kind::Number => at = with_small(&words, at, &mut joined, connector),
            Kind::Connector => push(&mut joined, *kind, word, connector),
            Kind::Sign => {}
            Kind::Capital | Kind::Small | Kind::Other => {
                at = after_letters(&words, at, &mut joined, connector);
            }
        }
    }
    if let Some((kind, word)) = words.get(at) {
        push(&mut joined, *kind, word, connector);
    }
    joined
}

/// Small letters and numbers belong to the number before them; then comes a connector, if a word does.
fn with_small(words: &[(Kind, String)], mut at: usize, joined: &mut String, connector: char) -> usize {
    while let Some((Kind::Small | Kind::Number, word)) = words.get(at) {
        joined.push_str(word);
        at += 1;
    }
    connect(words, at, joined, connector);
    at
}

/// A number belongs to the letters before it, unless small letters follow it.
fn after_letters(words: &[(Kind, String)], at: usize, joined: &mut String, connector: char) -> usize {
    match (words.get(at), words.get(at + 1)) {
        (Some((Kind::Number, _)), None) => at,
        (Some((Kind::Number, number)), Some((Kind::Small, _))) => {
            joined.push(connector);
            joined.push_str(number);
            with_small(words, at + 1, joined, connector)
        }
        (Some((Kind::Number, number)), Some(_)) => {
            joined.push_str(number);
            connect(words, at + 1, joined, connector);
            at + 1
        }
        _ => {
            connect(words, at, joined, connector);
            at
        }
    }
}

fn connect(words: &[(Kind, String)], at: usize, joined: &mut String, connector: char) {
    if words.get(at).is_some_and(|(kind, _)| !matches!(kind, Kind::Connector | Kind::Sign)) {
        joined.push(connector);
    }
}

fn push(joined: &mut String, kind: Kind, word: &str, connector: char) {
    match kind {
        Kind::Capital => joined.push_str(&word.to_lowercase()),
        Kind::Connector => joined.extend(word.chars().map(|_| connector)),
        _ => joined.push_str(word),
    }
}

fn words(text: &str) -> Vec<(Kind, String)> {
    let characters: Vec<char> = text.chars().collect();
    let mut words = Vec::new();
    let mut rest = characters.as_slice();
    while let Some(first) = rest.first() {
        let kind = kind(*first);
        let count = match kind {
            Kind::Capital => capital(rest),
            Kind::Small => rest.iter().take_while(|next| self::kind(**next) == Kind::Small).count(),
            // These also hold what connects, if it does not stand first.
            Kind::Sign => rest.iter().take_while(|next| is_sign(**next)).count(),
            kind => rest.iter().take_while(|next| self::kind(**next) == kind).count(),
        };
        let (word, behind) = rest.split_at_checked(count.max(1)).unwrap_or((rest, &[]));
        words.push((kind, word.iter().collect()));
        rest = behind;
    }
    words
}

/// How many characters a word has that begins with a capital: the last of several belongs to small letters behind it.
fn capital(rest: &[char]) -> usize {
    let capitals = rest.iter().take_while(|next| next.is_uppercase()).count();
    let is_small = |at: usize| rest.get(at).is_some_and(|next| kind(*next) == Kind::Small);
    match capitals {
        1 => 1 + rest.iter().skip(1).take_while(|next| kind(**next) == Kind::Small).count(),
        _ if is_small(capitals) => capitals - 1,
        _ => capitals,
    }
}

fn kind(character: char) -> Kind {
    match character {
        _ if is_connector(character) => Kind::Connector,
        _ if is_sign(character) => Kind::Sign,
        _ if character.is_uppercase() => Kind::Capital,
        _ if character.is_alphabetic() => Kind::Small,
        _ if character.is_numeric() => Kind::Number,
        _ => Kind::Other,
    }
}

fn is_connector(character: char) -> bool {
    matches!(character, '-' | '_') || character.is_whitespace()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cut_as_helm_cuts_them() {
        // What `kebabcase` of Helm v4.3.1 prints.
        for (name, expected) in include_str!("case.tsv").lines().filter_map(|line| line.split_once('\t')) {
            assert_eq!(connected(name, '-'), expected, "{name:?}");
        }
    }
}
