//! The certificates of the proxy, signed by the cluster's own authority, so that clients need no other kubeconfig than
//! the address.

use super::super::FaultError;
use rcgen::{
    CertificateParams, DistinguishedName, DnType, ExtendedKeyUsagePurpose, Issuer, KeyPair, KeyUsagePurpose,
};
use rustls::client::WebPkiServerVerifier;
use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::{ClientConfig, RootCertStore, ServerConfig};
use std::sync::Arc;

/// The cluster's authority: it signs the API server and its clients, and is what the API server was given as
/// `--client-ca-file` and `--requestheader-client-ca-file`.
#[derive(Clone)]
pub struct Authority {
    certificate: CertificateDer<'static>,
    issuer: Arc<Issuer<'static, KeyPair>>,
}

impl std::fmt::Debug for Authority {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Authority").finish_non_exhaustive()
    }
}

/// The user that the API server lets name other users; its `--requestheader-allowed-names` must have it.
pub const FRONT_PROXY: &str = "front-proxy";

/// What a client may call the proxy.
const NAMES: [&str; 6] =
    ["localhost", "127.0.0.1", "10.96.0.1", "kubernetes", "kubernetes.default", "kubernetes.default.svc"];

impl Authority {
    /// The authority of these two PEM texts.
    pub fn from_pem(certificate: &str, key: &str) -> Result<Self, FaultError> {
        let key = KeyPair::from_pem(key).map_err(failure)?;
        let issuer = Issuer::from_ca_cert_pem(certificate, key).map_err(failure)?;
        let certificate = CertificateDer::from_pem_slice(certificate.as_bytes()).map_err(failure)?;
        Ok(Self { certificate, issuer: Arc::new(issuer) })
    }

    /// How the proxy meets its clients: they may show a certificate of the authority, or none.
    pub(super) fn serving(&self) -> Result<ServerConfig, FaultError> {
        let (certificate, key) = self.sign("plimsoll-api-proxy", ExtendedKeyUsagePurpose::ServerAuth)?;
        let clients = WebPkiClientVerifier::builder_with_provider(self.roots()?, provider())
            .allow_unauthenticated()
            .build()
            .map_err(failure)?;
        let mut config = ServerConfig::builder_with_provider(provider())
            .with_safe_default_protocol_versions()
            .map_err(failure)?
            .with_client_cert_verifier(clients)
            .with_single_cert(vec![certificate], key)
            .map_err(failure)?;
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        Ok(config)
    }

    /// How the proxy meets the API server: as a front proxy, or without any identity.
    pub(super) fn calling(&self, as_front_proxy: bool) -> Result<ClientConfig, FaultError> {
        let server = WebPkiServerVerifier::builder_with_provider(self.roots()?, provider())
            .build()
            .map_err(failure)?;
        let builder = ClientConfig::builder_with_provider(provider())
            .with_safe_default_protocol_versions()
            .map_err(failure)?
            .with_webpki_verifier(server);
        if !as_front_proxy {
            return Ok(builder.with_no_client_auth());
        }
        let (certificate, key) = self.sign(FRONT_PROXY, ExtendedKeyUsagePurpose::ClientAuth)?;
        builder.with_client_auth_cert(vec![certificate], key).map_err(failure)
    }

    pub(super) fn roots(&self) -> Result<Arc<RootCertStore>, FaultError> {
        let mut roots = RootCertStore::empty();
        roots.add(self.certificate.clone()).map_err(failure)?;
        Ok(Arc::new(roots))
    }

    fn sign(
        &self,
        name: &str,
        usage: ExtendedKeyUsagePurpose,
    ) -> Result<(CertificateDer<'static>, PrivateKeyDer<'static>), FaultError> {
        let mut parameters = CertificateParams::new(NAMES.map(str::to_owned)).map_err(failure)?;
        parameters.distinguished_name = DistinguishedName::new();
        parameters.distinguished_name.push(DnType::CommonName, name);
        parameters.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        parameters.extended_key_usages = vec![usage];
        let key = KeyPair::generate().map_err(failure)?;
        let certificate = parameters.signed_by(&key, &*self.issuer).map_err(failure)?;
        let key = PrivateKeyDer::try_from(key.serialize_der()).map_err(failure)?;
        Ok((certificate.der().clone(), key))
    }
}

fn provider() -> Arc<CryptoProvider> {
    Arc::new(rustls::crypto::ring::default_provider())
}

#[expect(clippy::needless_pass_by_value, reason = "the shape that `map_err` wants")]
fn failure(cause: impl ToString) -> FaultError {
    FaultError::Certificates(cause.to_string())
}
