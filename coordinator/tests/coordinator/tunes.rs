//! Tunes: their points are cells, their log is all there is, and it survives everything that ends a process.

use crate::databases::{Database, on_both_databases};
use crate::http::metric;
use crate::play::{LEASE_AND_A_BIT, Random, Worker, assert_verified, cell, experiment, open, play, token};
use coordinator::Coordinator;
use futures_util::poll;
use protocol::baseline::PromoteRequest;
use protocol::confirm::{ConfirmRequest, ConfirmationVerdict};
use protocol::experiment::Experiment;
use protocol::lease::{Lease, LeasedGame, ParamSet};
use protocol::life::ExperimentChange;
use protocol::report::ExperimentState;
use protocol::result::FinishedGame;
use protocol::tune::{PastRecommendation, ProposedPoint, ProposedPoints, TuneStatus};
use std::pin::pin;
use std::time::Duration;
use tuner::{Point, Value, Verdict};

pub(crate) const FILE: &str = r#"
[experiment]
name = "tune"
question = "Which is best?"
[[baseline]]
id = "rave"
preset = "rave"
[tune]
games = 240
[tune.parameters]
rave_k = { range = [0, 1000], start = 100 }
keep_tree = { start = false }
[sizes]
3 = 1
4 = 2
[[budget]]
id = "quick"
sims = 100
[play]
seed = 3
"#;

pub(crate) fn file(changes: &[(&str, &str)]) -> Experiment {
    let text = changes.iter().fold(FILE.to_owned(), |text, (from, to)| text.replacen(from, to, 1));
    Experiment::parse("tune.toml", &text).unwrap_or_else(|error| panic!("{error}"))
}

/// How often a player wins: more often the nearer `rave_k` is to 700, and with its tree kept.
pub(crate) fn chance(player: &ParamSet) -> f64 {
    let player = player.resolve().expect("parameters").search;
    let distance = (player.rave_k - 700.0) / 1000.0;
    0.9 - 1.5 * distance * distance - if player.keep_tree { 0.0 } else { 0.3 }
}

/// Games that the case wins with its chance.
fn games(lease: &Lease, random: &mut Random) -> Vec<FinishedGame> {
    games_won(lease, random, chance(&lease.case))
}

/// Games that the case wins with this chance.
pub(crate) fn games_won(lease: &Lease, random: &mut Random, chance: f64) -> Vec<FinishedGame> {
    let mut game = |game: &LeasedGame| {
        let wins = (random.below(1000) as f64) < 1000.0 * chance;
        let winner = if wins { game.case_side } else { game.case_side.other() };
        let plays =
            (0..).map(|seed| play(lease, *game, seed)).find(|play| play.outcome.winner() == Some(winner));
        plays.expect("some random game ends so")
    };
    lease.games.iter().map(&mut game).collect()
}

/// Plays up to `pairs` pairs, several at a time and in another order than they were leased; gives how many it played.
pub(crate) async fn play_pairs(coordinator: &Coordinator, random: &mut Random, pairs: usize) -> usize {
    let mut worker = Worker::new();
    let mut played = 0;
    while played < pairs {
        coordinator.tune_on().await.expect("points");
        let mut leases = worker.take(coordinator, 5).await;
        if leases.is_empty() {
            break;
        }
        while !leases.is_empty() {
            let lease = leases.swap_remove(random.below(leases.len()));
            worker.drop_lease(&lease);
            worker.report(coordinator, games(&lease, random)).await;
            played += 1;
        }
    }
    coordinator.tune_on().await.expect("points");
    played
}

/// The status with all looks back at it.
pub(crate) async fn status(coordinator: &Coordinator) -> TuneStatus {
    loop {
        let status = coordinator.tune_status("tune").await.expect("a tune");
        if status.course_is_complete {
            return status;
        }
        tokio::task::yield_now().await;
    }
}

on_both_databases! {
    async fn a_tune_plays_its_games_recommends_measures_and_confirms(database: Database) {
        let (coordinator, _) = open(&database).await;
        let applied = coordinator.apply(&file(&[])).await.expect("applied");
        assert_eq!((applied.cells, applied.games_planned), (2, 240), "the budget is planned from the beginning");
        let mut random = Random(7);
        let first = play_pairs(&coordinator, &mut random, 60).await;
        assert!(first >= 60);
        let so_far = status(&coordinator).await;
        assert!(so_far.games_played >= 120 && so_far.outstanding <= 16, "two for each slot: {so_far:?}");
        assert!(!so_far.recommendations[0].is_final && so_far.recommendations[0].words.contains("so far"));
        let summary = coordinator.summary("tune").await.expect("summary");
        assert_eq!((summary.games_planned, summary.state), (240, ExperimentState::Active));
        assert_verified(&coordinator).await;

        play_pairs(&coordinator, &mut random, 54).await;
        // Everything but the last games; those have one setting, on both sizes.
        while status(&coordinator).await.games_left > 0 {
            assert!(play_pairs(&coordinator, &mut random, 5).await > 0);
        }
        let done = status(&coordinator).await;
        assert_eq!((done.games_played, done.outstanding), (240, 0));
        let best = &done.recommendations[0];
        assert!(best.is_final && best.recommendation.point["keep_tree"] == Value::Flag(true), "{best:?}");
        let Value::Real(rave_k) = best.recommendation.point["rave_k"] else { panic!("{best:?}") };
        assert!((450.0..950.0).contains(&rave_k), "{rave_k}");
        let measured: Vec<(Option<u8>, u64)> = best.measured.iter().map(|one| (one.size, one.games)).collect();
        assert_eq!(measured, [(Some(3), 4), (Some(4), 8)], "one pair in twenty, by the weights of the sizes");
        assert!(best.words.contains("12 games that had no part in choosing it"), "{}", best.words);
        assert_verified(&coordinator).await;

        // The confirmation begins by itself, on fresh openings and every size.
        let [confirmation] = &done.confirmations[..] else { panic!("{done:?}") };
        assert_eq!((confirmation.verdict, confirmation.cells.len()), (ConfirmationVerdict::Open, 2));
        assert_eq!((&confirmation.case, confirmation.who.as_str()), (&best.label, "the tune"));
        assert!(best.words.contains("being played"), "{}", best.words);
        let ending = done.ending.expect("the tune has ended");
        assert!(ending.contains("`confirm tune: ") && ending.contains(" pairs on average"), "{ending}");
        coordinator.tune_on().await.expect("again");
        assert_eq!(status(&coordinator).await.confirmations.len(), 1);
    }

    async fn a_setting_that_loses_its_last_games_is_not_confirmed_by_itself(database: Database) {
        let (coordinator, _) = open(&database).await;
        // Here every setting loses all games.
        let range = ("range = [0, 1000], start = 100", "range = [2000, 3000], start = 2500");
        coordinator.apply(&file(&[("games = 240", "games = 60"), range])).await.expect("applied");
        while play_pairs(&coordinator, &mut Random(7), 60).await > 0 {}
        let done = status(&coordinator).await;
        assert_eq!((done.games_left, done.confirmations.len()), (0, 0), "{done:?}");
        let ending = done.ending.expect("the tune has ended");
        assert!(ending.contains("because nothing better than the baseline was found; `gauntlet confirm` plays it"), "{ending}");
        let [best] = &done.recommendations[..] else { panic!("{:?}", done.recommendations) };
        let request = ConfirmRequest { preview: true, ..ConfirmRequest::of(&best.label) };
        assert!(coordinator.confirm("tune", request, "ann").await.expect("possible").plan.is_some());
    }

    async fn the_last_games_are_judged_when_all_of_them_are_played(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&file(&[])).await.expect("applied");
        let mut random = Random(7);
        play_pairs(&coordinator, &mut random, 114).await;
        let mut seen = Vec::new();
        loop {
            let now = status(&coordinator).await;
            let best = &now.recommendations[0];
            if now.games_left == 0 {
                assert!(best.is_final && best.last_games_left.is_none(), "{best:?}");
                break;
            }
            if let Some(left) = best.last_games_left {
                assert!(!best.is_final && best.recommendation.verdict == Verdict::Unknown, "{best:?}");
                assert!(best.words.contains(&format!("are still played: {left} are left")), "{}", best.words);
                assert!(best.promote.is_none() && now.confirmations.is_empty(), "{best:?}");
                seen.push(left);
            }
            assert!(play_pairs(&coordinator, &mut random, 1).await > 0);
        }
        assert!(seen.len() > 1 && seen.is_sorted_by(|a, b| a > b), "{seen:?}");
    }

    async fn sizes_with_the_same_setting_are_confirmed_together(database: Database) {
        let (coordinator, _) = open(&database).await;
        let parameters = "rave_k = { range = [0, 1000], start = 100 }\nkeep_tree = { start = false }";
        let each = file(&[
            ("preset = \"rave\"", "preset = \"rave\"\nset = { keep_tree = false }"),
            ("games = 240", "games = 200\nobjective = \"each\""),
            (parameters, "keep_tree = { start = false }"),
        ]);
        coordinator.apply(&each).await.expect("applied");
        let mut random = Random(7);
        while status(&coordinator).await.games_left > 0 {
            assert!(play_pairs(&coordinator, &mut random, 5).await > 0);
        }
        let done = status(&coordinator).await;
        let [small, large] = &done.recommendations[..] else { panic!("{done:?}") };
        assert_eq!(small.params, large.params, "the tree kept is better on both sizes");
        for one in [small, large] {
            let [measured] = &one.measured[..] else { panic!("{one:?}") };
            let overall = one.measured_overall.as_ref().expect("measured");
            assert_eq!((overall.games, overall.rate), (measured.games, measured.rate), "few games, one interval");
        }
        let [confirmation] = &done.confirmations[..] else { panic!("{done:?}") };
        assert_eq!(confirmation.cells.len(), 2, "on both sizes");
        let on = |size: u8| protocol::confirm::ConfirmRequest {
            sizes: vec![engine::havannah::BoardSize::new(size).expect("a size")],
            against: Some("rave".to_owned()),
            preview: true,
            ..protocol::confirm::ConfirmRequest::of(&small.label)
        };
        let known = coordinator.confirm("tune", on(4), "ada").await.expect("an answer");
        assert_eq!(known.confirmation.map(|one| one.experiment), Some(confirmation.experiment));
    }

    async fn a_point_on_several_sizes_of_a_book_is_one_case(database: Database) {
        let (coordinator, _) = open(&database).await;
        let book = ("seed = 3", "seed = 3\nopenings = \"book:balanced\"");
        coordinator.apply(&file(&[("3 = 1\n4 = 2", "4 = 1\n5 = 1"), ("games = 240", "games = 60"), book])).await.expect("applied");
        while play_pairs(&coordinator, &mut Random(7), 60).await > 0 {}
        let report = coordinator.report("tune").await.expect("a report");
        for line in &report.series {
            assert_eq!(line.title(), line.label, "no id of a cell");
        }
        let done = status(&coordinator).await;
        let best = &done.recommendations[0];
        let sizes = report.series.iter().find(|line| line.label == best.label).map(|line| line.points.len());
        assert_eq!(sizes, Some(2), "both sizes are of one case: {:?}", report.series);
        let request = ConfirmRequest { preview: true, again: true, ..ConfirmRequest::of(&best.label) };
        let plan = coordinator.confirm("tune", request, "ann").await.expect("possible").plan.expect("a plan");
        assert_eq!((plan.case, plan.cells.len()), (best.label.clone(), 2));
        let request = PromoteRequest {
            case: best.label.clone(),
            against: None,
            name: Some("best".to_owned()),
            unconfirmed: true,
        };
        let promoted = coordinator.promote("tune", request, "ann").await.expect("promoted");
        assert_eq!(promoted.baseline.case, best.label);
    }

    async fn a_replay_and_a_restart_recommend_the_same(database: Database) {
        let (coordinator, clock) = open(&database).await;
        coordinator.apply(&file(&[])).await.expect("applied");
        let mut random = Random(8);
        play_pairs(&coordinator, &mut random, 30).await;
        // Leases that nobody ends: their pairs are played later, by somebody else.
        let lost = Worker::new().take(&coordinator, 3).await;
        assert_eq!(lost.len(), 3);
        let before = status(&coordinator).await;
        coordinator.close().await;
        let (coordinator, _) = open(&database).await;
        assert_eq!(status(&coordinator).await, before, "from the log alone");
        clock.advance(LEASE_AND_A_BIT);
        while status(&coordinator).await.games_left > 0 {
            clock.advance(LEASE_AND_A_BIT);
            coordinator.lapse().await.expect("lapsed");
            if play_pairs(&coordinator, &mut random, 20).await == 0 {
                break;
            }
        }
        coordinator.close().await;
    }

    async fn a_tune_tells_its_course_its_points_its_weight_and_its_response_from_the_log_alone(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&file(&[])).await.expect("applied");
        assert_eq!(status(&coordinator).await.course, [], "nothing was recommended yet");
        let mut random = Random(13);
        play_pairs(&coordinator, &mut random, 70).await;
        let before = status(&coordinator).await;
        let looks: Vec<u64> = before.course.iter().map(|look| look.trials).collect();
        assert!(looks.starts_with(&[10, 15, 20, 25, 30]) && looks.iter().all(|look| *look <= 80), "{looks:?}");
        // A tenth of the first trials may be without a result for long.
        let rated = |look: &PastRecommendation| {
            (9 * look.trials..=10 * look.trials).contains(&(5 * look.games)) && look.rate.is_some()
        };
        assert!(before.course.iter().all(rated), "{:?}", before.course);
        assert_eq!(before.results_seen, before.games_played / 2);

        // The weight has left most of the range, and all of it is somewhere.
        let [weight] = &before.concentrations[..] else { panic!("{before:?}") };
        assert!((1.0..weight.points as f64).contains(&weight.effective_points), "{weight:?}");
        for shares in &weight.shares {
            let sum: f64 = shares.parts.iter().map(|part| part.share).sum();
            assert!((sum - 1.0).abs() < 1e-9, "{shares:?}");
        }
        let parts: Vec<usize> = weight.shares.iter().map(|shares| shares.parts.len()).collect();
        assert_eq!(parts, [20, 2], "parts of a range, values of a flag");

        let points = coordinator.tune_points("tune").await.expect("points");
        assert_eq!(points.count, points.points.len() as u64);
        let games: u32 = points.points.iter().map(|one| one.outcome.wins + one.outcome.losses).sum();
        assert_eq!(u64::from(games), before.games_played);

        let surface = |x: &'static str, y: &'static str| coordinator.tune_surface("tune", (x, y), None);
        let fitted = surface("rave_k", "keep_tree").await.expect("a surface");
        assert_eq!((fitted.xs.len(), fitted.ys.len()), (15, 2));
        let best = |row: usize| fitted.rates[row].iter().map(|rate| rate.rate).fold(0.0, f64::max);
        assert!(best(1) > best(0), "the tree is to be kept: {fitted:?}");
        let told = surface("rave_k", "keep_tee").await.expect_err("no parameter").to_string();
        assert!(told.contains("did you mean `keep_tree`?"), "{told}");
        let told = coordinator.tune_surface("tune", ("rave_k", "keep_tree"), Some(4)).await.expect_err("one optimum").to_string();
        assert!(told.contains("no recommendation for size 4"), "{told}");

        // Nothing of this is stored: another process computes the same.
        coordinator.close().await;
        let (coordinator, _) = open(&database).await;
        assert_eq!(status(&coordinator).await, before);
        assert_eq!(coordinator.tune_points("tune").await.expect("points"), points);
        assert_eq!(coordinator.tune_surface("tune", ("rave_k", "keep_tree"), None).await.expect("a surface"), fitted);
    }

    async fn two_coordinators_share_a_log_without_double_proposals(database: Database) {
        let (one, _) = open(&database).await;
        let (other, _) = open(&database).await;
        one.apply(&file(&[])).await.expect("applied");
        let (mut random, mut another) = (Random(9), Random(10));
        for _ in 0..6 {
            let (a, b) = tokio::join!(play_pairs(&one, &mut random, 12), play_pairs(&other, &mut another, 12));
            assert!(a + b > 0);
        }
        let (first, second) = (status(&one).await, status(&other).await);
        assert_eq!(first, second);
        let trials = database.count("SELECT COUNT(*) FROM tune_trial").await;
        assert_eq!(database.count("SELECT MAX(number) + 1 FROM tune_trial").await, trials);
        assert_eq!(trials as u64, first.games_played / 2 + first.outstanding);
        assert_verified(&one).await;
    }

    async fn a_tune_shares_the_workers_pauses_and_learns_that_a_game_was_excluded(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&file(&[])).await.expect("applied");
        let mut random = Random(11);
        play_pairs(&coordinator, &mut random, 20).await;
        let before = status(&coordinator).await;
        let game = coordinator.games("tune", None, 1).await.expect("games").games[0].id;
        coordinator.exclude(game, None, "too hot", "ada").await.expect("excluded");
        assert_eq!(status(&coordinator).await.games_played, before.games_played - 2, "its pair has no result now");
        coordinator.restore(game, None, "ada").await.expect("restored");
        assert_eq!(status(&coordinator).await, before);

        coordinator.apply(&experiment("sweep", vec![cell(50, 3, 200, 1.0)])).await.expect("applied");
        let pause = |change| coordinator.change_experiment("tune", change, "ada");
        let mut worker = Worker::new();
        let leases = worker.take(&coordinator, 8).await;
        let of_sweep = leases.iter().filter(|lease| lease.case_label == "rave_k=50").count();
        assert!((1..8).contains(&of_sweep), "both are played: {of_sweep} of 8 are of the sweep");
        pause(ExperimentChange::Pause).await.expect("paused");
        let trials = database.count("SELECT COUNT(*) FROM tune_trial").await;
        coordinator.tune_on().await.expect("nothing");
        assert_eq!(database.count("SELECT COUNT(*) FROM tune_trial").await, trials);
        let leases = worker.take(&coordinator, 8).await;
        assert!(leases.iter().all(|lease| lease.case_label == "rave_k=50"));
        pause(ExperimentChange::Resume).await.expect("resumed");
        assert_verified(&coordinator).await;
    }

    async fn a_revision_changes_the_budget_and_another_space_is_another_tune(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&file(&[("240", "60"), ("240", "60")])).await.expect("applied");
        let mut random = Random(12);
        play_pairs(&coordinator, &mut random, 60).await;
        let first = status(&coordinator).await;
        assert_eq!((first.games_left, first.recommendations[0].is_final), (0, true));
        let refused = |changes: Vec<(&'static str, &'static str)>| {
            let coordinator = coordinator.clone();
            async move { coordinator.apply(&file(&changes)).await.expect_err("refused").to_string() }
        };
        assert!(refused(vec![("240", "62")]).await.contains("64 games at least"));
        assert!(refused(vec![("240", "90"), ("1000", "900")]).await.contains("another space"));
        assert!(refused(vec![("240", "90"), ("4 = 2", "4 = 1")]).await.contains("another name"));
        let told = coordinator.difference(&file(&[("240", "90"), ("1000", "900")])).await.expect_err("another space");
        assert!(told.to_string().contains("another space"), "the difference promises no more: {told}");
        let sweep = experiment("tune", vec![cell(50, 3, 10, 1.0)]);
        assert!(coordinator.apply(&sweep).await.expect_err("a sweep").to_string().contains("is a tune"));
        let more = coordinator.apply(&file(&[("240", "90"), ("240", "90")])).await.expect("more games");
        assert_eq!((more.revised, more.games_planned, more.games_done), (true, 90, 60));
        assert!(!status(&coordinator).await.recommendations[0].is_final, "the tune goes on");
        play_pairs(&coordinator, &mut random, 60).await;
        let last = status(&coordinator).await;
        assert_eq!((last.games_played, last.recommendations[0].is_final), (90, true));
        assert_verified(&coordinator).await;
    }

    async fn a_budget_raised_by_the_last_games_alone_is_measured_by_these(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&file(&[("240", "60"), ("240", "60")])).await.expect("applied");
        let mut random = Random(12);
        play_pairs(&coordinator, &mut random, 60).await;
        let games = |status: &TuneStatus| status.recommendations[0].measured_overall.as_ref().map(|of| of.games);
        let first = games(&status(&coordinator).await);
        coordinator.apply(&file(&[("240", "64"), ("240", "64")])).await.expect("more games");
        play_pairs(&coordinator, &mut random, 60).await;
        let last = status(&coordinator).await;
        assert_eq!((last.games_left, games(&last)), (0, first), "without those of the smaller budget");
    }

    async fn a_raised_budget_reaches_the_strategy_at_once(database: Database) {
        let (coordinator, _) = open(&database).await;
        let spsa = |games: &str| file(&[("games = 240", &format!("games = {games}\nstrategy = \"spsa\""))]);
        coordinator.apply(&spsa("60")).await.expect("applied");
        let mut random = Random(12);
        play_pairs(&coordinator, &mut random, 20).await;
        coordinator.apply(&spsa("2000")).await.expect("more games");
        play_pairs(&coordinator, &mut random, 20).await;
        let going_on = status(&coordinator).await.recommendations;
        drop(coordinator);
        let (again, _) = open(&database).await;
        assert_eq!(status(&again).await.recommendations, going_on, "a restart recommends the same");
    }

    async fn a_tune_that_finds_nothing_better_says_so(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&file(&[("games = 240", "games = 60\nstrategy = \"duel\"")])).await.expect("applied");
        let mut worker = Worker::new();
        loop {
            coordinator.tune_on().await.expect("points");
            let Some(lease) = worker.take(&coordinator, 1).await.pop() else { break };
            worker.drop_lease(&lease);
            // Every point loses to the baseline.
            let lost = |game: &LeasedGame| {
                let loses = |play: &FinishedGame| play.outcome.winner() == Some(game.case_side.other());
                (0..).map(|seed| play(&lease, *game, seed)).find(loses).expect("such a game")
            };
            worker.report(&coordinator, lease.games.iter().map(lost).collect()).await;
            if status(&coordinator).await.games_left == 0 {
                break;
            }
        }
        let done = status(&coordinator).await;
        let best = &done.recommendations[0];
        assert_eq!(best.recommendation.verdict, Verdict::NothingBetter, "{best:?}");
        assert!(best.words.contains("scored 0.0 %") , "{}", best.words);
    }

    async fn another_program_proposes_the_points_of_a_foreign_tune(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&file(&[("games = 240", "games = 60\nstrategy = \"foreign\"")])).await.expect("applied");
        let point = |rave_k: f64, keep_tree: bool| -> Point {
            [("rave_k".to_owned(), Value::Real(rave_k)), ("keep_tree".to_owned(), Value::Flag(keep_tree))].into()
        };
        let against = |point: Point| ProposedPoint { point, opponent: None, size: None };
        let propose = |points: Vec<ProposedPoint>| coordinator.propose("tune", ProposedPoints { points });
        let refused = async |points: Vec<ProposedPoint>| propose(points).await.expect_err("refused").to_string();
        assert!(refused(vec![against(point(2000.0, true))]).await.contains("point 0: `rave_k` = 2000"));
        let mut misspelt = point(1.0, true);
        misspelt.insert("keep_three".to_owned(), Value::Flag(true));
        assert!(refused(vec![against(misspelt)]).await.contains("did you mean `keep_tree`?"));
        let elsewhere = ProposedPoint { size: Some(5), ..against(point(1.0, true)) };
        assert!(refused(vec![elsewhere]).await.contains("its sizes are 3, 4"));
        assert!(refused(Vec::new()).await.contains("1 to 500"));
        assert!(refused(vec![against(point(1.0, true)); 27]).await.contains("26 pairs are left"));

        let duel = ProposedPoint { opponent: Some(point(100.0, false)), size: Some(4), ..against(point(700.0, true)) };
        let made = propose(vec![against(point(700.0, true)), against(point(700.0, true)), duel]).await.expect("proposed");
        assert_eq!(made.numbers, [2, 3, 4]);
        let mut random = Random(13);
        play_pairs(&coordinator, &mut random, 30).await;
        let page = coordinator.trials("tune", 2, 2).await.expect("trials");
        let wanted: Vec<(u64, &str)> = page.trials.iter().map(|one| (one.number, one.wanted_by.as_str())).collect();
        assert_eq!((wanted, page.next), (vec![(2, "foreign"), (3, "foreign")], Some(4)));
        assert!(page.trials.iter().all(|one| one.trial.outcome.is_some_and(|outcome| outcome.games() == 2.0)));
        let rest: Vec<ProposedPoint> = (0..23).map(|number| against(point(f64::from(number) * 40.0, number % 2 == 0))).collect();
        propose(rest).await.expect("proposed");
        while status(&coordinator).await.games_left > 0 {
            assert!(play_pairs(&coordinator, &mut random, 30).await > 0);
        }
        assert!(status(&coordinator).await.recommendations[0].is_final);
        assert_verified(&coordinator).await;
        coordinator.apply(&experiment("sweep", vec![cell(50, 3, 2, 1.0)])).await.expect("applied");
        let none = coordinator.trials("sweep", 0, 1).await.expect_err("no tune").to_string();
        assert!(none.contains("`sweep` is no tune"), "{none}");
    }

    async fn a_tune_of_which_nothing_is_played_any_more_takes_no_points(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&file(&[("games = 240", "games = 60\nstrategy = \"foreign\"")])).await.expect("applied");
        let point: Point = [("rave_k".to_owned(), Value::Real(700.0)), ("keep_tree".to_owned(), Value::Flag(true))].into();
        let propose = async || {
            let one = ProposedPoint { point: point.clone(), opponent: None, size: None };
            coordinator.propose("tune", ProposedPoints { points: vec![one] }).await
        };
        let change = async |change| drop(coordinator.change_experiment("tune", change, "ada").await.expect("changed"));
        change(ExperimentChange::Archive).await;
        let archived = propose().await.expect_err("archived").to_string();
        assert!(archived.contains("`tune` is archived: no point of it is played any more"), "{archived}");
        change(ExperimentChange::Unarchive).await;
        assert_eq!(propose().await.expect("proposed").numbers, [2]);
        change(ExperimentChange::Stop).await;
        let stopped = propose().await.expect_err("stopped").to_string();
        assert!(stopped.contains("`tune` is stopped: no point of it is played any more"), "{stopped}");
        coordinator.tune_on().await.expect("nothing");
        assert_eq!(database.count("SELECT COUNT(*) FROM tune_trial").await, 3);
        assert_verified(&coordinator).await;
    }
}

/// Lets two changes wait for the database, each with what it read before the other wrote; `first` is written first.
async fn one_after_the_other<A: Send + 'static, B: Send + 'static>(
    (database, coordinator): (&Database, &Coordinator),
    first: impl Future<Output = A> + Send + 'static,
    second: impl Future<Output = B> + Send + 'static,
) -> (A, B) {
    let reader = token(coordinator, "read").await.expect("a token");
    let queued = async |changes| {
        while metric(coordinator, &reader, "gauntlet_writer_queue").await != changes {
            tokio::task::yield_now().await;
        }
    };
    let both = async {
        let hold = database.hold().await;
        // The writer takes a change from its queue and waits with it for the database. Only changes behind that one are counted.
        let mut taken = pin!(token(coordinator, "read"));
        assert!(poll!(&mut taken).is_pending());
        queued(0).await;
        let first = tokio::spawn(first);
        queued(1).await;
        let second = tokio::spawn(second);
        queued(2).await;
        hold.release().await;
        taken.await.expect("a token");
        (first.await.expect("no panic"), second.await.expect("no panic"))
    };
    tokio::time::timeout(Duration::from_secs(900), both).await.expect("both end")
}

#[tokio::test]
async fn a_tune_that_is_stopped_while_it_asks_for_points_is_left_alone() {
    let database = Database::sqlite();
    let (coordinator, _) = open(&database).await;
    coordinator.apply(&file(&[])).await.expect("applied");
    let stop = coordinator.change_experiment("tune", ExperimentChange::Stop, "ada");
    let (stopped, looked) = one_after_the_other((&database, &coordinator), stop, coordinator.tune_on()).await;
    assert_eq!(stopped.expect("stopped").state, ExperimentState::Stopped);
    looked.expect("a look");
    assert_eq!(database.count("SELECT COUNT(*) FROM tune_trial").await, 2, "its first points");
    assert_verified(&coordinator).await;
}

#[tokio::test]
async fn a_tune_that_gets_more_games_while_it_ends_has_no_end_yet() {
    let database = Database::sqlite();
    let (coordinator, _) = open(&database).await;
    let with = |games: &str| file(&[("games = 240", &format!("games = {games}\nconfirm = false"))]);
    coordinator.apply(&with("60")).await.expect("applied");
    let (mut worker, mut random) = (Worker::new(), Random(17));
    while status(&coordinator).await.games_left > 0 {
        coordinator.tune_on().await.expect("points");
        for lease in worker.take(&coordinator, 1).await {
            worker.drop_lease(&lease);
            worker.report(&coordinator, games(&lease, &mut random)).await;
        }
    }
    let (applying, ending) = (coordinator.clone(), coordinator.tune_on());
    let more = with("90");
    let (applied, ended) =
        one_after_the_other((&database, &coordinator), async move { applying.apply(&more).await }, ending)
            .await;
    assert!(applied.expect("more games").revised);
    ended.expect("a look");
    assert_eq!(status(&coordinator).await.ending, None, "the tune goes on");
    while status(&coordinator).await.games_left > 0 {
        assert!(play_pairs(&coordinator, &mut random, 20).await > 0);
    }
    assert_eq!(status(&coordinator).await.ending.as_deref(), Some("confirm = false"));
    assert_verified(&coordinator).await;
}
