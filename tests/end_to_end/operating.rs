//! What operators rely on: permissions, logs without secrets, systemd, alerts.

use crate::process::{Process, QUICK, TINY, output, says};
use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::time::Duration;

/// Every file below a directory, with its permissions.
fn files(dir: &Path) -> Vec<(String, u32)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir).expect("a directory").flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            let mode = path.metadata().expect("there").permissions().mode() & 0o777;
            found.push((path.display().to_string(), mode));
        }
    }
    found
}

#[test]
fn nobody_else_may_read_a_database_or_what_is_beside_it() {
    let home = tempfile::tempdir().expect("a directory");
    let dir = home.path();
    let own = dir.join("own");
    std::fs::create_dir(&own).expect("made");
    std::fs::write(dir.join("tiny.toml"), TINY).expect("written");
    let mut serving = Process::start(dir, &["serve", "--port", "0", "--database", "own/a.db", "tiny.toml"]);
    let invitation = serving.invitation();
    let working = ["work", "--join", &invitation, "--dir", "own/worker", "--exit-when-idle", "3s"];
    says(dir, &[&working, &QUICK[..]].concat());
    says(dir, &["db", "backup", "own/backup.db", "--database", "own/a.db"]);
    says(dir, &["db", "restore", "own/backup.db", "--database", "own/restored.db"]);
    says(dir, &["db", "copy", "own/a.db", "own/copy.db"]);
    says(dir, &["db", "create", "--database", "own/created.db"]);
    let found = files(&own);
    let open: Vec<_> = found.iter().filter(|(_, mode)| mode & 0o077 != 0).collect();
    assert!(open.is_empty(), "{open:?}");
    for name in ["a.db", "a.db-wal", "a.db-shm", "backup.db", "restored.db", "copy.db", "created.db"] {
        assert!(found.iter().any(|(path, _)| path.ends_with(name)), "{name} is not in {found:?}");
    }
    assert!(serving.stop().success());
}

/// The lines of a text, each of which must be an object with a message.
fn objects(text: &str) -> Vec<serde_json::Value> {
    let object = |line: &str| -> serde_json::Value {
        let value: serde_json::Value =
            serde_json::from_str(line).unwrap_or_else(|_| panic!("{line} in {text}"));
        assert!(["timestamp", "level", "message"].iter().all(|field| value[field].is_string()), "{line}");
        value
    };
    text.lines().map(object).collect()
}

#[test]
fn every_line_of_a_json_log_is_an_object_and_none_has_a_secret() {
    let home = tempfile::tempdir().expect("a directory");
    let dir = home.path();
    std::fs::write(dir.join("tiny.toml"), TINY).expect("written");
    let mut serving = Process::start(dir, &["--log", "json", "serve", "--port", "0", "tiny.toml"]);
    let url = serving.wait_for(|said| {
        let (_, rest) = said.split_once("dashboard: ")?;
        Some(rest.split('"').next()?.trim_end_matches('/').to_owned())
    });
    serving.wait_for(|said| said.contains("token join").then_some(()));
    let token = says(dir, &["token", "add", "node"]);
    let code = says(dir, &["token", "join"]);
    let (token, code) = (token.trim(), code.trim());
    let joining = format!("{code}@{}", url.trim_start_matches("http://"));
    let working = ["work", "--log=json", "--join", &joining, "--exit-when-idle", "3s"];
    let (status, _, worked) = output(dir, &[&working, &QUICK[..]].concat());
    assert!(status.success(), "{worked}");
    assert!(!objects(&worked).is_empty());
    let said = serving.stop_and_tell();
    assert!(!objects(&said).is_empty() && !said.contains("--join "), "{said}");
    let malformed = format!("{code}@not a place");
    for (arguments, exit) in [
        (&["--log", "json", "serve", "--port", "x"][..], 2),
        (&["serve", "--log=json", "--nonsense"], 2),
        (&["serve", "--log", "json", "--port", "0", "missing.toml"], 1),
        (&["results", "--log", "json", "nothing"], 1),
        (&["work", "--log", "json", "--join", &malformed], 2),
        (&["work", "--log", "json", "--coordinator", "ftp://nowhere", "--token", token, "--dir", "other"], 1),
        (&["run", "--log", "json", "tiny.toml", "--port", "0", "--exit-when-done"], 0),
    ] {
        let (status, _, error) = output(dir, arguments);
        assert_eq!(status.code(), Some(exit), "{arguments:?}: {error}");
        let lines = objects(&error);
        assert!(exit == 0 || lines.iter().any(|line| line["level"] == "ERROR"), "{error}");
        assert!(!error.contains(code) && !error.contains(token), "{error}");
    }
    // The same mistake tells no code to people either: standard error may be kept.
    let (_, _, error) = output(dir, &["work", "--join", &malformed]);
    assert!(error.contains("is no invitation") && !error.contains(code), "{error}");
}

#[test]
fn systemd_is_told_that_the_coordinator_is_up_works_and_stops() {
    let home = tempfile::tempdir().expect("a directory");
    let dir = home.path();
    let socket = UnixDatagram::bind(dir.join("notify")).expect("a socket");
    socket.set_read_timeout(Some(Duration::from_secs(120))).expect("a limit");
    let mut command = crate::process::gauntlet(dir, &["serve", "--port", "0"]);
    command.env("NOTIFY_SOCKET", dir.join("notify")).env("WATCHDOG_USEC", "300000");
    let mut serving = command.stderr(std::process::Stdio::null()).spawn().expect("it starts");
    let told = || {
        let mut text = [0; 256];
        let bytes = socket.recv(&mut text).expect("a message");
        String::from_utf8_lossy(&text[..bytes]).trim().to_owned()
    };
    assert_eq!(told(), "READY=1");
    assert_eq!([told(), told()], ["WATCHDOG=1", "WATCHDOG=1"]);
    let pid = rustix::process::Pid::from_child(&serving);
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).expect("a child");
    while told() != "STOPPING=1" {}
    assert!(serving.wait().expect("a child").success());
}

#[test]
fn the_unit_of_a_coordinator_has_its_options_and_no_password() {
    let home = tempfile::tempdir().expect("a directory");
    let dir = home.path();
    std::fs::write(dir.join("tiny.toml"), TINY).expect("written");
    let options = ["serve", "--unit", "systemd", "--listen", "0.0.0.0:9", "--open-results", "tiny.toml"];
    let unit = says(dir, &options);
    let file = dir.canonicalize().expect("a path").join("tiny.toml");
    let line = unit.lines().find(|line| line.starts_with("ExecStart=")).expect("a line");
    for part in ["--log json serve ", "--listen 0.0.0.0:9 --open-results ", "--control-share 0 "] {
        assert!(line.contains(part), "{line}");
    }
    assert!(line.ends_with(&file.display().to_string()), "{line}");
    assert!(
        unit.contains("Type=notify\n") && unit.contains("WatchdogSec=") && !unit.contains("@OPTIONS@"),
        "{unit}"
    );
    let address = "postgres://user:pa55word@host/name";
    let (_, unit, said) = output(dir, &["serve", "--database", address, "--unit", "systemd"]);
    assert!(!unit.contains("pa55word") && said.contains("/etc/gauntlet/serve.env"), "{unit}{said}");
}

/// The labels with values by which expressions choose series: names of metrics, and `label="value"`. Labels that every scrape adds, and those
/// with a name of the reader's, are left out.
fn labels(content: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (at, _) in content.match_indices("gauntlet_") {
        let rest = &content[at..];
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        let Some(chosen) = rest[end..].strip_prefix('{').and_then(|rest| rest.split('}').next()) else {
            continue;
        };
        for label in chosen.split(',').map(str::trim) {
            let own = ["instance", "job", "experiment", "kind"].iter().any(|own| label.starts_with(own));
            if !own && label.contains("=\"") {
                found.push((rest[..end].to_owned(), label.to_owned()));
            }
        }
    }
    found
}

#[tokio::test(flavor = "multi_thread")]
async fn alerts_and_dashboard_name_metrics_that_exist() {
    let home = tempfile::tempdir().expect("a directory");
    let dir = home.path();
    std::fs::write(dir.join("tiny.toml"), TINY).expect("written");
    let mut serving = Process::start(dir, &["serve", "--port", "0", "tiny.toml"]);
    let url = serving.url();
    says(dir, &["db", "backup", "backup.db"]);
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::builder().no_proxy().tls_certs_only([]).build().expect("a client");
    // A status is a label from its first answer on.
    let wrong = client.get(format!("{url}/api/v1/tokens")).bearer_auth("wrong").send().await;
    assert_eq!(wrong.expect("an answer").status(), reqwest::StatusCode::UNAUTHORIZED);
    let answer = client.get(format!("{url}/metrics")).send().await.expect("an answer");
    let text = answer.text().await.expect("text");
    let ends = |name: &str| {
        let name =
            ["_bucket", "_sum", "_count"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
        name.to_owned()
    };
    let known: BTreeSet<String> = text
        .lines()
        .filter_map(|line| Some(line.strip_prefix("# TYPE ")?.split(' ').next()?.to_owned()))
        .collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for file in
        ["deploy/alerts.yaml", "deploy/alerts-test.yaml", "deploy/grafana.json", "docs/how-to/watch.md"]
    {
        let content = std::fs::read_to_string(root.join(file)).expect("a file");
        let words = content.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let named: BTreeSet<String> = words.filter(|word| word.starts_with("gauntlet_")).map(ends).collect();
        let unknown: Vec<&String> = named.difference(&known).collect();
        assert!(!named.is_empty() && unknown.is_empty(), "{file} names {unknown:?}");
        for (name, label) in labels(&content.replace("\\\"", "\"")) {
            let has = |line: &str| line.starts_with(&format!("{name}{{")) && line.contains(&label);
            assert!(text.lines().any(has), "{file} names {label} of {name}, which has no such label");
        }
    }
    assert!(serving.stop().success());
}
