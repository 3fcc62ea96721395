//! What `helm template` prints, and the templates behind its lines
//! (Helm v4.3.1 `pkg/cmd/template.go`, `pkg/release/v1/util/manifest_sorter.go`; the same in v3.22.0).

use super::locate::{Locator, each_place};
use super::otherwise::presume;
use super::persist::{persist, presume_demands_met};
use super::{Unread, load, shelf, unrendered, with};
use crate::draft::Drafts;
use crate::input::Offered;
use crate::reading::Reading;
use plimsoll_chart::{Chart, HelmVersion, Manifest, Release, Rendering, Request, ValueSource, with_renderer};
use plimsoll_kustomize::{ChartParts, Inflation, ValueLayer};
use plimsoll_model::{FileIndex, Node, Object, Place, Value};
use plimsoll_schema::helm_rank;
use plimsoll_yaml::{parse_piece, pieces};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// What is printed for a chart.
pub(crate) struct Printout {
    pub(crate) text: String,
    locator: Locator,
    sections: Vec<Section>,
    /// The APIs that are taken as served, since the chart stops without them.
    insisted: Vec<String>,
    /// Whether the chart demands values that nobody has given.
    goes_on: bool,
}

/// A part of the text that comes from one file.
struct Section {
    /// The line it begins with.
    line: u32,
    source: Source,
}

enum Source {
    /// A document of a rendered file, by its position, and where it begins there.
    Rendered { file: usize, start: Place },
    /// A file in `crds/`, which is printed as it is.
    Definition { path: Arc<str> },
}

impl Printout {
    /// Renders a chart that a kustomization asks for.
    pub(crate) fn of(inflation: &Inflation, reading: &mut Reading<'_>) -> Result<Self, Unread> {
        let chart = load(reading, &inflation.folder)?;
        let request = request(inflation, reading);
        Self::new(&inflation.folder, chart, request, inflation.parts, reading)
    }

    /// Renders a chart.
    pub(super) fn new(
        path: &str,
        mut chart: Chart,
        mut request: Request,
        parts: ChartParts,
        reading: &mut Reading<'_>,
    ) -> Result<Self, Unread> {
        // What is only known of a chart would not be printed.
        let known = shelf::supply(&mut chart, path, reading);
        let work = with_renderer(&chart, |renderer| {
            let outcome = renderer.render(&request);
            persist(path, &chart, (&renderer, &mut request), outcome, reading)
        });
        let (rendering, insisted) =
            work.unwrap_or_else(|failure| Err(unrendered(&failure, path, reading)))?;
        reading.asked.extend(rendering.unanswered.iter().cloned());
        let mut printer = Printer::default();
        if parts.includes_definitions {
            printer.print_definitions(&rendering, |path| !known.iter().any(|known| known.defines(path)));
        }
        let mut locator = Locator::new(path, chart, Arc::new(rendering));
        printer.print_objects(&mut locator, parts, |name| !known.iter().any(|known| known.brings(name)));
        Ok(Self {
            text: printer.text,
            locator,
            sections: printer.sections,
            insisted,
            goes_on: request.goes_on,
        })
    }

    /// The objects in the text, each at its template.
    pub(super) fn objects(mut self, namespace: &str, reading: &mut Reading<'_>) -> Vec<Object> {
        let mut read = Vec::new();
        let text = std::mem::take(&mut self.text);
        for piece in pieces(&text, Place { line: 1, column: 1, ..Place::default() }) {
            let mut parsed = parse_piece(&piece);
            for lines in std::mem::take(&mut parsed.hidden) {
                self.hide(lines, reading);
            }
            for fault in &mut parsed.faults {
                fault.place = self.origin(fault.place, reading);
            }
            for document in &mut parsed.documents {
                each_place(&mut document.root, &mut |place| *place = self.origin(*place, reading));
            }
            read.push((piece.file(), Drafts::of(parsed)));
        }
        let mut objects = reading.objects_from(read, namespace);
        if !self.insisted.is_empty() {
            presume(&mut objects, &[], &self.insisted);
        }
        if self.goes_on {
            presume_demands_met(&mut objects);
        }
        objects
    }

    /// The template behind a place of the text.
    pub(crate) fn origin(&mut self, place: Place, reading: &mut Reading<'_>) -> Place {
        let at = self.sections.partition_point(|section| section.line <= place.line);
        let Some(section) = at.checked_sub(1).and_then(|at| self.sections.get(at)) else {
            return reading.place_of(&self.locator.path);
        };
        let line = place.line - section.line;
        match &section.source {
            Source::Definition { path } => {
                let file = self.locator.file(path, reading);
                file.map_or(place, |file| Place { file, line: line + 1, ..place })
            }
            Source::Rendered { file, start } => {
                let column = if line == 0 { place.column + start.column - 1 } else { place.column };
                let inside = Place { line: start.line + line, column, ..*start };
                self.locator.origin(*file, inside, reading)
            }
        }
    }

    /// Hides lines of the text where they come from.
    pub(crate) fn hide(&mut self, lines: RangeInclusive<u32>, reading: &mut Reading<'_>) {
        for line in lines {
            let place = self.origin(Place { line, column: 1, ..Place::default() }, reading);
            reading.hide(place.file, place.line..=place.line);
        }
    }
}

fn request(inflation: &Inflation, reading: &Reading<'_>) -> Request {
    let layer =
        |ValueLayer { path, text }: &ValueLayer| ValueSource::File { path: path.clone(), text: text.clone() };
    let offered = Offered {
        kube_version: inflation.kube_version.clone(),
        api_versions: inflation.api_versions.clone(),
        ..Offered::default()
    };
    let namespace = if inflation.namespace.is_empty() { "default" } else { &inflation.namespace };
    Request {
        release: Release {
            name: inflation.release.clone(),
            namespace: namespace.to_owned(),
            is_upgrade: false,
            revision: 1,
        },
        values: inflation.values.iter().map(layer).collect(),
        capabilities: with(&reading.offered, &offered),
        helm: HelmVersion::Three,
        ..Request::default()
    }
}

/// Where a document comes: whether it is a hook, then its kind.
type Rank = (bool, usize, String);

/// The place of a document in the output, if it is printed.
fn rank(text: &str, parts: ChartParts) -> Option<Rank> {
    // What is no YAML is refused where the text is read.
    let node = plimsoll_yaml::value(text, FileIndex::default());
    let node = node.unwrap_or_else(|fault| Node { value: Value::Null, place: fault.place });
    let events: Option<Vec<String>> = node
        .text_at(&["metadata", "annotations", "helm.sh/hook"])
        .map(|events| events.split(',').map(|event| event.trim().to_lowercase()).collect());
    let is_printed = match &events {
        None => true,
        Some(events) => {
            let is_test = events.iter().any(|event| event.starts_with("test"));
            let is_skipped = parts.skips_hooks || (is_test && parts.skips_tests);
            !is_skipped && events.iter().all(|event| is_known(event))
        }
    };
    let kind = node.get("kind").and_then(Node::text).unwrap_or_default();
    let rank = || (events.is_some(), helm_rank(kind, false).unwrap_or(usize::MAX), kind.to_owned());
    is_printed.then(rank)
}

/// Whether Helm knows an event; a hook at another one is left out.
fn is_known(event: &str) -> bool {
    let (when, what) = event.split_once('-').unwrap_or((event, ""));
    match when {
        "pre" | "post" => ["install", "upgrade", "rollback", "delete"].contains(&what),
        _ => matches!(event, "test" | "test-success"),
    }
}

#[derive(Default)]
struct Printer {
    text: String,
    lines: u32,
    sections: Vec<Section>,
}

impl Printer {
    fn print_definitions(&mut self, rendering: &Rendering, is_read: impl Fn(&str) -> bool) {
        for (path, file) in rendering.definitions.iter().filter(|(path, _)| is_read(path)) {
            let source = Source::Definition { path: path.as_str().into() };
            self.print(&file.text(), source);
        }
    }

    /// The objects by their kinds, then the hooks.
    fn print_objects(&mut self, locator: &mut Locator, parts: ChartParts, is_read: impl Fn(&str) -> bool) {
        let rendering = locator.rendering();
        let mut documents: Vec<(Rank, Manifest<'_>)> = rendering
            .manifests()
            .filter(|manifest| rendering.files.get(manifest.file).is_some_and(|file| is_read(&file.name)))
            .filter_map(|manifest| Some((rank(manifest.text, parts)?, manifest)))
            .collect();
        documents.sort_by(|(one, _), (other, _)| one.cmp(other));
        for (_, Manifest { file, start, text }) in documents {
            let start = locator.start_of(file, start);
            self.print(text, Source::Rendered { file, start });
        }
    }

    fn print(&mut self, text: &str, source: Source) {
        self.line("---");
        self.sections.push(Section { line: self.lines + 1, source });
        for line in text.lines() {
            self.line(line);
        }
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
        self.lines += 1;
    }
}
