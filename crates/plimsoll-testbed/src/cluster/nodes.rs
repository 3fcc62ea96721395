//! The real nodes of a cluster: an identity each, then all are started, then all are waited for.

use super::certificates::Authority;
use super::control_plane::ControlPlane;
use super::kubeconfig;
use super::messages::Order;
use super::room::Room;
use crate::node::{self, Identity, Place};
use crate::processes::Children;
use std::io;
use std::time::{Duration, Instant};

/// How long all nodes together may take to be ready.
const PATIENCE: Duration = Duration::from_mins(2);

/// Starts the nodes and waits until the kubelet of each says that it is ready.
pub(super) fn start(
    room: &Room,
    order: &Order,
    children: &Children,
    control_plane: &ControlPlane,
) -> io::Result<()> {
    let numbers = 1..=order.options.nodes;
    let places: Vec<Place> = numbers.map(|number| Place::numbered(number, &room.folder)).collect();
    for place in &places {
        let settings = order.options.node_settings.get(&place.name).cloned().unwrap_or_default();
        let identity = identity(place, room, &control_plane.authority)?;
        let missing = || io::Error::new(io::ErrorKind::NotFound, "kubelet was not among the programs");
        let kubelet = order.programs.get("kubelet").ok_or_else(missing)?;
        let own = std::env::current_exe()?;
        let node =
            node::write(place, &settings, &identity, (&own, kubelet, order.options.images.as_deref()))?;
        children.start(&node)?;
    }
    let deadline = Instant::now() + PATIENCE;
    for place in &places {
        let watch = format!("/api/v1/nodes?watch=true&fieldSelector=metadata.name={}", place.name);
        control_plane.question.until_seen(&watch, "\"reason\":\"KubeletReady\"", deadline)?;
    }
    Ok(())
}

fn identity(place: &Place, room: &Room, authority: &Authority) -> io::Result<Identity> {
    let user = format!("system:node:{}", place.name);
    let client = authority.client(&user, Some("system:nodes")).map_err(io::Error::other)?;
    let names = [place.name.as_str(), &place.address.to_string()];
    let server = authority.server(&place.name, &names).map_err(io::Error::other)?;
    let address = format!("https://{}", room.api_server);
    let kubeconfig = kubeconfig::write(&address, &authority.identity().certificate, &client);
    Ok(Identity { kubeconfig, certificate: server.certificate, key: server.key })
}
