//! Externals: what others provide, as a file that a platform team publishes for its cluster.

use crate::assumption::{Assumption, milestone};
use crate::failure::Failure;
use crate::object_pattern::ObjectPattern;
use plimsoll_model::{FileIndex, Node, Place, Value};
use std::collections::BTreeMap;
use std::path::Path;

const API_VERSION: &str = "plimsoll.dev/v1alpha1";
const KIND: &str = "Externals";

/// A larger file is not read.
const MOST_BYTES: u64 = 16 * 1024 * 1024;

/// The keys of an entry, and what they say.
pub(crate) const ENTRY: [(&str, &str); 6] = [
    ("object", "an object: Kind/name or Kind/namespace/name; `*` stands for any text"),
    ("api", "an API that is served, such as cert-manager.io/v1"),
    ("chart", "a chart that is installed, with what is known of it"),
    ("version", "the version of the chart"),
    ("milestone", "how far the object has come; without it, it is ready in every way"),
    ("by", "who sees to it"),
];

/// Something that others provide.
#[derive(Debug, Clone)]
pub(crate) struct External {
    /// What.
    pub(crate) what: Assumption,
    /// Who sees to it, and where that is published.
    pub(crate) by: String,
}

/// Reads a file of externals. Everything that is wrong with it is named at once.
pub(crate) fn read(path: &Path) -> Result<Vec<External>, Failure> {
    let unreadable =
        |cause: String| Failure::usage(format!("cannot read the externals in {}: {cause}", path.display()));
    let metadata = std::fs::metadata(path).map_err(|error| unreadable(error.to_string()))?;
    if metadata.len() > MOST_BYTES {
        return Err(unreadable("it is larger than 16 MiB".to_owned()));
    }
    let text = std::fs::read_to_string(path).map_err(|error| unreadable(error.to_string()))?;
    let name = path.display().to_string();
    externals(&name, &text).map_err(|wrong| {
        let told =
            wrong.iter().map(|(place, cause)| format!("{name}:{}:{}: {cause}", place.line, place.column));
        Failure::usage(told.collect::<Vec<_>>().join("\nerror: "))
            .hint("docs/reference/configuration.md shows a file of externals")
    })
}

type Wrong = (Place, String);

fn externals(name: &str, text: &str) -> Result<Vec<External>, Vec<Wrong>> {
    let parsed = plimsoll_yaml::parse(text, FileIndex(0));
    let mut wrong: Vec<Wrong> = parsed.faults.into_iter().map(|fault| (fault.place, fault.cause)).collect();
    let (mut all, mut known) = (Vec::new(), BTreeMap::new());
    for document in &parsed.documents {
        let root = &document.root;
        if (root.text_at(&["apiVersion"]), root.text_at(&["kind"])) != (Some(API_VERSION), Some(KIND)) {
            wrong.push((root.place, format!("this is not `apiVersion: {API_VERSION}` and `kind: {KIND}`")));
            continue;
        }
        for (key, _) in root.entries() {
            if !["apiVersion", "kind", "metadata", "provides"].contains(&&*key.text) {
                wrong.push((key.place, format!("there is no `{}` in externals", key.text)));
            }
        }
        for entry in root.list_at(&["provides"]) {
            match external(name, entry) {
                Ok(external) => {
                    wrong.extend(contradiction(&mut known, &external).map(|cause| (entry.place, cause)));
                    all.push(external);
                }
                Err(misfit) => wrong.push(misfit),
            }
        }
    }
    if wrong.is_empty() { Ok(all) } else { Err(wrong) }
}

fn external(name: &str, entry: &Node) -> Result<External, Wrong> {
    for (key, value) in entry.entries() {
        if !ENTRY.iter().any(|(known, _)| *known == &*key.text) {
            return Err((key.place, format!("there is no `{}` in what is provided", key.text)));
        }
        if !matches!(value.value, Value::Text(_)) {
            return Err((value.place, "this is a text; write it in quotes".to_owned()));
        }
    }
    let text = |key: &str| entry.text_at(&[key]);
    let wrong = |cause: String| (entry.place, cause);
    let what = match (text("object"), text("api"), text("chart")) {
        (Some(object), None, None) => {
            let pattern: ObjectPattern = object.parse().map_err(wrong)?;
            Assumption::Object(pattern, text("milestone").map(milestone).transpose().map_err(wrong)?)
        }
        (None, Some(api), None) => Assumption::api(api).map_err(wrong)?,
        (None, None, Some(chart)) => {
            let version =
                text("version").ok_or_else(|| wrong("`version` of the chart is missing".to_owned()))?;
            Assumption::chart(chart, version).map_err(wrong)?
        }
        _ => return Err(wrong("this provides either an `object`, or an `api`, or a `chart`".to_owned())),
    };
    let idle = [("milestone", "object"), ("version", "chart")];
    if let Some((key, of)) = idle.into_iter().find(|(key, of)| text(key).is_some() && text(of).is_none()) {
        return Err(wrong(format!("`{key}` goes with `{of}` only")));
    }
    let place = format!("{name}:{}", entry.place.line);
    let by = text("by").map_or_else(|| place.clone(), |by| format!("{by} ({place})"));
    Ok(External { what, by })
}

/// One object at two milestones, or one chart in two versions: nobody knows which holds.
fn contradiction(known: &mut BTreeMap<String, External>, new: &External) -> Option<String> {
    let name = match &new.what {
        Assumption::Object(pattern, _) => pattern.to_string(),
        Assumption::Chart { name, .. } => format!("chart/{name}"),
        Assumption::Api(_) => return None,
    };
    let first = known.entry(name).or_insert_with(|| new.clone());
    (first.what != new.what).then(|| format!("this contradicts what is provided by {}", first.by))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(provides: &str) -> String {
        let text = format!("apiVersion: plimsoll.dev/v1alpha1\nkind: Externals\nprovides:\n{provides}");
        let wrong = externals("e.yaml", &text).expect_err(provides);
        wrong.iter().map(|(place, cause)| format!("{}: {cause}", place.line)).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        for (provides, expected) in [
            ("- {object: web}\n", "4: an object is written Kind/name or Kind/namespace/name"),
            ("- {by: us}\n", "4: this provides either an `object`, or an `api`, or a `chart`"),
            (
                "- {object: A/b, api: c.io/v1}\n",
                "4: this provides either an `object`, or an `api`, or a `chart`",
            ),
            ("- {chart: a}\n", "4: `version` of the chart is missing"),
            ("- {chart: a, version: 1.2}\n", "4: this is a text; write it in quotes"),
            ("- {object: A/b, version: '1'}\n", "4: `version` goes with `chart` only"),
            ("- {object: A/b, when: now}\n", "4: there is no `when` in what is provided"),
            (
                "- {object: A/b, milestone: stored, by: us}\n- {object: A/b}\n",
                "5: this contradicts what is provided by us (e.yaml:4)",
            ),
        ] {
            assert_eq!(wrong(provides), expected);
        }
        assert!(externals("e.yaml", "kind: Externals\n").is_err());
        assert!(externals("e.yaml", "apiVersion: plimsoll.dev/v2\nkind: Externals\n").is_err());
        assert!(externals("e.yaml", "a: [\n").is_err());
    }
}
