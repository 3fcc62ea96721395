//! Fetches a Go module and says where its files lie.

use anyhow::{Context as _, Result, ensure};
use std::path::PathBuf;
use std::process::Command;

/// The folder of a module such as `k8s.io/api@v0.37.1`.
pub(crate) fn download(module: &str) -> Result<PathBuf> {
    let output = Command::new("go")
        // Outside any Go module, so that no go.mod of the caller takes part.
        .current_dir(std::env::temp_dir())
        .args(["mod", "download", "-json", module])
        .output()
        .context("running go")?;
    let answer: serde_json::Value =
        serde_json::from_slice(&output.stdout).with_context(|| format!("go mod download {module}"))?;
    let failure = answer.get("Error").and_then(serde_json::Value::as_str);
    ensure!(failure.is_none(), "{}", failure.unwrap_or_default());
    let folder = answer.get("Dir").and_then(serde_json::Value::as_str);
    folder.map(PathBuf::from).with_context(|| format!("go gave no folder for {module}"))
}
