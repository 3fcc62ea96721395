//! Which objects the words of a command name: `type/name`, `type name…`, `type` with a selector.

use super::super::expand::Field;
use super::super::flags::Flags;
use super::super::state::State;
use super::namespace_of;
use plimsoll_model::{ObjectId, Target};

/// Resource and name of each object that the words name; `None` if a word is not known.
pub(super) fn names(words: &[Field]) -> Option<Vec<(String, Option<String>)>> {
    // `team=a` and `team-` say what to change; no name ends like that.
    let is_change = |word: &Field| word.text.contains('=') || word.text.ends_with('-');
    let words: Vec<&Field> = words.iter().filter(|word| !is_change(word)).collect();
    if words.iter().any(|word| word.unknown.is_some()) {
        return None;
    }
    let (first, rest) = words.split_first()?;
    if first.text.contains('/') {
        let pair = |word: &&Field| {
            let (resource, name) = word.text.split_once('/')?;
            Some((resource.to_owned(), Some(name.to_owned())))
        };
        return words.iter().map(pair).collect();
    }
    let resources = first.text.split(',').filter(|resource| !resource.is_empty());
    if rest.is_empty() {
        return Some(resources.map(|resource| (resource.to_owned(), None)).collect());
    }
    Some(
        resources
            .flat_map(|resource| rest.iter().map(|name| (resource.to_owned(), Some(name.text.clone()))))
            .collect(),
    )
}

/// What a gate over these words looks at; `None` if it cannot be known.
pub(super) fn targets(words: &[Field], flags: &Flags, state: &State) -> Option<Vec<Target>> {
    let namespace = namespace_of(flags, state);
    let all_namespaces = flags.has("all-namespaces");
    let selector = match flags.value("selector") {
        Some(field) if field.unknown.is_some() => return None,
        Some(field) => field.text.clone(),
        None => String::new(),
    };
    let target = |(resource, name)| match name {
        Some(name) => Target::Named { resource, name, namespace: namespace.clone() },
        None => Target::Selected {
            resource,
            selector: selector.clone(),
            namespace: namespace.clone(),
            all_namespaces,
        },
    };
    Some(names(words)?.into_iter().map(target).collect())
}

/// The object that a resource as written and a name stand for; of a kind nobody knows, the kind is the resource as written.
pub(super) fn object_id(resource: &str, name: &str, namespace: &str) -> ObjectId {
    if let Some((group, kind, is_namespaced)) = super::kind_of(resource) {
        return ObjectId::new(group, kind, is_namespaced.then_some(namespace), name);
    }
    let (resource, group) = resource.split_once('.').unwrap_or((resource, ""));
    ObjectId::new(group, resource, Some(namespace), name)
}
