//! The target of a command: the API of a coordinator, over HTTP or over a database that this process opens.

use super::DEFAULT_PORT;
use super::database::{DatabaseArgs, here};
use super::remote::Remote;
use super::user::who;
use anyhow::{Context, bail};
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, header};
use axum::response::Response;
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgMatches, FromArgMatches};
use coordinator::{Coordinator, app_of_owner};
use protocol::endpoint::{Endpoint, File, JSON};
use protocol::endpoints::{IsReady, ListExperiments};
use protocol::query::ExperimentsQuery;
use protocol::report::ExperimentSummary;
use protocol::sync::ErrorBody;
use serde::de::DeserializeOwned;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::time::Duration;
use tokio::net::TcpStream;
use tower::ServiceExt;

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
    /// The command line overrides the environment. Otherwise a command with `--database` would change the coordinator that a
    /// variable names.
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

/// The API of a coordinator.
pub struct Target {
    backend: Backend,
}

/// Where requests go.
enum Backend {
    /// To a database that this process has opened. A coordinator that serves it sees every change at once.
    Database(Coordinator, Router),
    Remote(Remote),
}

/// An error that a coordinator answered.
#[derive(Debug)]
pub(crate) struct Refusal {
    code: String,
    message: String,
    is_remote: bool,
}

impl TargetArgs {
    /// Opens the target. If the user named none, the choice is printed.
    pub async fn open(&self) -> anyhow::Result<Target> {
        if let Some(url) = &self.coordinator {
            return self.remote(url);
        }
        if self.database.is_named() {
            return Ok(Target::of_database(self.database.open_existing().await?));
        }
        if self.database.is_beside() {
            let target = Target::of_database(self.database.open_existing().await?);
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
        let remote = Remote::new(url, self.token.as_deref().unwrap_or_default())?;
        Ok(Target { backend: Backend::Remote(remote) })
    }
}

/// The default port of `gauntlet run`.
fn usual_port() -> anyhow::Result<u16> {
    match std::env::var("GAUNTLET_PORT") {
        Ok(port) if !port.is_empty() => {
            port.parse().with_context(|| format!("GAUNTLET_PORT is `{port}`, which is no port"))
        }
        _ => Ok(DEFAULT_PORT),
    }
}

/// How long an answer from elsewhere may take, and how long a large file.
const USUAL: Duration = Duration::from_secs(60);
const LONGEST: Duration = Duration::from_secs(24 * 3600);

/// How long to wait for a coordinator on this machine to answer.
const NEARBY: Duration = Duration::from_secs(1);

impl Target {
    /// A database that is open.
    pub(crate) fn of_database(coordinator: Coordinator) -> Self {
        let service = app_of_owner(coordinator.clone(), &who());
        Self { backend: Backend::Database(coordinator, service) }
    }

    /// The open database; none if a coordinator has it.
    pub(crate) fn database(&self) -> Option<&Coordinator> {
        match &self.backend {
            Backend::Database(coordinator, _) => Some(coordinator),
            Backend::Remote(_) => None,
        }
    }

    /// The answer of an endpoint.
    pub async fn read<E: Endpoint<Body = (), Answer: DeserializeOwned>>(
        &self,
        endpoint: E,
        path: impl Into<E::Path>,
        query: &E::Query,
    ) -> anyhow::Result<E::Answer> {
        self.call(endpoint, path, query, &()).await
    }

    /// The answer of an endpoint to a body.
    pub async fn change<E: Endpoint<Query = (), Answer: DeserializeOwned>>(
        &self,
        endpoint: E,
        path: impl Into<E::Path>,
        body: &E::Body,
    ) -> anyhow::Result<E::Answer> {
        self.call(endpoint, path, &(), body).await
    }

    /// The answer of an endpoint to a query and a body.
    pub(crate) async fn call<E: Endpoint<Answer: DeserializeOwned>>(
        &self,
        _: E,
        path: impl Into<E::Path>,
        query: &E::Query,
        body: &E::Body,
    ) -> anyhow::Result<E::Answer> {
        let answer = self.send(request::<E>(&path.into(), query, body)?, USUAL).await?;
        let body =
            to_bytes(answer.into_body(), usize::MAX).await.context("the coordinator's answer broke off")?;
        // Some calls have an answer without content.
        let body = if body.is_empty() { &b"null"[..] } else { &body };
        serde_json::from_slice(body).context("the coordinator's answer cannot be read")
    }

    /// The file of an endpoint, which may take hours.
    pub(crate) async fn file<E: Endpoint<Body = (), Answer = File>>(
        &self,
        _: E,
        path: impl Into<E::Path>,
        query: &E::Query,
    ) -> anyhow::Result<Response> {
        self.send(request::<E>(&path.into(), query, &())?, LONGEST).await
    }

    /// Fails unless a remote coordinator says that it can store results. This needs no token.
    pub(crate) async fn be_ready(&self) -> anyhow::Result<()> {
        self.send(request::<IsReady>(&(), &(), &())?, USUAL).await.map(drop)
    }

    async fn send(&self, request: Request<Vec<u8>>, limit: Duration) -> anyhow::Result<Response> {
        let answer = match &self.backend {
            Backend::Database(_, service) => {
                let Ok(answer) = service.clone().oneshot(request.map(Body::from)).await;
                answer
            }
            Backend::Remote(remote) => remote.send(request, limit).await?,
        };
        let status = answer.status();
        if status.is_success() {
            return Ok(answer);
        }
        let body = to_bytes(answer.into_body(), usize::MAX).await.unwrap_or_default();
        match (serde_json::from_slice::<ErrorBody>(&body), &self.backend) {
            (Ok(ErrorBody { error }), backend) => {
                let is_remote = matches!(backend, Backend::Remote(_));
                Err(Refusal { code: error.code, message: error.message, is_remote }.into())
            }
            (Err(_), Backend::Remote(remote)) => {
                bail!("{} answered {status}, which is no answer of a coordinator", remote.base())
            }
            (Err(_), Backend::Database(..)) => bail!("{status}"),
        }
    }

    /// Experiments in short, the newest first; `all` has those of the archive, too.
    ///
    /// # Errors
    /// When the coordinator does not answer, or refuses.
    pub async fn experiments(&self, all: bool) -> anyhow::Result<Vec<ExperimentSummary>> {
        self.read(ListExperiments, (), &ExperimentsQuery { all, tag: None }).await
    }

    /// Closes the database.
    pub async fn close(self) {
        if let Backend::Database(coordinator, _) = self.backend {
            coordinator.close().await;
        }
    }
}

impl Refusal {
    /// Whether nothing has the name or id of the request.
    pub(crate) fn is_not_found(&self) -> bool {
        self.code == "unknown_name"
    }

    /// Whether the moves of a game were deleted.
    pub(crate) fn is_without_moves(&self) -> bool {
        self.code == "dropped"
    }

    /// Whether a later revision has replaced what was to be applied.
    pub(crate) fn is_of_older_revision(&self) -> bool {
        self.code == "older_revision"
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.is_remote {
            true => write!(f, "the coordinator says: {} ({})", self.message, self.code),
            false => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for Refusal {}

fn request<E: Endpoint>(
    path: &E::Path,
    query: &E::Query,
    body: &E::Body,
) -> anyhow::Result<Request<Vec<u8>>> {
    let request = Request::builder().method(E::DECLARATION.method.name()).uri(address::<E>(path, query));
    Ok(match E::DECLARATION.largest_body {
        Some(_) => request.header(header::CONTENT_TYPE, JSON).body(serde_json::to_vec(body)?)?,
        None => request.body(Vec::new())?,
    })
}

/// The address of a call: a path whose segments may contain any character, and a query of the fields that are not null.
#[must_use]
pub fn address<E: Endpoint>(path: &E::Path, query: &E::Query) -> String {
    let mut url = reqwest::Url::parse("http://host").expect("an address");
    url.path_segments_mut().expect("an address with a path").extend(E::segments(path));
    let query = serde_json::to_value(query).expect("queries serialise");
    for (name, value) in query.as_object().into_iter().flatten() {
        let text = match value {
            serde_json::Value::Null => continue,
            serde_json::Value::String(text) => text.clone(),
            value => value.to_string(),
        };
        url.query_pairs_mut().append_pair(name, &text);
    }
    let query = url.query().map_or_else(String::new, |query| format!("?{query}"));
    url.path().to_owned() + &query
}
