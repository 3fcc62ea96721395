//! The flags of `plimsoll check`, and how their values are read.

use crate::cli::{InputArguments, WorldArguments};
use crate::policy::Date;
use crate::report::format::Format;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::str::FromStr;

const KNOWN: &str = "What is known already";

/// Find every order of events in which a deployment can fail
///
/// Reads manifests and deploy scripts, and shows for each cause one order of events that fails: with times, with the
/// exact error you would see, whether it heals by itself, and the fix. What nothing in the input delivers is taken
/// as being there before, and listed.
#[derive(Debug, Args)]
pub(crate) struct CheckArguments {
    #[command(flatten)]
    pub(super) input: InputArguments,

    #[command(flatten)]
    pub(super) world: WorldArguments,

    /// Also show noise (what heals within a minute), and guesses
    #[arg(long)]
    pub(super) pedantic: bool,

    /// Under each finding, also show its objects as they were rendered
    #[arg(long, value_enum, value_name = "WHAT")]
    pub(super) show: Option<Shown>,

    /// The mildest consequence that makes the exit code 1 [default: late]
    ///
    /// late: it fails or waits, and succeeds when repeated. stuck: it never succeeds without a change. damage:
    /// something is lost, unprotected, or wrong without an error. never: no finding does.
    #[arg(long, value_enum, value_name = "CONSEQUENCE")]
    pub(super) fail_on: Option<FailOn>,

    #[command(flatten)]
    pub(super) known: KnownArguments,

    /// Do not let input that could not be read make the exit code 2
    #[arg(long)]
    pub(super) allow_incomplete: bool,

    /// Instead of a report, say why B cannot come before what it needs of A: the chain of guarantees
    ///
    /// Objects are written Kind/name or Kind/namespace/name. The exit code is 0 if the pair is held, 1 if it is not,
    /// 2 if nothing is known of it.
    #[arg(long, num_args = 2, value_names = ["A", "B"], conflicts_with = "output")]
    pub(super) why_not: Option<Vec<String>>,

    /// How to report: text, json, sarif, junit or github, also to a file as in `json=report.json`; may be repeated
    ///
    /// sarif: SARIF 2.1.0 for code scanning. junit: the XML that build servers show as tests. github: annotations of
    /// a workflow.
    #[arg(short, long, value_name = "FORMAT[=FILE]", default_value = "text")]
    pub(super) output: Vec<Destination>,
}

/// What is known already and not told again.
#[derive(Debug, Args)]
pub(super) struct KnownArguments {
    /// Tell only findings that this revision of the repository, such as `main`, does not have
    ///
    /// The files of the revision are read out of git; the work tree is left alone.
    #[arg(long, help_heading = KNOWN, value_name = "GITREF")]
    pub(super) since: Option<String>,

    /// Tell only findings that are not in this file
    #[arg(long, help_heading = KNOWN, value_name = "FILE")]
    pub(super) baseline: Option<PathBuf>,

    /// Write everything that is found now into the file of --baseline
    #[arg(long, help_heading = KNOWN, conflicts_with_all = ["update_baseline", "since"])]
    pub(super) write_baseline: bool,

    /// Take out of the file of --baseline what is not found any more; nothing is added
    #[arg(long, help_heading = KNOWN)]
    pub(super) update_baseline: bool,

    /// Take this as the day on which is decided what is still allowed, such as 2027-01-31 [default: today]
    #[arg(long, help_heading = KNOWN, value_name = "DAY")]
    pub(super) today: Option<Date>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Shown {
    Rendered,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum FailOn {
    Late,
    Stuck,
    Damage,
    Never,
}

#[derive(Debug, Clone)]
pub(super) struct Destination {
    pub(super) format: Format,
    pub(super) file: Option<PathBuf>,
}

impl FromStr for Destination {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (format, file) = match text.split_once('=') {
            Some((_, "")) => return Err("after `=` comes the file to write".to_owned()),
            Some((format, file)) => (format, Some(PathBuf::from(file))),
            None => (text, None),
        };
        let format = format.parse()?;
        Ok(Self { format, file })
    }
}
