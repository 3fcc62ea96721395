//! Pages that lie beside manifests and say which files are applied, one command after the other: for people, for a shell
//! or for `make`. They are read for that alone, and only where nobody names a script.

use crate::reading::Reading;
use plimsoll_model::{FileIndex, Page};
use plimsoll_yaml::MAX_FILE_BYTES;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// The files of the input by their names without a folder, each with its whole path.
type Known<'a> = BTreeMap<&'a str, Vec<(&'a str, FileIndex)>>;

/// Whether a file of this name may be such a page.
pub(crate) fn is_one(name: &str) -> bool {
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    name == "Makefile" || matches!(ending, "adoc" | "md" | "rst" | "sh")
}

/// Adds what the pages say that were met on the way to plain manifests. One that cannot be read says nothing.
pub(crate) fn read(reading: &mut Reading<'_>) {
    let (paths, host) = (reading.take_pages(), reading.host());
    let told: Vec<(&str, Vec<Vec<String>>)> = paths
        .par_iter()
        .filter_map(|path| Some((path.as_str(), host.read(path, MAX_FILE_BYTES).ok()?)))
        .map(|(path, bytes)| (path, commands(&String::from_utf8_lossy(&bytes))))
        .filter(|(_, commands)| commands.len() > 1)
        .collect();
    if told.is_empty() {
        return;
    }
    let mut known = Known::new();
    for (index, file) in (0u32..).map(FileIndex).zip(reading.bundle.files.iter()) {
        known.entry(name(&file.path)).or_default().push((&file.path, index));
    }
    let page = |(path, commands): (&str, Vec<Vec<String>>)| {
        let files = |words: Vec<String>| words.iter().filter_map(|word| meant(path, word, &known)).collect();
        Page { commands: commands.into_iter().map(files).collect() }
    };
    let pages: Vec<Page> = told.into_iter().map(page).collect();
    reading.bundle.pages.extend(pages);
}

/// The files that each command of a page sends to the cluster, as they are written there.
fn commands(text: &str) -> Vec<Vec<String>> {
    let joined = text.replace("\\\n", " ");
    let sends = |line: &str| {
        let mut words =
            line.split_whitespace().skip_while(|word| !matches!(*word, "apply" | "create" | "replace"));
        let mut files = Vec::new();
        while let Some(word) = words.next() {
            let (flag, value) =
                word.split_once('=').map_or((word, None), |(flag, value)| (flag, Some(value)));
            if matches!(flag, "-f" | "--filename") {
                let listed = value.or_else(|| words.next()).unwrap_or_default().split(',');
                files.extend(listed.map(|file| file.trim_matches(['"', '\'', '`', ';', ')']).to_owned()));
            }
        }
        files
    };
    joined.lines().map(sends).filter(|files| !files.is_empty()).collect()
}

/// The file of the input that a word of a page stands for, if there is only one. Where people are when they type it nobody
/// knows: a name with its folder is known by both, a bare one lies beside the page, or else below it.
fn meant(page: &str, word: &str, known: &Known<'_>) -> Option<FileIndex> {
    let files = known.get(name(word)).map_or(&[][..], Vec::as_slice);
    let alike =
        |path: &str| word.rsplit('/').zip(path.rsplit('/')).take_while(|(said, is)| said == is).count();
    let only = |is_meant: &dyn Fn(&str) -> bool| match files
        .iter()
        .filter(|(path, _)| is_meant(path))
        .collect::<Vec<_>>()[..]
    {
        [(_, index)] => Some(*index),
        _ => None,
    };
    only(&|path| alike(path) > 1)
        .or_else(|| only(&|path| folder(path) == folder(page)))
        .or_else(|| only(&|path| path.starts_with(folder(page))))
}

fn name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// The folder of a path with the slash at its end.
fn folder(path: &str) -> &str {
    path.rfind('/').and_then(|at| path.get(..=at)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_of_a_page_are_found_in_its_text() {
        let text = "First:\n\n    $ kubectl apply -f crd.yaml --server-side\n\n1. `kubectl create --filename=a.yaml,b.yaml`\n\
                    kl -n shop apply \\\n  -f \"$ROOT/shop/c.yaml\"\ntail -f log.yaml\n";
        let expect = [vec!["crd.yaml"], vec!["a.yaml", "b.yaml"], vec!["$ROOT/shop/c.yaml"]];
        assert_eq!(commands(text), expect);
    }

    #[test]
    fn a_name_is_looked_for_beside_the_page_or_with_its_folder() {
        let paths = ["shop/a.yaml", "shop/k8s/a.yaml", "other/k8s/a.yaml"];
        let files = (0u32..).map(FileIndex).zip(paths).map(|(index, path)| (path, index));
        let known = Known::from([("a.yaml", files.collect())]);
        let check = |page, word, expect: Option<u32>| {
            assert_eq!(meant(page, word, &known), expect.map(FileIndex), "{page} {word}");
        };
        check("shop/README.md", "a.yaml", Some(0));
        check("other/README.md", "./a.yaml", Some(2));
        check("README.md", "https://example.org/main/shop/a.yaml", Some(0));
        check("README.md", "a.yaml", None);
        check("docs/install.md", "k8s/a.yaml", None);
    }
}
