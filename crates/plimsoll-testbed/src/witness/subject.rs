//! What is witnessed: rules with their pages, and rows of the reference table with their examples.

use super::failure::Failure;
use plimsoll_knowledge::page::{Example, Page};
use plimsoll_knowledge::witness::Unwitnessed;
use std::path::Path;

/// A rule, or a row of the reference table.
#[derive(Debug, Clone)]
pub struct Subject {
    /// The rule's code or the row's name.
    pub name: String,
    /// The rule that its races belong to; nothing for a row, whose example announces it.
    pub(super) rule: String,
    pub(super) races: Vec<Example>,
    pub(super) fixed: Vec<Example>,
    pub(super) silent: Vec<Example>,
}

impl Subject {
    /// Every rule, then every row.
    pub fn all() -> Result<Vec<Self>, Failure> {
        let rules = plimsoll_knowledge::rules().iter().map(|rule| {
            let page = Page::parse(rule.page);
            let under = |section: &str| page.under(section).cloned().collect();
            Self {
                name: rule.code.0.to_owned(),
                rule: rule.code.0.to_owned(),
                races: under("Example"),
                fixed: under("After the fix"),
                silent: under("Stays silent"),
            }
        });
        let mut subjects: Vec<Self> = rules.collect();
        for name in plimsoll_knowledge::reference_ids() {
            subjects.push(Self::of_row(name)?);
        }
        Ok(subjects)
    }

    /// Those that are asked for by code or name; all if none is.
    pub fn chosen(asked: &[String]) -> Result<Vec<Self>, Failure> {
        let all = Self::all()?;
        let short = |name: &str| name.to_uppercase().trim_start_matches("PLM-").to_owned();
        for one in asked {
            if !all.iter().any(|subject| short(&subject.name) == short(one)) {
                return Err(Failure::Unknown(one.clone()));
            }
        }
        let is_chosen =
            |subject: &Self| asked.is_empty() || asked.iter().any(|one| short(one) == short(&subject.name));
        Ok(all.into_iter().filter(is_chosen).collect())
    }

    /// The same without the examples for which a reason is kept why no cluster can show them.
    #[must_use]
    pub fn without(mut self, open: &[Unwitnessed]) -> Self {
        let is_open = |name: &str| open.iter().any(|row| row.subject == self.name && row.example == name);
        for part in [&mut self.races, &mut self.fixed, &mut self.silent] {
            part.retain(|example| !is_open(&example.name));
        }
        self
    }

    fn of_row(name: String) -> Result<Self, Failure> {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../plimsoll-knowledge/src/references/examples");
        let path = Path::new(folder).join(format!("{name}.yaml"));
        let text = std::fs::read_to_string(&path).map_err(Failure::file(&path))?;
        let example = Example::of_file("Example", &text);
        let rule = example.races().into_iter().map(|race| race.code).next().unwrap_or_default();
        Ok(Self { name, rule, races: vec![example], fixed: Vec::new(), silent: Vec::new() })
    }
}
