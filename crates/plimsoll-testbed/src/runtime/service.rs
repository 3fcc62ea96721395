//! The calls of the kubelet, each handed to who knows.

use super::container::Container;
use super::error::RuntimeError;
use super::interface as cri;
use super::interface::runtime_service_server::RuntimeService;
use super::node::{Node, now};
use super::pod::Pod;
use super::selection::selects;
use super::streaming::Request as StreamRequest;
use super::{execute, start};
use std::sync::Arc;
use std::time::Duration;
use tonic::{Request, Response, Status};

type Answer<T> = Result<Response<T>, Status>;

/// The runtime half of the interface.
#[derive(Clone)]
pub(crate) struct Runtime(pub Arc<Node>);

fn seconds(seconds: i64) -> Duration {
    Duration::from_secs(u64::try_from(seconds).unwrap_or(0))
}

/// The answer to a call that has nothing to say.
fn done<T: Default>() -> Response<T> {
    Response::new(T::default())
}

impl Runtime {
    async fn stop_pod(&self, id: &str) {
        for container in self.0.containers_of(id).await {
            container.stop(Duration::ZERO).await;
        }
        if let Ok(pod) = self.0.pod(id).await {
            pod.stop(&self.0).await;
        }
    }

    async fn remove_container(&self, container: &Container) {
        container.stop(Duration::ZERO).await;
        container.remove_files();
        self.0.forget_container(&container.id).await;
    }
}

#[tonic::async_trait]
impl RuntimeService for Runtime {
    async fn version(&self, _: Request<cri::VersionRequest>) -> Answer<cri::VersionResponse> {
        let version = env!("CARGO_PKG_VERSION").to_owned();
        Ok(Response::new(cri::VersionResponse {
            version: "0.1.0".to_owned(),
            runtime_name: "plimsoll".to_owned(),
            runtime_version: version,
            runtime_api_version: "v1".to_owned(),
        }))
    }

    async fn status(&self, _: Request<cri::StatusRequest>) -> Answer<cri::StatusResponse> {
        let condition = |kind: &str| cri::RuntimeCondition {
            r#type: kind.to_owned(),
            status: true,
            ..cri::RuntimeCondition::default()
        };
        let conditions = vec![condition("RuntimeReady"), condition("NetworkReady")];
        Ok(Response::new(cri::StatusResponse {
            status: Some(cri::RuntimeStatus { conditions }),
            ..cri::StatusResponse::default()
        }))
    }

    async fn runtime_config(
        &self,
        _: Request<cri::RuntimeConfigRequest>,
    ) -> Answer<cri::RuntimeConfigResponse> {
        let linux = cri::LinuxRuntimeConfiguration { cgroup_driver: cri::CgroupDriver::Cgroupfs.into() };
        Ok(Response::new(cri::RuntimeConfigResponse { linux: Some(linux) }))
    }

    async fn update_runtime_config(
        &self,
        _: Request<cri::UpdateRuntimeConfigRequest>,
    ) -> Answer<cri::UpdateRuntimeConfigResponse> {
        Ok(done())
    }

    async fn run_pod_sandbox(
        &self,
        request: Request<cri::RunPodSandboxRequest>,
    ) -> Answer<cri::RunPodSandboxResponse> {
        let config = request.into_inner().config.ok_or(RuntimeError::Lacks("the pod's configuration"))?;
        let pod_sandbox_id = Pod::start(&self.0, config).await?;
        Ok(Response::new(cri::RunPodSandboxResponse { pod_sandbox_id }))
    }

    async fn stop_pod_sandbox(
        &self,
        request: Request<cri::StopPodSandboxRequest>,
    ) -> Answer<cri::StopPodSandboxResponse> {
        self.stop_pod(&request.into_inner().pod_sandbox_id).await;
        Ok(done())
    }

    async fn remove_pod_sandbox(
        &self,
        request: Request<cri::RemovePodSandboxRequest>,
    ) -> Answer<cri::RemovePodSandboxResponse> {
        let id = request.into_inner().pod_sandbox_id;
        self.stop_pod(&id).await;
        for container in self.0.containers_of(&id).await {
            self.remove_container(&container).await;
        }
        if let Ok(pod) = self.0.pod(&id).await {
            pod.remove_files();
            self.0.forget_pod(&id).await;
        }
        Ok(done())
    }

    async fn pod_sandbox_status(
        &self,
        request: Request<cri::PodSandboxStatusRequest>,
    ) -> Answer<cri::PodSandboxStatusResponse> {
        let pod = self.0.pod(&request.into_inner().pod_sandbox_id).await?;
        let response = cri::PodSandboxStatusResponse {
            status: Some(pod.status()),
            timestamp: now(),
            ..Default::default()
        };
        Ok(Response::new(response))
    }

    async fn list_pod_sandbox(
        &self,
        request: Request<cri::ListPodSandboxRequest>,
    ) -> Answer<cri::ListPodSandboxResponse> {
        let filter = request.into_inner().filter.unwrap_or_default();
        let items =
            self.0.pods().await.iter().filter(|pod| pod.passes(&filter)).map(|pod| pod.item()).collect();
        Ok(Response::new(cri::ListPodSandboxResponse { items }))
    }

    async fn update_pod_sandbox_resources(
        &self,
        _: Request<cri::UpdatePodSandboxResourcesRequest>,
    ) -> Answer<cri::UpdatePodSandboxResourcesResponse> {
        Ok(done())
    }

    async fn create_container(
        &self,
        request: Request<cri::CreateContainerRequest>,
    ) -> Answer<cri::CreateContainerResponse> {
        let container_id = Container::create(&self.0, request.into_inner()).await?;
        Ok(Response::new(cri::CreateContainerResponse { container_id }))
    }

    async fn start_container(
        &self,
        request: Request<cri::StartContainerRequest>,
    ) -> Answer<cri::StartContainerResponse> {
        let container = self.0.container(&request.into_inner().container_id).await?;
        start::start(&self.0, &container).await?;
        Ok(done())
    }

    async fn stop_container(
        &self,
        request: Request<cri::StopContainerRequest>,
    ) -> Answer<cri::StopContainerResponse> {
        let request = request.into_inner();
        self.0.container(&request.container_id).await?.stop(seconds(request.timeout)).await;
        Ok(done())
    }

    async fn remove_container(
        &self,
        request: Request<cri::RemoveContainerRequest>,
    ) -> Answer<cri::RemoveContainerResponse> {
        if let Ok(container) = self.0.container(&request.into_inner().container_id).await {
            Self::remove_container(self, &container).await;
        }
        Ok(done())
    }

    async fn list_containers(
        &self,
        request: Request<cri::ListContainersRequest>,
    ) -> Answer<cri::ListContainersResponse> {
        let filter = request.into_inner().filter.unwrap_or_default();
        let containers = self.0.containers().await;
        let containers = containers.iter().filter(|one| one.passes(&filter)).map(|one| one.item()).collect();
        Ok(Response::new(cri::ListContainersResponse { containers }))
    }

    async fn container_status(
        &self,
        request: Request<cri::ContainerStatusRequest>,
    ) -> Answer<cri::ContainerStatusResponse> {
        let container = self.0.container(&request.into_inner().container_id).await?;
        Ok(Response::new(cri::ContainerStatusResponse {
            status: Some(container.status()),
            ..Default::default()
        }))
    }

    async fn update_container_resources(
        &self,
        _: Request<cri::UpdateContainerResourcesRequest>,
    ) -> Answer<cri::UpdateContainerResourcesResponse> {
        Ok(done())
    }

    async fn reopen_container_log(
        &self,
        request: Request<cri::ReopenContainerLogRequest>,
    ) -> Answer<cri::ReopenContainerLogResponse> {
        let container = self.0.container(&request.into_inner().container_id).await?;
        container.log.reopen().map_err(RuntimeError::at("open the log anew"))?;
        Ok(done())
    }

    async fn exec_sync(&self, request: Request<cri::ExecSyncRequest>) -> Answer<cri::ExecSyncResponse> {
        let request = request.into_inner();
        let container = self.0.container(&request.container_id).await?;
        let answer =
            execute::synchronously(&self.0, &container, request.cmd, seconds(request.timeout)).await?;
        Ok(Response::new(answer))
    }

    async fn exec(&self, request: Request<cri::ExecRequest>) -> Answer<cri::ExecResponse> {
        let request = request.into_inner();
        self.0.container(&request.container_id).await?.running()?;
        Ok(Response::new(cri::ExecResponse { url: self.0.requests.add(StreamRequest::Execute(request)) }))
    }

    async fn attach(&self, request: Request<cri::AttachRequest>) -> Answer<cri::AttachResponse> {
        let request = request.into_inner();
        self.0.container(&request.container_id).await?.running()?;
        Ok(Response::new(cri::AttachResponse { url: self.0.requests.add(StreamRequest::Attach(request)) }))
    }

    async fn port_forward(
        &self,
        request: Request<cri::PortForwardRequest>,
    ) -> Answer<cri::PortForwardResponse> {
        let request = request.into_inner();
        self.0.pod(&request.pod_sandbox_id).await?;
        Ok(Response::new(cri::PortForwardResponse {
            url: self.0.requests.add(StreamRequest::Forward(request)),
        }))
    }

    async fn container_stats(
        &self,
        request: Request<cri::ContainerStatsRequest>,
    ) -> Answer<cri::ContainerStatsResponse> {
        let container = self.0.container(&request.into_inner().container_id).await?;
        Ok(Response::new(cri::ContainerStatsResponse { stats: Some(container.stats()) }))
    }

    async fn list_container_stats(
        &self,
        request: Request<cri::ListContainerStatsRequest>,
    ) -> Answer<cri::ListContainerStatsResponse> {
        let filter = request.into_inner().filter.unwrap_or_default();
        let filter = cri::ContainerFilter {
            id: filter.id,
            pod_sandbox_id: filter.pod_sandbox_id,
            label_selector: filter.label_selector,
            state: None,
        };
        let containers = self.0.containers().await;
        let stats = containers.iter().filter(|one| one.passes(&filter)).map(|one| one.stats()).collect();
        Ok(Response::new(cri::ListContainerStatsResponse { stats }))
    }

    async fn pod_sandbox_stats(
        &self,
        request: Request<cri::PodSandboxStatsRequest>,
    ) -> Answer<cri::PodSandboxStatsResponse> {
        let pod = self.0.pod(&request.into_inner().pod_sandbox_id).await?;
        Ok(Response::new(cri::PodSandboxStatsResponse { stats: Some(pod.stats()) }))
    }

    async fn list_pod_sandbox_stats(
        &self,
        request: Request<cri::ListPodSandboxStatsRequest>,
    ) -> Answer<cri::ListPodSandboxStatsResponse> {
        let filter = request.into_inner().filter.unwrap_or_default();
        let passes = |pod: &&Arc<Pod>| {
            (filter.id.is_empty() || filter.id == pod.id)
                && selects(&filter.label_selector, &pod.config.labels)
        };
        let stats = self.0.pods().await.iter().filter(passes).map(|pod| pod.stats()).collect();
        Ok(Response::new(cri::ListPodSandboxStatsResponse { stats }))
    }
}
