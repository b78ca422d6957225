//! Why TLS does not trust a coordinator's certificate. A retry is useless before a person changes something, so the message names
//! the cause and the change.

use crate::address::OTHER_CERTIFICATE;
use rustls::CertificateError::{
    Expired, ExpiredContext, NotValidForName, NotValidForNameContext, NotValidYet, NotValidYetContext,
    UnknownIssuer,
};
use std::error::Error;
use std::io;

/// Why TLS refuses the coordinator, if that is the reason of a failed call.
#[must_use]
pub fn distrust(error: &(dyn Error + 'static)) -> Option<String> {
    let error = of_tls(error)?;
    let name = |text: String| format!("{error}: {text}");
    match error {
        rustls::Error::General(text) if text == OTHER_CERTIFICATE => Some(format!(
            "{OTHER_CERTIFICATE}. If its certificate was renewed, join again with the line that `gauntlet serve` prints now"
        )),
        rustls::Error::InvalidCertificate(cause) => Some(match cause {
            UnknownIssuer => name(
                "no authority that this machine trusts has signed the coordinator's certificate. Either the address must end with \
                 #sha256= and the digest of the certificate, as the line does that `gauntlet serve` prints for a certificate without a chain, \
                 or this machine must trust the authority, whose certificate SSL_CERT_FILE may name"
                    .to_owned(),
            ),
            Expired | ExpiredContext { .. } => name(
                "the coordinator's certificate has expired by the clock of this machine; renew the certificate, or set the clock"
                    .to_owned(),
            ),
            NotValidYet | NotValidYetContext { .. } => name(
                "the coordinator's certificate is not valid yet by the clock of this machine; set the clock".to_owned(),
            ),
            NotValidForName | NotValidForNameContext { .. } => name(
                "the coordinator's certificate is for other names; use an address with one of its names, or make a certificate for this one"
                    .to_owned(),
            ),
            cause if format!("{cause:?}").contains("CaUsedAsEndEntity") => name(
                "the coordinator's certificate is that of an authority, as many self-signed ones are. Such a certificate is accepted by its \
                 digest alone: the address must end with #sha256= and the digest, as the line does that `gauntlet serve` prints"
                    .to_owned(),
            ),
            _ => name("this machine does not accept the coordinator's certificate".to_owned()),
        }),
        rustls::Error::InvalidMessage(_) => {
            Some(name("what answers at this address does not speak TLS: is the address http://?".to_owned()))
        }
        _ => None,
    }
}

/// The error of TLS among the causes of an error.
fn of_tls<'e>(error: &'e (dyn Error + 'static)) -> Option<&'e rustls::Error> {
    let mut cause = Some(error);
    while let Some(error) = cause {
        if let Some(found) = error.downcast_ref() {
            return Some(found);
        }
        // The source of an input error is that of its content, and not the content itself.
        let content = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        if let Some(found) = content.and_then(|content| of_tls(content)) {
            return Some(found);
        }
        cause = error.source();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_cause_is_named_with_what_to_change() {
        let said = |error: rustls::Error| distrust(&io::Error::other(io::Error::other(error)));
        let certificate = |cause| said(rustls::Error::InvalidCertificate(cause));
        for (cause, words) in [
            (UnknownIssuer, ["UnknownIssuer", "#sha256="]),
            (Expired, ["Expired", "renew"]),
            (NotValidYet, ["NotValidYet", "clock"]),
            (NotValidForName, ["NotValidForName", "other names"]),
            (rustls::CertificateError::Revoked, ["Revoked", "does not accept"]),
        ] {
            let told = certificate(cause).expect("a cause");
            assert!(words.iter().all(|word| told.contains(word)), "{told}");
        }
        let other = said(rustls::Error::General(OTHER_CERTIFICATE.to_owned())).expect("a cause");
        assert!(other.contains("join again"), "{other}");
        assert_eq!(said(rustls::Error::EncryptError), None, "another attempt may succeed");
        assert_eq!(distrust(&io::Error::from(io::ErrorKind::ConnectionRefused)), None);
    }
}
