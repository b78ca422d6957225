//! A machine lies to a tune, or a program to a study. Once the lies are taken out, the points that they chose are given up, and all goes on
//! as if there had been none.

use crate::databases::{Database, on_both_databases};
use crate::play::{Random, Worker, assert_verified, experiment, open};
use crate::studies;
use crate::tunes::{chance, file, games_won, status};
use coordinator::Coordinator;
use protocol::experiment::{CellSpec, Experiment, LabelledPlayer, PlannedCell};
use protocol::lease::Lease;
use protocol::life::ExperimentChange;
use protocol::operate::{ExcludeGamesRequest, Machines, RestoreGamesRequest};
use protocol::study::{AskedPoint, ToldResult};
use protocol::tune::TuneStatus;
use tuner::{Point, StrategyName};

/// Games of a tune.
const GAMES: u64 = 120;

/// A machine with one slot that reports games as they are, or lies in favour of what loses.
struct Machine {
    worker: Worker,
    lies: bool,
}

impl Machine {
    fn new(lies: bool) -> Self {
        Self { worker: Worker { slots: 1, ..Worker::new() }, lies }
    }

    fn machines(&self) -> Machines {
        Machines::Named(self.worker.id.to_string())
    }

    /// The result follows from the pair alone, so that two tunes with the same points have the same results.
    async fn play(&mut self, coordinator: &Coordinator, lease: Lease) {
        self.worker.drop_lease(&lease);
        let chance = match &*lease.baseline_label {
            "rave" => chance(&lease.case),
            _ => 0.5 + (chance(&lease.case) - chance(&lease.baseline)) / 2.0,
        };
        let chance = if self.lies { 1.0 - chance } else { chance };
        let games = games_won(&lease, &mut Random(lease.seed), chance.clamp(0.0, 1.0));
        self.worker.report(coordinator, games).await;
    }

    /// Plays at least so many pairs of the tune, or all that are left; gives how many it played. All that was asked for is played before the
    /// tune asks again.
    async fn turn(&mut self, coordinator: &Coordinator, pairs: usize) -> usize {
        let mut played = 0;
        while played < pairs {
            coordinator.tune_on().await.expect("points");
            let before = played;
            while let Some(lease) = self.worker.take(coordinator, 1).await.pop() {
                self.play(coordinator, lease).await;
                played += 1;
            }
            if played == before {
                break;
            }
        }
        coordinator.tune_on().await.expect("points");
        played
    }

    async fn finish(&mut self, coordinator: &Coordinator) -> usize {
        let mut played = 0;
        while status(coordinator).await.games_left > 0 {
            let more = self.turn(coordinator, 10).await;
            assert!(more > 0, "{:?}", status(coordinator).await);
            played += more;
        }
        played
    }
}

fn tune(strategy: StrategyName) -> Experiment {
    let games = format!("games = {GAMES}\nconfirm = false\nstrategy = \"{strategy}\"");
    file(&[("games = 240", &games)])
}

async fn begun(database: &Database, strategy: StrategyName) -> Coordinator {
    let (coordinator, _) = open(database).await;
    coordinator.apply(&tune(strategy)).await.expect("applied");
    coordinator
}

async fn exclude(coordinator: &Coordinator, machines: Machines) -> u64 {
    let request = ExcludeGamesRequest { machines, since_ms: None, why: "it lies".into() };
    let games = coordinator.exclude_games(request, "ada").await.expect("excluded").games;
    coordinator.tune_on().await.expect("points are judged");
    games
}

async fn put_back(coordinator: &Coordinator, machines: Machines) {
    coordinator.restore_games(RestoreGamesRequest { machines }, "ada").await.expect("restored");
    coordinator.tune_on().await.expect("points are judged");
}

/// The true win rate of what a tune recommends.
fn true_rate(status: &TuneStatus) -> f64 {
    chance(&status.recommendations[0].params)
}

/// The points of the trials that were not given up, with their results.
async fn log(coordinator: &Coordinator) -> Vec<(Point, Option<tuner::Outcome>)> {
    let page = coordinator.trials("tune", 0, 1_000).await.expect("trials").trials;
    let standing = page.into_iter().filter(|one| !one.given_up).map(|one| one.trial);
    standing.map(|trial| (trial.proposal.point, trial.outcome)).collect()
}

/// A liar plays a whole tune, which then becomes the tune of an honest machine.
async fn heals(database: &Database, strategy: StrategyName) {
    let coordinator = begun(database, strategy).await;
    let (mut liar, mut honest) = (Machine::new(true), Machine::new(false));
    assert_eq!(liar.finish(&coordinator).await as u64, GAMES / 2);
    let deceived = status(&coordinator).await;
    assert!(deceived.recommendations[0].is_final && deceived.ending.is_some(), "{strategy}: {deceived:?}");

    assert_eq!(exclude(&coordinator, liar.machines()).await, GAMES, "{strategy}");
    let now = status(&coordinator).await;
    // What no result chose stays: the two points at the start, and all points of a strategy that does not learn.
    let stays = if strategy.learns() { 2 } else { GAMES / 2 - 3 };
    assert_eq!(now.given_up, GAMES - 2 * stays, "{strategy}: {now:?}");
    assert_eq!((now.games_played, now.games_left, &now.ending), (0, GAMES, &None), "{strategy}");
    assert!(!now.recommendations[0].is_final, "{strategy}");
    assert_verified(&coordinator).await;

    let played = honest.finish(&coordinator).await as u64;
    assert_eq!(played, GAMES / 2, "{strategy}: the whole budget, and none of the old points");
    let healed = status(&coordinator).await;
    assert!(healed.recommendations[0].is_final && healed.ending.is_some(), "{strategy}: {healed:?}");
    let summary = coordinator.summary("tune").await.expect("a summary");
    assert_eq!((summary.games_done, summary.games_planned), (GAMES, GAMES), "{strategy}");
    let changes = coordinator.history("tune").await.expect("a history").changes;
    assert_eq!(changes.iter().filter(|change| change.action == "give up points").count(), 1, "{strategy}");
    assert_verified(&coordinator).await;
    assert_eq!(status(&open(database).await.0).await, healed, "{strategy}: it follows from the log");

    // The tune that an honest machine has played from the beginning.
    let other = Database::sqlite();
    let never = begun(&other, strategy).await;
    Machine::new(false).finish(&never).await;
    assert_eq!(log(&coordinator).await, log(&never).await, "{strategy}");
    let expected = status(&never).await;
    assert_eq!(healed.recommendations, expected.recommendations, "{strategy}");
    assert_eq!(healed.course, expected.course, "{strategy}");
    if matches!(strategy, StrategyName::Clop | StrategyName::Duel) {
        assert!(true_rate(&deceived) < 0.5, "{strategy}: {deceived:?}");
        assert!(true_rate(&healed) > 0.75, "{strategy}: {healed:?}");
    }
}

on_both_databases! {
    async fn a_tune_that_a_liar_filled_becomes_that_of_an_honest_machine(database: Database) {
        heals(&database, StrategyName::Clop).await;
    }

    async fn what_is_excluded_while_a_tune_runs_can_be_put_back(database: Database) {
        let coordinator = begun(&database, StrategyName::Clop).await;
        let (mut liar, mut honest) = (Machine::new(true), Machine::new(false));
        let first = honest.turn(&coordinator, 12).await as u64;
        let lied = liar.turn(&coordinator, 15).await as u64;
        honest.turn(&coordinator, 6).await;
        let before = (status(&coordinator).await, log(&coordinator).await);
        assert_eq!(exclude(&coordinator, liar.machines()).await, 2 * lied);
        let now = status(&coordinator).await;
        assert_eq!(now.games_played, 2 * first, "what was known before the first lie: {now:?}");
        assert!(now.given_up >= 2 * lied, "{now:?}");
        assert_verified(&coordinator).await;

        // The wrong machine: nothing was asked meanwhile but what is outstanding, so the tune is the old one.
        put_back(&coordinator, liar.machines()).await;
        assert_eq!(log(&coordinator).await[..before.1.len()], before.1, "the old points come back");
        assert_eq!(status(&coordinator).await.recommendations, before.0.recommendations);
        assert_verified(&coordinator).await;

        exclude(&coordinator, liar.machines()).await;
        honest.finish(&coordinator).await;
        let healed = status(&coordinator).await;
        assert!(true_rate(&healed) > 0.75 && healed.recommendations[0].is_final, "{healed:?}");
        assert_eq!(healed.games_played, GAMES);
        assert_verified(&coordinator).await;

        // Those that are put back at the end cost and give nothing that the budget has no room for.
        put_back(&coordinator, liar.machines()).await;
        honest.finish(&coordinator).await;
        coordinator.tune_on().await.expect("its end");
        let last = status(&coordinator).await;
        assert!(last.recommendations[0].is_final && last.ending.is_some() && last.outstanding == 0, "{last:?}");
        assert_verified(&coordinator).await;
    }

    async fn a_tune_that_was_stopped_or_paused_recommends_nothing_that_excluded_games_have_chosen(database: Database) {
        for change in [ExperimentChange::Stop, ExperimentChange::Pause] {
            let other = Database::sqlite();
            let database = if change == ExperimentChange::Stop { &database } else { &other };
            let coordinator = begun(database, StrategyName::Clop).await;
            let (mut liar, mut honest) = (Machine::new(true), Machine::new(false));
            honest.turn(&coordinator, 12).await;
            let first = log(&coordinator).await;
            let before = status(&coordinator).await;
            let lied = liar.turn(&coordinator, 25).await as u64;
            coordinator.change_experiment(&before.experiment.to_string(), change.clone(), "ada").await.expect("changed");
            let misled = status(&coordinator).await;
            assert_eq!(exclude(&coordinator, liar.machines()).await, 2 * lied);
            let now = status(&coordinator).await;
            assert!(now.given_up > 0 && now.games_played <= before.games_played, "{now:?}");
            assert_ne!(now.recommendations[0].params, misled.recommendations[0].params, "{now:?}");
            let left = log(&coordinator).await;
            assert_eq!(left, first[..left.len()], "what was known before the first lie");
            let more = honest.worker.take(&coordinator, 4).await;
            assert!(more.is_empty(), "nothing is played: {more:?}");
            assert_verified(&coordinator).await;
            if change == ExperimentChange::Pause {
                coordinator.change_experiment(&before.experiment.to_string(), ExperimentChange::Resume, "ada").await.expect("resumed");
                honest.finish(&coordinator).await;
                assert!(true_rate(&status(&coordinator).await) > 0.75);
            }
            // The wrong machine: its games come back, and so do the points.
            put_back(&coordinator, liar.machines()).await;
            assert_verified(&coordinator).await;
        }
    }

    async fn a_single_game_that_is_excluded_is_played_again_and_costs_hardly_another(database: Database) {
        let coordinator = begun(&database, StrategyName::Clop).await;
        let mut machine = Machine::new(false);
        let played = machine.turn(&coordinator, 40).await as u64;
        let before = log(&coordinator).await;
        let games = coordinator.games("tune", None, 1_000).await.expect("games").games;
        // The last games first: this one is of one of the last pairs.
        coordinator.exclude(games[3].id, None, "a doubt", "ada").await.expect("excluded");
        coordinator.tune_on().await.expect("points are judged");
        let now = status(&coordinator).await;
        assert_eq!((now.given_up, now.games_played), (0, 2 * played - 2), "{now:?}");
        machine.finish(&coordinator).await;
        assert_eq!(log(&coordinator).await[..before.len()].iter().map(|one| &one.0).collect::<Vec<_>>(),
            before.iter().map(|one| &one.0).collect::<Vec<_>>());
        assert_eq!(status(&coordinator).await.games_played, GAMES);
        assert_verified(&coordinator).await;
    }

    async fn an_excluded_game_is_played_again_also_where_a_stopped_experiment_has_later_pairs_of_its_cell(database: Database) {
        let coordinator = begun(&database, StrategyName::Clop).await;
        let mut machine = Machine::new(false);
        coordinator.tune_on().await.expect("points");
        let first = machine.worker.take(&coordinator, 1).await.pop().expect("a pair");
        let (cell, pair, size, params) = (first.cell, first.pair, first.size, first.case.clone());
        machine.play(&coordinator, first).await;
        machine.turn(&coordinator, 10).await;
        let own = status(&coordinator).await.experiment.to_string();

        // Six pairs of the cell, of which the tune has the first.
        coordinator.change_experiment(&own, ExperimentChange::Pause, "ada").await.expect("paused");
        let planned = tune(StrategyName::Clop).cells.into_iter().find(|cell| cell.spec.size == size).expect("a size");
        let spec = CellSpec { case: params.clone(), ..planned.spec.clone() };
        assert_eq!(spec.id(), cell);
        let case = LabelledPlayer { params, ..planned.case.clone() };
        let other = experiment("other", vec![PlannedCell { case, spec, pairs: 6, ..planned }]);
        coordinator.apply(&other).await.expect("applied");
        while let Some(lease) = machine.worker.take(&coordinator, 1).await.pop() {
            machine.play(&coordinator, lease).await;
        }
        let done = coordinator.summary("other").await.expect("a summary");
        assert_eq!((done.games_done, done.games_planned), (12, 12));
        coordinator.change_experiment("other", ExperimentChange::Stop, "ada").await.expect("stopped");
        coordinator.change_experiment(&own, ExperimentChange::Resume, "ada").await.expect("resumed");

        let games = coordinator.games("tune", None, 1_000).await.expect("games").games;
        let excluded = games.iter().find(|game| (game.cell, game.pair) == (cell, pair)).expect("its game");
        coordinator.exclude(excluded.id, None, "a doubt", "ada").await.expect("excluded");
        coordinator.tune_on().await.expect("points are judged");
        machine.finish(&coordinator).await;
        let now = status(&coordinator).await;
        assert!(now.outstanding == 0 && now.recommendations[0].is_final, "{now:?}");
        assert!(log(&coordinator).await.iter().all(|(_, outcome)| outcome.is_some()), "every trial has its result");
        assert_verified(&coordinator).await;
    }

    async fn results_that_a_program_takes_back_have_chosen_no_point(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.begin_study(studies::study(&[]), "ada").await.expect("begun");
        let other = Database::sqlite();
        let (never, _) = open(&other).await;
        never.begin_study(studies::study(&[]), "ada").await.expect("begun");
        let honest = |point: &AskedPoint, number: u64| studies::play(point, &mut Random(number));
        let lie = |point: &AskedPoint, number: u64| {
            let result = honest(point, number);
            ToldResult { wins: result.losses, losses: result.wins, ..result }
        };
        let mut lies = Vec::new();
        for number in 0..60 {
            let [point] = &studies::ask(&coordinator, 1, None).await[..] else { panic!("a point") };
            lies.push(lie(point, number));
            studies::tell(&coordinator, &lies[number as usize..]).await;
        }
        let before = studies::status(&coordinator).await;
        let taken_back: Vec<ToldResult> = lies.iter().map(|one| ToldResult { failed: true, ..*one }).collect();
        assert_eq!(studies::tell(&coordinator, &taken_back).await, (60, 0));
        let now = studies::status(&coordinator).await.summary;
        assert_eq!((now.asked, now.told, now.given_up, now.games_left), (1, 0, 59, 400), "{now:?}");
        assert_eq!(coordinator.studies().await.expect("a list")[0], now);

        // They were right, and are told again.
        assert_eq!(studies::tell(&coordinator, &lies).await, (60, 0));
        assert_eq!(studies::status(&coordinator).await, before);
        studies::tell(&coordinator, &taken_back).await;

        // The right result of the first point, and then the points of a study that never heard a lie.
        let first = coordinator.study_points("chess", (0, 1), false).await.expect("points").points.remove(0);
        assert!(first.failed && !first.given_up);
        studies::tell(&coordinator, &[honest(&first, 0)]).await;
        let [twin] = &studies::ask(&never, 1, None).await[..] else { panic!("a point") };
        assert_eq!(twin.point, first.point);
        studies::tell(&never, &[honest(twin, 0)]).await;
        for number in 1..40 {
            let [point] = &studies::ask(&coordinator, 1, None).await[..] else { panic!("a point") };
            let [twin] = &studies::ask(&never, 1, None).await[..] else { panic!("a point") };
            assert_eq!((point.number, &point.point, point.size), (59 + number, &twin.point, twin.size));
            studies::tell(&coordinator, &[honest(point, number)]).await;
            studies::tell(&never, &[honest(twin, number)]).await;
        }
        let (healed, expected) = (studies::status(&coordinator).await, studies::status(&never).await);
        assert_eq!(healed.recommendations, expected.recommendations);
        assert_eq!((healed.summary.told, healed.summary.games_left), (40, 400 - 80));
        assert_eq!(studies::status(&open(&database).await.0).await, healed, "it follows from the log");
        // A late result of a point that was given up is stored, and teaches nothing.
        assert_eq!(studies::tell(&coordinator, &[ToldResult { failed: false, ..lies[30] }]).await, (1, 0));
        let late = studies::status(&coordinator).await;
        assert_eq!(late.recommendations.len(), 1);
        assert_verified(&coordinator).await;
    }
}

#[tokio::test]
async fn a_tune_heals_with_every_strategy() {
    for strategy in StrategyName::ALL.into_iter().filter(|one| *one != StrategyName::Clop) {
        heals(&Database::sqlite(), strategy).await;
    }
}
