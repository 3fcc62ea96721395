//! Certificates of an authority that cert-manager fills in. cert-manager v1.21.2 `pkg/controller/cainjector`.

use crate::view::View;
use plimsoll_model::Milestone::{Ready, Stored};
use plimsoll_model::{Moment, Object, ObjectId, Place};

/// The moment from which the CA of an annotated object can be filled in, and the annotation's place.
pub(crate) fn of(view: &View<'_>, object: &Object) -> Option<(Moment, Place)> {
    let annotations = object.root.at(&["metadata", "annotations"])?;
    let reference = |key: &str| {
        let node = annotations.get(key)?;
        let (namespace, name) = node.text()?.split_once('/')?;
        Some((namespace, name, node.place))
    };
    if let Some((namespace, name, place)) = reference("cert-manager.io/inject-ca-from-secret") {
        return Some((ObjectId::new("", "Secret", Some(namespace), name).at(Stored), place));
    }
    let (namespace, name, place) = reference("cert-manager.io/inject-ca-from")?;
    let certificate = ObjectId::new("cert-manager.io", "Certificate", Some(namespace), name);
    let secret =
        view.object(&certificate).and_then(|certificate| certificate.text_at(&["spec", "secretName"]));
    let moment = match secret {
        Some(secret) => ObjectId::new("", "Secret", Some(namespace), secret).at(Stored),
        None => certificate.at(Ready),
    };
    Some((moment, place))
}
