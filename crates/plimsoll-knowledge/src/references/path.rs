//! Field paths with lists: `containers|initContainers[*].env[*].valueFrom.secretKeyRef`.

use plimsoll_model::Node;

/// A field path; `a|b` steps into either key, `[*]` into every item of a list, `{*}` into every value of a map.
#[derive(Debug)]
pub(crate) struct Path(Vec<Segment>);

#[derive(Debug)]
enum Segment {
    Keys(Vec<String>),
    Items,
    Values,
}

/// A node that a path leads to, and the nearest named list item above it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hit<'a> {
    pub(crate) node: &'a Node,
    pub(crate) item: Option<&'a Node>,
}

impl Path {
    pub(crate) fn parse(text: &str) -> Self {
        let mut segments = Vec::new();
        for part in text.split('.').filter(|part| !part.is_empty()) {
            let (key, rest) = match part.find(['[', '{']) {
                Some(at) => part.split_at(at),
                None => (part, ""),
            };
            segments.push(Segment::Keys(key.split('|').map(str::to_owned).collect()));
            match rest {
                "[*]" => segments.push(Segment::Items),
                "{*}" => segments.push(Segment::Values),
                _ => {}
            }
        }
        Self(segments)
    }

    /// Calls `seen` for every node that the path leads to.
    pub(crate) fn visit<'a>(&self, root: &'a Node, seen: &mut impl FnMut(&Hit<'a>)) {
        walk(&self.0, Hit { node: root, item: None }, seen);
    }
}

fn walk<'a>(segments: &[Segment], hit: Hit<'a>, seen: &mut impl FnMut(&Hit<'a>)) {
    let Some((segment, rest)) = segments.split_first() else { return seen(&hit) };
    match segment {
        Segment::Keys(keys) => {
            for node in keys.iter().filter_map(|key| hit.node.get(key)) {
                walk(rest, Hit { node, item: hit.item }, seen);
            }
        }
        Segment::Items => {
            for node in hit.node.items() {
                let item = if node.get("name").is_some() { Some(node) } else { hit.item };
                walk(rest, Hit { node, item }, seen);
            }
        }
        Segment::Values => {
            for (_, node) in hit.node.entries() {
                walk(rest, Hit { node, item: hit.item }, seen);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plimsoll_model::{Key, Place, Value};

    fn node(value: Value) -> Node {
        Node { value, place: Place::default() }
    }

    fn map(entries: &[(&str, Node)]) -> Node {
        let key = |text: &str| Key { text: text.into(), place: Place::default() };
        node(Value::Map(entries.iter().map(|(text, value)| (key(text), value.clone())).collect()))
    }

    fn text(text: &str) -> Node {
        node(Value::Text(text.into()))
    }

    #[test]
    fn a_path_leads_through_either_key_every_item_and_every_value() {
        let container = |name: &str, image: &str| map(&[("name", text(name)), ("image", text(image))]);
        let root = map(&[
            ("init", node(Value::List(vec![container("a", "one")]))),
            ("main", node(Value::List(vec![container("b", "two"), container("c", "three")]))),
            ("labels", map(&[("x", text("four"))])),
        ]);
        let seen = |path: &str| {
            let mut seen = Vec::new();
            Path::parse(path).visit(&root, &mut |hit| {
                let item = hit.item.and_then(|item| item.text_at(&["name"])).unwrap_or_default();
                seen.push(format!("{item}{}", hit.node.text().unwrap_or_default()));
            });
            seen
        };
        assert_eq!(seen("main|init[*].image"), ["btwo", "cthree", "aone"]);
        assert_eq!(seen("labels{*}"), ["four"]);
        assert!(seen("other[*].image").is_empty());
    }
}
