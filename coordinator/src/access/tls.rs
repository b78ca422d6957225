//! TLS: a certificate and its key from files, which are read again when they change.

use axum_server::tls_rustls::RustlsConfig;
use protocol::hex::hex;
use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;
use thiserror::Error;

/// The certificate of a server. Clones share it.
#[derive(Debug, Clone)]
pub struct Tls {
    certificate: PathBuf,
    key: PathBuf,
    served: Arc<Mutex<Served>>,
    pub(crate) config: RustlsConfig,
}

/// What is known of the certificate that is served now.
#[derive(Debug)]
struct Served {
    times: Times,
    pin: Option<String>,
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

/// When the two files were last written.
type Times = [Option<SystemTime>; 2];

impl Tls {
    /// Reads a certificate, with its chain after it, and its key, both in PEM.
    ///
    /// # Errors
    /// When they cannot be read, or do not belong together.
    pub fn read(certificate: &Path, key: &Path) -> Result<Self, TlsError> {
        let times = times(certificate, key);
        let (config, pin) = read(certificate, key)?;
        Ok(Self {
            certificate: certificate.to_owned(),
            key: key.to_owned(),
            served: Arc::new(Mutex::new(Served { times, pin })),
            config: RustlsConfig::from_config(config),
        })
    }

    fn served(&self) -> MutexGuard<'_, Served> {
        self.served.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// SHA-256 of the certificate in hexadecimal, if it stands alone in its file. Then no public authority has signed it (a
    /// signature would need the authority's certificate beside it), so clients need this digest to know which certificate to
    /// expect.
    #[must_use]
    pub fn pin(&self) -> Option<String> {
        self.served().pin.clone()
    }

    /// Reads the files again if they changed, because certificates are renewed while a coordinator runs. Files that
    /// cannot be used are logged once and change nothing.
    pub(crate) fn refresh(&self) {
        let mut served = self.served();
        let times = times(&self.certificate, &self.key);
        if std::mem::replace(&mut served.times, times) == times {
            return;
        }
        match read(&self.certificate, &self.key) {
            Ok((config, pin)) => {
                tracing::info!("serving with the new certificate in {}", self.certificate.display());
                self.config.reload_from_config(config);
                served.pin = pin;
            }
            Err(error) => tracing::error!("still serving with the old certificate: {error}"),
        }
    }
}

fn times(certificate: &Path, key: &Path) -> Times {
    [certificate, key].map(|file| std::fs::metadata(file).and_then(|about| about.modified()).ok())
}

/// The settings of a server with a certificate, and the [pin](Tls::pin).
fn read(certificate: &Path, key: &Path) -> Result<(Arc<ServerConfig>, Option<String>), TlsError> {
    let unreadable =
        |file: &Path, what, why: String| TlsError::Unreadable { file: file.to_owned(), what, why };
    let chain = CertificateDer::pem_file_iter(certificate)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(|error| unreadable(certificate, "certificate", error.to_string()))?;
    let pin = match chain.as_slice() {
        [] => return Err(unreadable(certificate, "certificate", "there is none in it".to_owned())),
        [alone] => Some(hex(&Sha256::digest(alone))),
        _ => None,
    };
    let private = PrivateKeyDer::from_pem_file(key)
        .map_err(|error| unreadable(key, "private key", error.to_string()))?;
    let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("the provider knows TLS 1.2 and 1.3")
        .with_no_client_auth()
        .with_single_cert(chain, private)
        .map_err(|why| TlsError::Unusable { cert: certificate.to_owned(), key: key.to_owned(), why })?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok((Arc::new(config), pin))
}
