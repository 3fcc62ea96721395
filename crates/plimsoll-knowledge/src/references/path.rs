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
