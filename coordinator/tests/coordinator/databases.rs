//! Fresh databases of both kinds. Postgres is the machine's own program, started once for the whole run; every test has
//! a schema of its own there.

use sqlx::{AssertSqlSafe, ConnectOptions, Connection, Executor};
use std::io::Read;
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};
use tempfile::TempDir;

/// An empty database for one test.
pub(crate) struct Database {
    /// What `Config::database` takes.
    pub(crate) address: String,
    _files: Option<TempDir>,
}

impl Database {
    pub(crate) fn sqlite() -> Self {
        let files = tempfile::tempdir().expect("a temporary directory");
        let address = files.path().join("gauntlet.db").display().to_string();
        Self { address, _files: Some(files) }
    }

    /// None when Postgres is not installed and nobody insists on it.
    pub(crate) async fn postgres() -> Option<Self> {
        static SCHEMAS: AtomicU32 = AtomicU32::new(0);
        let server = SERVER.as_ref()?;
        let schema = format!("t{}_{}", std::process::id(), SCHEMAS.fetch_add(1, Ordering::Relaxed));
        let separator = if server.contains('?') { '&' } else { '?' };
        let database =
            Self { address: format!("{server}{separator}options=-c%20search_path%3D{schema}"), _files: None };
        database.run(&format!("CREATE SCHEMA {schema}")).await;
        Some(database)
    }

    /// Keeps everybody else from writing; for SQLite.
    pub(crate) async fn hold(&self) -> Hold {
        let options = sqlx::sqlite::SqliteConnectOptions::new().filename(&self.address);
        let mut connection = options.connect().await.expect("sqlite");
        connection.execute("BEGIN IMMEDIATE").await.expect("begin");
        Hold::Sqlite(connection)
    }

    /// Keeps everybody else from a table, readers too; for Postgres.
    pub(crate) async fn lock(&self, table: &str) -> Hold {
        let options: sqlx::postgres::PgConnectOptions = self.address.parse().expect("address");
        let mut connection = options.connect().await.expect("postgres");
        connection.execute("BEGIN").await.expect("begin");
        connection.execute(AssertSqlSafe(format!("LOCK TABLE {table}"))).await.expect("lock");
        Hold::Postgres(connection)
    }

    /// Runs statements behind the coordinator's back.
    pub(crate) async fn run(&self, sql: &str) {
        let sql = AssertSqlSafe(sql.to_owned());
        if self.address.starts_with("postgres") {
            let options: sqlx::postgres::PgConnectOptions = self.address.parse().expect("address");
            let mut connection = options.connect().await.expect("postgres");
            connection.execute(sqlx::raw_sql(sql)).await.expect("statement");
            connection.close().await.expect("close");
        } else {
            let options =
                sqlx::sqlite::SqliteConnectOptions::new().filename(&self.address).create_if_missing(true);
            let mut connection = options.connect().await.expect("sqlite");
            connection.execute(sqlx::raw_sql(sql)).await.expect("statement");
            connection.close().await.expect("close");
        }
    }
}

/// A SQLite database that nobody else can write to, or a Postgres table that nobody else can read.
pub(crate) enum Hold {
    Sqlite(sqlx::SqliteConnection),
    Postgres(sqlx::PgConnection),
}

impl Hold {
    pub(crate) async fn release(self) {
        match self {
            Hold::Sqlite(mut connection) => {
                connection.execute("COMMIT").await.expect("commit");
                connection.close().await.expect("close");
            }
            Hold::Postgres(mut connection) => {
                connection.execute("COMMIT").await.expect("commit");
                connection.close().await.expect("close");
            }
        }
    }
}

/// Address of the server, if there is one.
static SERVER: LazyLock<Option<String>> = LazyLock::new(|| {
    if let Ok(address) = std::env::var("GAUNTLET_TEST_PG_URL") {
        return Some(address);
    }
    let Some(programs) = find_programs() else {
        let insisted = std::env::var("CI").is_ok_and(|ci| ci == "true")
            || std::env::var_os("GAUNTLET_REQUIRE_POSTGRES").is_some();
        assert!(!insisted, "initdb and postgres are not installed, and this run must not skip them");
        eprintln!("SKIPPED: initdb and postgres are not installed; the tests on Postgres did not run");
        return None;
    };
    Some(start(&programs))
});

/// The directory of `initdb` and `postgres`: on the path, or where Debian puts them.
fn find_programs() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut places: Vec<PathBuf> = std::env::split_paths(&path).collect();
    if let Ok(versions) = std::fs::read_dir("/usr/lib/postgresql") {
        let mut versions: Vec<PathBuf> = versions.flatten().map(|entry| entry.path().join("bin")).collect();
        versions.sort();
        places.extend(versions.into_iter().rev());
    }
    places.into_iter().find(|place| place.join("initdb").is_file() && place.join("postgres").is_file())
}

/// User and group of the `postgres` account, when we are root: Postgres refuses to run as root.
fn account() -> Option<(u32, u32)> {
    if !rustix::process::geteuid().is_root() {
        return None;
    }
    let users = std::fs::read_to_string("/etc/passwd").expect("/etc/passwd");
    let line = users.lines().find(|line| line.starts_with("postgres:")).expect("an account `postgres`");
    let fields: Vec<&str> = line.split(':').collect();
    Some((fields[2].parse().expect("user id"), fields[3].parse().expect("group id")))
}

/// Starts a server that listens on a socket in a temporary directory only. A shell stands between: when this process
/// ends, however it ends, the shell's input closes, and it stops the server and clears up.
fn start(programs: &Path) -> String {
    let directory = tempfile::Builder::new().prefix("gpg").tempdir().expect("a temporary directory").keep();
    let account = account();
    if let Some((user, group)) = account {
        chown(&directory, Some(user), Some(group)).expect("chown");
    }
    let command = |program: &Path| {
        let mut command = Command::new(program);
        if let Some((user, group)) = account {
            command.uid(user).gid(group);
        }
        command.current_dir(&directory);
        command
    };
    let made = command(&programs.join("initdb"))
        .args(["--no-sync", "-A", "trust", "-U", "postgres", "--locale=C", "-E", "UTF8", "-D", "data"])
        .output()
        .expect("initdb");
    assert!(made.status.success(), "initdb: {}", String::from_utf8_lossy(&made.stderr));
    let script = "\"$1\" -D data -k \"$PWD\" -c listen_addresses= -c fsync=off -c full_page_writes=off \
                  -c synchronous_commit=off -c max_connections=500 >log 2>&1 </dev/null & server=$!; \
                  until grep -q 'ready to accept' log || ! kill -0 $server; do sleep 0.02; done; \
                  echo; cat; kill -QUIT $server; wait $server; cd /; rm -rf \"$2\"";
    let mut shell = command(Path::new("/bin/sh"))
        .args(["-c", script, "sh"])
        .arg(programs.join("postgres"))
        .arg(&directory)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("sh");
    let mut ready = [0];
    shell.stdout.as_mut().expect("piped").read_exact(&mut ready).expect("the server's start");
    // Its input stays open as long as this process lives.
    std::mem::forget(shell);
    let directory = directory.display().to_string().replace('/', "%2F");
    format!("postgres://postgres@localhost/postgres?host={directory}")
}

/// Makes of every `async fn name(database: Database)` one test on SQLite and one on Postgres.
macro_rules! on_both_databases {
    ($($(#[$meta:meta])* async fn $name:ident($database:ident: Database) $body:block)+) => {$(
        $(#[$meta])*
        mod $name {
            #[allow(unused_imports)]
            use super::*;

            async fn check($database: crate::databases::Database) $body

            #[tokio::test]
            async fn on_sqlite() {
                check(crate::databases::Database::sqlite()).await;
            }

            #[tokio::test]
            async fn on_postgres() {
                if let Some(database) = crate::databases::Database::postgres().await {
                    check(database).await;
                }
            }
        }
    )+};
}
pub(crate) use on_both_databases;
