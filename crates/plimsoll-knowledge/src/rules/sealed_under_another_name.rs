//! PLM-R076: a SealedSecret bears another name, namespace or scope than the one its values were sealed for.
//!
//! sealed-secrets v0.40.0 `pkg/apis/sealedsecrets/v1alpha1/sealedsecret_expansion.go`: `NewSealedSecret` copies the metadata
//! of the Secret into the template and seals each value for its namespace, name and scope; `unseal` opens them for those of
//! the SealedSecret.

use crate::rule::{Found, Rule};
use crate::view::View;
use plimsoll_model::Milestone::Stored;
use plimsoll_model::{Actor, Class, Clause, Code, Confidence, Node, Object, ObjectId, Place, Reading};

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R076"),
    name: "sealed-under-another-name",
    class: Class::SecretNotYetProduced,
    page: include_str!("sealed_under_another_name.md"),
    find,
};

fn find(view: &View<'_>, found: &mut Found) {
    for sealed in view.of_kind("bitnami.com", "SealedSecret") {
        let Some(Difference { place, words, remedy }) = difference(sealed) else { continue };
        let secret = ObjectId::new("", "Secret", sealed.id.namespace(), sealed.id.name());
        RULE.requires(Clause(Vec::new()), secret.at(Stored))
            .read(Reading::OnceForGood)
            .sure(Confidence::Assumed)
            .at(place)
            .says(format!("{} was sealed {words}", sealed.id))
            .answered(
                Actor::Controller,
                format!("tries to open {} for its own name and namespace", sealed.id),
                "Failed to unseal: no key could decrypt secret ({…})",
            )
            .mended(remedy)
            .push(found);
    }
}

/// How a SealedSecret differs from what was sealed.
struct Difference {
    place: Place,
    words: String,
    remedy: &'static str,
}

/// What the template, which holds the metadata it was sealed with, says otherwise than the object itself.
fn difference(sealed: &Object) -> Option<Difference> {
    let own = sealed.root.get("metadata")?;
    let template = sealed.root.at(&["spec", "template", "metadata"])?;
    let scope = Scope::of(own);
    // A template that says less was written by hand: `kubeseal --raw` leaves it to its user.
    if Scope::of(template) > scope {
        let words = format!("{}, and says that it is {}", Scope::of(template).words(), scope.words());
        let remedy = "put the annotation back into its own metadata; or seal it again for the scope it has";
        return Some(Difference { place: template.get("annotations")?.place, words, remedy });
    }
    let other = |field: &'static str| {
        let (own, sealed) = (own.text_at(&[field])?, template.get(field)?);
        let text = sealed.text().filter(|text| *text != own)?;
        let remedy = "seal it again for the name and namespace it has; or seal it `--scope cluster-wide`";
        Some(Difference { place: sealed.place, words: format!("for the {field} {text}"), remedy })
    };
    match scope {
        Scope::Cluster => None,
        Scope::Namespace => other("namespace"),
        Scope::Strict => other("name").or_else(|| other("namespace")),
    }
}

/// How far from its origin the values of a SealedSecret can be opened.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Scope {
    Strict,
    Namespace,
    Cluster,
}

impl Scope {
    fn of(metadata: &Node) -> Self {
        let is_set = |scope: &str| {
            metadata.text_at(&["annotations", &format!("sealedsecrets.bitnami.com/{scope}")]) == Some("true")
        };
        match () {
            () if is_set("cluster-wide") => Self::Cluster,
            () if is_set("namespace-wide") => Self::Namespace,
            () => Self::Strict,
        }
    }

    const fn words(self) -> &'static str {
        match self {
            Self::Strict => "for one name",
            Self::Namespace => "for one namespace",
            Self::Cluster => "for the whole cluster",
        }
    }
}
