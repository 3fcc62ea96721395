//! Where the keys and values of a generator come from: environment files, literals and files (`kv/kv.go`).

use crate::build::Build;
use crate::files::Root;
use crate::kustomization::{Generator, Placed};
use crate::refusal::Refusal;
use plimsoll_model::Place;

/// A key with its bytes, and where they were written.
pub(super) struct Pair {
    pub(super) key: String,
    pub(super) value: Vec<u8>,
    pub(super) place: Place,
}

/// All pairs of a generator; each key stands once.
pub(super) fn pairs(build: &mut Build<'_>, root: &Root, generator: &Generator) -> Result<Vec<Pair>, Refusal> {
    let mut pairs = Vec::new();
    for source in &generator.environments {
        environment(build, root, source, generator.is_secret, &mut pairs)?;
    }
    for (source, place) in &generator.literals {
        hide(build, *place, source.lines().count(), generator.is_secret);
        pairs.push(literal(source, *place)?);
    }
    for source in &generator.files {
        pairs.push(file(build, root, source, generator.is_secret)?);
    }
    let mut keys: Vec<&Pair> = pairs.iter().collect();
    keys.sort_by(|one, other| one.key.cmp(&other.key));
    match keys.windows(2).find(|pair| matches!(pair, [one, other] if one.key == other.key)) {
        Some([_, second]) => {
            Err(Refusal::new(second.place, format!("kustomize refuses the key `{}` twice", second.key)))
        }
        _ => Ok(pairs),
    }
}

fn environment(
    build: &mut Build<'_>,
    root: &Root,
    (path, place): &Placed,
    is_secret: bool,
    pairs: &mut Vec<Pair>,
) -> Result<(), Refusal> {
    let opened = root.open(build.files, path, *place)?;
    hide_file(build, opened.index, is_secret);
    for (number, line) in (1u32..).zip(lines(&opened.bytes)) {
        let place = Place { file: opened.index, line: number, column: 1 };
        let line = std::str::from_utf8(line)
            .map_err(|_| Refusal::new(place, "kustomize refuses a line that is not text in UTF-8"))?;
        let line = if number == 1 { line.trim_start_matches('\u{feff}') } else { line };
        let line = line.trim_start();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (key, value) = line.split_once('=').unwrap_or((line, ""));
        // A line without a key is passed over.
        if !key.is_empty() {
            pairs.push(Pair { key: key.to_owned(), value: value.as_bytes().to_vec(), place });
        }
    }
    Ok(())
}

/// Lines as Go's `bufio.Scanner` cuts them: a carriage return at the end goes.
fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let ended = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let is_empty = bytes.is_empty();
    let lines = ended.split(|byte| *byte == b'\n').filter(move |_| !is_empty);
    lines.map(|line| line.strip_suffix(b"\r").unwrap_or(line))
}

fn literal(source: &str, place: Place) -> Result<Pair, Refusal> {
    let (key, value) = source
        .split_once('=')
        .filter(|(key, _)| !key.is_empty())
        .ok_or_else(|| Refusal::new(place, "kustomize refuses a literal that is not `key=value`"))?;
    Ok(Pair { key: key.to_owned(), value: unquoted(value).as_bytes().to_vec(), place })
}

/// Quotes around a whole value are not part of it.
fn unquoted(value: &str) -> &str {
    for quote in ['"', '\''] {
        if let Some(inside) = value.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote)) {
            return inside;
        }
    }
    value
}

fn file(
    build: &mut Build<'_>,
    root: &Root,
    (source, place): &Placed,
    is_secret: bool,
) -> Result<Pair, Refusal> {
    let refused = |cause: &str| Refusal::new(*place, cause);
    let (key, path) = match source.split('=').collect::<Vec<_>>().as_slice() {
        [path] => (path.trim_end_matches('/').rsplit('/').next().unwrap_or_default(), *path),
        ["", _] => return Err(refused("kustomize refuses a file without a key before `=`")),
        [_, ""] => return Err(refused("kustomize refuses a key without a file behind `=`")),
        [key, path] => (*key, *path),
        _ => return Err(refused("kustomize refuses a file with several `=`")),
    };
    let opened = root.open(build.files, path, *place)?;
    hide_file(build, opened.index, is_secret);
    let place = Place { file: opened.index, line: 1, column: 1 };
    Ok(Pair { key: key.to_owned(), value: opened.bytes.to_vec(), place })
}

fn hide(build: &mut Build<'_>, place: Place, lines: usize, is_secret: bool) {
    if is_secret {
        let more = u32::try_from(lines).unwrap_or(u32::MAX);
        build.files.hide(place.file, place.line..=place.line.saturating_add(more));
    }
}

fn hide_file(build: &mut Build<'_>, file: plimsoll_model::FileIndex, is_secret: bool) {
    if is_secret {
        build.files.hide(file, 1..=u32::MAX);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_lose_their_quotes() {
        let value = |source| String::from_utf8(literal(source, Place::default()).unwrap().value).unwrap();
        assert_eq!(value("a=b=c"), "b=c");
        assert_eq!(value("a='x y'"), "x y");
        assert_eq!(value("a=\"x'"), "\"x'");
        assert_eq!(value("a=\""), "\"");
        assert!(literal("a", Place::default()).is_err());
        assert!(literal("=a", Place::default()).is_err());
    }

    #[test]
    fn lines_end_as_in_go() {
        let cut = |text: &str| lines(text.as_bytes()).map(<[u8]>::len).collect::<Vec<_>>();
        assert_eq!(cut("a=1\r\n\nb"), [3, 0, 1]);
        assert_eq!(cut(""), Vec::<usize>::new());
        assert_eq!(cut("\n"), [0]);
    }
}
