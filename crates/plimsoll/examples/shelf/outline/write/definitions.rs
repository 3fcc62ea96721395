//! Definitions, as rows of what all stand-ins share.

use super::Stated;
use super::text::{Used, expression};
use crate::outline::blocks::{Piece, Template};
use crate::outline::explain::{Condition, Meaning};
use crate::outline::facts::ROW;
use crate::outline::known::Known;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// How many values may decide about a definition.
const MOST_ASKED: usize = 6;

/// What rows have in common: the condition of the definitions, those of the forms before this one, which must not hold,
/// that of this form, the group, and who converts.
type Shared = (Condition, Vec<Condition>, Condition, String, String);

/// The definitions of one `crds/` folder, by number, each with the versions in which it stands there.
type Installed = Vec<(usize, Condition)>;

/// Where a definition that Helm installs before everything else stands.
#[derive(PartialEq, Eq)]
enum Standing {
    Nowhere,
    /// In the chart itself.
    Own,
    /// In a chart inside that a value turns on.
    Inside(String),
}

impl Stated<'_> {
    /// The definitions that Helm installs before everything else, by the value that turns them on. No template decides
    /// about those, so that one that depends on more than a value cannot be said.
    pub(super) fn installed(&self, known: &mut [Known]) -> BTreeMap<Option<String>, Installed> {
        let mut found = BTreeMap::<Option<String>, Installed>::new();
        for (at, one) in known.iter_mut().enumerate() {
            if one.kind != "CustomResourceDefinition" || !one.is_definition || one.presence.is_none() {
                continue;
            }
            let standings: Option<Vec<Standing>> =
                (0..self.answers.versions.len()).map(|version| self.standing(one, version)).collect();
            let Some(standings) = standings else {
                one.presence = None;
                continue;
            };
            let inside = standings.iter().filter_map(|standing| match standing {
                Standing::Inside(path) => Some(Some(path.clone())),
                _ => None,
            });
            let places: BTreeSet<Option<String>> = inside.chain([None]).collect();
            for place in places {
                let standing = place.clone().map_or(Standing::Own, Standing::Inside);
                if standings.contains(&standing) {
                    let condition = self.in_versions(|version| standings.get(version) == Some(&standing));
                    found.entry(place).or_default().push((at, condition));
                }
            }
        }
        found
    }

    /// Where a definition stands in a version; `None` if no chart can say that.
    fn standing(&self, one: &Known, version: usize) -> Option<Standing> {
        let rows = one.fields.get(&vec![ROW.to_owned()]).into_iter().flatten();
        let mut asked = rows.flat_map(|(_, form)| form.groups.iter().flatten());
        let presence = one.presence.as_ref()?;
        if asked.any(|(meaning, _)| !matches!(meaning, Meaning::Since(_))) {
            return None;
        }
        let asked = presence.groups.iter().flatten().map(|(meaning, _)| meaning);
        let asked: BTreeSet<&Meaning> =
            asked.filter(|meaning| !matches!(meaning, Meaning::Since(_))).collect();
        let holds = |on: &BTreeSet<&Meaning>| {
            presence.holds_where(|meaning| match meaning {
                Meaning::Since(first) => version >= *first,
                other => on.contains(other),
            })
        };
        let (mut all, mut sets) = (vec![true, false], vec![BTreeSet::new()]);
        for meaning in asked.iter().take(MOST_ASKED) {
            let with: Vec<_> =
                sets.iter().map(|set| set.iter().copied().chain([*meaning]).collect()).collect();
            sets.extend(with);
        }
        all.retain(|is_there| sets.iter().all(|set| holds(set) == *is_there));
        if let [is_there] = all.as_slice() {
            return Some(if *is_there { Standing::Own } else { Standing::Nowhere });
        }
        asked.iter().find_map(|meaning| match meaning {
            Meaning::On(path) if sets.iter().all(|set| holds(set) == set.contains(meaning)) => {
                (!self.varies(path)).then(|| Standing::Inside(path.clone()))
            }
            _ => None,
        })
    }

    /// A file of definitions, each with the condition under which it is there.
    pub(super) fn definitions(&self, known: &[(&Known, Condition)], place: &str, used: &mut Used) -> String {
        let mut own = Used::default();
        let mut rows = BTreeMap::<Shared, BTreeSet<String>>::new();
        for (one, presence) in known {
            let converter = converter(one, &mut own);
            own.condition(presence);
            let mut before = Vec::new();
            for (row, form) in one.fields.get(&vec![ROW.to_owned()]).into_iter().flatten() {
                own.condition(form);
                let text = plain(row);
                let Some((group, row)) = text.split_once(' ') else { continue };
                let shared =
                    (presence.clone(), before.clone(), form.clone(), group.to_owned(), converter.clone());
                rows.entry(shared).or_default().insert(row.to_owned());
                before.push(form.clone());
            }
        }
        let mut text =
            format!("{{{{- /* The definitions of the chart's {place}. */ -}}}}\n{}", self.variables(&own));
        for ((presence, before, form, group, converter), rows) in rows {
            let must = [presence, form].into_iter().filter(|condition| !condition.is_always());
            let must = must.map(|condition| self.condition(&condition));
            let not = before.iter().map(|condition| format!("not ({})", self.condition(condition)));
            let conditions: Vec<String> = must.chain(not).collect();
            for condition in &conditions {
                let _ = writeln!(text, "{{{{- if {condition} }}}}");
            }
            let rows: Vec<String> = rows.into_iter().map(|row| format!("  \"{row}\"")).collect();
            let _ = writeln!(text, "{{{{- range list\n{} }}}}", rows.join("\n"));
            let _ = writeln!(
                text,
                "{{{{- include \"shelf.definition\" (dict \"group\" \"{group}\" \"row\" .{converter}) }}}}\n{{{{- end }}}}"
            );
            text.extend(conditions.iter().map(|_| "{{- end }}\n"));
        }
        used.paths.extend(own.paths);
        used.meanings.extend(own.meanings);
        used.blocks.extend(own.blocks);
        text
    }
}

fn plain(template: &Template) -> String {
    let pieces = template.iter().map(|piece| match piece {
        Piece::Text(text) => text.trim_matches('"'),
        Piece::Block(_) => "",
    });
    pieces.collect()
}

/// The service that converts, where every form of it is the same.
fn converter(one: &Known, used: &mut Used) -> String {
    let mut words = String::new();
    for field in ["name", "namespace"] {
        let forms = one.fields.get(&vec!["converter".to_owned(), field.to_owned()]);
        if let Some([(template, condition)]) = forms.map(Vec::as_slice)
            && condition.is_always()
        {
            used.template(template);
            let _ = write!(words, " \"{field}\" {}", expression(template));
        }
    }
    if words.is_empty() { words } else { format!(" \"converter\" (dict{words})") }
}

/// The groups that are defined.
pub(super) fn groups(definitions: &[&Known]) -> String {
    let rows = definitions.iter().filter_map(|one| one.fields.get(&vec![ROW.to_owned()])).flatten();
    let groups = rows.filter_map(|(row, _)| Some(plain(row).split_once(' ')?.0.to_owned()));
    // What Kubernetes' own projects define belongs to no chart, though some bring it.
    let groups = groups.filter(|group| !group.ends_with(".k8s.io"));
    groups.collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>().join(" ")
}
