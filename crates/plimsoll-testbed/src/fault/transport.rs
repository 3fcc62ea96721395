//! What the egress proxy changes in the API server's messages, and how a network would have said it: the one table that
//! translates. Nothing that is shown to a user may quote the proxy's words.

use std::io;

/// Nothing listens there.
pub(super) const REFUSED: &str = "connect: connection refused";

/// There is no such address.
pub(super) const NO_ROUTE: &str = "connect: no route to host";

/// A message of the API server as a pod network would have made it; one that needs no translation stays as it is.
///
/// | through the proxy | in a pod network | when |
/// | --- | --- | --- |
/// | `proxy error from SOCKET while dialing ADDRESS, code 503: 503 CAUSE` | `dial tcp ADDRESS: CAUSE` | the connection is not made; CAUSE is `connect: connection refused`, `connect: no route to host` … |
/// | `read unix @->SOCKET: read: CAUSE` | `read tcp: read: CAUSE`; a network names both ends, `read tcp HERE->ADDRESS: read: CAUSE` | the connection is reset while it is read |
/// | `write unix @->SOCKET: write: CAUSE` | the same with `write` | the connection is reset while it is written; not seen yet |
///
/// Both columns were seen with kube-apiserver v1.36.4, and `tests/connections` sees them again each time. TLS,
/// certificate, HTTP and time limit errors (`context deadline exceeded`) come from inside the connection or from the
/// caller's clock, and are the same both ways.
#[must_use]
pub fn translate(message: &str) -> String {
    let message = translate_dial(message).unwrap_or_else(|| message.to_owned());
    ["read", "write"]
        .iter()
        .fold(message, |message, verb| translate_broken(&message, verb).unwrap_or(message))
}

fn translate_dial(message: &str) -> Option<String> {
    let (before, rest) = message.split_once("proxy error from ")?;
    let (_socket, rest) = rest.split_once(" while dialing ")?;
    let (address, rest) = rest.split_once(", code 503: 503 ")?;
    Some(format!("{before}dial tcp {address}: {rest}"))
}

fn translate_broken(message: &str, verb: &str) -> Option<String> {
    let (before, rest) = message.split_once(&format!("{verb} unix @->"))?;
    let (_socket, rest) = rest.split_once(": ")?;
    Some(format!("{before}{verb} tcp: {rest}"))
}

/// Why a connection could not be made, in the words of a Go program.
pub(super) fn connect_failure(cause: &io::Error) -> String {
    let words = cause.to_string().to_lowercase();
    let words = words.split_once(" (os error").map_or(words.as_str(), |(words, _)| words);
    format!("connect: {words}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const CALL: &str = "failed calling webhook \"w.example.com\": failed to call webhook: Post \"https://w.default.svc:443/?timeout=2s\": ";

    #[test]
    fn a_refused_connection_reads_as_in_a_network() {
        let seen = format!(
            "{CALL}proxy error from /run/egress.sock while dialing 10.244.0.9:8443, code 503: 503 connect: connection refused"
        );
        assert_eq!(translate(&seen), format!("{CALL}dial tcp 10.244.0.9:8443: connect: connection refused"));
    }

    #[test]
    fn a_reset_connection_reads_as_in_a_network() {
        let seen = format!("{CALL}read unix @->/run/egress.sock: read: connection reset by peer");
        assert_eq!(translate(&seen), format!("{CALL}read tcp: read: connection reset by peer"));
    }

    #[test]
    fn every_other_message_stays_as_it_is() {
        for cause in ["context deadline exceeded", "remote error: tls: internal error", "EOF"] {
            let seen = format!("{CALL}{cause}");
            assert_eq!(translate(&seen), seen);
        }
    }

    #[test]
    fn causes_are_told_as_go_tells_them() {
        let told = |number| connect_failure(&io::Error::from_raw_os_error(number));
        assert_eq!(told(rustix::io::Errno::CONNREFUSED.raw_os_error()), REFUSED);
        assert_eq!(told(rustix::io::Errno::HOSTUNREACH.raw_os_error()), NO_ROUTE);
    }
}
