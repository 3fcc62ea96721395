//! Why a chart cannot be rendered.

use super::rendering::Site;
use crate::lookup::{LookUp, LookUps};
use crate::objects::capabilities::Offer;
use crate::template::failure::Failure;
use crate::values::ValuesFailure;
use std::sync::Arc;
use thiserror::Error;

/// What stopped the rendering.
#[derive(Debug, Error)]
pub enum RenderFailure {
    /// The values cannot be taken.
    #[error(transparent)]
    Values(#[from] ValuesFailure),
    /// The chart is not made for this version of Kubernetes.
    #[error("chart requires kubeVersion: {wanted} which is incompatible with Kubernetes {offered}")]
    KubeVersion {
        /// What `Chart.yaml` asks for.
        wanted: String,
        /// What the cluster has.
        offered: String,
    },
    /// A form of charts that Helm 4 does not know; Helm 3 takes any.
    #[error("Chart.yaml has the apiVersion {version}, which Helm 4 does not know; charts have v1 or v2")]
    ApiVersion {
        /// What it says.
        version: String,
    },
    /// A chart that only defines templates for others.
    #[error("{name} is a library chart, which cannot be rendered; name a chart that uses it")]
    Library {
        /// The name of the chart.
        name: String,
    },
    /// A template cannot be parsed.
    #[error("parse error at ({template}:{line}): {cause}")]
    Parse {
        /// The template, by Helm's name for it.
        template: String,
        /// The file below the outermost chart.
        path: Arc<str>,
        /// The line.
        line: u32,
        /// What is wrong, in Go's words.
        cause: String,
    },
    /// A template stopped.
    #[error("{message}")]
    Template {
        /// Go's words, with the whole way to the cause.
        message: String,
        /// What is wrong, without the way to it.
        cause: String,
        /// The actions on the way, the outermost first.
        steps: Vec<Step>,
        /// Whether a limit of the renderer was reached, and not a fault of the template.
        is_limit: bool,
        /// What the templates asked the cluster for until then, and was not served.
        unanswered: Vec<String>,
        /// What they looked up until then without an answer.
        looked_up: Box<[LookUp]>,
    },
    /// The renderer itself could not be run.
    #[error("the chart cannot be rendered here: {cause}")]
    Unavailable {
        /// What the system says.
        cause: String,
    },
}

/// An action on the way to a failure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Where it stands.
    pub site: Site,
    /// The part of it that was worked on, as written.
    pub context: String,
}

impl RenderFailure {
    /// A failure of a template; `site` says where an action stands.
    pub(super) fn of(failure: &Failure, site: impl Fn(&crate::template::failure::Site) -> Site) -> Self {
        let steps = failure.sites().iter();
        Self::Template {
            message: helm_words(failure.message()),
            cause: failure.cause().to_owned(),
            steps: steps.map(|step| Step { site: site(step), context: step.context.clone() }).collect(),
            is_limit: failure.is_limit(),
            unanswered: Vec::new(),
            looked_up: Box::default(),
        }
    }

    /// Whether the chart demands something, by `fail` or `required`.
    #[must_use]
    pub fn is_demand(&self) -> bool {
        matches!(self, Self::Template { message, .. } if message.starts_with(DEMAND))
    }

    /// Whether a template is needed that nobody defines.
    #[must_use]
    pub fn lacks_template(&self) -> bool {
        let Self::Template { cause, .. } = self else { return false };
        // In the words of `include` and of the action `template`.
        cause.starts_with("template: no template ")
            || (cause.starts_with("template ") && cause.ends_with(" not defined"))
    }

    /// The same, and what had been asked for in vain.
    pub(super) fn asking(mut self, offer: &Offer, lookups: &LookUps) -> Self {
        if let Self::Template { unanswered, looked_up, .. } = &mut self {
            *unanswered = offer.unanswered();
            *looked_up = lookups.asked().into();
        }
        self
    }
}

/// How Helm's words for what `fail` and `required` say begin.
const DEMAND: &str = "execution error at ";

/// Helm shows what `fail` and `required` say without the way to it.
fn helm_words(message: &str) -> String {
    let warning = message.split_once("HELM_ERR_START").and_then(|(_, rest)| rest.rsplit_once("HELM_ERR_END"));
    let Some((warning, _)) = warning else {
        return message.to_owned();
    };
    let location =
        message.strip_prefix("template: ").and_then(|rest| rest.split(": ").next()).unwrap_or_default();
    format!("{DEMAND}({location}): {warning}")
}
