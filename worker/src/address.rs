//! A coordinator's address, and how its certificate is verified.

use protocol::hex::read_hex;
use reqwest::{ClientBuilder, Url};
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, SignatureScheme};
use sha2::{Digest, Sha256};
use std::str::FromStr;
use std::sync::Arc;
use thiserror::Error;

/// A coordinator's address: `http://host:8437` or `https://host`, possibly with a path before `/api`.
///
/// Over https an authority that this machine trusts must have signed the certificate. Alternatively the address ends with
/// the SHA-256 of the certificate: `https://host:8437#sha256=…`. Then only this certificate is accepted, and its names
/// and dates do not matter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    base: Url,
    pin: Option<[u8; 32]>,
}

/// An address that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NoAddress {
    /// Not an http or https URL.
    #[error("`{url}` is no address of a coordinator: it should look like http://host:8437")]
    BadUrl {
        /// The address given.
        url: String,
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

    fn from_str(url: &str) -> Result<Self, NoAddress> {
        let bad = || NoAddress::BadUrl { url: url.to_owned() };
        let mut base = Url::parse(url.trim()).map_err(|_| bad())?;
        if !matches!(base.scheme(), "http" | "https") {
            return Err(bad());
        }
        let pin = match base.fragment() {
            None => None,
            Some(fragment) => {
                let pin = fragment.strip_prefix("sha256=").and_then(read_hex);
                if pin.is_none() || base.scheme() != "https" {
                    return Err(NoAddress::BadPin { fragment: fragment.to_owned() });
                }
                pin
            }
        };
        base.set_fragment(None);
        Ok(Self { base, pin })
    }
}

impl Address {
    /// The URL of a call below `/api/v1`.
    #[must_use]
    pub fn endpoint(&self, call: &str) -> Url {
        let base = self.base.as_str().trim_end_matches('/');
        Url::parse(&format!("{base}/api/v1/{call}")).expect("a path after an address is an address")
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

/// The error for a certificate other than the expected one. Its type's name is what the user would see otherwise.
const OTHER_CERTIFICATE: &str =
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
        ] {
            let address: Address = text.parse().expect(text);
            assert_eq!(address.endpoint("sync").as_str(), endpoint);
            assert_eq!(address.pin, pinned.then_some([0x0f; 32]), "{text}");
        }
        for fragment in ["", "sha256=", "sha256=0f", &pin, &format!("sha256={}", "é".repeat(32)), "sha1=00"]
        {
            let error = format!("https://host#{fragment}").parse::<Address>().expect_err(fragment);
            assert!(error.to_string().contains("64 hexadecimal digits"), "{error}");
        }
        let clear = format!("http://host#sha256={pin}").parse::<Address>().expect_err("nothing to compare");
        assert!(matches!(clear, NoAddress::BadPin { .. }));
        for text in ["", "host:8437", "ftp://host"] {
            assert!(matches!(text.parse::<Address>(), Err(NoAddress::BadUrl { .. })), "{text}");
        }
    }
}
