//! Paths as they are written in field specs and field paths (`kyaml` v0.21.1, `utils/pathsplitter.go`).

/// The parts of a path; a delimiter behind `\` is part of a name.
pub(crate) fn split(path: &str, delimiter: char) -> Vec<String> {
    let mut parts: Vec<&str> = path.split(delimiter).collect();
    if parts.len() > 1 && parts.first() == Some(&"") {
        parts.remove(0);
    }
    let mut names: Vec<String> = Vec::with_capacity(parts.len());
    for part in parts {
        match names.last_mut().filter(|last| last.ends_with('\\')) {
            Some(last) => {
                last.pop();
                last.push(delimiter);
                last.push_str(part);
            }
            None => names.push(part.to_owned()),
        }
    }
    names
}

/// The same, with what stands in brackets kept together: `[name=a.b]` finds an item, `[a.b]` is a name.
pub(crate) fn split_smartly(path: &str, delimiter: char) -> Vec<String> {
    let mut names = Vec::new();
    let mut parts = split(path, delimiter).into_iter();
    while let Some(mut part) = parts.next() {
        if !part.starts_with('[') || part.ends_with(']') {
            names.push(part);
            continue;
        }
        for more in parts.by_ref() {
            part.push(delimiter);
            part.push_str(&more);
            if more.ends_with(']') {
                break;
            }
        }
        names.push(if part.contains('=') { part } else { part.trim_matches(['[', ']']).to_owned() });
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delimiters_can_be_part_of_a_name() {
        assert_eq!(split("/a/b\\/c/d", '/'), ["a", "b/c", "d"]);
        assert_eq!(split("", '/'), [""]);
        assert_eq!(split_smartly("a.[x=y.z].b", '.'), ["a", "[x=y.z]", "b"]);
        assert_eq!(split_smartly("a.[b.c/d].e", '.'), ["a", "b.c/d", "e"]);
        assert_eq!(split_smartly("a.[x=y]", '.'), ["a", "[x=y]"]);
    }
}
