//! `plimsoll explain`: what does this rule mean, or what is known of this object?

mod object;

use crate::cli::{InputArguments, WorldArguments};
use crate::exit_code;
use crate::failure::Failure;
use crate::nearness::edits;
use crate::output;
use crate::report::{rule_page, witnessed};
use clap::Args;
use plimsoll_knowledge::{Rule, rules};
use std::process::ExitCode;

/// Explain a rule, or an object: what it needs, what protects each need, and what it holds up
#[derive(Debug, Args)]
pub(crate) struct ExplainArguments {
    /// A rule's code or name, such as PLM-R012, or an object, such as Deployment/web or Deployment/shop/web
    ///
    /// Without it, every rule is listed. An object is looked for in what the paths hold; `*` stands for any text.
    #[arg(value_name = "CODE|OBJECT")]
    asked: Option<String>,

    #[command(flatten)]
    input: InputArguments,

    #[command(flatten)]
    world: WorldArguments,
}

/// Prints the page of a rule, the list of rules, or what is known of an object.
pub(crate) fn explain(arguments: ExplainArguments) -> Result<ExitCode, Failure> {
    match arguments.asked.as_deref() {
        Some(object) if object.contains('/') => {
            let object = object.to_owned();
            return object::explain(arguments, &object);
        }
        _ if !arguments.input.paths.is_empty() => {
            return Err(Failure::usage("a rule is explained without an input")
                .hint("an object is written Kind/name or Kind/namespace/name"));
        }
        None => output::print(&list())?,
        Some(asked) => {
            let rule = find(asked)?;
            let page = format!("{}{}", rule.page, witnessed::section(rule.code.0));
            output::print(&rule_page::write(&page, output::width()))?;
        }
    }
    Ok(ExitCode::from(exit_code::CLEAN))
}

fn list() -> String {
    let lines = rules().iter().map(|rule| format!("{}  {}\n", rule.code.0, rule.name));
    lines.collect::<Vec<_>>().concat()
}

/// The rule with this code or name; `r12` and `12` are short for `PLM-R012`.
fn find(asked: &str) -> Result<&'static Rule, Failure> {
    let asked = asked.trim();
    let found = rules()
        .iter()
        .copied()
        .find(|rule| rule.name.eq_ignore_ascii_case(asked) || short(rule.code.0) == short(asked));
    found.ok_or_else(|| {
        let near: Vec<String> =
            nearest(asked).iter().map(|rule| format!("{} {}", rule.code.0, rule.name)).collect();
        Failure::usage(format!("there is no rule `{asked}`"))
            .hint(format!("near it: {}; `plimsoll explain` lists every rule", near.join(", ")))
    })
}

/// A code without its prefix and leading zeros, so that people may write it short.
fn short(code: &str) -> String {
    let upper = code.to_uppercase();
    let rest = upper.strip_prefix("PLM-").unwrap_or(&upper);
    let digits = rest.trim_start_matches(|letter: char| letter.is_ascii_alphabetic());
    let letters = rest.strip_suffix(digits).filter(|letters| !letters.is_empty()).unwrap_or("R");
    format!("{letters}{}", digits.trim_start_matches('0'))
}

fn nearest(asked: &str) -> Vec<&'static Rule> {
    let asked_code = short(asked);
    let asked_name = asked.to_lowercase();
    let distance = |rule: &Rule| edits(&short(rule.code.0), &asked_code).min(edits(rule.name, &asked_name));
    let mut all: Vec<&Rule> = rules().to_vec();
    all.sort_by_key(|rule| (distance(rule), rule.code.0));
    all.truncate(3);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_may_be_written_short() {
        for text in ["PLM-R012", "plm-r012", "R012", "r12", "12", "012"] {
            assert_eq!(short(text), "R12", "{text}");
        }
    }
}
