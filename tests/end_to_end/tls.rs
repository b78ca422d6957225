//! The coordinator over TLS, with certificates that the test creates.

use crate::process::{Process, QUICK, TINY, gauntlet, output};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair};
use std::io::Write;
use std::net::{SocketAddr, TcpListener};
use std::path::Path;

const SERVE: [&str; 7] = ["serve", "--port", "0", "--tls-cert", "cert.pem", "--tls-key", "key.pem"];

/// Writes a self-signed certificate for a name that is not the coordinator's, and its key.
fn write_self_signed(dir: &Path) {
    let key = KeyPair::generate().expect("a key");
    let certificate = CertificateParams::new(vec!["nowhere.example".to_owned()]).expect("parameters");
    let certificate = certificate.self_signed(&key).expect("a certificate");
    std::fs::write(dir.join("cert.pem"), certificate.pem()).expect("written");
    std::fs::write(dir.join("key.pem"), key.serialize_pem()).expect("written");
}

/// A server that answers anything in plain text.
fn plain_server() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("bound");
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
        }
    });
    address
}

#[tokio::test(flavor = "multi_thread")]
async fn a_machine_joins_over_tls_by_the_printed_line_and_takes_no_other_certificate() {
    let home = tempfile::tempdir().expect("a directory");
    let dir = home.path();
    std::fs::write(dir.join("tiny.toml"), TINY).expect("written");
    write_self_signed(dir);
    let mut serving = Process::start(dir, &[&SERVE[..], &["tiny.toml"]].concat());
    let (url, invitation) = (serving.url(), serving.invitation());
    let address = invitation.split_once('@').expect("CODE@ADDRESS").1;
    assert!(
        url.starts_with("https://127.0.0.1:") && address.starts_with(&format!("{url}#sha256=")),
        "{address}"
    );

    // The machine joins and plays everything. Its directory then identifies the coordinator. A busy coordinator may put a
    // call off, so one answer without work is no reason to leave.
    let joining = ["work", "--join", &invitation, "--exit-when-idle", "3s"];
    let (status, _, played) = output(dir, &[&joining, &QUICK[..]].concat());
    assert!(status.success(), "{played}");
    let mut working = Process::start(dir, &[&["work"], &QUICK[..]].concat());
    working.wait_for(|said| said.contains("the coordinator answers").then_some(()));
    assert!(working.stop().success());
    let results = |coordinator: &str| output(dir, &["results", "tiny", "--coordinator", coordinator]);
    let (status, stdout, error) = results(address);
    assert!(status.success() && stdout.contains("4 of 4 games"), "{stdout}{error}{played}");

    // Without the digest, the certificate is not trusted. Another digest means another certificate. A call without TLS
    // gets an answer, too.
    let other = format!("{url}#sha256={}", "0".repeat(64));
    for (coordinator, why) in [
        (url.as_str(), "invalid peer certificate"),
        (&other, "another certificate"),
        (&url.replace("https", "http"), "use an address with https://"),
        (&url.replace("https", "ftp"), "it begins with ftp://; write http://HOST:PORT"),
    ] {
        let (status, _, error) = results(coordinator);
        assert!(!status.success() && error.contains(why), "{coordinator}: {error}");
    }
    let token = output(dir, &["token", "add", "node"]).1;
    // A worker ends with the cause, whether it joins or starts.
    let code = invitation.split_once('@').expect("CODE@ADDRESS").0;
    let plain = format!("https://{}", plain_server());
    for (coordinator, why) in [
        (&url, "CaUsedAsEndEntity|UnknownIssuer|NotValidForName"),
        (&other, "another certificate"),
        (&plain, "does not speak TLS"),
    ] {
        let joining = format!("{code}@{coordinator}");
        for place in [
            &["work", "--join", &joining, "--dir", "joining"][..],
            &["work", "--coordinator", coordinator, "--token", token.trim(), "--dir", "starting"],
        ] {
            let (status, _, error) = output(dir, &[place, &QUICK[..]].concat());
            let told = why.split('|').any(|why| error.contains(why));
            assert!(status.code() == Some(6) && told && !error.contains("next attempt"), "{error}");
        }
    }
    let clear = url.replace("https", "http");
    let in_the_clear = ["work", "--coordinator", &clear, "--token", token.trim(), "--dir", "clear"];
    let (status, _, error) = output(dir, &[&in_the_clear, &QUICK[..]].concat());
    assert!(status.code() == Some(3) && error.contains("use an address with https://"), "{error}");

    // The coordinator serves a new certificate without a restart. Clients with the old digest refuse it.
    write_self_signed(dir);
    serving.wait_for(|said| said.contains("serving with the new certificate").then_some(()));
    let (status, _, error) = results(address);
    assert!(!status.success() && error.contains("another certificate"), "{error}");
    std::fs::write(dir.join("key.pem"), "no key").expect("written");
    serving.wait_for(|said| said.contains("still serving with the old certificate").then_some(()));
    assert!(serving.stop().success());
    let (status, _, error) = output(dir, &SERVE);
    assert!(!status.success() && error.contains("key.pem holds no private key"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_certificate_of_an_authority_that_the_machine_trusts_needs_no_digest() {
    let home = tempfile::tempdir().expect("a directory");
    let dir = home.path();
    let mut authority = CertificateParams::new(Vec::new()).expect("parameters");
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority =
        CertifiedIssuer::self_signed(authority, KeyPair::generate().expect("a key")).expect("made");
    let key = KeyPair::generate().expect("a key");
    let names = vec!["localhost".to_owned(), "127.0.0.1".to_owned()];
    let certificate =
        CertificateParams::new(names).expect("parameters").signed_by(&key, &authority).expect("signed");
    std::fs::write(dir.join("cert.pem"), certificate.pem() + &authority.pem()).expect("written");
    std::fs::write(dir.join("key.pem"), key.serialize_pem()).expect("written");
    std::fs::write(dir.join("roots.pem"), authority.pem()).expect("written");
    let mut other = CertificateParams::new(Vec::new()).expect("parameters");
    other.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    other.distinguished_name.push(DnType::CommonName, "another authority");
    let other = CertifiedIssuer::self_signed(other, KeyPair::generate().expect("a key")).expect("made");
    std::fs::write(dir.join("others.pem"), other.pem()).expect("written");
    std::fs::write(dir.join("tiny.toml"), TINY).expect("written");
    let mut serving = Process::start(dir, &[&SERVE[..], &["tiny.toml"]].concat());
    let (url, invitation) = (serving.url(), serving.invitation());
    assert!(invitation.ends_with(&format!("@{url}")), "no digest: {invitation}");

    let joining = [&["work", "--join", &invitation, "--exit-when-idle", "3s"], &QUICK[..]].concat();
    let worked =
        gauntlet(dir, &joining).env("SSL_CERT_FILE", dir.join("roots.pem")).output().expect("it starts");
    assert!(worked.status.success(), "{}", String::from_utf8_lossy(&worked.stderr));
    for (coordinator, roots, trusted) in [
        (&url, "roots.pem", true),
        (&url.replace("127.0.0.1", "localhost"), "roots.pem", true),
        (&url, "others.pem", false),
    ] {
        if !trusted {
            let joining = [&["work", "--join", &invitation, "--dir", "other"], &QUICK[..]].concat();
            let worked =
                gauntlet(dir, &joining).env("SSL_CERT_FILE", dir.join(roots)).output().expect("it starts");
            let said = String::from_utf8_lossy(&worked.stderr);
            assert!(worked.status.code() == Some(6) && said.contains("UnknownIssuer"), "{said}");
        }
        let results = ["results", "tiny", "--coordinator", coordinator];
        let asked =
            gauntlet(dir, &results).env("SSL_CERT_FILE", dir.join(roots)).output().expect("it starts");
        assert_eq!(asked.status.success(), trusted, "{}", String::from_utf8_lossy(&asked.stderr));
    }
    assert!(serving.stop().success());
}
