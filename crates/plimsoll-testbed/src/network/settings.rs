//! The network as a process of its own.

use super::{NetworkError, addresses, dns, kube_dns, snapshot, switchboard};
use crate::connection;
use std::net::Ipv4Addr;
use std::path::PathBuf;

/// Lets Services answer and names resolve; runs inside the cluster's network namespace.
#[derive(Clone, Debug, clap::Args)]
pub struct NetworkSettings {
    /// How the API server is reached from here
    #[arg(long, value_name = "FILE")]
    pub kubeconfig: PathBuf,
    /// The range that the API server takes cluster addresses from
    #[arg(long, value_name = "RANGE", default_value = "10.96.0.0/16")]
    pub service_range: String,
    /// Where names are answered, inside the range
    #[arg(long, value_name = "ADDRESS", default_value = "10.96.0.10")]
    pub dns_address: Ipv4Addr,
    /// The cluster's domain
    #[arg(long, value_name = "NAME", default_value = "cluster.local")]
    pub domain: String,
}

impl NetworkSettings {
    /// Runs until the process is ended.
    ///
    /// The whole Service range is made local (`ip address replace 10.96.0.0/16 dev lo`), and a cluster address and port is
    /// listened on exactly while the Service has an endpoint to give: a connection is refused otherwise, as kube-proxy's
    /// REJECT does. So no other program may listen on a port of every address; the API server listens on 10.96.0.1
    /// alone. Pods reach the range through the namespace as their gateway; the kubelets' `clusterDNS` is 10.96.0.10,
    /// their `clusterDomain` cluster.local.
    ///
    /// Other than with kube-proxy, pods see this process's address and not the client's, a pod that refuses is seen as
    /// a connection that is made and reset, session affinity and traffic policies are not kept, and only IPv4 is served.
    /// Names outside the cluster do not exist.
    pub async fn run(self) -> Result<(), NetworkError> {
        let client = connection::client(&self.kubeconfig).await?;
        addresses::make_local(&self.service_range).await?;
        let snapshots = snapshot::follow(client.clone()).await;
        dns::serve((self.dns_address, dns::PORT).into(), self.domain, snapshots.clone()).await?;
        // Last, so that whoever sees the Service can ask it.
        kube_dns::ensure(&client, self.dns_address).await?;
        tokio::select! {
            () = switchboard::keep(snapshots) => {}
            () = crate::lifetime::until_ended() => {}
        }
        Ok(())
    }
}
