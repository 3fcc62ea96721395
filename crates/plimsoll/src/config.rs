//! Settings: what the command line leaves open is said by the environment, by `.plimsoll.yaml`, by a preset.
//!
//! One table ([`settings::ALL`]) says which settings there are; reading, the schema, `config show` and the reference page
//! all come from it.

mod contradiction;
mod environment;
mod file;
mod preset;
mod schema;
mod settings;
mod shape;
mod show;

#[cfg(test)]
pub(crate) use environment::variable;
#[cfg(test)]
pub(crate) use preset::PRESETS;
pub(crate) use schema::schema;
pub(crate) use settings::ALL;
pub(crate) use show::show;

use crate::failure::Failure;
use plimsoll_model::{Node, Place, Value};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The name of the file that is looked for.
pub(crate) const FILE: &str = ".plimsoll.yaml";

/// Which file is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// The nearest one.
    Nearest,
    /// This one.
    Named(PathBuf),
    /// None.
    Nothing,
}

/// What was said about settings, and by whom; the command line stands above it.
#[derive(Debug, Default)]
pub(crate) struct Config {
    said: BTreeMap<&'static str, Said>,
}

/// What was said about one setting.
#[derive(Debug, Clone)]
pub(crate) struct Said {
    /// The value, of the shape of its setting.
    pub(crate) value: Node,
    /// Who said it: `.plimsoll.yaml:3:1`, `PLIMSOLL_FAIL_ON`, `preset ci`.
    pub(crate) origin: String,
}

impl Config {
    /// Reads what is said in the environment and in a file. A preset of the command line outweighs theirs.
    pub(crate) fn read(wanted: &Wanted, preset: Option<&str>) -> Result<Self, Failure> {
        let mut config = Self::default();
        if let Some(path) = file::find(wanted)? {
            config.said = file::read(&path, &file::text(&path)?)?;
        }
        config.said.extend(environment::read(|name| std::env::var(name).ok())?);
        contradiction::refuse(&config)?;
        let chosen = preset.or_else(|| config.text("preset")).map(str::to_owned);
        for (key, said) in chosen.iter().flat_map(|name| preset::of(name)) {
            config.said.entry(key).or_insert(said);
        }
        Ok(config)
    }

    /// What was said about a setting.
    pub(crate) fn said(&self, key: &str) -> Option<&Said> {
        self.said.get(key)
    }

    /// The text of a setting.
    pub(crate) fn text(&self, key: &str) -> Option<&str> {
        self.said(key)?.value.text()
    }

    /// Whether a switch is on; nothing if nobody said.
    pub(crate) fn switch(&self, key: &str) -> Option<bool> {
        match self.said(key)?.value.value {
            Value::Bool(is_on) => Some(is_on),
            _ => None,
        }
    }

    /// The texts of a list.
    pub(crate) fn texts(&self, key: &str) -> impl Iterator<Item = &str> {
        let items = self.said(key).map_or(&[][..], |said| said.value.items());
        items.iter().filter_map(Node::text)
    }

    /// A setting read as a type; what does not fit is refused where it stands.
    pub(crate) fn parsed<T, E: std::fmt::Display>(
        &self,
        key: &str,
        parse: impl Fn(&str) -> Result<T, E>,
    ) -> Result<Option<T>, Failure> {
        let Some(text) = self.text(key) else { return Ok(None) };
        parse(text).map(Some).map_err(|cause| self.refusal(key, &cause.to_string()))
    }

    /// The texts of a list read as a type.
    pub(crate) fn all_parsed<T, E: std::fmt::Display>(
        &self,
        key: &str,
        parse: impl Fn(&str) -> Result<T, E>,
    ) -> Result<Vec<T>, Failure> {
        let each =
            self.texts(key).map(|text| parse(text).map_err(|cause| self.refusal(key, &cause.to_string())));
        each.collect()
    }

    /// A path that was said in a file, as seen from the current folder.
    pub(crate) fn path(&self, key: &str) -> Option<PathBuf> {
        Some(self.folder(key).join(self.text(key)?))
    }

    /// The paths of a list that was said in a file, as seen from the current folder.
    pub(crate) fn paths(&self, key: &str) -> impl Iterator<Item = PathBuf> {
        let folder = self.folder(key);
        self.texts(key).map(move |path| folder.join(path))
    }

    /// The folder of the file in which a setting was said.
    fn folder(&self, key: &str) -> &Path {
        let origin = self.said(key).map_or("", |said| said.origin.as_str());
        Path::new(origin).parent().unwrap_or(Path::new(""))
    }

    /// A place inside what was said about a setting.
    pub(crate) fn spot(&self, key: &str, place: Place) -> String {
        let origin = self.said(key).map_or("", |said| said.origin.as_str());
        // The origin ends in line and column of the key.
        let file = origin.rsplitn(3, ':').nth(2).unwrap_or(origin);
        format!("{file}:{}:{}", place.line, place.column)
    }

    /// Says that a setting cannot be taken, and where it stands.
    pub(crate) fn refusal(&self, key: &str, cause: &str) -> Failure {
        let origin = self.said(key).map_or("", |said| said.origin.as_str());
        Failure::usage(format!("{origin}: {key}: {cause}"))
            .hint("`plimsoll config show --origin` shows every setting and where it was said")
    }
}
