//! Header blocks: compressed with one state for the whole connection, beginning with a dictionary of the protocol's.

use flate2::{Compress, Compression, Decompress, FlushCompress, FlushDecompress, Status};
use std::collections::BTreeMap;
use std::io;

/// draft-mbelshe-httpbis-spdy-00, section 2.6.10.1.
const DICTIONARY: &[u8] = include_bytes!("dictionary.bin");

/// The largest block that is read.
const LARGEST: usize = 64 * 1024;

/// Headers of a stream, by lower-case name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Headers(BTreeMap<String, String>);

impl Headers {
    /// One header, or nothing.
    pub(crate) fn get(&self, name: &str) -> &str {
        self.0.get(name).map_or("", String::as_str)
    }
}

/// Reads the header blocks of one connection.
pub(super) struct Decompressor(Decompress);

impl Default for Decompressor {
    fn default() -> Self {
        Self(Decompress::new(true))
    }
}

impl Decompressor {
    /// The headers of the next block.
    pub(super) fn read(&mut self, block: &[u8]) -> io::Result<Headers> {
        let mut text = Vec::with_capacity(LARGEST);
        let before = self.0.total_in();
        loop {
            let used = usize::try_from(self.0.total_in() - before).unwrap_or(usize::MAX);
            let rest = block.get(used..).unwrap_or_default();
            if rest.is_empty() {
                return parse(&text).ok_or_else(|| io::ErrorKind::InvalidData.into());
            }
            match self.0.decompress_vec(rest, &mut text, FlushDecompress::Sync) {
                Ok(Status::Ok) if text.len() < LARGEST => {}
                Ok(_) => return Err(io::ErrorKind::InvalidData.into()),
                Err(error) if error.needs_dictionary().is_some() => {
                    self.0.set_dictionary(DICTIONARY).map_err(io::Error::other)?;
                }
                Err(error) => return Err(io::Error::other(error)),
            }
        }
    }
}

/// Writes the header blocks of one connection.
#[derive(Default)]
pub(super) struct Compressor(Option<Compress>);

impl Compressor {
    /// The next block.
    pub(super) fn write(&mut self, headers: &Headers) -> io::Result<Vec<u8>> {
        let compress = match &mut self.0 {
            Some(compress) => compress,
            unused => {
                let mut compress = Compress::new(Compression::default(), true);
                compress.set_dictionary(DICTIONARY).map_err(io::Error::other)?;
                unused.insert(compress)
            }
        };
        let mut block = Vec::with_capacity(LARGEST);
        compress.compress_vec(&text(headers), &mut block, FlushCompress::Sync).map_err(io::Error::other)?;
        Ok(block)
    }
}

fn text(headers: &Headers) -> Vec<u8> {
    let word = |length: usize| u32::try_from(length).unwrap_or(u32::MAX).to_be_bytes();
    let mut text = word(headers.0.len()).to_vec();
    for part in headers.0.iter().flat_map(|(name, value)| [name, value]) {
        text.extend(word(part.len()));
        text.extend(part.as_bytes());
    }
    text
}

fn parse(mut text: &[u8]) -> Option<Headers> {
    let mut headers = BTreeMap::new();
    for _ in 0..word(&mut text)? {
        let name = part(&mut text)?.to_lowercase();
        headers.insert(name, part(&mut text)?);
    }
    Some(Headers(headers))
}

fn word(text: &mut &[u8]) -> Option<u32> {
    let (first, rest) = text.split_first_chunk()?;
    *text = rest;
    Some(u32::from_be_bytes(*first))
}

fn part(text: &mut &[u8]) -> Option<String> {
    let length = usize::try_from(word(text)?).ok()?;
    let (part, rest) = text.split_at_checked(length)?;
    *text = rest;
    String::from_utf8(part.to_vec()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_share_one_state() {
        let headers = |value: &str| Headers(BTreeMap::from([("streamtype".to_owned(), value.to_owned())]));
        let (mut compressor, mut decompressor) = (Compressor::default(), Decompressor::default());
        for value in ["error", "stdin", "", "stdout"] {
            let block = compressor.write(&headers(value)).expect("a block");
            assert_eq!(decompressor.read(&block).expect("headers").get("streamtype"), value);
        }
    }

    #[test]
    fn nonsense_is_refused() {
        assert!(Decompressor::default().read(b"nonsense").is_err());
        assert_eq!(parse(&[0, 0, 0, 9, 0]), None);
        assert_eq!(parse(&[0, 0, 0, 1, 0xff, 0xff, 0xff, 0xff]), None);
    }
}
