//! Every YAML text of the repository, and of a folder with real deployments where it stands beside the checkout.

use super::{Share, compare};
use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn the_readers_agree_on_every_known_file() {
    let quirks = Path::new("tests").join("quirks");
    let (mut odd, mut ordinary) = (Share::default(), Share::default());
    for (path, text) in texts() {
        let found = compare(&text);
        let is_odd = path.to_string_lossy().contains(&*quirks.to_string_lossy());
        let share = if is_odd { &mut odd } else { &mut ordinary };
        share.taken += found.taken;
        share.all += found.all;
        if found.taken < found.all && !is_odd {
            println!("{}: {} of {} bytes", path.display(), found.taken, found.all);
        }
    }
    println!(
        "ordinary files: {} of {} bytes; odd ones: {} of {}",
        ordinary.taken, ordinary.all, odd.taken, odd.all
    );
    assert!(ordinary.all > 100_000, "only {} bytes were found", ordinary.all);
    assert!(ordinary.taken * 100 > ordinary.all * 95, "the plain reader gives up too often");
}

/// All texts, by path: whole YAML files, and what pages have in fences of YAML.
pub(super) fn texts() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folders = ["crates", "docs", "examples", "xtask", "../shared/corpus"];
    let mut paths = Vec::new();
    for folder in folders {
        collect(&root.join(folder), &mut paths);
    }
    paths.sort();
    let mut texts = Vec::new();
    for path in paths {
        let Ok(text) = fs::read_to_string(&path) else {
            continue;
        };
        match path.extension().and_then(|end| end.to_str()) {
            Some("yaml" | "yml") => texts.push((path, text)),
            Some("md") => texts.extend(fences(&text).into_iter().map(|fence| (path.clone(), fence))),
            _ => {}
        }
    }
    texts
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() { collect(&path, paths) } else { paths.push(path) }
    }
}

fn fences(page: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut fence: Option<String> = None;
    for line in page.lines() {
        match &mut fence {
            None if line.starts_with("```yaml") => fence = Some(String::new()),
            Some(_) if line.starts_with("```") => found.extend(fence.take()),
            Some(text) => {
                text.push_str(line);
                text.push('\n');
            }
            None => {}
        }
    }
    found
}
