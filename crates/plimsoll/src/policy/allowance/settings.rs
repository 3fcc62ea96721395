//! The entries of `allow` in the settings, for charts and objects that cannot be annotated.

use super::{Allowance, Covers, Remark, SaidAt, Weight};
use crate::config::Config;
use plimsoll_model::Node;

/// What the settings allow.
pub(super) fn read(config: &Config) -> Vec<Result<Allowance, Remark>> {
    let entries = config.said("allow").map_or(&[][..], |said| said.value.items());
    entries.iter().map(|entry| of(config, entry)).collect()
}

fn of(config: &Config, entry: &Node) -> Result<Allowance, Remark> {
    let said = SaidAt::Outside(config.spot("allow", entry.place));
    let text = |key: &str| entry.text_at(&[key]).unwrap_or_default().trim();
    let wrong = |cause: String| Remark { said: said.clone(), cause, weight: Weight::Wrong };
    if text("reason").is_empty() {
        return Err(wrong("a reason is missing".to_owned()));
    }
    let until = entry.text_at(&["until"]).map(str::parse).transpose().map_err(wrong)?;
    let object = text("object").parse().map_err(wrong)?;
    Ok(Allowance {
        rule: text("rule").to_owned(),
        reason: text("reason").to_owned(),
        until,
        said: said.clone(),
        covers: Covers::Pattern(object),
    })
}
