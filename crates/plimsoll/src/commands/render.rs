//! `plimsoll render`: what is my input taken for?

use crate::cli::InputArguments;
use crate::failure::Failure;
use crate::input::Around;
use crate::report::text::visible;
use crate::report::{manifest, problem};
use crate::{exit_code, input, output};
use clap::{Args, ValueEnum};
use plimsoll_model::Bundle;
use plimsoll_sources::Disk;
use std::process::ExitCode;

/// Print every object as the cluster would get it, in the order in which the tool would send it
///
/// Each object says from which file and line it comes. Values of Secrets are masked.
#[derive(Debug, Args)]
pub(crate) struct RenderArguments {
    #[command(flatten)]
    input: InputArguments,

    /// How to print
    #[arg(short, long, value_enum, default_value = "yaml", value_name = "FORMAT")]
    output: Format,

    /// Print the values of Secrets instead of a mask
    #[arg(long)]
    show_secrets: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Yaml,
    Json,
}

/// Reads and prints.
pub(crate) fn render(mut arguments: RenderArguments) -> Result<ExitCode, Failure> {
    arguments.input.settle()?;
    let bundle = input::read(&arguments.input, Around { is_closed: true, ..Around::default() }, &Disk)?;
    let secrets = if arguments.show_secrets { manifest::Secrets::Shown } else { manifest::Secrets::Masked };
    let texts = match arguments.output {
        Format::Yaml => manifest::as_yaml(&bundle, secrets),
        Format::Json => {
            let text = manifest::as_json(&bundle, secrets);
            vec![text.map_err(|error| Failure::output("cannot write the objects as JSON", &error))?.into()]
        }
    };
    texts.iter().try_for_each(|text| output::print(text))?;
    complain(&bundle);
    let code = exit_code::decide(false, bundle.problems.iter().any(|problem| problem.is_fatal));
    // The process ends here: giving back a large bundle node by node would only take time.
    std::mem::forget((bundle, texts));
    Ok(code)
}

/// What could not be read goes to standard error, so that the objects alone can be piped.
fn complain(bundle: &Bundle) {
    for problem in &bundle.problems {
        let word = if problem.is_fatal { "error" } else { "note" };
        let sentence = problem::sentence(&bundle.files, problem);
        output::complain(&format!("{word}: {}", visible(&sentence)));
    }
}
