//! One reference found in one object, and the requirements it makes.

use super::path::Hit;
use super::row::{Row, When};
use crate::read::pods::Pods;
use crate::read::{init_guard, keys};
use crate::rule::{Found, Rule, Statement};
use crate::rules;
use crate::view::View;
use plimsoll_model::Milestone::Stored;
use plimsoll_model::{Actor, Clause, Moment, Node, Object, ObjectId, Reading};

/// A field of an object that names another.
pub(super) struct Sighting<'a> {
    view: &'a View<'a>,
    row: &'a Row,
    owner: &'a Object,
    pods: Option<&'a Pods<'a>>,
    hit: &'a Hit<'a>,
    /// The node that holds the name: the place at fault.
    name: &'a Node,
    target: ObjectId,
}

/// One occasion on which the reference is read.
pub(super) struct Read {
    pub(super) then: Moment,
    pub(super) reading: Reading,
    pub(super) actor: Actor,
}

impl<'a> Sighting<'a> {
    /// The reference at a hit; `None` where the field names nothing, or something that every cluster has.
    pub(super) fn new(view: &'a View<'a>, row: &'a Row, owner: &'a Object, hit: &'a Hit<'a>) -> Option<Self> {
        let name = if row.name.is_empty() { hit.node } else { hit.node.get(&row.name)? };
        let text = name.text().filter(|text| !text.is_empty() && !text.contains("${"))?;
        if row.given.iter().any(|given| given == text) {
            return None;
        }
        let target = row.target(view, owner, hit.node, text)?;
        Some(Self { view, row, owner, pods: None, hit, name, target })
    }

    /// The same in a pod specification, unless the kubelet never looks at it or an init container waits for it.
    pub(super) fn in_pods(
        view: &'a View<'a>,
        row: &'a Row,
        pods: &'a Pods<'a>,
        hit: &'a Hit<'a>,
    ) -> Option<Self> {
        let sighting = Self::new(view, row, pods.owner, hit)?;
        if row.when == When::Started {
            let volume =
                if row.is_volume() { hit.item.and_then(|item| item.text_at(&["name"])) } else { None };
            let is_idle = volume.is_some_and(|volume| !pods.mounts(volume));
            if is_idle || init_guard::holds(pods, hit.node, sighting.target.name()) {
                return None;
            }
        }
        Some(Self { pods: Some(pods), ..sighting })
    }

    /// States what each occasion needs. What the owner itself brings about it does not need first.
    pub(super) fn state(&self, reads: Vec<Read>, found: &mut Found) {
        if found.is_brought_by(&self.target, &self.owner.id) {
            return;
        }
        for read in reads {
            if self.row.is_optional(self.hit.node) {
                self.state_optional(read, found);
                continue;
            }
            self.statement(self.row.rule, self.first(), &read, self.fill(&self.row.answer, ""))
                .despite(self.guard())
                .push(found);
            self.state_keys(&read, found);
        }
    }

    /// An optional source that nothing brings is never missed.
    fn state_optional(&self, read: Read, found: &mut Found) {
        let Some(reading) = self.row.optional_reading else { return };
        if self.view.delivers(&self.target) || found.is_brought(&self.target) {
            let read = Read { reading, ..read };
            self.statement(&rules::optional_source_after_pod::RULE, self.first(), &read, String::new())
                .class(self.row.rule.class)
                .push(found);
        }
    }

    fn state_keys(&self, read: &Read, found: &mut Found) {
        for node in self.row.keys(self.hit.node) {
            let key = node.text().unwrap_or_default();
            if !keys::lack(self.view, found, &self.target, key) {
                continue;
            }
            let answer = self.fill(&self.row.key_answer, key);
            let message =
                format!("{} asks {} for key {key}, which it does not have", self.owner.id, self.target);
            self.statement(&rules::key_missing_in_source::RULE, Clause(Vec::new()), read, answer)
                .class(self.row.rule.class)
                .told(self.target.at(Stored))
                .at(node.place)
                .says(message)
                .mended(format!("add {key} to {}, or ask for a key that it has", self.target))
                .push(found);
        }
    }

    fn first(&self) -> Clause {
        self.target.at(self.row.milestone).into()
    }

    fn statement(&self, rule: &'static Rule, first: Clause, read: &Read, answer: String) -> Statement {
        rule.requires(first, read.then.clone())
            .read(read.reading)
            .sure(self.row.confidence)
            .at(self.name.place)
            .says(self.fill(&self.row.message, ""))
            .answered(read.actor, self.fill(&self.row.does, ""), answer)
    }

    /// An init container that seems to wait for what a volume needs, and cannot.
    fn guard(&self) -> Option<String> {
        self.pods
            .filter(|_| self.row.is_volume() && self.row.when == When::Started)
            .and_then(init_guard::that_is_none)
    }

    /// Fills the places of a row's text.
    fn fill(&self, text: &str, key: &str) -> String {
        let target = &self.target;
        let resource = || {
            let resource = plimsoll_schema::resource(target.group(), target.kind());
            let resource = resource.map_or_else(|| target.kind().to_ascii_lowercase() + "s", str::to_owned);
            if target.group().is_empty() { resource } else { format!("{resource}.{}", target.group()) }
        };
        let filled = text
            .replace("{owner}", &self.owner.id.to_string())
            .replace("{target}", &target.to_string())
            .replace("{name}", target.name())
            .replace("{kind}", target.kind())
            .replace("{singular}", &format!("{}.{}", target.kind().to_ascii_lowercase(), target.group()))
            .replace("{namespace}", target.namespace().unwrap_or_default())
            .replace("{item}", self.hit.item.and_then(|item| item.text_at(&["name"])).unwrap_or_default())
            .replace("{key}", key);
        let filled =
            if filled.contains("{resource}") { filled.replace("{resource}", &resource()) } else { filled };
        match self.pods {
            Some(pods) if filled.contains("{refused}") => filled.replace("{refused}", &pods.refused()),
            _ => filled,
        }
    }
}
