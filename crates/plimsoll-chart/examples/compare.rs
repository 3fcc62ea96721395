//! Renders charts beside the real Helm 3 and Helm 4 and says where the results differ.
//!
//! `cargo run --release -p plimsoll-chart --example compare -- [--values] [--only TEXT] DIR…` takes every chart below
//! the folders. `HELM3` and `HELM4` name the programs. Charts are compared and left where they are.

#![expect(clippy::print_stdout, reason = "what a program for developers says")]

use plimsoll_chart::{
    Capabilities, Chart, DiskFolder, HelmVersion, RenderFailure, Request, ValueSource, render,
};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use std::{env, fs};

fn main() {
    let mut options = Options::default();
    let mut arguments = env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--values" => options.uses_values = true,
            "--only" => options.only = arguments.next(),
            "--show" => options.shows = true,
            folder => options.folders.push(folder.into()),
        }
    }
    for (name, version) in [("HELM3", HelmVersion::Three), ("HELM4", HelmVersion::Four)] {
        if let Ok(program) = env::var(name) {
            Comparison::new(program, version).run(&options);
        }
    }
}

#[derive(Default)]
struct Options {
    uses_values: bool,
    shows: bool,
    only: Option<String>,
    folders: Vec<PathBuf>,
}

/// Everything that was compared with one program.
struct Comparison {
    program: String,
    version: HelmVersion,
    capabilities: Capabilities,
    same: usize,
    same_objects: usize,
    refused: usize,
    different: usize,
    own_time: Duration,
    helm_time: Duration,
}

/// Documents by their source, sorted.
type Documents = BTreeMap<String, Vec<String>>;

impl Comparison {
    fn new(program: String, version: HelmVersion) -> Self {
        let capabilities = capabilities(&program);
        Self {
            program,
            version,
            capabilities,
            same: 0,
            same_objects: 0,
            refused: 0,
            different: 0,
            own_time: Duration::ZERO,
            helm_time: Duration::ZERO,
        }
    }

    fn run(&mut self, options: &Options) {
        let is_wanted = |chart: &PathBuf| {
            let shown = chart.display().to_string();
            options.only.as_ref().is_none_or(|only| shown.contains(only))
        };
        for chart in options.folders.iter().flat_map(|folder| charts(folder)).filter(is_wanted) {
            self.compare(&chart, None, options);
            let values = if options.uses_values { values_files(&chart) } else { Vec::new() };
            for values in values {
                self.compare(&chart, Some(&values), options);
            }
        }
        let all = self.same + self.same_objects + self.refused + self.different;
        println!(
            "{:?}: {all} renderings; {} the same byte by byte, {} the same but for what is made anew each time, {} refused by both, {} different; here {:?}, helm {:?}",
            self.version,
            self.same,
            self.same_objects,
            self.refused,
            self.different,
            self.own_time,
            self.helm_time
        );
    }

    fn compare(&mut self, chart: &Path, values: Option<&Path>, options: &Options) {
        let began = Instant::now();
        let theirs = self.helm(chart, values);
        self.helm_time += began.elapsed();
        let began = Instant::now();
        let ours = self.own(chart, values);
        self.own_time += began.elapsed();
        let name = values.map_or_else(|| chart.display().to_string(), |values| values.display().to_string());
        match (ours, theirs) {
            (Err(own), Err(their)) => {
                self.refused += 1;
                let cause = own.lines().last().unwrap_or_default();
                if options.shows && !their.contains(cause) {
                    println!(
                        "{name}: refused for another reason\n  here: {own}\n  helm: {}",
                        their.replace('\n', " ")
                    );
                }
            }
            (Ok(ours), Ok(theirs)) if ours == theirs => self.same += 1,
            (Ok(ours), Ok(theirs)) => {
                let again = self.helm(chart, values).unwrap_or_default();
                let difference = difference(&ours, &theirs, &again);
                match difference {
                    None => self.same_objects += 1,
                    Some(difference) => {
                        self.different += 1;
                        println!(
                            "{name}: {}",
                            if options.shows { &difference } else { difference.lines().next().unwrap_or("") }
                        );
                    }
                }
            }
            (Ok(_), Err(error)) => {
                self.different += 1;
                println!(
                    "{name}: rendered here; helm: {}",
                    error.lines().take(3).collect::<Vec<_>>().join(" | ")
                );
            }
            (Err(error), Ok(_)) => {
                self.different += 1;
                println!("{name}: refused here: {error}");
            }
        }
    }

    fn own(&self, chart: &Path, values: Option<&Path>) -> Result<Documents, String> {
        let chart =
            Chart::from_folder(&DiskFolder(chart.to_owned())).map_err(|failure| failure.to_string())?;
        let missing: Vec<&str> = chart.missing().iter().map(|dependency| dependency.name.as_str()).collect();
        if !missing.is_empty() {
            return Err(format!("charts are missing: {}", missing.join(", ")));
        }
        let values = values.map(|path| ValueSource::File {
            path: path.display().to_string(),
            text: fs::read_to_string(path).unwrap_or_default(),
        });
        let request = Request {
            values: values.into_iter().collect(),
            capabilities: self.capabilities.clone(),
            helm: self.version,
            ..Request::default()
        };
        let rendering = render(&chart, &request).map_err(|failure| match failure {
            RenderFailure::Template { cause, .. } => cause,
            other => other.to_string(),
        })?;
        let mut documents = Documents::new();
        for manifest in rendering.manifests() {
            let Some(file) = rendering.files.get(manifest.file) else { continue };
            let text = manifest.text.trim_end().to_owned();
            documents.entry(file.name.clone()).or_default().push(text);
        }
        Ok(sorted(documents))
    }

    fn helm(&self, chart: &Path, values: Option<&Path>) -> Result<Documents, String> {
        let mut command = Command::new(&self.program);
        command.args(["template", "release-name"]).arg(chart);
        if let Some(values) = values {
            command.arg("-f").arg(values);
        }
        let output = command.output().map_err(|error| error.to_string())?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned());
        }
        Ok(split(&String::from_utf8_lossy(&output.stdout)))
    }
}

/// What `helm template` printed, by source.
fn split(text: &str) -> Documents {
    const MARK: &str = "---\n# Source: ";
    let mut documents = Documents::new();
    let text = format!("\n{text}");
    for part in text.split(&format!("\n{MARK}")).skip(1) {
        let (source, content) = part.split_once('\n').unwrap_or((part, ""));
        documents.entry(source.to_owned()).or_default().push(content.trim().to_owned());
    }
    sorted(documents)
}

/// Helm orders the documents of a file by kind. Documents that say nothing do not count: Helm 3 prints a separator that
/// stands behind another one.
fn sorted(mut documents: Documents) -> Documents {
    let says_something =
        |document: &String| document.lines().any(|line| !line.trim().is_empty() && !line.starts_with("---"));
    documents.retain(|_, documents| {
        documents.retain(says_something);
        documents.sort();
        !documents.is_empty()
    });
    documents
}

/// The first difference in what Helm itself renders the same twice.
fn difference(ours: &Documents, theirs: &Documents, again: &Documents) -> Option<String> {
    let names: std::collections::BTreeSet<&String> = ours.keys().chain(theirs.keys()).collect();
    let empty = Vec::new();
    for name in names {
        let (own, their) = (ours.get(name).unwrap_or(&empty), theirs.get(name).unwrap_or(&empty));
        let other = again.get(name).unwrap_or(&empty);
        if own == their {
            continue;
        }
        if own.len() == their.len() && their != other {
            continue;
        }
        if own.len() != their.len() {
            return Some(format!("{name}: {} documents here, {} in helm", own.len(), their.len()));
        }
        for (own, their) in own.iter().zip(their) {
            let differing = own.lines().zip(their.lines()).find(|(own, their)| own != their);
            if let Some((own, their)) = differing {
                return Some(format!("{name}\n  here: {own}\n  helm: {their}"));
            }
            if own != their {
                let longer = if own.len() > their.len() { own } else { their };
                let line = longer.lines().nth(own.lines().count().min(their.lines().count())).unwrap_or("");
                return Some(format!("{name}: here {} bytes, in helm {}: {line}", own.len(), their.len()));
            }
        }
    }
    None
}

/// What the program says of the cluster that it has not.
fn capabilities(program: &str) -> Capabilities {
    let folder = env::temp_dir().join("plimsoll-probe");
    fs::create_dir_all(folder.join("templates")).ok();
    fs::write(folder.join("Chart.yaml"), "apiVersion: v2\nname: probe\nversion: 1.0.0\n").ok();
    let template =
        "{{ .Capabilities.KubeVersion.Version }}\n{{ range .Capabilities.APIVersions }}{{ . }}\n{{ end }}";
    fs::write(folder.join("templates/probe.yaml"), format!("probe: |\n  {}", template.replace('\n', "\n  ")))
        .ok();
    let output = Command::new(program).arg("template").arg(&folder).output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    let mut lines = text.lines().map(str::trim).skip_while(|line| *line != "probe: |").skip(1);
    let kube_version = lines.next().unwrap_or_default().to_owned();
    Capabilities {
        kube_version,
        api_versions: lines.filter(|line| !line.is_empty()).map(str::to_owned).collect(),
    }
}

/// Charts below a folder that stand in no other chart.
fn charts(folder: &Path) -> Vec<PathBuf> {
    if folder.join("Chart.yaml").is_file() {
        return vec![folder.to_owned()];
    }
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut inner: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    inner.sort();
    inner.iter().filter(|path| path.is_dir()).flat_map(|path| charts(path)).collect()
}

/// Values that a chart is tried with by those who keep it.
fn values_files(chart: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(chart.join("ci")).into_iter().flatten();
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "yaml" || ending == "yml"));
    files.sort();
    files
}
