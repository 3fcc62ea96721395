//! PLM-R028: an autoscaler may look before the metrics API it asks is available.

use crate::clocks;
use crate::read::metrics;
use crate::rule::{Found, Rule};
use crate::view::View;
use plimsoll_model::Milestone::{Observed, Ready};
use plimsoll_model::{Actor, Class, Clause, Code};

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R028"),
    name: "autoscaler-before-metrics",
    class: Class::ApiServiceNotAvailable,
    page: include_str!("autoscaler_before_metrics.md"),
    find,
};

fn find(view: &View<'_>, found: &mut Found) {
    for scaler in view.of_kind("autoscaling", "HorizontalPodAutoscaler") {
        for metric in metrics::asked(scaler) {
            let apis = metric.apis(view);
            let Some(api) = apis.first() else { continue };
            // Without its APIService the API is unknown, with it the API is known and does not answer.
            let is_known = !view.is_sent_before(&scaler.id, api);
            let first = Clause(apis.iter().map(|api| api.at(Ready)).collect());
            RULE.requires(first, scaler.id.at(Observed))
                .read(clocks::AUTOSCALER)
                .at(metric.place)
                .says(format!("{} asks {} for {}", scaler.id, api.name(), metric.name))
                .answered(
                    Actor::Controller,
                    format!("asks for {} of {}", metric.name, scaler.id),
                    metric.answer(scaler, is_known),
                )
                .push(found);
        }
    }
}
