//! `cargo xtask generate kustomizations`: what the real `kubectl kustomize` makes of the small trees that the reader of
//! kustomizations is tested with.

use anyhow::{Context as _, Result, ensure};
use plimsoll_sources::{Input, Memory, read};
use plimsoll_testbed::programs::Program;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Writes `built` beside every tree.
pub(crate) fn generate() -> Result<()> {
    for case in cases()? {
        std::fs::write(case.join("built"), built(&case)?).with_context(|| case.display().to_string())?;
    }
    Ok(())
}

/// Fails where a `built` is not what the program prints now.
pub(crate) fn check() -> Result<()> {
    for case in cases()? {
        let kept = std::fs::read_to_string(case.join("built")).unwrap_or_default();
        ensure!(
            kept == built(&case)?,
            "{} is old: run `cargo xtask generate kustomizations`",
            case.display()
        );
    }
    Ok(())
}

fn cases() -> Result<Vec<PathBuf>> {
    let folder =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/plimsoll-sources/tests/kustomizations");
    let entries = std::fs::read_dir(&folder).with_context(|| folder.display().to_string())?;
    let mut cases: Vec<PathBuf> = entries.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    cases.sort();
    Ok(cases)
}

/// The version, then every object in the order of the output, or that there is none.
fn built(case: &Path) -> Result<String> {
    let version = run(&["version", "--client"], case)?.0;
    let mut text = String::new();
    for line in version.lines() {
        writeln!(text, "# {line}")?;
    }
    let helm = Program::named("helm3")?.obtain(&mut crate::complain)?;
    let helm = helm.to_str().context("the path of helm is no text")?;
    let (output, has_succeeded) = run(&["kustomize", "--enable-helm", "--helm-command", helm, "tree"], case)?;
    if !has_succeeded {
        writeln!(text, "refused")?;
        return Ok(text);
    }
    let input = Input { paths: vec!["-".to_owned()], ..Input::default() };
    let bundle = read(&input, &Memory::default().with_input(output));
    for (_, object) in bundle.deliveries() {
        writeln!(text, "{} {}", object.api_version(), object.id)?;
    }
    Ok(text)
}

fn run(arguments: &[&str], folder: &Path) -> Result<(String, bool)> {
    let program = Program::named("kubectl")?.obtain(&mut crate::complain)?;
    let output = Command::new(&program).args(arguments).current_dir(folder).output();
    let output = output.with_context(|| program.display().to_string())?;
    Ok((String::from_utf8_lossy(&output.stdout).into_owned(), output.status.success()))
}
