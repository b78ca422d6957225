//! Calls to the API, and checks of its final answers.

use crate::process::{DEADLINE, output};
use protocol::games::{GameLine, GameStatus, GamesPage};
use protocol::ids::GameId;
use protocol::report::{ExperimentReport, Overview};
use serde::de::DeserializeOwned;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, Instant};

/// The answer to a call; none when the coordinator does not answer, for example because it was just killed.
pub(crate) async fn try_get<T: DeserializeOwned>(url: &str, path: &str) -> Option<T> {
    // reqwest needs an installed TLS provider. The binary installs its own, in its own process.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::builder().no_proxy().tls_certs_only([]).timeout(DEADLINE);
    let answer = client.build().ok()?.get(format!("{url}/api/v1/{path}")).send().await.ok()?;
    if !answer.status().is_success() {
        return None;
    }
    // A coordinator that is killed while it answers has sent a part of the answer.
    let body = answer.bytes().await.ok()?;
    Some(serde_json::from_slice(&body).expect("an answer of the declared type"))
}

/// Repeats a call until the answer satisfies a condition.
pub(crate) async fn until<T: DeserializeOwned + std::fmt::Debug>(
    url: &str,
    path: &str,
    what: &str,
    holds: impl Fn(&T) -> bool,
) -> T {
    let deadline = Instant::now() + DEADLINE;
    loop {
        let answer = try_get::<T>(url, path).await;
        match answer {
            Some(answer) if holds(&answer) => return answer,
            answer => assert!(Instant::now() < deadline, "never: {what}; last {answer:#?}"),
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Waits until an experiment has at least this many games.
pub(crate) async fn games_done(url: &str, experiment: &str, games: u64) -> ExperimentReport {
    let path = format!("experiments/{experiment}");
    let what = format!("{games} games");
    until(url, &path, &what, |report: &ExperimentReport| report.summary.games_done >= games).await
}

/// Waits until the worker of this name holds pairs.
pub(crate) async fn holding(url: &str, worker: &str) {
    let what = format!("{worker} holds pairs");
    let holds = |overview: &Overview| {
        overview.workers.iter().any(|report| report.name == worker && report.pairs_held > 0)
    };
    until(url, "overview", &what, holds).await;
}

/// All stored plays of an experiment, from the pages of the API.
pub(crate) async fn all_games(url: &str, experiment: &str) -> Vec<GameLine> {
    let mut games = Vec::new();
    let mut after = String::new();
    loop {
        let path = format!("experiments/{experiment}/games?limit=37{after}");
        let page: GamesPage = try_get(url, &path).await.expect("a page");
        games.extend(page.games);
        match page.next {
            Some(next) => after = format!("&after={next}"),
            None => return games,
        }
    }
}

/// Checks that every planned game is counted once, and that the counters agree with the games.
pub(crate) async fn assert_totals_are_exact(url: &str, experiment: &str) {
    let report: ExperimentReport =
        try_get(url, &format!("experiments/{experiment}")).await.expect("a report");
    let games = all_games(url, experiment).await;
    let counted: Vec<&GameLine> = games.iter().filter(|game| game.status == GameStatus::Counted).collect();
    assert_eq!(report.summary.games_done, report.summary.games_planned);
    assert_eq!(counted.len() as u64, report.summary.games_planned);

    let ids: BTreeSet<GameId> = counted.iter().map(|game| game.id).collect();
    assert_eq!(ids.len(), counted.len(), "no game is counted twice");
    let plays: BTreeSet<_> = games.iter().map(|game| (game.id, game.lease)).collect();
    assert_eq!(plays.len(), games.len(), "no play is stored twice");

    let mut tallies: BTreeMap<_, [u64; 3]> = BTreeMap::new();
    for game in &counted {
        tallies.entry(game.cell).or_default()[usize::from(game.outcome.half_points(game.case_side))] += 1;
    }
    for point in report.series.iter().flat_map(|series| &series.points) {
        let pairs = u32::try_from(point.games_planned / 2).expect("few");
        for id in (0..pairs).flat_map(|pair| [0, 1].map(|half| GameId::of(point.cell, pair, half))) {
            assert!(ids.contains(&id), "size {}: game {id} was planned and is missing", point.size);
        }
        assert_eq!([point.losses, point.draws, point.wins], tallies[&point.cell], "size {}", point.size);
        assert_eq!(point.pairs, u64::from(pairs));
        assert_eq!(point.pairs_in_flight, 0);
    }
}

/// Checks that `gauntlet verify` finds no difference.
pub(crate) fn assert_verified(dir: &Path, database: &str) {
    let (status, stdout, stderr) = output(dir, &["verify", "--database", database]);
    assert!(status.success(), "{stdout}{stderr}");
    assert!(stdout.contains("every total is right"), "{stdout}");
}
