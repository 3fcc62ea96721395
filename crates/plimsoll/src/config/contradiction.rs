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
    Ok(())
}
