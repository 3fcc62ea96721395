//! The sub-commands of the runtime: the server itself, and what it starts inside pods and containers.

use super::{Options, behave, connect, inside, serve};
use clap::Subcommand;
use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;
use tokio::runtime::Builder;

/// A process of the runtime.
#[derive(Debug, Subcommand)]
pub enum RuntimeCommand {
    /// Run a node's containers: serve the kubelet's container runtime interface
    Runtime(Options),
    /// Behave like a row of an image table
    Behave(behave::Options),
    /// Set a pod's namespaces up
    #[command(hide = true)]
    PodInit {
        /// The pod's host name
        #[arg(long)]
        host_name: Option<String>,
        /// A setting of the kernel, `name=value`
        #[arg(long = "setting", value_parser = pair)]
        settings: Vec<(String, String)>,
        /// Run the script for `ip` on standard input
        #[arg(long)]
        network: bool,
    },
    /// Connect standard input and output with a port of a pod's loopback
    #[command(hide = true)]
    PodConnect {
        /// The port
        port: u16,
        /// The file of its network namespace; this process's own without it
        namespace: Option<PathBuf>,
    },
    /// Be process 1 of a container
    #[command(hide = true)]
    ContainerInit {
        /// The socket on which the runtime says what to be
        control: PathBuf,
    },
    /// Execute a command in a container
    #[command(hide = true)]
    ContainerExec {
        /// Process 1 of the container
        pid: i32,
        /// The file that says what to execute
        file: PathBuf,
    },
}

impl RuntimeCommand {
    /// Runs it to its end. Processes inside a container have one thread, or they could not change their namespaces.
    pub fn run(self) -> Result<ExitCode, Box<dyn Error>> {
        match self {
            Self::Runtime(options) => {
                Builder::new_multi_thread().enable_all().build()?.block_on(serve(options))?;
            }
            Self::Behave(options) => {
                return Ok(Builder::new_current_thread()
                    .enable_all()
                    .build()?
                    .block_on(behave::behave(options))?);
            }
            Self::PodInit { host_name, settings, network } => {
                inside::pod(host_name.as_deref(), &settings, network)?;
            }
            Self::PodConnect { port, namespace } => connect(port, namespace.as_deref())?,
            Self::ContainerInit { control } => return Ok(inside::init(&control).into()),
            Self::ContainerExec { pid, file } => return Ok(inside::enter(pid, &file).into()),
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// `name=value`.
fn pair(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or_else(|| format!("`{text}` is no name=value"))?;
    Ok((name.to_owned(), value.to_owned()))
}
