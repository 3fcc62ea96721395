//! A command in the user's words, with secret values masked.

use super::syntax::{Body, Command, List, RedirectKind, Word};

/// Flags whose value is a secret.
const SECRET_FLAGS: [&str; 4] = ["--from-literal", "--docker-password", "--password", "--token"];

/// Words in a key that make its value a secret.
const SECRET_KEYS: [&str; 5] = ["pass", "secret", "token", "apikey", "credential"];

/// The command as it was written, on one line.
pub(super) fn says_command(command: &Command) -> String {
    match &command.body {
        Body::Simple(simple) => {
            let mut said = masked(&simple.words);
            for redirect in &command.redirects {
                let sign = match redirect.kind {
                    RedirectKind::HereDocument(_) => "<<",
                    RedirectKind::Input => "< ",
                    RedirectKind::HereString | RedirectKind::Output => continue,
                };
                said.push(format!("{sign}{}", redirect.target.text));
            }
            said.join(" ")
        }
        Body::Test(words) => format!("[[ {} ]]", masked(words).join(" ")),
        Body::Loop { is_until, condition, .. } => {
            let word = if *is_until { "until" } else { "while" };
            format!("{word} {}; do … done", says_list(condition))
        }
        Body::Group(list) => format!("{{ {}; }}", says_list(list)),
        Body::Subshell(list) => format!("( {} )", says_list(list)),
        _ => "…".to_owned(),
    }
}

fn says_list(list: &List) -> String {
    let Some(item) = list.0.first() else { return String::new() };
    let commands: Vec<String> = item.first.commands.iter().map(says_command).collect();
    let bang = if item.first.is_negated { "! " } else { "" };
    format!("{bang}{}", commands.join(" | "))
}

fn masked(words: &[Word]) -> Vec<String> {
    let mut said: Vec<String> = Vec::new();
    for word in words {
        let text: String = word.text.replace("\\\n", " ").replace('\n', " ");
        let follows_flag = said.last().is_some_and(|last| SECRET_FLAGS.contains(&last.as_str()));
        said.push(match secret_start(&text, follows_flag) {
            Some(start) => format!("{}…", text.get(..start).unwrap_or_default()),
            None => text,
        });
    }
    said
}

/// Where the secret value begins in a word that holds one.
fn secret_start(text: &str, follows_flag: bool) -> Option<usize> {
    let flag =
        SECRET_FLAGS.iter().find(|flag| text.strip_prefix(**flag).is_some_and(|rest| rest.starts_with('=')));
    let from = match flag {
        Some(flag) => flag.len() + 1,
        None if follows_flag => 0,
        None => {
            let (key, _) = text.split_once('=')?;
            let key = key.to_lowercase();
            return SECRET_KEYS.iter().any(|word| key.contains(word)).then(|| key.len() + 1);
        }
    };
    let is_literal = flag.is_none_or(|flag| *flag == "--from-literal");
    let value = text.get(from..)?;
    match value.find('=') {
        Some(at) if is_literal => Some(from + at + 1),
        _ => Some(from),
    }
}

/// The secret values written in a command's words, as they stand in the text.
pub(super) fn secret_values(words: &[Word]) -> Vec<(u32, String)> {
    let mut found = Vec::new();
    let mut follows_flag = false;
    for word in words {
        if let Some(start) = secret_start(&word.text, follows_flag) {
            let value = word.text.get(start..).unwrap_or_default();
            let plain = value.trim_matches(['"', '\'']);
            if !plain.is_empty() && !plain.starts_with('$') {
                found.push((word.at.line, plain.to_owned()));
            }
        }
        follows_flag = SECRET_FLAGS.contains(&word.text.as_str());
    }
    found
}
