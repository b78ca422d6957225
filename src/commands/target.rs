//! Where a command works: on a local database, or through the API of a coordinator.

use super::DEFAULT_PORT;
use super::database::{DatabaseArgs, here};
use super::remote::Remote;
use anyhow::{Context, bail};
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgMatches, FromArgMatches};
use coordinator::{Coordinator, CoordinatorError};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::time::Duration;
use tokio::net::TcpStream;

/// The database or coordinator to work on.
#[derive(Debug)]
pub struct TargetArgs {
    pub(crate) coordinator: Option<String>,
    pub(crate) token: Option<String>,
    pub(crate) database: DatabaseArgs,
    /// Whether the command line names it.
    pub is_given: bool,
}

/// The options of [`TargetArgs`].
#[derive(Debug, clap::Args)]
struct TargetOptions {
    /// Use this coordinator instead of a database. By default the command uses the database in the current directory; if
    /// there is none, it uses the coordinator on port 8437 of this machine, or on the port that GAUNTLET_PORT names.
    #[arg(long, env = "GAUNTLET_COORDINATOR", value_name = "URL")]
    coordinator: Option<String>,
    /// A token of the coordinator with the needed scope, for example `admin`.
    #[arg(long, env = "GAUNTLET_TOKEN", value_name = "TOKEN", hide_env_values = true)]
    token: Option<String>,
    #[command(flatten)]
    database: DatabaseArgs,
}

impl clap::Args for TargetArgs {
    fn augment_args(command: clap::Command) -> clap::Command {
        TargetOptions::augment_args(command)
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        TargetOptions::augment_args_for_update(command)
    }
}

impl FromArgMatches for TargetArgs {
    /// What the command line names wins over the environment. Otherwise a command with `--database` would change the coordinator
    /// that a variable names.
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let is_given = |option| matches.value_source(option) == Some(ValueSource::CommandLine);
        let (coordinator, database) = (is_given("coordinator"), is_given("database"));
        if coordinator && database {
            return Err(clap::Error::raw(
                ErrorKind::ArgumentConflict,
                "--coordinator and --database name two places: give one of them",
            ));
        }
        let options = TargetOptions::from_arg_matches(matches)?;
        Ok(Self {
            coordinator: options.coordinator.filter(|_| !database),
            token: options.token,
            database: options.database,
            is_given: coordinator || database,
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// An open database or coordinator.
pub enum Target {
    /// A local database. A coordinator that serves it sees every change at once.
    Database(Coordinator),
    /// A coordinator's API, with a token.
    Remote(Remote, String),
}

impl TargetArgs {
    /// Opens the target. If the user named none, the choice is printed.
    pub async fn open(&self) -> anyhow::Result<Target> {
        if let Some(url) = &self.coordinator {
            return self.remote(url);
        }
        if self.database.is_named() {
            return Ok(Target::Database(self.database.open_existing().await?));
        }
        if self.database.is_beside() {
            let target = Target::Database(self.database.open_existing().await?);
            eprintln!("using the database {}", Path::new(&here()).join(self.database.address()).display());
            return Ok(target);
        }
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, usual_port()?));
        if tokio::time::timeout(NEARBY, TcpStream::connect(address))
            .await
            .is_ok_and(|connected| connected.is_ok())
        {
            let url = format!("http://{address}");
            eprintln!("using the coordinator at {url}");
            return self.remote(&url);
        }
        bail!(
            "no database here: there is no {} in {}, and no coordinator at {address}; go to the directory of `gauntlet serve` \
             or `gauntlet run`, or name one with --database FILE or --coordinator URL; `gauntlet run FILE` and `gauntlet serve \
             FILE` make a database",
            self.database.address(),
            here()
        )
    }

    /// The options by which another command finds the same target.
    pub(crate) fn option(&self) -> String {
        match &self.coordinator {
            Some(url) => protocol::words::option("--coordinator", url),
            None => self.database.option(),
        }
    }

    fn remote(&self, url: &str) -> anyhow::Result<Target> {
        Ok(Target::Remote(Remote::new(url)?, self.token.clone().unwrap_or_default()))
    }
}

/// The port on which `gauntlet run` serves if it is not told another.
fn usual_port() -> anyhow::Result<u16> {
    match std::env::var("GAUNTLET_PORT") {
        Ok(port) if !port.is_empty() => {
            port.parse().with_context(|| format!("GAUNTLET_PORT is `{port}`, which is no port"))
        }
        _ => Ok(DEFAULT_PORT),
    }
}

/// How long to wait for a coordinator on this machine to answer.
const NEARBY: Duration = Duration::from_secs(1);

impl Target {
    /// What `here` reads from the database, or the coordinator's answer at a path with a query.
    pub async fn read<T: DeserializeOwned>(
        &self,
        path: &[&str],
        query: &impl Serialize,
        here: impl AsyncFnOnce(&Coordinator) -> Result<T, CoordinatorError>,
    ) -> anyhow::Result<T> {
        match self {
            Self::Database(coordinator) => Ok(here(coordinator).await?),
            Self::Remote(remote, token) => {
                let path = remote.path(path)?;
                get((remote, token), &remote.query(&path, query)?).await
            }
        }
    }

    /// What `here` changes in the database, or the coordinator's answer to a request at a path.
    pub async fn change<T: DeserializeOwned>(
        &self,
        path: &[&str],
        request: &impl Serialize,
        here: impl AsyncFnOnce(&Coordinator) -> Result<T, CoordinatorError>,
    ) -> anyhow::Result<T> {
        match self {
            Self::Database(coordinator) => Ok(here(coordinator).await?),
            Self::Remote(remote, token) => post((remote, token), &remote.path(path)?, request).await,
        }
    }

    /// Closes the database.
    pub async fn close(self) {
        if let Target::Database(coordinator) = self {
            coordinator.close().await;
        }
    }
}

/// `POST`s and reads the answer.
pub(crate) async fn post<T: DeserializeOwned>(
    (remote, token): (&Remote, &str),
    path: &str,
    body: &impl Serialize,
) -> anyhow::Result<T> {
    let answer = remote.post(path, token, body).await?;
    answer.json().await.context("the coordinator's answer cannot be read")
}

/// `GET`s with a token.
pub(crate) async fn get<T: DeserializeOwned>(
    (remote, token): (&Remote, &str),
    path: &str,
) -> anyhow::Result<T> {
    let answer = remote.get_with(path, token).await?;
    answer.json().await.context("the coordinator's answer cannot be read")
}
