//! The programs that take part in a play besides Kubernetes itself.

use super::failure::Failure;
use super::operator::{OPERATORS, Operator};
use crate::programs::Program;
use plimsoll_knowledge::page::Example;
use std::path::{Path, PathBuf};

/// One of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Company {
    Operator(&'static Operator),
    /// The generation that `plimsoll check` takes the `helm` of a script for.
    Helm,
}

impl Company {
    /// Those that these needs call for, and those that an example runs itself.
    pub(super) fn of(needs: &[String], example: &Example, is_by_helm: bool) -> Vec<Self> {
        let is_run = |image: &str| example.files.iter().any(|(_, text)| text.contains(image));
        let is_needed = |operator: &&Operator| {
            needs.iter().any(|need| need.ends_with(operator.group))
                || operator.image.into_iter().chain(operator.serves).any(is_run)
        };
        let operators = OPERATORS.iter().filter(is_needed).map(Self::Operator);
        operators.chain(is_by_helm.then_some(Self::Helm)).collect()
    }

    /// Name and version, as a record has them.
    pub(super) fn told(self) -> String {
        match self {
            Self::Operator(operator) => operator.told(),
            Self::Helm => {
                let program = Program::named("helm3");
                format!("Helm {}", program.as_ref().map_or("unknown", Program::version))
            }
        }
    }

    /// Makes sure that all of their programs are there. Gives a folder with the tools that scripts call, under the
    /// names by which they call them.
    pub(super) fn tools(
        company: &[Self],
        kubectl: &Path,
        folder: &Path,
        tell: &mut dyn FnMut(&str),
    ) -> Result<PathBuf, Failure> {
        let tools = folder.join("tools");
        std::fs::create_dir_all(&tools).map_err(Failure::file(&tools))?;
        let mut links = vec![("kubectl", kubectl.join("kubectl"))];
        for one in company {
            match one {
                Self::Operator(operator) => operator.obtain(tell)?,
                Self::Helm => links.push(("helm", Program::named("helm3")?.obtain(tell)?)),
            }
        }
        for (name, program) in links {
            let link = tools.join(name);
            std::os::unix::fs::symlink(program, &link).map_err(Failure::file(link))?;
        }
        Ok(tools)
    }
}
