//! `--database`: the database that a command works on.

use anyhow::bail;
use coordinator::{Config, Coordinator};
use std::path::Path;

/// The default database.
const USUAL: &str = "gauntlet.db";

/// The current directory, for people.
pub(crate) fn here() -> String {
    std::env::current_dir().map_or_else(|_| "this directory".to_owned(), |path| path.display().to_string())
}

/// The database.
#[derive(Debug, clap::Args)]
pub(crate) struct DatabaseArgs {
    /// An SQLite file, or postgres://… [default: gauntlet.db in the current directory].
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

    /// Whether the user named the database.
    pub(crate) fn is_named(&self) -> bool {
        self.database.is_some()
    }

    /// Whether the default database exists in this directory and the user named no other.
    pub(crate) fn is_beside(&self) -> bool {
        !self.is_named() && Path::new(USUAL).exists()
    }

    /// Opens an existing database. Only commands that play, serve, import, test the load, create, copy or restore make one.
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

    /// The option by which another command finds the same database. A URL is not repeated, because it may contain a password.
    pub(crate) fn option(&self) -> String {
        match self.address() {
            USUAL => String::new(),
            url if url.contains("://") => " --database URL".to_owned(),
            path => protocol::words::option("--database", path),
        }
    }

    /// The default configuration for this database.
    pub(crate) fn config(&self) -> Config {
        Config { version: env!("CARGO_PKG_VERSION").to_owned(), ..Config::new(self.address()) }
    }
}
