//! A revision of the repository as files: read out of git, with the work tree left alone.

mod git;
mod tree;

use crate::failure::Failure;
use git::Git;
use plimsoll_sources::{Disk, Entry, EntryKind, Host, Refusal};
use tree::{Node, Tree};

/// The files of a revision, under the paths they have from here. What lies outside the repository comes from the disk.
pub(crate) struct Revision {
    git: Git,
    tree: Tree,
    /// The folder of the repository on the disk.
    top: String,
    /// The current folder inside the repository: empty, or ending in a slash.
    prefix: String,
}

/// Where a path leads.
enum Lead<'a> {
    /// To something in the revision.
    Inside(String, Node<'a>),
    /// To nothing in the revision.
    Nowhere,
    /// Out of the repository.
    Outside,
}

impl Revision {
    /// Opens a revision of the repository around the current folder.
    pub(crate) fn open(name: &str) -> Result<Self, Failure> {
        let refuse = |cause: String| {
            Failure::usage(format!("cannot read the revision `{name}`: {cause}"))
                .hint("--since takes a branch, a tag or a commit of the repository around the current folder")
        };
        let top = git::line(&["rev-parse", "--show-toplevel"]).map_err(refuse)?;
        let prefix = git::line(&["rev-parse", "--show-prefix"]).map_err(refuse)?;
        let commit = format!("{name}^{{commit}}");
        let commit = git::line(&["rev-parse", "--verify", "--end-of-options", &commit]).map_err(refuse)?;
        let listed = git::bytes(&["ls-tree", "-r", "-z", "--full-tree", &commit]).map_err(refuse)?;
        let git = Git::start().map_err(refuse)?;
        Ok(Self { git, tree: Tree::of(&listed), top, prefix })
    }

    fn lead(&self, path: &str) -> Lead<'_> {
        let inside = match path.strip_prefix(&self.top) {
            Some(rest) if rest.is_empty() || rest.starts_with('/') => tree::normal(rest),
            _ if path.starts_with('/') => None,
            _ => tree::normal(&format!("{}{path}", self.prefix)),
        };
        let Some(inside) = inside else { return Lead::Outside };
        match self.tree.follow(&inside, |blob| self.git.text(blob)) {
            Some((path, node)) => Lead::Inside(path, node),
            None => Lead::Nowhere,
        }
    }
}

impl Host for Revision {
    fn look(&self, path: &str) -> Result<EntryKind, Refusal> {
        match self.lead(path) {
            Lead::Inside(_, Node::Folder) => Ok(EntryKind::Folder),
            Lead::Inside(_, Node::File(_)) => Ok(EntryKind::File),
            Lead::Inside(_, Node::Link(_)) | Lead::Nowhere => Err(Refusal::Missing),
            Lead::Outside => Disk.look(path),
        }
    }

    fn real(&self, path: &str) -> String {
        match self.lead(path) {
            Lead::Inside(inside, _) if inside.is_empty() => self.top.clone(),
            Lead::Inside(inside, _) => format!("{}/{inside}", self.top),
            Lead::Nowhere => path.to_owned(),
            Lead::Outside => Disk.real(path),
        }
    }

    fn list(&self, folder: &str) -> Result<Vec<Entry>, Refusal> {
        match self.lead(folder) {
            Lead::Inside(inside, Node::Folder) => Ok(self.tree.list(&inside)),
            Lead::Inside(..) | Lead::Nowhere => Err(Refusal::Missing),
            Lead::Outside => Disk.list(folder),
        }
    }

    fn read(&self, path: &str, limit: u64) -> Result<Vec<u8>, Refusal> {
        match self.lead(path) {
            Lead::Inside(_, Node::File(blob)) => self.git.read(blob, limit),
            Lead::Inside(..) | Lead::Nowhere => Err(Refusal::Missing),
            Lead::Outside => Disk.read(path, limit),
        }
    }

    fn run(&self, program: &str, _: &[String]) -> Result<String, Refusal> {
        Err(Refusal::Failed(format!("{program} cannot read a revision that is not checked out")))
    }

    fn standard_input(&self, _: u64) -> Result<Vec<u8>, Refusal> {
        Err(Refusal::Failed("a revision has no standard input".to_owned()))
    }
}
