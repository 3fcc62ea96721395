//! The order of keys in go-yaml: numbers inside them count as numbers (`go.yaml.in/yaml/v2` v2.4.4, `sorter.go`).

use std::cmp::Ordering;

/// Which of two keys is written first.
pub(super) fn order(left: &str, right: &str) -> Ordering {
    let (left, right): (Vec<char>, Vec<char>) = (left.chars().collect(), right.chars().collect());
    let differing = left.iter().zip(&right).position(|(left, right)| left != right);
    let Some(at) = differing else {
        return left.len().cmp(&right.len());
    };
    let (Some(one), Some(other)) = (left.get(at), right.get(at)) else {
        return Ordering::Equal;
    };
    match (one.is_alphabetic(), other.is_alphabetic()) {
        (true, true) => return one.cmp(other),
        (true, false) => return Ordering::Greater,
        (false, true) => return Ordering::Less,
        (false, false) => {}
    }
    let before = left.get(..at).unwrap_or_default();
    let follows_digit = (*one == '0' || *other == '0')
        && before.iter().rev().take_while(|digit| digit.is_ascii_digit()).any(|digit| *digit != '0');
    let first = i64::from(follows_digit);
    let (one_number, one_length) = number(first, left.get(at..).unwrap_or_default());
    let (other_number, other_length) = number(first, right.get(at..).unwrap_or_default());
    one_number.cmp(&other_number).then(one_length.cmp(&other_length)).then(one.cmp(other))
}

/// The number that digits make behind a first one, and how many they are.
fn number(first: i64, text: &[char]) -> (i64, usize) {
    let digits = text.iter().map_while(|digit| digit.to_digit(10));
    digits.fold((first, 0), |(number, count), digit| {
        (number.wrapping_mul(10).wrapping_add(i64::from(digit)), count + 1)
    })
}

#[cfg(test)]
mod tests {
    use super::order;

    #[test]
    fn numbers_count_as_numbers() {
        let mut keys = ["a10", "a2", "b", "a", "A", "a-b", "a_b", "a.b", "1", "10", "2", "a02"];
        keys.sort_by(|left, right| order(left, right));
        assert_eq!(keys, ["1", "2", "10", "A", "a", "a-b", "a.b", "a_b", "a2", "a02", "a10", "b"]);
    }
}
