//! Renders a chart as often as it is asked to; its templates are parsed once.

use super::failure::RenderFailure;
use super::release::Templates;
use super::rendering::Rendering;
use super::request::Request;
use super::watch::Watch;
use crate::chart::Chart;
use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

/// Room for templates that call each other, and for values deep in each other; only what is used is taken.
const STACK_BYTES: usize = 512 << 20;

/// How much longer than it may last a rendering is waited for: until then it stops by itself, with a better word.
const GRACE: Duration = Duration::from_secs(2);

type Outcome = Result<Rendering, RenderFailure>;

/// A chart that is ready to be rendered.
#[derive(Debug)]
pub struct Renderer {
    requests: SyncSender<Request>,
    outcomes: Receiver<Outcome>,
    watch: Arc<Watch>,
    /// How long the rendering that was begun may last.
    limit: Cell<Duration>,
    /// What was seen to have come of it before anybody asked.
    seen: RefCell<Option<Outcome>>,
}

impl Renderer {
    /// Renders all templates of the chart and of the charts inside that are on.
    pub fn render(&self, request: &Request) -> Result<Rendering, RenderFailure> {
        self.begin(request);
        self.finish()
    }

    /// Begins to render; each beginning is followed by [`Renderer::finish`].
    pub fn begin(&self, request: &Request) {
        self.watch.beacon.reset();
        self.limit.set(request.limits.time);
        // If nobody takes the request, nobody answers either, and that is said where it is finished.
        let _ = self.requests.send(request.clone());
    }

    /// Whether nothing has come yet of the rendering that was begun.
    pub fn is_busy(&self) -> bool {
        let mut seen = self.seen.borrow_mut();
        if seen.is_none() {
            *seen = self.outcomes.try_recv().ok();
        }
        seen.is_none()
    }

    /// What came of the rendering that was begun.
    pub fn finish(&self) -> Result<Rendering, RenderFailure> {
        if let Some(outcome) = self.seen.take() {
            return outcome;
        }
        let limit = self.limit.get();
        self.outcomes.recv_timeout(limit.saturating_add(GRACE)).map_err(|error| match error {
            RecvTimeoutError::Timeout => self.watch.overdue(limit),
            RecvTimeoutError::Disconnected => {
                RenderFailure::Unavailable { cause: "the renderer stopped".to_owned() }
            }
        })?
    }
}

/// Works with a renderer for a chart, which has a thread of its own. It is best given back as soon as it is not needed
/// any more: the thread then tidies up while the work goes on. Nobody waits for a thread that does not end.
pub fn with_renderer<T>(chart: &Chart, work: impl FnOnce(Renderer) -> T) -> Result<T, RenderFailure> {
    let (requests, asked) = sync_channel(1);
    let (answers, outcomes) = sync_channel(1);
    let watch = Arc::new(Watch::default());
    let (chart, told) = (chart.clone(), Arc::clone(&watch));
    let thread = thread::Builder::new().name("chart".to_owned()).stack_size(STACK_BYTES);
    thread
        .spawn(move || serve(&chart, &told, &asked, &answers))
        .map_err(|error| RenderFailure::Unavailable { cause: error.to_string() })?;
    Ok(work(Renderer { requests, outcomes, watch, limit: Cell::default(), seen: RefCell::default() }))
}

/// Answers until nobody asks any more.
fn serve(chart: &Chart, watch: &Watch, asked: &Receiver<Request>, answers: &SyncSender<Outcome>) {
    let mut templates = Templates::of(chart, watch);
    while let Ok(request) = asked.recv() {
        if answers.send(templates.render(&request)).is_err() {
            break;
        }
    }
    templates.tidy_up();
}
