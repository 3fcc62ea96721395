//! Kustomizations: what `plimsoll-kustomize` builds becomes objects of the bundle.

mod roots;
mod shelf;

pub(crate) use roots::{Roots, roots};

use crate::chart::each_place;
use crate::claim::KUSTOMIZATION_NAMES;
use crate::host::EntryKind;
use crate::installed;
use crate::reading::Reading;
use crate::search::join;
use plimsoll_kustomize::{Refusal, Settings, Sorting};
use plimsoll_model::{Arranged, Object, Otherwise};
use shelf::Shelf;

/// Objects as kustomize prints them, and what put them into that order.
#[derive(Debug, Clone)]
pub(crate) struct Built {
    pub(crate) objects: Vec<Object>,
    pub(crate) arranged: Arranged,
    /// Whether charts took part, which kubectl alone refuses.
    pub(crate) has_charts: bool,
    /// What they are where the cluster offers more than is known.
    pub(crate) otherwise: Option<Otherwise>,
}

impl Built {
    pub(crate) fn new(objects: Vec<Object>, arranged: Arranged) -> Self {
        Self { objects, arranged, has_charts: false, otherwise: None }
    }
}

/// How a tool is told to build.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct BuildFlags {
    /// The flag `--reorder` of `kustomize build`; the file's own word counts more.
    pub(crate) reorder: Option<Reorder>,
    /// Whether files outside the folder of a kustomization may be read.
    pub(crate) is_unrestricted: bool,
    /// Whether charts become objects: `--enable-helm`.
    pub(crate) allows_charts: bool,
}

/// The flag `--reorder` of `kustomize build`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reorder {
    Legacy,
    None,
}

/// What the kustomization in a folder gives. What is not fetched becomes a problem.
pub(crate) fn build(
    reading: &mut Reading<'_>,
    folder: &str,
    flags: BuildFlags,
    namespace: &str,
) -> Result<Built, Refusal> {
    if reading.renderers.kustomize {
        let built = installed::build(reading, folder, flags, namespace);
        return built.map_err(|(place, cause)| Refusal::new(place, cause));
    }
    let sorting = flags.reorder.map(|reorder| match reorder {
        Reorder::Legacy => Sorting::default(),
        Reorder::None => Sorting::Listed,
    });
    let settings =
        Settings { sorting, is_unrestricted: flags.is_unrestricted, allows_charts: flags.allows_charts };
    let mut shelf = Shelf::new(reading);
    let located = |refusal: Refusal, shelf: &mut Shelf<'_, '_>| {
        let place = shelf.origin(refusal.place);
        Refusal { place, ..refusal }
    };
    let mut built = plimsoll_kustomize::build(&mut shelf, folder, &settings)
        .map_err(|refusal| located(refusal, &mut shelf))?;
    for object in &mut built.objects {
        each_place(object, &mut |place| *place = shelf.origin(*place));
    }
    let (has_charts, premises) = (shelf.has_charts(), shelf.premises());
    let problems: Vec<Refusal> =
        built.problems.into_iter().map(|problem| located(problem, &mut shelf)).collect();
    for problem in problems {
        reading.problem(problem.place, problem.cause, true);
    }
    let arranged = if built.is_as_listed { Arranged::AsListed } else { Arranged::ByKind };
    let objects = reading.with_outlines(
        |reading| reading.objects_built(built.objects, namespace),
        |place| premises.get(&place).cloned(),
    );
    Ok(Built { has_charts, ..Built::new(objects, arranged) })
}

/// Whether a folder is a kustomization.
pub(crate) fn is_one(reading: &Reading<'_>, folder: &str) -> bool {
    let host = reading.host();
    KUSTOMIZATION_NAMES.iter().any(|name| host.look(&join(folder, name)) == Ok(EntryKind::File))
}

/// The place and the cause in one sentence, for a step of a script.
pub(crate) fn sentence(refusal: &Refusal, reading: &Reading<'_>, folder: &str) -> String {
    let path = reading.bundle.files.path(refusal.place);
    let place =
        if refusal.place.line == 0 { path.to_owned() } else { format!("{path}:{}", refusal.place.line) };
    format!("the kustomization `{folder}` is not read: {} ({place})", refusal.cause)
}
