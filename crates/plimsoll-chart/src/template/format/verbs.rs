//! `Sprintf`: a format and its arguments.

use super::spec::Spec;
use super::{integer, write_value};
use crate::template::float::{Form, float};
use crate::template::quote::quoted;
use crate::template::value::{Item, Value};
use std::fmt::Write;

/// Go's own bound on widths and precisions.
const MAX_NUMBER: usize = 1_000_000;

/// Prints arguments one after another.
pub(super) struct Printer<'a> {
    items: &'a [Item],
    next: usize,
    is_reordered: bool,
    out: String,
}

impl<'a> Printer<'a> {
    pub(super) fn new(items: &'a [Item]) -> Self {
        Self { items, next: 0, is_reordered: false, out: String::new() }
    }

    pub(super) fn run(mut self, format: &str) -> String {
        let mut rest = format;
        while let Some(at) = rest.find('%') {
            self.out.push_str(rest.get(..at).unwrap_or_default());
            rest = self.verb(rest.get(at + 1..).unwrap_or_default());
        }
        self.out.push_str(rest);
        if !self.is_reordered && self.next < self.items.len() {
            self.extra();
        }
        self.out
    }

    /// One verb with its flags; answers what follows it.
    fn verb<'f>(&mut self, text: &'f str) -> &'f str {
        let mut spec = Spec::default();
        let mut rest = text;
        self.is_reordered = false;
        while rest.chars().next().is_some_and(|character| spec.set_flag(character)) {
            rest = rest.get(1..).unwrap_or_default();
        }
        let mut is_good = true;
        rest = self.index(rest, &mut is_good);
        (spec.width, rest) = self.number(rest, &mut spec.minus, "%!(BADWIDTH)");
        if let Some(behind) = rest.strip_prefix('.') {
            let behind = self.index(behind, &mut is_good);
            let mut is_negative = false;
            (spec.precision, rest) = self.number(behind, &mut is_negative, "%!(BADPREC)");
            spec.precision = if is_negative { None } else { spec.precision.or(Some(0)) };
        }
        if spec.minus {
            spec.zero = false;
        }
        rest = self.index(rest, &mut is_good);
        let mut characters = rest.chars();
        let Some(verb) = characters.next() else {
            self.out.push_str("%!(NOVERB)");
            return "";
        };
        self.print_next(&spec, verb, is_good);
        characters.as_str()
    }

    fn print_next(&mut self, spec: &Spec, verb: char, is_good: bool) {
        if verb == '%' {
            self.out.push('%');
        } else if !is_good {
            let _ = write!(self.out, "%!{verb}(BADINDEX)");
        } else if let Some(item) = self.items.get(self.next) {
            self.next += 1;
            self.argument(spec, verb, &item.value);
        } else {
            let _ = write!(self.out, "%!{verb}(MISSING)");
        }
    }

    /// `[n]`: which argument is next.
    fn index<'f>(&mut self, text: &'f str, is_good: &mut bool) -> &'f str {
        let Some(inner) = text.strip_prefix('[') else {
            return text;
        };
        self.is_reordered = true;
        let Some((number, rest)) = inner.split_once(']') else {
            *is_good = false;
            return inner;
        };
        match number.parse::<usize>() {
            Ok(number) if (1..=self.items.len()).contains(&number) => self.next = number - 1,
            _ => *is_good = false,
        }
        rest
    }

    /// A width or precision, written out or taken from an argument.
    fn number<'f>(&mut self, text: &'f str, minus: &mut bool, bad: &str) -> (Option<usize>, &'f str) {
        let Some(rest) = text.strip_prefix('*') else {
            let count = text.bytes().take_while(u8::is_ascii_digit).count();
            let (digits, rest) = text.split_at(count);
            return (digits.parse().ok().filter(|number| *number <= MAX_NUMBER), rest);
        };
        let given = self.items.get(self.next).map(|item| &item.value);
        self.next += 1;
        let number = match given {
            Some(Value::Int(number) | Value::Int64(number)) => Some(*number),
            _ => None,
        };
        let size = number.and_then(|number| usize::try_from(number.unsigned_abs()).ok());
        let Some(size) = size.filter(|size| *size <= MAX_NUMBER) else {
            self.out.push_str(bad);
            return (None, rest);
        };
        *minus |= number.is_some_and(|number| number < 0);
        (Some(size), rest)
    }

    fn extra(&mut self) {
        self.out.push_str("%!(EXTRA ");
        for (index, item) in self.items.iter().skip(self.next).enumerate() {
            if index > 0 {
                self.out.push_str(", ");
            }
            if item.value.is_nil() {
                self.out.push_str("<nil>");
            } else {
                self.out.push_str(item.value.type_name());
                self.out.push('=');
                write_value(&mut self.out, &item.value, 0);
            }
        }
        self.out.push(')');
    }

    fn argument(&mut self, spec: &Spec, verb: char, value: &Value) {
        match (verb, value) {
            ('T', _) => spec.pad(&mut self.out, value.type_name()),
            ('v', Value::Nil | Value::Invalid) => spec.pad(&mut self.out, "<nil>"),
            ('v', Value::Text(text)) if spec.sharp => spec.pad(&mut self.out, &quoted(text)),
            (_, Value::Nil | Value::Invalid) => {
                let _ = write!(self.out, "%!{verb}(<nil>)");
            }
            _ => self.typed(spec, verb, value),
        }
    }

    fn typed(&mut self, spec: &Spec, verb: char, value: &Value) {
        let fits = match value {
            Value::Invalid | Value::Nil => {
                self.out.push_str("<nil>");
                true
            }
            Value::Bool(value) => {
                let fits = matches!(verb, 'v' | 't');
                if fits {
                    spec.pad(&mut self.out, if *value { "true" } else { "false" });
                }
                fits
            }
            Value::Int(number) | Value::Int64(number) => {
                integer::write(&mut self.out, spec, verb, *number < 0, number.unsigned_abs())
            }
            Value::Byte(number) => integer::write(&mut self.out, spec, verb, false, u64::from(*number)),
            Value::Uint64(number) => integer::write(&mut self.out, spec, verb, false, *number),
            Value::Float(number) => write_float(&mut self.out, spec, verb, *number),
            Value::Text(text) => write_text(&mut self.out, spec, verb, text),
            Value::Duration(number) if verb == 'd' => {
                integer::write(&mut self.out, spec, verb, *number < 0, number.unsigned_abs())
            }
            Value::Duration(number) => {
                write_text(&mut self.out, spec, verb, &crate::template::duration::shown(*number))
            }
            Value::Object(object) => write_text(&mut self.out, spec, verb, &object.print()),
            Value::List(_) | Value::Map(_) => {
                self.composite(spec, verb, value);
                true
            }
        };
        if !fits {
            let _ = write!(self.out, "%!{verb}({}=", value.type_name());
            self.typed(spec, 'v', value);
            self.out.push(')');
        }
    }

    fn composite(&mut self, spec: &Spec, verb: char, value: &Value) {
        if let Value::Map(map) = value {
            self.out.push_str("map[");
            for (index, (key, item)) in map.entries().into_iter().enumerate() {
                if index > 0 {
                    self.out.push(' ');
                }
                self.typed(spec, verb, &Value::from(&*key));
                self.out.push(':');
                self.typed(spec, verb, &item.value);
            }
        } else {
            self.out.push('[');
            for (index, item) in value.as_items().unwrap_or_default().iter().enumerate() {
                if index > 0 {
                    self.out.push(' ');
                }
                self.typed(spec, verb, &item.value);
            }
        }
        self.out.push(']');
    }
}

fn write_text(out: &mut String, spec: &Spec, verb: char, text: &str) -> bool {
    match verb {
        'v' | 's' => spec.pad(out, spec.cut(text)),
        'q' => spec.pad(out, &quoted(spec.cut(text))),
        'x' | 'X' => {
            let cut = text.as_bytes().get(..spec.precision.unwrap_or(text.len())).unwrap_or(text.as_bytes());
            let mut digits: String = data_encoding::HEXLOWER.encode(cut);
            if spec.sharp && !digits.is_empty() {
                digits.insert_str(0, "0x");
            }
            spec.pad(out, &if verb == 'X' { digits.to_uppercase() } else { digits });
        }
        _ => return false,
    }
    true
}

fn write_float(out: &mut String, spec: &Spec, verb: char, value: f64) -> bool {
    let text = match verb {
        'v' | 'g' => float(value, Form::Short, spec.precision),
        'G' => float(value, Form::Short, spec.precision).to_uppercase(),
        'e' => float(value, Form::Exponent, Some(spec.precision.unwrap_or(6))),
        'E' => float(value, Form::Exponent, Some(spec.precision.unwrap_or(6))).to_uppercase(),
        'x' => float(value, Form::Binary, None),
        'X' => float(value, Form::Binary, None).to_uppercase(),
        'f' | 'F' => float(value, Form::Plain, Some(spec.precision.unwrap_or(6))),
        _ => return false,
    };
    let digits = text.trim_start_matches(['-', '+']);
    let sign = match (text.starts_with('-'), spec.plus, spec.space) {
        (true, _, _) => "-",
        (false, true, _) => "+",
        (false, false, true) => " ",
        _ if text.starts_with('+') => "+",
        _ => "",
    };
    if spec.zero && value.is_finite() {
        let width = spec.width.unwrap_or(0).saturating_sub(sign.len());
        let zeros = "0".repeat(width.saturating_sub(digits.len()));
        let _ = write!(out, "{sign}{zeros}{digits}");
    } else {
        Spec { zero: false, ..*spec }.pad(out, &format!("{sign}{digits}"));
    }
    true
}
