//! Random kustomizations. Without the real program they must be built twice alike and point into their files; with
//! `KUSTOMIZE=kustomize KUSTOMIZATIONS=1000 cargo test -p plimsoll-kustomize random -- --nocapture` they are held against
//! it. `KUSTOMIZATIONS_FROM` is the first seed, `KUSTOMIZATIONS_KEEP` a folder for the trees that differ and
//! `KUSTOMIZATIONS_WRITE` one for all of them.

use crate::compare::{difference, printed};
use crate::dice::Dice;
use crate::files::Memory;
use crate::tree::tree;
use plimsoll_kustomize::{Settings, build};
use std::path::Path;
use std::process::Command;

/// What the real program prints for a folder; nothing where it refuses it.
pub(crate) fn ask(program: &str, folder: &Path) -> Option<String> {
    let output = Command::new(program).arg("build").arg(folder).output().unwrap();
    output.status.success().then(|| String::from_utf8(output.stdout).unwrap())
}

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).map_or(otherwise, |text| text.parse().unwrap())
}

#[test]
fn random_kustomizations_are_built_like_the_program_builds_them() {
    let program = std::env::var("KUSTOMIZE").ok();
    let (first, count) = (number("KUSTOMIZATIONS_FROM", 1), number("KUSTOMIZATIONS", 300));
    let (mut objects, mut refused, mut differences) = (0, 0, Vec::new());
    for seed in first..first + count {
        let files = tree(&mut Dice::new(seed));
        let one = build(&mut Memory::new(files.clone()), "overlay", &Settings::default());
        let other = build(&mut Memory::new(files.clone()), "overlay", &Settings::default());
        assert_eq!(format!("{one:?}"), format!("{other:?}"), "seed {seed}");
        match &one {
            Ok(built) => objects += built.objects.len(),
            Err(refusal) => {
                refused += 1;
                if std::env::var("KUSTOMIZATIONS_SAY").is_ok() {
                    println!("seed {seed} refused: {}", refusal.cause);
                }
            }
        }
        if let Ok(folder) = std::env::var("KUSTOMIZATIONS_WRITE") {
            write(&Path::new(&folder).join(format!("random-{seed}/tree")), &files);
        }
        let Some(program) = &program else { continue };
        let folder = std::env::temp_dir().join(format!("kustomization-{}-{seed}", std::process::id()));
        write(&folder, &files);
        let expected = ask(program, &folder.join("overlay"));
        let found = match (&expected, &one) {
            (Some(text), Ok(built)) => difference(&printed(text), &built.objects),
            (None, Err(_)) => None,
            (Some(_), Err(refusal)) => Some(format!("only the program builds it: {}", refusal.cause)),
            (None, Ok(_)) => Some("the program refuses it".to_owned()),
        };
        if let Some(found) = found {
            println!("seed {seed}: {found}");
            differences.push(seed);
            if let Ok(keep) = std::env::var("KUSTOMIZATIONS_KEEP") {
                write(&Path::new(&keep).join(seed.to_string()), &files);
            }
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }
    println!("{count} kustomizations, {objects} objects, {refused} refused, {} differ", differences.len());
    assert!(differences.is_empty(), "{differences:?}");
    assert!(objects as u64 > count, "too few kustomizations give objects");
}

fn write(folder: &Path, files: &std::collections::BTreeMap<String, Vec<u8>>) {
    for (path, bytes) in files {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
}
