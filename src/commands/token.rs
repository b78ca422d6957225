//! `gauntlet token`: tokens and join codes for machines and people.

use super::number::whole;
use super::print;
use super::target::TargetArgs;
use super::time::{term, utc};
use anyhow::Context;
use protocol::access::{
    JoinCodeRequest, MOST_MACHINES, PageLine, Scope, TokenLine, TokenRequest, WithdrawRequest,
};
use protocol::endpoints::{
    CreateJoinCode, CreateToken, EndPage, ListPages, ListTokens, RevokeToken, WithdrawJoinCodes,
};
use protocol::words::counted;
use std::fmt::Write;
use std::time::Duration;

/// Makes, lists and revokes tokens, and makes and withdraws codes by which machines join.
///
/// It works on the database, whether the coordinator runs or not, or through a coordinator on another machine. The database
/// must exist: `gauntlet serve` and `gauntlet db create` make one.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum TokenCommand {
    /// Makes a token for a machine or a person.
    ///
    /// The token is printed once; the database stores only its digest. A running coordinator accepts it at once.
    #[command(after_help = "\
Examples:
  gauntlet token add node7                        for a worker
  gauntlet token add ada --scope experiment       for a person who applies experiments
  gauntlet token add guest --scope read --expires 30d")]
    Add {
        /// The name of the machine or person.
        name: String,
        /// The permissions: work, read, experiment (includes read) or admin (includes everything); several with commas, such as
        /// read,work.
        #[arg(long, value_name = "SCOPE", value_delimiter = ',', default_value = "work")]
        scope: Vec<Scope>,
        /// How long the token is valid, for example 12h or 30d, or until which date (UTC), such as 2026-08-01 [default: forever].
        #[arg(long, value_name = "TIME", value_parser = term)]
        expires: Option<Duration>,
        /// How many machines may work with the token [default: 16].
        ///
        /// Machines with the same token do not check each other's games. A machine that joins with a code gets its own token.
        #[arg(long, value_name = "N", value_parser = whole(1..=MOST_MACHINES))]
        machines: Option<u32>,
        #[command(flatten)]
        target: TargetArgs,
    },
    /// Lists the tokens, newest first, without their secrets, and when each was used last, within ten minutes.
    List {
        #[command(flatten)]
        target: TargetArgs,
    },
    /// Revokes a token at once. What was done with it stays.
    #[command(after_help = "\
Example:
  gauntlet token revoke node7")]
    Revoke {
        /// The token's id, or its name if the name is unique.
        #[arg(value_name = "ID|NAME")]
        key: String,
        #[command(flatten)]
        target: TargetArgs,
    },
    /// Lists the signed-in pages, latest first. A page is signed in for a week, or until its token ends.
    Pages {
        #[command(flatten)]
        target: TargetArgs,
    },
    /// Signs a page out at once. Its token stays valid.
    SignOut {
        /// The page's id in `gauntlet token pages`.
        id: String,
        #[command(flatten)]
        target: TargetArgs,
    },
    /// Makes a code with which machines join: `gauntlet work --join CODE@HOST:PORT`.
    #[command(after_help = "\
Example:
  gauntlet token join --machines 20 --expires 1d")]
    Join {
        /// The number of machines that may join with the code.
        #[arg(long, value_name = "N", default_value = "1", value_parser = whole(1..=MOST_MACHINES))]
        machines: u32,
        /// How long the code is valid, for example 15m, 12h or 7d, or until which date (UTC).
        #[arg(long, value_name = "TIME", default_value = "1h", value_parser = term)]
        expires: Duration,
        #[command(flatten)]
        target: TargetArgs,
    },
    /// Withdraws a code that fell into the wrong hands: no more machines join with it. Those that joined stay.
    #[command(after_help = "\
Examples:
  gauntlet token withdraw K7F3-9QXM-2TBD
  gauntlet token withdraw --all")]
    Withdraw {
        #[command(flatten)]
        codes: CodesArgs,
        #[command(flatten)]
        target: TargetArgs,
    },
}

/// The codes that are withdrawn.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
pub(crate) struct CodesArgs {
    /// The code, with or without its hyphens.
    code: Option<String>,
    /// Every code.
    #[arg(long)]
    all: bool,
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

pub(crate) async fn run(command: TokenCommand) -> anyhow::Result<()> {
    match command {
        TokenCommand::Add { name, scope, expires, machines, target } => {
            let request = TokenRequest {
                name: name.clone(),
                scopes: scope.into_iter().collect(),
                expires_in_ms: expires.map(millis),
                machines,
            };
            let target = target.open().await?;
            let made = target.change(CreateToken, (), &request).await;
            target.close().await;
            let made = made.with_context(|| format!("cannot make a token for {name}"))?;
            print(&format!("{}\n", made.token))
        }
        TokenCommand::List { target } => {
            let target = target.open().await?;
            let lines = target.read(ListTokens, (), &()).await?;
            target.close().await;
            print(&table(&lines)?)
        }
        TokenCommand::Revoke { key, target } => {
            let target = target.open().await?;
            let line = target.change(RevokeToken, key, &()).await?;
            target.close().await;
            print(&format!("{} ({}) is revoked\n", line.name, line.id))
        }
        TokenCommand::Pages { target } => {
            let target = target.open().await?;
            let pages = target.read(ListPages, (), &()).await?;
            target.close().await;
            print(&page_table(&pages)?)
        }
        TokenCommand::SignOut { id, target } => {
            let target = target.open().await?;
            let page = target.change(EndPage, id, &()).await?;
            target.close().await;
            print(&format!("the page {} of {} is signed out\n", page.id, page.name))
        }
        TokenCommand::Join { machines, expires, target } => {
            let request = JoinCodeRequest { machines, expires_in_ms: millis(expires) };
            let target = target.open().await?;
            let made = target.change(CreateJoinCode, (), &request).await?;
            target.close().await;
            // Only the code is for scripts.
            eprintln!("on each machine: gauntlet work --join {}@HOST:PORT", made.code);
            eprintln!(
                "HOST:PORT is the address at which the machine reaches the coordinator; without --listen a coordinator is reached \
                 from its own machine alone"
            );
            print(&format!("{}\n", made.code))
        }
        TokenCommand::Withdraw { codes, target } => {
            let request = WithdrawRequest { code: codes.code };
            let target = target.open().await?;
            let withdrawn = target.change(WithdrawJoinCodes, (), &request).await?;
            target.close().await;
            print(&format!("{} withdrawn\n", counted(withdrawn.codes, "code")))
        }
    }
}

fn table(lines: &[TokenLine]) -> Result<String, std::fmt::Error> {
    let width = lines.iter().map(|line| line.name.chars().count()).max().unwrap_or(0);
    let mut out = String::new();
    for TokenLine { id, name, scopes, created_ms, expires_ms, revoked_ms, used_ms, machines, bound } in lines
    {
        let end = match (revoked_ms, expires_ms) {
            (Some(at), _) => format!("  revoked {}", utc(*at)),
            (None, Some(at)) => format!("  until {}", utc(*at)),
            (None, None) => String::new(),
        };
        let machines = match machines {
            Some(most) if scopes.allow(Scope::Work) => format!("  {bound} of {most} machines"),
            _ => String::new(),
        };
        let used = used_ms.map_or("never used".to_owned(), |at| format!("last used {}", utc(at)));
        writeln!(
            out,
            "{id}  {name:<width$}  {scopes:<16}  made {}  {used}{end}{machines}",
            utc(*created_ms)
        )?;
    }
    Ok(out)
}

fn page_table(pages: &[PageLine]) -> Result<String, std::fmt::Error> {
    let width = pages.iter().map(|page| page.name.chars().count()).max().unwrap_or(0);
    let mut out = String::new();
    for PageLine { id, token, name, signed_in_ms, expires_ms } in pages {
        let (from, to) = (utc(*signed_in_ms), utc(*expires_ms));
        writeln!(out, "{id}  {name:<width$}  token {token}  signed in {from}  until {to}")?;
    }
    Ok(out)
}
