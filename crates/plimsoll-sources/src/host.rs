//! The only door to files and standard input.

mod disk;
mod memory;

pub use disk::Disk;
pub use memory::Memory;

/// Where readers get their text from: a disk, or a test's memory.
pub trait Host: Sync {
    /// What stands at a path; links are followed.
    fn look(&self, path: &str) -> Result<EntryKind, Refusal>;

    /// The path from the root without links; a path to nothing stays as it is.
    fn real(&self, path: &str) -> String;

    /// What a folder holds, in any order; links are not followed.
    fn list(&self, folder: &str) -> Result<Vec<Entry>, Refusal>;

    /// The bytes of a file, if they are not more than the limit.
    fn read(&self, path: &str, limit: u64) -> Result<Vec<u8>, Refusal>;

    /// What a program prints on its standard output; `Missing` if there is no such program.
    fn run(&self, program: &str, arguments: &[String]) -> Result<String, Refusal>;

    /// Everything on standard input, if it is not more than the limit.
    fn standard_input(&self, limit: u64) -> Result<Vec<u8>, Refusal>;
}

/// One name in a folder.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// The name, without the folder.
    pub name: String,
    /// What it is.
    pub kind: EntryKind,
    /// Whether it is a link, to a file or a folder.
    pub is_link: bool,
}

/// What stands at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum EntryKind {
    /// A folder.
    Folder,
    /// A file, a pipe that was named, or a link to one.
    File,
    /// A pipe, socket or device in a folder: reading it could last for ever.
    Other,
}

/// Why the host does not give what it was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// Nothing stands there.
    Missing,
    /// There is more of it than was allowed.
    TooLarge,
    /// The system's own words.
    Failed(String),
}
