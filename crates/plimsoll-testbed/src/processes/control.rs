//! The socket of a process that runs programs: programs are stopped, started again and listed through it. JSON, one
//! question and one answer a connection.

use super::children::Children;
use super::state::State;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};

/// The socket lies in the folder of the process under this name.
const SOCKET: &str = "control.sock";

/// Why a program could not be stopped, started or asked after.
#[derive(Debug, thiserror::Error)]
pub enum ControlError {
    /// Nobody listens: the cluster or the node is gone.
    #[error("nothing listens on {}: {cause}; is the cluster still there?", socket.display())]
    Gone {
        /// Where it was asked.
        socket: PathBuf,
        /// Why it did not work.
        cause: io::Error,
    },
    /// It could not be done.
    #[error("{0}")]
    Refused(String),
}

/// Waits until a program that was started again is of use.
type Settle<'a> = dyn Fn(&str) -> io::Result<()> + 'a;

#[derive(Debug, Serialize, Deserialize)]
enum Wish {
    Stop(String),
    Start(String),
    List,
}

/// Stops a program of the process that lives in this folder, at once (`SIGKILL`), and waits until it is gone.
pub fn ask_stop(folder: &Path, program: &str) -> Result<(), ControlError> {
    ask(folder, &Wish::Stop(program.to_owned())).map(drop)
}

/// Starts a program that is stopped or has ended, and waits until it is ready.
pub fn ask_start(folder: &Path, program: &str) -> Result<(), ControlError> {
    ask(folder, &Wish::Start(program.to_owned())).map(drop)
}

/// Lists the programs.
pub fn ask_states(folder: &Path) -> Result<BTreeMap<String, State>, ControlError> {
    ask(folder, &Wish::List)
}

fn ask(folder: &Path, wish: &Wish) -> Result<BTreeMap<String, State>, ControlError> {
    let socket = folder.join(SOCKET);
    let answer = exchange(&socket, wish).map_err(|cause| ControlError::Gone { socket, cause })?;
    answer.map_err(ControlError::Refused)
}

fn exchange(socket: &Path, wish: &Wish) -> io::Result<Result<BTreeMap<String, State>, String>> {
    let mut stream = UnixStream::connect(socket)?;
    let mut question = serde_json::to_vec(wish)?;
    question.push(b'\n');
    stream.write_all(&question)?;
    let mut answer = String::new();
    BufReader::new(stream).read_line(&mut answer)?;
    Ok(serde_json::from_str(&answer)?)
}

/// The ear of a process that runs programs.
#[derive(Debug)]
pub(crate) struct Control {
    socket: UnixListener,
}

impl Control {
    /// Opens the socket in the folder of this process.
    pub(crate) fn bind(folder: &Path) -> io::Result<Self> {
        let path = folder.join(SOCKET);
        // One of an earlier life of this node.
        let _ = std::fs::remove_file(&path);
        Ok(Self { socket: UnixListener::bind(path)? })
    }

    /// Fulfils wishes for ever, one after the other, on the calling thread. `settle` waits for what a program that was
    /// started again needs beyond its own readiness.
    pub(crate) fn serve(&self, children: &Children, settle: &Settle<'_>) {
        for stream in self.socket.incoming().flatten() {
            // Whoever asked and went away does not need the answer.
            let _ = answer(&stream, children, settle);
        }
    }
}

fn answer(mut stream: &UnixStream, children: &Children, settle: &Settle<'_>) -> io::Result<()> {
    let mut question = String::new();
    BufReader::new(stream).read_line(&mut question)?;
    let done = match serde_json::from_str(&question)? {
        Wish::Stop(name) => children.stop(&name),
        Wish::Start(name) => children.start_again(&name).and_then(|()| settle(&name)),
        Wish::List => Ok(()),
    };
    let told: Result<BTreeMap<String, State>, String> =
        done.map(|()| children.states()).map_err(|cause| cause.to_string());
    let mut text = serde_json::to_vec(&told)?;
    text.push(b'\n');
    stream.write_all(&text)
}
