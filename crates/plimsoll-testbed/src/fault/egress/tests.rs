//! The egress proxy against a local server, with the API server's end played by hand.

use super::*;
use crate::fault::Remote;
use std::io::ErrorKind;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

const POD: &str = "10.244.0.5:10250";
const SOON: Duration = Duration::from_secs(20);

struct Stage {
    egress: Egress,
    _folder: tempfile::TempDir,
}

/// The proxy with one route, to a server that sends back what it gets.
async fn stage() -> Stage {
    let folder = tempfile::tempdir().unwrap();
    let egress = Egress::start(folder.path().join("egress.sock"), false).unwrap();
    let server = TcpListener::bind("127.0.0.1:0").await.unwrap();
    egress.set_routes(Routes::from([(POD.parse().unwrap(), server.local_addr().unwrap())]));
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = server.accept().await {
            tokio::spawn(async move {
                let (mut reader, mut writer) = stream.split();
                let _ = tokio::io::copy(&mut reader, &mut writer).await;
            });
        }
    });
    Stage { egress, _folder: folder }
}

/// Asks for a connection and reads the head of the answer.
async fn connect(egress: &Egress, address: &str) -> (String, UnixStream) {
    let mut stream = UnixStream::connect(egress.socket()).await.unwrap();
    let ask = format!("CONNECT {address} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
    stream.write_all(ask.as_bytes()).await.unwrap();
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.unwrap());
    }
    let head = String::from_utf8(head).unwrap();
    (head.lines().next().unwrap().to_owned(), stream)
}

fn rule(fault: EgressFault) -> EgressRule {
    EgressRule::always(EgressWhen { port: Some(10250), ..EgressWhen::default() }, fault)
}

#[tokio::test]
async fn a_routed_address_is_reached_and_recorded() {
    let stage = stage().await;
    let (head, mut stream) = connect(&stage.egress, POD).await;
    assert_eq!(head, "HTTP/1.1 200 OK");
    stream.write_all(b"hello").await.unwrap();
    let mut back = [0; 5];
    stream.read_exact(&mut back).await.unwrap();
    drop(stream);
    let ended = |call: &EgressCall| call.outcome == EgressOutcome::Closed;
    let call = stage.egress.wait_for(SOON, ended).await.unwrap();
    assert_eq!((call.target.as_str(), call.sent, call.received), (POD, 5, 5));
}

#[tokio::test]
async fn what_is_not_there_is_told_as_a_network_tells_it() {
    let stage = stage().await;
    assert_eq!(connect(&stage.egress, "10.244.0.6:1").await.0, "HTTP/1.1 503 connect: no route to host");
    let nobody = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    stage.egress.set_routes(Routes::from([(POD.parse().unwrap(), nobody)]));
    assert_eq!(connect(&stage.egress, POD).await.0, "HTTP/1.1 503 connect: connection refused");
    let failed = EgressOutcome::Failed("connect: connection refused".to_owned());
    assert_eq!(stage.egress.records()[1].outcome, failed);
}

#[tokio::test]
async fn a_rule_refuses_as_often_as_it_says() {
    let stage = stage().await;
    stage.egress.set_rules(vec![rule(EgressFault::Refuse).times(1)]);
    assert_eq!(connect(&stage.egress, POD).await.0, "HTTP/1.1 503 connect: connection refused");
    assert_eq!(connect(&stage.egress, POD).await.0, "HTTP/1.1 200 OK");
    assert_eq!(stage.egress.records()[0].outcome, EgressOutcome::Refused);
}

#[tokio::test]
async fn a_reset_is_seen_as_a_reset() {
    let stage = stage().await;
    stage.egress.set_rules(vec![rule(EgressFault::Reset)]);
    let (head, mut stream) = connect(&stage.egress, POD).await;
    assert_eq!(head, "HTTP/1.1 200 OK");
    stream.write_all(b"hello").await.unwrap();
    let broken = stream.read_u8().await.unwrap_err();
    assert_eq!(broken.kind(), ErrorKind::ConnectionReset);
}

#[tokio::test]
async fn new_rules_end_what_is_open_and_a_black_hole_never_answers() {
    let stage = stage().await;
    let (_, mut open) = connect(&stage.egress, POD).await;
    stage.egress.wait_for(SOON, |call| call.outcome == EgressOutcome::Open).await.unwrap();
    stage.egress.set_rules(vec![rule(EgressFault::BlackHole)]);
    assert_eq!(open.read(&mut [0]).await.unwrap(), 0);
    let mut stream = UnixStream::connect(stage.egress.socket()).await.unwrap();
    stream.write_all(format!("CONNECT {POD} HTTP/1.1\r\nHost: x\r\n\r\n").as_bytes()).await.unwrap();
    stage.egress.wait_for(SOON, |call| call.outcome == EgressOutcome::BlackHoled).await.unwrap();
    assert_eq!(stage.egress.records()[0].outcome, EgressOutcome::Cut);
}

#[tokio::test]
async fn a_delay_comes_before_the_connection() {
    let stage = stage().await;
    let delay = Duration::from_millis(80);
    stage.egress.set_rules(vec![EgressRule::late(EgressWhen::default(), delay)]);
    let began = std::time::Instant::now();
    assert_eq!(connect(&stage.egress, POD).await.0, "HTTP/1.1 200 OK");
    assert!(began.elapsed() >= delay);
}

#[tokio::test]
async fn a_call_is_held_until_it_is_let_go() {
    let stage = stage().await;
    stage.egress.set_rules(vec![rule(EgressFault::Hold)]);
    let release = async {
        stage.egress.wait_for(SOON, |call| call.outcome == EgressOutcome::Held).await.unwrap();
        stage.egress.set_rules(Vec::new());
    };
    let ((head, _), ()) = futures::join!(connect(&stage.egress, POD), release);
    assert_eq!(head, "HTTP/1.1 200 OK");
}

#[tokio::test]
async fn another_process_sets_rules_and_reads_records_over_the_socket() {
    let stage = stage().await;
    let remote = Remote::new(stage.egress.socket());
    remote.set_rules(&[rule(EgressFault::Refuse)]).await.unwrap();
    assert_eq!(connect(&stage.egress, POD).await.0, "HTTP/1.1 503 connect: connection refused");
    let records: Vec<EgressCall> = remote.records().await.unwrap();
    assert_eq!(records, stage.egress.records());
    let said = remote.order("/nonsense").await.unwrap_err().to_string();
    assert!(said.contains("POST /nonsense is not known here"), "{said}");
}

#[test]
fn rules_are_short_in_json() {
    let text = r#"[{"when": {"port": 10250}, "fault": "black-hole", "times": 2, "delayMilliseconds": 500}]"#;
    let rules: Vec<EgressRule> = serde_json::from_str(text).unwrap();
    let expected = EgressRule { delay: Duration::from_millis(500), ..rule(EgressFault::BlackHole).times(2) };
    assert_eq!(rules, [expected]);
    let wrong = serde_json::from_str::<Vec<EgressRule>>(r#"[{"when": {"prot": 1}}]"#).unwrap_err();
    assert!(wrong.to_string().contains("unknown field `prot`"), "{wrong}");
}
