//! Datagrams to a Service. Those of one client go to one pod, as connection tracking does it, until it is silent for a
//! while.

use super::backends::Backends;
use std::collections::HashMap;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::UdpSocket;
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// How long a silent client is remembered: the kernel's default for a flow without answers.
const SILENCE: Duration = Duration::from_secs(30);

/// The largest datagram.
const LARGEST: usize = 65_535;

/// Listens until the task is aborted.
pub(super) async fn listen(address: SocketAddr, backends: Arc<Backends>) -> io::Result<JoinHandle<()>> {
    let front = Arc::new(UdpSocket::bind(address).await?);
    Ok(tokio::spawn(async move {
        let mut flows: HashMap<SocketAddr, Flow> = HashMap::new();
        let mut buffer = vec![0; LARGEST];
        loop {
            // An error here is the refusal of an earlier datagram, and not about this socket.
            let Ok((count, client)) = front.recv_from(&mut buffer).await else { continue };
            flows.retain(|_, flow| !flow.answers.is_finished());
            if !flows.contains_key(&client)
                && let Some(flow) = Flow::begin(&front, client, &backends).await
            {
                flows.insert(client, flow);
            }
            if let (Some(flow), Some(datagram)) = (flows.get(&client), buffer.get(..count)) {
                // Datagrams may be lost.
                let _ = flow.pod.send(datagram).await;
            }
        }
    }))
}

struct Flow {
    pod: Arc<UdpSocket>,
    answers: JoinHandle<()>,
}

impl Flow {
    async fn begin(front: &Arc<UdpSocket>, client: SocketAddr, backends: &Backends) -> Option<Self> {
        let pod = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).await.ok()?;
        pod.connect(backends.next()?).await.ok()?;
        let pod = Arc::new(pod);
        let answers = tokio::spawn(answer(Arc::clone(&pod), Arc::clone(front), client));
        Some(Self { pod, answers })
    }
}

impl Drop for Flow {
    fn drop(&mut self) {
        self.answers.abort();
    }
}

/// Carries answers back until the pod is silent or gone.
async fn answer(pod: Arc<UdpSocket>, front: Arc<UdpSocket>, client: SocketAddr) {
    let mut buffer = vec![0; LARGEST];
    while let Ok(Ok(count)) = timeout(SILENCE, pod.recv(&mut buffer)).await {
        let Some(datagram) = buffer.get(..count) else { return };
        if front.send_to(datagram, client).await.is_err() {
            return;
        }
    }
}
