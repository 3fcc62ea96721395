//! The certificates of a container that only behaves: for each name that is asked for, the one in a mounted Secret that
//! bears it, as a real program would serve it, or else one that is made for it on the spot.

use rcgen::{CertificateParams, DnType, IsCa, Issuer, KeyPair};
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring::{default_provider, sign::any_supported_type};
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::{ClientHello, ResolvesServerCert};
use tokio_rustls::rustls::sign::CertifiedKey;
use x509_parser::extensions::GeneralName;
use x509_parser::prelude::{FromDer as _, X509Certificate};

/// The name for whoever asks for none, as probes do.
const NAMELESS: &str = "localhost";

/// Where certificates come from.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct Trust {
    /// A folder of a mounted Secret; may be given several times.
    #[arg(long = "mounted")]
    pub mounted: Vec<PathBuf>,
    /// An authority that the API server trusts: FILE.crt and FILE.key. Without it nobody trusts what is made here.
    #[arg(long)]
    pub authority: Option<PathBuf>,
}

/// Accepts TLS with HTTP/2 and HTTP/1.1.
pub(super) fn acceptor(trust: Trust) -> io::Result<TlsAcceptor> {
    let issuer = match &trust.authority {
        Some(file) => known(file)?,
        None => unknown().map_err(io::Error::other)?,
    };
    let certificates = Certificates { mounted: trust.mounted, issuer, made: Mutex::default() };
    let mut config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(io::Error::other)?
        .with_no_client_auth()
        .with_cert_resolver(Arc::new(certificates));
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(TlsAcceptor::from(Arc::new(config)))
}

struct Certificates {
    mounted: Vec<PathBuf>,
    issuer: Issuer<'static, KeyPair>,
    made: Mutex<HashMap<String, Arc<CertifiedKey>>>,
}

impl std::fmt::Debug for Certificates {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Certificates").field("mounted", &self.mounted).finish_non_exhaustive()
    }
}

impl ResolvesServerCert for Certificates {
    fn resolve(&self, hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        let name = hello.server_name().unwrap_or(NAMELESS);
        // Read each time: a Secret may come, and change, while the container runs.
        self.mounted.iter().find_map(|folder| mounted(folder, name)).or_else(|| self.make(name))
    }
}

impl Certificates {
    fn make(&self, name: &str) -> Option<Arc<CertifiedKey>> {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = made.get(name) {
            return Some(Arc::clone(kept));
        }
        let mut parameters = CertificateParams::new(vec![name.to_owned()]).ok()?;
        parameters.distinguished_name = rcgen::DistinguishedName::new();
        parameters.distinguished_name.push(DnType::CommonName, "played");
        parameters.use_authority_key_identifier_extension = true;
        let key = KeyPair::generate().ok()?;
        let certificate = parameters.signed_by(&key, &self.issuer).ok()?;
        let private = PrivateKeyDer::try_from(key.serialize_der()).ok()?;
        let fresh = Arc::new(certified(vec![certificate.der().clone()], &private)?);
        made.insert(name.to_owned(), Arc::clone(&fresh));
        Some(fresh)
    }
}

/// An authority that somebody trusts.
fn known(file: &Path) -> io::Result<Issuer<'static, KeyPair>> {
    let read = |ending: &str| std::fs::read_to_string(file.with_extension(ending));
    let key = KeyPair::from_pem(&read("key")?).map_err(io::Error::other)?;
    Issuer::from_ca_cert_pem(&read("crt")?, key).map_err(io::Error::other)
}

/// One that nobody knows.
fn unknown() -> Result<Issuer<'static, KeyPair>, rcgen::Error> {
    let mut parameters = CertificateParams::default();
    parameters.is_ca = IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
    Ok(Issuer::new(parameters, KeyPair::generate()?))
}

/// A certificate in a folder that bears the name, and its key, whatever both files are called.
fn mounted(folder: &Path, name: &str) -> Option<Arc<CertifiedKey>> {
    let files = std::fs::read_dir(folder).ok()?.filter_map(Result::ok);
    let texts: Vec<Vec<u8>> = files.filter_map(|file| std::fs::read(file.path()).ok()).collect();
    let chains =
        texts.iter().map(|text| CertificateDer::pem_slice_iter(text).filter_map(Result::ok).collect());
    let chains: Vec<Vec<CertificateDer<'static>>> = chains.collect();
    let keys = texts.iter().filter_map(|text| PrivateKeyDer::from_pem_slice(text).ok());
    let keys: Vec<PrivateKeyDer<'static>> = keys.collect();
    let bearing = chains.into_iter().filter(|chain| chain.first().is_some_and(|first| bears(first, name)));
    bearing
        .flat_map(|chain| keys.iter().filter_map(move |key| certified(chain.clone(), key)))
        .find(|pair| pair.keys_match().is_ok())
        .map(Arc::new)
}

fn certified(chain: Vec<CertificateDer<'static>>, key: &PrivateKeyDer<'_>) -> Option<CertifiedKey> {
    Some(CertifiedKey::new(chain, any_supported_type(key).ok()?))
}

/// Whether a certificate is for a name; `*` stands for one label.
fn bears(certificate: &CertificateDer<'_>, name: &str) -> bool {
    let Ok((_, certificate)) = X509Certificate::from_der(certificate) else { return false };
    let alternatives = certificate.subject_alternative_name().ok().flatten();
    let names = alternatives.iter().flat_map(|extension| &extension.value.general_names);
    let parent = name.split_once('.').map(|(_, parent)| parent);
    names.into_iter().any(|alternative| match alternative {
        GeneralName::DNSName(dns) => {
            *dns == name || dns.strip_prefix("*.").is_some_and(|rest| Some(rest) == parent)
        }
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(names: &[&str]) -> (String, String) {
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        let made = rcgen::generate_simple_self_signed(names).expect("a certificate");
        (made.cert.pem(), made.signing_key.serialize_pem())
    }

    #[test]
    fn a_mounted_pair_is_served_for_the_names_it_bears() {
        let folder = tempfile::tempdir().expect("a folder");
        let (certificate, key) = pair(&["hook.acme.svc", "*.beside.svc"]);
        let (other, _) = pair(&["other.acme.svc"]);
        for (name, text) in [("cert", &certificate), ("key", &key), ("ca.crt", &other)] {
            std::fs::write(folder.path().join(name), text).expect("written");
        }
        assert!(mounted(folder.path(), "hook.acme.svc").is_some());
        assert!(mounted(folder.path(), "one.beside.svc").is_some());
        assert!(mounted(folder.path(), "else.acme.svc").is_none());
        assert!(mounted(folder.path(), "other.acme.svc").is_none(), "its key is not there");
    }

    #[test]
    fn for_other_names_a_certificate_is_made_once() {
        let certificates = Certificates {
            mounted: Vec::new(),
            issuer: unknown().expect("an issuer"),
            made: Mutex::default(),
        };
        let made = certificates.make("hook.acme.svc").expect("a certificate");
        let leaf = made.cert.first().expect("a leaf");
        assert!(bears(leaf, "hook.acme.svc") && !bears(leaf, "localhost"));
        assert!(Arc::ptr_eq(&made, &certificates.make("hook.acme.svc").expect("the same")));
    }
}
