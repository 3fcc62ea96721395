//! Sums of a text.

use crate::template::function::{Call, Function, Outcome, Parameter};
use sha1::Sha1;
use sha2::{Digest, Sha256, Sha512};

pub(super) const FUNCTIONS: &[Function] = &[
    Function::new("sha1sum", &[Parameter::Text], sum::<Sha1>),
    Function::new("sha256sum", &[Parameter::Text], sum::<Sha256>),
    Function::new("sha512sum", &[Parameter::Text], sum::<Sha512>),
    Function::new("adler32sum", &[Parameter::Text], adler32),
];

fn sum<D: Digest>(call: &mut Call<'_>) -> Outcome {
    let digest = D::digest(call.text(0).bytes());
    Ok(data_encoding::HEXLOWER.encode(&digest).into())
}

fn adler32(call: &mut Call<'_>) -> Outcome {
    let (low, high) = call.text(0).bytes().iter().fold((1u32, 0u32), |(low, high), byte| {
        let low = (low + u32::from(*byte)) % 65_521;
        (low, (high + low) % 65_521)
    });
    Ok((high << 16 | low).to_string().into())
}
