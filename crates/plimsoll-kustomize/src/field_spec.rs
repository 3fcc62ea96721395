//! Where a change goes: a path of fields in the objects of some kinds, through lists without naming them
//! (`sigs.k8s.io/kustomize/api` v0.21.1, `filters/fieldspec/fieldspec.go`, `types/fieldspec.go`).

use crate::identity::Gvk;
use crate::refusal::Refusal;
use crate::tree::{Form, Node, split};
use plimsoll_model::Place;

/// A path of fields in the objects of some kinds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct FieldSpec {
    pub(crate) gvk: Gvk,
    pub(crate) path: Box<str>,
    /// Whether the field is made where it is missing.
    pub(crate) creates: bool,
}

/// What is made where a field is missing, and the place it is said to have.
#[derive(Debug, Clone)]
pub(crate) struct Made {
    pub(crate) form: Form,
    pub(crate) place: Place,
}

/// Something that is done to a field.
pub(crate) type Change<'c> = dyn FnMut(&mut Node) -> Result<(), Refusal> + 'c;

impl FieldSpec {
    pub(crate) fn fits(&self, gvk: &Gvk) -> bool {
        gvk.is_selected(&self.gvk)
    }

    /// Does something to every field of an object that this means.
    pub(crate) fn apply(
        &self,
        root: &mut Node,
        gvk: &Gvk,
        made: Option<&Made>,
        change: &mut Change<'_>,
    ) -> Result<(), Refusal> {
        if !self.fits(gvk) {
            return Ok(());
        }
        self.walk(root, made, change)
    }

    /// The same, for an object that was chosen already.
    pub(crate) fn walk(
        &self,
        root: &mut Node,
        made: Option<&Made>,
        change: &mut Change<'_>,
    ) -> Result<(), Refusal> {
        let path = split(&self.path, '/');
        let made = made.filter(|_| self.creates);
        walk(root, &path, made, change)
    }
}

fn walk(
    node: &mut Node,
    path: &[String],
    made: Option<&Made>,
    change: &mut Change<'_>,
) -> Result<(), Refusal> {
    let Some((first, rest)) = path.split_first() else {
        return change(node);
    };
    if node.is_null() {
        return Ok(());
    }
    let place = node.place;
    match &mut node.form {
        Form::List(items) => items.iter_mut().try_for_each(|item| walk(item, path, made, change)),
        Form::Map(_) => enter(node, first, rest, made, change),
        Form::Scalar(_) => {
            let cause =
                format!("kustomize looks for the field `{first}` here and finds neither a list nor a map");
            Err(Refusal::new(place, cause))
        }
    }
}

fn enter(
    node: &mut Node,
    first: &str,
    rest: &[String],
    made: Option<&Made>,
    change: &mut Change<'_>,
) -> Result<(), Refusal> {
    let name = first.strip_suffix("[]").unwrap_or(first);
    let is_list = name.len() != first.len();
    if name.is_empty() {
        return Err(Refusal::new(node.place, "kustomize refuses a path with an empty field name"));
    }
    let form = match made {
        _ if is_list => Some(Form::List(Vec::new())),
        Some(made) if rest.is_empty() => Some(made.form.clone()),
        Some(_) => Some(Form::Map(Vec::new())),
        None => None,
    };
    if let (Some(made), Some(form), None, false) = (made, &form, node.get(name), is_list) {
        node.append(name, Node::new(form.clone(), made.place));
    }
    let Some(field) = node.get_mut(name) else { return Ok(()) };
    if let Some(form) = form {
        field.fill(form);
    }
    walk(field, rest, made, change)
}

/// Adds field specs that are not there yet. Two that mean the same field must agree on whether it is made.
pub(crate) fn merge(specs: &mut Vec<FieldSpec>, more: &[FieldSpec]) -> Result<(), &'static str> {
    for spec in more {
        let same = specs.iter().find(|own| own.gvk.is_selected(&spec.gvk) && own.path == spec.path);
        match same {
            Some(own) if own.creates != spec.creates => return Err("conflicting field specs"),
            Some(_) => {}
            None => specs.push(spec.clone()),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::{Tag, documents, read_document};

    #[test]
    fn lists_are_entered_without_being_named() {
        let text = "a:\n- b: {c: 1}\n- b: {c: 2}\n- d: 3\n";
        let mut root = read_document(&documents(text, Place::default()).unwrap()[0]).unwrap().unwrap();
        let spec = FieldSpec { path: "a/b/c".into(), ..FieldSpec::default() };
        let mut seen = Vec::new();
        let mut change = |node: &mut Node| {
            seen.push(node.written().to_owned());
            node.set_scalar("9", Tag::Int, Place::default())
        };
        spec.apply(&mut root, &Gvk::default(), None, &mut change).unwrap();
        assert_eq!(seen, ["1", "2"]);
    }
}
