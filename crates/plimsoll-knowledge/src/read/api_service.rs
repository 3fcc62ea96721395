//! Aggregated APIs of the input.

use crate::view::View;
use plimsoll_model::Object;

/// The APIService that serves a group, and the version if one is given, through a Service.
pub(crate) fn of<'a>(view: &View<'a>, group: &str, version: Option<&str>) -> Option<&'a Object> {
    let all = view.of_kind("apiregistration.k8s.io", "APIService").into_iter();
    all.filter(|api| api.root.at(&["spec", "service"]).is_some()).find(|api| {
        api.text_at(&["spec", "group"]) == Some(group)
            && version.is_none_or(|version| api.text_at(&["spec", "version"]) == Some(version))
    })
}
