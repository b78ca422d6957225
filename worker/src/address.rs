//! A coordinator's address, and how its certificate is verified.

use engine::spelling::excerpt;
use protocol::hex::{hex, read_hex};
use reqwest::{ClientBuilder, Url};
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, SignatureScheme};
use sha2::{Digest, Sha256};
use std::net::Ipv6Addr;
use std::str::FromStr;
use std::sync::Arc;
use thiserror::Error;

/// The default port of a coordinator.
pub const DEFAULT_PORT: u16 = 8437;

/// A coordinator's address: `http://host:8437` or `https://host`, possibly with a path before `/api`. `host:8437` and `host` are
/// short for `http://host:8437`.
///
/// Over https an authority that this machine trusts must have signed the certificate. Alternatively the address ends with
/// the SHA-256 of the certificate: `https://host:8437#sha256=…`. Then only this certificate is accepted, and its names
/// and dates do not matter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    base: Url,
    pin: Option<[u8; 32]>,
}

/// The form for people: without a slash at the end.
impl std::fmt::Display for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.base.as_str().trim_end_matches('/'))?;
        self.pin.map_or(Ok(()), |pin| write!(f, "#{PIN}{}", hex(&pin)))
    }
}

/// The prefix of the part of an address that names a certificate.
const PIN: &str = "sha256=";

/// The form of an address, for errors.
const LIKE: &str = "write http://HOST:PORT or https://HOST, such as http://localhost:8437";

/// Whether a host is followed by its port. An IPv6 address without a port ends with its bracket.
fn has_port(host: &str) -> bool {
    host.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok())
}

/// An address that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NoAddress {
    /// Neither an http or https URL nor a host with or without a port.
    #[error("`{url}` is no address of a coordinator: {why}")]
    BadUrl {
        /// The address given.
        url: String,
        /// The fault, or the expected form.
        why: String,
    },
    /// The part after `#` is not a digest of a certificate, or the address is not https.
    #[error(
        "`#{fragment}` after an address must be `#sha256=` and 64 hexadecimal digits, and the address https://"
    )]
    BadPin {
        /// The part after `#`.
        fragment: String,
    },
}

impl FromStr for Address {
    type Err = NoAddress;

    fn from_str(text: &str) -> Result<Self, NoAddress> {
        let text = text.trim();
        let bad = |why: &str| NoAddress::BadUrl { url: excerpt(text), why: why.to_owned() };
        let place = text.split('#').next().unwrap_or_default();
        let url = match place {
            "" => return Err(bad(LIKE)),
            url if url.contains("://") => text.to_owned(),
            v6 if v6.parse::<Ipv6Addr>().is_ok() => {
                return Err(bad(&format!("write an IPv6 address in brackets: http://[{v6}]:{DEFAULT_PORT}")));
            }
            path if path.contains('/') => {
                return Err(bad(&format!("begin with http:// or https://, such as https://{path}")));
            }
            host if has_port(host) => format!("http://{text}"),
            host if host == text => format!("http://{text}:{DEFAULT_PORT}"),
            _ => return Err(bad("a certificate needs an address that begins with https://")),
        };
        let mut base = Url::parse(&url).map_err(|error| bad(&format!("{error}; {LIKE}")))?;
        if !matches!(base.scheme(), "http" | "https") {
            return Err(bad(&format!("it begins with {}://; {LIKE}", base.scheme())));
        }
        if base.query().is_some() {
            return Err(bad("it has a `?`, and a coordinator's address has none"));
        }
        let pin = match base.fragment() {
            None => None,
            Some(fragment) => {
                let pin = fragment.strip_prefix(PIN).and_then(read_hex);
                if pin.is_none() || base.scheme() != "https" {
                    return Err(NoAddress::BadPin { fragment: fragment.to_owned() });
                }
                pin
            }
        };
        base.set_fragment(None);
        // With and without a slash at its end it is the same address.
        let path = base.path().trim_end_matches('/').to_owned();
        base.set_path(&path);
        Ok(Self { base, pin })
    }
}

impl Address {
    /// The address of a coordinator that listens on a port of this host. `pin` is the SHA-256 of its certificate.
    ///
    /// # Errors
    /// If the host's name cannot be part of a URL.
    pub fn of(is_tls: bool, host: &str, port: u16, pin: Option<&str>) -> Result<Self, NoAddress> {
        let scheme = if is_tls { "https" } else { "http" };
        let host = if host.parse::<Ipv6Addr>().is_ok() { format!("[{host}]") } else { host.to_owned() };
        let pin = pin.map_or_else(String::new, |pin| format!("#{PIN}{pin}"));
        format!("{scheme}://{host}:{port}{pin}").parse()
    }

    /// As `HOST:PORT` where that is short for the address, and the address otherwise.
    #[must_use]
    pub fn short(&self) -> String {
        let host = self.base.host_str().unwrap_or_default();
        let port = self.base.port_or_known_default().unwrap_or(DEFAULT_PORT);
        let short = format!("{host}:{port}");
        if short.parse().as_ref() == Ok(self) { short } else { self.to_string() }
    }

    /// The URL of a path below the coordinator's address.
    #[must_use]
    pub fn at(&self, path: &str) -> Url {
        let base = self.base.as_str().trim_end_matches('/');
        Url::parse(&format!("{base}{path}")).expect("a path after an address is an address")
    }

    /// A client that accepts only this coordinator's certificate.
    pub fn client(&self) -> ClientBuilder {
        // Another part of the process may have installed a provider already, which serves as well.
        let _ = ring::default_provider().install_default();
        let mut builder = reqwest::Client::builder();
        if let Some(pin) = self.pin {
            builder = builder.tls_backend_preconfigured(pinned(pin));
        } else if self.base.scheme() == "http" {
            // A machine without root certificates can still use plain http.
            builder = builder.tls_certs_only([]);
        }
        if is_loopback(&self.base) { builder.no_proxy() } else { builder }
    }
}

fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost" || host.parse().is_ok_and(|address: std::net::IpAddr| address.is_loopback())
}

fn pinned(pin: [u8; 32]) -> ClientConfig {
    let provider = Arc::new(ring::default_provider());
    let only = Arc::new(Pinned { pin, provider: provider.clone() });
    ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("the provider knows TLS 1.2 and 1.3")
        .dangerous()
        .with_custom_certificate_verifier(only)
        .with_no_client_auth()
}

/// Accepts one certificate and no other. TLS still verifies that the sender has its key.
#[derive(Debug)]
struct Pinned {
    pin: [u8; 32],
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for Pinned {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        if Sha256::digest(certificate)[..] == self.pin {
            return Ok(ServerCertVerified::assertion());
        }
        Err(rustls::Error::General(OTHER_CERTIFICATE.to_owned()))
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(message, certificate, signed, &self.provider.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, certificate, signed, &self.provider.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

/// The error for a certificate other than the expected one. Otherwise the user would see the name of its type.
pub(crate) const OTHER_CERTIFICATE: &str =
    "the coordinator shows another certificate than the one named by #sha256=… in its address";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_may_name_the_certificate_to_expect() {
        let pin = "0f".repeat(32);
        for (text, endpoint, pinned) in [
            ("http://host:8437", "http://host:8437/api/v1/sync", false),
            (" https://host/tune/ ", "https://host/tune/api/v1/sync", false),
            (&format!("https://host:1#sha256={pin}"), "https://host:1/api/v1/sync", true),
            (&format!("https://host/a/#sha256={}", pin.to_uppercase()), "https://host/a/api/v1/sync", true),
            ("localhost:8437", "http://localhost:8437/api/v1/sync", false),
            ("10.0.0.1:99", "http://10.0.0.1:99/api/v1/sync", false),
            ("lab", "http://lab:8437/api/v1/sync", false),
            ("[::1]", "http://[::1]:8437/api/v1/sync", false),
            ("[2001:db8::7]:80", "http://[2001:db8::7]/api/v1/sync", false),
        ] {
            let address: Address = text.parse().expect(text);
            assert_eq!(address.to_string().parse(), Ok(address.clone()), "{text}");
            assert_eq!(address.short().parse(), Ok(address.clone()), "{text}");
            assert_eq!(address.at("/api/v1/sync").as_str(), endpoint);
            assert_eq!(address.pin, pinned.then_some([0x0f; 32]), "{text}");
        }
        for fragment in ["", "sha256=", "sha256=0f", &pin, &format!("sha256={}", "é".repeat(32)), "sha1=00"]
        {
            let error = format!("https://host#{fragment}").parse::<Address>().expect_err(fragment);
            assert!(error.to_string().contains("64 hexadecimal digits"), "{error}");
        }
        let clear = format!("http://host#sha256={pin}").parse::<Address>().expect_err("nothing to compare");
        assert!(matches!(clear, NoAddress::BadPin { .. }));
        for (text, hint) in [
            ("", "such as http://localhost:8437"),
            ("ftp://host", "it begins with ftp://; write http://"),
            ("::1", "http://[::1]:8437"),
            ("fe80::1", "http://[fe80::1]:8437"),
            ("tune.example/x", "https://tune.example/x"),
            ("http://host/?token=1", "it has a `?`"),
            ("http://host:99999", "invalid port"),
            ("a b", "write http://"),
            (&format!("host#sha256={pin}"), "begins with https://"),
        ] {
            let error = text.parse::<Address>().expect_err(text);
            assert!(matches!(error, NoAddress::BadUrl { .. }) && error.to_string().contains(hint), "{error}");
        }
    }

    #[test]
    fn where_a_coordinator_listens_is_an_address() {
        let pin = "0f".repeat(32);
        for (is_tls, host, port, pin, url, short) in [
            (false, "lab", 8437, None, "http://lab:8437", "lab:8437"),
            (false, "::1", 8437, None, "http://[::1]:8437", "[::1]:8437"),
            (false, "127.0.0.1", 80, None, "http://127.0.0.1", "127.0.0.1:80"),
            (true, "2001:db8::7", 443, None, "https://[2001:db8::7]", "https://[2001:db8::7]"),
            (
                true,
                "lab",
                1,
                Some(&pin[..]),
                &format!("https://lab:1#sha256={pin}"),
                &format!("https://lab:1#sha256={pin}"),
            ),
        ] {
            let address = Address::of(is_tls, host, port, pin).expect("an address");
            assert_eq!((address.to_string().as_str(), address.short().as_str()), (url, short));
        }
        assert!(Address::of(false, "two words", 1, None).is_err());
    }
}
