//! What is in a file: text, as nearly always, or any bytes.

use std::ops::Deref;
use std::sync::Arc;

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// The bytes of a file, which all who hold them share.
#[derive(Debug, Clone)]
pub enum Content {
    /// They are UTF-8.
    Text(Arc<str>),
    /// They are not.
    Bytes(Arc<[u8]>),
}

impl Content {
    /// The content as text; what is no UTF-8 is shown as such.
    #[must_use]
    pub fn text(&self) -> Arc<str> {
        match self {
            Self::Text(text) => Arc::clone(text),
            Self::Bytes(bytes) => String::from_utf8_lossy(bytes).into(),
        }
    }
}

impl Deref for Content {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Text(text) => text.as_bytes(),
            Self::Bytes(bytes) => bytes,
        }
    }
}

impl Default for Content {
    fn default() -> Self {
        Self::Text(Arc::default())
    }
}

impl From<&[u8]> for Content {
    /// A byte order mark is left out.
    fn from(bytes: &[u8]) -> Self {
        let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
        str::from_utf8(bytes).map_or_else(|_| Self::Bytes(bytes.into()), |text| Self::Text(text.into()))
    }
}
