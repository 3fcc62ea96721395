//! `picture`: the first finding of the example, as a terminal shows it, for the README.

use anstyle_svg::Term;
use anyhow::{Context as _, Result, ensure};
use std::path::PathBuf;
use std::process::Command;

const EXAMPLE: &str = "examples/shop";

/// Draws the picture.
pub(crate) fn draw() -> Result<()> {
    let path = path();
    std::fs::write(&path, picture()?).with_context(|| format!("writing {}", path.display()))
}

/// Fails when the picture is not what `draw` would draw.
pub(crate) fn check() -> Result<()> {
    let path = path();
    let found = std::fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
    ensure!(found == picture()?, "{} is not current: run `cargo xtask picture`", path.display());
    Ok(())
}

fn path() -> PathBuf {
    root().join("docs/finding.svg")
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn picture() -> Result<String> {
    let shown = format!("\x1b[2m$\x1b[0m plimsoll check {EXAMPLE}\n\n{}", first_finding()?);
    Ok(Term::new().render_svg(&shown))
}

/// The first block of the report, with its colours.
fn first_finding() -> Result<String> {
    let output = Command::new(env!("CARGO"))
        .current_dir(root())
        .args(["run", "--quiet", "--package", "plimsoll", "--", "check", EXAMPLE])
        .env("CLICOLOR_FORCE", "1")
        .env_remove("NO_COLOR")
        .output()
        .context("running cargo")?;
    let report = String::from_utf8(output.stdout).context("the report is not text")?;
    ensure!(!report.is_empty(), "no report: {}", String::from_utf8_lossy(&output.stderr));
    Ok(report)
}
