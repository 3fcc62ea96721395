//! Frames on the wire.

use std::io;
use tokio::io::{AsyncRead, AsyncReadExt};

/// The bit that tells control frames from data.
const CONTROL: u32 = 1 << 31;

/// The version, in the upper half of a control frame's first word.
const VERSION: u32 = 3 << 16;

/// No more comes from the sender of this frame on this stream.
const LAST: u8 = 1;

/// What is read and written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Frame {
    /// A new stream.
    Open { stream: u32, last: bool, block: Vec<u8> },
    /// It was accepted.
    Reply { stream: u32, block: Vec<u8> },
    /// It was broken off.
    Reset { stream: u32 },
    /// A sign of life, to be sent back.
    Ping { id: u32 },
    /// The connection ends.
    GoAway,
    /// Bytes of a stream.
    Data { stream: u32, last: bool, bytes: Vec<u8> },
    /// Something that needs no answer: settings, windows.
    Other,
}

/// Reads one frame.
pub(super) async fn read_frame(reader: &mut (impl AsyncRead + Unpin)) -> io::Result<Frame> {
    let first = reader.read_u32().await?;
    let second = reader.read_u32().await?;
    let last = second >> 24 & u32::from(LAST) != 0;
    let length = u64::from(second & 0x00ff_ffff);
    let mut content = Vec::new();
    if reader.take(length).read_to_end(&mut content).await? as u64 != length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    if first & CONTROL == 0 {
        return Ok(Frame::Data { stream: first, last, bytes: content });
    }
    let word = || {
        let bytes = content.get(..4).and_then(|bytes| bytes.try_into().ok());
        bytes.map(u32::from_be_bytes).ok_or(io::ErrorKind::InvalidData)
    };
    Ok(match first & 0xffff {
        // After the stream come the associated stream, a priority and a slot.
        1 => Frame::Open { stream: word()?, last, block: content.split_off(content.len().min(10)) },
        2 => Frame::Reply { stream: word()?, block: content.split_off(content.len().min(4)) },
        3 => Frame::Reset { stream: word()? },
        6 => Frame::Ping { id: word()? },
        7 => Frame::GoAway,
        _ => Frame::Other,
    })
}

impl Frame {
    /// The frame on the wire.
    pub(super) fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Data { stream, last, bytes } => framed(*stream, *last, bytes),
            Self::Open { stream, last, block } => {
                framed(control(1), *last, &[&stream.to_be_bytes()[..], &[0; 6], block].concat())
            }
            Self::Reply { stream, block } => {
                framed(control(2), false, &[&stream.to_be_bytes()[..], block].concat())
            }
            // Status 5: cancelled.
            Self::Reset { stream } => {
                framed(control(3), false, &[stream.to_be_bytes(), 5_u32.to_be_bytes()].concat())
            }
            Self::Ping { id } => framed(control(6), false, &id.to_be_bytes()),
            Self::GoAway => framed(control(7), false, &[0; 8]),
            Self::Other => Vec::new(),
        }
    }
}

fn control(kind: u32) -> u32 {
    CONTROL | VERSION | kind
}

fn framed(first: u32, last: bool, content: &[u8]) -> Vec<u8> {
    let length = u32::try_from(content.len()).unwrap_or(u32::MAX) & 0x00ff_ffff;
    let second = u32::from(last) << 24 | length;
    [&first.to_be_bytes(), &second.to_be_bytes(), content].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn frames_are_read_as_they_were_written() {
        let frames = [
            Frame::Open { stream: 1, last: true, block: vec![9, 8] },
            Frame::Reply { stream: 1, block: vec![7] },
            Frame::Reset { stream: 3 },
            Frame::Ping { id: 5 },
            Frame::GoAway,
            Frame::Data { stream: 1, last: true, bytes: b"end".to_vec() },
        ];
        let bytes: Vec<u8> = frames.iter().flat_map(Frame::bytes).collect();
        let mut reader = bytes.as_slice();
        for frame in frames {
            assert_eq!(read_frame(&mut reader).await.expect("a frame"), frame);
        }
        assert!(read_frame(&mut reader).await.is_err(), "nothing is left");
    }

    #[tokio::test]
    async fn a_frame_cut_short_is_an_error() {
        let bytes = Frame::Data { stream: 1, last: false, bytes: b"whole".to_vec() }.bytes();
        assert!(read_frame(&mut &bytes[..bytes.len() - 1]).await.is_err());
    }
}
