//! TLS: a certificate and its key from files, which are read again when they change.

use protocol::hex::hex;
use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::SystemTime;
use thiserror::Error;
use tokio_rustls::TlsAcceptor;

/// The certificate of a server. Clones share it.
#[derive(Clone)]
pub struct Tls {
    certificate: Arc<Certificate>,
    pub(crate) acceptor: TlsAcceptor,
}

impl std::fmt::Debug for Tls {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Tls({})", self.certificate.file.display())
    }
}

/// A certificate or key that cannot be used.
#[derive(Debug, Error)]
pub enum TlsError {
    /// A file cannot be read or parsed.
    #[error("{file} holds no {what} in PEM: {why}", file = .file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// The expected content.
        what: &'static str,
        /// The parser's message.
        why: String,
    },
    /// The two do not match, or are of an unknown kind.
    #[error("the certificate in {cert} and the key in {key} cannot be used together: {why}", cert = .cert.display(), key = .key.display())]
    Unusable {
        /// The certificate's file.
        cert: PathBuf,
        /// The key's file.
        key: PathBuf,
        /// The library's error.
        why: rustls::Error,
    },
}

struct Certificate {
    file: PathBuf,
    key_file: PathBuf,
    current: RwLock<(Arc<CertifiedKey>, Times)>,
}

/// When the two files were last written.
type Times = [Option<SystemTime>; 2];

impl Tls {
    /// Reads a certificate, with its chain after it, and its key, both in PEM.
    ///
    /// # Errors
    /// When they cannot be read, or do not belong together.
    pub fn read(certificate: &Path, key: &Path) -> Result<Self, TlsError> {
        let times = times(certificate, key);
        let read = read(certificate, key)?;
        let certificate = Arc::new(Certificate {
            file: certificate.to_owned(),
            key_file: key.to_owned(),
            current: RwLock::new((Arc::new(read), times)),
        });
        let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .expect("the provider knows TLS 1.2 and 1.3")
            .with_no_client_auth()
            .with_cert_resolver(certificate.clone());
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Self { certificate, acceptor: TlsAcceptor::from(Arc::new(config)) })
    }

    /// SHA-256 of the certificate in hexadecimal, if it stands alone in its file. Then no public authority has signed it (a
    /// signature would need the authority's certificate beside it), so clients need this digest to know which certificate to
    /// expect.
    #[must_use]
    pub fn pin(&self) -> Option<String> {
        match self.certificate.key().cert.as_slice() {
            [alone] => Some(hex(&Sha256::digest(alone))),
            _ => None,
        }
    }

    /// Reads the files again if they changed, because certificates are renewed while a coordinator runs. Files that
    /// cannot be used are logged once and change nothing.
    pub(crate) fn refresh(&self) {
        let Certificate { file, key_file, current } = &*self.certificate;
        let times = times(file, key_file);
        if current.read().unwrap_or_else(PoisonError::into_inner).1 == times {
            return;
        }
        let read = read(file, key_file);
        let mut current = current.write().unwrap_or_else(PoisonError::into_inner);
        current.1 = times;
        match read {
            Ok(read) => {
                tracing::info!("serving with the new certificate in {}", file.display());
                current.0 = Arc::new(read);
            }
            Err(error) => tracing::error!("still serving with the old certificate: {error}"),
        }
    }
}

impl Certificate {
    fn key(&self) -> Arc<CertifiedKey> {
        self.current.read().unwrap_or_else(PoisonError::into_inner).0.clone()
    }
}

impl std::fmt::Debug for Certificate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Certificate({})", self.file.display())
    }
}

impl ResolvesServerCert for Certificate {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.key())
    }
}

fn times(certificate: &Path, key: &Path) -> Times {
    [certificate, key].map(|file| std::fs::metadata(file).and_then(|about| about.modified()).ok())
}

fn read(certificate: &Path, key: &Path) -> Result<CertifiedKey, TlsError> {
    let unreadable =
        |file: &Path, what, why: String| TlsError::Unreadable { file: file.to_owned(), what, why };
    let chain = CertificateDer::pem_file_iter(certificate)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(|error| unreadable(certificate, "certificate", error.to_string()))?;
    if chain.is_empty() {
        return Err(unreadable(certificate, "certificate", "there is none in it".to_owned()));
    }
    let private = PrivateKeyDer::from_pem_file(key)
        .map_err(|error| unreadable(key, "private key", error.to_string()))?;
    CertifiedKey::from_der(chain, private, &ring::default_provider()).map_err(|why| TlsError::Unusable {
        cert: certificate.to_owned(),
        key: key.to_owned(),
        why,
    })
}
