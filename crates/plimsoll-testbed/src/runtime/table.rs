//! The image table: what runs when a pod names an image. Rows are matched in order; the rows of everyday images follow
//! the user's. The format is described in `docs/image-table.md`.

mod behaviour;
mod pattern;
mod pull;
mod row;
mod sentence;

pub use behaviour::{Behaviour, Deed, Ports};
pub use pull::Pull;
pub use row::{Row, Source, User};

use super::machine::path;
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::SystemTime;

/// The rows, and what becomes of an image that has none.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    #[serde(default)]
    images: Vec<Row>,
    otherwise: Option<Behaviour>,
}

/// A table that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// The file cannot be read.
    #[error("the image table {file} cannot be read: {cause}; give a readable file, or leave --images out")]
    Unreadable {
        /// The table.
        file: PathBuf,
        /// What the system said.
        cause: std::io::Error,
    },
    /// The file is no table.
    #[error("the image table {file} is wrong: {cause}\nthe format is described in docs/image-table.md")]
    Wrong {
        /// The table.
        file: PathBuf,
        /// Line, column and what is wrong there.
        cause: String,
    },
}

impl Table {
    /// The row for an image: the user's, then an everyday one, then what the table says of all others.
    #[must_use]
    pub fn find(&self, image: &str) -> Option<Row> {
        let rows = self.images.iter().chain(&EVERYDAY.images).chain(&OPERATORS.images);
        let named = rows.into_iter().find(|row| row.image.matches(image)).cloned();
        named.or_else(|| self.otherwise.clone().map(Row::behaving))
    }

    /// Reads a table from text; `file` is for messages.
    pub fn parse(file: &Path, text: &str) -> Result<Self, TableError> {
        if text.trim().is_empty() {
            return Ok(Self::default());
        }
        serde_saphyr::from_str(text)
            .map_err(|error| TableError::Wrong { file: file.to_owned(), cause: error.to_string() })
    }
}

/// Busybox and its like, which are this machine's own programs.
static EVERYDAY: LazyLock<Table> = LazyLock::new(|| {
    Table::parse(Path::new("everyday.yaml"), include_str!("table/everyday.yaml")).unwrap_or_default()
});

/// Operators whose real programs the testbed can build.
static OPERATORS: LazyLock<Table> = LazyLock::new(|| {
    Table::parse(Path::new("operators/images.yaml"), crate::operators::IMAGES).unwrap_or_default()
});

/// A table on disk, read again when it changed: an image may appear while pods wait for it.
#[derive(Debug)]
pub struct TableFile {
    file: Option<PathBuf>,
    machine: PathBuf,
    changed: Option<SystemTime>,
    table: Table,
}

impl TableFile {
    /// Opens the table, a file of the machine whose root is given; without one there are only the everyday images.
    pub fn open(file: Option<PathBuf>, machine: &Path) -> Result<Self, TableError> {
        let mut opened = Self { file, machine: machine.to_owned(), changed: None, table: Table::default() };
        opened.refresh()?;
        Ok(opened)
    }

    /// The row for an image, in the table as it is now. A table that has become wrong is not taken.
    pub fn find(&mut self, image: &str) -> Result<Option<Row>, TableError> {
        self.refresh()?;
        Ok(self.table.find(image))
    }

    fn refresh(&mut self) -> Result<(), TableError> {
        let Some(file) = &self.file else { return Ok(()) };
        let unreadable = |cause| TableError::Unreadable { file: file.clone(), cause };
        let place = path(&self.machine, file);
        let changed = std::fs::metadata(&place).and_then(|data| data.modified()).map_err(unreadable)?;
        if self.changed != Some(changed) {
            let text = std::fs::read_to_string(&place).map_err(unreadable)?;
            self.table = Table::parse(file, &text)?;
            self.changed = Some(changed);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(text: &str) -> Table {
        Table::parse(Path::new("images.yaml"), text).expect("a table")
    }

    #[test]
    fn the_first_row_that_matches_counts() {
        let table = table(
            "images:\n- image: acme/web\n  behaviour: sleeps\n- image: acme/*\n  program: web --all {args}\n",
        );
        assert!(matches!(table.find("acme/web:2").expect("a row").source, Source::Behaviour(_)));
        assert!(matches!(table.find("acme/api:2").expect("a row").source, Source::Program(_)));
        assert!(table.find("other/web:2").is_none(), "an image without a row does not exist");
    }

    #[test]
    fn everyday_images_need_no_row_and_can_be_given_one() {
        let source = |text: &str| table(text).find("docker.io/library/busybox:1.36").expect("a row").source;
        assert!(matches!(source(""), Source::Entrypoint { .. }));
        assert!(matches!(source("images: [{image: busybox, behaviour: sleeps}]"), Source::Behaviour(_)));
        assert!(matches!(source("otherwise: sleeps"), Source::Entrypoint { .. }));
    }

    #[test]
    fn operators_need_no_row() {
        let row = table("otherwise: sleeps").find("quay.io/jetstack/cert-manager-webhook:v1.21.2");
        assert!(matches!(row.expect("a row").source, Source::Program(_)));
    }

    #[test]
    fn all_other_images_may_behave() {
        let row = table("otherwise: listens on its ports after 3 s").find("nobody/knows").expect("a row");
        assert!(matches!(row.source, Source::Behaviour(_)));
    }

    #[test]
    fn a_wrong_table_names_file_line_and_cause() {
        let wrong = |text: &str| Table::parse(Path::new("images.yaml"), text).unwrap_err().to_string();
        let message = wrong("images:\n- image: a\n  behaviour: sleeps\n- image: b\n  behaviour: snores\n");
        assert!(message.contains("images.yaml") && message.contains("line 5"), "{message}");
        assert!(message.contains("`snores` is no behaviour"), "{message}");
        let message = wrong("images:\n- image: a\n  programme: b\n");
        assert!(message.contains("programme") && message.contains("line 3"), "{message}");
        let message = wrong("images:\n- image: a\n");
        assert!(message.contains("one of program, entrypoint or behaviour"), "{message}");
    }

    #[test]
    fn a_changed_table_is_read_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("images.yaml");
        std::fs::write(&file, "").expect("written");
        let mut opened = TableFile::open(Some(file.clone()), Path::new("/")).expect("a table");
        assert!(opened.find("a").expect("a table").is_none());
        std::fs::write(&file, "otherwise: sleeps").expect("written");
        let later = SystemTime::now() + std::time::Duration::from_secs(1);
        std::fs::File::open(&file).and_then(|file| file.set_modified(later)).expect("a new time");
        assert!(opened.find("a").expect("a table").is_some());
    }
}
