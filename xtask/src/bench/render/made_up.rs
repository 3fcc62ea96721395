//! A chart and a kustomization as people write them, in several sizes.

use anyhow::Result;
use plimsoll_testbed::workplace::Workplace;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// How many applications each chart and each kustomization has; every one brings four objects.
const SIZES: [usize; 3] = [25, 100, 400];

/// The folders; they go when this does.
pub(super) struct MadeUp(Workplace);

/// Writes all of them.
pub(super) fn all() -> Result<MadeUp> {
    let made = MadeUp(Workplace::open()?);
    for size in SIZES {
        write_chart(&made.0.path().join(format!("chart-{size}")), size)?;
        write_kustomization(&made.0.path().join(format!("kustomization-{size}")), size)?;
    }
    Ok(made)
}

impl MadeUp {
    /// Each with what it is called.
    pub(super) fn inputs(&self) -> Vec<(String, String)> {
        let path = |name: String| self.0.path().join(name).display().to_string();
        let charts =
            SIZES.map(|size| (format!("made-up chart, {size} applications"), path(format!("chart-{size}"))));
        let trees = SIZES.map(|size| {
            (format!("made-up kustomization, {size} applications"), path(format!("kustomization-{size}")))
        });
        charts.into_iter().chain(trees).collect()
    }
}

const HELPERS: &str = include_str!("made_up/_helpers.tpl");
const APPLICATION: &str = include_str!("made_up/application.yaml");
const PLAIN: &str = include_str!("made_up/plain.yaml");

/// One template for each application, all with the same helpers.
fn write_chart(folder: &Path, size: usize) -> Result<()> {
    fs::create_dir_all(folder.join("templates"))?;
    fs::write(folder.join("Chart.yaml"), "apiVersion: v2\nname: made-up\nversion: 1.0.0\n")?;
    fs::write(folder.join("templates/_helpers.tpl"), HELPERS)?;
    let mut values = String::from("labels: {team: shop, tier: web}\nregistry: registry.example.org\n");
    for number in 0..size {
        let name = format!("app{number}");
        writeln!(
            values,
            "{name}:\n  replicas: 2\n  port: 8080\n  image: {{name: {name}, tag: v{number}}}\n  env: {{MODE: fast, LEVEL: info}}"
        )?;
        fs::write(folder.join(format!("templates/{name}.yaml")), APPLICATION.replace("NAME", &name))?;
    }
    fs::write(folder.join("values.yaml"), values)?;
    Ok(())
}

/// A base with one file for each application, and an overlay that patches every tenth of them.
fn write_kustomization(folder: &Path, size: usize) -> Result<()> {
    fs::create_dir_all(folder.join("base"))?;
    let (mut resources, mut patches) = (String::new(), String::new());
    for number in 0..size {
        let name = format!("app{number}");
        fs::write(folder.join(format!("base/{name}.yaml")), PLAIN.replace("NAME", &name))?;
        writeln!(resources, "- {name}.yaml")?;
        if number % 10 == 0 {
            writeln!(
                patches,
                "- patch: |-\n    apiVersion: apps/v1\n    kind: Deployment\n    metadata: {{name: {name}}}\n    spec: {{replicas: 3}}"
            )?;
        }
    }
    fs::write(folder.join("base/kustomization.yaml"), format!("resources:\n{resources}"))?;
    let overlay = format!(
        "resources: [base]\nnamespace: shop\nnamePrefix: eu-\nlabels:\n- pairs: {{team: shop}}\nimages:\n- {{name: web, newTag: v2}}\npatches:\n{patches}"
    );
    fs::write(folder.join("kustomization.yaml"), overlay)?;
    Ok(())
}
