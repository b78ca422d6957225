//! The coordinator under test: one that the test starts, or one that already runs. The test starts its coordinator in a
//! separate process, in order to measure its resources.

use crate::connection::Address;
use anyhow::{Context, bail, ensure};
use coordinator::{Config, Coordinator, Verification};
use protocol::access::{Scope, TokenRequest};
use protocol::experiment::Experiment;
use rustix::process::{Pid, Signal, kill_process};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The longest time for the start of a coordinator.
const START: Duration = Duration::from_secs(60);

/// The coordinator under test.
pub(crate) struct Host {
    pub(crate) url: String,
    /// A token with the scope `admin`.
    pub(crate) token: String,
    own: Option<OwnCoordinator>,
}

/// A coordinator process that the test started.
struct OwnCoordinator {
    child: Child,
    database: String,
    home: TempDir,
}

impl Drop for OwnCoordinator {
    fn drop(&mut self) {
        // The process is still alive only after an error. The test has no findings then, so no clean stop is needed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Host {
    /// A coordinator that already runs.
    pub(crate) fn running(url: &str, token: &str) -> Self {
        Self { url: url.trim_end_matches('/').to_owned(), token: token.to_owned(), own: None }
    }

    /// Starts a coordinator on this database, or on a temporary one.
    pub(crate) async fn start(database: Option<&str>, experiment: &Experiment) -> anyhow::Result<Self> {
        let home = tempfile::tempdir().context("cannot make a directory for the test")?;
        let database =
            database.map_or_else(|| home.path().join("loadtest.db").display().to_string(), str::to_owned);
        let coordinator = Coordinator::open(Config::new(&database)).await?;
        coordinator.apply_over(experiment, "loadtest", true).await?;
        let request = TokenRequest {
            // A database may have the token of an earlier load test.
            name: format!("loadtest-{}", uuid::Uuid::new_v4().simple()),
            scopes: Scope::Admin.into(),
            expires_in_ms: None,
            machines: Some(100_000),
        };
        let token = coordinator.create_token(request, "loadtest").await?.token;
        coordinator.close().await;

        let log = home.path().join("log");
        let own = OwnCoordinator { child: serve(&database, &log)?, database, home };
        let mut host = Self { url: String::new(), token, own: Some(own) };
        host.url = host.wait_for_address(&log).await?;
        Ok(host)
    }

    async fn wait_for_address(&mut self, log: &PathBuf) -> anyhow::Result<String> {
        let began = Instant::now();
        loop {
            let said = std::fs::read_to_string(log).unwrap_or_default();
            // The last line may be half written.
            let lines = said.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n'));
            if let Some(address) = lines.filter_map(|line| line.strip_prefix("dashboard: ")).next() {
                return Ok(address.trim_end_matches('/').to_owned());
            }
            let own = self.own.as_mut().context("the coordinator is not ours")?;
            if own.child.try_wait()?.is_some() || began.elapsed() > START {
                bail!("the coordinator did not begin; it said:\n{said}");
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    pub(crate) fn address(&self) -> anyhow::Result<Address> {
        Address::parse(&self.url)
    }

    /// The process id, if the test started the coordinator.
    pub(crate) fn process(&self) -> Option<u32> {
        self.own.as_ref().map(|own| own.child.id())
    }

    /// Stops a coordinator that the test started, and verifies all totals of its database.
    pub(crate) async fn end(mut self) -> anyhow::Result<Option<Verification>> {
        let Some(mut own) = self.own.take() else { return Ok(None) };
        kill_process(Pid::from_child(&own.child), Signal::TERM).context("cannot stop the coordinator")?;
        let status = tokio::task::block_in_place(|| own.child.wait()).context("cannot wait for it")?;
        if !status.success() {
            let said = std::fs::read_to_string(own.home.path().join("log")).unwrap_or_default();
            bail!("the coordinator ended with {status}; it said:\n{}", last_lines(&said));
        }
        let coordinator = Coordinator::open(Config { create: false, ..Config::new(&own.database) }).await?;
        let verification = coordinator.verify().await?;
        coordinator.close().await;
        Ok(Some(verification))
    }
}

fn serve(database: &str, log: &PathBuf) -> anyhow::Result<Child> {
    let program = std::env::current_exe().context("cannot find this program")?.with_file_name("gauntlet");
    ensure!(program.exists(), "{} is missing: cargo build --release", program.display());
    let log = std::fs::File::create(log).context("cannot write the coordinator's log")?;
    let mut command = Command::new(program);
    // No rechecks: the simulated workers did not play their games by the leases, so a second play would differ.
    command
        .args(["serve", "--port", "0", "--replay-share", "0", "--control-share", "0"])
        .env("GAUNTLET_DATABASE", database);
    command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
    command.spawn().context("cannot start the coordinator")
}

fn last_lines(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(20)..].join("\n")
}
