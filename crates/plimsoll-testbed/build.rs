//! The container runtime interface, generated without `protoc` from `proto/`.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed=proto");
    let interface = protox::compile(["container_runtime.proto"], ["proto"])?;
    // Its one client is the kubelet.
    tonic_prost_build::configure().build_client(false).compile_fds(interface)?;
    Ok(())
}
