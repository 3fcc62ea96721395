//! `plimsoll config`: which settings hold, and who said them.

use crate::cli::ConfigArguments;
use crate::config::{schema, show};
use crate::failure::Failure;
use crate::{exit_code, output};
use clap::{Args, Subcommand};
use std::process::ExitCode;

/// Show the settings that hold here, or the schema of .plimsoll.yaml
#[derive(Debug, Args)]
pub(crate) struct ConfigCommand {
    #[command(subcommand)]
    asked: Asked,
}

#[derive(Debug, Subcommand)]
enum Asked {
    /// Print every setting with its value
    Show {
        #[command(flatten)]
        config: ConfigArguments,

        /// Also say who set it: a line of a file, a variable, a preset
        #[arg(long)]
        origin: bool,
    },
    /// Print the JSON schema of .plimsoll.yaml
    Schema,
}

/// Prints what was asked for.
pub(crate) fn config(command: &ConfigCommand) -> Result<ExitCode, Failure> {
    let text = match &command.asked {
        Asked::Show { config, origin } => show(&config.read()?, *origin),
        Asked::Schema => format!("{:#}\n", schema()),
    };
    output::print(&text)?;
    Ok(ExitCode::from(exit_code::CLEAN))
}
