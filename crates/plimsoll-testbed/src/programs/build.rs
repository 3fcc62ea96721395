//! Builds a program through the Go module proxy, one at a time, and puts it into the cache.

use super::cache::Site;
use super::failure::ProgramError;
use super::go::{Go, module_folder};
use super::{Program, source};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Builds a program; gives where it lies then.
pub(super) fn build(program: &Program, progress: &mut dyn FnMut(&str)) -> Result<PathBuf, ProgramError> {
    let Program { name, version, recipe } = program;
    let site = Site::open(name, &recipe.kept_as(version), progress)?;
    // Somebody else may have built it while this process waited.
    if let Some(path) = program.find() {
        return Ok(path);
    }
    let what = format!("{name} {version}");
    progress(&format!("building {what}, once for this machine"));
    let source = source::lay_out(name, version, recipe, &site.work)?;
    let result = site.result.join(name);
    let mut go = Go { what: &what, temporary: &site.temporary, progress, began: Instant::now() };
    if source.is_tidied {
        go.run(&site.work, &["mod", "tidy"])?;
    }
    let output = result.display().to_string();
    let flags =
        ["build", "-mod=mod", "-trimpath", "-ldflags", &source.linker_flags, "-o", &output, &source.package];
    go.run(&site.work, &flags)?;
    let seconds = go.began.elapsed().as_secs();
    progress(&format!("built {what} in {seconds} s"));
    if *name == "kwok" {
        write_stages(version, &site.result.join(KWOK_STAGES))?;
    }
    Ok(site.finish()?.join(name))
}

/// The file beside kwok that says how its nodes and pods behave; it does nothing without one.
pub(crate) const KWOK_STAGES: &str = "stages.yaml";

fn write_stages(version: &str, path: &Path) -> Result<(), ProgramError> {
    let stages = module_folder(&format!("sigs.k8s.io/kwok@{version}"))?.join("kustomize/stage");
    let files = [
        "node/fast/node-initialize.yaml",
        "node/heartbeat-with-lease/node-heartbeat-with-lease.yaml",
        "pod/fast/pod-ready.yaml",
        "pod/fast/pod-complete.yaml",
        "pod/fast/pod-delete.yaml",
    ];
    let mut text = String::new();
    for file in files {
        let from = stages.join(file);
        let part = fs::read_to_string(&from).map_err(|cause| ProgramError::file(&from, cause))?;
        text.push_str("---\n");
        text.push_str(&part);
        text.push('\n');
    }
    fs::write(path, text).map_err(|cause| ProgramError::file(path, cause))
}
