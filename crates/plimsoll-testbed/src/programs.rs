//! The real programs of a cluster: found among `$KUBEBUILDER_ASSETS`, then in the cache by version, else built through
//! the Go module proxy.

mod build;
mod cache;
mod failure;
mod go;
mod recipe;
mod source;

pub use failure::ProgramError;
pub use go::module_folder;

pub(crate) use build::KWOK_STAGES;

use recipe::{OF_WITNESS, Recipe, TABLE};
use std::path::PathBuf;

/// The version of Kubernetes that clusters have when nobody asks for another.
pub const KUBERNETES: &str = "v1.36.4";

/// A real program in a certain version.
#[derive(Clone, Debug)]
pub struct Program {
    name: &'static str,
    version: String,
    recipe: &'static Recipe,
}

impl Program {
    /// A program of the table.
    pub fn named(name: &str) -> Result<Self, ProgramError> {
        let row = TABLE.iter().chain(OF_WITNESS).find(|row| row.name == name);
        let row =
            row.ok_or_else(|| ProgramError::Unknown { name: name.to_owned(), known: names().join(", ") })?;
        Ok(Self { name: row.name, version: row.version.to_owned(), recipe: &row.recipe })
    }

    /// The same in the given version of Kubernetes, if it is a part of Kubernetes.
    #[must_use]
    pub fn of_kubernetes(mut self, version: &str) -> Self {
        if matches!(self.recipe, Recipe::Kubernetes { .. }) {
            version.clone_into(&mut self.version);
        }
        self
    }

    /// Its version.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Where it lies, if it is there already.
    #[must_use]
    pub fn find(&self) -> Option<PathBuf> {
        let assets =
            std::env::var_os("KUBEBUILDER_ASSETS").map(|folder| PathBuf::from(folder).join(self.name));
        assets.into_iter().chain(self.cached()).find(|path| path.is_file())
    }

    /// Where it lies in the cache once it was built; nothing if this user has none.
    pub(crate) fn cached(&self) -> Option<PathBuf> {
        let folder = cache::folder(self.name, &self.recipe.kept_as(&self.version))?;
        Some(folder.join(self.name))
    }

    /// Where it lies; it is built if it must be, and `progress` hears of that.
    pub fn obtain(&self, progress: &mut dyn FnMut(&str)) -> Result<PathBuf, ProgramError> {
        match self.find() {
            Some(path) => Ok(path),
            None => build::build(self, progress),
        }
    }
}

/// The names of all programs but the operators that only the witness needs.
#[must_use]
pub fn names() -> Vec<&'static str> {
    TABLE.iter().map(|row| row.name).collect()
}

/// The folders of all programs that are in the cache in the versions of the table.
#[must_use]
pub fn folders() -> Vec<PathBuf> {
    let kept = |row: &recipe::Row| cache::folder(row.name, &row.recipe.kept_as(row.version));
    let folders = TABLE.iter().filter_map(|row| Some((row.name, kept(row)?)));
    folders.filter(|(name, folder)| folder.join(name).is_file()).map(|(_, folder)| folder).collect()
}
