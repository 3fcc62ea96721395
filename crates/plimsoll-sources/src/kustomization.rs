//! Kustomizations that are plain enough to be known without kustomize: they list files and folders and sort, and
//! change nothing. Any other field, and whatever kustomize refuses, leaves the whole of it unread.
//!
//! Read from `sigs.k8s.io/kustomize/api` v0.21.1, which kustomize v5.8.1 and kubectl v1.36.4 are built with:
//! `internal/target/kusttarget.go`, `krusty/kustomizer.go`, `internal/builtins/SortOrderTransformer.go`,
//! `resource/factory.go`. What comes out is compared with both programs in `tests/kustomizations`.

mod file;
mod resources;
mod sorting;

use crate::reading::Reading;
use crate::search::{Habit, Search};
use plimsoll_model::{Arranged, Object, Place};
pub(crate) use sorting::Reorder;

/// Objects as kustomize prints them, and what put them into that order.
#[derive(Debug, Clone)]
pub(crate) struct Built {
    pub(crate) objects: Vec<Object>,
    pub(crate) arranged: Arranged,
}

/// Why a kustomization is not read, and where that stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unread {
    pub(crate) place: Place,
    pub(crate) cause: String,
}

/// What the kustomization in a folder gives. `reorder` is the flag of that name; the file's own word counts more.
pub(crate) fn build(
    reading: &mut Reading<'_>,
    folder: &str,
    reorder: Option<Reorder>,
    namespace: &str,
) -> Result<Built, Unread> {
    let listed = resources::list(reading, folder)?;
    let sorting = match (listed.sorting, reorder) {
        (Some(sorting), _) => sorting,
        (None, Some(Reorder::None)) => sorting::Sorting::Listed,
        (None, Some(Reorder::Legacy) | None) => sorting::Sorting::default(),
    };
    resources::inspect(reading, &listed.files, &sorting)?;
    let search = Search {
        is_recursive: false,
        habit: Habit::Kubectl,
        exclude: Vec::new(),
        namespace: namespace.to_owned(),
    };
    let mut objects = reading.objects_at(&listed.files, &search);
    let arranged = sorting.arrange(&mut objects);
    Ok(Built { objects, arranged })
}

/// Whether a folder is a kustomization.
pub(crate) fn is_one(reading: &Reading<'_>, folder: &str) -> bool {
    file::names(reading, folder).next().is_some()
}

impl Unread {
    fn new(place: Place, cause: impl Into<String>) -> Self {
        Self { place, cause: cause.into() }
    }

    /// The place and the cause in one sentence, for a step of a script.
    pub(crate) fn sentence(&self, reading: &Reading<'_>, folder: &str) -> String {
        let path = reading.bundle.files.path(self.place);
        let place =
            if self.place.line == 0 { path.to_owned() } else { format!("{path}:{}", self.place.line) };
        format!("the kustomization `{folder}` is not read: {} ({place})", self.cause)
    }
}
