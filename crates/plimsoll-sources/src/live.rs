//! A cluster that charts may ask, through the `kubectl` that is installed and the access that it has. Nothing is changed.

use crate::host::{Host, Refusal};
use crate::reading::{Reading, cause_of};
use plimsoll_chart::{Answers, LookUp, RenderFailure, Renderer, Rendering, Request};
use plimsoll_model::Node;
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::sync::Arc;

/// How often the answers may lead to new questions.
const ROUNDS: usize = 8;

/// Which cluster is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Live {
    /// The context of kubectl's configuration; without one, the current context.
    pub context: Option<String>,
    /// Whether charts are told another version of Kubernetes than the cluster's.
    pub is_version_said: bool,
}

/// What a cluster has: its version, and APIs and kinds.
pub(crate) struct Found {
    pub(crate) kube_version: String,
    pub(crate) api_versions: Vec<String>,
}

impl Live {
    /// What the cluster offers, as Helm asks for it (v4.3.1 `pkg/action/action.go`, `GetVersionSet`).
    pub(crate) fn offered(&self, host: &dyn Host) -> Result<Found, String> {
        let version = self.get(host, "/version")?;
        let kube_version = version.text_at(&["gitVersion"]).unwrap_or_default().to_owned();
        let groups = self.get(host, "/apis")?;
        let mut apis = vec!["v1".to_owned()];
        for group in groups.list_at(&["groups"]) {
            let versions = group.list_at(&["versions"]).iter();
            apis.extend(versions.filter_map(|version| version.text_at(&["groupVersion"])).map(str::to_owned));
        }
        // An API whose server is down is left out, as Helm does.
        let kinds: Vec<_> = apis.par_iter().map(|api| self.kinds(host, api).unwrap_or_default()).collect();
        let kinds = apis.iter().zip(kinds).flat_map(|(api, kinds)| {
            kinds.into_iter().map(move |Served { kind, .. }| format!("{api}/{kind}"))
        });
        let offered: BTreeSet<String> = kinds.chain(apis.iter().cloned()).collect();
        Ok(Found { kube_version, api_versions: offered.into_iter().collect() })
    }

    /// What the cluster says to a `lookup` (Helm v4.3.1 `pkg/engine/lookup_func.go`).
    fn answer(&self, host: &dyn Host, question: &LookUp) -> Result<Arc<str>, String> {
        let LookUp { api_version, kind, namespace, name } = question;
        let parts = api_version.splitn(2, '/').chain([namespace.as_str(), name]);
        if let Some(part) = parts.into_iter().find(|part| !is_part(part)) {
            return Err(format!("`{part}` cannot stand in the name of an object"));
        }
        let kinds = self.kinds(host, api_version)?;
        let Some(served) = kinds.iter().find(|served| served.kind == *kind && !served.plural.contains('/'))
        else {
            return Err(format!("the cluster does not serve {api_version} {kind}"));
        };
        let mut path = vec![root(api_version)];
        if served.is_namespaced && !namespace.is_empty() {
            path.extend(["namespaces".to_owned(), namespace.clone()]);
        }
        path.push(served.plural.clone());
        path.extend(Some(name.clone()).filter(|name| !name.is_empty()));
        match self.text(host, &path.join("/")) {
            Ok(text) => Ok(text.into()),
            Err(cause) if cause.contains("(NotFound)") => Ok("{}".into()),
            Err(cause) => Err(cause),
        }
    }

    /// The kinds of an API; a part of a kind, such as its scale, has a slash in its name.
    fn kinds(&self, host: &dyn Host, api: &str) -> Result<Vec<Served>, String> {
        let list = self.get(host, &root(api))?;
        let kinds = list.list_at(&["resources"]).iter().filter_map(|resource| {
            let plural = resource.text_at(&["name"])?.to_owned();
            let kind = resource.text_at(&["kind"])?.to_owned();
            let is_namespaced = resource.bool_at(&["namespaced"]) == Some(true);
            Some(Served { kind, plural, is_namespaced })
        });
        Ok(kinds.collect())
    }

    fn get(&self, host: &dyn Host, path: &str) -> Result<Node, String> {
        let text = self.text(host, path)?;
        plimsoll_yaml::value(&text, plimsoll_model::FileIndex(0))
            .map_err(|fault| format!("kubectl printed for {path} what is no JSON: {}", fault.cause))
    }

    fn text(&self, host: &dyn Host, path: &str) -> Result<String, String> {
        let mut arguments = vec!["get".to_owned(), "--raw".to_owned(), path.to_owned()];
        arguments.extend(self.context.iter().map(|context| format!("--context={context}")));
        host.run("kubectl", &arguments).map_err(|refusal| match refusal {
            Refusal::Missing => "kubectl is not installed; install it, or leave out --live".to_owned(),
            Refusal::Failed(words) => format!("kubectl says: {words}"),
            other @ Refusal::TooLarge => format!("kubectl: {}", cause_of(&other)),
        })
    }
}

/// A kind that is served.
struct Served {
    kind: String,
    plural: String,
    is_namespaced: bool,
}

/// Whether a word of a chart names something, and leads nowhere else: to what a service would do, say.
fn is_part(word: &str) -> bool {
    let is_letter = |letter: u8| letter.is_ascii_alphanumeric() || b"-._:".contains(&letter);
    word.bytes().all(is_letter) && !matches!(word, "." | "..")
}

/// Where an API stands.
fn root(api: &str) -> String {
    if api.contains('/') { format!("/apis/{api}") } else { format!("/api/{api}") }
}

/// Renders until every `lookup` is answered; without a cluster, what was rendered stays.
pub(crate) fn complete(
    (renderer, request): (&Renderer, &mut Request),
    mut outcome: Result<Rendering, RenderFailure>,
    reading: &Reading<'_>,
) -> Result<Rendering, RenderFailure> {
    let Some(live) = &reading.live else { return outcome };
    for _ in 0..ROUNDS {
        let asked = match &outcome {
            Ok(rendering) => rendering.looked_up.as_slice(),
            Err(RenderFailure::Template { looked_up, is_limit: false, .. }) => looked_up,
            Err(_) => break,
        };
        if asked.is_empty() {
            break;
        }
        let host = reading.host();
        let answers = asked.par_iter().map(|question| (question.clone(), live.answer(host, question)));
        let answers: Answers = answers.collect();
        Arc::make_mut(&mut request.answers).extend(answers);
        outcome = renderer.render(request);
    }
    outcome
}

/// Lets charts be told what the cluster has; what was said outright holds.
pub(crate) fn ask(live: &Live, reading: &mut Reading<'_>) {
    match live.offered(reading.host()) {
        Ok(found) => {
            if !live.is_version_said {
                reading.offered.kube_version = found.kube_version;
            }
            reading.offered.api_versions.extend(found.api_versions);
            // What it does not serve, and nobody in the input brings, is not there.
            reading.offered.is_closed = true;
            reading.live = Some(live.clone());
        }
        Err(cause) => {
            let place = reading.place_of("--live");
            reading.problem(place, cause, true);
        }
    }
}
