//! The trusted proxies: only proxies that the operator names may report a caller's address.

use engine::spelling::excerpt;
use ipnet::IpNet;
use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;
use thiserror::Error;

/// An address, or all addresses that begin with the same bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Network(IpNet);

/// A text that is no network.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` is no address and no network: write 10.0.0.7, 10.0.0.0/8, ::1 or 2001:db8::/32")]
pub struct NoNetwork(String);

impl FromStr for Network {
    type Err = NoNetwork;

    fn from_str(text: &str) -> Result<Self, NoNetwork> {
        let address = || text.trim().parse::<IpAddr>().map(|address| IpNet::from(address.to_canonical()));
        let network: Option<IpNet> = text.trim().parse().ok().or(address().ok());
        // Callers' IPv4 addresses are never in the form of IPv6.
        let network = network.filter(|network| network.addr() == network.addr().to_canonical());
        network.map(Self).ok_or_else(|| NoNetwork(excerpt(text)))
    }
}

/// Whether one of these networks contains the address.
pub(crate) fn is_named(proxies: &[Network], address: IpAddr) -> bool {
    proxies.iter().any(|Network(proxy)| proxy.contains(&address.to_canonical()))
}

/// The caller's address: that of the connection, or the one that named proxies report. `forwarded` holds the values of
/// `X-Forwarded-For` in their order. Each proxy appends the address that called it. So the values are read from the end up to the
/// first address that is not a named proxy. All values before it are an unverified claim of that caller.
pub(crate) fn caller<'a>(
    proxies: &[Network],
    peer: IpAddr,
    forwarded: impl DoubleEndedIterator<Item = &'a str>,
) -> IpAddr {
    let mut caller = peer.to_canonical();
    for hop in forwarded.rev().flat_map(|value| value.rsplit(',')) {
        let hop = hop.trim();
        let address = hop.parse().or_else(|_| hop.parse::<SocketAddr>().map(|address| address.ip()));
        match address {
            Ok(address) if is_named(proxies, caller) => caller = address.to_canonical(),
            _ => break,
        }
    }
    caller
}

#[cfg(test)]
mod tests {
    use super::*;

    fn networks(list: &[&str]) -> Vec<Network> {
        list.iter().map(|text| text.parse().expect(text)).collect()
    }

    fn address(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    #[test]
    fn a_network_is_an_address_or_a_prefix() {
        for (network, inside, outside) in [
            ("10.0.0.7", "10.0.0.7", "10.0.0.8"),
            ("10.0.0.7", "::ffff:10.0.0.7", "::10.0.0.7"),
            ("::ffff:10.0.0.7", "10.0.0.7", "10.0.0.8"),
            ("10.0.0.0/8", "10.255.1.1", "11.0.0.0"),
            ("0.0.0.0/0", "203.0.113.9", "2001:db8::1"),
            ("2001:db8::/32", "2001:db8:ffff::1", "2001:db9::"),
            ("::/0", "2001:db8::1", "10.0.0.1"),
            ("::1", "::1", "127.0.0.1"),
        ] {
            let network: Network = network.parse().expect(network);
            assert!(is_named(&[network], address(inside)), "{inside}");
            assert!(!is_named(&[network], address(outside)), "{outside}");
        }
        for wrong in
            ["", "host", "10.0.0", "10.0.0.0/33", "10.0.0.0/-1", "::/129", "10.0.0.0/", "::ffff:10.0.0.0/8"]
        {
            let error = wrong.parse::<Network>().expect_err(wrong).to_string();
            assert!(error.contains(&format!("`{wrong}`")) && error.contains("10.0.0.0/8"), "{error}");
        }
    }

    #[test]
    fn only_named_proxies_are_believed_about_the_caller() {
        let of = |proxies: &[&str], peer: &str, forwarded: &[&str]| {
            caller(&networks(proxies), address(peer), forwarded.iter().copied()).to_string()
        };
        let spoofed = ["6.6.6.6, 9.9.9.9"];
        assert_eq!(of(&[], "127.0.0.1", &spoofed), "127.0.0.1", "not even one of this machine");
        assert_eq!(of(&["10.0.0.1"], "8.8.8.8", &spoofed), "8.8.8.8");
        assert_eq!(of(&["10.0.0.1"], "10.0.0.1", &spoofed), "9.9.9.9", "the last is the proxy's word");
        assert_eq!(of(&["10.0.0.1"], "10.0.0.1", &["6.6.6.6", "9.9.9.9"]), "9.9.9.9", "in two headers, too");
        assert_eq!(
            of(&["10.0.0.0/24"], "10.0.0.1", &["6.6.6.6, 9.9.9.9, 10.0.0.2"]),
            "9.9.9.9",
            "two proxies"
        );
        assert_eq!(of(&["10.0.0.1"], "10.0.0.1", &["9.9.9.9, nonsense"]), "10.0.0.1");
        assert_eq!(of(&["10.0.0.1"], "10.0.0.1", &["[2001:db8::1]:443"]), "2001:db8::1");
        assert_eq!(of(&["10.0.0.1"], "::ffff:10.0.0.1", &["9.9.9.9:80"]), "9.9.9.9");
        assert_eq!(of(&["10.0.0.1"], "10.0.0.1", &[]), "10.0.0.1");
    }
}
