//! Charts that keep all their defaults below one key and lay what users set over them: users leave the key out.

use super::switches::leaves_of;
use crate::question::{Answer, Change, Need, Question, Setting};
use plimsoll_chart::Chart;
use plimsoll_model::FileIndex;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// How many values that make a difference are tried.
const MOST_TRIED: usize = 12;

/// The key that users leave out, if there is one.
pub(crate) fn wrapper(folder: &Path, chart: &Chart, needs: &[Need]) -> Option<String> {
    let text = fs::read_to_string(folder.join("values.yaml")).ok()?;
    let values = plimsoll_yaml::value(&text, FileIndex(0)).ok()?;
    let [(key, _)] = values.entries() else { return None };
    let (mut defaults, prefix) = (BTreeMap::new(), format!("{}.", key.text));
    leaves_of(folder, "", &mut defaults, &mut BTreeMap::new());
    let plain = Question::plain("release");
    let ask = |path: &str, setting: &Setting| {
        let question = plain.with(&Change::Set(path.to_owned(), setting.clone()));
        question.ask(chart, needs).ok().map(|answer| objects(&answer))
    };
    let usual = plain.ask(chart, needs).ok().map(|answer| objects(&answer));
    let (mut same, mut different) = (0, 0);
    for (path, default) in &defaults {
        let Some(inner) = path.strip_prefix(&prefix) else { continue };
        let changed = match default {
            Setting::Bool(on) => Setting::Bool(!on),
            Setting::Text(_) => Setting::Text("other".to_owned()),
        };
        let there = ask(path, &changed);
        if there.is_none() || there == usual {
            continue;
        }
        if ask(inner, &changed) == there {
            same += 1;
        } else {
            different += 1;
        }
        if same + different == MOST_TRIED {
            break;
        }
    }
    (same > different).then(|| key.text.to_string())
}

fn objects(answer: &Answer) -> Vec<String> {
    answer.objects.iter().map(|(_, object)| format!("{:?}", object.value)).collect()
}
