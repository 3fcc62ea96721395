//! From bytes to text, by byte order marks as kubectl does.
//!
//! Read from `k8s.io/cli-runtime` v0.36.4 `pkg/resource/visitor.go` (`FileVisitor.Visit`): UTF-8, unless a mark says
//! UTF-16. Other than kubectl, which replaces bytes that are not UTF-8, this refuses them.

/// The text of a file without its byte order mark, or the place in bytes of what is not text.
pub(crate) fn decode(bytes: Vec<u8>) -> Result<String, usize> {
    if let Some(rest) = bytes.strip_prefix(b"\xFF\xFE") {
        return utf16(rest, u16::from_le_bytes);
    }
    if let Some(rest) = bytes.strip_prefix(b"\xFE\xFF") {
        return utf16(rest, u16::from_be_bytes);
    }
    let mut text = String::from_utf8(bytes).map_err(|error| error.utf8_error().valid_up_to())?;
    if text.starts_with('\u{FEFF}') {
        text.drain(..'\u{FEFF}'.len_utf8());
    }
    Ok(text)
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<String, usize> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    if !rest.is_empty() {
        return Err(bytes.len());
    }
    let units: Vec<u16> = pairs.iter().map(|pair| unit(*pair)).collect();
    String::from_utf16(&units).map_err(|_| 0)
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn marks_decide() {
        assert_eq!(decode(b"a: 1".to_vec()), Ok("a: 1".to_owned()));
        assert_eq!(decode(b"\xEF\xBB\xBFa".to_vec()), Ok("a".to_owned()));
        assert_eq!(decode(b"\xFF\xFEa\0\xE4\0".to_vec()), Ok("aä".to_owned()));
        assert_eq!(decode(b"\xFE\xFF\0a".to_vec()), Ok("a".to_owned()));
        assert_eq!(decode(b"\xFE\xFF\0".to_vec()), Err(1));
        assert_eq!(decode(b"ab\xFF".to_vec()), Err(2));
    }
}
