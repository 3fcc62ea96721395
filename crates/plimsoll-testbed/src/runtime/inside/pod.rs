//! The first process in a pod's namespaces: names the host, sets the kernel's settings, and becomes `ip`.

use super::{InsideError, step};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

/// Sets a pod's namespaces up. With `network`, `ip` runs the script on standard input then, and this does not return.
pub fn pod(host_name: Option<&str>, settings: &[(String, String)], network: bool) -> Result<(), InsideError> {
    if let Some(name) = host_name {
        rustix::system::sethostname(name.as_bytes()).map_err(step("set the host name"))?;
    }
    if network {
        // Programs are not root here and yet listen where their images' root would, as with other runtimes.
        setting("net.ipv4.ip_unprivileged_port_start", "0")?;
    }
    for (name, value) in settings {
        setting(name, value)?;
    }
    if network {
        let cause = Command::new("ip").args(["-batch", "-"]).exec();
        return Err(step("run ip")(cause));
    }
    Ok(())
}

fn setting(name: &str, value: &str) -> Result<(), InsideError> {
    let path = Path::new("/proc/sys").join(name.replace('.', "/"));
    std::fs::write(path, value).map_err(step(format!("set {name} to {value}")))
}
