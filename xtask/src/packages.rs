//! `cargo xtask packages`: what the packages of the Operator Lifecycle Manager define, read in the catalogues that hold
//! their bundles, into `crates/plimsoll-knowledge/data/packages.tsv`.

use anyhow::{Context as _, Result, ensure};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

const TABLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/plimsoll-knowledge/data/packages.tsv");

/// The catalogues by the words that rows use for them.
const CATALOGUES: [(&str, &str); 2] = [
    ("operatorhub", "k8s-operatorhub/community-operators"),
    ("openshift", "redhat-openshift-ecosystem/community-operators-prod"),
];

/// Kinds by their groups.
type Defined = BTreeMap<String, BTreeSet<String>>;

/// Packages by name: where each was read, and what it defines.
type Packages = BTreeMap<String, (Vec<String>, Defined)>;

/// The commit of each catalogue, by its word.
type Commits<'a> = BTreeMap<&'a str, &'a str>;

/// Reads catalogues, each as `WORD@COMMIT=FOLDER`, and writes the table. What was read elsewhere is kept.
pub(crate) fn write(arguments: &[&str]) -> Result<()> {
    let (mut packages, mut commits) = (Packages::new(), Commits::new());
    for argument in arguments {
        let (named, folder) = argument.split_once('=').context("each catalogue is WORD@COMMIT=FOLDER")?;
        let (word, commit) = named.split_once('@').context("each catalogue is WORD@COMMIT=FOLDER")?;
        let is_known = CATALOGUES.iter().any(|(known, _)| *known == word);
        ensure!(is_known, "{word} is neither operatorhub nor openshift");
        commits.insert(word, commit);
        read(word, Path::new(folder), &mut packages)?;
    }
    ensure!(
        !packages.is_empty(),
        "name catalogues, each as operatorhub@COMMIT=FOLDER or openshift@COMMIT=FOLDER"
    );
    let before = fs::read_to_string(TABLE).context(TABLE)?;
    fs::write(TABLE, table(packages, &commits, &before)).context(TABLE)
}

/// Adds the newest bundle of every package of a catalogue: `operators/PACKAGE/VERSION/manifests`, or without the last
/// folder.
fn read(word: &str, catalogue: &Path, packages: &mut Packages) -> Result<()> {
    for package in folders(&catalogue.join("operators"))? {
        let is_version = |folder: &PathBuf| {
            name(folder).trim_start_matches('v').starts_with(|first: char| first.is_ascii_digit())
        };
        let bundles = folders(&package)?.into_iter().filter(is_version);
        let Some(newest) = bundles.max_by_key(|bundle| order(&name(bundle))) else { continue };
        let manifests = Some(newest.join("manifests")).filter(|folder| folder.is_dir());
        let defined = defined(manifests.as_ref().unwrap_or(&newest))?;
        if defined.is_empty() {
            continue;
        }
        let (sources, known) = packages.entry(name(&package)).or_default();
        sources.push(format!("{word} {}", name(&newest)));
        for (group, kinds) in defined {
            known.entry(group).or_default().extend(kinds);
        }
    }
    Ok(())
}

/// What the manifests of a bundle define.
fn defined(manifests: &Path) -> Result<Defined> {
    let mut found = Defined::new();
    for entry in fs::read_dir(manifests).with_context(|| manifests.display().to_string())? {
        let path = entry?.path();
        if !path.is_file() {
            continue;
        }
        let text = String::from_utf8_lossy(&fs::read(&path)?).into_owned();
        for document in plimsoll_yaml::parse(&text, plimsoll_model::FileIndex(0)).documents {
            let said = |path: &[&str]| document.root.text_at(path).map(str::to_owned);
            if said(&["kind"]).as_deref() == Some("CustomResourceDefinition")
                && let Some((group, kind)) = said(&["spec", "group"]).zip(said(&["spec", "names", "kind"]))
            {
                found.entry(group).or_default().insert(kind);
            }
        }
    }
    Ok(found)
}

/// The whole file: what was read, and of the file as it was what came from elsewhere.
fn table(mut packages: Packages, commits: &Commits<'_>, before: &str) -> String {
    keep(before, commits, &mut packages);
    let mut sharing: BTreeMap<&str, usize> = BTreeMap::new();
    for group in packages.values().flat_map(|(_, defined)| defined.keys()) {
        *sharing.entry(group).or_default() += 1;
    }
    let group = |(group, kinds): (&String, &BTreeSet<String>)| {
        let is_shared = sharing.get(group.as_str()).is_some_and(|packages| *packages > 1);
        if is_shared && !kinds.is_empty() {
            format!("{group}/{}", kinds.iter().map(String::as_str).collect::<Vec<_>>().join("|"))
        } else {
            group.clone()
        }
    };
    let row = |(name, (sources, defined)): (&String, &(Vec<String>, Defined))| {
        let groups = defined.iter().map(group).collect::<Vec<_>>().join(" ");
        format!("{name}\t{groups}\t{}", sources.join(", "))
    };
    let rows = packages.iter().map(row).collect::<Vec<_>>().join("\n");
    let head = |(word, repository): &(&str, &str)| {
        let begin = format!("\"{word}\" is {repository} at ");
        let kept = || before.split_once(&begin)?.1.split([',', '.']).next();
        let commit = commits.get(word).copied().or_else(kept)?;
        Some(format!("{begin}{commit}"))
    };
    let heads = CATALOGUES.iter().filter_map(head).collect::<Vec<_>>().join(", ");
    format!(
        "# Packages of the Operator Lifecycle Manager: the groups that their bundles define, or GROUP/KIND|KIND where several \
         packages share a group.\n\
         # Read by `cargo xtask packages` in the newest bundle of each: {heads}. Rows that name another place were read there.\n\
         # package\tdefines\tread in\n{rows}\n"
    )
}

/// Adds what was not read in one of these catalogues. Of a group that was no other package's the kinds are not known.
fn keep(before: &str, read: &Commits<'_>, packages: &mut Packages) {
    for row in before.lines().filter(|row| !row.starts_with('#')) {
        let [name, groups, sources] = row.split('\t').collect::<Vec<_>>()[..] else { continue };
        let elsewhere = sources.split(", ").filter(|source| !read.contains_key(word(source)));
        let elsewhere: Vec<String> = elsewhere.map(str::to_owned).collect();
        if elsewhere.is_empty() {
            continue;
        }
        let (sources, defined) = packages.entry(name.to_owned()).or_default();
        sources.extend(elsewhere);
        sources.sort_by_key(|source| CATALOGUES.iter().position(|(known, _)| *known == word(source)));
        for group in groups.split(' ') {
            let (group, kinds) = group.split_once('/').unwrap_or((group, ""));
            let kinds = kinds.split('|').filter(|kind| !kind.is_empty()).map(str::to_owned);
            defined.entry(group.to_owned()).or_default().extend(kinds);
        }
    }
}

/// The first word of where a row was read: a catalogue, or anything else.
fn word(source: &str) -> &str {
    source.split(' ').next().unwrap_or_default()
}

/// What versions are sorted by: their numbers, then a release after its previews.
fn order(version: &str) -> (Vec<u64>, bool, Vec<(String, u64)>) {
    let bare = version.trim_start_matches('v');
    let (numbers, preview) = bare.split_once('-').unwrap_or((bare, ""));
    let number = |text: &str| text.parse().unwrap_or(0);
    // `rc9` before `rc10`, with a dot between or without.
    let part = |text: &str| {
        let letters = text.trim_end_matches(|letter: char| letter.is_ascii_digit());
        (letters.to_owned(), number(text.strip_prefix(letters).unwrap_or_default()))
    };
    let mut numbers: Vec<u64> = numbers.split(['.', '+']).map(number).collect();
    numbers.resize(numbers.len().max(3), 0);
    let preview = preview.split(['.', '-']).filter(|text| !text.is_empty()).map(part).collect::<Vec<_>>();
    (numbers, preview.is_empty(), preview)
}

/// The folders in a folder.
fn folders(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        found.extend(Some(entry?.path()).filter(|path| path.is_dir()));
    }
    found.sort();
    Ok(found)
}

fn name(folder: &Path) -> String {
    folder.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use plimsoll_testbed::workplace::Workplace;

    /// A catalogue with two packages that share a group.
    fn catalogue(folder: &Path) {
        let definition = |group: &str, kind: &str| {
            format!("kind: CustomResourceDefinition\nspec:\n  group: {group}\n  names: {{kind: {kind}}}\n")
        };
        let files = [
            ("shop/1.9.0/manifests/a.yaml", definition("acme.io", "Old")),
            ("shop/1.10.0-rc.1/manifests/a.yaml", definition("acme.io", "New")),
            (
                "shop/1.10.0/manifests/a.yaml",
                format!("{}---\n{}", definition("acme.io", "Shop"), definition("acme.io", "Cart")),
            ),
            ("shop/1.10.0/manifests/b.yaml", definition("shop.acme.io", "Till")),
            ("shop/1.10.0/manifests/service.yaml", "kind: Service\n".to_owned()),
            ("bank/v2/a.yaml", definition("acme.io", "Bank")),
            ("bank/docs/a.yaml", definition("docs.io", "Page")),
            ("empty/1.0.0/manifests/service.yaml", "kind: Service\n".to_owned()),
        ];
        for (path, text) in files {
            let path = folder.join("operators").join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            fs::write(path, text).expect("written");
        }
    }

    #[test]
    fn the_newest_bundle_of_each_package_says_what_it_defines() {
        let workplace = Workplace::open().expect("a folder");
        catalogue(workplace.path());
        let mut packages = Packages::new();
        read("operatorhub", workplace.path(), &mut packages).expect("read");
        let before = "# \"operatorhub\" is k8s-operatorhub/community-operators at 1, \
             \"openshift\" is redhat-openshift-ecosystem/community-operators-prod at 2. Rows\n\
             bank\tbank.io\toperatorhub v1, openshift 1.0.0\ngone\tgone.io\toperatorhub 1.0.0\n\
             mine\tmine.io shop.acme.io/Mine\topenshift 1.0.0\n\
             vendor\tvendor.io\tbuilt of vendor, as its bundle says\n";
        let written = table(packages, &Commits::from([("operatorhub", "3")]), before);
        let rows: Vec<&str> = written.lines().filter(|line| !line.starts_with('#')).collect();
        assert_eq!(
            rows,
            [
                "bank\tacme.io/Bank bank.io\toperatorhub v2, openshift 1.0.0",
                "mine\tmine.io shop.acme.io/Mine\topenshift 1.0.0",
                "shop\tacme.io/Cart|Shop shop.acme.io/Till\toperatorhub 1.10.0",
                "vendor\tvendor.io\tbuilt of vendor, as its bundle says",
            ]
        );
        assert!(written.contains("community-operators at 3, \"openshift\""), "{written}");
        assert!(written.contains("community-operators-prod at 2. Rows"), "{written}");
    }

    #[test]
    fn a_release_comes_after_its_previews_and_numbers_count_as_numbers() {
        let mut versions = [
            "1.10.0",
            "1.9.0",
            "1.10.0-rc.10",
            "1.10.0-rc.9",
            "v1.2",
            "0.1.0-alpha2",
            "0.1.0-beta1",
            "0.1.0-alpha10",
        ];
        versions.sort_by_key(|version| order(version));
        assert_eq!(
            versions,
            [
                "0.1.0-alpha2",
                "0.1.0-alpha10",
                "0.1.0-beta1",
                "v1.2",
                "1.9.0",
                "1.10.0-rc.9",
                "1.10.0-rc.10",
                "1.10.0"
            ]
        );
    }
}
