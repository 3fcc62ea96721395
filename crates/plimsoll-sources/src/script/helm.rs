//! Helm in scripts: what is installed, upgraded, printed and taken away of charts that lie beside the script, or that are
//! known by heart.

mod past;

use super::duration;
use super::expand::Field;
use super::paths;
use super::programs::opaque;
use super::reader::Reader;
use super::simple::Call;
use super::state::{Flow, State};
use super::supply::Supply;
use crate::chart::{self, Ordered, Wanted};
use crate::input::{ChartInput, Offered, Values};
use plimsoll_kustomize::ChartParts;
use plimsoll_model::{Action, Arranged, Delivery, Object, Place, Tool};

/// Flags that take a value when it is not behind `=`. Read from Helm v4.3.1 and v3.22.0, the flags of `install`,
/// `upgrade`, `template`, `rollback` and `uninstall` and the global ones.
const WITH_VALUE: [&str; 50] = [
    "-a",
    "--api-versions",
    "--kube-version",
    "-s",
    "--show-only",
    "--output-dir",
    "-f",
    "--values",
    "--set",
    "--set-string",
    "--set-json",
    "--set-file",
    "--set-literal",
    "-n",
    "--namespace",
    "--timeout",
    "--version",
    "--repo",
    "--username",
    "--password",
    "--ca-file",
    "--cert-file",
    "--key-file",
    "--keyring",
    "--description",
    "--history-max",
    "--labels",
    "-l",
    "--name-template",
    "-o",
    "--output",
    "--post-renderer",
    "--post-renderer-args",
    "--kube-context",
    "--kubeconfig",
    "--kube-apiserver",
    "--kube-token",
    "--registry-config",
    "--repository-cache",
    "--repository-config",
    "--burst-limit",
    "--cascade",
    "--color",
    "--colour",
    "--content-cache",
    "--kube-as-group",
    "--kube-as-user",
    "--kube-ca-file",
    "--kube-tls-server-name",
    "--server-side",
];

/// Whether a call of `helm` is one of those that are told apart here.
pub(super) fn is_understood(call: &Call<'_>) -> bool {
    matches!(call.text(1), "install" | "upgrade" | "uninstall" | "delete" | "un" | "rollback")
        || (call.text(1), call.text(2)) == ("repo", "add")
}

/// A call of `helm` that changes the cluster, or names a repository.
pub(super) fn run(reader: &mut Reader<'_, '_>, call: &Call<'_>, state: State) -> Flow {
    let done = match call.text(1) {
        "repo" => {
            reader.repositories.insert(call.text(3).to_owned(), call.text(4).to_owned());
            return Flow::either(state);
        }
        "rollback" => past::rollback(reader, call),
        "install" | "upgrade" => release(reader, call, &state),
        _ => return past::uninstall(reader, call, state),
    };
    match done {
        Ok(action) => {
            let step = reader.emit(action, call.at, call.says, &state);
            Reader::outcomes(step, state)
        }
        Err(why) => opaque(reader, call, state, &why),
    }
}

fn release(reader: &mut Reader<'_, '_>, call: &Call<'_>, state: &State) -> Result<Action, String> {
    let Arguments { words, flags } = Arguments::of(call.arguments());
    let (release, chart) = match words.as_slice() {
        [_, chart] => (None, *chart),
        [_, release, chart] => (Some(release.text.clone()), *chart),
        _ => return Err("what `helm` delivers is not read".to_owned()),
    };
    let found = beside(reader, chart, state);
    let namespace = last(&flags, &["-n", "--namespace"]).unwrap_or(reader.namespace).to_owned();
    let delivery = told(&flags, Delivery { is_repeated: reader.is_polling, ..delivery("install") });
    let input = ChartInput { release, values: values(&flags, state) };
    let path = found.as_deref().unwrap_or(&chart.text);
    let ordered = Ordered { path, namespace: &namespace, chart: input, delivery };
    match &found {
        Ok(_) => Ok(chart::deliver(&ordered, reader.reading)),
        Err(why) => known(reader, &ordered, &flags, reader.place(call.at)).ok_or_else(|| why.clone()),
    }
}

/// What is known of a chart in a repository: `NAME/CHART`, `oci://HOST/PATH/CHART`, or `CHART` with `--repo`.
fn known(
    reader: &mut Reader<'_, '_>,
    ordered: &Ordered<'_>,
    flags: &[(&str, &str)],
    place: Place,
) -> Option<Action> {
    let (alias, name) = ordered.path.rsplit_once('/').unwrap_or(("", ordered.path));
    let said = last(flags, &["--repo"]).map(str::to_owned);
    let repository =
        said.or_else(|| reader.repositories.get(alias).cloned()).unwrap_or_else(|| alias.to_owned());
    let version = last(flags, &["--version"]).unwrap_or(">=0.0.0");
    let wanted = Wanted { name, repository: &repository, version, locked: None };
    // Without a repository it would be a folder.
    if repository.is_empty() || repository.starts_with('.') {
        return None;
    }
    chart::deliver_known(ordered, &wanted, place, reader.reading)
}

fn delivery(verb: &str) -> Delivery {
    Delivery { arranged: Arranged::AsChart { definitions: 0 }, ..Delivery::by(Tool::Helm, verb) }
}

/// A delivery as the flags of its command change it.
fn told(flags: &[(&str, &str)], delivery: Delivery) -> Delivery {
    Delivery {
        flags: flags.iter().filter_map(|(name, value)| matters(name, value)).collect(),
        timeout: last(flags, &["--timeout"]).and_then(duration::go).map(|(timeout, _)| timeout),
        ..delivery
    }
}

/// What counts of a flag that is given several times.
fn last<'a>(flags: &[(&str, &'a str)], names: &[&str]) -> Option<&'a str> {
    flags.iter().rev().find(|(name, _)| names.contains(name)).map(|(_, value)| *value)
}

/// All that a flag says, with comma lists taken apart.
fn all(flags: &[(&str, &str)], names: &[&str]) -> Vec<String> {
    let said = flags.iter().filter(|(name, _)| names.contains(name));
    said.flat_map(|(_, value)| value.split(',')).map(str::to_owned).collect()
}

/// A chart that `helm template` prints.
#[derive(Debug, Clone)]
pub(super) struct Printing {
    path: String,
    namespace: String,
    chart: ChartInput,
    parts: ChartParts,
    /// What the flags say of the cluster.
    offered: Offered,
}

impl Printing {
    /// The objects, or why they cannot be known; what names no namespace goes where the reader of the text says.
    pub(super) fn objects(
        &self,
        reader: &mut Reader<'_, '_>,
        namespace: &str,
    ) -> Result<Vec<Object>, String> {
        let ordered = Ordered {
            path: &self.path,
            namespace: &self.namespace,
            chart: self.chart.clone(),
            delivery: delivery("template"),
        };
        let printed = chart::printed(&ordered, self.parts, &self.offered, namespace, reader.reading);
        printed.map_err(|(place, cause)| {
            reader.reading.problem(place, cause.clone(), true);
            format!("the chart `{}` is not read: {cause}", self.path)
        })
    }
}

/// Flags of `helm template` with which it prints a part of the chart, elsewhere, or something else.
const OTHERWISE: [&str; 5] = ["-s", "--show-only", "--output-dir", "--post-renderer", "--is-upgrade"];

/// What `helm template` prints, from the arguments behind `helm`; `None` for what is not understood.
pub(super) fn printed(reader: &Reader<'_, '_>, arguments: &[Field], state: &State) -> Option<Supply> {
    let Arguments { words, flags } = Arguments::of(arguments);
    let (release, chart) = match words.as_slice() {
        [_, chart] => ("release-name".to_owned(), *chart),
        [_, release, chart] => (release.text.clone(), *chart),
        _ => return None,
    };
    let has = |name: &str| flags.iter().any(|(flag, value)| *flag == name && *value != "false");
    if OTHERWISE.into_iter().any(has) {
        return None;
    }
    Some(match beside(reader, chart, state) {
        Ok(path) => Supply::Chart(Box::new(Printing {
            path,
            namespace: last(&flags, &["-n", "--namespace"]).unwrap_or("default").to_owned(),
            chart: ChartInput { release: Some(release), values: values(&flags, state) },
            parts: ChartParts {
                includes_definitions: has("--include-crds"),
                skips_hooks: has("--no-hooks"),
                skips_tests: has("--skip-tests"),
            },
            offered: Offered {
                kube_version: last(&flags, &["--kube-version"]).unwrap_or_default().to_owned(),
                api_versions: all(&flags, &["-a", "--api-versions"]),
                ..Offered::default()
            },
        })),
        Err(why) => Supply::Opaque(why),
    })
}

/// The values that flags give.
fn values(flags: &[(&str, &str)], state: &State) -> Vec<Values> {
    let mut values = Vec::new();
    for (name, value) in flags {
        let below =
            |path: &str| paths::resolve(state.folder.as_deref(), path).unwrap_or_else(|| path.to_owned());
        match *name {
            "-f" | "--values" => values.extend(value.split(',').map(|path| Values::File(below(path)))),
            "--set" => values.push(Values::Set((*value).to_owned())),
            "--set-string" | "--set-literal" => values.push(Values::SetString((*value).to_owned())),
            "--set-json" => values.push(Values::SetJson((*value).to_owned())),
            "--set-file" => {
                let (key, path) = value.split_once('=').unwrap_or((value, ""));
                values.push(Values::SetFile(format!("{key}={}", below(path))));
            }
            _ => {}
        }
    }
    values
}

/// The folder or archive of a chart that lies beside the script.
fn beside(reader: &Reader<'_, '_>, chart: &Field, state: &State) -> Result<String, String> {
    let path = paths::resolve(state.folder.as_deref(), &chart.text).filter(|_| chart.unknown.is_none());
    let found = path.filter(|path| chart::is_one(reader.reading, path));
    found.ok_or_else(|| {
        format!("what the chart `{}` brings is not read: it does not lie beside the script", chart.text)
    })
}

/// A flag that changes what is sent or waited for, as written.
fn matters(name: &str, value: &str) -> Option<String> {
    const MATTER: [&str; 8] = [
        "--atomic",
        "--create-namespace",
        "--no-hooks",
        "--rollback-on-failure",
        "--skip-crds",
        "--take-ownership",
        "--wait",
        "--wait-for-jobs",
    ];
    let written = || if value.is_empty() { name.to_owned() } else { format!("{name}={value}") };
    MATTER.contains(&name).then(written)
}

/// The arguments of one call, taken apart.
struct Arguments<'a> {
    /// What is no flag: the verb, the release, the chart.
    words: Vec<&'a Field>,
    /// Flags with their values; empty if they have none.
    flags: Vec<(&'a str, &'a str)>,
}

impl<'a> Arguments<'a> {
    fn of(fields: &'a [Field]) -> Self {
        let mut arguments = Self { words: Vec::new(), flags: Vec::new() };
        let mut rest = fields.iter();
        while let Some(field) = rest.next() {
            let text = field.text.as_str();
            match text.split_once('=') {
                _ if !text.starts_with('-') => arguments.words.push(field),
                Some((name, value)) => arguments.flags.push((name, value)),
                None if WITH_VALUE.contains(&text) => {
                    let value = rest.next().map_or("", |field| field.text.as_str());
                    arguments.flags.push((text, value));
                }
                None => arguments.flags.push((text, "")),
            }
        }
        arguments
    }
}
