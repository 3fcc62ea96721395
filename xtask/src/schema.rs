//! `generate schema`: writes `kinds.tsv` and `removed.tsv` of `plimsoll-schema` from Kubernetes' own released
//! modules. A new minor: add its latest patch to `RELEASES`, drop the oldest, raise `LIFECYCLES`, run again, and set
//! `OLDEST` and `NEWEST` in the crate's `version.rs`.

mod defaults;
mod discovery;
mod kinds;
mod lifecycle;

use crate::go_module;
use anyhow::{Context as _, Result, ensure};
use std::path::{Path, PathBuf};

/// The last ten minors, each in its latest patch on the module proxy.
const RELEASES: [&str; 10] = [
    "1.28.15", "1.29.15", "1.30.14", "1.31.14", "1.32.13", "1.33.13", "1.34.10", "1.35.8", "1.36.4", "1.37.1",
];

/// The modules that declare when a version was removed; 0.22.5 is the last on the proxy that still has all types
/// which newer ones dropped (`PodSecurityPolicy`, `autoscaling/v2beta1` and `v2beta2`).
const LIFECYCLES: [&str; 4] = [
    "k8s.io/api@v0.37.1",
    "k8s.io/apiextensions-apiserver@v0.37.1",
    "k8s.io/kube-aggregator@v0.37.1",
    "k8s.io/api@v0.22.5",
];

/// Writes both tables.
pub(crate) fn generate() -> Result<()> {
    for (path, text) in tables()? {
        std::fs::write(&path, text).with_context(|| format!("writing {}", path.display()))?;
    }
    Ok(())
}

/// Fails when a table is not what `generate` would write.
pub(crate) fn check() -> Result<()> {
    for (path, text) in tables()? {
        let found = std::fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
        ensure!(found == text, "{} is not current: run `cargo xtask generate schema`", path.display());
    }
    Ok(())
}

fn tables() -> Result<[(PathBuf, String); 2]> {
    let mut kinds = kinds::Kinds::default();
    for release in RELEASES {
        let root = go_module::download(&format!("k8s.io/kubernetes@v{release}"))?;
        add_release(&mut kinds, release, &root).with_context(|| format!("reading Kubernetes {release}"))?;
    }
    let mut removed = lifecycle::Removed::default();
    for module in LIFECYCLES {
        let root = go_module::download(module)?;
        removed.read(&root).with_context(|| format!("reading {module}"))?;
    }
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/plimsoll-schema/data");
    let removed = removed.to_text(&kinds, &LIFECYCLES)?;
    Ok([(data.join("kinds.tsv"), kinds.to_text(&RELEASES)?), (data.join("removed.tsv"), removed)])
}

fn add_release(kinds: &mut kinds::Kinds, release: &str, root: &Path) -> Result<()> {
    let minor = release.split('.').nth(1).context("a release has a minor")?.parse()?;
    let defaults = defaults::read(root)?;
    for resource in discovery::read(root)? {
        let served = defaults.serves(&resource);
        kinds.add(minor, &resource, served)?;
    }
    Ok(())
}
