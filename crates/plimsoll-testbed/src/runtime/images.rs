//! Pulling, which is looking an image up in the table, as slowly and as unreliably as its row says.

use super::error::RuntimeError;
use super::interface::{AuthConfig, Image, ImageSpec, Int64Value};
use super::node::{Node, digest};
use super::table::{Pull, User};
use std::collections::BTreeMap;

/// The images on the node, and how often each was asked for.
#[derive(Debug, Default)]
pub(crate) struct Images {
    pulled: BTreeMap<String, User>,
    attempts: BTreeMap<String, u32>,
}

/// Pulls an image; answers its reference.
pub(crate) async fn pull(
    node: &Node,
    name: &str,
    credentials: Option<&AuthConfig>,
) -> Result<String, RuntimeError> {
    let image = full(&canonical(name));
    let failed = |cause| RuntimeError::Pull { image: image.clone(), cause };
    let Some(row) = node.row(name).await? else {
        return Err(failed(format!("{image}: not found (the image table has no row for it)")));
    };
    tokio::time::sleep(row.pull.takes).await;
    let mut images = node.images.lock().await;
    let attempts = images.attempts.entry(canonical(name)).or_default();
    *attempts = attempts.saturating_add(1);
    if let Some(cause) = refusal(&row.pull, *attempts, credentials) {
        return Err(failed(cause.to_owned()));
    }
    images.pulled.insert(canonical(name), row.user);
    Ok(reference(name))
}

fn refusal(pull: &Pull, attempt: u32, credentials: Option<&AuthConfig>) -> Option<&'static str> {
    let given = |auth: &AuthConfig| {
        [&auth.username, &auth.auth, &auth.identity_token, &auth.registry_token]
            .iter()
            .any(|part| !part.is_empty())
    };
    if pull.needs_credentials && !credentials.is_some_and(given) {
        return Some(
            "pull access denied, repository does not exist or may require authorization: \
             server message: insufficient_scope: authorization failed",
        );
    }
    (attempt <= pull.fails).then_some("unexpected status: 503 Service Unavailable")
}

impl Images {
    /// All images.
    #[must_use]
    pub(crate) fn list(&self) -> Vec<Image> {
        self.pulled.iter().map(|(name, user)| describe(name, user)).collect()
    }

    /// One, by its name or its reference.
    #[must_use]
    pub(crate) fn find(&self, wanted: &str) -> Option<Image> {
        let wanted = canonical(wanted);
        let found = self.pulled.iter().find(|(name, _)| **name == wanted || reference(name) == wanted);
        found.map(|(name, user)| describe(name, user))
    }

    /// Removes one.
    pub(crate) fn remove(&mut self, wanted: &str) {
        let wanted = canonical(wanted);
        self.pulled.retain(|name, _| *name != wanted && reference(name) != wanted);
    }
}

/// What pods show as the image's identifier.
#[must_use]
pub(crate) fn reference(name: &str) -> String {
    format!("sha256:{}", digest(&canonical(name)))
}

/// The name with its registry, as runtimes report it.
fn full(name: &str) -> String {
    match name.split_once('/') {
        None => format!("docker.io/library/{name}"),
        Some((first, _)) if first.contains(['.', ':']) || first == "localhost" => name.to_owned(),
        Some(_) => format!("docker.io/{name}"),
    }
}

/// The name with its tag: the kubelet pulls `web:latest` and asks for `web`.
fn canonical(name: &str) -> String {
    let tagged = name.rsplit_once(':').is_some_and(|(_, tag)| !tag.contains('/'));
    if tagged || name.contains('@') { name.to_owned() } else { format!("{name}:latest") }
}

fn describe(name: &str, user: &User) -> Image {
    let (user, _) = user.0.split_once(':').unwrap_or((&user.0, ""));
    let uid = user.parse().ok().map(|value| Int64Value { value });
    Image {
        id: reference(name),
        repo_tags: vec![name.to_owned()],
        size: 1,
        username: if uid.is_none() { user.to_owned() } else { String::new() },
        uid,
        spec: Some(ImageSpec { image: name.to_owned(), ..ImageSpec::default() }),
        ..Image::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pulls_fail_as_often_as_the_row_says() {
        let pull = Pull { fails: 2, ..Pull::default() };
        let refused: Vec<bool> = (1..=3).map(|attempt| refusal(&pull, attempt, None).is_some()).collect();
        assert_eq!(refused, [true, true, false]);
    }

    #[test]
    fn credentials_are_wanted_where_the_row_says() {
        let pull = Pull { needs_credentials: true, ..Pull::default() };
        let named = AuthConfig { username: "me".to_owned(), ..AuthConfig::default() };
        assert!(refusal(&pull, 1, None).is_some());
        assert!(refusal(&pull, 1, Some(&AuthConfig::default())).is_some());
        assert!(refusal(&pull, 1, Some(&named)).is_none());
    }

    #[test]
    fn an_image_is_found_by_each_of_its_names() {
        let mut images = Images::default();
        images.pulled.insert(canonical("registry:5000/web"), User::default());
        for name in ["registry:5000/web", "registry:5000/web:latest", &reference("registry:5000/web")] {
            assert!(images.find(name).is_some(), "{name}");
        }
        images.remove("registry:5000/web");
        assert_eq!(images.list(), []);
    }

    #[test]
    fn the_kubelet_sees_the_users_number_or_name() {
        let image = describe("a", &User("1000:10".to_owned()));
        assert_eq!((image.uid, image.username.as_str()), (Some(Int64Value { value: 1000 }), ""));
        let image = describe("a", &User("web".to_owned()));
        assert_eq!((image.uid, image.username.as_str()), (None, "web"));
    }
}
