//! Runs templates, as `text/template/exec.go` of Go 1.26 does with `missingkey=zero`.

mod arguments;
mod evaluate;
mod field;
mod range;
mod run;

use run::{At, Run};

use super::beacon::Beacon;
use super::failure::Failure;
use super::function::Library;
use super::limits::{Limits, Meter};
use super::origin::{Frame, FrameIndex, Frames, Origin, ValuePlace};
use super::parser::{Room, parse};
use super::quote::quoted;
use super::tree::{Branch, Expression, Node, Pipe, Source, Template};
use super::value::{Item, Text, TextBuilder, Value};
use super::weight::weigh;
use crate::clock::Time;
use crate::lookup::LookUps;
use std::collections::HashMap;
use std::mem;
use std::sync::Arc;

/// The templates, and what running them costs and tells.
#[derive(Debug)]
pub(crate) struct Machine {
    pub(crate) library: Arc<Library>,
    templates: Arc<HashMap<Arc<str>, Arc<Template>>>,
    pub(crate) frames: Frames,
    pub(crate) meter: Meter,
    /// Tells others where the work stands.
    pub(crate) beacon: Arc<Beacon>,
    /// What the cluster is asked for.
    pub(crate) lookups: LookUps,
    output: TextBuilder,
    /// How often a template is being included at this moment.
    pub(crate) included: HashMap<Arc<str>, u32>,
    /// The moment at which everything is rendered.
    pub(crate) now: Time,
    /// Whether templates go on where `fail` and `required` would stop them.
    pub(crate) goes_on: bool,
    /// Texts that `tpl` parsed.
    parsed: HashMap<Arc<str>, Arc<[Arc<Template>]>>,
}

/// Where to go on after a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flow {
    Next,
    Break,
    Continue,
}

/// What a function or method is given.
pub(super) struct Given<'t> {
    arguments: &'t [Expression],
    /// What the command before it in a pipeline made.
    last: Option<Item>,
}

impl Given<'_> {
    const NOTHING: Self = Given { arguments: &[], last: None };

    fn is_nothing(&self) -> bool {
        self.arguments.is_empty() && self.last.is_none()
    }
}

/// Who calls a template, and with which text it was written if that is a value.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Caller {
    pub(crate) origin: Option<Origin>,
    pub(crate) text: ValuePlace,
}

impl Caller {
    /// Nobody: the template is a file.
    pub(crate) const NONE: Self = Self { origin: None, text: ValuePlace::NONE };
}

impl Machine {
    pub(crate) fn new(library: Arc<Library>, beacon: Arc<Beacon>) -> Self {
        Self {
            library,
            templates: Arc::default(),
            frames: Frames::default(),
            meter: Meter::new(Limits::default()),
            beacon,
            lookups: LookUps::default(),
            output: TextBuilder::default(),
            included: HashMap::new(),
            now: Time { seconds: 946_684_800 },
            goes_on: false,
            parsed: HashMap::new(),
        }
    }

    /// Adds templates. One that is empty does not replace another of its name.
    pub(crate) fn define_all(&mut self, templates: &[Arc<Template>]) {
        for template in templates {
            self.define(Arc::clone(template));
        }
    }

    fn define(&mut self, template: Arc<Template>) {
        let templates = Arc::make_mut(&mut self.templates);
        if !template.is_empty() || !templates.contains_key(&template.name) {
            templates.insert(Arc::clone(&template.name), template);
        }
    }

    /// What a template of a name makes of a value.
    pub(crate) fn execute(&mut self, name: &str, dot: &Item, caller: Caller) -> Result<Text, Failure> {
        let Some(template) = self.templates.get(name).cloned() else {
            let name = quoted(name);
            return Err(format!("template: no template {name} associated with template \"gotpl\"").into());
        };
        self.captured(|machine| machine.enter(&template, dot, caller))
    }

    /// What a text makes of a value, as Helm's `tpl` does: templates that it defines are known only inside it.
    pub(crate) fn execute_text(&mut self, text: &str, dot: &Item, caller: Caller) -> Result<Text, Failure> {
        let templates = match self.parsed.get(text) {
            Some(templates) => Arc::clone(templates),
            None => self.parse_text(text)?,
        };
        let Some((main, definitions)) = templates.split_last() else {
            return Ok(Text::from(""));
        };
        let outer = Arc::clone(&self.templates);
        self.define_all(definitions);
        let result = self.captured(|machine| machine.enter(main, dot, caller));
        self.templates = outer;
        result
    }

    fn parse_text(&mut self, text: &str) -> Result<Arc<[Arc<Template>]>, Failure> {
        let text: Arc<str> = text.into();
        let source = Arc::new(Source { name: "gotpl".into(), text: Arc::clone(&text), file: 0 });
        let templates = parse(&source, &self.library, Room::Much).map_err(|failure| {
            Failure::from(failure.to_string()).within(&format!("cannot parse template {}: ", quoted(&text)))
        })?;
        self.parsed.insert(text, Arc::clone(&templates));
        Ok(templates)
    }

    /// The output of some work, apart from the output around it.
    fn captured(&mut self, work: impl FnOnce(&mut Self) -> Result<(), Failure>) -> Result<Text, Failure> {
        let outer = mem::take(&mut self.output);
        let result = work(self);
        let output = mem::replace(&mut self.output, outer);
        result.map(|()| output.finish())
    }

    fn enter(&mut self, template: &Arc<Template>, dot: &Item, caller: Caller) -> Result<(), Failure> {
        self.meter.enter()?;
        let index = self.frame(template, caller);
        let mut run = Run::new(template, index, dot.clone());
        let result = self.walk(&mut run, &template.body);
        self.meter.leave();
        result.map(|_| ())
    }

    fn frame(&mut self, template: &Template, caller: Caller) -> FrameIndex {
        self.frames.add(Frame {
            template: Arc::clone(&template.name),
            source: Arc::clone(&template.source),
            caller: caller.origin.map(|origin| (origin.frame, origin.offset)),
            value: caller.text,
        })
    }

    fn walk<'t>(&mut self, run: &mut Run<'t>, nodes: &'t [Node]) -> Result<Flow, Failure> {
        for node in nodes {
            match self.walk_node(run, node)? {
                Flow::Next => {}
                flow => return Ok(flow),
            }
        }
        Ok(Flow::Next)
    }

    /// Walks with another dot.
    fn walk_with<'t>(&mut self, run: &mut Run<'t>, dot: Item, nodes: &'t [Node]) -> Result<Flow, Failure> {
        let outer = run.set_dot(dot);
        let flow = self.walk(run, nodes);
        run.set_dot(outer);
        flow
    }

    fn walk_node<'t>(&mut self, run: &mut Run<'t>, node: &'t Node) -> Result<Flow, Failure> {
        self.meter.step().map_err(|failure| run.fail_with(failure))?;
        run.at(At::Node(node));
        match node {
            Node::Text { offset, length } => {
                let origin = Origin { is_copied: true, ..run.origin(*offset, ValuePlace::NONE) };
                self.output.push(run.text(*offset, *length), origin);
                self.write_limit(run)?;
            }
            Node::Action { offset, pipe } => {
                let item = self.pipe(run, pipe)?;
                if pipe.variables.is_empty() {
                    run.at(At::Node(node));
                    self.print(run, &item, *offset)?;
                }
            }
            Node::If(branch) => return self.branch(run, branch, false),
            Node::With(branch) => return self.branch(run, branch, true),
            Node::Range(branch) => return self.range(run, branch),
            Node::Template { offset, name, pipe } => self.template(run, *offset, name, pipe.as_ref())?,
            Node::Break => return Ok(Flow::Break),
            Node::Continue => return Ok(Flow::Continue),
        }
        Ok(Flow::Next)
    }

    fn template<'t>(
        &mut self,
        run: &mut Run<'t>,
        offset: u32,
        name: &str,
        pipe: Option<&'t Pipe>,
    ) -> Result<(), Failure> {
        let Some(template) = self.templates.get(name).cloned() else {
            return Err(run.fail(format!("template {} not defined", quoted(name))));
        };
        let dot = match pipe {
            Some(pipe) => self.pipe(run, pipe)?,
            None => Value::Invalid.into(),
        };
        let origin = Some(run.origin(offset, ValuePlace::NONE));
        let caller = Caller { origin, text: ValuePlace::NONE };
        self.enter(&template, &dot, caller).map_err(|failure| run.placed(failure))
    }

    fn branch<'t>(&mut self, run: &mut Run<'t>, branch: &'t Branch, is_with: bool) -> Result<Flow, Failure> {
        let mark = run.mark();
        let item = self.pipe(run, &branch.pipe)?;
        let flow = match (item.value.is_true(), is_with) {
            (true, true) => self.walk_with(run, item, &branch.body),
            (true, false) => self.walk(run, &branch.body),
            (false, _) => self.walk(run, branch.otherwise.as_deref().unwrap_or_default()),
        };
        run.release(mark);
        flow
    }

    fn print(&mut self, run: &mut Run<'_>, item: &Item, offset: u32) -> Result<(), Failure> {
        let origin = run.origin(offset, item.place);
        match &item.value {
            Value::Text(text) => self.output.push_text(text, origin),
            value => {
                let weighed = weigh(std::slice::from_ref(item), &mut self.meter);
                weighed.map_err(|failure| run.fail_with(failure))?;
                let text = super::format::printed(value);
                self.output.push(&text, origin);
            }
        }
        self.write_limit(run)
    }

    fn write_limit(&mut self, run: &mut Run<'_>) -> Result<(), Failure> {
        self.meter.check_output(self.output.len()).map_err(|failure| run.fail_with(failure))
    }
}
