//! Making the Service range this namespace's own.

use super::NetworkError;
use tokio::process::Command;

/// Adds the range to `lo`. Every address of a range on `lo` is local, so that each can be listened on, and one that
/// nobody listens on refuses. `replace` makes it no error to do it again.
pub(super) async fn make_local(range: &str) -> Result<(), NetworkError> {
    let failure = |cause: String| NetworkError::Range { range: range.to_owned(), cause };
    let output = Command::new("ip").args(["address", "replace", range, "dev", "lo"]).output().await;
    let output = output.map_err(|cause| failure(cause.to_string()))?;
    if output.status.success() {
        return Ok(());
    }
    Err(failure(String::from_utf8_lossy(&output.stderr).trim().to_owned()))
}
