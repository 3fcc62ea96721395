//! What is done to which cluster: the operation, and what is taken as given.

use super::InputArguments;
use crate::analysis::{Served, Settings};
use crate::assumption::{Assumed, Assumption, Assumptions};
use crate::config::Config;
use crate::externals::{self, External};
use crate::failure::Failure;
use crate::input;
use clap::{Args, ValueEnum};
use plimsoll_model::Operation;
use std::path::PathBuf;

/// What is done to which cluster.
#[derive(Debug, Args)]
pub(crate) struct WorldArguments {
    /// What is done to the cluster; may be repeated [default: install, then upgrade]
    ///
    /// install: onto a cluster that has none of it. upgrade: onto a cluster that has what --from names, or all of it
    /// already. rollback: back to what --from names, or to the same. uninstall: all of it is taken away.
    #[arg(long, value_enum, value_name = "OPERATION")]
    pub(crate) operation: Vec<OperationName>,

    /// What the cluster has before, in its earlier state: a chart, a folder or a script; may be repeated
    ///
    /// Then the transition is checked: an upgrade from there. What is there stays; what Helm, or `--prune`, finds no
    /// longer in the input is deleted. Values hold for both, unless --from-values is given.
    #[arg(long, value_name = "PATH")]
    pub(crate) from: Vec<String>,

    /// Values that charts had before, instead of those given now; may be repeated
    ///
    /// Without --from, the charts are the same: then a change of values alone is checked.
    #[arg(long, value_name = "FILE")]
    pub(crate) from_values: Vec<String>,

    /// Take an object, a chart or an API as being there before the run; may be repeated
    ///
    /// An object at this milestone or in every way, such as `Secret/shop/db-password`, or
    /// `CustomResourceDefinition/certificates.cert-manager.io=established`; `*` stands for any text. A chart in this
    /// version, such as `chart/external-secrets@0.16.2`, with what is known of it. An API, such as
    /// `api/cert-manager.io/v1`.
    #[arg(long, value_name = "OBJECT[=MILESTONE]|chart/NAME@VERSION|api/GROUP/VERSION")]
    pub(crate) assume: Vec<Assumption>,

    /// A file that says what others provide: objects, APIs and charts that are there before; may be repeated
    #[arg(long, value_name = "FILE")]
    pub(crate) externals: Vec<PathBuf>,

    /// Take the cluster as empty: whatever the input does not bring is missing
    #[arg(long)]
    pub(crate) closed: bool,

    /// What the files of externals say.
    #[arg(skip)]
    provided: Vec<External>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum OperationName {
    Install,
    Upgrade,
    Rollback,
    Uninstall,
}

impl WorldArguments {
    /// Fills in what the settings say and the command line does not, and reads what others provide.
    pub(crate) fn settle(&mut self, config: &Config, input: &mut InputArguments) -> Result<(), Failure> {
        if self.operation.is_empty() {
            self.operation = config.all_parsed("operations", |word| OperationName::from_str(word, false))?;
        }
        self.assume.extend(config.all_parsed("assume", str::parse)?);
        self.closed |= config.switch("closed").unwrap_or(false);
        self.externals.extend(config.paths("externals"));
        for path in &self.externals {
            self.provided.extend(externals::read(path)?);
        }
        let apis = self.all().filter_map(|(what, _)| match what {
            Assumption::Api(api) => Some(api.clone()),
            _ => None,
        });
        input.chart.api_versions.extend(apis);
        Ok(())
    }

    /// The charts that are taken as installed.
    pub(crate) fn charts(&self) -> Vec<(String, String)> {
        let charts = self.all().filter_map(|(what, _)| match what {
            Assumption::Chart { name, version } => Some((name.clone(), version.clone())),
            _ => None,
        });
        charts.collect()
    }

    /// What is asked of the reasoning.
    pub(crate) fn settings(&self, arguments: &InputArguments) -> Settings {
        let operations = match self.operation.as_slice() {
            [] if !self.from.is_empty() || !self.from_values.is_empty() => vec![Operation::Upgrade],
            [] => vec![Operation::Install, Operation::Upgrade],
            chosen => chosen.iter().map(|name| Operation::from(*name)).collect(),
        };
        let mut assumed = Assumptions::default();
        for (what, by) in self.all() {
            if let Some((pattern, milestone)) = what.object() {
                assumed.add(Assumed { pattern, milestone, by: by.map(str::to_owned) });
            }
        }
        let kube_version = input::kube_version(arguments);
        Settings { kube_version, operations, assumed, is_closed: self.closed, served: Served::AsKnown }
    }

    /// Everything that is there before, and who published it.
    fn all(&self) -> impl Iterator<Item = (&Assumption, Option<&str>)> {
        let provided = self.provided.iter().map(|external| (&external.what, Some(external.by.as_str())));
        self.assume.iter().map(|assumption| (assumption, None)).chain(provided)
    }
}

impl From<OperationName> for Operation {
    fn from(name: OperationName) -> Self {
        match name {
            OperationName::Install => Self::Install,
            OperationName::Upgrade => Self::Upgrade,
            OperationName::Rollback => Self::Rollback,
            OperationName::Uninstall => Self::Uninstall,
        }
    }
}
