//! The coordinator under test: one of its own, in a process of its own so that what it uses can be told apart, or one
//! that runs elsewhere.

use super::connection::Address;
use anyhow::{Context, bail};
use coordinator::{Config, Coordinator, Verification};
use protocol::access::{Scope, TokenRequest};
use protocol::experiment::Experiment;
use rustix::process::{Pid, Signal, kill_process};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// How long a coordinator may take to begin.
const START: Duration = Duration::from_secs(60);

/// The coordinator under test.
pub(super) struct Host {
    pub(super) url: String,
    /// With every scope.
    pub(super) token: String,
    own: Option<Own>,
}

/// A process of its own.
struct Own {
    child: Child,
    database: String,
    home: TempDir,
}

impl Drop for Own {
    fn drop(&mut self) {
        // Only after an error is it still there; then there is nothing to keep.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Host {
    /// One that runs already.
    pub(super) fn running(url: &str, token: &str) -> Self {
        Self { url: url.trim_end_matches('/').to_owned(), token: token.to_owned(), own: None }
    }

    /// Starts one on this database, or on a new one that goes away afterwards.
    pub(super) async fn start(database: Option<&str>, experiment: &Experiment) -> anyhow::Result<Self> {
        let home = tempfile::tempdir().context("cannot make a directory for the test")?;
        let database =
            database.map_or_else(|| home.path().join("loadtest.db").display().to_string(), str::to_owned);
        let coordinator = Coordinator::open(Config::new(&database)).await?;
        coordinator.apply(experiment).await?;
        let request = TokenRequest {
            name: "loadtest".into(),
            scopes: Scope::Admin.into(),
            expires_in_ms: None,
            machines: Some(100_000),
        };
        let token = coordinator.create_token(request, "gauntlet loadtest").await?.token;
        coordinator.close().await;

        let log = home.path().join("log");
        let own = Own { child: serve(&database, &log)?, database, home };
        let mut host = Self { url: String::new(), token, own: Some(own) };
        host.url = host.wait_for_address(&log).await?;
        Ok(host)
    }

    async fn wait_for_address(&mut self, log: &PathBuf) -> anyhow::Result<String> {
        let began = Instant::now();
        loop {
            let said = std::fs::read_to_string(log).unwrap_or_default();
            let address = said.lines().find_map(|line| line.strip_prefix("dashboard: "));
            if let Some(address) = address
                && said.contains('\n')
            {
                return Ok(address.trim_end_matches('/').to_owned());
            }
            let own = self.own.as_mut().context("the coordinator is not ours")?;
            if own.child.try_wait()?.is_some() || began.elapsed() > START {
                bail!("the coordinator did not begin; it said:\n{said}");
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Its address.
    pub(super) fn address(&self) -> anyhow::Result<Address> {
        Address::parse(&self.url)
    }

    /// The process, if it is its own.
    pub(super) fn process(&self) -> Option<u32> {
        self.own.as_ref().map(|own| own.child.id())
    }

    /// Ends a coordinator of its own and counts everything in its database again.
    pub(super) async fn end(mut self) -> anyhow::Result<Option<Verification>> {
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
    let program = std::env::current_exe().context("cannot find this program")?;
    let log = std::fs::File::create(log).context("cannot write the coordinator's log")?;
    let mut command = Command::new(program);
    // Simulated workers make their games up: played again by another they would go otherwise.
    command.args(["serve", "--port", "0", "--replay-share", "0"]).env("GAUNTLET_DATABASE", database);
    command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
    command.spawn().context("cannot start the coordinator")
}

fn last_lines(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(20)..].join("\n")
}
