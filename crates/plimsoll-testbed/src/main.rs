//! The testbed's own processes behind one name: the supervisor of a cluster, the container runtime, the proxies.

use clap::Parser;
use plimsoll_testbed::cluster::ResetSettings;
use plimsoll_testbed::fault::api_proxy::ApiProxySettings;
use plimsoll_testbed::fault::egress::EgressSettings;
use plimsoll_testbed::network::NetworkSettings;
use plimsoll_testbed::operators::ServeSettings;
use plimsoll_testbed::provisioner::ProvisionerSettings;
use plimsoll_testbed::runtime::RuntimeCommand;
use std::error::Error;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

/// Processes of a test cluster, which starts them by itself. Development only.
#[derive(Parser)]
#[command(name = "plimsoll-testbed")]
enum Command {
    /// Hold a cluster together
    Supervise {
        /// The name of the cluster
        name: String,
    },
    /// Be a node
    Node {
        /// The file that orders it
        order: PathBuf,
    },
    /// Delete what was created since a cluster was ready
    Reset(ResetSettings),
    /// Be what webhooks and aggregated APIs of the rules' pages call
    Backend {
        /// The port to serve on
        port: u16,
    },
    /// Let Services answer and names resolve, inside a cluster's network namespace
    Network(NetworkSettings),
    /// Make volumes for claims
    Provisioner(ProvisionerSettings),
    /// Serve files to pods
    Serve(ServeSettings),
    /// Lead the API server's calls to webhooks and aggregated APIs, with faults on demand
    Egress(EgressSettings),
    /// Stand between clients and the API server, with faults on demand
    ApiProxy(ApiProxySettings),
    #[command(flatten)]
    Runtime(RuntimeCommand),
}

fn main() -> ExitCode {
    match run(Command::parse()) {
        Ok(code) => code,
        Err(failure) => {
            // Nothing is left to report to when standard error itself is closed.
            let _ = writeln!(std::io::stderr(), "plimsoll-testbed: {failure}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> Result<ExitCode, Box<dyn Error>> {
    let runtime = || tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    match command {
        Command::Supervise { name } => return Ok(plimsoll_testbed::cluster::supervise(&name)),
        Command::Node { order } => return Ok(plimsoll_testbed::node::live(&order)),
        Command::Reset(settings) => {
            let mut output = std::io::stdout().lock();
            for key in settings.run()? {
                writeln!(output, "{key}")?;
            }
        }
        Command::Backend { port } => plimsoll_testbed::witness::serve(port)?,
        Command::Runtime(command) => return command.run(),
        Command::Network(settings) => runtime()?.block_on(settings.run())?,
        Command::Provisioner(settings) => runtime()?.block_on(settings.run())?,
        Command::Serve(settings) => runtime()?.block_on(settings.run())?,
        Command::Egress(settings) => runtime()?.block_on(settings.run())?,
        Command::ApiProxy(settings) => runtime()?.block_on(settings.run())?,
    }
    Ok(ExitCode::SUCCESS)
}
