//! `gauntlet serve`: a coordinator for workers on other machines.

use super::DEFAULT_PORT;
use super::baseline::names_in;
use super::claim::Claim;
use super::database::DatabaseArgs;
use super::files::read_experiments;
use super::number::whole;
use super::time::duration;
use super::unit;
use crate::signals::stop_on_signals;
use anyhow::Context;
use coordinator::{Config, Coordinator, CoordinatorError, Network, OpenResults, Tls};
use protocol::access::{JoinCode, JoinCodeRequest};
use protocol::words::option;
use sd_notify::NotifyState;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs};
use std::path::PathBuf;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use worker::Address;
use worker::join::Invitation;

/// Serves the coordinator and the dashboard.
///
/// Workers on any machine join with `gauntlet work`. All state is in the database: you can kill the coordinator at any
/// moment and start it again, and no acknowledged game is lost.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gauntlet serve configs/quickstart.toml
  gauntlet serve --listen 0.0.0.0:8437 --database postgres://user@host/gauntlet")]
pub(crate) struct ServeArgs {
    /// Experiment files to apply first.
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Address to listen on; 0.0.0.0:8437 means all networks of this machine.
    #[arg(
        long,
        env = "GAUNTLET_LISTEN",
        value_name = "ADDRESS:PORT",
        value_parser = listening,
        default_value_t = SocketAddr::from((Ipv4Addr::LOCALHOST, DEFAULT_PORT))
    )]
    listen: SocketAddr,
    /// Shorthand for --listen 127.0.0.1:PORT; overrides --listen. 0 means any free port.
    // Not a declared conflict with --listen, because GAUNTLET_LISTEN in the environment would conflict too.
    #[arg(long, value_name = "PORT", value_parser = whole(0..=u16::MAX))]
    port: Option<u16>,
    /// Show results without a token to every client that can reach the address.
    #[arg(long, env = "GAUNTLET_OPEN_RESULTS")]
    open_results: bool,
    /// Trust the headers X-Forwarded-For (the caller's address) and X-Forwarded-Proto (whether the caller used TLS) of this
    /// proxy: an address such as 127.0.0.1, or a network such as 10.0.0.0/8. May be repeated.
    #[arg(long, env = "GAUNTLET_TRUSTED_PROXY", value_name = "ADDRESS", value_delimiter = ',')]
    trusted_proxy: Vec<Network>,
    /// How long to keep the moves of games, for example 90d [default: forever]. Results are always kept.
    #[arg(long, env = "GAUNTLET_KEEP_RECORDS", value_name = "TIME", value_parser = duration)]
    keep_records: Option<Duration>,
    /// The share of games that another machine replays to compare them move by move; from 0 (none) to 1.
    #[arg(long, env = "GAUNTLET_REPLAY_SHARE", value_name = "SHARE", value_parser = share, default_value_t = 0.01)]
    replay_share: f64,
    /// The share of the fleet that plays every baseline against itself while other experiments are played, from 0 (none) to 0.5:
    /// the experiment `control`. Its score must be 50 %.
    #[arg(long, env = "GAUNTLET_CONTROL_SHARE", value_name = "SHARE", value_parser = control_share, default_value_t = 0.02)]
    control_share: f64,
    /// Serve over TLS with this certificate in PEM, followed by its chain, if any. The file is read again when it changes.
    /// A certificate without a chain is pinned: its digest is part of the line by which machines join.
    #[arg(long, env = "GAUNTLET_TLS_CERT", value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// The private key of the certificate, in PEM.
    #[arg(long, env = "GAUNTLET_TLS_KEY", value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
    /// Only print a unit file that starts this coordinator with these options. A database on a server is left out, because its
    /// address may have a password, which others could read.
    #[arg(long, value_enum, value_name = "KIND")]
    unit: Option<ServeUnit>,
    #[command(flatten)]
    database: DatabaseArgs,
}

/// The system that starts the coordinator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum ServeUnit {
    /// A service of systemd, with notification and watchdog.
    Systemd,
}

/// A number from 0 to 1.
fn share(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("a share is a number from 0 to 1, such as 0.01 for one game in a hundred".into()),
    }
}

/// A number from 0 to 0.5.
pub(crate) fn control_share(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(share) if (0.0..=0.5).contains(&share) => Ok(share),
        _ => {
            Err("a share of the control is a number from 0 to 0.5, such as 0.02 for one core second in fifty"
                .into())
        }
    }
}

/// How long the coordinator waits at its start for the database server to answer.
pub(crate) const WAIT: Duration = Duration::from_secs(120);

/// How long the code printed at the start is valid, in milliseconds.
const CODE_MS: u64 = 3_600_000;

/// Reads an address to listen on. A name is looked up.
fn listening(text: &str) -> Result<SocketAddr, String> {
    let port = DEFAULT_PORT;
    let host = text.rsplit_once("://").map_or(text, |(_, host)| host).trim_end_matches('/');
    if host.len() < text.len() {
        return Err(format!("give an address and a port without a scheme, such as {host}"));
    }
    if let Ok(address) = text.parse() {
        return Ok(address);
    }
    if let Ok(address) = text.parse::<Ipv6Addr>() {
        return Err(format!("write an IPv6 address in brackets and with a port: [{address}]:{port}"));
    }
    if text.parse::<u16>().is_ok() {
        return Err(format!(
            "give an address, too: 127.0.0.1:{text}, or 0.0.0.0:{text} for all networks; or use --port {text}"
        ));
    }
    if !text.contains(':') {
        return Err(format!("give a port, too: {text}:{port}"));
    }
    let found: Vec<SocketAddr> = text
        .to_socket_addrs()
        .map_err(|error| format!("give ADDRESS:PORT, such as 127.0.0.1:{port} or [::1]:{port} ({error})"))?
        .collect();
    let first = found.iter().find(|address| address.is_ipv4()).or(found.first());
    first.copied().ok_or_else(|| format!("`{text}` has no address on this machine"))
}

/// Listens on an address. The error for a port in use says what to do.
pub(crate) async fn listen(address: SocketAddr, option: &str) -> anyhow::Result<TcpListener> {
    TcpListener::bind(address).await.with_context(|| {
        format!(
            "cannot listen on {address}: if another gauntlet or program has port {}, choose another with {option}, \
             or 0 for any that is free",
            address.port()
        )
    })
}

/// Reads the stored self-test games of this build, or plays them in the background, so that the first worker does not wait.
pub(crate) fn know_the_self_test(dir: PathBuf) {
    if !worker::selftest::recall(&dir) {
        std::thread::spawn(move || worker::selftest::keep(&dir));
    }
}

/// The user's cache directory.
fn cache() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let dir = set("XDG_CACHE_HOME").or_else(|| Some(set("HOME")?.join(".cache")))?;
    Some(dir.join("gauntlet"))
}

/// Options that the unit does not repeat, with their values.
const NOT_IN_UNITS: [&str; 3] = ["--unit", "--database", "--db"];

/// Prints a unit that repeats the options of this call. Files are named by their whole paths, because the service runs elsewhere.
fn print_unit(args: &ServeArgs) -> anyhow::Result<()> {
    let mut options = unit::repeated::<ServeArgs>("serve", &NOT_IN_UNITS)?;
    for word in &mut options {
        if let Some(whole) = std::path::absolute(&*word).ok().filter(|path| path.is_file())
            && let Some(whole) = whole.to_str()
        {
            *word = whole.to_owned();
        }
    }
    match args.database.file() {
        Some(file) if args.database.is_named() => options.extend(["--database".to_owned(), file.to_owned()]),
        Some(_) => {}
        None => eprintln!(
            "the unit does not name the database, because its address may have a password: write GAUNTLET_DATABASE=ADDRESS into \
             /etc/gauntlet/serve.env, which root alone may read"
        ),
    }
    super::print(&unit::service(&unit::program(), &options))
}

/// Tells systemd, if it started this process, that the service is up, then again and again that it works, and that it stops.
fn tell_systemd(coordinator: &Coordinator, stop: &CancellationToken) {
    let tell = |state| {
        if let Err(error) = sd_notify::notify(&[state]) {
            tracing::warn!("systemd cannot be told how the service is: {error}");
        }
    };
    tell(NotifyState::Ready);
    let (coordinator, stop, period) = (coordinator.clone(), stop.clone(), sd_notify::watchdog_enabled());
    tokio::spawn(async move {
        let mut ticks = tokio::time::interval(period.map_or(Duration::from_secs(3600), |period| period / 3));
        loop {
            tokio::select! {
                () = stop.cancelled() => return tell(NotifyState::Stopping),
                _ = ticks.tick(), if period.is_some() && coordinator.is_alive() => tell(NotifyState::Watchdog),
            }
        }
    });
}

/// Serves until stopped.
pub(crate) async fn run(args: ServeArgs) -> anyhow::Result<()> {
    if args.unit.is_some() {
        return print_unit(&args);
    }
    let stop = CancellationToken::new();
    stop_on_signals(stop.clone())?;
    cache().into_iter().for_each(know_the_self_test);
    let experiments = read_experiments(&args.files, async || names_in(&args.database).await).await?;
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
        control_share: args.control_share,
        tls: tls.clone(),
        wait: WAIT,
        ..args.database.config()
    };
    let host = if address.ip().is_unspecified() { super::host_name() } else { address.ip().to_string() };
    let pin = tls.as_ref().and_then(|tls| tls.pin());
    let place = |pin: Option<&str>| Address::of(tls.is_some(), &host, address.port(), pin);
    let dashboard = place(None)?;
    let _claim = Claim::take(&args.database, &format!("{dashboard}/")).await?;
    let coordinator = Coordinator::open(config).await?;
    for experiment in &experiments {
        match coordinator.apply(experiment).await {
            Ok(applied) => eprintln!("{}", super::apply::describe(&experiment.name, &applied)),
            // A later revision was applied since this command line was written, and that one is played.
            Err(error @ CoordinatorError::OlderRevision { .. }) => {
                eprintln!("{} is left as it is: {error}", experiment.name);
            }
            // Serve anyway: the page shows the results and what is wrong.
            Err(CoordinatorError::Store(error)) => {
                eprintln!("{} is NOT applied, because {error}", experiment.name);
                eprintln!(
                    "    `gauntlet apply` applies it later, as does this command when it is started again"
                );
            }
            Err(error) => return Err(error.into()),
        }
    }
    eprintln!("dashboard: {dashboard}/");
    let request = JoinCodeRequest { machines: 1, expires_in_ms: CODE_MS };
    // A code admits a machine, so it must not be in a log.
    let code = match crate::logging::is_kept() {
        true => None,
        false => Some(coordinator.create_join_code(request, "gauntlet serve").await),
    };
    match code {
        None => eprintln!("to add machines, make a code for {dashboard} on the page or with:"),
        Some(Ok(JoinCode { code, .. })) => {
            eprintln!("to add a machine, run this on it within an hour:");
            let invitation = Invitation::text(&code, &place(pin.as_deref())?);
            eprintln!("    gauntlet work{}", option("--join", &invitation));
            eprintln!("for more machines, make codes on the page or with:");
        }
        Some(Err(CoordinatorError::Store(error))) => {
            eprintln!("no other machine can join now, because {error}; make a code later with:");
        }
        Some(Err(error)) => return Err(error.into()),
    }
    eprintln!("    gauntlet token join --machines N{}", args.database.option());
    if open_results == OpenResults::ToNobody {
        eprintln!("the page asks for a token; make one on this machine with:");
        eprintln!("    gauntlet token add me --scope admin{}", args.database.option());
        eprintln!(
            "        (--scope read is enough to look at results; `serve --open-results` shows them to all clients)"
        );
    }
    if address.ip().is_loopback() {
        eprintln!(
            "only this machine can reach {address}: --listen 0.0.0.0:{} opens it to others",
            address.port()
        );
    }
    tell_systemd(&coordinator, &stop);
    let served = coordinator.serve(listener, stop).await;
    coordinator.close().await;
    served.context("the server failed")
}

#[cfg(test)]
mod tests {
    use super::listening;

    #[test]
    fn an_address_to_listen_on_is_read_or_the_message_says_what_to_write() {
        for (text, address) in
            [("0.0.0.0:8437", "0.0.0.0:8437"), ("[::1]:99", "[::1]:99"), ("localhost:8437", "127.0.0.1:8437")]
        {
            assert_eq!(listening(text).map(|address| address.to_string()), Ok(address.to_owned()));
        }
        for (text, hint) in [
            ("8437", "127.0.0.1:8437"),
            ("localhost", "localhost:8437"),
            ("::1", "[::1]:8437"),
            ("http://localhost:8437/", "such as localhost:8437"),
            ("localhost:99999", "such as 127.0.0.1:8437"),
            ("", ":8437"),
        ] {
            let why = listening(text).expect_err(text);
            assert!(why.contains(hint), "{text}: {why}");
        }
    }
}
