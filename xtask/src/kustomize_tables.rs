//! `cargo xtask generate kustomize`: the tables of fields and lists that kustomize carries inside, printed by its own
//! code. It needs Go and its module proxy.

use crate::go_module::download;
use anyhow::{Context as _, Result, ensure};
use plimsoll_testbed::workplace::Workplace;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The module that kustomize v5.8.1 and kubectl v1.36.4 are built with.
const MODULE: &str = "sigs.k8s.io/kustomize/api@v0.21.1";

/// Writes the tables.
pub(crate) fn generate() -> Result<()> {
    print_into(&tables())
}

/// Fails where a table is not what the program carries.
pub(crate) fn check() -> Result<()> {
    let fresh = Workplace::open()?;
    print_into(fresh.path())?;
    for name in ["fields.tsv", "lists.tsv"] {
        let [kept, new] = [&tables(), fresh.path()].map(|folder| std::fs::read(folder.join(name)));
        ensure!(kept? == new?, "data/{name} is old: run `cargo xtask generate kustomize`");
    }
    Ok(())
}

fn tables() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/plimsoll-kustomize/data")
}

/// Runs the printer inside a copy of the module, whose internal packages nobody else may use.
fn print_into(folder: &Path) -> Result<()> {
    let copy = Workplace::open()?;
    copy_folder(&download(MODULE)?, copy.path())?;
    let printer = copy.path().join("print");
    std::fs::create_dir(&printer)?;
    std::fs::write(printer.join("main.go"), include_str!("kustomize_tables/dump.go"))?;
    let status = Command::new("go")
        .current_dir(copy.path())
        .args(["run", "./print"])
        .arg(folder.canonicalize()?)
        .status()
        .context("running go")?;
    ensure!(status.success(), "the printer of the tables failed");
    Ok(())
}

/// The module cache is read-only; a copy is not.
fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            std::fs::create_dir(&target)?;
            copy_folder(&entry.path(), &target)?;
        } else {
            std::fs::write(&target, std::fs::read(entry.path())?)?;
        }
    }
    Ok(())
}
