//! Functions that make something new each time: keys, certificates, passwords, random texts.
//!
//! Here each makes the same each time, of the right shape, so that one chart has one rendering. Everything made here
//! says so: `stand-in` is part of it where there is room.

use crate::template::function::{Call, Function, Outcome, Parameter};
use crate::template::value::{Item, Member, Object, Value};
use sha2::{Digest, Sha256};
use std::any::Any;
use std::rc::Rc;

pub(super) const FUNCTIONS: &[Function] = &[
    Function::new("randAlphaNum", &[Parameter::Int], |call| random(call, ALPHANUMERIC)),
    Function::new("randAlpha", &[Parameter::Int], |call| random(call, ALPHABET)),
    Function::new("randNumeric", &[Parameter::Int], |call| random(call, "0123456789")),
    Function::new("randAscii", &[Parameter::Int], |call| random(call, ALPHANUMERIC)),
    Function::new("randBytes", &[Parameter::Int], rand_bytes),
    Function::new("randInt", &[Parameter::Int, Parameter::Int], |call| Ok(Value::Int(call.int(0)).into())),
    Function::new("shuffle", &[Parameter::Text], |call| Ok(call.item(0))),
    Function::new("uuidv4", &[], uuid),
    Function::new("bcrypt", &[Parameter::Text], bcrypt),
    Function::new("htpasswd", &[Parameter::Text, Parameter::Text], htpasswd),
    Function::new("genPrivateKey", &[Parameter::Text], private_key),
    Function::new("genCA", &[Parameter::Text, Parameter::Int], |call| certificate(call, "CERTIFICATE")),
    Function::new("genCAWithKey", &[Parameter::Text, Parameter::Int, Parameter::Text], |call| {
        certificate(call, "CERTIFICATE")
    }),
    Function::new("genSelfSignedCert", SELF_SIGNED, |call| certificate(call, "CERTIFICATE")),
    Function::new("genSelfSignedCertWithKey", SELF_SIGNED_WITH_KEY, |call| certificate(call, "CERTIFICATE")),
    Function::new("genSignedCert", SIGNED, |call| certificate(call, "CERTIFICATE")),
    Function::new("genSignedCertWithKey", SIGNED_WITH_KEY, |call| certificate(call, "CERTIFICATE")),
    Function::new("buildCustomCert", &[Parameter::Text, Parameter::Text], custom_certificate),
    Function::new("derivePassword", DERIVED, |call| random_of(call, 16, ALPHANUMERIC)),
    Function::new("encryptAES", &[Parameter::Text, Parameter::Text], |call| {
        random_of(call, 44, ALPHANUMERIC)
    }),
    Function::new("decryptAES", &[Parameter::Text, Parameter::Text], |_| Ok("stand-in".into())),
];

const SELF_SIGNED: &[Parameter] = &[Parameter::Text, Parameter::List, Parameter::List, Parameter::Int];
const SELF_SIGNED_WITH_KEY: &[Parameter] =
    &[Parameter::Text, Parameter::List, Parameter::List, Parameter::Int, Parameter::Text];
const SIGNED: &[Parameter] =
    &[Parameter::Text, Parameter::List, Parameter::List, Parameter::Int, Parameter::Certificate];
const SIGNED_WITH_KEY: &[Parameter] = &[
    Parameter::Text,
    Parameter::List,
    Parameter::List,
    Parameter::Int,
    Parameter::Certificate,
    Parameter::Text,
];
const DERIVED: &[Parameter] =
    &[Parameter::Uint32, Parameter::Text, Parameter::Text, Parameter::Text, Parameter::Text];
const ALPHABET: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const ALPHANUMERIC: &str = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

fn random(call: &mut Call<'_>, alphabet: &str) -> Outcome {
    let length = usize::try_from(call.int(0)).unwrap_or_default();
    random_of(call, length, alphabet)
}

/// A text that looks random and depends on nothing but its length and alphabet.
fn random_of(call: &mut Call<'_>, length: usize, alphabet: &str) -> Outcome {
    call.machine.meter.make(length)?;
    let letters: Vec<char> = alphabet.chars().collect();
    let mut state = 0x9E37_79B9_7F4A_7C15_u64 ^ length as u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state >> 33).unwrap_or_default() % letters.len().max(1)
    };
    let text: String = (0..length).filter_map(|_| letters.get(next()).copied()).collect();
    Ok(text.into())
}

fn rand_bytes(call: &mut Call<'_>) -> Outcome {
    let length = usize::try_from(call.int(0)).unwrap_or_default();
    call.machine.meter.make(length.saturating_mul(2))?;
    Ok(data_encoding::BASE64.encode(&vec![0x5A; length]).into())
}

fn uuid(_: &mut Call<'_>) -> Outcome {
    Ok("00000000-0000-4000-8000-000000000000".into())
}

fn bcrypt(_: &mut Call<'_>) -> Outcome {
    Ok(BCRYPT.into())
}

const BCRYPT: &str = "$2a$10$standinstandinstandinOstandinstandinstandinstandinstan";

fn htpasswd(call: &mut Call<'_>) -> Outcome {
    if call.str(0).contains(':') {
        return Ok(format!("invalid username: {}", call.str(0)).into());
    }
    Ok(format!("{}:{BCRYPT}", call.str(0)).into())
}

fn private_key(call: &mut Call<'_>) -> Outcome {
    let label = match call.str(0) {
        "" | "rsa" => "RSA PRIVATE KEY",
        "dsa" => "DSA PRIVATE KEY",
        "ecdsa" => "EC PRIVATE KEY",
        "ed25519" => "PRIVATE KEY",
        other => return Ok(format!("Unknown type {other}").into()),
    };
    Ok(block(label, call.str(0)).into())
}

/// A block as keys and certificates are written in, with a sum of its subject as its content.
fn block(label: &str, subject: &str) -> String {
    let sum = Sha256::digest(subject);
    let text = format!("stand-in for {label}: {}", data_encoding::HEXLOWER.encode(&sum));
    let content = data_encoding::BASE64.encode(text.as_bytes());
    let lines: Vec<&str> =
        content.as_bytes().chunks(64).map(|line| std::str::from_utf8(line).unwrap_or_default()).collect();
    format!("-----BEGIN {label}-----\n{}\n-----END {label}-----\n", lines.join("\n"))
}

fn certificate(call: &mut Call<'_>, label: &str) -> Outcome {
    let subject = call.str(0);
    made(block(label, subject), block("RSA PRIVATE KEY", subject))
}

fn custom_certificate(call: &mut Call<'_>) -> Outcome {
    let decode = |index: usize, what: &str| {
        let bytes = data_encoding::BASE64.decode(call.str(index).as_bytes());
        bytes
            .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
            .map_err(|_| format!("unable to decode base64 {what}"))
    };
    made(decode(0, "certificate")?, decode(1, "private key")?)
}

fn made(certificate: String, key: String) -> Outcome {
    let object = Certificate { certificate: certificate.into(), key: key.into() };
    Ok(Value::Object(Rc::new(object)).into())
}

/// A certificate and its key.
#[derive(Debug)]
struct Certificate {
    certificate: Rc<str>,
    key: Rc<str>,
}

impl Object for Certificate {
    fn type_name(&self) -> &'static str {
        "sprig.certificate"
    }

    fn member(&self, name: &str) -> Option<Member> {
        match name {
            "Cert" => Some(Member::Field(Item::from(&*self.certificate))),
            "Key" => Some(Member::Field(Item::from(&*self.key))),
            _ => None,
        }
    }

    fn print(&self) -> String {
        format!("{{{} {}}}", self.certificate, self.key)
    }

    fn plain(&self) -> Value {
        let texts = [("Cert", Value::from(&*self.certificate)), ("Key", Value::from(&*self.key))];
        crate::template::value::Map::of_values(texts).into()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
