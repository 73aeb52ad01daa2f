//! TLS: reads the certificate and its key.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use rustls::{
    ServerConfig,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
};
use thiserror::Error;
use tokio_rustls::TlsAcceptor;

/// Why the server cannot use a certificate.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CertificateError {
    /// The certificate or the key cannot be read.
    #[error("cannot read {}: {}", .0.display(), .1)]
    Read(PathBuf, io::Error),
    /// The file of the certificate has none.
    #[error("no certificate found in {}: expected PEM, -----BEGIN CERTIFICATE-----", .0.display())]
    NoCertificate(PathBuf),
    /// The file of the key has none.
    #[error("no private key found in {}: expected PEM, -----BEGIN PRIVATE KEY-----", .0.display())]
    NoKey(PathBuf),
    /// The certificate is damaged, or the key is another one's.
    #[error("the certificate in {} and the key in {} do not fit: {why}", certificate.display(), key.display())]
    Unusable {
        /// The file of the certificate.
        certificate: PathBuf,
        /// The file of the key.
        key: PathBuf,
        /// What is wrong with them.
        why: rustls::Error,
    },
}

/// Reads a chain of certificates, the server's first, and the key, as PEM files.
pub(super) fn read(certificate: &Path, key: &Path) -> Result<TlsAcceptor, CertificateError> {
    let read = |path: &Path| {
        fs::read(path).map_err(|error| CertificateError::Read(path.to_owned(), error))
    };
    let chain = CertificateDer::pem_slice_iter(&read(certificate)?).collect::<Result<Vec<_>, _>>();
    let chain = chain.ok().filter(|chain| !chain.is_empty());
    let chain = chain.ok_or_else(|| CertificateError::NoCertificate(certificate.to_owned()))?;
    let private = PrivateKeyDer::from_pem_slice(&read(key)?);
    let private = private.map_err(|_| CertificateError::NoKey(key.to_owned()))?;
    // An error is a provider that was installed before: it is used.
    _ = rustls::crypto::ring::default_provider().install_default();
    let config = ServerConfig::builder().with_no_client_auth().with_single_cert(chain, private);
    let mut config = config.map_err(|why| CertificateError::Unusable {
        certificate: certificate.to_owned(),
        key: key.to_owned(),
        why,
    })?;
    // As without TLS.
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(TlsAcceptor::from(Arc::new(config)))
}
