//! Programs that were built once: `${XDG_CACHE_HOME:-~/.cache}/plimsoll/programs/NAME-VERSION/NAME`.

use std::path::PathBuf;

/// Where a program lies when it is in the cache; nothing if this user has no home.
pub(super) fn path(name: &str, version: &str) -> Option<PathBuf> {
    Some(folder()?.join(format!("{name}-{version}")).join(name))
}

fn folder() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let cache = set("XDG_CACHE_HOME").or_else(|| Some(set("HOME")?.join(".cache")))?;
    Some(cache.join("plimsoll/programs"))
}
