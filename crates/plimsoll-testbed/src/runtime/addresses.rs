//! Pod addresses. One is not given again until all others have been: a stale route or cache would mislead in silence.

use std::collections::BTreeSet;
use std::net::Ipv4Addr;
use std::str::FromStr;

/// A range of addresses such as `10.244.1.0/24`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    first: u32,
    /// How many leading bits all its addresses share.
    pub bits: u8,
}

impl FromStr for Range {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is no range of addresses: write it as 10.244.1.0/24");
        let (address, bits) = text.split_once('/').ok_or_else(wrong)?;
        let address: Ipv4Addr = address.parse().map_err(|_| wrong())?;
        let bits: u8 = bits.parse().ok().filter(|bits| (8..=30).contains(bits)).ok_or_else(wrong)?;
        let size = 1_u32 << (32 - u32::from(bits));
        Ok(Self { first: u32::from(address) & !(size - 1), bits })
    }
}

impl Range {
    fn size(self) -> u32 {
        1 << (32 - u32::from(self.bits))
    }
}

/// The addresses of one node's pods.
#[derive(Debug)]
pub(crate) struct Addresses {
    range: Range,
    next: u32,
    used: BTreeSet<Ipv4Addr>,
}

impl Addresses {
    /// All of a range but its first, its last and the gateway; `next` is where an earlier life of the node ended.
    #[must_use]
    pub(crate) fn new(range: Range, gateway: Ipv4Addr, next: u32) -> Self {
        Self { range, next, used: BTreeSet::from([gateway]) }
    }

    /// An address that has not been used for the longest time; nothing if all are in use.
    pub(crate) fn take(&mut self) -> Option<Ipv4Addr> {
        let usable = self.range.size() - 2;
        let candidate = |step: u32| {
            let offset = (self.next % usable + step) % usable + 1;
            (offset, Ipv4Addr::from(self.range.first + offset))
        };
        let (offset, address) =
            (0..usable).map(candidate).find(|(_, address)| !self.used.contains(address))?;
        self.next = offset % usable;
        self.used.insert(address);
        Some(address)
    }

    /// Takes an address back.
    pub(crate) fn give_back(&mut self, address: Ipv4Addr) {
        self.used.remove(&address);
    }

    /// Where the next search begins, to be kept over a restart.
    #[must_use]
    pub(crate) fn next(&self) -> u32 {
        self.next
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn addresses(range: &str) -> Addresses {
        Addresses::new(range.parse().expect("a range"), Ipv4Addr::new(10, 244, 0, 1), 0)
    }

    #[test]
    fn an_address_comes_again_only_after_all_others() {
        let mut addresses = addresses("10.244.0.0/29");
        let last = |address: Ipv4Addr| address.octets()[3];
        let first = addresses.take().expect("an address");
        assert_eq!(last(first), 2, "the gateway is not given");
        addresses.give_back(first);
        let rest: Vec<u8> = (0..5).map_while(|_| addresses.take().map(last)).collect();
        assert_eq!(rest, [3, 4, 5, 6, 2]);
        assert_eq!(addresses.take(), None, "all are in use");
    }

    #[test]
    fn a_restarted_node_goes_on_where_it_was() {
        let mut before = addresses("10.244.0.0/24");
        before.take();
        let range = "10.244.0.0/24".parse().expect("a range");
        let mut after = Addresses::new(range, Ipv4Addr::new(10, 244, 0, 1), before.next());
        assert_eq!(after.take(), Some(Ipv4Addr::new(10, 244, 0, 3)));
    }

    #[test]
    fn ranges_are_checked() {
        assert_eq!("10.244.1.7/24".parse::<Range>(), "10.244.1.0/24".parse());
        for text in ["10.244.1.0", "10.244.1.0/31", "10.244.1/24", "::/64"] {
            assert!(text.parse::<Range>().is_err(), "{text}");
        }
    }
}
