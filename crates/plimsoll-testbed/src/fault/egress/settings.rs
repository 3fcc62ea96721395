//! The egress proxy as a process of its own.

use super::{Egress, EgressRule, Routes};
use crate::fault::{FaultError, read_json};
use std::path::PathBuf;

/// Leads the API server's calls to webhooks and aggregated APIs; told what to do over its own socket.
#[derive(Clone, Debug, clap::Args)]
pub struct EgressSettings {
    /// The Unix socket of the API server's EgressSelectorConfiguration; rules, routes and records are asked for there too
    #[arg(long, value_name = "PATH")]
    pub socket: PathBuf,
    /// There is a pod network: an address without a route is dialled as it is
    #[arg(long)]
    pub pod_network: bool,
    /// The first rules, a JSON list
    #[arg(long, value_name = "FILE")]
    pub rules: Option<PathBuf>,
    /// The first routes, a JSON object: {"10.244.0.5:10250": "127.0.0.1:34567"}
    #[arg(long, value_name = "FILE")]
    pub routes: Option<PathBuf>,
}

impl EgressSettings {
    /// Runs until the process is ended.
    pub async fn run(self) -> Result<(), FaultError> {
        let egress = Egress::start(self.socket, self.pod_network)?;
        if let Some(path) = self.routes {
            egress.set_routes(read_json::<Routes>(&path)?);
        }
        if let Some(path) = self.rules {
            egress.set_rules(read_json::<Vec<EgressRule>>(&path)?);
        }
        crate::lifetime::until_ended().await;
        Ok(())
    }
}
