//! The words of the table's small sentences: clauses between commas, durations, counts.

use std::time::Duration;

/// The clauses of a sentence, each as its words.
pub(super) fn clauses(text: &str) -> impl Iterator<Item = Vec<&str>> {
    text.split(',')
        .map(|clause| clause.split_whitespace().collect::<Vec<_>>())
        .map(|words| if words.first() == Some(&"then") { words.into_iter().skip(1).collect() } else { words })
}

/// Takes `after 3s` or `after 3 s` from the words; nothing if they begin otherwise.
pub(super) fn after<'a>(
    words: &'a [&'a str],
    word: &str,
) -> Result<(Option<Duration>, &'a [&'a str]), String> {
    let Some((first, rest)) = words.split_first().filter(|(first, _)| **first == word) else {
        return Ok((None, words));
    };
    let wanted = || format!("`{first}` wants a duration such as 3s, 200ms or 2m");
    let (number, rest) = rest.split_first().ok_or_else(wanted)?;
    if let Some(duration) = duration(number) {
        return Ok((Some(duration), rest));
    }
    let (unit, rest) = rest.split_first().ok_or_else(wanted)?;
    Ok((Some(duration(&format!("{number}{unit}")).ok_or_else(wanted)?), rest))
}

/// Takes `once`, `twice` or `3 times` from the words.
pub(super) fn times<'a>(words: &'a [&'a str]) -> (Option<u32>, &'a [&'a str]) {
    match words {
        ["once", rest @ ..] => (Some(1), rest),
        ["twice", rest @ ..] => (Some(2), rest),
        [count, "times", rest @ ..] if count.parse::<u32>().is_ok() => (count.parse().ok(), rest),
        _ => (None, words),
    }
}

/// `3s`, `200ms`, `2m`, `1h`, and decimals.
fn duration(text: &str) -> Option<Duration> {
    let units = [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3600.0)];
    let (number, factor) =
        units.iter().find_map(|(unit, factor)| Some((text.strip_suffix(unit)?, factor)))?;
    let number = number.parse::<f64>().ok()?;
    Duration::try_from_secs_f64(number * factor).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_with_and_without_a_space() {
        let read = |text: &str| {
            let words: Vec<&str> = text.split_whitespace().collect();
            after(&words, "after").map(|(duration, rest)| (duration, rest.len()))
        };
        assert_eq!(read("after 3s"), Ok((Some(Duration::from_secs(3)), 0)));
        assert_eq!(read("after 1.5 m on"), Ok((Some(Duration::from_secs(90)), 1)));
        assert_eq!(read("after 200ms"), Ok((Some(Duration::from_millis(200)), 0)));
        assert_eq!(read("on"), Ok((None, 1)));
        assert!(read("after").is_err() && read("after noon").is_err() && read("after -1s").is_err());
    }
}
