//! What Helm v3.22.0 and v4.3.1 print when a command of theirs fails, seen on a real server v1.36.4.

use crate::tools::helm::{Event, Part, Version, around, part, version};
use plimsoll_model::{Delivery, Object, Operation};

/// The object at which a command failed.
pub(super) struct Failed<'a> {
    pub(super) operation: Operation,
    pub(super) delivery: &'a Delivery,
    pub(super) object: &'a Object,
    /// Whether it was there before.
    pub(super) is_update: bool,
    /// The file of the template.
    pub(super) file: &'a str,
}

impl Failed<'_> {
    /// The whole text where a request was refused with these words.
    pub(super) fn refused(&self, words: &str) -> String {
        let is_made = self.operation.is_change() && self.event().is_none();
        let refusal = match version(self.delivery) {
            Version::Three if is_made && self.is_update => {
                format!(
                    "cannot patch \"{}\" with kind {}: {words}",
                    self.object.id.name(),
                    self.object.id.kind()
                )
            }
            Version::Three if is_made => words.to_owned(),
            Version::Three => format!("1 error occurred:\n\t* {words}"),
            Version::Four => format!("server-side apply failed for object {}: {words}", self.named()),
        };
        let refusal = if is_made && !self.is_update {
            format!("failed to create resource: {refusal}")
        } else {
            refusal
        };
        match self.event() {
            Some(event) => {
                self.told(&format!("failed {event}: warning: Hook {event} {} failed: {refusal}", self.path()))
            }
            None => self.told(&refusal),
        }
    }

    /// The whole text where the kind of the object was not found.
    pub(super) fn not_mapped(&self, words: &str) -> String {
        match (self.event(), self.operation) {
            // To delete what an earlier run has left is the first thing that is done for a hook.
            (Some(event), _) => self.told(&format!(
                "failed {event}: unable to build kubernetes object for deleting hook {}: {words}",
                self.path()
            )),
            (None, Operation::Install) => {
                self.told(&format!("unable to build kubernetes objects from release manifest: {words}"))
            }
            (None, Operation::Rollback) => {
                self.told(&format!("unable to build kubernetes objects from new release manifest: {words}"))
            }
            (None, _) => self.told(words),
        }
    }

    /// The same for an object of the revision before.
    pub(super) fn not_mapped_before(&self, words: &str) -> String {
        self.told(&format!("unable to build kubernetes objects from current release manifest: {words}"))
    }

    fn told(&self, words: &str) -> String {
        let operation = match self.operation {
            Operation::Install => "INSTALLATION FAILED: ",
            Operation::Upgrade => "UPGRADE FAILED: ",
            Operation::Rollback | Operation::Uninstall => "",
        };
        format!("Error: {operation}{words}")
    }

    /// The first event of the operation at which the object runs as a hook.
    fn event(&self) -> Option<&'static str> {
        let Part::Hook(hook) = part(self.object) else { return None };
        around(self.operation).into_iter().find(|event| hook.events.contains(event)).map(Event::word)
    }

    /// The object as Helm 4 names it: `shop/web apps/v1, Kind=Deployment`.
    fn named(&self) -> String {
        let id = &self.object.id;
        let namespace = id.namespace().map_or(String::new(), |namespace| format!("{namespace}/"));
        format!("{namespace}{} {}/{}, Kind={}", id.name(), id.group(), self.object.version, id.kind())
    }

    /// The template as Helm names it, below the name of the chart, which its folder has as well.
    fn path(&self) -> String {
        let chart = self.delivery.source.as_deref().unwrap_or_default().trim_end_matches('/');
        let inside = self.file.strip_prefix(chart).unwrap_or(self.file).trim_start_matches('/');
        format!("{}/{inside}", chart.rsplit('/').next().unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;
    use plimsoll_model::Tool;
    use serde_json::json;

    fn check(version: &str, hook: &str, tell: impl Fn(&Failed<'_>) -> String) -> String {
        let annotations = if hook.is_empty() { json!({}) } else { json!({"helm.sh/hook": hook}) };
        let object = sample::object(&json!({"apiVersion": "v1", "kind": "ConfigMap",
            "metadata": {"name": "a", "namespace": "missing", "annotations": annotations}}));
        let delivery = Delivery {
            version: Some(version.to_owned()),
            source: Some("deploy/shop".to_owned()),
            ..Delivery::by(Tool::Helm, "install")
        };
        let file = "deploy/shop/templates/a.yaml";
        let operation = Operation::Install;
        tell(&Failed { operation, delivery: &delivery, object: &object, is_update: false, file })
    }

    #[test]
    fn a_refusal_is_told_as_each_helm_tells_it() {
        let refused = |failed: &Failed<'_>| failed.refused("namespaces \"missing\" not found");
        assert_eq!(
            check("3.22", "", refused),
            "Error: INSTALLATION FAILED: 1 error occurred:\n\t* namespaces \"missing\" not found"
        );
        assert_eq!(
            check("4.3", "", refused),
            "Error: INSTALLATION FAILED: server-side apply failed for object missing/a /v1, Kind=ConfigMap: \
             namespaces \"missing\" not found"
        );
        assert_eq!(
            check("3.22", "pre-install", refused),
            "Error: INSTALLATION FAILED: failed pre-install: warning: Hook pre-install shop/templates/a.yaml failed: \
             1 error occurred:\n\t* namespaces \"missing\" not found"
        );
    }

    #[test]
    fn a_kind_that_is_not_found_is_told_apart_for_hooks() {
        let not_mapped = |failed: &Failed<'_>| failed.not_mapped("no matches");
        assert_eq!(
            check("4.3", "", not_mapped),
            "Error: INSTALLATION FAILED: unable to build kubernetes objects from release manifest: no matches"
        );
        assert_eq!(
            check("4.3", "post-install", not_mapped),
            "Error: INSTALLATION FAILED: failed post-install: unable to build kubernetes object for deleting hook \
             shop/templates/a.yaml: no matches"
        );
    }
}
