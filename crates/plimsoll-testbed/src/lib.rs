//! A real cluster beside us: the programs, the control plane, nodes whose containers are local programs, faults on
//! demand, and what was seen on all of it. Development only; the program never uses this crate.

pub mod audit;
pub mod cluster;
mod connection;
pub mod delays;
pub mod fault;
mod lifetime;
pub mod load;
pub mod network;
pub mod node;
pub mod operators;
pub mod processes;
pub mod programs;
pub mod promise;
pub mod provisioner;
pub mod runtime;
pub mod witness;
pub mod workplace;

pub use connection::ConnectionError;
