//! `cargo xtask charts`: the renderer of charts beside Go's templates and beside the real Helm.

use anyhow::{Context as _, Result, bail, ensure};
use plimsoll_testbed::programs::Program;
use plimsoll_testbed::workplace::Workplace;
use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Renders every chart below some folders with Helm 3, Helm 4 and the renderer, and says how many agree.
pub(crate) fn compare(arguments: &[&str]) -> Result<()> {
    ensure!(!arguments.is_empty(), "name folders with charts");
    let helm3 = Program::named("helm3")?.obtain(&mut crate::complain)?;
    let helm4 = Program::named("helm4")?.obtain(&mut crate::complain)?;
    let mut command =
        cargo(&["run", "--release", "--package", "plimsoll-chart", "--example", "compare", "--"]);
    run(command.args(arguments).env("HELM3", helm3).env("HELM4", helm4))
}

/// Holds the chart shelf against every chart below some folders.
pub(crate) fn shelf(arguments: &[&str]) -> Result<()> {
    ensure!(!arguments.is_empty(), "name folders with charts");
    run(cargo(&["run", "--package", "plimsoll", "--example", "shelf", "--"]).args(arguments))
}

/// Writes a stand-in for the chart whose versions lie below each folder.
pub(crate) fn outline(arguments: &[&str]) -> Result<()> {
    ensure!(!arguments.is_empty(), "name folders, each with all versions of one chart");
    let words = ["run", "--release", "--package", "plimsoll", "--example", "shelf", "--", "outline"];
    run(cargo(&words).args(arguments))
}

/// Makes one version of a chart of a manifest, so that `outline` can write a stand-in for it.
pub(crate) fn wrap(arguments: &[&str]) -> Result<()> {
    let [folder, version, manifests @ ..] = arguments else {
        bail!("usage: cargo xtask charts wrap FOLDER/NAME.yaml VERSION MANIFEST…");
    };
    let name = Path::new(folder).file_name().and_then(OsStr::to_str).context("the folder has no name")?;
    let chart = Path::new(folder).join(version);
    fs::create_dir_all(chart.join("templates"))?;
    fs::write(chart.join("Chart.yaml"), format!("apiVersion: v2\nname: {name}\nversion: {version}\n"))?;
    for (number, manifest) in manifests.iter().enumerate() {
        let text = fs::read_to_string(manifest).with_context(|| (*manifest).to_owned())?;
        let template = text.replace("{{", "{{ \"{{\" }}");
        fs::write(chart.join("templates").join(format!("{number:03}.yaml")), template)?;
    }
    Ok(())
}

/// Asks Go about made-up templates: compares the answers, or keeps some of them with `--write`.
pub(crate) fn templates(arguments: &[&str]) -> Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/plimsoll-chart/src/template/tests");
    let workplace = Workplace::open()?;
    let answerer = workplace.path().join("answerer");
    let mut go = Command::new("go");
    go.args([OsStr::new("build"), OsStr::new("-o"), answerer.as_os_str(), OsStr::new(".")]);
    run(go.current_dir(folder.join("answerer")))?;
    let mut command =
        cargo(&["test", "--release", "--package", "plimsoll-chart", "new_templates", "--", "--nocapture"]);
    command.env("PLIMSOLL_TEMPLATE_ANSWERER", &answerer);
    match arguments {
        [] => command.env("PLIMSOLL_TEMPLATE_ROUNDS", "20000"),
        ["--rounds", count] => command.env("PLIMSOLL_TEMPLATE_ROUNDS", count),
        ["--write"] => {
            command.env("PLIMSOLL_TEMPLATE_ROUNDS", "450").env("PLIMSOLL_TEMPLATE_SEED", "77");
            command.env("PLIMSOLL_TEMPLATE_WRITE", folder.join("answers.jsonl"))
        }
        _ => bail!("usage: cargo xtask charts templates [--rounds N | --write]"),
    };
    run(&mut command)
}

fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO"));
    command.args(arguments);
    command
}

fn run(command: &mut Command) -> Result<()> {
    let shown = command.get_program().to_string_lossy().into_owned();
    let status = command.status().with_context(|| shown.clone())?;
    ensure!(status.success(), "{shown} ended with {status}");
    Ok(())
}
