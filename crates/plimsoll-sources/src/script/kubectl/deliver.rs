//! `kubectl apply`, `create` and `replace`: which objects they send.

use super::super::expand::Field;
use super::super::flags::Flags;
use super::super::kustomize;
use super::super::paths;
use super::super::programs::opaque;
use super::super::reader::Reader;
use super::super::simple::Call;
use super::super::state::{Flow, State};
use super::super::supply::Supply;
use super::super::syntax::Position;
use super::{create, gates, namespace_of, then_opaque};
use crate::chart::{self, Again};
use crate::kustomization::{BuildFlags, Built};
use crate::reading::Reading;
use crate::search::{Habit, Search};
use plimsoll_model::{Action, Arranged, Delivery, Node, Object, Place, Selector, Tool, Unit, Value};

pub(super) fn run(
    reader: &mut Reader<'_, '_>,
    call: &Call<'_>,
    flags: &Flags,
    verb: &str,
    state: State,
) -> Flow {
    if flags.is_dry() {
        return Flow::either(state);
    }
    let names = file_names(flags);
    if names.is_empty() && flags.value("kustomize").is_none() {
        let made = create::object(reader, flags, call.at, &state).filter(|_| verb == "create");
        return if let Some(object) = made {
            let arranged = Arranged::AsWritten;
            deliver(reader, call, flags, Built::new(vec![object], arranged), state)
        } else {
            let there = gates::copied_from(reader, call, flags, state);
            then_opaque(reader, call, there, &format!("what this `kubectl {verb}` sends is not known"))
        };
    }
    reader.reading.asked.clear();
    match built(reader, call, flags, &names, &state) {
        Ok(mut once) => {
            once.otherwise = Again::begin(reader.reading).and_then(|again| {
                let other = built(reader, call, flags, &names, &state).ok().map(|built| built.objects);
                again.end(other, &once.objects, reader.reading)
            });
            deliver(reader, call, flags, once, state)
        }
        Err(why) => opaque(reader, call, state, &why),
    }
}

/// The objects that `kubectl create … --dry-run=client -o yaml` or `kubectl apply --dry-run -o yaml` prints.
pub(in super::super) fn printed_objects(
    reader: &mut Reader<'_, '_>,
    arguments: &[Field],
    at: Position,
    state: &State,
) -> Option<Supply> {
    let flags = Flags::of(arguments);
    match flags.words.first()?.text.as_str() {
        "create" if flags.is_dry() => {
            create::object(reader, &flags, at, state).map(|object| Supply::Objects(vec![object]))
        }
        "kustomize" => kustomize::printed(behind(arguments, "kustomize"), state),
        _ => None,
    }
}

/// The arguments behind a word.
fn behind<'a>(arguments: &'a [Field], word: &str) -> &'a [Field] {
    let at = arguments.iter().position(|field| field.text == word);
    at.and_then(|at| arguments.get(at + 1..)).unwrap_or_default()
}

fn deliver(reader: &mut Reader<'_, '_>, call: &Call<'_>, flags: &Flags, built: Built, state: State) -> Flow {
    let Built { mut objects, arranged, mut otherwise, .. } = built;
    retain_selected(flags, &mut objects);
    if let Some(otherwise) = &mut otherwise {
        retain_selected(flags, &mut otherwise.objects);
    }
    if let Some(text) = refused_pruning(flags) {
        reader.problem(call.at, true, format!("kubectl refuses this command, and sends nothing: {text}"));
        objects.clear();
    }
    let verb = flags.words.first().map_or("apply", |field| field.text.as_str());
    check_namespaces(reader, call, flags, &objects);
    let delivery = Delivery {
        flags: flags.that_matter(),
        source: source(flags),
        arranged,
        is_repeated: reader.is_polling,
        ..Delivery::by(Tool::Kubectl, verb)
    };
    let step =
        reader.emit(Action::Deliver(Unit { delivery, objects, otherwise }), call.at, call.says, &state);
    Reader::outcomes(step, state)
}

/// With `-l` only what it matches is sent, also out of files (`k8s.io/cli-runtime` v0.36.4 `pkg/resource/builder.go`,
/// `visitByPaths`). A selector that is not known may match all.
pub(super) fn retain_selected(flags: &Flags, objects: &mut Vec<Object>) {
    let Some(field) = flags.value("selector").filter(|field| field.unknown.is_none()) else { return };
    let Some(selector) = Selector::parse(&field.text) else { return };
    objects.retain(|object| selector.matches(object.root.at(&["metadata", "labels"])));
}

/// What kubectl says to flags that do not go with `--prune` (kubectl v0.36.4 `pkg/cmd/apply/apply.go`, `Validate`).
fn refused_pruning(flags: &Flags) -> Option<&'static str> {
    let has = |flag: &str| flags.has(flag);
    if !has("prune") {
        return None;
    }
    if has("force") {
        return Some("--force cannot be used with --prune");
    }
    if has("applyset") {
        let refused = [
            ("all", "--all is incompatible with --applyset"),
            ("selector", "--selector is incompatible with --applyset"),
            ("prune-allowlist", "--prune-allowlist is incompatible with --applyset"),
        ];
        return refused.into_iter().find(|(flag, _)| has(flag)).map(|(_, text)| text);
    }
    if !has("all") && !has("selector") {
        return Some("all resources selected for prune without explicitly passing --all");
    }
    has("server-side")
        .then_some("--prune is in alpha and doesn't currently work on objects created by server-side apply")
}

/// What kubectl names in its messages where it is not the file of the object.
fn source(flags: &Flags) -> Option<String> {
    let is_piped = || flags.values("filename").all(|name| name.text == "-");
    let piped = || (flags.value("filename").is_some() && is_piped()).then(|| "STDIN".to_owned());
    flags.text("kustomize").map(str::to_owned).or_else(piped)
}

/// kubectl refuses an object whose own namespace is not the one that was asked for
/// (`k8s.io/cli-runtime` v0.36.4 `pkg/resource/visitor.go`, `RequireNamespace`).
fn check_namespaces(reader: &mut Reader<'_, '_>, call: &Call<'_>, flags: &Flags, objects: &[Object]) {
    let Some(asked) = flags.text("namespace") else { return };
    for object in objects {
        let Some(own) = object.text_at(&["metadata", "namespace"]) else { continue };
        if object.id.namespace() == Some(own) && own != asked {
            let cause = format!(
                "kubectl refuses {}: the namespace from the provided object \"{own}\" does not match the namespace \
                 \"{asked}\". You must pass '--namespace={own}' to perform this operation.",
                object.id
            );
            reader.problem(call.at, false, cause);
        }
    }
}

/// The values of `-f`, with comma lists taken apart.
pub(super) fn file_names(flags: &Flags) -> Vec<Field> {
    let split = |field: &Field| -> Vec<Field> {
        let unknown = field.unknown.clone();
        field.text.split(',').map(|text| Field { text: text.to_owned(), unknown: unknown.clone() }).collect()
    };
    flags.values("filename").flat_map(split).collect()
}

/// The objects behind `-f` or `-k`, or why they cannot be known.
pub(super) fn built(
    reader: &mut Reader<'_, '_>,
    call: &Call<'_>,
    flags: &Flags,
    names: &[Field],
    state: &State,
) -> Result<Built, String> {
    let namespace = namespace_of(flags, state).unwrap_or_else(|| reader.namespace.to_owned());
    if let Some(folder) = flags.value("kustomize") {
        return kustomize::build(
            reader,
            &kustomize::folder_of(folder, state)?,
            BuildFlags::default(),
            &namespace,
        );
    }
    let search = Search {
        is_recursive: flags.has("recursive"),
        habit: Habit::Kubectl,
        exclude: Vec::new(),
        namespace,
    };
    let place = reader.place(call.at);
    let meant = names.iter().map(|name| Named::of(name, &search.namespace, place, reader.reading));
    let meant: Vec<Named<'_>> = meant.collect();
    let unknown: Vec<&str> = meant.iter().filter_map(Named::unknown).collect();
    if unknown.len() == meant.len() {
        return Err(not_fetched(&unknown));
    }
    let mut all = Built::new(Vec::new(), Arranged::AsWritten);
    for one in meant {
        match one {
            Named::Known(objects) => all.objects.extend(objects),
            Named::Unknown(address) => {
                reader.reading.count_opaque();
                reader.problem(call.at, false, not_fetched(&[address]));
            }
            Named::Input => {
                let found = supplied(reader, call, &search)?;
                all.arranged = found.arranged;
                all.objects.extend(found.objects);
            }
            Named::Path(name) => {
                let path = path_of(name, state)?;
                all.objects.extend(at_path(reader, call, &path, &search));
            }
        }
    }
    Ok(all)
}

/// What one value of `-f` names.
enum Named<'a> {
    /// An address of which it is known what it brings.
    Known(Vec<Object>),
    /// An address of which nothing is known.
    Unknown(&'a str),
    /// Standard input.
    Input,
    /// A file or folder.
    Path(&'a Field),
}

impl<'a> Named<'a> {
    fn of(name: &'a Field, namespace: &str, place: Place, reading: &mut Reading<'_>) -> Self {
        let text = name.text.as_str();
        if text.starts_with("https://") || text.starts_with("http://") {
            let known = chart::fetched(text, namespace, place, reading);
            known.map_or(Self::Unknown(text), Self::Known)
        } else if text == "-" {
            Self::Input
        } else {
            Self::Path(name)
        }
    }

    const fn unknown(&self) -> Option<&'a str> {
        match self {
            Self::Unknown(address) => Some(address),
            _ => None,
        }
    }
}

/// Says that addresses are not looked up, and what helps.
fn not_fetched(addresses: &[&str]) -> String {
    let paths = if addresses.len() > 1 { "their paths" } else { "its path" };
    format!("nothing is fetched from the network; download `{}` and name {paths}", addresses.join("`, `"))
}

fn path_of(name: &Field, state: &State) -> Result<String, String> {
    if let Some(unknown) = &name.unknown {
        return Err(format!("`{}` holds `{unknown}`, which is not known", name.text));
    }
    paths::resolve(state.folder.as_deref(), &name.text)
        .ok_or_else(|| format!("`{}` is in a folder that is not known", name.text))
}

fn at_path(reader: &mut Reader<'_, '_>, call: &Call<'_>, path: &str, search: &Search) -> Vec<Object> {
    let path = if path.is_empty() { "." } else { path };
    if reader.shelf.is_missing(path) {
        reader.problem(
            call.at,
            true,
            format!("there is no file or folder `{path}`; check the path and the folder the script runs in"),
        );
        return Vec::new();
    }
    reader.reading.objects_at(&[path.to_owned()], search)
}

fn supplied(reader: &mut Reader<'_, '_>, call: &Call<'_>, search: &Search) -> Result<Built, String> {
    let as_written = |objects| Ok(Built::new(objects, Arranged::AsWritten));
    match call.supply {
        Supply::Nothing => Err("standard input is not known".to_owned()),
        Supply::Opaque(why) => Err(why.clone()),
        Supply::Objects(objects) => as_written(objects.clone()),
        Supply::Address(address) => {
            let place = reader.place(call.at);
            let known = chart::fetched(address, &search.namespace, place, reader.reading);
            known
                .map(|objects| Built::new(objects, Arranged::AsWritten))
                .ok_or_else(|| not_fetched(&[address]))
        }
        Supply::Chart(printing) => {
            let printed = printing.objects(reader, &search.namespace);
            printed.map(|objects| Built::new(objects, Arranged::AsWritten))
        }
        Supply::Kustomization { folder, flags } => {
            kustomize::build(reader, folder, *flags, &search.namespace)
        }
        Supply::Text { text, unknown, place } => {
            if let Some(unknown) = unknown {
                let cause = format!("`{unknown}` is not known; the text is read as it stands");
                reader.problem(call.at, false, cause);
            }
            let objects = reader.reading.objects_in(text, *place, &search.namespace);
            for value in objects.iter().flat_map(|object| concealed(&object.root)) {
                reader.keep_secret(Some(value));
            }
            as_written(objects)
        }
        Supply::Files { paths, changed_by } => {
            if let Some(program) = changed_by {
                let cause = format!(
                    "{program} changes {} on the way; the file is read as it stands",
                    paths.join(", ")
                );
                reader.problem(call.at, false, cause);
            }
            as_written(paths.iter().flat_map(|path| at_path(reader, call, path, search)).collect())
        }
    }
}

/// Every concealed value of an object; the script may hold it in another place.
fn concealed(root: &Node) -> Vec<&str> {
    let mut found = Vec::new();
    let mut waiting = vec![root];
    while let Some(node) = waiting.pop() {
        match &node.value {
            Value::Concealed(value) => found.push(value.reveal()),
            Value::List(items) => waiting.extend(items),
            Value::Map(entries) => waiting.extend(entries.iter().map(|(_, value)| value)),
            _ => {}
        }
    }
    found
}
