//! What a command finds on its standard input, as far as it can be known.

use super::helm::{self, Printing};
use super::reader::Reader;
use super::says::says_command;
use super::state::State;
use super::syntax::{Body, Command, RedirectKind};
use super::{kubectl, kustomize, paths};
use crate::kustomization::BuildFlags;
use plimsoll_model::{Object, Place};

/// What flows through a pipe or a redirection.
#[derive(Debug, Clone)]
pub(super) enum Supply {
    /// Nothing was redirected.
    Nothing,
    /// Text that stands in the script, and where it begins.
    Text { text: String, unknown: Option<String>, place: Place },
    /// Files as they are, or as another program changed them.
    Files { paths: Vec<String>, changed_by: Option<String> },
    /// What kustomize makes of a folder.
    Kustomization { folder: String, flags: BuildFlags },
    /// What `helm template` prints for a chart.
    Chart(Box<Printing>),
    /// What is fetched from an address.
    Address(String),
    /// Objects that kubectl made up.
    Objects(Vec<Object>),
    /// Something that cannot be known; the text says why.
    Opaque(String),
}

impl Reader<'_, '_> {
    /// The input that a command's own redirections give it.
    pub(super) fn redirected(&mut self, command: &Command, state: &State) -> Option<Supply> {
        let redirect =
            command.redirects.iter().rev().find(|redirect| redirect.kind != RedirectKind::Output)?;
        Some(match redirect.kind {
            RedirectKind::HereDocument(number) => {
                let document = self.script.documents.get(number)?.clone();
                let field = self.joined(&document.pieces, state);
                let place = Place { file: self.script.file, line: document.first_line, column: 1 };
                Supply::Text { text: field.text, unknown: field.unknown, place }
            }
            RedirectKind::HereString => {
                let field = self.joined(&redirect.target.pieces, state);
                let place = self.place(redirect.target.at);
                Supply::Text { text: field.text, unknown: field.unknown, place }
            }
            _ => {
                let field = self.joined(&redirect.target.pieces, state);
                match (field.unknown, paths::resolve(state.folder.as_deref(), &field.text)) {
                    (None, Some(path)) => Supply::Files { paths: vec![path], changed_by: None },
                    _ => Supply::Opaque(format!("the file `{}` is not known", redirect.target.text)),
                }
            }
        })
    }

    /// What a command of a pipeline hands to the next one.
    pub(super) fn supply_of(&mut self, command: &Command, state: &State, input: &Supply) -> Supply {
        let input = self.redirected(command, state).unwrap_or_else(|| input.clone());
        let Body::Simple(simple) = &command.body else {
            return Supply::Opaque("the output of a group of commands".to_owned());
        };
        let fields = self.fields(&simple.words, state);
        let unknown = fields.iter().find_map(|field| field.unknown.clone());
        let words: Vec<&str> = fields.iter().map(|field| field.text.as_str()).collect();
        let Some((name, arguments)) = words.split_first() else { return input };
        let operands: Vec<&str> = arguments.iter().copied().filter(|word| !word.starts_with('-')).collect();
        let place = self.place(command.at);
        match *name {
            "cat" if operands.is_empty() => input,
            "cat" => named_files(&operands, state, None, unknown),
            "tee" => input,
            "curl" | "wget" => fetched(name, &words)
                .unwrap_or_else(|| Supply::Opaque(format!("the output of `{}`", says_command(command)))),
            "echo" => Supply::Text { text: format!("{}\n", operands.join(" ")), unknown, place },
            "printf" if operands.len() == 1 => {
                let text = operands.concat().replace("\\n", "\n");
                Supply::Text { text, unknown, place }
            }
            "envsubst" => changed(input, "envsubst"),
            "sed" | "awk" | "yq" | "perl" | "tr" | "gomplate" => {
                let has_script = arguments.iter().any(|word| *word == "-e" || *word == "-f");
                let files =
                    operands.get(usize::from(!has_script || operands.len() > 1)..).unwrap_or_default();
                let files = if *name == "tr" { &[] } else { files };
                if files.is_empty() {
                    changed(input, name)
                } else {
                    named_files(files, state, Some(name), unknown)
                }
            }
            "kubectl" | "oc" => {
                let arguments = fields.get(1..).unwrap_or_default();
                kubectl::printed_objects(self, arguments, command.at, state)
                    .unwrap_or_else(|| Supply::Opaque(format!("the output of `{}`", says_command(command))))
            }
            "kustomize" if arguments.first() == Some(&"build") => {
                kustomize::printed(fields.get(2..).unwrap_or_default(), state)
                    .unwrap_or_else(|| Supply::Opaque(format!("the output of `{}`", says_command(command))))
            }
            "helm" if arguments.first() == Some(&"template") => {
                helm::printed(self, fields.get(1..).unwrap_or_default(), state)
                    .unwrap_or_else(|| Supply::Opaque(format!("the output of `{}`", says_command(command))))
            }
            _ => Supply::Opaque(format!("the output of `{}`", says_command(command))),
        }
    }
}

/// What a program that fetches one address prints.
fn fetched(program: &str, words: &[&str]) -> Option<Supply> {
    let mut addresses = words.iter().filter(|word| word.starts_with("http"));
    let address = addresses.next().filter(|_| addresses.next().is_none())?;
    let short = |letter: char| {
        words.iter().any(|word| word.starts_with('-') && !word.starts_with("--") && word.contains(letter))
    };
    let is_printed = match program {
        "curl" => !short('o') && !short('O') && !words.iter().any(|word| word.starts_with("--output")),
        _ => words.join(" ").replace("O -", "O-").split(' ').any(|word| word.ends_with("O-")),
    };
    is_printed.then(|| Supply::Address((*address).to_owned()))
}

fn named_files(names: &[&str], state: &State, changed_by: Option<&str>, unknown: Option<String>) -> Supply {
    if let Some(unknown) = unknown {
        return Supply::Opaque(format!("a file whose name holds `{unknown}`, which is not known"));
    }
    let found: Option<Vec<String>> =
        names.iter().map(|name| paths::resolve(state.folder.as_deref(), name)).collect();
    match found {
        Some(paths) => Supply::Files { paths, changed_by: changed_by.map(str::to_owned) },
        None => Supply::Opaque("a file in a folder that is not known".to_owned()),
    }
}

fn changed(input: Supply, by: &str) -> Supply {
    match input {
        Supply::Files { paths, .. } => Supply::Files { paths, changed_by: Some(by.to_owned()) },
        Supply::Text { text, place, .. } => {
            Supply::Text { text, unknown: Some(format!("the work of {by}")), place }
        }
        Supply::Nothing => Supply::Opaque(format!("the output of `{by}`")),
        other => other,
    }
}
