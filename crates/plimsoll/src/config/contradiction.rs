//! Settings of which one makes the other pointless: whoever wrote both believes something that is not so.

use super::Config;
use crate::failure::Failure;
use plimsoll_model::Node;

/// Refuses settings that contradict each other.
pub(super) fn refuse(config: &Config) -> Result<(), Failure> {
    if config.text("fail-on") == Some("never") {
        let is_error = |(_, level): &&(_, Node)| level.text() == Some("error");
        let rules = config.said("rules").map_or(&[][..], |said| said.value.entries());
        if let Some((code, _)) = rules.iter().find(is_error) {
            let cause =
                format!("{}: error fails the run, and `fail-on: never` says that nothing does", code.text);
            return Err(config.refusal("rules", &cause));
        }
    }
    let is_off = |code: &str| {
        let rules = config.said("rules").map_or(&[][..], |said| said.value.entries());
        rules.iter().any(|(rule, level)| &*rule.text == code && level.text() == Some("off"))
    };
    let allowed = config.said("allow").map_or(&[][..], |said| said.value.items());
    if let Some(code) = allowed.iter().filter_map(|entry| entry.text_at(&["rule"])).find(|code| is_off(code))
    {
        let cause = format!("{code} is allowed here and switched off under `rules`");
        return Err(config.refusal("allow", &cause));
    }
    Ok(())
}
