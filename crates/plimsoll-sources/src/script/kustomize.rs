//! Kustomizations in scripts: `kubectl apply -k`, `kubectl kustomize` and `kustomize build`.

use super::expand::Field;
use super::paths;
use super::reader::Reader;
use super::state::State;
use super::supply::Supply;
use crate::kustomization::{self, BuildFlags, Built, Reorder};

/// BuildFlags of `kustomize build` that change nothing where no plugin and no function is at work; those with a value, and
/// those without. Read from kustomize v5.8.1, `commands/build/build.go`.
const IDLE_WITH_VALUE: [&str; 7] = [
    "--env",
    "-e",
    "--mount",
    "--network-name",
    "--helm-command",
    "--helm-api-versions",
    "--helm-kube-version",
];
const IDLE: [&str; 4] = ["--enable-alpha-plugins", "--enable-exec", "--network", "--as-current-user"];

/// What the kustomization in a folder delivers, or why that cannot be known.
pub(super) fn build(
    reader: &mut Reader<'_, '_>,
    folder: &str,
    flags: BuildFlags,
    namespace: &str,
) -> Result<Built, String> {
    let folder = if folder.is_empty() { "." } else { folder };
    let built = kustomization::build(reader.reading, folder, flags, namespace);
    built.map_err(|refusal| {
        reader.reading.problem(refusal.place, refusal.cause.clone(), true);
        kustomization::sentence(&refusal, reader.reading, folder)
    })
}

/// The folder that a word names, seen from where the script stands.
pub(super) fn folder_of(word: &Field, state: &State) -> Result<String, String> {
    if let Some(unknown) = &word.unknown {
        return Err(format!("the kustomization `{}` holds `{unknown}`, which is not known", word.text));
    }
    if word.text.contains("://") || word.text.contains("?ref=") {
        return Err(format!(
            "nothing is fetched from the network; download `{}` and name its folder",
            word.text
        ));
    }
    paths::resolve(state.folder.as_deref(), &word.text)
        .ok_or_else(|| format!("the kustomization `{}` is in a folder that is not known", word.text))
}

/// What `kustomize build` or `kubectl kustomize` prints, from the arguments behind that word; `None` for flags that
/// are not understood.
pub(super) fn printed(arguments: &[Field], state: &State) -> Option<Supply> {
    let here = Field { text: ".".to_owned(), unknown: None };
    let (mut folder, mut flags) = (None, BuildFlags::default());
    let mut rest = arguments.iter();
    while let Some(field) = rest.next() {
        let (name, value) = match field.text.split_once('=') {
            Some((name, value)) if name.starts_with('-') => (name, Some(value.to_owned())),
            _ => (field.text.as_str(), None),
        };
        let mut value = || value.clone().or_else(|| rest.next().map(|field| field.text.clone()));
        match name {
            "--reorder" => flags.reorder = Some(reorder_of(&value()?)?),
            "--load-restrictor" => flags.is_unrestricted = value()? == "LoadRestrictionsNone",
            "--enable-helm" => flags.allows_charts = true,
            name if IDLE.contains(&name) => {}
            name if IDLE_WITH_VALUE.contains(&name) => drop(value()),
            name if name.starts_with('-') || folder.is_some() => return None,
            _ => folder = Some(field),
        }
    }
    Some(match folder_of(folder.unwrap_or(&here), state) {
        Ok(folder) => Supply::Kustomization { folder, flags },
        Err(why) => Supply::Opaque(why),
    })
}

fn reorder_of(word: &str) -> Option<Reorder> {
    match word {
        "legacy" => Some(Reorder::Legacy),
        "none" => Some(Reorder::None),
        _ => None,
    }
}
