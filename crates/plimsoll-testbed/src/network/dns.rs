//! The DNS server of the cluster: names over UDP and TCP. It knows the cluster's names and no others.

use super::NetworkError;
use super::names::{Known, Names};
use super::snapshot::Snapshot;
use hickory_proto::op::{Message, MessageType, OpCode, ResponseCode};
use hickory_proto::rr::rdata::{A, CNAME, PTR, SRV};
use hickory_proto::rr::{DNSClass, Name, RData, Record, RecordType};
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream, UdpSocket};
use tokio::sync::watch;

/// Where DNS servers listen.
pub(super) const PORT: u16 = 53;

/// How long an answer may be kept: the default of CoreDNS's `kubernetes` plugin.
const SECONDS_TO_LIVE: u32 = 5;

/// How many names may stand for each other in a row.
const LONGEST_CHAIN: usize = 8;

/// Room for any question, and for any answer over TCP.
const LARGEST: u16 = u16::MAX;

type Snapshots = watch::Receiver<Arc<Snapshot>>;

/// Listens over UDP and TCP from now on.
pub(super) async fn serve(
    address: SocketAddr,
    domain: String,
    snapshots: Snapshots,
) -> Result<(), NetworkError> {
    let failure = |cause| NetworkError::Listen { address, cause };
    let datagrams = UdpSocket::bind(address).await.map_err(failure)?;
    let connections = TcpListener::bind(address).await.map_err(failure)?;
    tokio::spawn(serve_datagrams(datagrams, domain.clone(), snapshots.clone()));
    tokio::spawn(async move {
        loop {
            // An error here is a connection that is gone before it is accepted.
            if let Ok((stream, _)) = connections.accept().await {
                tokio::spawn(serve_connection(stream, domain.clone(), snapshots.clone()));
            }
        }
    });
    Ok(())
}

async fn serve_datagrams(socket: UdpSocket, domain: String, snapshots: Snapshots) {
    let mut buffer = vec![0; LARGEST.into()];
    loop {
        // An error here is the refusal of an earlier answer, and not about this socket.
        let Ok((count, client)) = socket.recv_from(&mut buffer).await else { continue };
        let snapshot = Arc::clone(&snapshots.borrow());
        let names = Names { snapshot: &snapshot, domain: &domain };
        if let Some(answer) = buffer.get(..count).and_then(|question| respond(question, &names, None)) {
            // Datagrams may be lost.
            let _ = socket.send_to(&answer, client).await;
        }
    }
}

/// Any number of questions, each behind its length.
async fn serve_connection(mut stream: TcpStream, domain: String, snapshots: Snapshots) {
    while let Ok(length) = stream.read_u16().await {
        let mut question = vec![0; length.into()];
        if stream.read_exact(&mut question).await.is_err() {
            return;
        }
        let snapshot = Arc::clone(&snapshots.borrow());
        let names = Names { snapshot: &snapshot, domain: &domain };
        let Some(answer) = respond(&question, &names, Some(LARGEST)) else { return };
        let Ok(length) = u16::try_from(answer.len()) else { return };
        let framed = [&length.to_be_bytes(), answer.as_slice()].concat();
        if stream.write_all(&framed).await.is_err() {
            return;
        }
    }
}

/// The answer to a question, cut to `room` or else to what the client says it can take; nothing for what is no question.
fn respond(question: &[u8], names: &Names<'_>, room: Option<u16>) -> Option<Vec<u8>> {
    let question = Message::from_vec(question).ok()?;
    if question.metadata.message_type != MessageType::Query {
        return None;
    }
    let mut answer = Message::response(question.metadata.id, question.metadata.op_code);
    answer.metadata.recursion_desired = question.metadata.recursion_desired;
    answer.metadata.recursion_available = true;
    answer.metadata.authoritative = true;
    answer.queries.clone_from(&question.queries);
    match question.queries.as_slice() {
        [asked] if question.metadata.op_code == OpCode::Query && asked.query_class() == DNSClass::IN => {
            tell(&mut answer, names, asked.name(), asked.query_type());
        }
        _ => answer.metadata.response_code = ResponseCode::NotImp,
    }
    let room = room.unwrap_or_else(|| question.max_payload());
    let bytes = answer.to_vec().ok()?;
    if bytes.len() <= room.into() { Some(bytes) } else { answer.truncate().to_vec().ok() }
}

/// Fills in what is known; a name that stands for another is followed inside the cluster.
fn tell(answer: &mut Message, names: &Names<'_>, asked: &Name, wanted: RecordType) {
    let mut name = asked.clone();
    for _ in 0..LONGEST_CHAIN {
        let text = name.to_ascii().to_lowercase();
        let Some(known) = names.look_up(text.trim_end_matches('.')) else {
            // Whoever asked for the alias was answered, also if what it stands for is elsewhere.
            if answer.answers.is_empty() {
                answer.metadata.response_code = ResponseCode::NXDomain;
            }
            return;
        };
        let mut alias = None;
        for known in known {
            if let Known::Alias(target) = &known {
                alias = absolute(target);
            }
            add(answer, &name, wanted, known);
        }
        match alias {
            Some(target) if wanted != RecordType::CNAME => name = target,
            _ => return,
        }
    }
}

fn add(answer: &mut Message, name: &Name, wanted: RecordType, known: Known) {
    let record = |name: Name, data: RData| Record::from_rdata(name, SECONDS_TO_LIVE, data);
    let fits = |kind: RecordType| wanted == kind || wanted == RecordType::ANY;
    match known {
        Known::Address(address) if fits(RecordType::A) => {
            answer.add_answer(record(name.clone(), RData::A(A(address))));
        }
        Known::Alias(target) => {
            let target = absolute(&target).map(|target| record(name.clone(), RData::CNAME(CNAME(target))));
            answer.add_answers(target);
        }
        Known::Port { port, target, address } if fits(RecordType::SRV) => {
            let Some(target) = absolute(&target) else { return };
            answer.add_answer(record(name.clone(), RData::SRV(SRV::new(0, 100, port, target.clone()))));
            answer.add_additional(record(target, RData::A(A(address))));
        }
        Known::Name(target) if fits(RecordType::PTR) => {
            let target = absolute(&target).map(|target| record(name.clone(), RData::PTR(PTR(target))));
            answer.add_answers(target);
        }
        _ => {}
    }
}

fn absolute(name: &str) -> Option<Name> {
    Name::from_ascii(format!("{name}.")).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hickory_proto::op::Query;
    use serde_json::json;

    fn snapshot(pods: u8) -> Snapshot {
        let service = |name: &str, spec: serde_json::Value| {
            Arc::new(
                serde_json::from_value(json!({"metadata": {"name": name, "namespace": "d"}, "spec": spec}))
                    .unwrap(),
            )
        };
        let endpoints: Vec<_> =
            (0..pods).map(|pod| json!({"addresses": [format!("10.244.1.{pod}")]})).collect();
        let slice = json!({
            "metadata": {"namespace": "d", "labels": {"kubernetes.io/service-name": "many"}},
            "addressType": "IPv4", "ports": [], "endpoints": endpoints,
        });
        Snapshot {
            services: vec![
                service("web", json!({"clusterIPs": ["10.96.7.7"], "ports": [{"name": "http", "port": 80}]})),
                service("many", json!({"clusterIPs": ["None"]})),
                service("alias", json!({"type": "ExternalName", "externalName": "web.d.svc.cluster.local"})),
            ],
            slices: vec![Arc::new(serde_json::from_value(slice).unwrap())],
        }
    }

    fn question(name: &str, kind: RecordType) -> Vec<u8> {
        let mut question = Message::query();
        question.add_query(Query::query(Name::from_ascii(name).unwrap(), kind));
        question.to_vec().unwrap()
    }

    fn ask(name: &str, kind: RecordType) -> Message {
        let names = Names { snapshot: &snapshot(1), domain: "cluster.local" };
        Message::from_vec(&respond(&question(name, kind), &names, None).unwrap()).unwrap()
    }

    fn told(message: &Message) -> Vec<String> {
        message.answers.iter().map(|record| record.data.to_string()).collect()
    }

    #[test]
    fn a_service_has_an_address_whatever_the_case() {
        let answer = ask("Web.d.SVC.cluster.local.", RecordType::A);
        assert_eq!(told(&answer), ["10.96.7.7"]);
        assert_eq!(answer.metadata.response_code, ResponseCode::NoError);
    }

    #[test]
    fn a_name_without_the_record_is_not_a_missing_name() {
        let answer = ask("web.d.svc.cluster.local.", RecordType::AAAA);
        assert_eq!((told(&answer).len(), answer.metadata.response_code), (0, ResponseCode::NoError));
        let answer = ask("web.d.svc.cluster.local.d.svc.cluster.local.", RecordType::A);
        assert_eq!(answer.metadata.response_code, ResponseCode::NXDomain);
    }

    #[test]
    fn a_port_comes_with_the_address_of_its_target() {
        let answer = ask("_http._tcp.web.d.svc.cluster.local.", RecordType::SRV);
        assert_eq!(told(&answer), ["0 100 80 web.d.svc.cluster.local."]);
        assert_eq!(answer.additionals[0].data.to_string(), "10.96.7.7");
    }

    #[test]
    fn an_alias_is_followed() {
        let answer = ask("alias.d.svc.cluster.local.", RecordType::A);
        assert_eq!(told(&answer), ["web.d.svc.cluster.local.", "10.96.7.7"]);
    }

    #[tokio::test]
    async fn a_long_answer_is_cut_for_datagrams_and_whole_over_a_connection() {
        let (_sender, snapshots) = watch::channel(Arc::new(snapshot(100)));
        let free = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
        serve(free, "cluster.local".to_owned(), snapshots).await.unwrap();
        let question = question("many.d.svc.cluster.local.", RecordType::A);

        let socket = UdpSocket::bind("127.0.0.1:0").await.unwrap();
        socket.send_to(&question, free).await.unwrap();
        let mut buffer = vec![0; 4096];
        let count = socket.recv(&mut buffer).await.unwrap();
        let short = Message::from_vec(&buffer[..count]).unwrap();
        assert!(short.metadata.truncation && count <= 512, "{count}");

        let mut stream = TcpStream::connect(free).await.unwrap();
        stream.write_u16(question.len().try_into().unwrap()).await.unwrap();
        stream.write_all(&question).await.unwrap();
        let mut answer = vec![0; stream.read_u16().await.unwrap().into()];
        stream.read_exact(&mut answer).await.unwrap();
        assert_eq!(Message::from_vec(&answer).unwrap().answers.len(), 100);
    }
}
