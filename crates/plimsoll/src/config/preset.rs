//! Presets: settings that belong together.

use super::Said;
use super::settings::ALL;
use plimsoll_model::{FileIndex, Node};

/// Settings that belong together.
#[derive(Debug)]
pub(crate) struct Preset {
    /// Its name.
    pub(crate) name: &'static str,
    /// What it is for.
    #[cfg_attr(not(test), expect(dead_code, reason = "the reference page, which a test writes, says it"))]
    pub(crate) says: &'static str,
    /// What it sets, written as in the file.
    pub(crate) settings: &'static str,
}

/// Every preset.
pub(crate) const PRESETS: [Preset; 3] = [
    Preset {
        name: "ci",
        says: "a gate before every merge: what is proved fails, and nothing that was set aside may be stale",
        settings: "fail-on: late\nstale: fail\n",
    },
    Preset {
        name: "strict",
        says: "nothing is passed over: guesses and noise are told, and what rests on an assumption fails too",
        settings: "pedantic: true\nfail-on-confidence: assumed\nrequire-expiry: true\nstale: fail\n",
    },
    Preset {
        name: "audit",
        says: "a first look: everything is told and nothing fails",
        settings: "pedantic: true\nfail-on: never\n",
    },
];

/// What a preset says.
pub(super) fn of(name: &str) -> Vec<(&'static str, Said)> {
    let preset = PRESETS.iter().find(|preset| preset.name == name);
    let read = preset.and_then(|preset| plimsoll_yaml::value(preset.settings, FileIndex(0)).ok());
    let entries = read.as_ref().map_or(&[][..], Node::entries);
    let said = entries.iter().filter_map(|(key, value)| {
        let setting = ALL.iter().find(|setting| setting.key == &*key.text)?;
        Some((setting.key, Said { value: value.clone(), origin: format!("preset {name}") }))
    });
    said.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::settings::Shape;
    use crate::config::shape;

    #[test]
    fn presets_set_what_there_is_in_its_shape() {
        for preset in PRESETS {
            let said = of(preset.name);
            assert_eq!(said.len(), preset.settings.lines().count(), "{}", preset.name);
            for (key, said) in said {
                let setting = ALL.iter().find(|setting| setting.key == key).expect(key);
                assert_eq!(shape::misfits(setting.shape, &said.value), []);
            }
        }
        let Some(Shape::Word(named)) = ALL.first().map(|setting| setting.shape) else { panic!("preset") };
        assert_eq!(named, PRESETS.map(|preset| preset.name));
    }
}
