//! The testbed's own processes behind one name: the supervisor of a cluster, the container runtime, the proxies.

fn main() {}
