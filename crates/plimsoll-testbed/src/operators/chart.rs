//! Charts put together as their projects' release tools do it, from the files of a Go module.

use super::failure::OperatorError;
use crate::cluster::Running;
use crate::programs::{Program, module_folder};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A chart on disk, as its project publishes it; gone when dropped.
#[derive(Debug)]
pub struct Chart {
    folder: TempDir,
    /// The release, and the namespace it goes to.
    pub name: &'static str,
    /// What must be said besides the defaults.
    pub values: &'static [&'static str],
}

impl Chart {
    /// cert-manager's chart. Its release tool fills in the version. Definitions are off by default; the project's own
    /// instructions turn them on.
    pub fn cert_manager(cluster: &Running) -> Result<Self, OperatorError> {
        let name = "cert-manager";
        let version = Program::named(name)?.version().to_owned();
        let module = module_folder(&format!("github.com/cert-manager/cert-manager@{version}"))?;
        let chart = Self { folder: cluster.workplace()?, name, values: &["--set", "crds.enabled=true"] };
        copy(&module.join("deploy/charts/cert-manager"), chart.path())?;
        chart.change("Chart.yaml", |text| text.replace("v0.0.0", &version))?;
        Ok(chart)
    }

    /// External-secrets' chart. Its release tool adds the definitions as templates; the sub-chart, which is off by
    /// default and not in the module, is left out.
    pub fn external_secrets(cluster: &Running) -> Result<Self, OperatorError> {
        let name = "external-secrets";
        let version = Program::named(name)?.version().to_owned();
        let module = module_folder(&format!("github.com/external-secrets/external-secrets@{version}"))?;
        let chart = Self { folder: cluster.workplace()?, name, values: &[] };
        copy(&module.join("deploy/charts/external-secrets"), chart.path())?;
        chart.change("Chart.yaml", without_dependencies)?;
        let definitions = module.join("config/crds/bases");
        for path in files(&definitions)? {
            let Some(name) = path.file_name().filter(|name| *name != "kustomization.yaml") else { continue };
            let text = fs::read_to_string(&path).map_err(OperatorError::file(&path))?;
            let text = format!("{{{{- if .Values.installCRDs }}}}\n{text}\n{{{{- end }}}}\n");
            let target = chart.path().join("templates/crds").join(name);
            fs::write(&target, text).map_err(OperatorError::file(&target))?;
        }
        Ok(chart)
    }

    /// Where it lies.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    fn change(&self, file: &str, change: impl FnOnce(&str) -> String) -> Result<(), OperatorError> {
        let path = self.path().join(file);
        let text = fs::read_to_string(&path).map_err(OperatorError::file(&path))?;
        fs::write(&path, change(&text)).map_err(OperatorError::file(&path))
    }
}

/// `Chart.yaml` without its list of sub-charts: Helm refuses a chart whose sub-charts are listed and not there.
fn without_dependencies(text: &str) -> String {
    let mut is_inside = false;
    let mut kept = String::new();
    for line in text.lines() {
        if !line.starts_with([' ', '-', '#']) {
            is_inside = line.starts_with("dependencies:");
        }
        if !is_inside {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

/// Copies a folder of the module cache; the copies can be written, unlike the originals.
pub(super) fn copy(from: &Path, to: &Path) -> Result<(), OperatorError> {
    fs::create_dir_all(to).map_err(OperatorError::file(to))?;
    for path in files(from)? {
        let target = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() {
            copy(&path, &target)?;
        } else {
            let content = fs::read(&path).map_err(OperatorError::file(&path))?;
            fs::write(&target, content).map_err(OperatorError::file(&target))?;
        }
    }
    Ok(())
}

/// What lies in a folder, by name.
fn files(folder: &Path) -> Result<Vec<PathBuf>, OperatorError> {
    let entries = fs::read_dir(folder).map_err(OperatorError::file(folder))?;
    let paths = entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>();
    let mut paths = paths.map_err(OperatorError::file(folder))?;
    paths.sort();
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::without_dependencies;

    #[test]
    fn sub_charts_are_left_out_and_the_rest_stays() {
        let text = "name: a\ndependencies:\n  - name: b\n    version: v1\n- name: c\nkeywords:\n  - d\n";
        assert_eq!(without_dependencies(text), "name: a\nkeywords:\n  - d\n");
    }
}
