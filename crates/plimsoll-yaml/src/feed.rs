//! The text as the YAML scanner is given it.

use std::io::{BufRead, Read};

/// Hands the text to the scanner in small parts, so that it holds only a few decoded characters at a time, and ends
/// it with a line break: the scanner panics on some texts that lack it, and kubectl ends every line the same way.
pub(super) struct Feed<'t> {
    text: &'t [u8],
    newline: &'static [u8],
}

impl<'t> Feed<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text: text.as_bytes(), newline: b"\n" }
    }
}

const FEED_BYTES: usize = 4096;

impl Read for Feed<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

impl BufRead for Feed<'_> {
    fn fill_buf(&mut self) -> std::io::Result<&[u8]> {
        if self.text.is_empty() {
            return Ok(self.newline);
        }
        let mut end = self.text.len().min(FEED_BYTES);
        // Never cut a character: the scanner decodes each part on its own.
        while self.text.get(end).is_some_and(|byte| byte & 0xC0 == 0x80) {
            end -= 1;
        }
        Ok(self.text.get(..end).unwrap_or(self.text))
    }

    fn consume(&mut self, count: usize) {
        match self.text.get(count..) {
            Some(rest) if !self.text.is_empty() => self.text = rest,
            _ => self.newline = self.newline.get(count..).unwrap_or_default(),
        }
    }
}
