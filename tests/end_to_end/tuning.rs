//! A tune from its file to its confirmation, with real games, while every process is killed.

use crate::api::assert_verified;
use crate::postgres::SERVER;
use crate::process::{DEADLINE, Process, QUICK, output, seed};
use engine::rng::Rng;
use protocol::report::ExperimentState;
use protocol::tune::TuneStatus;
use std::path::Path;
use std::time::{Duration, Instant};
use tuner::Verdict;

const GAMES: u64 = 160;
const KILLS: u32 = 6;

const FILE: &str = r#"
[experiment]
name = "tuned"
question = "Is a tune lost when everything dies?"
[[baseline]]
id = "rave"
preset = "rave"
[tune]
games = 160
strategy = "duel"
[tune.parameters]
rave_k = { range = [0, 2000] }
keep_tree = {}
[sizes]
3 = 1
[[budget]]
id = "quick"
sims = 5
[play]
opening_plies = 2
"#;

/// What a process without any memory of the tune says of it, from the log alone.
fn status(dir: &Path, database: &str) -> Option<TuneStatus> {
    let (ended, stdout, _) = output(dir, &["tune", "status", "tuned", "--json", "--database", database]);
    ended.success().then(|| serde_json::from_str(&stdout).expect("a status"))
}

fn serve(dir: &Path, database: &str, port: &str) -> (Process, String) {
    let mut serving = Process::start(dir, &["serve", "--port", port, "--database", database, "tuned.toml"]);
    let url = serving.url();
    (serving, url)
}

fn work(dir: &Path, url: &str, token: &str) -> Process {
    let quick = ["--slots", "2", "--calibration-runs", "1", "--calibration-sims", "500", "--dir", "node"];
    Process::start(dir, &[&["work", "--coordinator", url, "--token", token][..], &quick].concat())
}

fn survives(dir: &Path, database: &str, coordinators: usize) {
    std::fs::write(dir.join("tuned.toml"), FILE).expect("written");
    output(dir, &["db", "create", "--database", database]);
    let (made, token, stderr) = output(dir, &["token", "add", "node", "--database", database]);
    assert!(made.success(), "{stderr}");
    let token = token.trim();
    let mut serving: Vec<(Process, String)> = (0..coordinators).map(|_| serve(dir, database, "0")).collect();
    let mut worker = work(dir, &serving[0].1, token);
    let mut rng = Rng::new(seed());
    let (mut kills, mut reached) = (0, 0);
    let deadline = Instant::now() + 4 * DEADLINE;
    let done = loop {
        assert!(Instant::now() < deadline, "{reached} of {GAMES} games after {kills} kills");
        if let Some(status) = status(dir, database) {
            let is_over = status.games_left == 0 && status.ending.is_some();
            if is_over && kills >= KILLS {
                break status;
            }
            // A kill for each sixth of the games, and those that are left when all are played.
            if status.games_played >= reached || is_over {
                reached = status.games_played + GAMES / u64::from(KILLS);
                kills += 1;
                let (killed, url) = serving.remove(rng.below(coordinators as u32) as usize);
                if rng.below(2) == 0 {
                    worker.kill();
                    worker = work(dir, &url, token);
                }
                killed.kill();
                serving.push(serve(dir, database, url.rsplit(':').next().expect("a port")));
            }
        }
        std::thread::sleep(Duration::from_millis(u64::from(rng.below(200))));
    };
    assert_eq!((done.games_played, done.outstanding, done.state), (GAMES, 0, ExperimentState::Finished));
    let [best] = &done.recommendations[..] else { panic!("{done:?}") };
    assert!(best.is_final && best.measured[0].games == 8, "{best:?}");
    // The games decide whether something speaks for the setting.
    let is_no_better = best.recommendation.verdict == Verdict::NothingBetter;
    let confirmed = done.confirmations.iter().map(|one| one.case.as_str());
    let wanted = Some(best.label.as_str()).filter(|_| !is_no_better);
    assert!(confirmed.eq(wanted), "{:?}", done.ending);
    assert!(worker.stop().success());
    let (said, text, _) = output(dir, &["tune", "status", "tuned", "--database", database]);
    assert!(said.success() && text.contains("160 of 160 games played, 0 left"), "{text}");
    assert!(
        !text.contains("gauntlet promote")
            && text.contains("Its confirmation is being played") != is_no_better
            && text.contains("8 games that had no part"),
        "{text}"
    );
    for (serving, _) in serving {
        assert!(serving.stop().success());
    }
    let again = status(dir, database).expect("the same");
    assert_eq!(again.recommendations[0].recommendation, best.recommendation, "a replay recommends the same");
    assert_verified(dir, database);
}

#[test]
fn a_run_of_a_tune_shows_what_it_recommends_and_no_points_of_two_games() {
    let home = tempfile::tempdir().expect("a directory");
    let file = FILE.replace("games = 160", "games = 60\nconfirm = false").replace("duel", "clop");
    std::fs::write(home.path().join("tuned.toml"), file).expect("written");
    let run = [&["run", "tuned.toml", "--port", "0", "--exit-when-done", "--database", "run.db"][..], &QUICK];
    let (ended, stdout, stderr) = output(home.path(), &run.concat());
    assert!(ended.success(), "{stderr}");
    let status = status(home.path(), "run.db").expect("a status");
    let best = &status.recommendations[0];
    let measured = best.measured_overall.expect("measured");
    let rate = format!("recommended, measured {:.1} % (", 100.0 * measured.rate.rate);
    let line = stderr.lines().find(|line| line.contains(&rate)).unwrap_or_else(|| panic!("{rate}: {stderr}"));
    assert!(line.ends_with(&format!(" in 2 games: {}", best.label)), "{line}");
    let points = |text: &str| text.lines().filter(|line| line.contains("rave_k=")).count();
    assert!(points(&stderr) <= 2, "the recommendation alone, at the begin and at the end: {stderr}");
    assert!(stdout.contains(&format!("Recommended: {}", best.label)) && points(&stdout) == 1, "{stdout}");
    assert!(stdout.contains("in 2 games that had no part in choosing it"), "{stdout}");
}

#[test]
fn a_tune_goes_on_after_every_kill_on_sqlite() {
    let home = tempfile::tempdir().expect("a directory");
    survives(home.path(), "tuned.db", 1);
}

#[test]
fn a_tune_goes_on_after_every_kill_with_two_coordinators_on_postgres() {
    let Some(server) = SERVER.as_ref() else { return };
    let home = tempfile::tempdir().expect("a directory");
    survives(home.path(), server, 2);
}

#[test]
fn what_is_no_tune_is_refused_in_words() {
    let home = tempfile::tempdir().expect("a directory");
    let sweep = crate::process::TINY;
    std::fs::write(home.path().join("tiny.toml"), sweep).expect("written");
    let mut serving =
        Process::start(home.path(), &["serve", "--port", "0", "--database", "a.db", "tiny.toml"]);
    serving.url();
    let (ended, _, stderr) = output(home.path(), &["tune", "status", "tiny", "--database", "a.db"]);
    assert!(
        !ended.success() && stderr.contains("`tiny` is no tune: its file has no section [tune]"),
        "{stderr}"
    );
    let (ended, _, stderr) = output(home.path(), &["tune", "status", "tinny", "--database", "a.db"]);
    assert!(
        !ended.success() && stderr.contains("no experiment is called `tinny`; did you mean `tiny`?"),
        "{stderr}"
    );
    assert!(serving.stop().success());
}
