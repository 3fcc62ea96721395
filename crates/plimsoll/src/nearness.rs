//! How near one word is to another, for those who mistype.

/// How many letters must be added, removed or changed to turn one text into the other.
pub(crate) fn edits(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (count, letter) in (1..).zip(left.chars()) {
        let mut next = vec![count];
        for ((other, above), (before, above_before)) in
            right.iter().zip(row.iter().skip(1)).zip((0usize..).zip(&row))
        {
            let beside = next.get(before).copied().unwrap_or(usize::MAX - 1);
            let changed = above_before + usize::from(letter != *other);
            next.push(changed.min(above + 1).min(beside + 1));
        }
        row = next;
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_count_letters() {
        for (left, right, expected) in
            [("", "", 0), ("R012", "R012", 0), ("R12", "R112", 1), ("abc", "xbd", 2), ("", "abc", 3)]
        {
            assert_eq!(edits(left, right), expected, "{left} {right}");
        }
    }
}
