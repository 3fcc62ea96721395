//! What is known of a chart: its objects with their conditions and names, found from its answers.

use super::answers::Answers;
use super::blocks::{Block, Piece, Template, Understood, said, templates};
use super::explain::{Condition, Explainer};
use super::facts::{Facts, Field, ROW};
use super::learn::Bits;
use crate::question::Question;
use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

/// An object that the chart brings under a condition.
#[derive(Debug, Clone)]
pub(crate) struct Known {
    pub(crate) kind: String,
    pub(crate) is_definition: bool,
    pub(crate) name: Template,
    pub(crate) namespace: Template,
    /// When it is there; `None` if that could not be explained.
    pub(crate) presence: Option<Condition>,
    pub(crate) fields: Fields,
    /// The names of items of lists, by how fields call them.
    pub(crate) items: BTreeMap<String, Template>,
}

/// Fields with their forms, each with its condition.
pub(crate) type Fields = BTreeMap<Field, Vec<(Template, Condition)>>;

/// How many forms a field may have.
const MOST_FORMS: usize = 12;

/// An object and the number of the answer that has it.
type Occurrence<'f> = (usize, &'f Rc<Facts>);

/// The fields of an object, answer by answer.
type Stated = BTreeMap<usize, Rc<BTreeMap<Field, String>>>;

/// Templates by what blocks stand for and the text that they say.
type Templates = HashMap<(usize, String), Rc<Vec<Template>>>;

/// A version, and the number of what blocks stand for there.
type Spot = (usize, usize);

/// What blocks stand for, by number of the blocks.
type Values = Vec<Option<String>>;

/// Finds what is known.
pub(crate) struct Finder<'a> {
    answers: &'a Answers,
    blocks: &'a [Block],
    explainer: Explainer<'a>,
    /// The distinct values of blocks, and which of them holds in which answer.
    values: Vec<Values>,
    of_answer: Vec<usize>,
    templates: RefCell<Templates>,
}

impl<'a> Finder<'a> {
    pub(crate) fn new(answers: &'a Answers, blocks: &'a [Block]) -> Self {
        let mut numbers = BTreeMap::new();
        let mut of_answer = vec![0; answers.count()];
        for (number, question, version, _) in answers.each() {
            let Some(asked) = answers.asked.get(question) else { continue };
            let understood = answers.understood(&asked.question, version);
            let values: Values = blocks.iter().map(|block| block.value(&understood)).collect();
            let next = numbers.len();
            if let Some(place) = of_answer.get_mut(number) {
                *place = *numbers.entry(values).or_insert(next);
            }
        }
        let mut values = vec![Vec::new(); numbers.len()];
        for (value, number) in numbers {
            if let Some(place) = values.get_mut(number) {
                *place = value;
            }
        }
        let explainer = Explainer::new(answers);
        Self { answers, blocks, explainer, values, of_answer, templates: RefCell::default() }
    }

    /// Everything that is known.
    pub(crate) fn find(&self) -> Vec<Known> {
        let mut kinds = BTreeMap::<(bool, &str), Vec<Occurrence<'_>>>::new();
        let mut all = Bits::new(self.answers.count());
        for (number, question, _, objects) in self.answers.each() {
            if !self.is_long(question) {
                all.insert(number);
            }
            for facts in objects {
                let kind = (facts.is_definition, facts.kind.as_str());
                kinds.entry(kind).or_default().push((number, facts));
            }
        }
        let mut found = Vec::new();
        for ((is_definition, kind), occurrences) in kinds {
            for ((name, namespace), occurrences) in self.identities(&occurrences) {
                let there: BTreeMap<usize, &Rc<Facts>> =
                    occurrences.into_iter().filter(|(number, _)| all.contains(*number)).collect();
                if there.is_empty() {
                    continue;
                }
                let (items, there) = self.with_items(&there);
                let mut yes = Bits::new(self.answers.count());
                yes.extend(there.keys());
                let presence = self.explainer.explain(&yes, &all);
                let fields = presence.as_ref().map(|_| self.fields(&there, &yes));
                let is_made_up = name.iter().chain(&namespace).any(Piece::is_made_up);
                let is_explained = fields.as_ref().is_none_or(Option::is_some) && !is_made_up;
                found.push(Known {
                    kind: kind.to_owned(),
                    is_definition,
                    name,
                    namespace,
                    presence: presence.filter(|_| is_explained),
                    fields: fields.flatten().unwrap_or_default(),
                    items,
                });
            }
        }
        found
    }

    fn is_long(&self, question: usize) -> bool {
        self.answers.asked.get(question).is_some_and(|asked| asked.is_long)
    }

    /// Objects of a kind by their names and namespaces as templates.
    fn identities<'f>(
        &self,
        occurrences: &[Occurrence<'f>],
    ) -> Vec<((Template, Template), Vec<Occurrence<'f>>)> {
        let mut open = BTreeMap::<(Spot, &str, &str), Vec<Occurrence<'f>>>::new();
        for (number, facts) in occurrences {
            let key = (self.spot(*number), facts.name.as_str(), facts.namespace.as_str());
            open.entry(key).or_default().push((*number, facts));
        }
        let mut found = Vec::new();
        while let Some(((name, space), versions)) = self.identity(open.keys()) {
            let mut taken = Vec::new();
            open.retain(|((version, values), text, namespace), there| {
                let is_it = versions.contains(version)
                    && self.says(&name, *values, text)
                    && self.says(&space, *values, namespace);
                if is_it {
                    taken.append(there);
                }
                !is_it
            });
            if taken.is_empty() {
                break;
            }
            found.push(((name, space), taken));
        }
        found
    }

    /// The templates for a name and a namespace that most of some objects have, and in which versions.
    fn identity<'t>(
        &self,
        objects: impl Iterator<Item = &'t (Spot, &'t str, &'t str)>,
    ) -> Option<((Template, Template), BTreeSet<usize>)> {
        let or_literal = |values: usize, text: &str| {
            let found = self.templates(values, text);
            let literal = || Rc::new(vec![vec![Piece::Text(text.to_owned())]]);
            if found.is_empty() { literal() } else { found }
        };
        let both = objects.map(|((version, values), name, namespace)| {
            let (names, spaces) = (or_literal(*values, name), or_literal(*values, namespace));
            let each = names.iter().flat_map(|name| spaces.iter().map(|space| (name.clone(), space.clone())));
            (*version, each.collect::<Vec<_>>())
        });
        leading(both, |(name, space)| name.len() + space.len())
    }

    /// The version of an answer, and what blocks stand for in it.
    fn spot(&self, number: usize) -> Spot {
        (number % self.answers.versions.len().max(1), self.values_of(number))
    }

    fn values_of(&self, number: usize) -> usize {
        self.of_answer.get(number).copied().unwrap_or_default()
    }

    fn templates(&self, values: usize, text: &str) -> Rc<Vec<Template>> {
        let key = (values, text.to_owned());
        if let Some(known) = self.templates.borrow().get(&key) {
            return Rc::clone(known);
        }
        let of = self.values.get(values).map_or(&[][..], Vec::as_slice);
        let there = self.blocks.iter().zip(of).filter_map(|(block, value)| Some((block, value.clone()?)));
        let found = Rc::new(templates(text, &there.collect::<Vec<_>>()));
        self.templates.borrow_mut().insert(key, Rc::clone(&found));
        found
    }

    fn says(&self, template: &Template, values: usize, text: &str) -> bool {
        let of = self.values.get(values).map_or(&[][..], Vec::as_slice);
        let mut rest = text;
        for piece in template {
            let value = match piece {
                Piece::Text(text) => Some(text),
                Piece::Block(block) => {
                    let at = self.blocks.iter().position(|known| known == block);
                    at.and_then(|at| of.get(at)?.as_ref())
                }
            };
            match value.and_then(|value| rest.strip_prefix(value.as_str())) {
                Some(after) => rest = after,
                None => return false,
            }
        }
        rest.is_empty()
    }

    /// Calls items of lists by what their names are made of, so that they are the same ones in all answers.
    fn with_items(&self, there: &BTreeMap<usize, &Rc<Facts>>) -> (BTreeMap<String, Template>, Stated) {
        let mut names = BTreeSet::new();
        let mut open = BTreeMap::new();
        for (number, facts) in there {
            open.insert((self.spot(*number), Rc::as_ptr(facts)), facts);
        }
        for ((spot, _), facts) in &open {
            let steps = facts.fields.keys().flatten().filter_map(|step| step.strip_prefix('['));
            names.extend(steps.filter_map(|step| Some((*spot, step.strip_suffix(']')?))));
        }
        let (mut items, mut called) = (BTreeMap::new(), BTreeMap::new());
        while !names.is_empty() {
            let Some((template, versions)) = self.most_common(names.iter().copied()) else { break };
            let key = format!("[{}]", template.iter().map(Piece::shown).collect::<String>());
            let is_it = |((version, values), text): &(Spot, &str)| {
                versions.contains(version) && self.says(&template, *values, text)
            };
            let (taken, rest): (BTreeSet<_>, BTreeSet<_>) = names.into_iter().partition(is_it);
            called.extend(taken.into_iter().map(|name| (name, key.clone())));
            items.insert(key, template);
            names = rest;
        }
        let mut renamed = BTreeMap::new();
        for ((spot, facts), of) in &open {
            let step = |step: &String| {
                let name = step.strip_prefix('[').and_then(|step| step.strip_suffix(']'));
                name.and_then(|name| called.get(&(*spot, name))).unwrap_or(step).clone()
            };
            let fields = of.fields.iter().map(|(path, text)| (path.iter().map(step).collect(), text.clone()));
            renamed.insert((*spot, *facts), Rc::new(fields.collect::<BTreeMap<Field, String>>()));
        }
        let of = |number: &usize, facts: &Rc<Facts>| {
            renamed.get(&(self.spot(*number), Rc::as_ptr(facts))).cloned().unwrap_or_default()
        };
        let fields = there.iter().map(|(number, facts)| (*number, of(number, facts))).collect();
        (items, fields)
    }

    /// The template that says most of some texts, and in which versions.
    fn most_common<'t>(
        &self,
        texts: impl Iterator<Item = (Spot, &'t str)>,
    ) -> Option<(Template, BTreeSet<usize>)> {
        let all = texts.map(|((version, values), text)| (version, self.templates(values, text).to_vec()));
        leading(all, Vec::len)
    }

    /// What is said of an object; `None` if something that matters could not be explained.
    fn fields(&self, there: &Stated, within: &Bits) -> Option<Fields> {
        let paths: BTreeSet<&Field> = there.values().flat_map(|fields| fields.keys()).collect();
        let (mut found, mut dropped) = (BTreeMap::new(), Vec::<&[String]>::new());
        for path in paths {
            match self.forms(path, there, within) {
                Some(forms) => {
                    found.insert(path.clone(), forms);
                }
                None if matters(path) => {
                    crate::tell(&format!("not explained: {path:?}"));
                    return None;
                }
                None => dropped.push(whole(path)),
            }
        }
        found.retain(|path: &Field, _| !dropped.iter().any(|dropped| path.starts_with(dropped)));
        Some(found)
    }

    /// The forms of a field, each with its condition.
    fn forms(&self, path: &Field, there: &Stated, within: &Bits) -> Option<Vec<(Template, Condition)>> {
        let mut open: BTreeMap<(Spot, &str), Vec<usize>> = BTreeMap::new();
        for (number, fields) in there {
            if let Some(text) = fields.get(path) {
                open.entry((self.spot(*number), text)).or_default().push(*number);
            }
        }
        let mut forms = Vec::new();
        while !open.is_empty() {
            if forms.len() == MOST_FORMS {
                return None;
            }
            let (template, versions) = self.most_common(open.keys().copied())?;
            let mut yes = Bits::new(self.answers.count());
            open.retain(|((version, values), text), numbers| {
                let is_it = versions.contains(version) && self.says(&template, *values, text);
                if is_it {
                    yes.extend(&*numbers);
                }
                !is_it
            });
            let condition = self.explainer.explain(&yes, within)?;
            forms.push((template, yes, condition));
        }
        let mut rest = within.clone();
        for (_, yes, _) in &forms {
            rest = rest.without(yes);
        }
        // Where one of the forms always holds, the last one is what is left.
        if rest.is_empty()
            && let Some((_, _, condition)) = forms.last_mut()
        {
            *condition = Condition::default();
        }
        Some(forms.into_iter().map(|(template, _, condition)| (template, condition)).collect())
    }
}

/// What says most of some texts, of several the plainest, and of those the first; and the versions in which nothing else
/// says more. Each text comes with its version and all that says it.
fn leading<T: Ord + Clone>(
    texts: impl Iterator<Item = (usize, Vec<T>)>,
    size: impl Fn(&T) -> usize,
) -> Option<(T, BTreeSet<usize>)> {
    let texts: Vec<(usize, Vec<T>)> = texts.collect();
    let mut counts = BTreeMap::<&T, (BTreeMap<usize, usize>, usize)>::new();
    for (version, all) in &texts {
        for one in all {
            let order = counts.len();
            let (count, _) = counts.entry(one).or_insert((BTreeMap::new(), order));
            *count.entry(*version).or_default() += 1;
        }
    }
    let weight = |(one, (count, order)): &(&&T, &(BTreeMap<usize, usize>, usize))| {
        (count.values().sum::<usize>(), Reverse(size(one)), Reverse(*order))
    };
    let (best, (of_best, _)) = counts.iter().max_by_key(weight)?;
    let count = |one: &T, version: usize| {
        counts.get(one).and_then(|(count, _)| count.get(&version)).copied().unwrap_or_default()
    };
    let mut versions: BTreeSet<usize> = of_best.keys().copied().collect();
    for (version, all) in texts.iter().filter(|(_, all)| all.contains(best)) {
        if all.iter().any(|other| count(other, *version) > count(best, *version)) {
            versions.remove(version);
        }
    }
    if versions.is_empty() {
        versions = of_best.keys().copied().collect();
    }
    Some(((*best).clone(), versions))
}

/// Whether an object without this field would mean something else.
fn matters(path: &Field) -> bool {
    let first = path.first().map_or("", String::as_str);
    matches!(first, "webhooks" | "apiVersion" | "metadata" | "converter") || first == ROW
}

/// The item of a list that a field belongs to, or the field itself.
fn whole(path: &Field) -> &[String] {
    let item = path.iter().rposition(|key| key.starts_with('['));
    item.and_then(|at| path.get(..=at)).unwrap_or(path)
}

impl Known {
    /// Whether an object of an answer is this one.
    pub(crate) fn is(&self, facts: &Facts, answers: &Answers, question: &Question, version: usize) -> bool {
        let asked = answers.understood(question, version);
        self.kind == facts.kind
            && self.is_definition == facts.is_definition
            && said(&self.name, &asked).as_ref() == Some(&facts.name)
            && said(&self.namespace, &asked).as_ref() == Some(&facts.namespace)
    }

    /// Says no more what turned out to be wrong: a field, or the whole object.
    pub(crate) fn forget(&mut self, field: Option<&Field>) {
        match field {
            Some(field) if !matters(field) => self.fields.retain(|path, _| !path.starts_with(whole(field))),
            _ => self.presence = None,
        }
    }

    /// What a field is called in an answer.
    pub(crate) fn field(&self, path: &Field, asked: &Understood<'_>) -> Field {
        let step = |step: &String| {
            let name = self.items.get(step).and_then(|template| said(template, asked));
            name.map_or_else(|| step.clone(), |name| format!("[{name}]"))
        };
        path.iter().map(step).collect()
    }

    /// The values that it depends on.
    pub(crate) fn paths(&self) -> BTreeSet<String> {
        let forms = self.fields.values().flatten();
        let conditions = self.presence.iter().chain(forms.clone().map(|(_, condition)| condition));
        let asked = conditions.flat_map(|condition| condition.groups.iter().flatten());
        let mut found: BTreeSet<String> = asked.filter_map(|(meaning, _)| meaning.path()).collect();
        let texts = [&self.name, &self.namespace].into_iter().chain(forms.map(|(template, _)| template));
        for piece in texts.flatten() {
            if let Piece::Block(block) = piece {
                found.extend(block.paths());
            }
        }
        found
    }

    /// Its kind and name, as a template says them.
    pub(crate) fn shown(&self) -> String {
        format!("{}/{}", self.kind, self.name.iter().map(Piece::shown).collect::<String>())
    }

    /// Its kind and name, with `*` for what depends on the question.
    pub(crate) fn pattern(&self) -> String {
        let pieces = self.name.iter().map(|piece| match piece {
            Piece::Text(text) => text.as_str(),
            Piece::Block(_) => "*",
        });
        format!("{}/{}", self.kind, pieces.collect::<String>())
    }
}
