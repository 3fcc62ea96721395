//! Listening exactly where the plan says.

use super::backends::Backends;
use super::plan::{Front, Plan, Protocol, plan};
use super::snapshot::Snapshot;
use super::{NetworkError, tcp, udp};
use std::collections::BTreeMap;
use std::io::Write as _;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// How soon a front that could not be listened on is tried again.
const AGAIN: Duration = Duration::from_secs(1);

/// Follows the snapshots; ends when there will be no more.
pub(super) async fn keep(mut snapshots: watch::Receiver<Arc<Snapshot>>) {
    let mut switchboard = Switchboard::default();
    loop {
        let wanted = plan(&snapshots.borrow_and_update());
        let complete = switchboard.follow(wanted).await;
        let changed = snapshots.changed();
        let ended = if complete {
            changed.await.is_err()
        } else {
            tokio::time::timeout(AGAIN, changed).await.is_ok_and(|change| change.is_err())
        };
        if ended {
            return;
        }
    }
}

#[derive(Debug, Default)]
struct Switchboard {
    open: BTreeMap<Front, Open>,
    /// What was said about a front that cannot be opened, so that it is said once.
    told: BTreeMap<Front, String>,
}

#[derive(Debug)]
struct Open {
    backends: Arc<Backends>,
    listening: JoinHandle<()>,
}

impl Switchboard {
    /// Closes, changes and opens fronts; false if one could not be opened. Connections that exist go on, as they do
    /// with kube-proxy.
    async fn follow(&mut self, wanted: Plan) -> bool {
        let gone: Vec<Front> =
            self.open.keys().filter(|front| !wanted.contains_key(front)).copied().collect();
        for open in gone.iter().filter_map(|front| self.open.remove(front)).collect::<Vec<_>>() {
            open.listening.abort();
            // Aborted is what it should be; afterwards the port is free.
            let _ = open.listening.await;
        }
        let mut complete = true;
        for (front, addresses) in wanted {
            match self.open.get(&front) {
                Some(open) => open.backends.replace(addresses),
                None => complete &= self.open(front, addresses).await,
            }
        }
        complete
    }

    async fn open(&mut self, front: Front, addresses: Vec<SocketAddr>) -> bool {
        let backends = Arc::new(Backends::new(addresses));
        let listening = match front.protocol {
            Protocol::Tcp => tcp::listen(front.address, Arc::clone(&backends)).await,
            Protocol::Udp => udp::listen(front.address, Arc::clone(&backends)).await,
        };
        match listening {
            Ok(listening) => {
                self.told.remove(&front);
                self.open.insert(front, Open { backends, listening });
                true
            }
            Err(cause) => {
                self.tell(front, cause);
                false
            }
        }
    }

    fn tell(&mut self, front: Front, cause: std::io::Error) {
        let said = NetworkError::Listen { address: front.address, cause }.to_string();
        if self.told.get(&front) != Some(&said) {
            // Nothing is left to report to when standard error itself is closed.
            let _ = writeln!(std::io::stderr(), "{said}");
            self.told.insert(front, said);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::ErrorKind;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::{TcpListener, TcpStream, UdpSocket};

    async fn free_front(protocol: Protocol) -> Front {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        Front { protocol, address: listener.local_addr().unwrap() }
    }

    #[tokio::test]
    async fn a_front_answers_while_it_is_planned_and_refuses_afterwards() {
        let pod = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let behind = pod.local_addr().unwrap();
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = pod.accept().await {
                stream.write_all(b"pod").await.unwrap();
            }
        });
        let front = free_front(Protocol::Tcp).await;
        let mut switchboard = Switchboard::default();
        assert!(switchboard.follow(Plan::from([(front, vec![behind])])).await);
        let mut said = String::new();
        TcpStream::connect(front.address).await.unwrap().read_to_string(&mut said).await.unwrap();
        assert_eq!(said, "pod");
        assert!(switchboard.follow(Plan::new()).await);
        let refused = TcpStream::connect(front.address).await.unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::ConnectionRefused);
    }

    #[tokio::test]
    async fn datagrams_go_to_the_pod_and_back() {
        let pod = UdpSocket::bind("127.0.0.1:0").await.unwrap();
        let behind = pod.local_addr().unwrap();
        tokio::spawn(async move {
            let mut buffer = [0; 64];
            while let Ok((count, from)) = pod.recv_from(&mut buffer).await {
                buffer[..count].reverse();
                pod.send_to(&buffer[..count], from).await.unwrap();
            }
        });
        let front = free_front(Protocol::Udp).await;
        let mut switchboard = Switchboard::default();
        assert!(switchboard.follow(Plan::from([(front, vec![behind])])).await);
        let client = UdpSocket::bind("127.0.0.1:0").await.unwrap();
        client.connect(front.address).await.unwrap();
        for (sent, expected) in [(b"abc", b"cba"), (b"def", b"fed")] {
            client.send(sent).await.unwrap();
            let mut buffer = [0; 64];
            let count = client.recv(&mut buffer).await.unwrap();
            assert_eq!(&buffer[..count], expected);
        }
    }

    #[tokio::test]
    async fn a_port_that_is_taken_is_told_and_tried_again() {
        let taken = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let front = Front { protocol: Protocol::Tcp, address: taken.local_addr().unwrap() };
        let wanted = Plan::from([(front, vec![front.address])]);
        let mut switchboard = Switchboard::default();
        assert!(!switchboard.follow(wanted.clone()).await);
        assert_eq!(switchboard.told.len(), 1);
        drop(taken);
        assert!(switchboard.follow(wanted).await);
        assert!(switchboard.told.is_empty());
    }
}
