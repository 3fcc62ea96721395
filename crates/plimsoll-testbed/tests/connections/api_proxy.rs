//! `kubectl` and an API server behind the API proxy.

use crate::{SOON, said};
use plimsoll_testbed::audit::Trail;
use plimsoll_testbed::cluster::{Cluster, Options};
use plimsoll_testbed::fault::api_proxy::{ApiCall, ApiFault, ApiProxy, ApiRule, ApiWhen, Authority};
use std::net::SocketAddr;
use std::process::Output;
use std::sync::Arc;
use std::time::Duration;

struct Stage {
    cluster: Arc<Cluster>,
    proxy: ApiProxy,
}

#[tokio::test(flavor = "multi_thread")]
async fn kubectl_meets_the_faults_of_an_api_server() {
    let Some(stage) = Stage::set().await else { return };
    stage.overload();
    stage.errors();
    stage.identity();
    stage.dropped_watches().await;
    stage.restart().await;
}

impl Stage {
    async fn set() -> Option<Self> {
        let cluster = Cluster::start_for_test(Options::default()).unwrap()?;
        let read = |name: &str| std::fs::read_to_string(cluster.folder().join(name)).unwrap();
        let authority = Authority::from_pem(&read("ca.crt"), &read("ca.key")).unwrap();
        let any = SocketAddr::from(([127, 0, 0, 1], 0));
        let proxy = ApiProxy::start(any, &cluster.address().to_string(), &authority).await.unwrap();
        Some(Self { cluster: Arc::new(cluster), proxy })
    }

    fn server(&self) -> String {
        format!("--server=https://{}", self.proxy.address())
    }

    fn kubectl(&self, arguments: &[&str]) -> Output {
        let server = self.server();
        self.cluster.kubectl([&[server.as_str()], arguments].concat()).unwrap()
    }

    /// It waits as it is told and tries again.
    fn overload(&self) {
        let fault = ApiFault::TooManyRequests { retry_after_seconds: 1 };
        self.proxy.set_rules(vec![ApiRule::always(ApiWhen::asked("create", "configmaps"), fault).times(2)]);
        let output = self.kubectl(&["create", "configmap", "a"]);
        assert!(output.status.success(), "{}", said(&output));
        let calls: Vec<ApiCall> =
            self.proxy.records().into_iter().filter(|call| call.verb == "create").collect();
        let codes: Vec<_> = calls.iter().map(|call| call.code).collect();
        assert_eq!(codes, [Some(429), Some(429), Some(201)]);
        assert!(calls[1].began.duration_since(calls[0].began).as_secs() >= 1);
    }

    fn errors(&self) {
        let get = || ApiWhen::asked("get", "configmaps");
        self.proxy.set_rules(vec![
            ApiRule::always(get(), ApiFault::InternalError).times(1),
            ApiRule::always(get(), ApiFault::Unavailable).times(1),
        ]);
        let broken = said(&self.kubectl(&["get", "configmap", "a"]));
        assert!(broken.contains("Error from server (InternalError)"), "{broken}");
        let away = said(&self.kubectl(&["get", "configmap", "a"]));
        assert!(away.contains("Error from server (ServiceUnavailable)"), "{away}");
    }

    /// The API server knows who asked, as if there were no proxy.
    fn identity(&self) {
        let mut trail = Trail::from_now(self.cluster.audit_log()).unwrap();
        assert!(self.kubectl(&["get", "configmap", "a"]).status.success());
        let asked = |event: &plimsoll_testbed::audit::Event| event.is_about("configmaps", "default", "a");
        let event = trail.wait_for("the request through the proxy", SOON, asked).unwrap();
        assert_eq!(event.user.username, "admin");
        assert!(event.user.groups.contains(&"system:masters".to_owned()), "{event:?}");
        assert!(event.user_agent.starts_with("kubectl/"), "{event:?}");
    }

    /// A wait goes on after its watch was ended twice.
    async fn dropped_watches(&self) {
        let watch = || ApiWhen::asked("watch", "configmaps");
        self.proxy.set_rules(vec![
            ApiRule::always(watch(), ApiFault::Close { after: Duration::ZERO }).times(1),
            ApiRule::always(watch(), ApiFault::Break { after: Duration::ZERO }).times(1),
        ]);
        let (cluster, server) = (Arc::clone(&self.cluster), self.server());
        let waiting = tokio::task::spawn_blocking(move || {
            let wanted = "--for=jsonpath={.data.key}=value";
            cluster.kubectl([&server, "wait", "configmap/a", wanted, "--timeout=60s"]).unwrap()
        });
        let unharmed = |call: &ApiCall| {
            call.verb == "watch"
                && call.uri.contains("configmaps")
                && call.fault.is_none()
                && call.code.is_some()
        };
        self.proxy.wait_for(SOON, unharmed).await.expect("a third watch");
        let patch = ["patch", "configmap", "a", "--patch", "{\"data\": {\"key\": \"value\"}}"];
        assert!(self.cluster.kubectl(patch).unwrap().status.success());
        let output = waiting.await.unwrap();
        assert!(output.status.success(), "{}", said(&output));
    }

    async fn restart(&self) {
        self.proxy.stop().await;
        let refused = said(&self.kubectl(&["get", "configmap", "a"]));
        assert!(refused.contains("was refused - did you specify the right host or port?"), "{refused}");
        self.proxy.resume().await.unwrap();
        assert!(self.kubectl(&["get", "configmap", "a"]).status.success());
    }
}
