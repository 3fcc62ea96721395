//! The API proxy between a client and a server played here.

mod play;

use super::*;
use play::{Stage, Upgrade, stage};
use std::io::ErrorKind;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

const SOON: Duration = Duration::from_secs(20);
const MAPS: &str = "/api/v1/namespaces/d/configmaps/a";
const WATCH: &str = "/api/v1/pods?watch=true";

fn rule(verb: &str, resource: &str, fault: ApiFault) -> ApiRule {
    ApiRule::always(ApiWhen::asked(verb, resource), fault)
}

#[tokio::test]
async fn the_server_learns_who_the_client_is() {
    let stage = stage().await;
    let (code, body) = stage.get(MAPS, Some("jane"), &[]).await.unwrap();
    assert_eq!((code, body.as_str()), (200, "front-proxy says jane of developers"));
    let (_, body) =
        stage.get(MAPS, None, &[("authorization", "Bearer t"), ("x-remote-user", "admin")]).await.unwrap();
    assert_eq!(body, "nobody says Bearer t");
    let call = &stage.proxy.records()[0];
    assert_eq!((call.user.as_str(), call.verb.as_str(), call.uri.as_str()), ("jane", "get", MAPS));
    assert_eq!(call.code, Some(200));
}

#[tokio::test]
async fn faults_answer_in_the_servers_place_as_often_as_they_say() {
    let stage = stage().await;
    let too_many = ApiFault::TooManyRequests { retry_after_seconds: 3 };
    stage.proxy.set_rules(vec![
        rule("get", "configmaps", too_many).times(1),
        rule("get", "configmaps", ApiFault::InternalError).times(1),
        rule("get", "configmaps", ApiFault::Unavailable).times(1),
    ]);
    let response = stage.ask(MAPS, Some("jane"), &[]).await.unwrap();
    assert_eq!(response.headers()["retry-after"], "3");
    let mut codes = vec![response.status().as_u16()];
    for _ in 0..3 {
        codes.push(stage.get(MAPS, Some("jane"), &[]).await.unwrap().0);
    }
    assert_eq!(codes, [429, 500, 503, 200]);
    let recorded: Vec<_> = stage.proxy.records().iter().map(|call| (call.code, call.fault)).collect();
    assert_eq!(recorded[0], (Some(429), Some(too_many)));
    assert_eq!(recorded[3], (Some(200), None));
}

#[tokio::test]
async fn a_watch_flows_piece_by_piece_and_ends_as_told() {
    let stage = stage().await;
    let mut body = stage.ask(WATCH, Some("jane"), &[]).await.unwrap().into_body();
    for event in ["one", "two"] {
        stage.send(event).await;
        assert_eq!(Stage::next(&mut body).await.unwrap().unwrap(), event);
    }
    stage.proxy.set_rules(vec![rule("watch", "pods", ApiFault::Close { after: Duration::ZERO }).times(1)]);
    let mut body = stage.ask(WATCH, Some("jane"), &[]).await.unwrap().into_body();
    assert!(Stage::next(&mut body).await.is_none());
    let ended = |call: &ApiCall| call.fault.is_some() && call.ended.is_some();
    assert_eq!(stage.proxy.wait_for(SOON, ended).await.unwrap().code, Some(200));
    stage.proxy.set_rules(vec![rule("watch", "pods", ApiFault::Break { after: Duration::ZERO })]);
    let broken = match stage.ask(WATCH, Some("jane"), &[]).await {
        Ok(response) => Stage::next(&mut response.into_body()).await.unwrap().is_err(),
        Err(_) => true,
    };
    assert!(broken);
}

#[tokio::test]
async fn a_request_is_held_until_it_is_let_go() {
    let stage = stage().await;
    stage.proxy.set_rules(vec![rule("get", "configmaps", ApiFault::Hold)]);
    let release = async {
        let call = stage.proxy.wait_for(SOON, |call| call.fault == Some(ApiFault::Hold)).await.unwrap();
        assert_eq!(call.code, None);
        stage.proxy.set_rules(Vec::new());
    };
    let (answered, ()) = futures::join!(stage.get(MAPS, Some("jane"), &[]), release);
    assert_eq!(answered.unwrap().0, 200);
    assert_eq!(stage.proxy.records()[0].fault, None);
}

#[tokio::test]
async fn a_lost_answer_is_lost_after_the_work_is_done() {
    let stage = stage().await;
    stage.proxy.set_rules(vec![rule("get", "configmaps", ApiFault::LoseAnswer).times(1)]);
    stage.ask(MAPS, Some("jane"), &[]).await.unwrap_err();
    assert_eq!(stage.proxy.records()[0].code, Some(200));
}

#[tokio::test]
async fn a_reset_reaches_neither_server_nor_client() {
    let stage = stage().await;
    stage.proxy.set_rules(vec![rule("get", "configmaps", ApiFault::Reset).times(1)]);
    stage.ask(MAPS, Some("jane"), &[]).await.unwrap_err();
    assert_eq!(stage.proxy.records()[0].code, None);
}

#[tokio::test]
async fn a_restart_cuts_what_is_open_refuses_and_comes_back() {
    let stage = stage().await;
    let mut open = stage.ask(WATCH, Some("jane"), &[]).await.unwrap().into_body();
    stage.proxy.stop().await;
    assert!(Stage::next(&mut open).await.unwrap().is_err());
    let refused = TcpStream::connect(stage.proxy.address()).await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::ConnectionRefused);
    stage.proxy.resume().await.unwrap();
    assert_eq!(stage.get(MAPS, Some("jane"), &[]).await.unwrap().0, 200);
}

#[tokio::test]
async fn an_upgrade_passes_bytes_both_ways_and_is_cut_with_the_rest() {
    let stage = stage().await;
    let Upgrade { mut stream } = stage.upgrade("/api/v1/namespaces/d/pods/x/exec").await;
    stream.write_all(b"hello").await.unwrap();
    let mut back = [0; 5];
    stream.read_exact(&mut back).await.unwrap();
    assert_eq!(&back, b"hello");
    stage.proxy.cut();
    assert!(stream.read_u8().await.is_err());
}

#[tokio::test]
async fn without_a_server_the_connection_breaks_and_the_cause_is_recorded() {
    let stage = stage().await;
    stage.stop_server().await;
    stage.ask(MAPS, Some("jane"), &[]).await.unwrap_err();
    let failed = stage.proxy.wait_for(SOON, |call| call.failure.is_some()).await.unwrap();
    assert!(failed.failure.unwrap().contains("Connection refused"));
}

#[test]
fn rules_are_short_in_json() {
    let text = r#"[{"when": {"verb": "watch"}, "fault": {"close": {"afterMilliseconds": 1500}}},
                   {"when": {}, "fault": {"tooManyRequests": {"retryAfterSeconds": 1}}, "times": 2},
                   {"when": {"agent": "helm"}, "fault": "internalError"}]"#;
    let rules: Vec<ApiRule> = serde_json::from_str(text).unwrap();
    assert_eq!(rules[0].fault, Some(ApiFault::Close { after: Duration::from_millis(1500) }));
    assert_eq!(rules[1].fault, Some(ApiFault::TooManyRequests { retry_after_seconds: 1 }));
    assert_eq!(rules[2].fault, Some(ApiFault::InternalError));
}
