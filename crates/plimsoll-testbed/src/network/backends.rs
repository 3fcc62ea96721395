//! The pods behind one front, taken in turn.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Replaced as a whole when the endpoints change.
#[derive(Debug)]
pub(super) struct Backends {
    addresses: Mutex<Vec<SocketAddr>>,
    turn: AtomicUsize,
}

impl Backends {
    pub(super) fn new(addresses: Vec<SocketAddr>) -> Self {
        Self { addresses: Mutex::new(addresses), turn: AtomicUsize::new(0) }
    }

    pub(super) fn replace(&self, addresses: Vec<SocketAddr>) {
        *self.addresses.lock().unwrap_or_else(PoisonError::into_inner) = addresses;
    }

    /// The next one.
    pub(super) fn next(&self) -> Option<SocketAddr> {
        let addresses = self.addresses.lock().unwrap_or_else(PoisonError::into_inner);
        let turn = self.turn.fetch_add(1, Ordering::Relaxed);
        addresses.get(turn.checked_rem(addresses.len())?).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pod_has_its_turn() {
        let addresses: Vec<SocketAddr> = vec!["10.0.0.1:1".parse().unwrap(), "10.0.0.2:1".parse().unwrap()];
        let backends = Backends::new(addresses.clone());
        let taken: Vec<_> = (0..4).filter_map(|_| backends.next()).collect();
        assert_eq!(taken, [addresses.clone(), addresses].concat());
        backends.replace(Vec::new());
        assert_eq!(backends.next(), None);
    }
}
