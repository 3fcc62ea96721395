//! The words after `test-cluster up`.

use super::{NAME, USAGE};
use anyhow::{Context as _, Result, bail, ensure};
use plimsoll_testbed::cluster::Options;
use plimsoll_testbed::operators::Operator;

/// What `up` was asked for.
#[derive(Debug)]
pub(super) struct Up {
    pub(super) options: Options,
    /// Nodes whose kubelet is stopped.
    pub(super) not_ready: Vec<String>,
    /// What is installed once it is ready.
    pub(super) operators: Vec<Operator>,
}

/// Reads the words after `up`.
pub(super) fn up(words: &[&str]) -> Result<Up> {
    let mut options = Options { name: NAME.to_owned(), ..Options::default() };
    let (mut rest, mut not_ready, mut operators) = (words, Vec::new(), Vec::new());
    loop {
        rest = match rest {
            [] => break,
            ["--nodes", number, rest @ ..] => {
                options.nodes = number.parse().context("--nodes takes a number up to 250")?;
                rest
            }
            ["--kwok", number, rest @ ..] => {
                options.kwok = number.parse().context("--kwok takes a number")?;
                rest
            }
            ["--images", file, rest @ ..] => {
                let path = std::path::absolute(file)?;
                ensure!(path.is_file(), "--images: {} is not a file", path.display());
                options.images = Some(path);
                rest
            }
            ["--with", names, rest @ ..] => {
                operators = names.split(',').map(str::parse).collect::<Result<_, _>>()?;
                // They run in pods.
                options.nodes = options.nodes.max(1);
                rest
            }
            [option @ ("--taint" | "--capacity" | "--slow"), value, rest @ ..] => {
                set_node(&mut options, option, value)?;
                rest
            }
            ["--not-ready", node, rest @ ..] => {
                not_ready.push((*node).to_owned());
                rest
            }
            ["--kubernetes", version, rest @ ..] => {
                (*version).clone_into(&mut options.version);
                rest
            }
            [name, rest @ ..] if !name.starts_with('-') => {
                (*name).clone_into(&mut options.name);
                rest
            }
            [other, ..] => bail!("{other} is not known, or lacks its value\n{USAGE}"),
        };
    }
    let is_node = |name: &String| (1..=options.nodes).any(|number| *name == format!("node-{number}"));
    if let Some(name) = options.node_settings.keys().chain(&not_ready).find(|name| !is_node(name)) {
        bail!("there is no {name}: --nodes says how many there are");
    }
    Ok(Up { options, not_ready, operators })
}

/// What one node shall be like.
fn set_node(options: &mut Options, option: &str, value: &str) -> Result<()> {
    let (node, wanted) = value.split_once('=').unwrap_or((value, ""));
    let settings = options.node_settings.entry(node.to_owned()).or_default();
    match option {
        "--slow" => settings.busy_share = Some(0.9),
        "--capacity" => settings.capacity = wanted.parse().context("--capacity takes NODE=4,16Gi")?,
        _ => {
            ensure!(!wanted.is_empty(), "--taint takes NODE=KEY=VALUE:EFFECT");
            settings.taints.push(wanted.to_owned());
        }
    }
    Ok(())
}
