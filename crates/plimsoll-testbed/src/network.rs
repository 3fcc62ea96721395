//! What kube-proxy and CoreDNS do in a real cluster, in one process: Services answer, and names resolve.
//! `plimsoll-testbed network --kubeconfig FILE` runs inside the cluster's network namespace, from the moment the API
//! server answers until it is ended.

mod addresses;
mod backends;
mod dns;
mod failure;
mod kube_dns;
mod names;
mod plan;
mod settings;
mod snapshot;
mod switchboard;
mod tcp;
mod udp;

pub use failure::NetworkError;
pub use settings::NetworkSettings;
