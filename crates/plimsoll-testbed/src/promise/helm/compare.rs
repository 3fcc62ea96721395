//! What was kept of helm against what is seen now.

/// Every line that is not as kept; none if all are. What was sent at once may come in any order, or one by one.
#[must_use]
pub fn differences(kept: &str, seen: &str) -> Vec<String> {
    let lines = |text: &str| -> Vec<String> {
        text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect()
    };
    let (kept, seen) = (lines(kept), lines(seen));
    let mut differences: Vec<String> = (kept.iter().zip(&seen))
        .filter(|(kept, seen)| !is_as_kept(kept, seen))
        .map(|(kept, seen)| format!("kept {kept}\nseen {seen}"))
        .collect();
    differences.extend(kept.iter().skip(seen.len()).map(|line| format!("kept {line}\nseen nothing")));
    differences.extend(seen.iter().skip(kept.len()).map(|line| format!("kept nothing\nseen {line}")));
    differences
}

fn is_as_kept(kept: &str, seen: &str) -> bool {
    let fields = |line: &str| -> Vec<String> { line.split('\t').map(str::to_owned).collect() };
    let (kept_fields, seen_fields) = (fields(kept), fields(seen));
    let (Some((kept_how, kept_rest)), Some((seen_how, seen_rest))) =
        (kept_fields.split_last(), seen_fields.split_last())
    else {
        return kept == seen;
    };
    if kept_how != "at once" || !matches!(seen_how.as_str(), "at once" | "one by one") {
        return kept == seen;
    }
    let sorted = |fields: &[String]| -> Vec<String> {
        let names = |field: &String| {
            let mut names: Vec<&str> = field.split(',').collect();
            names.sort_unstable();
            names.join(",")
        };
        fields.iter().map(names).collect()
    };
    sorted(kept_rest) == sorted(seen_rest)
}

#[cfg(test)]
mod tests {
    use super::differences;

    const KEPT: &str = "# head\nexit\thelm3\tinstall\t0\n\
                        sent\thelm3\tinstall\t1\tcreate\tConfigMap\ta,b\t201\tat once\n\
                        sent\thelm3\tinstall\t2\tcreate\tSecret\tc,d\t201\tone by one\n";

    #[test]
    fn what_goes_at_once_may_come_in_any_order() {
        assert!(differences(KEPT, KEPT).is_empty());
        assert!(differences(KEPT, &KEPT.replace("a,b\t201\tat once", "b,a\t201\tone by one")).is_empty());
    }

    #[test]
    fn everything_else_is_a_difference() {
        for (from, to) in [
            ("install\t0", "install\t1"),
            ("a,b", "a,c"),
            ("c,d", "d,c"),
            ("c,d\t201\tone by one", "c,d\t201\tat once"),
            ("201\tat once", "409\tat once"),
            ("sent\thelm3\tinstall\t2\tcreate\tSecret\tc,d\t201\tone by one\n", ""),
        ] {
            assert_eq!(differences(KEPT, &KEPT.replace(from, to)).len(), 1, "{from} {to}");
        }
    }
}
