//! The object that a generator makes.

use super::sources::pairs;
use crate::build::Build;
use crate::files::Root;
use crate::kustomization::{Generator, Options};
use crate::refusal::Refusal;
use crate::resource::{Maker, Resource, Texts};
use crate::tree::{Node, Tag};
use plimsoll_model::Place;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The ConfigMap or Secret of a generator.
pub(crate) fn make(
    build: &mut Build<'_>,
    root: &Root,
    generator: &Generator,
    options: &Options,
) -> Result<Resource, Refusal> {
    let place = generator.place;
    if generator.name.is_empty() {
        return Err(Refusal::new(place, "kustomize refuses a generator without a name"));
    }
    let mut object = Node::map(place);
    object.append("apiVersion", Node::text("v1", place));
    object.append("kind", Node::text(if generator.is_secret { "Secret" } else { "ConfigMap" }, place));
    let mut metadata = Node::map(place);
    metadata.append("name", Node::scalar(generator.name.clone(), Tag::None, place));
    if !generator.namespace.is_empty() {
        metadata.append("namespace", Node::scalar(generator.namespace.clone(), Tag::None, place));
    }
    object.append("metadata", metadata);
    if generator.is_secret {
        let kind = generator.secret_type.as_deref().unwrap_or("Opaque");
        object.append("type", Node::text(kind, place));
    }
    add_data(&mut object, build, root, generator)?;
    let mut resource = Resource::new(object);
    for (field, pairs) in [("labels", &options.labels), ("annotations", &options.annotations)] {
        if !pairs.is_empty() {
            resource.set_texts(field, pairs);
        }
    }
    if options.is_immutable {
        resource.root.append("immutable", Node::scalar("true", Tag::Bool, place));
    }
    resource.maker = Maker::Generator;
    resource.needs_hash = !options.disables_hash;
    resource.behavior = generator.behavior;
    Ok(resource)
}

fn add_data(
    object: &mut Node,
    build: &mut Build<'_>,
    root: &Root,
    generator: &Generator,
) -> Result<(), Refusal> {
    let mut data = Node::map(generator.place);
    let mut binary = Node::map(generator.place);
    for pair in pairs(build, root, generator)? {
        let text = std::str::from_utf8(&pair.value);
        match text {
            _ if generator.is_secret => {
                data.append(&pair.key, Node::text(in_lines(&base64(&pair.value)), pair.place));
            }
            Ok(text) => data.append(&pair.key, Node::text(text, pair.place)),
            Err(_) => binary.append(&pair.key, Node::text(in_lines(&base64(&pair.value)), pair.place)),
        }
    }
    for (field, map) in [("data", data), ("binaryData", binary)] {
        if !map.is_nothing() || (generator.is_secret && field == "data") {
            object.append(field, map);
        }
    }
    Ok(())
}

/// Values of the object that is there stay where the new one says nothing; what is no text is text then.
pub(crate) fn merge_data(new: &mut Resource, old: &Resource) {
    for field in ["data", "binaryData"] {
        let mut texts = texts_at(&old.root, field);
        texts.extend(texts_at(&new.root, field));
        let place = new.root.get(field).map_or(new.root.place, |node| node.place);
        new.root.clear(field);
        let mut map = Node::map(place);
        for (key, (text, place)) in texts {
            map.append(&key, Node::text(text, place));
        }
        if !map.is_nothing() {
            new.root.append(field, map);
        }
    }
}

fn texts_at(root: &Node, field: &str) -> Texts {
    let entries = root.get(field).map_or(&[][..], Node::entries).iter();
    entries
        .map(|(key, node)| (key.text.clone(), (node.said().into(), node.place)))
        .collect::<BTreeMap<_, (_, Place)>>()
}

/// Standard base64.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let bits =
            three.iter().enumerate().fold(0u32, |bits, (at, byte)| bits | u32::from(*byte) << (16 - 8 * at));
        for at in 0..4 {
            let digit = DIGITS.get((bits >> (18 - 6 * at)) as usize & 63).copied().unwrap_or(b'=');
            text.push(if at <= three.len() { char::from(digit) } else { '=' });
        }
    }
    text
}

/// Base64 as kustomize prints it: in lines of 70 (`kyaml/yaml/datamap.go`, `encodeBase64`).
fn in_lines(text: &str) -> String {
    const WIDTH: usize = 70;
    if text.len() < WIDTH {
        return text.to_owned();
    }
    let mut lines = String::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (line, after) = rest.split_at(rest.len().min(WIDTH));
        let _ = writeln!(lines, "{line}");
        rest = after;
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_has_padding() {
        assert_eq!(base64(b"hello"), "aGVsbG8=");
        assert_eq!(base64(b"a"), "YQ==");
        assert_eq!(base64(b"abc"), "YWJj");
        assert_eq!(base64(b""), "");
    }
}
