//! Helm charts: rendered here, with every object at the template lines it came from.

mod download;
mod folder;
mod known;
mod locate;
mod otherwise;
mod persist;
mod printout;
mod reach;
mod shelf;

pub(crate) use download::{fetched, fetched_text};
pub(crate) use known::Wanted;
pub(crate) use locate::each_place;
pub(crate) use otherwise::Again;
pub(crate) use printout::Printout;

use crate::draft::Drafts;
use crate::host::EntryKind;
use crate::input::{ChartInput, Input, Offered, Values};
use crate::installed;
use crate::live;
use crate::reading::{Reading, cause_of};
use crate::script::duration;
use crate::search::join;
use folder::HostFolder;
use locate::Locator;
use otherwise::Doubt;
use persist::{persist, presume_demands_met};
use plimsoll_chart::{
    Capabilities, Chart, HelmVersion, Manifest, Release, RenderFailure, Renderer, Rendering, Request,
    ValueSource, with_renderer,
};
use plimsoll_kustomize::ChartParts;
use plimsoll_model::{Action, Arranged, Delivery, FileIndex, Object, Place, Tool, Unit};
use plimsoll_yaml::{MAX_FILE_BYTES, Parsed, Piece, parse_piece, pieces};
use rayon::prelude::*;
use shelf::Supplied;
use std::sync::Arc;
use std::time::Duration;

/// Whether a path is a chart: a folder that says so, or an archive of one.
pub(crate) fn is_one(reading: &Reading<'_>, path: &str) -> bool {
    let host = reading.host();
    let is_file = |path: &str| host.look(path) == Ok(EntryKind::File);
    is_file(&join(path, "Chart.yaml")) || (is_archive(path) && is_file(path))
}

/// The name of a chart, if it can be read.
pub(crate) fn name(reading: &mut Reading<'_>, path: &str) -> Option<String> {
    load(reading, path).ok().map(|chart| chart.metadata.name)
}

fn is_archive(path: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, ending)| ending == "tgz")
}

/// A chart that is to be installed.
pub(crate) struct Ordered<'a> {
    pub(crate) path: &'a str,
    pub(crate) namespace: &'a str,
    pub(crate) chart: ChartInput,
    pub(crate) delivery: Delivery,
}

impl<'a> Ordered<'a> {
    /// A chart that was named as a path.
    pub(crate) fn of(path: &'a str, input: &'a Input) -> Self {
        let timeout = timeout(&input.delivery);
        let delivery =
            Delivery { tool: Tool::Helm, verb: "install".to_owned(), timeout, ..input.delivery.clone() };
        Self { path, namespace: &input.namespace, chart: input.chart.clone(), delivery }
    }

    /// The command that installs it.
    pub(crate) fn says(&self) -> String {
        let mut words = vec!["helm install".to_owned()];
        words.extend(self.chart.release.clone());
        words.push(self.path.to_owned());
        words.extend(self.delivery.flags.iter().cloned());
        words.join(" ")
    }
}

/// What the installation of a chart delivers.
pub(crate) fn deliver(ordered: &Ordered<'_>, reading: &mut Reading<'_>) -> Action {
    match release(ordered, reading) {
        Ok(unit) => Action::Deliver(unit),
        Err((place, cause)) => {
            reading.count_opaque();
            reading.problem(place, cause.clone(), true);
            Action::Opaque(format!("the chart `{}` is not read: {cause}", ordered.path))
        }
    }
}

/// A chart, what came out of it, and the charts inside that are only known.
struct Rendered<'c> {
    path: &'c str,
    chart: &'c Chart,
    rendering: Arc<Rendering>,
    supplied: &'c [Supplied],
}

fn release(ordered: &Ordered<'_>, reading: &mut Reading<'_>) -> Result<Unit, Unread> {
    if reading.renderers.helm {
        return installed::release(ordered, &release_name(ordered, reading), reading);
    }
    let mut chart = load(reading, ordered.path)?;
    let supplied = shelf::supply(&mut chart, ordered.path, reading);
    compose(ordered, &chart, &supplied, reading)
}

/// The name of the release; a chart that cannot be read has the name of its folder.
fn release_name(ordered: &Ordered<'_>, reading: &mut Reading<'_>) -> String {
    let folder = || ordered.path.trim_end_matches('/').rsplit('/').next().unwrap_or_default().to_owned();
    let said = ordered.chart.release.clone();
    said.or_else(|| name(reading, ordered.path)).unwrap_or_else(folder)
}

/// What the installation of a chart delivers that is not at hand, as far as it is known; nothing if it is not.
pub(crate) fn deliver_known(
    ordered: &Ordered<'_>,
    wanted: &Wanted<'_>,
    place: Place,
    reading: &mut Reading<'_>,
) -> Option<Action> {
    let (chart, supplied) = shelf::named(wanted, place, reading)?;
    compose(ordered, &chart, &[supplied], reading).ok().map(Action::Deliver)
}

fn compose(
    ordered: &Ordered<'_>,
    chart: &Chart,
    supplied: &[Supplied],
    reading: &mut Reading<'_>,
) -> Result<Unit, Unread> {
    let request = request(chart, ordered, reading)?;
    let work =
        with_renderer(chart, |renderer| unit(ordered, (chart, supplied), (renderer, request), reading));
    work.unwrap_or_else(|failure| Err((reading.place_of(ordered.path), failure.to_string())))
}

fn unit(
    ordered: &Ordered<'_>,
    (chart, supplied): (&Chart, &[Supplied]),
    (renderer, mut request): (Renderer, Request),
    reading: &mut Reading<'_>,
) -> Result<Unit, Unread> {
    let Ordered { path, namespace, .. } = *ordered;
    renderer.begin(&request);
    let kept = keep_definitions(path, chart, supplied, reading);
    let defined = definitions(&kept, supplied, &renderer);
    let outcome = live::complete((&renderer, &mut request), renderer.finish(), reading);
    let (mut rendering, mut insisted) = persist(path, chart, (&renderer, &mut request), outcome, reading)?;
    let is_on = |below: &str| rendering.definitions.iter().any(|(path, _)| path == below);
    let mut objects = Vec::new();
    for (below, file, drafts) in defined.into_iter().filter(|(below, ..)| is_on(below)) {
        let supplied = supplied.iter().find(|supplied| supplied.defines(below));
        objects.extend(objects_of(vec![(file, drafts)], supplied, namespace, reading));
    }
    // Helm installs the definitions in `crds/` before it asks the cluster what it offers.
    request.capabilities.api_versions.extend(reading.defined());
    insisted.retain(|api| !reading.defined().any(|defined| defined == *api));
    let offered = &request.capabilities.api_versions;
    if rendering.unanswered.iter().any(|api| offered.contains(api)) {
        let outcome = renderer.render(&request);
        rendering = live::complete((&renderer, &mut request), outcome, reading)
            .map_err(|failure| unrendered(&failure, path, reading))?;
    }
    let definitions = objects.len();
    let made = Rendered { path, chart, rendering: Arc::new(rendering), supplied };
    let (release, goes_on) = (request.release.name.clone(), request.goes_on);
    let doubt = Doubt::begin(&made, renderer, request, reading);
    objects.extend(rendered(&made, namespace, reading));
    if let Some(objects) = objects.get_mut(definitions..) {
        if !insisted.is_empty() {
            otherwise::presume(objects, &[], &insisted);
        }
        if goes_on {
            presume_demands_met(objects);
        }
    }
    let delivery = Delivery {
        tool: Tool::Helm,
        source: Some(path.to_owned()),
        arranged: Arranged::AsChart { definitions },
        release: Some(release),
        namespace: Some(namespace.to_owned()),
        ..ordered.delivery.clone()
    };
    let otherwise = doubt.and_then(|doubt| doubt.settle(&made, (&objects, definitions), namespace, reading));
    Ok(Unit { delivery, objects, otherwise })
}

/// The objects that `helm template` prints, in its order, or why they cannot be known.
pub(crate) fn printed(
    ordered: &Ordered<'_>,
    parts: ChartParts,
    offered: &Offered,
    namespace: &str,
    reading: &mut Reading<'_>,
) -> Result<Vec<Object>, Unread> {
    let chart = load(reading, ordered.path)?;
    let mut request = request(&chart, ordered, reading)?;
    request.capabilities = with(&reading.offered, offered);
    (request.release.is_upgrade, request.release.revision) = (false, 1);
    let printout = Printout::new(ordered.path, chart, request, parts, reading)?;
    Ok(printout.objects(namespace, reading))
}

/// What a cluster offers, and what is said besides: another version of Kubernetes, more APIs.
fn with(offered: &Offered, said: &Offered) -> Capabilities {
    let version = if said.kube_version.is_empty() { &offered.kube_version } else { &said.kube_version };
    let api_versions = offered.api_versions.iter().chain(&said.api_versions).cloned().collect();
    Capabilities { kube_version: version.clone(), api_versions }
}

/// Why a chart is not read, and where that stands.
pub(crate) type Unread = (Place, String);

fn load(reading: &mut Reading<'_>, path: &str) -> Result<Chart, Unread> {
    let host = reading.host();
    let read = if host.look(path) == Ok(EntryKind::Folder) {
        Chart::from_folder(&HostFolder::new(host, path)).map_err(|failure| failure.to_string())
    } else {
        let bytes = host.read(path, MAX_FILE_BYTES).map_err(|refusal| cause_of(&refusal));
        bytes.and_then(|bytes| Chart::from_archive(&bytes).map_err(|failure| failure.to_string()))
    };
    read.map_err(|cause| (reading.place_of(path), cause))
}

fn request(chart: &Chart, ordered: &Ordered<'_>, reading: &mut Reading<'_>) -> Result<Request, Unread> {
    let ChartInput { release, values } = &ordered.chart;
    let name = release.clone().unwrap_or_else(|| chart.metadata.name.clone());
    let values = values.iter().map(|source| value_source(source, reading)).collect::<Result<_, _>>()?;
    let Offered { kube_version, mut api_versions, .. } = reading.offered.clone();
    api_versions.extend(reading.defined());
    let (is_upgrade, revision) = (reading.is_upgrade, if reading.is_upgrade { 2 } else { 1 });
    Ok(Request {
        release: Release { name, namespace: ordered.namespace.to_owned(), is_upgrade, revision },
        values,
        capabilities: Capabilities { kube_version, api_versions },
        helm: helm(&ordered.delivery),
        ..Request::default()
    })
}

fn value_source(source: &Values, reading: &mut Reading<'_>) -> Result<ValueSource, Unread> {
    Ok(match source {
        Values::File(path) => ValueSource::File { path: path.clone(), text: text(reading, path)? },
        Values::Set(words) => ValueSource::Set(words.clone()),
        Values::SetString(words) => ValueSource::SetString(words.clone()),
        Values::SetJson(words) => ValueSource::SetJson(words.clone()),
        Values::SetFile(words) => {
            let (name, path) = words.split_once('=').unwrap_or((words, ""));
            ValueSource::SetFile { name: name.to_owned(), content: text(reading, path)? }
        }
    })
}

fn text(reading: &mut Reading<'_>, path: &str) -> Result<String, Unread> {
    let opened = reading.open(path).and_then(|file| reading.text(file));
    let unread = || (reading.place_of(path), "this file of values cannot be read".to_owned());
    opened.map(|text| text.to_string()).ok_or_else(unread)
}

fn helm(delivery: &Delivery) -> HelmVersion {
    if delivery.is_by_helm_4() { HelmVersion::Four } else { HelmVersion::Three }
}

/// A failure at the innermost place of a file that it names.
fn unrendered(failure: &RenderFailure, path: &str, reading: &mut Reading<'_>) -> Unread {
    let site = match failure {
        RenderFailure::Template { steps, .. } => steps.iter().rev().find_map(|step| {
            let site = &step.site;
            Some((site.path.as_deref()?, site.line, site.column))
        }),
        RenderFailure::Parse { path, line, .. } => Some((&**path, *line, 1)),
        _ => None,
    };
    let place = site.and_then(|(below, line, column)| {
        reading.open(&join(path, below)).map(|file| Place { file, line, column })
    });
    (place.unwrap_or_else(|| reading.place_of(path)), failure.to_string())
}

fn timeout(delivery: &Delivery) -> Option<Duration> {
    let said = delivery.flags.iter().find_map(|flag| flag.strip_prefix("--timeout="))?;
    duration::go(said).map(|(timeout, _)| timeout)
}

/// A file in `crds/`, which is not rendered.
struct Kept {
    /// The path below the chart.
    below: String,
    file: FileIndex,
    text: Arc<str>,
}

/// The files in `crds/`; those of a chart that is only known are no files of the user's.
fn keep_definitions(
    path: &str,
    chart: &Chart,
    supplied: &[Supplied],
    reading: &mut Reading<'_>,
) -> Vec<Kept> {
    let files = chart.definitions().into_iter().map(|(below, file)| {
        let text = file.text();
        if supplied.iter().any(|supplied| supplied.defines(&below)) {
            return Kept { below, file: FileIndex::default(), text };
        }
        let file = reading.keep(&join(path, &below), Arc::clone(&text));
        Kept { below, file, text: reading.text(file).unwrap_or_default() }
    });
    files.collect()
}

/// What stands in the files in `crds/`. Nothing goes on before the templates are rendered, so the other threads are
/// left to them until then.
fn definitions<'k>(
    kept: &'k [Kept],
    supplied: &[Supplied],
    renderer: &Renderer,
) -> Vec<(&'k str, FileIndex, Drafts)> {
    let mut found = Vec::new();
    for kept in kept {
        let start = Place { file: kept.file, line: 1, column: 1 };
        found.extend(pieces(&kept.text, start).into_iter().map(|piece| (kept, piece)));
    }
    let read = |(kept, piece): &(&'k Kept, Piece<'_>)| {
        let mut parsed = parse_piece(piece);
        if let Some(supplied) = supplied.iter().find(|supplied| supplied.defines(&kept.below)) {
            supplied.locate(&mut parsed);
        }
        (kept.below.as_str(), kept.file, Drafts::of(parsed))
    };
    let (mut definitions, mut rest) = (Vec::new(), found.iter());
    while renderer.is_busy()
        && let Some(piece) = rest.next()
    {
        definitions.push(read(piece));
    }
    definitions.par_extend(rest.as_slice().par_iter().with_max_len(1).map(read));
    definitions
}

fn rendered(made: &Rendered<'_>, namespace: &str, reading: &mut Reading<'_>) -> Vec<Object> {
    let Rendered { path, chart, rendering, supplied } = made;
    let mut locator = Locator::new(path, (*chart).clone(), Arc::clone(rendering));
    let mut objects = Vec::new();
    let manifests: Vec<(Manifest<'_>, Place)> = rendering
        .manifests()
        .map(|manifest| (manifest, locator.start_of(manifest.file, manifest.start)))
        .collect();
    let read = |(manifest, start): &(Manifest<'_>, Place)| -> Vec<Parsed> {
        pieces(manifest.text, *start).iter().map(parse_piece).collect()
    };
    let parsed: Vec<Vec<Parsed>> = manifests.par_iter().map(read).collect();
    for ((manifest, start), mut parsed) in manifests.into_iter().zip(parsed) {
        let name = rendering.files.get(manifest.file).map_or("", |file| &file.name);
        let supplied = supplied.iter().find(|supplied| supplied.brings(name));
        for parsed in &mut parsed {
            match supplied {
                Some(supplied) => supplied.locate(parsed),
                None => locator.locate(parsed, manifest.file, reading),
            }
        }
        let drafts = parsed.into_iter().map(|parsed| (start.file, Drafts::of(parsed))).collect();
        objects.extend(objects_of(drafts, supplied, namespace, reading));
    }
    objects
}

/// The objects of what was read; those of a chart that is only known stand where that chart is named.
fn objects_of(
    read: Vec<(FileIndex, Drafts)>,
    supplied: Option<&Supplied>,
    namespace: &str,
    reading: &mut Reading<'_>,
) -> Vec<Object> {
    match supplied {
        Some(supplied) => supplied.objects(read, namespace, reading),
        None => reading.objects_from(read, namespace),
    }
}
