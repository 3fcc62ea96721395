//! Finds every order of events in which a Kubernetes deployment can fail.
fn main() {}
