//! A small file server, for what pods shall fetch.

use super::failure::OperatorError;
use crate::lifetime;
use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use std::convert::Infallible;
use std::io::{self, Write as _};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

/// Serves the files of a folder over HTTP.
#[derive(Clone, Debug, clap::Args)]
pub struct ServeSettings {
    /// The folder; what lies in folders below it is not served
    pub folder: PathBuf,
    /// Where to listen
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    pub address: SocketAddr,
    /// End when standard input does, so that it ends with the process that started it
    #[arg(long)]
    pub while_input: bool,
}

impl ServeSettings {
    /// Says on standard output when it listens, and runs until the process is ended.
    pub async fn run(self) -> Result<(), OperatorError> {
        let failure = |cause| OperatorError::Serve { address: self.address, cause };
        let listener = TcpListener::bind(self.address).await.map_err(failure)?;
        let line = format!("{} is served at http://{}\n", self.folder.display(), self.address);
        io::stdout().write_all(line.as_bytes()).map_err(failure)?;
        let (ended, end) = oneshot::channel();
        if self.while_input {
            // Not the runtime's thread: nobody waits for it when a signal ends the process.
            thread::spawn(move || {
                let _ = io::copy(&mut io::stdin(), &mut io::sink());
                let _ = ended.send(());
            });
        }
        tokio::select! {
            () = accept(listener, self.folder.into()) => {}
            Ok(()) = end => {}
            () = lifetime::until_ended() => {}
        }
        Ok(())
    }
}

async fn accept(listener: TcpListener, folder: Arc<Path>) {
    loop {
        // A connection that broke before it was taken harms nobody.
        let Ok((stream, _)) = listener.accept().await else { continue };
        let folder = Arc::clone(&folder);
        tokio::spawn(async move {
            let answer = service_fn(|request| answer(Arc::clone(&folder), request));
            // The client sees a broken connection itself.
            let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), answer).await;
        });
    }
}

async fn answer(folder: Arc<Path>, request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Infallible> {
    let content = match name(request.uri().path()) {
        Some(name) => tokio::fs::read(folder.join(name)).await.ok(),
        None => None,
    };
    let code = if content.is_some() { StatusCode::OK } else { StatusCode::NOT_FOUND };
    let mut response = Response::new(Full::from(content.unwrap_or_default()));
    *response.status_mut() = code;
    Ok(response)
}

/// The file that a path names, if it is one in the folder itself.
fn name(path: &str) -> Option<&str> {
    path.strip_prefix('/').filter(|name| !name.is_empty() && !name.contains('/') && *name != "..")
}

#[cfg(test)]
mod tests {
    use super::name;

    #[test]
    fn only_files_of_the_folder_itself_have_names() {
        assert_eq!(name("/tree.tar.gz"), Some("tree.tar.gz"));
        for path in ["/", "", "/..", "/../etc/passwd", "/a/b", "a"] {
            assert_eq!(name(path), None, "{path}");
        }
    }
}
