//! Which schema decides how lists are merged: the built-in one, or that of the field `openapi`
//! (`kyaml` v0.21.1, `openapi/openapi.go`, `SetSchema` and `initSchema`).

use crate::files::{Files, Root};
use crate::kustomization::Kustomization;
use crate::refusal::Refusal;
use crate::schema::{self, Definitions};

/// The schema of one build. The first kustomization that names one decides; what was in use before stays known.
#[derive(Debug, Default)]
pub(crate) struct SchemaInUse {
    custom: Option<Definitions>,
    is_set: bool,
    /// Whether the built-in schema was asked for before a custom one was set.
    is_built_in_needed: bool,
}

impl SchemaInUse {
    /// Takes what a kustomization says; the outermost one may always say it.
    pub(crate) fn set(
        &mut self,
        files: &mut dyn Files,
        root: &Root,
        kustomization: &Kustomization,
        is_outermost: bool,
    ) -> Result<(), Refusal> {
        let option = |name: &str| kustomization.openapi.get(name);
        let opened = match option("path") {
            Some((path, place)) => Some((root.open(files, path, *place)?, *place)),
            None => None,
        };
        if self.is_set && !is_outermost {
            return Ok(());
        }
        let Some((opened, place)) = opened else {
            return match option("version") {
                Some((version, place)) if &**version != "v1.21.2" => {
                    Err(Refusal::new(*place, "kustomize has no OpenAPI but that of v1.21.2 built in"))
                }
                Some(_) => {
                    self.is_set = true;
                    Ok(())
                }
                None => Ok(()),
            };
        };
        if option("version").is_some() {
            return Err(Refusal::new(place, "kustomize refuses a version and a path of `openapi` together"));
        }
        let text = std::str::from_utf8(&opened.bytes).map_err(|_| Refusal::new(place, "this is not text"))?;
        let node = plimsoll_yaml::value(text, opened.index)
            .map_err(|fault| Refusal::new(fault.place, fault.cause))?;
        let custom = Definitions::of_openapi(&node);
        self.is_set = true;
        self.custom = Some(if self.is_built_in_needed {
            let mut both = schema::built_in().clone();
            both.extend(custom);
            both
        } else {
            custom
        });
        Ok(())
    }

    /// The types that decide.
    pub(crate) fn definitions(&mut self) -> &Definitions {
        if self.custom.is_none() {
            self.is_built_in_needed = true;
        }
        self.custom.as_ref().unwrap_or_else(|| schema::built_in())
    }
}
