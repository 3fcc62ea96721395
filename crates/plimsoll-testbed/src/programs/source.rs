//! Lays out what `go build` needs for a recipe: a folder with a module, and the package in it.

use super::failure::ProgramError;
use super::go::module_folder;
use super::recipe::{Change, Mend, Recipe};
use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

/// What to build and how.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) package: String,
    pub(super) linker_flags: String,
    /// Whether `go mod tidy` must complete the module first.
    pub(super) is_tidied: bool,
}

/// The folder of a copy of Kubernetes in which something is mended.
const MENDED: &str = "mended";

/// Lays the source of a program out in an empty folder.
pub(super) fn lay_out(
    name: &str,
    version: &str,
    recipe: &Recipe,
    folder: &Path,
) -> Result<Source, ProgramError> {
    let source = |package: &str| Source {
        package: package.to_owned(),
        linker_flags: "-s -w".to_owned(),
        is_tidied: true,
    };
    match recipe {
        Recipe::Kubernetes { mended } => {
            let mut module = kubernetes(name, version)?;
            if mend(folder, version, mended)? {
                let _ = writeln!(module, "\nreplace k8s.io/kubernetes => ./{MENDED}");
            }
            write(folder, "go.mod", &module)?;
            let flags = format!("-s -w {}", kubernetes_version(version));
            Ok(Source { linker_flags: flags, ..source(&format!("k8s.io/kubernetes/cmd/{name}")) })
        }
        Recipe::Package { module, package, version_in } => {
            let text = format!(
                "module plimsoll.example/{name}\n\ngo 1.24.0\n\nrequire {module} {version}\n\ntool {package}\n"
            );
            write(folder, "go.mod", &text)?;
            let shown = version_in.map(|variable| format!(" -X {variable}={version}")).unwrap_or_default();
            Ok(Source { linker_flags: format!("-s -w{shown}"), ..source(package) })
        }
        Recipe::Own { files, .. } => {
            for (path, text) in *files {
                write(folder, path, text)?;
            }
            // What nothing here imports, and tidying would ask for, need not be on the proxy.
            Ok(Source { is_tidied: false, ..source(".") })
        }
        Recipe::Tree { module, package, change } => {
            copy(&module_folder(&format!("{module}@{version}"))?, folder)?;
            let is_tidied = change_tree(folder, module, version, *change)?;
            Ok(Source { is_tidied, ..source(package) })
        }
    }
}

/// A module that requires Kubernetes. Kubernetes takes its own libraries from folders of its repository; each is
/// published under a tag of its own, v0.N.M for v1.N.M.
fn kubernetes(name: &str, version: &str) -> Result<String, ProgramError> {
    let path = module_folder(&format!("k8s.io/kubernetes@{version}"))?.join("go.mod");
    let theirs = fs::read_to_string(&path).map_err(|cause| ProgramError::file(&path, cause))?;
    let library_version = version.replacen("v1.", "v0.", 1);
    let mut text = format!("module plimsoll.example/{name}\n\n");
    for line in theirs.lines().filter(|line| line.starts_with("go ") || line.starts_with("godebug ")) {
        let _ = writeln!(text, "{line}\n");
    }
    let _ = writeln!(text, "require k8s.io/kubernetes {version}\n");
    for line in theirs.lines() {
        if let Some((library, _)) = line.trim().split_once(" => ./staging/") {
            let _ = writeln!(text, "replace {library} => {library} {library_version}");
        }
    }
    let _ = writeln!(text, "\ntool k8s.io/kubernetes/cmd/{name}");
    Ok(text)
}

/// Copies Kubernetes and mends the copy; says whether there was anything to mend, which not every version needs.
fn mend(folder: &Path, version: &str, mended: &[Mend]) -> Result<bool, ProgramError> {
    let mut is_mended = false;
    for Mend { path, from, to } in mended {
        let theirs = module_folder(&format!("k8s.io/kubernetes@{version}"))?;
        let file = theirs.join(path);
        let text = fs::read_to_string(&file).map_err(|cause| ProgramError::file(&file, cause))?;
        if text.contains(from) {
            let ours = folder.join(MENDED);
            if !is_mended {
                copy(&theirs, &ours)?;
            }
            write(&ours, path, &text.replace(from, to))?;
            is_mended = true;
        }
    }
    Ok(is_mended)
}

/// Linker flags for the version that Kubernetes' programs show.
fn kubernetes_version(version: &str) -> String {
    let minor = version.split('.').nth(1).unwrap_or_default();
    let set = |variable: &str, value: &str| format!("-X k8s.io/{variable}={value}");
    [
        set("component-base/version.gitVersion", version),
        set("component-base/version.gitMajor", "1"),
        set("component-base/version.gitMinor", minor),
        set("client-go/pkg/version.gitVersion", version),
    ]
    .join(" ")
}

/// Changes a copied tree; says whether its module must be completed afterwards.
fn change_tree(folder: &Path, module: &str, version: &str, change: Change) -> Result<bool, ProgramError> {
    match change {
        Change::Files(files) => {
            for (path, text) in files {
                write(folder, path, text)?;
            }
            Ok(false)
        }
        Change::Mended(mended) => {
            for Mend { path, from, to } in mended {
                let file = folder.join(path);
                let text = fs::read_to_string(&file).map_err(|cause| ProgramError::file(&file, cause))?;
                write(folder, path, &text.replace(from, to))?;
            }
            Ok(false)
        }
        Change::PublishedParts => {
            let path = folder.join("go.mod");
            let text = fs::read_to_string(&path).map_err(|cause| ProgramError::file(&path, cause))?;
            let kept = text.lines().filter(|line| !line.contains(" => ./"));
            write(folder, "go.mod", &kept.collect::<Vec<_>>().join("\n"))?;
            Ok(false)
        }
        Change::PublishedInterfaces => {
            let path = folder.join("go.mod");
            let text = fs::read_to_string(&path).map_err(|cause| ProgramError::file(&path, cause))?;
            write(folder, "go.mod", &text.replace("=> ./api", &format!("=> {module}/api {version}")))?;
            Ok(true)
        }
    }
}

fn write(folder: &Path, name: &str, text: &str) -> Result<(), ProgramError> {
    let path = folder.join(name);
    fs::write(&path, text).map_err(|cause| ProgramError::file(&path, cause))
}

/// Copies a folder whose files are read-only, as those of the module cache are, so that the copy can be changed.
fn copy(from: &Path, to: &Path) -> Result<(), ProgramError> {
    let failure = |cause| ProgramError::file(from, cause);
    fs::create_dir_all(to).map_err(failure)?;
    for entry in fs::read_dir(from).map_err(failure)? {
        let entry = entry.map_err(failure)?;
        let target = to.join(entry.file_name());
        if entry.file_type().map_err(failure)?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), &target).map_err(failure)?;
            fs::set_permissions(&target, fs::Permissions::from_mode(0o644)).map_err(failure)?;
        }
    }
    Ok(())
}
