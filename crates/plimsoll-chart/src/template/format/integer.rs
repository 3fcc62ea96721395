//! Whole numbers with a verb.

use super::spec::Spec;
use crate::template::quote::quoted_character;

/// Adds a whole number; `false` if the verb does not fit one.
pub(super) fn write(out: &mut String, spec: &Spec, verb: char, is_negative: bool, size: u64) -> bool {
    let character = || {
        let code = if is_negative { None } else { u32::try_from(size).ok() };
        code.and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER)
    };
    match verb {
        'v' | 'd' => number(out, spec, is_negative, &size.to_string(), ""),
        'b' => number(out, spec, is_negative, &format!("{size:b}"), if spec.sharp { "0b" } else { "" }),
        'o' => {
            let digits = format!("{size:o}");
            let prefix = if spec.sharp && !digits.starts_with('0') { "0" } else { "" };
            number(out, spec, is_negative, &digits, prefix);
        }
        'O' => number(out, spec, is_negative, &format!("{size:o}"), "0o"),
        'x' => number(out, spec, is_negative, &format!("{size:x}"), if spec.sharp { "0x" } else { "" }),
        'X' => number(out, spec, is_negative, &format!("{size:X}"), if spec.sharp { "0X" } else { "" }),
        'c' => spec.pad(out, &character().to_string()),
        'q' => spec.pad(out, &quoted_character(character())),
        // A negative number as its bits.
        'U' => {
            let bits = if is_negative { size.wrapping_neg() } else { size };
            spec.pad(out, &format!("U+{bits:04X}"));
        }
        _ => return false,
    }
    true
}

fn number(out: &mut String, spec: &Spec, is_negative: bool, digits: &str, prefix: &str) {
    let sign = match (is_negative, spec.plus, spec.space) {
        (true, _, _) => "-",
        (false, true, _) => "+",
        (false, false, true) => " ",
        _ => "",
    };
    if spec.precision == Some(0) && digits == "0" {
        Spec { zero: false, ..*spec }.pad(out, "");
        return;
    }
    let wanted = match (spec.precision, spec.width) {
        (Some(precision), _) => precision,
        (None, Some(width)) if spec.zero => width - sign.len().min(width),
        _ => 0,
    };
    let zeros = "0".repeat(wanted.saturating_sub(digits.len()));
    Spec { zero: false, ..*spec }.pad(out, &format!("{sign}{prefix}{zeros}{digits}"));
}
