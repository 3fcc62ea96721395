//! Charts and kustomizations as an installed program renders them, where the user asks for that.
//!
//! The objects stand in the program's output: it does not say where they come from.

use crate::chart::{Ordered, Unread};
use crate::draft::Drafts;
use crate::host::Refusal;
use crate::input::{Offered, Values};
use crate::kustomization::{BuildFlags, Built, Reorder};
use crate::reading::{Reading, cause_of};
use plimsoll_model::{Arranged, Delivery, Object, Place, Tool, Unit};
use plimsoll_yaml::{parse_piece, pieces};

/// What `helm template` makes of a chart.
pub(crate) fn release(ordered: &Ordered<'_>, name: &str, reading: &mut Reading<'_>) -> Result<Unit, Unread> {
    let arguments = template(ordered, name, &reading.offered);
    let text = run("helm", &arguments, ordered.path, reading)?;
    let output = format!("{}, as Helm renders it", ordered.path);
    let (definitions, mut objects) = printed(&output, &text, ordered.namespace, reading);
    let arranged = Arranged::AsChart { definitions: definitions.len() };
    objects.splice(..0, definitions);
    let delivery = Delivery {
        tool: Tool::Helm,
        source: Some(ordered.path.to_owned()),
        arranged,
        namespace: Some(ordered.namespace.to_owned()),
        release: Some(name.to_owned()),
        ..ordered.delivery.clone()
    };
    Ok(Unit { delivery, objects, otherwise: None })
}

/// What `kustomize build` makes of a folder.
pub(crate) fn build(
    reading: &mut Reading<'_>,
    folder: &str,
    flags: BuildFlags,
    namespace: &str,
) -> Result<Built, Unread> {
    let mut arguments = vec!["build".to_owned(), folder.to_owned()];
    if flags.is_unrestricted {
        arguments.push("--load-restrictor=LoadRestrictionsNone".to_owned());
    }
    if flags.allows_charts {
        arguments.push("--enable-helm".to_owned());
    }
    match flags.reorder {
        Some(Reorder::Legacy) => arguments.push("--reorder=legacy".to_owned()),
        Some(Reorder::None) => arguments.push("--reorder=none".to_owned()),
        None => {}
    }
    let text = run("kustomize", &arguments, folder, reading)?;
    let (_, objects) = printed(&format!("{folder}, as kustomize builds it"), &text, namespace, reading);
    Ok(Built::new(objects, Arranged::AsListed))
}

fn template(ordered: &Ordered<'_>, name: &str, offered: &Offered) -> Vec<String> {
    let words = ["template", name, ordered.path, "--include-crds", "--namespace", ordered.namespace];
    let mut arguments: Vec<String> = words.map(str::to_owned).into();
    arguments.extend(["--kube-version".to_owned(), offered.kube_version.clone()]);
    for api in &offered.api_versions {
        arguments.extend(["--api-versions".to_owned(), api.clone()]);
    }
    for values in &ordered.chart.values {
        let (flag, value) = match values {
            Values::File(path) => ("--values", path),
            Values::Set(words) => ("--set", words),
            Values::SetString(words) => ("--set-string", words),
            Values::SetJson(words) => ("--set-json", words),
            Values::SetFile(words) => ("--set-file", words),
        };
        arguments.extend([flag.to_owned(), value.clone()]);
    }
    arguments
}

fn run(program: &str, arguments: &[String], path: &str, reading: &mut Reading<'_>) -> Result<String, Unread> {
    let output = reading.host().run(program, arguments).map_err(|refusal| match refusal {
        Refusal::Missing => {
            format!("{program} is not installed; install it, or leave out --renderer={program}")
        }
        Refusal::Failed(words) => format!("{program} says: {words}"),
        other @ Refusal::TooLarge => format!("{program}: {}", cause_of(&other)),
    });
    output.map_err(|cause| (reading.place_of(path), cause))
}

/// The definitions of `crds/`, and all other objects, in the order in which they are printed.
fn printed(
    output: &str,
    text: &str,
    namespace: &str,
    reading: &mut Reading<'_>,
) -> (Vec<Object>, Vec<Object>) {
    let file = reading.keep(output, text.into());
    let start = Place { file, line: 1, column: 1 };
    let (definitions, rest): (Vec<_>, Vec<_>) =
        pieces(text, start).into_iter().partition(|piece| is_definition(piece.text));
    let mut objects = |pieces: Vec<_>| {
        let read = pieces.iter().map(|piece| (file, Drafts::of(parse_piece(piece)))).collect();
        reading.objects_from(read, namespace)
    };
    (objects(definitions), objects(rest))
}

/// Helm says above each document which file of the chart it comes from.
fn is_definition(text: &str) -> bool {
    let source = text.lines().find_map(|line| line.strip_prefix("# Source: "));
    source.is_some_and(|source| source.contains("/crds/") && !source.contains("/templates/"))
}
