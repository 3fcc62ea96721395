//! The log of a container in the format that the kubelet reads: `TIME stdout F line`, one piece a line.

use jiff::Timestamp;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::sync::broadcast;

/// The longest piece written as one line; longer lines are marked as going on, as other runtimes do.
const LONGEST: usize = 16 * 1024;

/// Which of a process's outputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Output {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
}

/// A log file that two outputs share, and those who listen to them.
#[derive(Debug)]
pub(crate) struct Log {
    path: PathBuf,
    file: Mutex<Option<File>>,
    listeners: broadcast::Sender<(Output, Vec<u8>)>,
}

impl Log {
    /// Opens a log, with the folders above it. A pod without a log folder has none.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let file = if path.as_os_str().is_empty() { None } else { Some(append(path)?) };
        Ok(Self { path: path.to_owned(), file: Mutex::new(file), listeners: broadcast::channel(256).0 })
    }

    /// Opens the file anew, after the kubelet has moved it away.
    pub(crate) fn reopen(&self) -> io::Result<()> {
        let file = append(&self.path)?;
        *self.file.lock().unwrap_or_else(PoisonError::into_inner) = Some(file);
        Ok(())
    }

    /// Everything the container writes from now on.
    #[must_use]
    pub(crate) fn listen(&self) -> broadcast::Receiver<(Output, Vec<u8>)> {
        self.listeners.subscribe()
    }

    /// Writes all that comes from an output, until it ends.
    pub(crate) async fn follow(&self, output: Output, mut from: impl AsyncRead + Unpin) {
        let mut pending = Vec::new();
        let mut piece = vec![0; LONGEST];
        loop {
            let read = from.read(&mut piece).await.unwrap_or(0);
            let fresh = piece.get(..read).unwrap_or_default();
            if fresh.is_empty() {
                break;
            }
            // Nobody listening is the usual case and no error.
            let _ = self.listeners.send((output, fresh.to_vec()));
            pending.extend_from_slice(fresh);
            self.write(&lines(output, Timestamp::now(), &mut pending));
        }
        if !pending.is_empty() {
            self.write(&line(output, Timestamp::now(), "P", &pending));
        }
    }

    fn write(&self, text: &[u8]) {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(file) = file.as_mut() {
            // A full disk loses log lines; it must not stop the container.
            let _ = file.write_all(text);
        }
    }
}

fn append(path: &Path) -> io::Result<File> {
    path.parent().map_or(Ok(()), std::fs::create_dir_all)?;
    OpenOptions::new().create(true).append(true).open(path)
}

/// Takes the whole lines from what has been read, and cuts those that are too long.
fn lines(output: Output, time: Timestamp, pending: &mut Vec<u8>) -> Vec<u8> {
    let mut text = Vec::new();
    loop {
        let end = pending.iter().take(LONGEST + 1).position(|byte| *byte == b'\n');
        match end {
            Some(end) => {
                let rest = pending.split_off(end + 1);
                pending.pop();
                text.extend(line(output, time, "F", pending));
                *pending = rest;
            }
            None if pending.len() >= LONGEST => {
                let rest = pending.split_off(LONGEST);
                text.extend(line(output, time, "P", pending));
                *pending = rest;
            }
            None => return text,
        }
    }
}

fn line(output: Output, time: Timestamp, tag: &str, content: &[u8]) -> Vec<u8> {
    let name = match output {
        Output::Stdout => "stdout",
        Output::Stderr => "stderr",
    };
    let mut line = format!("{time:.9} {name} {tag} ").into_bytes();
    line.extend_from_slice(content);
    line.push(b'\n');
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(pieces: &[&str]) -> (String, String) {
        let time = Timestamp::new(1_700_000_000, 5).expect("a time");
        let mut pending = Vec::new();
        let mut text = Vec::new();
        for piece in pieces {
            pending.extend_from_slice(piece.as_bytes());
            text.extend(lines(Output::Stderr, time, &mut pending));
        }
        (String::from_utf8(text).expect("text"), String::from_utf8(pending).expect("text"))
    }

    #[test]
    fn whole_lines_are_written_with_time_and_output() {
        let (text, rest) = written(&["one\ntw", "o\n\nthree"]);
        let time = "2023-11-14T22:13:20.000000005Z stderr F";
        assert_eq!(text, format!("{time} one\n{time} two\n{time} \n"));
        assert_eq!(rest, "three", "waits for its end");
    }

    #[test]
    fn long_lines_go_on() {
        let (text, rest) = written(&["x".repeat(LONGEST + 2).as_str(), "y\n"]);
        let tags: Vec<(&str, usize)> = text
            .lines()
            .map(|line| {
                (line.split(' ').nth(2).expect("a tag"), line.rsplit(' ').next().expect("text").len())
            })
            .collect();
        assert_eq!(tags, [("P", LONGEST), ("F", 3)]);
        assert_eq!(rest, "");
    }

    #[tokio::test]
    async fn a_log_moved_away_is_opened_anew() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("pod/container/0.log");
        let log = Log::open(&path).expect("a log");
        log.follow(Output::Stdout, &b"before\n"[..]).await;
        std::fs::rename(&path, folder.path().join("old")).expect("moved");
        log.reopen().expect("opened");
        log.follow(Output::Stdout, &b"after"[..]).await;
        let text = std::fs::read_to_string(&path).expect("a log");
        assert!(text.ends_with(" stdout P after\n") && !text.contains("before"), "{text}");
    }
}
