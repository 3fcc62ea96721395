//! From the command line to a bundle.

use crate::cli::{ChartArguments, InputArguments, RendererName, ToolName};
use crate::failure::Failure;
use plimsoll_model::{Bundle, Delivery, FileIndex, Place, Problem, Tool};
use plimsoll_schema::Version;
use plimsoll_sources::{ChartInput, Host, Input, Live, Offered, Renderers, Values};

/// How the command line names the standard input.
const STANDARD_INPUT: &str = "-";

/// What is there besides the input.
#[derive(Debug, Default)]
pub(crate) struct Around {
    /// Charts that are installed, with their versions.
    pub(crate) charts: Vec<(String, String)>,
    /// The earlier state that the cluster is in.
    pub(crate) from: Vec<String>,
    /// The values of its charts, if they were others.
    pub(crate) from_values: Vec<String>,
    /// Whether the cluster offers nothing that is not said.
    pub(crate) is_closed: bool,
}

/// Reads everything the command line names. What cannot be read is a problem of the bundle, not a failure.
pub(crate) fn read(arguments: &InputArguments, around: Around, host: &dyn Host) -> Result<Bundle, Failure> {
    let mut input = input(arguments);
    input.offered.charts = around.charts;
    input.offered.is_closed = around.is_closed;
    input.from = around.from;
    input.from_values = around.from_values;
    let named = || input.paths.iter().chain(&input.scripts).chain(&input.from);
    if named().filter(|path| *path == STANDARD_INPUT).count() > 1 {
        return Err(Failure::usage("the standard input can be read only once")
            .hint("name it once: as a PATH, with -f or with --script"));
    }
    if named().any(String::is_empty) {
        return Err(Failure::usage("a path is empty").hint("name a file or a folder, such as k8s/"));
    }
    let mut bundle = plimsoll_sources::read(&input, host);
    bundle.problems.extend(unknown_version(kube_version(arguments)));
    Ok(bundle)
}

/// Whether the standard input is read.
pub(crate) fn reads_standard_input(arguments: &InputArguments, from: &[String]) -> bool {
    let InputArguments { paths, files, script, .. } = arguments;
    paths.iter().chain(files).chain(script).chain(from).any(|path| path == STANDARD_INPUT)
}

/// The version of the API server that was named, or the newest that is known.
pub(crate) fn kube_version(arguments: &InputArguments) -> Version {
    arguments.kube_version.unwrap_or_else(plimsoll_schema::newest)
}

/// Something about the command line that is worth knowing and has no place in a file.
pub(crate) fn remark(cause: String) -> Problem {
    Problem { place: Place { file: FileIndex(u32::MAX), ..Place::default() }, cause, is_fatal: false }
}

/// Says which of the charts that are taken as installed nothing is known of.
pub(crate) fn unheard_of(charts: &[(String, String)]) -> Vec<Problem> {
    let is_known = |name: &str| {
        plimsoll_knowledge::shelf().iter().any(|known| known.name == name && !known.is_manifest())
    };
    let unheard = charts.iter().filter(|(name, _)| !is_known(name));
    unheard
        .map(|(name, _)| remark(format!("nothing is known of the chart {name}, which is said to be there")))
        .collect()
}

/// Says so where the version is not in the data and the nearest one stands in for it.
fn unknown_version(version: Version) -> Option<Problem> {
    let nearest = plimsoll_schema::versions().min_by_key(|known| known.minor.abs_diff(version.minor))?;
    let cause = || format!("the kinds of Kubernetes {version} are not known; those of {nearest} are taken");
    (nearest != version).then(|| remark(cause()))
}

fn input(arguments: &InputArguments) -> Input {
    let mut paths: Vec<String> = arguments.paths.iter().chain(&arguments.files).cloned().collect();
    if paths.is_empty() && arguments.script.is_none() {
        paths.push(".".to_owned());
    }
    let tool = match arguments.tool {
        None | Some(ToolName::Auto | ToolName::Kubectl) => Tool::Kubectl,
        Some(ToolName::Helm) => Tool::Helm,
    };
    Input {
        paths,
        scripts: arguments.script.iter().cloned().collect(),
        from: Vec::new(),
        from_values: Vec::new(),
        is_recursive: !arguments.no_recursive,
        exclude: arguments.exclude.clone(),
        namespace: arguments.namespace.clone().unwrap_or_else(|| "default".to_owned()),
        delivery: Delivery {
            version: arguments.tool_version.clone(),
            flags: arguments.tool_flag.clone(),
            ..Delivery::by(tool, "apply")
        },
        chart: chart(&arguments.chart),
        offered: offered(arguments),
        live: arguments.live.as_ref().map(|context| Live {
            context: Some(context.clone()).filter(|context| !context.is_empty()),
            is_version_said: arguments.kube_version.is_some(),
        }),
        renderers: Renderers {
            helm: arguments.renderer.contains(&RendererName::Helm),
            kustomize: arguments.renderer.contains(&RendererName::Kustomize),
        },
        shelf: plimsoll_knowledge::shelf(),
    }
}

/// What the cluster offers to charts: what its version has, and what the command line adds.
fn offered(arguments: &InputArguments) -> Offered {
    let version = kube_version(arguments);
    // A cluster says itself what it serves.
    let is_told = arguments.live.is_some();
    let mut api_versions = if is_told { Vec::new() } else { plimsoll_schema::api_versions(version) };
    api_versions.extend(arguments.chart.api_versions.iter().cloned());
    Offered { kube_version: format!("v{version}.0"), api_versions, ..Offered::default() }
}

fn chart(given: &ChartArguments) -> ChartInput {
    let named =
        |words: &[String], kind: fn(String) -> Values| words.iter().cloned().map(kind).collect::<Vec<_>>();
    let values = [
        named(&given.values, Values::File),
        named(&given.set_json, Values::SetJson),
        named(&given.set, Values::Set),
        named(&given.set_string, Values::SetString),
        named(&given.set_file, Values::SetFile),
    ];
    ChartInput { release: given.release.clone(), values: values.concat() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser as _;
    use plimsoll_sources::Disk;

    #[derive(clap::Parser)]
    struct Line {
        #[command(flatten)]
        arguments: InputArguments,
    }

    fn check(line: &str) -> Input {
        input(&Line::parse_from(format!("plimsoll {line}").split_whitespace()).arguments)
    }

    #[test]
    fn the_current_folder_is_read_only_where_nothing_is_named() {
        assert_eq!(check("").paths, ["."]);
        assert_eq!(check("b a -f c -f -").paths, ["b", "a", "c", "-"]);
        let input = check("--script deploy.sh");
        assert_eq!((input.paths.len(), input.scripts), (0, vec!["deploy.sh".to_owned()]));
    }

    #[test]
    fn flags_of_the_tool_reach_the_delivery() {
        let input =
            check("--tool kubectl --tool-version 1.30 --tool-flag=--server-side --tool-flag=--prune -n shop");
        assert_eq!(input.delivery.version.as_deref(), Some("1.30"));
        assert_eq!(input.delivery.flags, ["--server-side", "--prune"]);
        assert_eq!(input.namespace, "shop");
    }

    #[test]
    fn the_standard_input_is_read_once() {
        let line = Line::parse_from(["plimsoll", "-", "--script", "-"]);
        assert!(read(&line.arguments, Around::default(), &Disk).is_err());
    }
}
