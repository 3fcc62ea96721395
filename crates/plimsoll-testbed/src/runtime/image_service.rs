//! The calls of the kubelet about images.

use super::error::RuntimeError;
use super::images::pull;
use super::interface::image_service_server::ImageService;
use super::interface::{
    FilesystemIdentifier, FilesystemUsage, ImageFsInfoRequest, ImageFsInfoResponse, ImageSpec,
    ImageStatusRequest, ImageStatusResponse, ListImagesRequest, ListImagesResponse, PullImageRequest,
    PullImageResponse, RemoveImageRequest, RemoveImageResponse, UInt64Value,
};
use super::node::{Node, now};
use std::sync::Arc;
use tonic::{Request, Response, Status};

type Answer<T> = Result<Response<T>, Status>;

/// The image half of the interface.
#[derive(Clone)]
pub(crate) struct Images(pub Arc<Node>);

fn name(image: Option<ImageSpec>) -> Result<String, RuntimeError> {
    image.map(|image| image.image).ok_or(RuntimeError::Lacks("the image's name"))
}

#[tonic::async_trait]
impl ImageService for Images {
    async fn list_images(&self, request: Request<ListImagesRequest>) -> Answer<ListImagesResponse> {
        let wanted = request.into_inner().filter.and_then(|filter| filter.image).map(|image| image.image);
        let images = self.0.images.lock().await;
        let images = match wanted.as_deref() {
            None | Some("") => images.list(),
            Some(wanted) => images.find(wanted).into_iter().collect(),
        };
        Ok(Response::new(ListImagesResponse { images }))
    }

    async fn image_status(&self, request: Request<ImageStatusRequest>) -> Answer<ImageStatusResponse> {
        let image = self.0.images.lock().await.find(&name(request.into_inner().image)?);
        Ok(Response::new(ImageStatusResponse { image, ..ImageStatusResponse::default() }))
    }

    async fn pull_image(&self, request: Request<PullImageRequest>) -> Answer<PullImageResponse> {
        let request = request.into_inner();
        let image_ref = pull(&self.0, &name(request.image)?, request.auth.as_ref()).await?;
        Ok(Response::new(PullImageResponse { image_ref }))
    }

    async fn remove_image(&self, request: Request<RemoveImageRequest>) -> Answer<RemoveImageResponse> {
        self.0.images.lock().await.remove(&name(request.into_inner().image)?);
        Ok(Response::new(RemoveImageResponse {}))
    }

    async fn image_fs_info(&self, _: Request<ImageFsInfoRequest>) -> Answer<ImageFsInfoResponse> {
        let usage = FilesystemUsage {
            timestamp: now(),
            fs_id: Some(FilesystemIdentifier {
                mountpoint: self.0.options.state.to_string_lossy().into_owned(),
            }),
            used_bytes: Some(UInt64Value { value: 0 }),
            inodes_used: Some(UInt64Value { value: 0 }),
        };
        Ok(Response::new(ImageFsInfoResponse {
            image_filesystems: vec![usage.clone()],
            container_filesystems: vec![usage],
        }))
    }
}
