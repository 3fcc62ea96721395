//! One `kustomization.yaml`, field by field (`sigs.k8s.io/kustomize/api` v0.21.1, `types/kustomization.go`).

mod arguments;
mod chart;
mod selector;

pub(crate) use arguments::{
    FieldOptions, Generator, Image, LabelSet, Options, Patch, Replacement, ReplacementSource,
    ReplacementTarget, Replica, Variable,
};
pub(crate) use chart::{ChartEntry, ValuesWin};
pub(crate) use selector::{ResourceSelector, Selector};

use crate::fields::{Fields, Pairs};
use crate::refusal::Refusal;
use crate::sorting::Sorting;
use plimsoll_model::{Node, Place};

/// A path, a name or an inline text of a kustomization and where it stands.
pub(crate) type Placed = (String, Place);

/// What a kustomization says.
#[derive(Debug, Default)]
pub(crate) struct Kustomization {
    pub(crate) file_name: String,
    pub(crate) is_component: bool,
    pub(crate) place: Place,
    pub(crate) openapi: Pairs,
    pub(crate) name_prefix: Option<Placed>,
    pub(crate) name_suffix: Option<Placed>,
    pub(crate) namespace: Option<Placed>,
    pub(crate) common_labels: Pairs,
    pub(crate) labels: Vec<LabelSet>,
    pub(crate) common_annotations: Pairs,
    pub(crate) patches_strategic_merge: Vec<Placed>,
    pub(crate) patches_json: Vec<Patch>,
    pub(crate) patches: Vec<Patch>,
    pub(crate) images: Vec<Image>,
    /// Replacements, or the files that hold them.
    pub(crate) replacements: Vec<Result<Replacement, Placed>>,
    pub(crate) replicas: Vec<Replica>,
    pub(crate) variables: Vec<Variable>,
    pub(crate) sorting: Option<Sorting>,
    pub(crate) resources: Vec<Placed>,
    pub(crate) components: Vec<Placed>,
    pub(crate) crds: Vec<Placed>,
    pub(crate) config_maps: Vec<Generator>,
    pub(crate) secrets: Vec<Generator>,
    pub(crate) charts: Vec<ChartEntry>,
    pub(crate) generator_options: Option<Options>,
    pub(crate) configurations: Vec<Placed>,
    pub(crate) generators: Vec<Placed>,
    pub(crate) transformers: Vec<Placed>,
    pub(crate) validators: Vec<Placed>,
    pub(crate) build_metadata: Vec<Placed>,
}

const FIELDS: [&str; 34] = [
    "apiVersion",
    "kind",
    "metadata",
    "openapi",
    "namePrefix",
    "nameSuffix",
    "namespace",
    "commonLabels",
    "labels",
    "commonAnnotations",
    "patchesStrategicMerge",
    "patchesJson6902",
    "patches",
    "images",
    "imageTags",
    "replacements",
    "replicas",
    "vars",
    "sortOptions",
    "resources",
    "components",
    "crds",
    "bases",
    "configMapGenerator",
    "secretGenerator",
    "helmGlobals",
    "helmCharts",
    "helmChartInflationGenerator",
    "generatorOptions",
    "configurations",
    "generators",
    "transformers",
    "validators",
    "buildMetadata",
];

impl Kustomization {
    /// What a file says.
    pub(crate) fn parse(root: &Node) -> Result<Self, Refusal> {
        let fields = Fields::of(root)?;
        fields.only(&FIELDS)?;
        let is_component = kind(&fields)?;
        let is_empty = |(key, node): &(plimsoll_model::Key, Node)| {
            node.is_null() || matches!(&*key.text.to_ascii_lowercase(), "apiversion" | "kind")
        };
        if fields.entries().iter().all(is_empty) {
            return Err(Refusal::new(root.place, "kustomize refuses an empty kustomization"));
        }
        let mut kustomization = Self { is_component, place: root.place, ..Self::default() };
        kustomization.read_lists(&fields)?;
        kustomization.read_changes(&fields)?;
        Ok(kustomization)
    }

    fn read_lists(&mut self, fields: &Fields<'_>) -> Result<(), Refusal> {
        self.resources = placed(fields, "resources")?;
        // The old word; kustomize appends it.
        self.resources.extend(placed(fields, "bases")?);
        self.components = placed(fields, "components")?;
        self.crds = placed(fields, "crds")?;
        self.configurations = placed(fields, "configurations")?;
        self.generators = placed(fields, "generators")?;
        self.transformers = placed(fields, "transformers")?;
        self.validators = placed(fields, "validators")?;
        self.build_metadata = placed(fields, "buildMetadata")?;
        self.patches_strategic_merge = placed(fields, "patchesStrategicMerge")?;
        self.config_maps = list(fields, "configMapGenerator", |node| Generator::parse(node, false))?;
        self.secrets = list(fields, "secretGenerator", |node| Generator::parse(node, true))?;
        self.generator_options = fields.get("generatorOptions").map(Options::parse).transpose()?;
        self.charts = ChartEntry::all(fields)?;
        self.sorting = fields.inner("sortOptions")?.map(|options| sorting(&options)).transpose()?;
        Ok(())
    }

    fn read_changes(&mut self, fields: &Fields<'_>) -> Result<(), Refusal> {
        let one = |name| Ok(fields.placed(name)?.map(|(text, place)| (text.to_owned(), place)));
        self.openapi = fields.pairs("openapi")?;
        self.name_prefix = one("namePrefix")?;
        self.name_suffix = one("nameSuffix")?;
        self.namespace = one("namespace")?;
        self.common_labels = fields.pairs("commonLabels")?;
        self.labels = list(fields, "labels", LabelSet::parse)?;
        self.common_annotations = fields.pairs("commonAnnotations")?;
        self.patches = list(fields, "patches", Patch::parse)?;
        self.patches_json = list(fields, "patchesJson6902", Patch::parse)?;
        self.images = list(fields, "images", Image::parse)?;
        self.images.extend(list(fields, "imageTags", Image::parse)?);
        self.replacements = list(fields, "replacements", Replacement::parse_or_path)?;
        self.replicas = list(fields, "replicas", Replica::parse)?;
        self.variables = list(fields, "vars", Variable::parse)?;
        Ok(())
    }
}

/// Whether it is a component. Each kind has one version.
fn kind(fields: &Fields<'_>) -> Result<bool, Refusal> {
    let place = |name| fields.get(name).map_or(fields.place(), |node| node.place);
    let is_component = match fields.text("kind")? {
        "" | "Kustomization" => false,
        "Component" => true,
        _ => {
            return Err(Refusal::new(
                place("kind"),
                "kustomize refuses any kind but Kustomization and Component",
            ));
        }
    };
    let version =
        if is_component { "kustomize.config.k8s.io/v1alpha1" } else { "kustomize.config.k8s.io/v1beta1" };
    let found = fields.text("apiVersion")?;
    if !found.is_empty() && found != version {
        let cause = format!("kustomize refuses this apiVersion; write {version}");
        return Err(Refusal::new(place("apiVersion"), cause));
    }
    Ok(is_component)
}

fn placed(fields: &Fields<'_>, name: &str) -> Result<Vec<Placed>, Refusal> {
    Ok(fields.texts(name)?.into_iter().map(|(text, place)| (text.to_owned(), place)).collect())
}

fn list<T>(
    fields: &Fields<'_>,
    name: &str,
    parse: impl Fn(&Node) -> Result<T, Refusal>,
) -> Result<Vec<T>, Refusal> {
    fields.items(name)?.iter().map(parse).collect()
}

fn sorting(options: &Fields<'_>) -> Result<Sorting, Refusal> {
    options.only(&["order", "legacySortOptions"])?;
    let kinds = options.inner("legacySortOptions")?;
    match (options.text("order")?, kinds) {
        ("fifo", None) => Ok(Sorting::Listed),
        ("legacy", None) => Ok(Sorting::default()),
        ("legacy", Some(kinds)) => {
            kinds.only(&["orderFirst", "orderLast"])?;
            let list = |name| {
                Ok(kinds.texts(name)?.into_iter().map(|(text, _)| text.to_owned()).collect::<Vec<_>>())
            };
            Ok(Sorting::ByKind { first: list("orderFirst")?, last: list("orderLast")? })
        }
        ("fifo", Some(kinds)) => {
            Err(Refusal::new(kinds.place(), "kustomize refuses legacySortOptions with the order `fifo`"))
        }
        _ => Err(Refusal::new(options.place(), "kustomize refuses any order but `fifo` and `legacy`")),
    }
}
