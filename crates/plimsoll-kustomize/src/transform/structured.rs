//! Replacements into JSON that stands in a text field (`filters/replacement/replacement.go`,
//! `setValueInStructuredData`).

use super::matcher::{Matcher, parse};
use crate::generate::{json_lines, json_of};
use crate::refusal::Refusal;
use crate::tree::{Form, Node, follow, follow_mut, steps, to_value};
use plimsoll_model::Place;

/// Sets a value inside a text, if the path leads into one; says whether it did.
pub(super) fn replace_inside(
    root: &mut Node,
    value: &Node,
    path: &[String],
    matcher: Matcher,
    place: Place,
) -> Result<bool, Refusal> {
    let Some((steps, rest, mut inside)) = text_on_the_way(root, path) else { return Ok(false) };
    let mut found = |field: &mut Node| {
        match &mut field.form {
            Form::Scalar(scalar) => scalar.text = value.written().into(),
            form => *form = value.alone().form,
        }
        Ok(())
    };
    if !matcher.visit(&mut inside, rest, &mut found).is_ok_and(|count| count > 0) {
        return Ok(false);
    }
    let Ok(Some(field)) = follow_mut(root, &steps) else { return Ok(false) };
    let Form::Scalar(scalar) = &mut field.form else { return Ok(false) };
    if !scalar.text.trim_start().starts_with(['{', '[']) {
        let cause = "a replacement inside a text that holds YAML is not understood; only JSON is";
        return Err(Refusal::new(place, cause));
    }
    // A value that does not fit its type is passed over in silence.
    let Ok(printed) = to_value(&inside) else { return Ok(false) };
    let has_lines = scalar.text.contains('\n') && scalar.text.contains("  ");
    scalar.text = if has_lines { json_lines(&printed) } else { json_of(&printed) }.into();
    field.place = value.place;
    Ok(true)
}

type OnTheWay<'p> = (Vec<crate::tree::Step>, &'p [String], Node);

/// The first text that a path leads through, what follows it, and what stands in it.
fn text_on_the_way<'p>(root: &Node, path: &'p [String]) -> Option<OnTheWay<'p>> {
    for end in 1..path.len() {
        let (above, rest) = path.split_at_checked(end)?;
        let Ok(steps) = steps(above) else { continue };
        let Ok(Some(field)) = follow(root, &steps) else { continue };
        if field.is_scalar()
            && let Some(inside) = parse(field.written(), field.place)
        {
            return Some((steps, rest, inside));
        }
    }
    None
}
