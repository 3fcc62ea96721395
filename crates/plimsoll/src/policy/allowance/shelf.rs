//! Everything that is allowed, looked up for each finding; and afterwards, what of it allows nothing any more.

use super::{Allowance, Covers, Remark, SaidAt, Weight, annotations, comments, settings};
use crate::config::Config;
use crate::policy::date::Date;
use plimsoll_model::{Bundle, FileIndex, Finding, Place};
use rustc_hash::FxHashMap;

/// Everything that is allowed.
#[derive(Debug, Default)]
pub(crate) struct Allowances {
    all: Vec<Allowance>,
    /// What could not be taken.
    wrong: Vec<Remark>,
    by_object: FxHashMap<String, Vec<usize>>,
    by_line: FxHashMap<(FileIndex, u32), Vec<usize>>,
    by_pattern: Vec<usize>,
    today: Option<Date>,
}

impl Allowances {
    /// Everything that a bundle and the settings allow, on a day.
    pub(crate) fn read(bundle: &Bundle, config: &Config, today: Date) -> Self {
        let mut allowances = Self { today: Some(today), ..Self::default() };
        let needs_end = config.switch("require-expiry").unwrap_or(false);
        let read =
            annotations::read(bundle).into_iter().chain(comments::read(bundle)).chain(settings::read(config));
        for read in read {
            match read {
                Ok(allowance) if needs_end && allowance.until.is_none() => {
                    let cause = "an end is missing: until=2027-01-31 (`require-expiry` is set)".to_owned();
                    allowances.wrong.push(Remark { said: allowance.said, cause, weight: Weight::Wrong });
                }
                Ok(allowance) => allowances.add(allowance),
                Err(remark) => allowances.wrong.push(remark),
            }
        }
        allowances
    }

    fn add(&mut self, allowance: Allowance) {
        let index = self.all.len();
        match (&allowance.covers, &allowance.said) {
            (Covers::Object(id), _) => self.by_object.entry(id.to_string()).or_default().push(index),
            (Covers::Lines(lines), SaidAt::Input(place)) => {
                for line in lines {
                    self.by_line.entry((place.file, *line)).or_default().push(index);
                }
            }
            (Covers::Lines(_), SaidAt::Outside(_)) => {}
            (Covers::Pattern(_), _) => self.by_pattern.push(index),
        }
        self.all.push(allowance);
    }

    /// What may stay, by its number.
    pub(crate) fn get(&self, number: usize) -> Option<&Allowance> {
        self.all.get(number)
    }

    /// The numbers of those that cover a finding, also of those that have ended.
    pub(crate) fn covering(&self, bundle: &Bundle, finding: &Finding) -> Vec<usize> {
        if self.all.is_empty() {
            return Vec::new();
        }
        let mut found: Vec<usize> = Vec::new();
        for place in places(bundle, finding) {
            found.extend(self.by_line.get(&(place.file, place.line)).into_iter().flatten());
        }
        for end in [&finding.after, &finding.before] {
            if !self.by_object.is_empty() {
                let names = end.carriers.iter().cloned().chain([end.object.to_string()]);
                found.extend(names.filter_map(|name| self.by_object.get(&name)).flatten());
            }
            found.extend(self.by_pattern.iter().filter(|index| {
                let covers = self.all.get(**index).map(|allowance| &allowance.covers);
                matches!(covers, Some(Covers::Pattern(pattern)) if pattern.matches(&end.object))
            }));
        }
        found.retain(|index| self.all.get(*index).is_some_and(|one| one.rule == finding.rule.0));
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Whether one still holds.
    pub(crate) fn holds(&self, number: usize) -> bool {
        let until = self.all.get(number).and_then(|allowance| allowance.until);
        until.is_none_or(|until| self.today.is_none_or(|today| today <= until))
    }

    /// What could not be taken, has ended, or covers nothing; `used` are the numbers of those that cover something.
    pub(in crate::policy) fn remarks(&self, bundle: &Bundle, used: &[usize]) -> Vec<Remark> {
        let mut remarks = self.wrong.clone();
        for (number, allowance) in self.all.iter().enumerate() {
            let Allowance { rule, said, .. } = allowance;
            let (cause, weight) = match (used.contains(&number), self.holds(number)) {
                (true, true) => continue,
                (true, false) => {
                    (format!("this allowed {rule} until {}, and has ended", end(allowance)), Weight::Stale)
                }
                (false, _) if !is_here(bundle, allowance) => {
                    (format!("this allows {rule} for an object that is not in the input"), Weight::Note)
                }
                (false, _) => {
                    (format!("this allows {rule}, which finds nothing here: remove it"), Weight::Stale)
                }
            };
            remarks.push(Remark { said: said.clone(), cause, weight });
        }
        remarks
    }
}

/// Every place that a finding shows: both ends, and where the value is set.
fn places(bundle: &Bundle, finding: &Finding) -> impl Iterator<Item = Place> {
    let ends = [finding.after.place, finding.before.place];
    let value = finding.after.place.and_then(|place| bundle.files.value_of(place));
    ends.into_iter().chain([value]).flatten()
}

fn end(allowance: &Allowance) -> String {
    allowance.until.map_or_else(String::new, |until| until.to_string())
}

/// Whether what is allowed can be judged: settings also speak of objects that were not read this time.
fn is_here(bundle: &Bundle, allowance: &Allowance) -> bool {
    match &allowance.covers {
        Covers::Pattern(pattern) => bundle.deliveries().any(|(_, object)| pattern.matches(&object.id)),
        Covers::Object(_) | Covers::Lines(_) => true,
    }
}
