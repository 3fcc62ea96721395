//! The environment: `PLIMSOLL_FAIL_ON` for `fail-on`, for every setting that is one word or text.

use super::settings::{ALL, Setting, Shape};
use super::{Said, shape};
use crate::failure::Failure;
use plimsoll_model::{Node, Place, Value};

/// The variable of a setting, if it has one.
pub(crate) fn variable(setting: &Setting) -> Option<String> {
    let is_single = matches!(setting.shape, Shape::Switch | Shape::Word(_) | Shape::Text);
    is_single.then(|| format!("PLIMSOLL_{}", setting.key.replace('-', "_").to_uppercase()))
}

/// What the variables say.
pub(super) fn read(get: impl Fn(&str) -> Option<String>) -> Result<Vec<(&'static str, Said)>, Failure> {
    let mut all = Vec::new();
    for setting in ALL {
        let Some(origin) = variable(setting) else { continue };
        let Some(text) = get(&origin).filter(|text| !text.is_empty()) else { continue };
        let value = match (setting.shape, text.as_str()) {
            (Shape::Switch, "true" | "1") => Value::Bool(true),
            (Shape::Switch, "false" | "0") => Value::Bool(false),
            _ => Value::Text(text.into()),
        };
        let value = Node { value, place: Place::default() };
        if let Some((_, cause)) = shape::misfits(setting.shape, &value).into_iter().next() {
            return Err(
                Failure::usage(format!("{origin}: {cause}")).hint("correct the variable, or unset it")
            );
        }
        all.push((setting.key, Said { value, origin }));
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_says_one_setting() {
        let get = |name: &str| (name == "PLIMSOLL_FAIL_ON").then(|| "stuck".to_owned());
        let said = read(get).expect("a word");
        let [(key, said)] = said.as_slice() else { panic!("{said:?}") };
        assert_eq!(
            (*key, said.value.text(), said.origin.as_str()),
            ("fail-on", Some("stuck"), "PLIMSOLL_FAIL_ON")
        );
        assert!(read(|name| (name == "PLIMSOLL_PEDANTIC").then(|| "perhaps".to_owned())).is_err());
    }
}
