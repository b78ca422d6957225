//! `gauntlet serve`: a coordinator for workers on other machines.

use super::claim::Claim;
use super::token::duration;
use super::{DEFAULT_PORT, read_experiment};
use crate::signals::stop_on_signals;
use anyhow::{Context, bail};
use coordinator::{Config, Coordinator, CoordinatorError, Network, OpenResults, Tls};
use protocol::access::{JoinCode, JoinCodeRequest};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// Serves the coordinator and the dashboard.
///
/// Workers on any machine join with `gauntlet work`. Everything is in the database: the coordinator may be killed
/// and started again at any moment, and nothing acknowledged is lost.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gauntlet serve configs/quickstart.toml
  gauntlet serve --listen 0.0.0.0:8437 --database postgres://user@host/gauntlet")]
pub(crate) struct ServeArgs {
    /// Experiment files to apply first.
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Where to listen: 0.0.0.0:8437 for every network this machine is on.
    #[arg(
        long,
        env = "GAUNTLET_LISTEN",
        value_name = "ADDRESS:PORT",
        default_value_t = SocketAddr::from((Ipv4Addr::LOCALHOST, DEFAULT_PORT))
    )]
    listen: SocketAddr,
    /// Short for --listen 127.0.0.1:PORT, and counts before it; 0 takes any port that is free.
    // Not declared a conflict: GAUNTLET_LISTEN in the environment would be one, too.
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,
    /// Let everybody who reaches the address see results without a token.
    #[arg(long, env = "GAUNTLET_OPEN_RESULTS")]
    open_results: bool,
    /// Believe this proxy what it says of its callers' addresses (X-Forwarded-For) and whether they spoke TLS
    /// (X-Forwarded-Proto): an address such as 127.0.0.1, or a network such as 10.0.0.0/8. It may be given several times.
    #[arg(long, env = "GAUNTLET_TRUSTED_PROXY", value_name = "ADDRESS", value_delimiter = ',')]
    trusted_proxy: Vec<Network>,
    /// How long the moves of games are kept, such as 90d; for good unless given. Results always are.
    #[arg(long, env = "GAUNTLET_KEEP_RECORDS", value_name = "TIME", value_parser = duration)]
    keep_records: Option<Duration>,
    /// The share of games that another machine plays again, to be compared move by move: from 0, for none, to 1.
    #[arg(long, env = "GAUNTLET_REPLAY_SHARE", value_name = "SHARE", value_parser = share, default_value_t = 0.01)]
    replay_share: f64,
    /// Bring the schema of an older program's database up to date first, as `gauntlet db migrate` does.
    #[arg(long)]
    migrate: bool,
    /// Serve over TLS with this certificate in PEM, followed by those that vouch for it, if any. It is read again
    /// when it changes. One that stands alone is named in the line by which machines join, and they take no other.
    #[arg(long, env = "GAUNTLET_TLS_CERT", value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// The key to that certificate, in PEM.
    #[arg(long, env = "GAUNTLET_TLS_KEY", value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
    #[command(flatten)]
    database: DatabaseArgs,
}

/// The database when none is named.
const USUAL: &str = "gauntlet.db";

/// The current directory, for people.
pub(crate) fn here() -> String {
    std::env::current_dir().map_or_else(|_| "this directory".to_owned(), |path| path.display().to_string())
}

/// Which database.
#[derive(Debug, clap::Args)]
pub(crate) struct DatabaseArgs {
    /// A file for SQLite, or postgres://… . Unless given it is gauntlet.db in the current directory.
    #[arg(
        long,
        visible_alias = "db",
        env = "GAUNTLET_DATABASE",
        value_name = "DATABASE",
        hide_env_values = true
    )]
    database: Option<String>,
}

impl DatabaseArgs {
    /// The database's file or address.
    pub(crate) fn address(&self) -> &str {
        self.database.as_deref().unwrap_or(USUAL)
    }

    /// Whether somebody named it.
    pub(crate) fn is_named(&self) -> bool {
        self.database.is_some()
    }

    /// Whether there is a file of the usual name in this directory, and no other database was named.
    pub(crate) fn is_beside(&self) -> bool {
        !self.is_named() && Path::new(USUAL).exists()
    }

    /// Opens a database that is there: only what plays or serves makes one.
    pub(crate) async fn open_existing(&self) -> anyhow::Result<Coordinator> {
        if !self.is_named() && !self.is_beside() {
            bail!(
                "no database here: there is no {USUAL} in {}; go to the directory of `gauntlet serve` or `gauntlet run`, or \
                 name the database with --database FILE; `gauntlet run FILE` and `gauntlet serve` make one",
                here()
            );
        }
        Ok(Coordinator::open(Config { create: false, ..self.config() }).await?)
    }

    /// The file of an SQLite database.
    pub(crate) fn file(&self) -> Option<&str> {
        let name = self.address();
        let file = name.strip_prefix("sqlite://").or(name.strip_prefix("sqlite:")).unwrap_or(name);
        (!file.contains("://")).then_some(file)
    }

    /// What a command needs to be told to find the same database. A URL may hold a password and is not repeated.
    pub(crate) fn option(&self) -> String {
        match self.address() {
            USUAL => String::new(),
            url if url.contains("://") => " --database URL".to_owned(),
            path => format!(" --database {path}"),
        }
    }

    /// The usual settings on this database.
    pub(crate) fn config(&self) -> Config {
        Config { version: env!("CARGO_PKG_VERSION").to_owned(), ..Config::new(self.address()) }
    }
}

/// A number from 0 to 1.
fn share(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("a share is a number from 0 to 1, such as 0.01 for one game in a hundred".into()),
    }
}

/// How long a coordinator waits at its start for a database server that does not answer yet.
pub(crate) const WAIT: Duration = Duration::from_secs(120);

/// How long the code that is printed at the start is worth something, in milliseconds.
const CODE_MS: u64 = 3_600_000;

/// Listens on an address; a port in use gets an error that says what to do.
pub(crate) async fn listen(address: SocketAddr, option: &str) -> anyhow::Result<TcpListener> {
    TcpListener::bind(address).await.with_context(|| {
        format!(
            "cannot listen on {address}: if another gauntlet or program has port {}, choose another with {option}, \
             or 0 for any that is free",
            address.port()
        )
    })
}

/// Reads how this build plays the self-test, or plays it beside all else: the first worker's call should not wait.
pub(crate) fn know_the_self_test(dir: PathBuf) {
    if !worker::selftest::recall(&dir) {
        std::thread::spawn(move || worker::selftest::keep(&dir));
    }
}

/// Where this user's programs keep what they can make again.
fn cache() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let dir = set("XDG_CACHE_HOME").or_else(|| Some(set("HOME")?.join(".cache")))?;
    Some(dir.join("gauntlet"))
}

/// Serves until stopped.
pub(crate) async fn run(args: ServeArgs) -> anyhow::Result<()> {
    let stop = CancellationToken::new();
    stop_on_signals(stop.clone())?;
    cache().into_iter().for_each(know_the_self_test);
    let experiments =
        args.files.iter().map(|file| read_experiment(file)).collect::<anyhow::Result<Vec<_>>>()?;
    let tls = match (&args.tls_cert, &args.tls_key) {
        (Some(certificate), Some(key)) => Some(Tls::read(certificate, key)?),
        _ => None,
    };
    let address = args.port.map_or(args.listen, |port| SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    Claim::check(&args.database).await?;
    let listener = listen(address, "--port PORT or --listen ADDRESS:PORT").await?;
    let address = listener.local_addr().context("the socket has no address")?;
    let open_results = if args.open_results { OpenResults::ToEverybody } else { OpenResults::ToNobody };
    let config = Config {
        open_results,
        trusted_proxies: args.trusted_proxy,
        keep_records: args.keep_records,
        replay_share: args.replay_share,
        tls: tls.clone(),
        upgrade: args.migrate,
        wait: WAIT,
        ..args.database.config()
    };
    let scheme = if tls.is_some() { "https" } else { "http" };
    let host = if address.ip().is_unspecified() { super::host_name() } else { address.ip().to_string() };
    let _claim = Claim::take(&args.database, &format!("{scheme}://{host}:{}/", address.port())).await?;
    let coordinator = Coordinator::open(config).await?;
    for experiment in &experiments {
        match coordinator.apply(experiment).await {
            Ok(applied) => eprintln!("{}", super::apply::describe(&experiment.name, &applied)),
            // The page shows results, and what is wrong, though nothing can be stored.
            Err(CoordinatorError::Store(error)) => {
                eprintln!("{} is NOT applied, because {error}", experiment.name);
                eprintln!(
                    "    `gauntlet apply` applies it later, as does this command when it is started again"
                );
            }
            Err(error) => return Err(error.into()),
        }
    }
    eprintln!("dashboard: {scheme}://{host}:{}/", address.port());
    let request = JoinCodeRequest { machines: 1, expires_in_ms: CODE_MS };
    let code = coordinator.create_join_code(request, "gauntlet serve").await;
    let place = match tls.as_ref().map(|tls| tls.pin()) {
        None => format!("{host}:{}", address.port()),
        Some(None) => format!("https://{host}:{}", address.port()),
        Some(Some(pin)) => format!("https://{host}:{}#sha256={pin}", address.port()),
    };
    match code {
        Ok(JoinCode { code, .. }) => {
            eprintln!("a machine with this program joins, within the hour, by");
            eprintln!("    gauntlet work --join {code}@{place}");
            eprintln!("        for one machine; the page makes more codes, and so does");
        }
        Err(CoordinatorError::Store(error)) => {
            eprintln!("no other machine can join for now, because {error}; once it can, a code is made by");
        }
        Err(error) => return Err(error.into()),
    }
    eprintln!("    gauntlet token join --machines N{}", args.database.option());
    if open_results == OpenResults::ToNobody {
        eprintln!("the page asks for a token, made here by");
        eprintln!("    gauntlet token add me --scope admin{}", args.database.option());
        eprintln!(
            "        or --scope read, for somebody who only looks; --open-results shows results to everybody"
        );
    }
    if address.ip().is_loopback() {
        eprintln!(
            "only this machine can reach {address}: --listen 0.0.0.0:{} opens it to others",
            address.port()
        );
    }
    let served = coordinator.serve(listener, stop).await;
    coordinator.close().await;
    served.context("the server failed")
}
