//! Thousands of games while every process is killed repeatedly, at random moments. Afterwards the totals must be those
//! that the test gets by playing every game itself.

use crate::api::{assert_totals_are_exact, assert_verified, try_get, until};
use crate::postgres::SERVER;
use crate::process::{DEADLINE, Process, output, seed, spooled};
use engine::havannah::Notation;
use engine::rng::{Rng, mix};
use engine::search::Budget;
use engine::selfplay::{play, random_opening};
use engine::side::Side;
use protocol::experiment::{CellSpec, Experiment};
use protocol::ids::CellId;
use protocol::lease;
use protocol::matchup::Matchup;
use protocol::report::{ExperimentReport, Overview};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

/// Number of games, unless `GAUNTLET_CHAOS_GAMES` gives another.
const GAMES: u64 = 2_000;
/// Number of games in `./test --thorough`.
const THOROUGH_GAMES: u64 = 10_000;
/// The largest number of games to wait for between two kills.
const HEADWAY: u64 = 200;
const CELLS: u64 = 10;
const WORKERS: usize = 3;
const NAME: &str = "chaos";

fn games() -> u64 {
    let asked =
        std::env::var("GAUNTLET_CHAOS_GAMES").ok().map(|text| text.parse().expect("a number of games"));
    let usual = if std::env::var_os("GAUNTLET_THOROUGH").is_some() { THOROUGH_GAMES } else { GAMES };
    asked.unwrap_or(usual).next_multiple_of(2 * CELLS)
}

fn experiment() -> String {
    format!(
        r#"
[experiment]
name = "{NAME}"
question = "Does anything get lost when everything dies all the time?"
[[baseline]]
id = "uct"
preset = "uct"
[[test]]
id = "rave"
set = {{}}
sweep = {{ rave_k = [10, 20, 30, 40, 50, 60, 70, 80, 90, 100] }}
[sizes]
3 = 1
[[budget]]
id = "quick"
sims = 1
[play]
games_per_cell = {}
opening_plies = 2
seed = 11
"#,
        games() / CELLS
    )
}

/// Losses, draws and wins of the case in every cell, from games played here. Openings and seeds are computed here, not
/// read from the coordinator.
fn expected(experiment: &Experiment) -> BTreeMap<CellId, [u64; 3]> {
    let step = |z: u64| mix(z.wrapping_add(0x9e37_79b9_7f4a_7c15));
    let seed = |spec: &CellSpec, pair: u32| {
        step(step(step(spec.seed) ^ u64::from(spec.size.get())) ^ u64::from(pair))
    };
    let mut tallies = BTreeMap::new();
    for planned in &experiment.cells {
        let spec = &planned.spec;
        let lease::Budget::Sims(sims) = spec.budget else { panic!("a budget in simulations") };
        let tally: &mut [u64; 3] = tallies.entry(spec.id()).or_default();
        for (pair, case_side) in (0..planned.pairs).flat_map(|pair| Side::BOTH.map(|side| (pair, side))) {
            let seed = seed(spec, pair);
            let opening = random_opening(spec.size, spec.opening_plies, step(seed));
            let opening = Notation::Gui.write_list(spec.size, &opening);
            let matchup = Matchup {
                size: spec.size,
                opening: &opening,
                seed,
                case: &spec.case,
                case_side,
                baseline: &spec.baseline,
            };
            let game = matchup.spec(Budget::Sims(sims)).expect("known parameters");
            let record = play(&game, &mut |_| ControlFlow::Continue(())).expect("legal").expect("to its end");
            tally[usize::from(record.outcome.half_points(case_side))] += 1;
        }
    }
    tallies
}

/// The processes that can be killed, and the arguments to start them again.
struct Cluster<'a> {
    dir: &'a Path,
    database: &'a str,
    token: String,
    /// Of somebody who may release pairs.
    admin: String,
    coordinators: Vec<(Process, String)>,
    workers: Vec<Process>,
}

impl<'a> Cluster<'a> {
    fn start(dir: &'a Path, database: &'a str, coordinators: usize) -> Self {
        std::fs::write(dir.join("chaos.toml"), experiment()).expect("written");
        output(dir, &["db", "create", "--database", database]);
        let token = |name: &str, scope: &str| {
            let add = ["token", "add", name, "--scope", scope, "--database", database];
            let (status, token, stderr) = output(dir, &add);
            assert!(status.success(), "{stderr}");
            token.trim().to_owned()
        };
        let (token, admin) = (token("tester", "work"), token("somebody", "admin"));
        let mut cluster = Self { dir, database, token, admin, coordinators: Vec::new(), workers: Vec::new() };
        for _ in 0..coordinators {
            let mut serving = cluster.serve("0");
            let url = serving.url();
            cluster.coordinators.push((serving, url));
        }
        cluster.workers = (0..WORKERS).map(|number| cluster.work(number)).collect();
        cluster
    }

    fn serve(&self, port: &str) -> Process {
        Process::start(self.dir, &["serve", "--port", port, "--database", self.database, "chaos.toml"])
    }

    fn work(&self, number: usize) -> Process {
        let (name, dir) = (format!("worker-{number}"), format!("state-{number}"));
        let url = &self.coordinators[number % self.coordinators.len()].1;
        let mut arguments = vec!["work", "--coordinator", url, "--token", &self.token, "--dir", &dir];
        arguments.extend(["--name", &name, "--slots", "1"]);
        arguments.extend(["--calibration-runs", "1", "--calibration-sims", "500"]);
        Process::start(self.dir, &arguments)
    }

    /// Waits until so many games are there. On a slow machine a pair may meet so many kills that it is set aside; then somebody
    /// releases it.
    async fn headway(&self, games: u64) -> u64 {
        let url = &self.coordinators[0].1;
        let deadline = Instant::now() + DEADLINE;
        loop {
            if let Some(report) = try_get::<ExperimentReport>(url, &format!("experiments/{NAME}")).await {
                if report.summary.games_done >= games {
                    return report.summary.games_done;
                }
                if report.summary.pairs_aside > 0 {
                    let retry = ["retry", NAME, "--coordinator", url, "--token", &self.admin];
                    eprintln!("{}", output(self.dir, &retry).1.trim());
                }
                let games_done = report.summary.games_done;
                assert!(Instant::now() < deadline, "{games_done} games, never {games}: {:?}", report.aside);
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Kills one process, usually a worker, and starts it again.
    fn kill_one(&mut self, rng: &mut Rng) {
        if rng.below(3) == 0 {
            let which = rng.below(self.coordinators.len() as u32) as usize;
            let (serving, url) = self.coordinators.remove(which);
            serving.kill();
            let port = url.rsplit(':').next().expect("a port").to_owned();
            let mut serving = self.serve(&port);
            assert_eq!(serving.url(), url);
            self.coordinators.insert(which, (serving, url));
        } else {
            let which = rng.below(self.workers.len() as u32) as usize;
            self.workers.remove(which).kill();
            let started = self.work(which);
            self.workers.insert(which, started);
        }
    }
}

async fn totals_are_exact(dir: &Path, database: &str, coordinators: usize) {
    let planned = Experiment::parse("chaos.toml", &experiment()).expect("an experiment");
    let mut cluster = Cluster::start(dir, database, coordinators);
    let url = cluster.coordinators[0].1.clone();
    let path = format!("experiments/{NAME}");
    eprintln!("{} games", games());
    let mut rng = Rng::new(seed());
    let mut kills = 0;
    let headway = u32::try_from(HEADWAY.min(games() / 30)).expect("few");
    let mut done = 0;
    while done < games() {
        // Waits for some progress, however slow the machine is, and then for a random time.
        done = cluster.headway((done + u64::from(rng.below(headway))).min(games())).await;
        tokio::time::sleep(Duration::from_millis(rng.below(300).into())).await;
        cluster.kill_one(&mut rng);
        kills += 1;
    }
    eprintln!("{kills} processes were killed");

    // The spools hold only plays of games that are counted already. Every worker gets the time to deliver its spool.
    for worker in &mut cluster.workers {
        worker.wait_for(|said| said.contains("the coordinator answers").then_some(()));
    }
    let at_rest = |overview: &Overview| overview.workers.iter().all(|worker| worker.pairs_held == 0);
    until(&url, "overview", "nobody holds anything", at_rest).await;
    let deadline = Instant::now() + DEADLINE;
    while (0..WORKERS).any(|number| spooled(&dir.join(format!("state-{number}"))) > 0) {
        assert!(Instant::now() < deadline, "games stay in the spools");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    for worker in std::mem::take(&mut cluster.workers) {
        assert!(worker.stop().success());
    }
    assert_totals_are_exact(&url, NAME).await;
    let expected = expected(&planned);
    let report: ExperimentReport = try_get(&url, &path).await.expect("a report");
    let points = report.series.iter().flat_map(|series| &series.points);
    let stored: BTreeMap<CellId, [u64; 3]> =
        points.map(|point| (point.cell, [point.losses, point.draws, point.wins])).collect();
    assert_eq!(stored, expected, "losses, draws and wins of every cell");
    for (serving, _) in cluster.coordinators {
        assert!(serving.stop().success());
    }
    assert_verified(dir, database);
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "the simulation shows the same for SQLite; --thorough"]
async fn totals_are_those_of_the_games_played_here_after_chaos_on_sqlite() {
    let home = tempfile::tempdir().expect("a directory");
    totals_are_exact(home.path(), "chaos.db", 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn totals_are_those_of_the_games_played_here_after_chaos_with_two_coordinators_on_postgres() {
    let Some(server) = SERVER.as_ref() else { return };
    let home = tempfile::tempdir().expect("a directory");
    totals_are_exact(home.path(), server, 2).await;
}
