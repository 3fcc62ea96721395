//! Small trees and what the real program printed for them; `KUSTOMIZE=kustomize cargo test -p plimsoll-kustomize built`
//! asks it again.

use crate::compare::{difference, printed};
use crate::files::Memory;
use crate::random;
use plimsoll_kustomize::{Settings, build};
use std::path::{Path, PathBuf};

fn cases() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/built");
    let mut cases: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    cases.sort();
    cases
}

#[test]
fn small_trees_give_what_the_program_printed() {
    let program = std::env::var("KUSTOMIZE").ok();
    let mut count = 0;
    for case in cases() {
        let tree = case.join("tree");
        let expected = match &program {
            Some(program) => {
                let fresh = random::ask(program, &tree.join("overlay"));
                let text = fresh.as_deref().unwrap_or("refused\n");
                std::fs::write(case.join("built.yaml"), text).unwrap();
                text.to_owned()
            }
            None => std::fs::read_to_string(case.join("built.yaml")).unwrap(),
        };
        let built = build(&mut Memory::of_folder(&tree), "overlay", &Settings::default());
        if expected == "refused\n" {
            assert!(built.is_err(), "{} is built", case.display());
            continue;
        }
        let built = built.unwrap_or_else(|refusal| panic!("{}: {refusal:?}", case.display()));
        assert_eq!(difference(&printed(&expected), &built.objects), None, "{}", case.display());
        count += built.objects.len();
    }
    assert!(count > 150, "only {count} objects were compared");
}
