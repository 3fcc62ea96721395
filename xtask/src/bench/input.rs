//! Writes the input of the benchmark: manifests of many teams as people keep them, and two that are all races.
//!
//! The same call always writes the same bytes. Most files stand in the right order; every fortieth team sends its
//! Namespace last, and every twenty-fifth application its settings after its pods.

use anyhow::Result;
use plimsoll_testbed::workplace::Workplace;
use std::fs;
use std::path::PathBuf;

const CLUSTER: &str = include_str!("input/cluster.yaml");
const PRODUCT: &str = include_str!("input/product.yaml");
const NAMESPACE: &str = include_str!("input/namespace.yaml");
const TEAM: &str = include_str!("input/team.yaml");
const SETTINGS: &str = include_str!("input/settings.yaml");
const OBSERVED: &str = include_str!("input/observed.yaml");
const DEPLOYMENT: &str = include_str!("input/deployment.yaml");
const DATABASE: &str = include_str!("input/database.yaml");
const TRAFFIC: &str = include_str!("input/traffic.yaml");
const CERTIFICATE: &str = include_str!("input/certificate.yaml");
const BACKUP: &str = include_str!("input/backup.yaml");

const APPLICATIONS_OF_A_TEAM: usize = 8;
const OBJECTS_OF_A_PRODUCT: usize = 2_000;

/// A folder with manifests, and how much is in it. The folder goes when this does.
pub(super) struct Written {
    folder: Workplace,
    limit: usize,
    pub(super) objects: usize,
    pub(super) files: usize,
    pub(super) bytes: usize,
}

/// Which of the many alike a template stands for.
#[derive(Clone, Copy, Default)]
struct Names {
    product: usize,
    team: usize,
    app: usize,
}

/// Exactly so many objects of a large cluster.
pub(super) fn realistic(objects: usize) -> Result<Written> {
    let mut written = Written::new(objects)?;
    let products = objects / OBJECTS_OF_A_PRODUCT + 1;
    written.add("00-cluster.yaml", CLUSTER, Names::default())?;
    for product in 0..products {
        let file = format!("10-products/{product:03}.yaml");
        written.add(&file, PRODUCT, Names { product, ..Names::default() })?;
    }
    let mut team = 0;
    while written.objects < objects {
        written.add_team(Names { product: team % products, team, app: 0 })?;
        team += 1;
    }
    Ok(written)
}

/// So many objects, all of them sent before the one Namespace they are in.
pub(super) fn before_namespace(objects: usize) -> Result<Written> {
    let mut written = Written::new(objects)?;
    let mut app = 0;
    while written.objects + 1 < objects {
        let settings = written.head(SETTINGS, objects - 1);
        written.add(&format!("{app:05}.yaml"), &settings, Names { app, ..Names::default() })?;
        app += 1;
    }
    written.add("namespace.yaml", NAMESPACE, Names::default())?;
    Ok(written)
}

/// So many instances, all of them sent before the one CRD that defines them.
pub(super) fn before_definition(instances: usize) -> Result<Written> {
    let mut written = Written::new(instances + 2)?;
    written.add("00-namespace.yaml", NAMESPACE, Names::default())?;
    for app in 0..instances {
        written.add(&format!("10-backups/{app:05}.yaml"), BACKUP, Names { app, ..Names::default() })?;
    }
    written.add("20-product.yaml", PRODUCT, Names::default())?;
    Ok(written)
}

impl Written {
    fn new(limit: usize) -> Result<Self> {
        Ok(Self { folder: Workplace::open()?, limit, objects: 0, files: 0, bytes: 0 })
    }

    /// Where the manifests are.
    pub(super) fn path(&self) -> String {
        self.folder.path().display().to_string()
    }

    fn add_team(&mut self, names: Names) -> Result<()> {
        let folder = format!("20-teams/{:05}", names.team);
        let namespace = if names.team % 40 == 39 { "zz-namespace" } else { "00-namespace" };
        self.add(&format!("{folder}/{namespace}.yaml"), NAMESPACE, names)?;
        self.add(&format!("{folder}/10-team.yaml"), TEAM, names)?;
        for app in 0..APPLICATIONS_OF_A_TEAM {
            let number = names.team * APPLICATIONS_OF_A_TEAM + app;
            let settings = if number % 25 == 24 { "90-settings" } else { "10-settings" };
            let files = [
                (settings, SETTINGS),
                ("20-observed", OBSERVED),
                ("30-deployment", DEPLOYMENT),
                ("40-database", DATABASE),
                ("50-traffic", TRAFFIC),
            ];
            for (file, template) in files {
                self.add(&format!("{folder}/app-{app}/{file}.yaml"), template, Names { app, ..names })?;
            }
        }
        self.add(&format!("{folder}/certificate.yaml"), CERTIFICATE, names)?;
        self.add(&format!("{folder}/backup.yaml"), BACKUP, names)
    }

    /// The first documents of a template, so many that no more than `limit` are written in all.
    fn head(&self, template: &str, limit: usize) -> String {
        let documents: Vec<&str> = template.split("---\n").take(limit.saturating_sub(self.objects)).collect();
        documents.join("---\n")
    }

    /// Writes a template under a path, as much of it as is still wanted.
    fn add(&mut self, path: &str, template: &str, names: Names) -> Result<()> {
        let text = self
            .head(template, self.limit)
            .replace("@product@", &names.product.to_string())
            .replace("@team@", &names.team.to_string())
            .replace("@app@", &names.app.to_string());
        if text.is_empty() {
            return Ok(());
        }
        let file: PathBuf = self.folder.path().join(path);
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder)?;
        }
        self.objects += text.split("---\n").count();
        self.files += 1;
        self.bytes += text.len();
        Ok(fs::write(file, text)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plimsoll_sources::{Disk, Input, read};

    fn check(written: &Written, objects: usize) {
        let bundle = read(&Input { paths: vec![written.path()], ..Input::default() }, &Disk);
        assert_eq!((written.objects, bundle.coverage.objects), (objects, objects));
        assert_eq!((bundle.coverage.foreign, bundle.problems.len()), (0, 0), "{:?}", bundle.problems);
    }

    #[test]
    fn as_many_objects_are_written_as_were_asked_for() {
        for objects in [1, 4, 13, 500] {
            check(&realistic(objects).unwrap(), objects);
        }
        check(&before_namespace(42).unwrap(), 42);
        check(&before_definition(7).unwrap(), 7 + 2);
    }
}
