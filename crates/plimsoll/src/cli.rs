//! The command line: every command, and the flags that more than one of them has.

mod settle;
mod world;

pub(crate) use settle::fill;
pub(crate) use world::WorldArguments;

use crate::commands::{CheckArguments, ConfigCommand, ExplainArguments, RenderArguments};
use crate::config::{Config, Wanted};
use crate::exit_code;
use crate::failure::Failure;
use crate::words;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Finds every order of events in which a Kubernetes deployment can fail.
///
/// Deploy tools go on as soon as an object is created; the next object often needs it healthy. Plimsoll reads what
/// you deploy and how, and shows the order of events in which that goes wrong: with times, with the exact error you
/// would see, and with the fix. It needs no cluster.
#[derive(Debug, Parser)]
#[command(name = "plimsoll", version, arg_required_else_help = true, after_help = exit_codes())]
pub(crate) struct Cli {
    /// What is asked.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What can be asked.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Check(Box<CheckArguments>),
    Explain(Box<ExplainArguments>),
    Render(Box<RenderArguments>),
    Config(ConfigCommand),
}

/// What is read, and how it is deployed.
#[derive(Debug, Args)]
pub(crate) struct InputArguments {
    /// Files and folders to read; several are one deployment, applied in this order
    ///
    /// Folders are read with their sub-folders. Files ending in .sh are read as deploy scripts. `-` is the standard
    /// input. Without any path, `-f` or `--script`, the current folder is read.
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<String>,

    /// Read this file or folder after every PATH; `-` is the standard input
    #[arg(short = 'f', value_name = "FILE")]
    pub(crate) files: Vec<String>,

    /// Read folders without their sub-folders
    #[arg(long)]
    pub(crate) no_recursive: bool,

    /// Leave out files and folders that match this pattern, such as `**/tests/**`; may be repeated
    #[arg(long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,

    /// A deploy script whose commands say the order; `-` is the standard input
    ///
    /// `kubectl apply`, `create`, `replace`, `delete`, `wait`, `rollout status` and `until` loops are understood. A
    /// wait counts only where its failure stops the script. The script is read and never run; paths in it are taken
    /// from the current folder.
    #[arg(long, value_name = "FILE")]
    pub(crate) script: Option<String>,

    /// The tool that delivers manifests; `auto`, the default, takes kubectl for plain manifests
    #[arg(long, value_enum, value_name = "TOOL")]
    pub(crate) tool: Option<ToolName>,

    /// The tool's version, such as 1.34
    #[arg(long, value_name = "VERSION", value_parser = words::version)]
    pub(crate) tool_version: Option<String>,

    /// A flag with which the tool is called, such as --tool-flag=--server-side; may be repeated
    #[arg(long, value_name = "FLAG", allow_hyphen_values = true, value_parser = words::flag)]
    pub(crate) tool_flag: Vec<String>,

    /// Let an installed program render charts or kustomizations; may be repeated
    ///
    /// Then the answer depends on the program's version, and places are lines of its output.
    #[arg(long, value_enum, value_name = "PROGRAM")]
    pub(crate) renderer: Vec<RendererName>,

    /// Let charts ask a cluster, through the installed kubectl: what `lookup` finds, which APIs and version it has
    ///
    /// Nothing is changed there. Without a CONTEXT, kubectl's current one is asked.
    #[arg(long, value_name = "CONTEXT", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub(crate) live: Option<String>,

    #[command(flatten)]
    pub(crate) chart: ChartArguments,

    /// The version of the API server, such as 1.34; the newest that is known unless said
    #[arg(long, value_name = "VERSION")]
    pub(crate) kube_version: Option<plimsoll_schema::Version>,

    /// The namespace of objects that name none [default: default]
    #[arg(short, long, value_name = "NAMESPACE", value_parser = words::namespace)]
    pub(crate) namespace: Option<String>,

    #[command(flatten)]
    pub(crate) config: ConfigArguments,
}

const SETTINGS: &str = "Settings";

/// Where settings come from that the command line leaves open.
#[derive(Debug, Args)]
pub(crate) struct ConfigArguments {
    /// The file of settings; without it, the nearest .plimsoll.yaml from here to the top of the repository
    #[arg(long, help_heading = SETTINGS, value_name = "FILE")]
    config: Option<PathBuf>,

    /// Read no file of settings
    #[arg(long, help_heading = SETTINGS, conflicts_with = "config")]
    no_config: bool,

    /// Settings that belong together; whatever else is said outweighs them
    ///
    /// ci: a gate before every merge. strict: nothing is passed over. audit: everything is told and nothing fails.
    #[arg(long, help_heading = SETTINGS, value_name = "PRESET", value_parser = ["ci", "strict", "audit"])]
    preset: Option<String>,
}

impl ConfigArguments {
    /// Reads the settings.
    pub(crate) fn read(&self) -> Result<Config, Failure> {
        let wanted = match &self.config {
            _ if self.no_config => Wanted::Nothing,
            Some(path) => Wanted::Named(path.clone()),
            None => Wanted::Nearest,
        };
        Config::read(&wanted, self.preset.as_deref())
    }
}

const CHARTS: &str = "Helm charts";

/// What charts are rendered for.
#[derive(Debug, Args)]
pub(crate) struct ChartArguments {
    /// The name of the release; the name of the chart unless said
    #[arg(long, help_heading = CHARTS, value_name = "NAME")]
    pub(crate) release: Option<String>,

    /// A file of values; may be repeated
    #[arg(long, help_heading = CHARTS, value_name = "FILE")]
    pub(crate) values: Vec<String>,

    /// Values, such as `image.tag=1.2,replicas=3`; may be repeated
    #[arg(long, help_heading = CHARTS, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,

    /// Values that are text, whatever they look like
    #[arg(long, help_heading = CHARTS, value_name = "KEY=VALUE")]
    pub(crate) set_string: Vec<String>,

    /// Values in JSON
    #[arg(long, help_heading = CHARTS, value_name = "KEY=JSON")]
    pub(crate) set_json: Vec<String>,

    /// Values that are the content of a file
    #[arg(long, help_heading = CHARTS, value_name = "KEY=FILE")]
    pub(crate) set_file: Vec<String>,

    /// An API that the cluster offers besides those of Kubernetes, such as `monitoring.coreos.com/v1`; may be repeated
    #[arg(long, help_heading = CHARTS, value_name = "API")]
    pub(crate) api_versions: Vec<String>,
}

/// The tools that can be named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ToolName {
    /// The tool that the input is made for
    Auto,
    /// `kubectl apply`
    Kubectl,
    /// `helm install`
    Helm,
}

/// The programs that can render in our place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RendererName {
    /// `helm template`, for charts
    Helm,
    /// `kustomize build`, for kustomizations
    Kustomize,
}

fn exit_codes() -> String {
    let lines = exit_code::ALL.map(|(number, meaning)| format!("  {number:<3}  {meaning}"));
    format!("Exit codes:\n{}", lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }
}
