//! The hash of a ConfigMap or Secret that its name ends with (`hasher/hasher.go`).

use super::json::{json_of, quoted};
use crate::refusal::Refusal;
use crate::resource::Resource;
use crate::tree::{Node, to_value};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;

/// Ten letters for the content of an object.
pub(crate) fn hash(resource: &Resource) -> Result<String, Refusal> {
    let root = &resource.root;
    let kind = root.get("kind").map_or("", Node::written);
    let fields: &[&str] = match kind {
        "ConfigMap" => &["data", "binaryData"],
        "Secret" => &["data", "stringData"],
        _ => return Err(resource.refusal("a hash in the name of this kind is not understood")),
    };
    let mut json = BTreeMap::from([
        ("kind", quoted(kind)),
        // kustomize looks for a field called `metadata/name`, which nobody has.
        ("name", quoted("")),
    ]);
    if kind == "Secret" {
        json.insert("type", quoted(root.get("type").map_or("", Node::written)));
    }
    for (at, field) in fields.iter().enumerate() {
        match root.get(field) {
            Some(node) if !node.is_scalar() => {
                json.insert(field, json_of(&to_value(node)?));
            }
            // The second one is left out where it is no map.
            found if at == 0 => {
                json.insert(field, quoted(found.map_or("", Node::written)));
            }
            _ => {}
        }
    }
    let members: Vec<String> = json.iter().map(|(key, value)| format!("{}:{value}", quoted(key))).collect();
    Ok(letters(&format!("{{{}}}", members.join(","))))
}

/// The first ten hexadecimal digits, without those that could spell a word.
fn letters(text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    let digits = digest.iter().flat_map(|byte| [byte >> 4, byte & 15]).take(10);
    let letter = |digit: u8| match digit {
        0 => 'g',
        1 => 'h',
        3 => 'k',
        10 => 'm',
        14 => 't',
        digit => char::from_digit(u32::from(digit), 16).unwrap_or('?'),
    };
    digits.map(letter).collect()
}
