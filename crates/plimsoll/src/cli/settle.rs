//! What the command line leaves open about the input is taken from the settings.

use super::{InputArguments, ToolName};
use crate::config::Config;
use crate::failure::Failure;
use crate::words;
use clap::ValueEnum as _;

impl InputArguments {
    /// Reads the settings and fills in what they say and the command line does not.
    pub(crate) fn settle(&mut self) -> Result<Config, Failure> {
        let config = self.config.read()?;
        fill(&mut self.kube_version, config.parsed("kube-version", str::parse)?);
        fill(&mut self.namespace, config.parsed("namespace", words::namespace)?);
        fill(&mut self.tool, config.parsed("tool", |word| ToolName::from_str(word, false))?);
        fill(&mut self.tool_version, config.parsed("tool-version", words::version)?);
        if self.tool_flag.is_empty() {
            self.tool_flag = config.all_parsed("tool-flags", words::flag)?;
        }
        self.exclude.extend(config.texts("exclude").map(str::to_owned));
        Ok(config)
    }
}

/// Fills in what was not said.
pub(crate) fn fill<T>(field: &mut Option<T>, said: Option<T>) {
    if field.is_none() {
        *field = said;
    }
}
