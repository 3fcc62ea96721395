//! PLM-R047: a token Secret may be sent before the ServiceAccount it is for, and is then deleted.
//!
//! kubernetes v1.36.4 `pkg/controller/serviceaccount/tokens_controller.go` `syncSecret`; seen on a real server.

use crate::rule::{Found, Rule};
use crate::view::View;
use plimsoll_model::Milestone::Stored;
use plimsoll_model::{Actor, Class, Code, Object, ObjectId, Reading};

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R047"),
    name: "token-before-service-account",
    class: Class::ServiceAccountMissing,
    page: include_str!("token_before_service_account.md"),
    find,
};

fn find(view: &View<'_>, found: &mut Found) {
    for secret in view.of_kind("", "Secret") {
        let Some(name) = account(secret) else { continue };
        let account = ObjectId::new("", "ServiceAccount", secret.id.namespace(), name);
        for request in view.requests(&secret.id, Stored) {
            RULE.requires(account.at(Stored), request)
                .read(Reading::OnceSilently)
                .at(secret.place_of(&["metadata", "annotations", NAME]))
                .says(format!("{} is a token for {account}", secret.id))
                .answered(Actor::Controller, format!("deletes {}, whose account is not there", secret.id), "")
                .push(found);
        }
    }
}

const NAME: &str = "kubernetes.io/service-account.name";

/// The account that a token is for; `default` comes with its namespace.
fn account(secret: &Object) -> Option<&str> {
    let is_token = secret.text_at(&["type"]) == Some("kubernetes.io/service-account-token");
    let name = secret.text_at(&["metadata", "annotations", NAME]).filter(|_| is_token)?;
    (name != "default").then_some(name)
}
