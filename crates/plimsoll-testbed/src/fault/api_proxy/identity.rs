//! Who a client is, and how the API server is told.

use hyper::HeaderMap;
use hyper::header::{HeaderName, HeaderValue};
use rustls::pki_types::CertificateDer;
use x509_parser::prelude::{FromDer as _, X509Certificate};

/// The user and the groups of a client's certificate.
///
/// TLS ends at the proxy, so that the certificate does not reach the API server. The proxy verifies it and names the
/// client in the headers of a front proxy (`X-Remote-User`, `X-Remote-Group`), on a connection with a front proxy's own
/// certificate; the audit log then shows the same user and groups as without the proxy. To forward everything as the
/// administrator would be simpler, but the API server trusts a certificate before a token, so that every
/// ServiceAccount would become the administrator. A client without a certificate is forwarded on a connection without
/// one, its token untouched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Identity {
    pub(super) user: String,
    pub(super) groups: Vec<String>,
}

impl Identity {
    /// Common name and organizations, as the API server reads them.
    pub(super) fn of(certificate: &CertificateDer<'_>) -> Option<Self> {
        let (_, certificate) = X509Certificate::from_der(certificate).ok()?;
        let subject = certificate.subject();
        let user = subject.iter_common_name().next()?.as_str().ok()?.to_owned();
        let groups = subject.iter_organization().filter_map(|group| Some(group.as_str().ok()?.to_owned()));
        Some(Self { user, groups: groups.collect() })
    }
}

const USER: HeaderName = HeaderName::from_static("x-remote-user");
const GROUP: HeaderName = HeaderName::from_static("x-remote-group");

/// Names the client in the headers; what the client itself wrote there is removed.
pub(super) fn declare(identity: Option<&Identity>, headers: &mut HeaderMap) {
    let forged: Vec<HeaderName> =
        headers.keys().filter(|name| name.as_str().starts_with("x-remote-")).cloned().collect();
    for name in forged {
        headers.remove(name);
    }
    let Some(identity) = identity else { return };
    let names = identity.groups.iter().map(|group| (GROUP, group));
    for (header, value) in std::iter::once((USER, &identity.user)).chain(names) {
        if let Ok(value) = HeaderValue::from_str(value) {
            headers.append(header, value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_cannot_name_itself() {
        let mut headers = HeaderMap::new();
        headers.insert("x-remote-user", HeaderValue::from_static("somebody"));
        headers.insert("x-remote-extra-scopes", HeaderValue::from_static("all"));
        headers.insert("authorization", HeaderValue::from_static("Bearer t"));
        declare(None, &mut headers);
        assert_eq!(headers.keys().map(HeaderName::as_str).collect::<Vec<_>>(), ["authorization"]);
        let groups = vec!["a".to_owned(), "b".to_owned()];
        declare(Some(&Identity { user: "admin".to_owned(), groups }), &mut headers);
        assert_eq!(headers.get(USER).unwrap(), "admin");
        assert_eq!(headers.get_all(GROUP).iter().count(), 2);
    }
}
