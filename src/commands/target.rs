//! Where a command does its work: in a database at hand, or through a coordinator that runs elsewhere.

use super::remote::Remote;
use super::serve::DatabaseArgs;
use anyhow::Context;
use coordinator::Coordinator;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Where to do it.
#[derive(Debug, clap::Args)]
pub(crate) struct TargetArgs {
    /// Ask this coordinator rather than the database.
    #[arg(long, env = "GAUNTLET_COORDINATOR", value_name = "URL")]
    pub(crate) coordinator: Option<String>,
    /// A token of that coordinator with the scope `admin`.
    #[arg(long, env = "GAUNTLET_TOKEN", value_name = "TOKEN", hide_env_values = true)]
    pub(crate) token: Option<String>,
    #[command(flatten)]
    pub(crate) database: DatabaseArgs,
}

/// The place.
pub(crate) enum Target {
    /// A database at hand. A coordinator that serves it sees every change at once.
    Database(Coordinator),
    /// A coordinator elsewhere.
    Remote(Remote, String),
}

impl TargetArgs {
    /// Opens it.
    pub(crate) async fn open(&self) -> anyhow::Result<Target> {
        match &self.coordinator {
            None => Ok(Target::Database(self.database.open_existing().await?)),
            Some(url) => Ok(Target::Remote(Remote::new(url)?, self.token.clone().unwrap_or_default())),
        }
    }
}

impl TargetArgs {
    /// Opens it, and makes the database when there is none.
    pub(crate) async fn open_or_create(&self) -> anyhow::Result<Target> {
        match &self.coordinator {
            None => Ok(Target::Database(self.database.open().await?)),
            Some(_) => self.open().await,
        }
    }
}

impl Target {
    /// Ends well.
    pub(crate) async fn close(self) {
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

/// In whose name something is changed in a database at hand.
pub(crate) fn who() -> String {
    let user = std::env::var("USER").or_else(|_| std::env::var("LOGNAME"));
    let name: String = format!("{}@{}", user.as_deref().unwrap_or("somebody"), super::host_name());
    name.chars().filter(|c| !c.is_control()).take(100).collect()
}
