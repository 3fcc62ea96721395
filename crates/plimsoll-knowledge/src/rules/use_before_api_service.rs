//! PLM-R008: an object of an aggregated API may be mapped before anything answers for that API.

use crate::read::{answer, api_service};
use crate::rule::{Found, Rule};
use crate::view::View;
use plimsoll_model::Milestone::{Checked, Ready};
use plimsoll_model::{Actor, Class, Code, Moment};

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R008"),
    name: "use-before-api-service",
    class: Class::ApiServiceNotAvailable,
    page: include_str!("use_before_api_service.md"),
    find,
};

fn find(view: &View<'_>, found: &mut Found) {
    for delivered in view.deliveries() {
        let object = delivered.object;
        let Some(api) = api_service::of(view, object.id.group(), Some(&object.version)) else { continue };
        RULE.requires(api.id.at(Ready), Moment::request(delivered.step, &object.id, Checked))
            .at(object.place_of(&["apiVersion"]))
            .says(format!("{} is served by the backend of {}", object.id, api.id))
            .answered(
                Actor::Tool,
                format!("looks up kind {}", object.id.kind()),
                answer::not_mapped(view, *delivered),
            )
            .push(found);
    }
}
