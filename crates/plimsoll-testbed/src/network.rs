//! What kube-proxy and CoreDNS do in a real cluster, in one process: Services answer, and names resolve.
//!
//! `plimsoll-testbed network --kubeconfig FILE` runs inside the cluster's network namespace, with the rights to add
//! addresses there, from the moment the API server answers until it is ended. It makes the whole Service range local
//! (`ip address add 10.96.0.0/16 dev lo`), and listens on a cluster address and port exactly while the Service has an
//! endpoint to give: a connection is refused otherwise, as kube-proxy's REJECT does. Names are answered at 10.96.0.10.
//!
//! **Whoever starts the cluster** lets the API server listen on 10.96.0.1 alone (`--bind-address 10.96.0.1`): a program
//! that listens on every address takes its port away from all Services. Pods reach the range through the namespace as
//! their gateway; the kubelets' `clusterDNS` is 10.96.0.10, their `clusterDomain` cluster.local.
//!
//! Other than in kube-proxy, a Service's answer comes from this process: pods see its address and not the client's, a
//! pod that refuses is seen as a connection that is made and reset, session affinity and traffic policies are not kept,
//! and only IPv4 is served.

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
