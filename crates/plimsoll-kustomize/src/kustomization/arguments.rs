//! What the longer fields of a kustomization hold: patches, images, replicas, labels, generators, replacements, vars.

use super::{Placed, ResourceSelector, Selector};
use crate::config::field_spec;
use crate::field_spec::FieldSpec;
use crate::fields::{Fields, Pairs};
use crate::refusal::Refusal;
use crate::resource::Behavior;
use plimsoll_model::{Node, Place};

/// An entry of `labels`.
#[derive(Debug)]
pub(crate) struct LabelSet {
    pub(crate) pairs: Pairs,
    pub(crate) includes_selectors: bool,
    pub(crate) includes_templates: bool,
    pub(crate) fields: Vec<FieldSpec>,
    pub(crate) place: Place,
}

impl LabelSet {
    pub(super) fn parse(node: &Node) -> Result<Self, Refusal> {
        let fields = Fields::of(node)?;
        fields.only(&["pairs", "includeSelectors", "includeTemplates", "fields"])?;
        Ok(Self {
            pairs: fields.pairs("pairs")?,
            includes_selectors: fields.truth("includeSelectors")?,
            includes_templates: fields.truth("includeTemplates")?,
            fields: fields.items("fields")?.iter().map(field_spec).collect::<Result<_, _>>()?,
            place: node.place,
        })
    }
}

/// An entry of `patches` or `patchesJson6902`.
#[derive(Debug)]
pub(crate) struct Patch {
    pub(crate) path: Option<Placed>,
    pub(crate) text: Option<Placed>,
    pub(crate) target: Option<Selector>,
    pub(crate) allows_name_change: bool,
    pub(crate) allows_kind_change: bool,
    pub(crate) place: Place,
}

impl Patch {
    pub(crate) fn parse(node: &Node) -> Result<Self, Refusal> {
        let fields = Fields::of(node)?;
        fields.only(&["path", "patch", "target", "options"])?;
        Self::of(&fields, "patch")
    }

    /// The same, where the text of the patch has another name.
    pub(crate) fn of(fields: &Fields<'_>, text: &str) -> Result<Self, Refusal> {
        let placed = |name| Ok(fields.placed(name)?.map(|(text, place)| (text.to_owned(), place)));
        let options = fields.inner("options")?;
        if let Some(options) = &options {
            options.only(&["allowNameChange", "allowKindChange"])?;
        }
        let allows = |name| options.as_ref().map_or(Ok(false), |options| options.truth(name));
        Ok(Self {
            path: placed("path")?,
            text: placed(text)?,
            target: fields.get("target").map(Selector::parse).transpose()?,
            allows_name_change: allows("allowNameChange")?,
            allows_kind_change: allows("allowKindChange")?,
            place: fields.place(),
        })
    }
}

/// An entry of `images`.
#[derive(Debug, Default)]
pub(crate) struct Image {
    pub(crate) name: Box<str>,
    pub(crate) new_name: Box<str>,
    pub(crate) tag_suffix: Box<str>,
    pub(crate) new_tag: Box<str>,
    pub(crate) digest: Box<str>,
    pub(crate) place: Place,
}

impl Image {
    pub(crate) fn parse(node: &Node) -> Result<Self, Refusal> {
        let fields = Fields::of(node)?;
        fields.only(&["name", "newName", "tagSuffix", "newTag", "digest"])?;
        let text = |name| Ok(Box::<str>::from(fields.text(name)?));
        Ok(Self {
            name: text("name")?,
            new_name: text("newName")?,
            tag_suffix: text("tagSuffix")?,
            new_tag: text("newTag")?,
            digest: text("digest")?,
            place: node.place,
        })
    }
}

/// An entry of `replicas`.
#[derive(Debug)]
pub(crate) struct Replica {
    pub(crate) name: Box<str>,
    pub(crate) count: i64,
    pub(crate) place: Place,
}

impl Replica {
    pub(crate) fn parse(node: &Node) -> Result<Self, Refusal> {
        let fields = Fields::of(node)?;
        fields.only(&["name", "count"])?;
        let place = fields.get("count").unwrap_or(node).place;
        Ok(Self { name: fields.text("name")?.into(), count: fields.number("count")?, place })
    }
}

/// `generatorOptions`, or the `options` of one generator.
#[derive(Debug, Clone, Default)]
pub(crate) struct Options {
    pub(crate) labels: Pairs,
    pub(crate) annotations: Pairs,
    pub(crate) disables_hash: bool,
    pub(crate) is_immutable: bool,
}

impl Options {
    pub(super) fn parse(node: &Node) -> Result<Self, Refusal> {
        let fields = Fields::of(node)?;
        fields.only(&["labels", "annotations", "disableNameSuffixHash", "immutable"])?;
        Ok(Self {
            labels: fields.pairs("labels")?,
            annotations: fields.pairs("annotations")?,
            disables_hash: fields.truth("disableNameSuffixHash")?,
            is_immutable: fields.truth("immutable")?,
        })
    }

    /// These options, and what all generators share where they say nothing.
    pub(crate) fn with(&self, global: Option<&Options>) -> Options {
        let Some(global) = global else { return self.clone() };
        let join = |own: &Pairs, global: &Pairs| global.clone().into_iter().chain(own.clone()).collect();
        Options {
            labels: join(&self.labels, &global.labels),
            annotations: join(&self.annotations, &global.annotations),
            disables_hash: self.disables_hash || global.disables_hash,
            is_immutable: self.is_immutable || global.is_immutable,
        }
    }
}

/// An entry of `configMapGenerator` or `secretGenerator`.
#[derive(Debug, Default)]
pub(crate) struct Generator {
    pub(crate) name: Box<str>,
    pub(crate) namespace: Box<str>,
    pub(crate) behavior: Behavior,
    pub(crate) literals: Vec<Placed>,
    pub(crate) files: Vec<Placed>,
    pub(crate) environments: Vec<Placed>,
    pub(crate) options: Options,
    /// The type of a Secret.
    pub(crate) secret_type: Option<Box<str>>,
    pub(crate) is_secret: bool,
    pub(crate) place: Place,
}

impl Generator {
    pub(super) fn parse(node: &Node, is_secret: bool) -> Result<Self, Refusal> {
        let fields = Fields::of(node)?;
        let known = ["namespace", "name", "behavior", "literals", "files", "envs", "env", "options", "type"];
        fields.only(known.get(..if is_secret { 9 } else { 8 }).unwrap_or_default())?;
        Self::of(&fields, is_secret)
    }

    pub(crate) fn of(fields: &Fields<'_>, is_secret: bool) -> Result<Self, Refusal> {
        let placed = |name| -> Result<Vec<Placed>, Refusal> {
            Ok(fields.texts(name)?.into_iter().map(|(text, place)| (text.to_owned(), place)).collect())
        };
        let mut environments = placed("envs")?;
        environments.extend(fields.placed("env")?.map(|(text, place)| (text.to_owned(), place)));
        let secret_type = fields.text("type")?;
        Ok(Self {
            name: fields.text("name")?.into(),
            namespace: fields.text("namespace")?.into(),
            behavior: behavior(fields.text("behavior")?),
            literals: placed("literals")?,
            files: placed("files")?,
            environments,
            options: fields.get("options").map(Options::parse).transpose()?.unwrap_or_default(),
            secret_type: (!secret_type.is_empty()).then(|| secret_type.into()),
            is_secret,
            place: fields.place(),
        })
    }
}

/// Any other word means that the object must be new.
fn behavior(word: &str) -> Behavior {
    match word {
        "replace" => Behavior::Replace,
        "merge" => Behavior::Merge,
        _ => Behavior::Create,
    }
}

/// One replacement.
#[derive(Debug)]
pub(crate) struct Replacement {
    pub(crate) source: Option<ReplacementSource>,
    pub(crate) source_value: Option<Placed>,
    pub(crate) targets: Vec<ReplacementTarget>,
    pub(crate) place: Place,
}

/// Where the value of a replacement comes from.
#[derive(Debug)]
pub(crate) struct ReplacementSource {
    pub(crate) selector: ResourceSelector,
    pub(crate) path: Box<str>,
    pub(crate) options: FieldOptions,
}

/// Where the value of a replacement goes.
#[derive(Debug)]
pub(crate) struct ReplacementTarget {
    pub(crate) select: Option<Selector>,
    pub(crate) reject: Vec<Selector>,
    pub(crate) paths: Vec<Placed>,
    pub(crate) options: FieldOptions,
    pub(crate) place: Place,
}

/// Which part of a field is meant.
#[derive(Debug, Default)]
pub(crate) struct FieldOptions {
    pub(crate) delimiter: Box<str>,
    pub(crate) index: i64,
    pub(crate) creates: bool,
}

impl Replacement {
    /// A replacement, or the path of the file that holds it.
    pub(crate) fn parse_or_path(node: &Node) -> Result<Result<Self, Placed>, Refusal> {
        let fields = Fields::of(node)?;
        fields.only(&["path", "source", "targets", "sourceValue"])?;
        let Some((path, place)) = fields.placed("path")? else { return Ok(Ok(Self::of(&fields)?)) };
        if fields.get("source").is_some() || !fields.items("targets")?.is_empty() {
            return Err(Refusal::new(
                place,
                "kustomize refuses a replacement with a path and a source or targets",
            ));
        }
        Ok(Err((path.to_owned(), place)))
    }

    /// One replacement as a file holds it.
    pub(crate) fn parse(node: &Node) -> Result<Self, Refusal> {
        Self::of(&Fields::of(node)?)
    }

    fn of(fields: &Fields<'_>) -> Result<Self, Refusal> {
        let source_value = fields.get("sourceValue").map(|node| node.place);
        let text = fields.text("sourceValue")?.to_owned();
        let targets = fields.items("targets")?.iter().map(ReplacementTarget::parse);
        Ok(Self {
            source: fields.inner("source")?.map(|source| ReplacementSource::parse(&source)).transpose()?,
            source_value: source_value.map(|place| (text, place)),
            targets: targets.collect::<Result<_, _>>()?,
            place: fields.place(),
        })
    }
}

impl ReplacementSource {
    fn parse(fields: &Fields<'_>) -> Result<Self, Refusal> {
        Ok(Self {
            selector: ResourceSelector::parse(fields)?,
            path: fields.text("fieldPath")?.into(),
            options: FieldOptions::parse(fields)?,
        })
    }
}

impl ReplacementTarget {
    fn parse(node: &Node) -> Result<Self, Refusal> {
        let fields = Fields::of(node)?;
        let paths = fields.texts("fieldPaths")?.into_iter().map(|(text, place)| (text.to_owned(), place));
        Ok(Self {
            select: fields.get("select").map(Selector::parse).transpose()?,
            reject: fields.items("reject")?.iter().map(Selector::parse).collect::<Result<_, _>>()?,
            paths: paths.collect(),
            options: FieldOptions::parse(&fields)?,
            place: node.place,
        })
    }
}

impl FieldOptions {
    fn parse(fields: &Fields<'_>) -> Result<Self, Refusal> {
        let Some(options) = fields.inner("options")? else { return Ok(Self::default()) };
        Ok(Self {
            delimiter: options.text("delimiter")?.into(),
            index: options.number("index")?,
            creates: options.truth("create")?,
        })
    }
}

/// An entry of `vars`.
#[derive(Debug, Clone)]
pub(crate) struct Variable {
    pub(crate) name: Box<str>,
    pub(crate) object: ResourceSelector,
    pub(crate) path: Box<str>,
    pub(crate) place: Place,
}

impl Variable {
    pub(super) fn parse(node: &Node) -> Result<Self, Refusal> {
        let fields = Fields::of(node)?;
        fields.only(&["name", "objref", "fieldref"])?;
        let mut object = ResourceSelector::default();
        if let Some(reference) = fields.inner("objref")? {
            reference.only(&["apiVersion", "group", "version", "kind", "name", "namespace"])?;
            object = ResourceSelector::parse(&reference)?;
            match reference.text("apiVersion")?.split('/').collect::<Vec<_>>().as_slice() {
                [""] => {}
                [version] => object.gvk.version = (*version).into(),
                [group, version] => {
                    (object.gvk.group, object.gvk.version) = ((*group).into(), (*version).into());
                }
                _ => {}
            }
        }
        let path = fields.inner("fieldref")?.map_or(Ok(""), |field| {
            field.only(&["fieldPath"])?;
            field.text("fieldPath")
        })?;
        let path = if path.is_empty() { "metadata.name" } else { path };
        Ok(Self { name: fields.text("name")?.into(), object, path: path.into(), place: node.place })
    }
}
