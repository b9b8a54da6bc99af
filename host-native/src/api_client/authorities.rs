//! The trusted certificate authorities.

use std::{fs, path::Path};

use ureq::tls::{PemItem, RootCerts, TlsConfig, parse_pem};

/// The public authorities, or only those of a PEM file.
///
/// # Errors
/// A sentence, when the file cannot be read or has no certificate.
pub(crate) fn tls_config(authorities: Option<&Path>) -> Result<TlsConfig, String> {
    let Some(path) = authorities else { return Ok(TlsConfig::default()) };
    let unusable = |cause: &str| format!("The certificates of {} cannot be used: {cause}.", path.display());
    let pem = fs::read(path).map_err(|cause| unusable(&cause.to_string()))?;
    let mut certificates = Vec::new();
    for item in parse_pem(&pem) {
        match item {
            Ok(PemItem::Certificate(certificate)) => certificates.push(certificate),
            Ok(_) => {}
            Err(_) => return Err(unusable("a part of it is not PEM")),
        }
    }
    if certificates.is_empty() {
        return Err(unusable("there is none in it that begins with -----BEGIN CERTIFICATE-----"));
    }
    Ok(TlsConfig::builder().root_certs(RootCerts::from(certificates)).build())
}
