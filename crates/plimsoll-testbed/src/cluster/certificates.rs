//! The cluster's own certificate authority and the identities it signs: elliptic-curve keys, made in a millisecond.

use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa, KeyPair,
    KeyUsagePurpose,
};

/// Signs every identity of one cluster.
pub(super) struct Authority {
    issuer: CertifiedIssuer<'static, KeyPair>,
}

/// A certificate and its key, both PEM.
#[derive(Debug)]
pub(super) struct Identity {
    pub(super) certificate: String,
    pub(super) key: String,
}

/// The key pair that service account tokens are signed with, both PEM.
#[derive(Debug)]
pub(super) struct TokenKeys {
    pub(super) private: String,
    pub(super) public: String,
}

impl Authority {
    /// A new authority.
    pub(super) fn new(name: &str) -> Result<Self, rcgen::Error> {
        let mut parameters = CertificateParams::default();
        parameters.distinguished_name = rcgen::DistinguishedName::new();
        parameters.distinguished_name.push(DnType::CommonName, name);
        parameters.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        parameters.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::DigitalSignature];
        Ok(Self { issuer: CertifiedIssuer::self_signed(parameters, KeyPair::generate()?)? })
    }

    /// Its own certificate and key, for the controller that signs requests.
    pub(super) fn identity(&self) -> Identity {
        Identity { certificate: self.issuer.pem(), key: self.issuer.key().serialize_pem() }
    }

    /// A client: its user name and its group.
    pub(super) fn client(&self, user: &str, group: Option<&str>) -> Result<Identity, rcgen::Error> {
        let mut parameters = CertificateParams::default();
        parameters.distinguished_name = rcgen::DistinguishedName::new();
        if let Some(group) = group {
            parameters.distinguished_name.push(DnType::OrganizationName, group);
        }
        parameters.distinguished_name.push(DnType::CommonName, user);
        self.sign(parameters, ExtendedKeyUsagePurpose::ClientAuth)
    }

    /// A server and the names and addresses it answers to.
    pub(super) fn server(&self, name: &str, answers_to: &[&str]) -> Result<Identity, rcgen::Error> {
        let names: Vec<String> = answers_to.iter().map(|name| (*name).to_owned()).collect();
        let mut parameters = CertificateParams::new(names)?;
        parameters.distinguished_name = rcgen::DistinguishedName::new();
        parameters.distinguished_name.push(DnType::CommonName, name);
        self.sign(parameters, ExtendedKeyUsagePurpose::ServerAuth)
    }

    fn sign(
        &self,
        mut parameters: CertificateParams,
        usage: ExtendedKeyUsagePurpose,
    ) -> Result<Identity, rcgen::Error> {
        parameters.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        parameters.extended_key_usages = vec![usage];
        parameters.use_authority_key_identifier_extension = true;
        let key = KeyPair::generate()?;
        let certificate = parameters.signed_by(&key, &self.issuer)?;
        Ok(Identity { certificate: certificate.pem(), key: key.serialize_pem() })
    }
}

impl TokenKeys {
    /// A new pair.
    pub(super) fn new() -> Result<Self, rcgen::Error> {
        let pair = KeyPair::generate()?;
        Ok(Self { private: pair.serialize_pem(), public: pair.public_key_pem() })
    }
}
