//! `picture`: the first finding of the example, as a terminal shows it, for the README.

use anstyle::RgbColor;
use anstyle_svg::{Palette, Term, WIN10_CONSOLE};
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
    let shown = format!("\x1b[1;92m$\x1b[0m plimsoll check {EXAMPLE}\n\n{}", first_finding(&report()?)?);
    let (light, dark) = (RgbColor(0xd6, 0xde, 0xe8), RgbColor(0x0f, 0x17, 0x22));
    let terminal = Term::new().palette(bright()).fg_color(light.into()).bg_color(dark.into());
    Ok(terminal.render_svg(&shown))
}

/// Every colour in its bright shade: the others are hard to read on a dark ground.
fn bright() -> Palette {
    let Palette(mut colours) = WIN10_CONSOLE;
    let (dark, bright) = colours.split_at_mut(8);
    dark.copy_from_slice(bright);
    Palette(colours)
}

/// The lines up to the one that names the page of the rule.
fn first_finding(report: &str) -> Result<String> {
    let lines: Vec<&str> = report.lines().collect();
    let last = lines.iter().position(|line| line.contains("plimsoll explain"));
    let block = last.and_then(|last| lines.get(..=last)).context("the report has no finding")?;
    Ok(block.join("\n"))
}

/// The report on the example, with its colours.
fn report() -> Result<String> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_block_ends_with_its_page() {
        let report = "error: one\n\n  docs plimsoll explain A\n\nerror: two\n  docs plimsoll explain B\n";
        assert_eq!(first_finding(report).unwrap(), "error: one\n\n  docs plimsoll explain A");
        assert!(first_finding("read 7 objects").is_err());
    }
}
