//! The coordinator of a simulation: the real coordinator on a real SQLite file, on one thread.
//!
//! Simulated faults: the coordinator dies at any moment and is started again; the database fails in the middle of a
//! transaction or at the commit; the disk stalls until it writes everything or the power is cut.

use coordinator::{Clock, Config, Coordinator, CoordinatorError};
use engine::havannah::BoardSize;
use protocol::access::{Scope, TokenRequest};
use protocol::experiment::{CellSpec, Experiment, LabelledPlayer, PlannedCell, Policy, StopRule};
use protocol::games::GameLine;
use protocol::ids::LeaseId;
use protocol::lease::{Budget, ParamSet};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, Executor, SqliteConnection};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;
use tokio::runtime::Runtime;

/// The start of every simulation, in milliseconds since 1970. It is far in the future: workers number their starts by
/// the real clock, which must not be ahead of the simulated one.
const BEGINNING: i64 = 4_000_000_000_000;
pub(super) const LEASE_MS: i64 = 120_000;
/// Simulations per move: enough for a tree that is kept from move to move.
pub(super) const SIMS: u64 = 12;

/// Faults that the database can be told to raise. A table's name fails a statement on this table; with `!`, the fault
/// rolls the whole transaction back. `commit!` fails the commit.
pub(super) const FAULTS: [&str; 8] =
    ["game", "game!", "pair", "pair!", "lease!", "cell!", "worker!", "commit!"];

/// The experiments of every simulation. They share one cell with different numbers of planned pairs. The others have a stopping rule, which
/// so few pairs do not satisfy: a pair that the rule waits for, and that a machine holds for long, goes to another one.
pub(super) fn experiments() -> [Experiment; 2] {
    let planned = |k: u32, board: u8, pairs: u32| {
        let params = |text: String| {
            let (name, value) = text.split_once('=').expect("name=value");
            ParamSet([(name.to_owned(), value.parse().expect("a value"))].into())
        };
        let player = |text: String| LabelledPlayer {
            group: "simulated".into(),
            label: text.clone(),
            params: params(text),
        };
        let (case, baseline) = (player(format!("rave_k={k}")), player("exploration=0.7".into()));
        let spec = CellSpec {
            semantics: engine::SEMANTICS,
            case: case.params.clone(),
            baseline: baseline.params.clone(),
            size: BoardSize::new(board).expect("a board size"),
            budget: Budget::Sims(SIMS),
            opening_plies: 2,
            book: None,
            seed: 5,
        };
        PlannedCell { case, baseline, spec, weight: 1.0, pairs, stop: None }
    };
    let ruled = |cell: PlannedCell| PlannedCell { stop: Some(StopRule::EValue { alpha: 1e-4 }), ..cell };
    let experiment = |name: &str, cells| Experiment {
        name: name.into(),
        question: "Is anything lost, or counted twice?".into(),
        weight: 1.0,
        policy: Policy::Coverage,
        file: None,
        tune: None,
        cells,
    };
    [
        experiment("one", vec![planned(50, 3, 3), ruled(planned(500, 4, 2))]),
        experiment("two", vec![planned(50, 3, 5), ruled(planned(7, 3, 2))]),
    ]
}

fn alone() -> Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime")
}

/// Number of tokens: one for each of up to three machines, and one for the liar.
pub(super) const TOKENS: usize = 4;

/// The content of a database file with the experiments applied and the faults prepared, and the database's valid
/// tokens. Every simulation begins with a copy.
static TEMPLATE: LazyLock<(Vec<u8>, Vec<String>)> = LazyLock::new(|| {
    let home = tempfile::tempdir().expect("a directory");
    let path = home.path().join("template.db");
    let tokens = alone().block_on(async {
        let config = Config { clock: Clock::manual(BEGINNING), ..Config::new(path.display().to_string()) };
        let coordinator = Coordinator::open(config).await.expect("opens");
        for experiment in experiments() {
            coordinator.apply(&experiment).await.expect("applied");
        }
        let mut tokens = Vec::new();
        for number in 0..TOKENS {
            let name = format!("token {number}");
            let request =
                TokenRequest { name, scopes: Scope::Work.into(), expires_in_ms: None, machines: Some(1) };
            tokens.push(coordinator.create_token(request, "somebody").await.expect("a token").token);
        }
        coordinator.close().await;
        let mut behind = connect(&path).await;
        // A deferred foreign key is checked at the commit only, so that its violation fails the commit.
        let mut sql = "CREATE TABLE fault (place TEXT); INSERT INTO fault VALUES (NULL); \
             CREATE TABLE nobody (id BIGINT PRIMARY KEY); \
             CREATE TABLE promise (id BIGINT REFERENCES nobody (id) DEFERRABLE INITIALLY DEFERRED); \
             CREATE TRIGGER fault_commit AFTER UPDATE ON revision \
             WHEN (SELECT place FROM fault) = 'commit!' BEGIN INSERT INTO promise VALUES (1); END;"
            .to_owned();
        for table in ["game", "pair", "lease", "cell", "worker"] {
            for (event, short) in [("INSERT", "i"), ("UPDATE", "u")] {
                for (mark, action) in [("", "ABORT"), ("!", "ROLLBACK")] {
                    sql += &format!(
                        "CREATE TRIGGER fault_{table}_{short}_{action} AFTER {event} ON {table} \
                         WHEN (SELECT place FROM fault) = '{table}{mark}' \
                         BEGIN SELECT RAISE({action}, 'a simulated fault'); END;"
                    );
                }
            }
        }
        behind.execute(sqlx::raw_sql(AssertSqlSafe(sql))).await.expect("faults");
        behind.execute("PRAGMA wal_checkpoint(TRUNCATE)").await.expect("written back");
        behind.close().await.expect("closed");
        tokens
    });
    (std::fs::read(&path).expect("the template"), tokens)
});

/// The database file and its write-ahead log.
fn paths(database: &Path) -> [PathBuf; 2] {
    [database.to_owned(), PathBuf::from(format!("{}-wal", database.display()))]
}

/// A connection that preserves the write-ahead log: SQLite moves the log into the database file when the last
/// connection is closed.
async fn connect(path: &Path) -> SqliteConnection {
    let mut connection = SqliteConnectOptions::new().filename(path).connect().await.expect("the database");
    connection.execute("SELECT COUNT(*) FROM sqlite_master").await.expect("a database");
    connection
}

/// The coordinator while it runs, and the state that outlives a run.
pub(super) struct Server {
    path: PathBuf,
    pub(super) clock: Clock,
    running: Option<(Coordinator, Runtime)>,
    behind: (SqliteConnection, Runtime),
    /// How far the clock was set since the last commit or start, which notice such a change.
    unnoticed_ms: i64,
    /// The database and its log as they are on the disk, while the disk is stalled.
    on_disk: Option<[Vec<u8>; 2]>,
    power_cuts: u32,
}

impl Server {
    pub(super) fn new(home: &Path) -> Self {
        let path = home.join("gauntlet.db");
        std::fs::write(&path, TEMPLATE.0.as_slice()).expect("a copy of the template");
        let runtime = alone();
        let behind = (runtime.block_on(connect(&path)), runtime);
        let clock = Clock::manual(BEGINNING);
        let mut server =
            Self { path, clock, running: None, behind, unnoticed_ms: 0, on_disk: None, power_cuts: 0 };
        server.start();
        server
    }

    /// The token with this number.
    pub(super) fn token(number: usize) -> &'static str {
        &TEMPLATE.1[number]
    }

    pub(super) fn now_ms(&self) -> i64 {
        self.clock.now_ms()
    }

    /// Sets the clock of the coordinator's machine forward or back.
    pub(super) fn set_clock(&mut self, ms: i64) {
        self.clock.step(ms);
        self.unnoticed_ms += ms;
    }

    /// Called after a commit. Whether the commit noticed a change of the clock.
    pub(super) fn notices_the_clock(&mut self) -> bool {
        std::mem::take(&mut self.unnoticed_ms).abs() > 2_000
    }

    pub(super) fn is_up(&self) -> bool {
        self.running.is_some()
    }

    /// Starts the coordinator as `gauntlet serve` does.
    pub(super) fn start(&mut self) {
        let config = Config {
            clock: self.clock.clone(),
            lease_time: Duration::from_millis(LEASE_MS.unsigned_abs()),
            stall_time: Duration::from_secs(900),
            ..Config::new(self.path.display().to_string())
        };
        let runtime = alone();
        let coordinator = runtime.block_on(async {
            let coordinator = Coordinator::open(config).await.expect("opens");
            coordinator.resume().await.expect("leases go on");
            coordinator
        });
        self.running = Some((coordinator, runtime));
        self.unnoticed_ms = 0;
    }

    /// Kills the coordinator.
    pub(super) fn kill(&mut self) {
        if let Some((coordinator, runtime)) = self.running.take() {
            drop(coordinator);
            runtime.shutdown_background();
        }
    }

    /// Stalls the disk: from now on, writes do not reach it.
    pub(super) fn stall(&mut self) {
        if self.on_disk.is_none() {
            self.on_disk = Some(self.files());
        }
    }

    pub(super) fn is_stalled(&self) -> bool {
        self.on_disk.is_some()
    }

    /// Ends the stall: the disk has everything that was written.
    pub(super) fn flush(&mut self) {
        self.on_disk = None;
    }

    /// Kills the coordinator and discards everything that is not on the disk.
    pub(super) fn cut_power(&mut self) {
        let files = self.on_disk.take().unwrap_or_else(|| self.files());
        self.kill();
        // A new path, because connections of the killed coordinator may still be closing the old files.
        self.power_cuts += 1;
        self.path = self.path.with_file_name(format!("gauntlet-{}.db", self.power_cuts));
        for (file, content) in paths(&self.path).iter().zip(files) {
            std::fs::write(file, content).expect("what was on disk");
        }
        let (connection, runtime) = &mut self.behind;
        *connection = runtime.block_on(connect(&self.path));
    }

    fn files(&self) -> [Vec<u8>; 2] {
        paths(&self.path).map(|file| std::fs::read(file).expect("an open database"))
    }

    /// Makes a call to the coordinator; none while the coordinator is down.
    pub(super) fn ask<T>(
        &self,
        question: impl AsyncFnOnce(&Coordinator) -> Result<T, CoordinatorError>,
    ) -> Option<Result<T, CoordinatorError>> {
        let (coordinator, runtime) = self.running.as_ref()?;
        Some(runtime.block_on(question(coordinator)))
    }

    /// Like [`Server::ask`], but the coordinator must be up and the call must succeed.
    pub(super) fn get<T>(
        &self,
        question: impl AsyncFnOnce(&Coordinator) -> Result<T, CoordinatorError>,
    ) -> T {
        self.ask(question).expect("it is up").expect("it answers")
    }

    /// All plays of an experiment.
    pub(super) fn all_games(&self, experiment: &str) -> Vec<GameLine> {
        let mut games = Vec::new();
        let mut after: Option<String> = None;
        loop {
            let page =
                self.get(async |coordinator| coordinator.games(experiment, after.as_deref(), 100).await);
            games.extend(page.games);
            after = page.next;
            if after.is_none() {
                return games;
            }
        }
    }

    /// The leases that were taken back.
    pub(super) fn revoked(&mut self) -> HashSet<LeaseId> {
        let (connection, runtime) = &mut self.behind;
        let found = sqlx::query_scalar("SELECT id FROM lease WHERE state = 'revoked'").fetch_all(connection);
        runtime.block_on(found).expect("leases").into_iter().map(LeaseId).collect()
    }

    /// Arms a fault of [`FAULTS`], or none, until the next call of this function.
    pub(super) fn fail_at(&mut self, place: Option<&'static str>) {
        let (connection, runtime) = &mut self.behind;
        let update = sqlx::query("UPDATE fault SET place = $1").bind(place);
        runtime.block_on(update.execute(connection)).expect("a fault");
    }
}
