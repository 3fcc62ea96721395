//! An entry of `helmCharts` (`types/helmchartargs.go`).

use super::Placed;
use crate::fields::Fields;
use crate::inflation::ChartParts;
use crate::refusal::Refusal;
use plimsoll_model::{Node, Place};

/// A chart that becomes objects.
#[derive(Debug, Clone)]
pub(crate) struct ChartEntry {
    pub(crate) name: Placed,
    /// The folder that holds the folder of the chart.
    pub(crate) home: String,
    pub(crate) release: String,
    pub(crate) namespace: String,
    pub(crate) values_file: Option<Placed>,
    pub(crate) values: Option<Node>,
    pub(crate) values_win: ValuesWin,
    pub(crate) more_values_files: Vec<Placed>,
    pub(crate) api_versions: Vec<String>,
    pub(crate) kube_version: String,
    pub(crate) parts: ChartParts,
    /// Whether the chart is fetched where it is not there.
    pub(crate) has_repository: bool,
}

/// `valuesMerge`: what counts where the file and the inline values both say something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ValuesWin {
    /// The inline values.
    Inline,
    /// The file.
    File,
    /// The inline values alone; the file is not read.
    Alone,
}

const FIELDS: [&str; 17] = [
    "name",
    "version",
    "repo",
    "releaseName",
    "namespace",
    "additionalValuesFiles",
    "valuesFile",
    "valuesInline",
    "valuesMerge",
    "includeCRDs",
    "skipHooks",
    "apiVersions",
    "kubeVersion",
    "nameTemplate",
    "skipTests",
    "debug",
    "devel",
];

/// The old form, `helmChartInflationGenerator`, and what its fields became. The others are no longer heeded.
const OLD_FIELDS: [&str; 13] = [
    "chartName",
    "chartVersion",
    "chartRepoUrl",
    "chartHome",
    "chartRepoName",
    "helmBin",
    "helmHome",
    "values",
    "valuesLocal",
    "valuesMerge",
    "releaseName",
    "releaseNamespace",
    "extraArgs",
];

impl ChartEntry {
    /// The charts that a kustomization lists: the old form comes behind the new one, and its last home counts for all.
    pub(super) fn all(fields: &Fields<'_>) -> Result<Vec<Self>, Refusal> {
        let globals = fields.inner("helmGlobals")?;
        if let Some(globals) = &globals {
            globals.only(&["chartHome", "configHome"])?;
        }
        let mut home = globals.map_or(Ok(""), |globals| globals.text("chartHome"))?;
        let old = fields.items("helmChartInflationGenerator")?;
        for entry in old {
            let said = Fields::of(entry)?.text("chartHome")?;
            home = if said.is_empty() { home } else { said };
        }
        let mut found = Vec::new();
        for entry in fields.items("helmCharts")? {
            let fields = Fields::of(entry)?;
            fields.only(&FIELDS)?;
            found.push(Self::parse(&fields, home)?);
        }
        for entry in old {
            found.push(Self::parse_old(&Fields::of(entry)?, home)?);
        }
        Ok(found)
    }

    /// A chart as a plugin of its own is configured: its home stands beside its name.
    pub(crate) fn of_plugin(fields: &Fields<'_>) -> Result<Self, Refusal> {
        Self::parse(fields, fields.text("chartHome")?)
    }

    fn parse(fields: &Fields<'_>, home: &str) -> Result<Self, Refusal> {
        if let Some((_, place)) = fields.placed("nameTemplate")? {
            return Err(Refusal::new(place, "`nameTemplate` is not understood; write `releaseName`"));
        }
        let texts = |name| -> Result<Vec<Placed>, Refusal> {
            Ok(fields.texts(name)?.into_iter().map(|(text, place)| (text.to_owned(), place)).collect())
        };
        let base = Base { name: "name", version: "version", repository: "repo", file: "valuesFile" };
        Ok(Self {
            namespace: fields.text("namespace")?.to_owned(),
            more_values_files: texts("additionalValuesFiles")?,
            api_versions: texts("apiVersions")?.into_iter().map(|(text, _)| text).collect(),
            kube_version: fields.text("kubeVersion")?.to_owned(),
            parts: ChartParts {
                includes_definitions: fields.truth("includeCRDs")?,
                skips_hooks: fields.truth("skipHooks")?,
                skips_tests: fields.truth("skipTests")?,
            },
            ..Self::base(fields, home, &base, "valuesInline")?
        })
    }

    fn parse_old(fields: &Fields<'_>, home: &str) -> Result<Self, Refusal> {
        fields.only(&OLD_FIELDS)?;
        let base =
            Base { name: "chartName", version: "chartVersion", repository: "chartRepoUrl", file: "values" };
        Self::base(fields, home, &base, "valuesLocal")
    }

    fn base(fields: &Fields<'_>, home: &str, names: &Base, inline: &str) -> Result<Self, Refusal> {
        let Some((name, place)) = fields.placed(names.name)? else {
            return Err(Refusal::new(fields.place(), "kustomize refuses a chart without a name"));
        };
        let has_repository = fields.placed(names.repository)?.is_some();
        let home = if home.is_empty() { "charts" } else { home };
        let version = fields.text(names.version)?;
        let is_versioned = has_repository && !version.is_empty();
        let values = fields.get(inline).filter(|node| !node.is_empty());
        Ok(Self {
            name: (name.to_owned(), place),
            home: if is_versioned { format!("{home}/{name}-{version}") } else { home.to_owned() },
            release: fields.text("releaseName")?.to_owned(),
            namespace: String::new(),
            values_file: fields.placed(names.file)?.map(|(path, place)| (path.to_owned(), place)),
            values: values.cloned(),
            values_win: values_win(fields)?,
            more_values_files: Vec::new(),
            api_versions: Vec::new(),
            kube_version: String::new(),
            parts: ChartParts::default(),
            has_repository,
        })
    }

    pub(crate) fn place(&self) -> Place {
        self.name.1
    }
}

/// The fields that have another name in the old form.
struct Base {
    name: &'static str,
    version: &'static str,
    repository: &'static str,
    file: &'static str,
}

fn values_win(fields: &Fields<'_>) -> Result<ValuesWin, Refusal> {
    match fields.placed("valuesMerge")? {
        None | Some(("override", _)) => Ok(ValuesWin::Inline),
        Some(("merge", _)) => Ok(ValuesWin::File),
        Some(("replace", _)) => Ok(ValuesWin::Alone),
        Some((_, place)) => Err(Refusal::new(
            place,
            "kustomize refuses any word but `override`, `merge` and `replace` under `valuesMerge`",
        )),
    }
}
