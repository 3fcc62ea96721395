//! Definitions, as rows of what all stand-ins share.

use super::Stated;
use super::text::{Used, expression};
use crate::outline::blocks::{Piece, Template};
use crate::outline::explain::{Condition, Meaning};
use crate::outline::facts::ROW;
use crate::outline::known::Known;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// What rows have in common: the condition of the definitions, that of this form of them, the group, and who converts.
type Shared = (Condition, Condition, String, String);

impl Stated<'_> {
    /// A file of definitions.
    pub(super) fn definitions(&self, known: &[&Known], place: &str, used: &mut Used) -> String {
        let mut own = Used::default();
        let mut rows = BTreeMap::<Shared, BTreeSet<String>>::new();
        for one in known {
            let presence = one
                .presence
                .clone()
                .map(|presence| if place == "crds" { versions(presence) } else { presence });
            let presence = presence.unwrap_or_default();
            let converter = converter(one, &mut own);
            own.condition(&presence);
            for (row, form) in one.fields.get(&vec![ROW.to_owned()]).into_iter().flatten() {
                own.condition(form);
                let text = plain(row);
                let Some((group, row)) = text.split_once(' ') else { continue };
                let shared = (presence.clone(), form.clone(), group.to_owned(), converter.clone());
                rows.entry(shared).or_default().insert(row.to_owned());
            }
        }
        let mut text =
            format!("{{{{- /* The definitions of the chart's {place}. */ -}}}}\n{}", self.variables(&own));
        for ((presence, form, group, converter), rows) in rows {
            let conditions = [presence, form].into_iter().filter(|condition| !condition.is_always());
            let conditions: Vec<String> = conditions.map(|condition| self.condition(&condition)).collect();
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

/// The one value that brings all definitions that Helm installs before everything else, if there is one.
pub(super) fn switch(installed: &[&Known]) -> Option<String> {
    let asked = installed
        .iter()
        .flat_map(|one| one.presence.iter().flat_map(|presence| presence.groups.iter().flatten()));
    let mut paths = asked.filter_map(|(meaning, _)| match meaning {
        Meaning::On(path) => Some(path.clone()),
        _ => None,
    });
    paths.next()
}

/// The part of a condition that asks for versions.
fn versions(condition: Condition) -> Condition {
    let is_version =
        |group: &Vec<(Meaning, bool)>| group.iter().all(|(meaning, _)| matches!(meaning, Meaning::Since(_)));
    let groups: Vec<_> = condition.groups.into_iter().filter(is_version).collect();
    Condition { is_any: condition.is_any && !groups.is_empty(), groups }
}
