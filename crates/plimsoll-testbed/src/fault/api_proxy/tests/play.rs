//! The two ends: a client with or without a certificate, and an API server that says who asks.

use super::super::{ApiProxy, Authority};
use bytes::Bytes;
use futures::stream;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt as _, Empty, Full, StreamBody};
use hyper::body::{Frame, Incoming};
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_rustls::HttpsConnectorBuilder;
use hyper_util::client::legacy::{self, Client};
use hyper_util::rt::{TokioExecutor, TokioIo};
use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio::sync::{Mutex, mpsc};
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;

type Body = BoxBody<Bytes, Infallible>;
type Pieces = Arc<Mutex<mpsc::Receiver<String>>>;

pub(super) struct Stage {
    pub(super) proxy: ApiProxy,
    authority: Authority,
    issuer: Issuer<'static, KeyPair>,
    pieces: mpsc::Sender<String>,
    server: JoinHandle<()>,
}

/// A connection after `101 Switching Protocols`.
pub(super) struct Upgrade {
    pub(super) stream: TokioIo<hyper::upgrade::Upgraded>,
}

pub(super) async fn stage() -> Stage {
    let mut parameters = CertificateParams::default();
    parameters.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let key = KeyPair::generate().unwrap();
    let certificate = parameters.self_signed(&key).unwrap();
    let authority = Authority::from_pem(&certificate.pem(), &key.serialize_pem()).unwrap();
    let (pieces, receiver) = mpsc::channel(1);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let server = tokio::spawn(serve(listener, authority.clone(), Arc::new(Mutex::new(receiver))));
    let any = SocketAddr::from(([127, 0, 0, 1], 0));
    let proxy = ApiProxy::start(any, &address.to_string(), &authority).await.unwrap();
    Stage { proxy, authority, issuer: Issuer::new(parameters, key), pieces, server }
}

impl Stage {
    pub(super) async fn send(&self, piece: &str) {
        self.pieces.send(piece.to_owned()).await.unwrap();
    }

    pub(super) async fn next(body: &mut Incoming) -> Option<Result<String, hyper::Error>> {
        let frame = body.frame().await?;
        Some(frame.map(|frame| String::from_utf8(frame.into_data().unwrap().to_vec()).unwrap()))
    }

    pub(super) async fn get(
        &self,
        path: &str,
        user: Option<&str>,
        headers: &[(&str, &str)],
    ) -> Result<(u16, String), legacy::Error> {
        let response = self.ask(path, user, headers).await?;
        let code = response.status().as_u16();
        let body = response.into_body().collect().await.unwrap().to_bytes();
        Ok((code, String::from_utf8(body.to_vec()).unwrap()))
    }

    /// Asks as a user of a certificate, or without one.
    pub(super) async fn ask(
        &self,
        path: &str,
        user: Option<&str>,
        headers: &[(&str, &str)],
    ) -> Result<Response<Incoming>, legacy::Error> {
        let mut config = self.authority.calling(false).unwrap();
        if let Some(user) = user {
            let (certificate, key) = self.client(user);
            let roots = self.authority.roots().unwrap();
            config = rustls::ClientConfig::builder_with_provider(Arc::new(
                rustls::crypto::ring::default_provider(),
            ))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_root_certificates(roots)
            .with_client_auth_cert(vec![certificate], key)
            .unwrap();
        }
        let connector =
            HttpsConnectorBuilder::new().with_tls_config(config).https_only().enable_http1().build();
        let client = Client::builder(TokioExecutor::new()).build(connector);
        let mut request = Request::get(format!("https://{}{path}", self.proxy.address()));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        client.request(request.body(Empty::<Bytes>::new()).unwrap()).await
    }

    pub(super) async fn upgrade(&self, path: &str) -> Upgrade {
        let headers = [("connection", "Upgrade"), ("upgrade", "echo")];
        let response = self.ask(path, Some("jane"), &headers).await.unwrap();
        assert_eq!(response.status(), StatusCode::SWITCHING_PROTOCOLS);
        Upgrade { stream: TokioIo::new(hyper::upgrade::on(response).await.unwrap()) }
    }

    pub(super) async fn stop_server(&self) {
        self.server.abort();
        while !self.server.is_finished() {
            tokio::task::yield_now().await;
        }
    }

    fn client(&self, user: &str) -> (CertificateDer<'static>, PrivateKeyDer<'static>) {
        let mut parameters = CertificateParams::default();
        parameters.distinguished_name.push(DnType::OrganizationName, "developers");
        parameters.distinguished_name.push(DnType::CommonName, user);
        let key = KeyPair::generate().unwrap();
        let certificate = parameters.signed_by(&key, &self.issuer).unwrap();
        (certificate.der().clone(), PrivateKeyDer::try_from(key.serialize_der()).unwrap())
    }
}

async fn serve(listener: TcpListener, authority: Authority, pieces: Pieces) {
    let acceptor = TlsAcceptor::from(Arc::new(authority.serving().unwrap()));
    while let Ok((stream, _)) = listener.accept().await {
        let Ok(stream) = acceptor.accept(stream).await else { continue };
        let caller = stream.get_ref().1.peer_certificates().map_or("nobody", |_| "front-proxy");
        let pieces = Arc::clone(&pieces);
        let service = service_fn(move |request| {
            std::future::ready(Ok::<_, Infallible>(answer(request, caller, &pieces)))
        });
        let server = hyper::server::conn::http1::Builder::new();
        tokio::spawn(server.serve_connection(TokioIo::new(stream), service).with_upgrades());
    }
}

fn answer(mut request: Request<Incoming>, caller: &str, pieces: &Pieces) -> Response<Body> {
    if request.headers().contains_key("upgrade") {
        tokio::spawn(echo(hyper::upgrade::on(&mut request)));
        let mut response = Response::new(Empty::new().boxed());
        *response.status_mut() = StatusCode::SWITCHING_PROTOCOLS;
        response.headers_mut().insert("connection", "Upgrade".parse().unwrap());
        response.headers_mut().insert("upgrade", "echo".parse().unwrap());
        return response;
    }
    if request.uri().query() == Some("watch=true") {
        let flow = stream::unfold(Arc::clone(pieces), |pieces| async move {
            let piece = pieces.lock().await.recv().await?;
            Some((Ok(Frame::data(Bytes::from(piece))), pieces))
        });
        return Response::new(StreamBody::new(Box::pin(flow)).boxed());
    }
    let values = |name: &str| -> String {
        let values: Vec<&str> =
            request.headers().get_all(name).iter().map(|value| value.to_str().unwrap()).collect();
        values.join(",")
    };
    let (user, groups, token) = (values("x-remote-user"), values("x-remote-group"), values("authorization"));
    let who = if user.is_empty() { token } else { format!("{user} of {groups}") };
    Response::new(Full::new(Bytes::from(format!("{caller} says {who}"))).boxed())
}

async fn echo(upgrade: hyper::upgrade::OnUpgrade) {
    let (mut reader, mut writer) = tokio::io::split(TokioIo::new(upgrade.await.unwrap()));
    let _ = tokio::io::copy(&mut reader, &mut writer).await;
}
