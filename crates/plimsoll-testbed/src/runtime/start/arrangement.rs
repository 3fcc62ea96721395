//! What a container shall be: the row of its image and the wishes of its pod put together.

use crate::runtime::container::Container;
use crate::runtime::error::RuntimeError;
use crate::runtime::inside::{Entry, Identity, Mount, Specification};
use crate::runtime::interface::{ContainerConfig, LinuxContainerSecurityContext};
use crate::runtime::node::Node;
use crate::runtime::pod::Pod;
use crate::runtime::ports;
use crate::runtime::probed::{self, Part};
use crate::runtime::table::{Behaviour, Deed, Row, Source, User};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Where the table's programs stand in a container.
const PROGRAMS: &str = "/.plimsoll/bin";

/// Where a container looks for programs, unless its pod says.
const PATH: &str = "/.plimsoll/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// A container about to be started.
pub(super) struct Arrangement {
    /// For its process 1.
    pub(super) specification: Specification,
    /// What it does, if it only behaves.
    pub(super) deed: Option<Deed>,
}

impl Arrangement {
    pub(super) async fn of(node: &Node, container: &Container) -> Result<Self, RuntimeError> {
        let pod = node.pod(&container.pod).await?;
        let config = &container.config;
        let image = container.image().to_owned();
        let row = node.row(&image).await?;
        let row = row.ok_or(RuntimeError::Pull {
            image: image.clone(),
            cause: "its row is no longer in the image table".to_owned(),
        })?;
        let attempt = config.metadata.as_ref().map_or(0, |metadata| metadata.attempt);
        let (words, programs, deed) = if let Source::Behaviour(behaviour) = &row.source {
            let Part { ports, is_awaited } = part(node, &pod, config).await;
            // Nobody meant that a pod shall wait for it for ever.
            let behaviour =
                if row.is_for_others && is_awaited { behaviour.ending() } else { behaviour.clone() };
            let deed = behaviour.deed(attempt);
            let (mut words, program) = behaving(&node.program, &behaviour, attempt, &ports);
            let (trust, authority) = trusted(config, &deed, node.options.authority.as_deref());
            words.extend(trust);
            // The nodes share one network namespace: on all addresses of it only one of them could listen.
            let shared = node.options.node_address.filter(|_| pod.address.is_none());
            words.extend(shared.map(|address| format!("--address={address}")));
            (words, [vec![program], authority].concat(), Some(deed))
        } else {
            let (words, programs) = running(node, config, &row, &image)?;
            (words, programs, None)
        };
        let security =
            config.linux.as_ref().and_then(|linux| linux.security_context.clone()).unwrap_or_default();
        let own = pod.files().into_iter().map(|(from, to)| Mount { from, to, read_only: false });
        let asked = config.mounts.iter().map(|mount| Mount {
            from: mount.host_path.clone().into(),
            to: mount.container_path.clone().into(),
            read_only: mount.readonly,
        });
        let entry = Entry {
            words,
            environment: environment(config, &row, &pod.config.hostname),
            working_folder: working_folder(config, &row),
            identity: identity(&security, &row.user),
            terminal: config.tty,
        };
        let specification = Specification {
            machine: node.options.machine.clone(),
            folder: container.folder.clone(),
            namespaces: pod.namespaces(),
            mounts: programs.into_iter().chain(own).chain(asked).collect(),
            read_only: security.readonly_rootfs,
            entry,
        };
        Ok(Self { specification, deed })
    }
}

/// The words to run, and the programs that must stand in the container for it.
fn running(
    node: &Node,
    config: &ContainerConfig,
    row: &Row,
    image: &str,
) -> Result<(Vec<String>, Vec<Mount>), RuntimeError> {
    let mut words = row.words(&config.command, &config.args);
    let brought = row.brings.iter().map(|name| node.locate(name, image).map(placed));
    let mut programs = brought.collect::<Result<Vec<_>, _>>()?;
    if let (Source::Program(_), Some(first)) = (&row.source, words.first_mut()) {
        let program = placed(node.locate(first, image)?);
        *first = program.to.to_string_lossy().into_owned();
        programs.push(program);
    }
    Ok((words, programs))
}

/// The words that let this program behave.
fn behaving(
    program: &Path,
    behaviour: &Behaviour,
    attempt: u32,
    ports: &BTreeSet<u16>,
) -> (Vec<String>, Mount) {
    let program = placed(program.to_owned());
    let mut words = vec![program.to.to_string_lossy().into_owned(), "behave".to_owned()];
    words.push(format!("--attempt={attempt}"));
    words.extend(ports.iter().map(|port| format!("--port={port}")));
    words.push(behaviour.text().to_owned());
    (words, program)
}

/// The words that say where certificates come from, and the authority that must stand in the container for it.
fn trusted(config: &ContainerConfig, deed: &Deed, authority: Option<&Path>) -> (Vec<String>, Vec<Mount>) {
    let kinds = ["/kubernetes.io~secret/", "/kubernetes.io~projected/"];
    let secrets =
        config.mounts.iter().filter(|mount| kinds.iter().any(|kind| mount.host_path.contains(kind)));
    let mut words: Vec<String> = secrets.map(|mount| format!("--mounted={}", mount.container_path)).collect();
    let is_trusted = matches!(deed, Deed::Listens { is_trusted: true, .. });
    let Some(authority) = authority.filter(|_| is_trusted) else { return (words, Vec::new()) };
    let (certificate, key) =
        (placed(authority.with_extension("crt")), placed(authority.with_extension("key")));
    words.push(format!("--authority={}", certificate.to.display()));
    (words, vec![certificate, key])
}

/// The ports that are declared, named in arguments, or probed; and whether others wait for its end.
async fn part(node: &Node, pod: &Pod, config: &ContainerConfig) -> Part {
    let mut part = Part::default();
    if let (Some(client), Some(of_pod), Some(own)) = (&node.client, &pod.config.metadata, &config.metadata) {
        part = probed::part(client, (&of_pod.namespace, &of_pod.name), &own.name).await;
    }
    part.ports.extend(ports::of(config));
    part
}

/// A program of the machine in a folder that every user of the container may enter.
fn placed(program: PathBuf) -> Mount {
    let to = Path::new(PROGRAMS).join(program.file_name().unwrap_or_default());
    Mount { from: program, to, read_only: true }
}

/// The image's variables, overridden by the pod's.
fn environment(config: &ContainerConfig, row: &Row, host_name: &str) -> Vec<(String, String)> {
    let usual = [("PATH".to_owned(), PATH.to_owned()), ("HOSTNAME".to_owned(), host_name.to_owned())];
    let terminal = config.tty.then(|| ("TERM".to_owned(), "xterm".to_owned()));
    let image = row.environment.iter().map(|(name, value)| (name.clone(), value.clone()));
    let pod =
        config.envs.iter().map(|env| (env.key.clone(), String::from_utf8_lossy(&env.value).into_owned()));
    usual.into_iter().chain(terminal).chain(image).chain(pod).collect()
}

fn working_folder(config: &ContainerConfig, row: &Row) -> PathBuf {
    let said = Some(config.working_dir.as_str()).filter(|folder| !folder.is_empty());
    PathBuf::from(said.or(row.working_folder.as_deref()).unwrap_or("/"))
}

/// The pod's user, or the image's.
fn identity(security: &LinuxContainerSecurityContext, image: &User) -> Identity {
    let number = |value: i64| u32::try_from(value).unwrap_or(u32::MAX);
    let user = match (&security.run_as_user, security.run_as_username.as_str()) {
        (Some(user), _) => user.value.to_string(),
        (None, "") => image.0.clone(),
        (None, name) => name.to_owned(),
    };
    let capabilities = security.capabilities.clone().unwrap_or_default();
    Identity {
        user,
        group: security.run_as_group.map(|group| number(group.value)),
        groups: security.supplemental_groups.iter().map(|group| number(*group)).collect(),
        privileged: security.privileged,
        added: capabilities.add_capabilities,
        dropped: capabilities.drop_capabilities,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runtime::interface::{Int64Value, KeyValue};

    #[test]
    fn the_pods_user_wins_over_the_images() {
        let image = User("65532".to_owned());
        let mut security = LinuxContainerSecurityContext::default();
        assert_eq!(identity(&security, &image).user, "65532");
        security.run_as_user = Some(Int64Value { value: 0 });
        security.run_as_group = Some(Int64Value { value: 7 });
        security.supplemental_groups = vec![2000];
        let found = identity(&security, &image);
        assert_eq!((found.user.as_str(), found.group, found.groups), ("0", Some(7), vec![2000]));
    }

    #[test]
    fn the_pods_variables_win_over_the_images() {
        let row: Row =
            serde_saphyr::from_str("{image: a, program: b, env: {A: image, B: image}}").expect("a row");
        let envs = vec![KeyValue { key: "A".to_owned(), value: b"pod".to_vec() }];
        let config = ContainerConfig { envs, ..ContainerConfig::default() };
        let variables = environment(&config, &row, "web-0");
        let last =
            |name: &str| variables.iter().rfind(|(key, _)| key == name).map(|(_, value)| value.as_str());
        assert_eq!((last("A"), last("B"), last("HOSTNAME")), (Some("pod"), Some("image"), Some("web-0")));
    }
}
