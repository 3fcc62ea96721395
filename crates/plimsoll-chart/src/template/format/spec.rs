//! What stands between a `%` and its verb.

/// Flags, width and precision of a verb.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(super) struct Spec {
    pub(super) minus: bool,
    pub(super) plus: bool,
    pub(super) sharp: bool,
    pub(super) space: bool,
    pub(super) zero: bool,
    pub(super) width: Option<usize>,
    pub(super) precision: Option<usize>,
}

impl Spec {
    pub(super) fn set_flag(&mut self, character: char) -> bool {
        match character {
            '-' => {
                self.minus = true;
                self.zero = false;
            }
            '+' => self.plus = true,
            '#' => self.sharp = true,
            ' ' => self.space = true,
            '0' => self.zero = !self.minus,
            _ => return false,
        }
        true
    }

    /// Adds a text, filled up to the width.
    pub(super) fn pad(&self, out: &mut String, text: &str) {
        let missing = self.width.unwrap_or(0).saturating_sub(text.chars().count());
        if self.minus {
            out.push_str(text);
            out.extend(std::iter::repeat_n(' ', missing));
        } else {
            out.extend(std::iter::repeat_n(if self.zero { '0' } else { ' ' }, missing));
            out.push_str(text);
        }
    }

    /// The text up to the precision.
    pub(super) fn cut<'t>(&self, text: &'t str) -> &'t str {
        let Some(precision) = self.precision else {
            return text;
        };
        let end = text.char_indices().nth(precision).map_or(text.len(), |(at, _)| at);
        text.get(..end).unwrap_or(text)
    }
}
