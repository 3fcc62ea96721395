//! Where values come from: files, and flags of the command line.

use super::ValuesFailure;
use super::assignment::{Form, assign};
use super::documents::read_values;
use crate::read;
use crate::render::HelmVersion;
use crate::template::origin::ValuePlace;
use crate::template::value::{Item, Map, Value};
use plimsoll_model::{FileIndex, Node, Place};
use std::sync::Arc;

/// Values from one place, as Helm takes them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ValueSource {
    /// `-f`: a file of YAML.
    File {
        /// The path as it is shown.
        path: String,
        /// What is in it.
        text: String,
    },
    /// `--set-json`
    SetJson(String),
    /// `--set`
    Set(String),
    /// `--set-string`
    SetString(String),
    /// `--set-file`, with what is in the file.
    SetFile {
        /// What stands before the equal sign.
        name: String,
        /// What is in the file.
        content: String,
    },
}

/// A file that values come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueFile {
    /// The path: of a chart below the outermost one, of a user's file as it was named.
    pub path: Arc<str>,
    /// Whether it belongs to the chart.
    pub is_of_chart: bool,
}

/// The places of values, by number.
#[derive(Debug, Default)]
pub(crate) struct Places {
    places: Vec<Place>,
    files: Vec<ValueFile>,
}

impl Places {
    /// Adds a file.
    pub(crate) fn file(&mut self, path: &str, is_of_chart: bool) -> FileIndex {
        let index = u32::try_from(self.files.len()).unwrap_or(u32::MAX);
        self.files.push(ValueFile { path: path.into(), is_of_chart });
        FileIndex(index)
    }

    /// The values of a tree, whose places lie in a file.
    pub(crate) fn value(&mut self, node: &Node, file: FileIndex) -> Item {
        read::value(node, &mut |place| {
            self.places.push(Place { file, ..place });
            ValuePlace(u32::try_from(self.places.len()).unwrap_or_default())
        })
    }

    /// The file and place of a number.
    pub(crate) fn get(&self, place: ValuePlace) -> Option<(&ValueFile, Place)> {
        let place = *self.places.get((place.0 as usize).checked_sub(1)?)?;
        Some((self.files.get(place.file.0 as usize)?, place))
    }
}

/// What the user says, in Helm's order: files, then `--set-json`, `--set`, `--set-string` and `--set-file`.
pub(crate) fn user_values(
    sources: &[ValueSource],
    helm: HelmVersion,
    places: &mut Places,
) -> Result<Map, ValuesFailure> {
    let base = Map::of_values([]);
    for source in sources {
        if let ValueSource::File { path, text } = source {
            let file = places.file(path, false);
            let node = read_values(text, file, helm).map_err(|fault| ValuesFailure::BadFile {
                path: path.clone(),
                cause: format!("line {}: {}", fault.place.line, fault.cause),
            })?;
            if let Value::Map(map) = places.value(&node, file).value {
                take_over(&base, &map);
            }
        }
    }
    // Whatever the order on the command line, one kind of flag comes after the other.
    for rank in 0..4 {
        for assignment in sources.iter().filter_map(Assignment::of).filter(|one| one.rank == rank) {
            set(&base, &assignment)?;
        }
    }
    Ok(base)
}

/// A value set on the command line.
struct Assignment {
    rank: u8,
    flag: &'static str,
    form: Form,
    text: String,
}

impl Assignment {
    fn of(source: &ValueSource) -> Option<Self> {
        let (rank, flag, form, text) = match source {
            ValueSource::File { .. } => return None,
            ValueSource::SetJson(text) => (0, "--set-json", Form::Json, text.clone()),
            ValueSource::Set(text) => (1, "--set", Form::Typed, text.clone()),
            ValueSource::SetString(text) => (2, "--set-string", Form::Text, text.clone()),
            ValueSource::SetFile { name, content } => {
                (3, "--set-file", Form::File(content.clone()), format!("{name}=_"))
            }
        };
        Some(Self { rank, flag, form, text })
    }

    fn bad(&self, cause: String) -> ValuesFailure {
        ValuesFailure::BadAssignment { flag: self.flag, text: self.text.clone(), cause }
    }
}

fn set(base: &Map, assignment: &Assignment) -> Result<(), ValuesFailure> {
    let text = &assignment.text;
    if !matches!(assignment.form, Form::Json) || !text.trim_start().starts_with('{') {
        return assign(base, text, assignment.form.clone()).map_err(|cause| assignment.bad(cause));
    }
    match read::json(text).map_err(|cause| assignment.bad(cause))? {
        Value::Map(map) => {
            take_over(base, &map);
            Ok(())
        }
        _ => Err(assignment.bad("it is not a map".to_owned())),
    }
}

/// Takes over what another map says, map by map.
pub(super) fn take_over(into: &Map, from: &Map) {
    for (key, item) in from.entries() {
        match (into.get(&key).map(|known| known.value), &item.value) {
            (Some(Value::Map(known)), Value::Map(other)) => take_over(&known, other),
            _ => into.set(key, item),
        }
    }
}
