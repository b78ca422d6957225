//! Confirmations and named baselines: what is played, what it proves, and where a baseline comes from.

use crate::databases::on_both_databases;
use crate::http::{bearer, text, with_json};
use crate::play::{Random, Worker, assert_verified, cell, experiment, open, params, play_all, size, token};
use axum::http::{Request, StatusCode};
use coordinator::{Coordinator, CoordinatorError};
use engine::havannah::{Notation, canonical_position};
use protocol::baseline::{BaselineLineage, NamedBaseline, PromoteRequest, Promoted};
use protocol::book::Book;
use protocol::confirm::{ConfirmAnswer, ConfirmRequest, Confirmation, ConfirmationVerdict};
use protocol::experiment::{Experiment, Hypotheses, LabelledPlayer, PlannedCell};
use protocol::ids::CellId;
use protocol::lease::Lease;
use protocol::life::ExperimentChange;
use protocol::report::{ExperimentState, StopOutcome};
use std::collections::HashSet;

/// Hypotheses that games of random moves, which score about 50 %, decide at once: for the case, and against it.
const FOR: Hypotheses = Hypotheses::Elo([-1000.0, -900.0]);
const AGAINST: Hypotheses = Hypotheses::Elo([900.0, 1000.0]);

fn sweep() -> Experiment {
    let cells = vec![cell(500, 4, 3, 1.0), cell(500, 5, 3, 2.0), cell(100, 4, 3, 1.0)];
    experiment("one", cells)
}

fn wanted(case: &str, hypotheses: Hypotheses) -> ConfirmRequest {
    ConfirmRequest { hypotheses: Some(hypotheses), ..ConfirmRequest::of(case) }
}

fn promotion(case: &str) -> PromoteRequest {
    PromoteRequest { case: case.into(), against: None, name: None, unconfirmed: false }
}

async fn confirm(coordinator: &Coordinator, request: ConfirmRequest) -> ConfirmAnswer {
    coordinator.confirm("one", request, "ada").await.expect("an answer")
}

/// The confirmation of the case as the results of the experiment show it.
async fn shown(coordinator: &Coordinator, case: &str) -> Option<Confirmation> {
    let report = coordinator.report("one").await.expect("report");
    report.series.into_iter().find(|series| series.title() == case).expect("the case").confirmation
}

async fn promote(coordinator: &Coordinator, request: PromoteRequest) -> Result<Promoted, CoordinatorError> {
    coordinator.promote("one", request, "ada").await
}

/// Plays everything that is leased, pair by pair.
async fn play_everything(coordinator: &Coordinator) {
    let (mut worker, mut random) = (Worker::new(), Random(3));
    while let Some(lease) = worker.take(coordinator, 1).await.pop() {
        worker.drop_lease(&lease);
        worker.report(coordinator, play_all(&lease, random.next())).await;
    }
}

fn cells_of(applied: &Experiment) -> HashSet<CellId> {
    applied.cells.iter().map(|cell| cell.spec.id()).collect()
}

on_both_databases! {
    async fn two_processes_that_confirm_at_once_close_no_cells_of_each_other(database: Database) {
        let (coordinator, _) = open(&database).await;
        let (other, _) = open(&database).await;
        coordinator.apply(&sweep()).await.expect("apply");
        for _ in 0..5 {
            let on = |board| ConfirmRequest { sizes: vec![size(board)], again: true, ..wanted("rave_k=500", FOR) };
            let (first, second) =
                tokio::join!(coordinator.confirm("one", on(4), "ada"), other.confirm("one", on(5), "bob"));
            for (answer, board) in [(first, 4), (second, 5)] {
                match answer {
                    Ok(answer) => {
                        let begun = answer.confirmation.expect("begun");
                        assert!(begun.cells.iter().all(|cell| cell.size == size(board)), "{begun:?}");
                    }
                    Err(error) => assert!(error.to_string().contains("a moment ago; try again"), "{error}"),
                }
            }
        }
        assert_eq!(database.count("SELECT COUNT(*) FROM experiment_cell WHERE closed IS NOT NULL").await, 0);
    }

    async fn a_case_is_confirmed_on_fresh_openings_and_promoted_with_its_evidence(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&sweep()).await.expect("apply");
        play_everything(&coordinator).await;

        let preview = confirm(&coordinator, ConfirmRequest { preview: true, ..wanted("rave_k=500", FOR) }).await;
        let plan = preview.plan.expect("a plan");
        assert_eq!((preview.began, preview.confirmation, plan.cells.len()), (false, None, 2));
        assert!(plan.pairs_if_upper > 0.0 && plan.pairs_if_between >= plan.pairs_if_upper, "{plan:?}");
        assert!(plan.openings.starts_with("fresh openings of 2 random moves"), "{}", plan.openings);
        assert_eq!(coordinator.experiments(true).await.expect("list").len(), 1, "a preview begins nothing");

        let answer = confirm(&coordinator, wanted("rave_k=500", FOR)).await;
        let begun = answer.confirmation.expect("begun");
        assert_eq!((answer.began, begun.verdict, begun.number), (true, ConfirmationVerdict::Open, 1));
        assert_eq!((begun.name.as_str(), begun.state), ("confirm one: rave_k=500", ExperimentState::Active));
        let applied = coordinator.revision(&begun.name, 1).await.expect("the plan");
        assert!(cells_of(&applied).is_disjoint(&cells_of(&sweep())), "no game is shared");
        assert!(applied.cells.iter().all(|cell| cell.spec.seed != 1 && cell.stop.is_some()));
        let weights: Vec<f64> = applied.cells.iter().map(|cell| cell.weight).collect();
        assert_eq!(weights, [1.0, 2.0], "as in the sweep");

        let again = confirm(&coordinator, wanted("rave_k=500", AGAINST)).await;
        assert!(!again.began && again.plan.is_none());
        assert_eq!(again.confirmation.as_ref(), Some(&begun), "the same case again says what there is");
        let early = promote(&coordinator, promotion("rave_k=500")).await.expect_err("open").to_string();
        assert!(early.contains("not decided yet: of 2 tests, 2 still open") && early.contains("--unconfirmed"), "{early}");

        play_everything(&coordinator).await;
        let found = shown(&coordinator, "rave_k=500").await.expect("a confirmation");
        assert_eq!((found.verdict, found.as_planned), (ConfirmationVerdict::Confirmed, true), "{}", found.words);
        assert_eq!((found.state, found.cells.len()), (ExperimentState::Finished, 2));
        assert!(found.cells.iter().all(|cell| cell.outcome == StopOutcome::AcceptH1 && cell.rate.is_some()));
        assert!(shown(&coordinator, "rave_k=100").await.is_none());
        let list = coordinator.experiments(false).await.expect("list");
        let confirms: Vec<_> = list.iter().map(|one| one.confirms.as_ref().map(ToString::to_string)).collect();
        assert!(confirms.contains(&Some("rave_k=500 of one: confirmed".into())) && confirms.contains(&None), "{confirms:?}");

        let made = promote(&coordinator, promotion("rave_k=500")).await.expect("promoted");
        assert!(made.is_new && made.baseline.confirmation.as_ref() == Some(&found), "{made:?}");
        assert_eq!(made.baseline.params, params("rave_k=500"));
        assert_eq!((made.baseline.parent.as_deref(), made.baseline.preset.as_deref()), (None, Some("uct")));
        let twice = promote(&coordinator, promotion("rave_k=500")).await.expect("known");
        assert_eq!((twice.is_new, &twice.baseline), (false, &made.baseline));
        let report = coordinator.report("one").await.expect("report");
        let promoted = |title: &str| report.series.iter().find(|one| one.title() == title).expect("a case").promoted.clone();
        assert_eq!((promoted("rave_k=500").as_deref(), promoted("rave_k=100")), (Some("rave_k=500"), None));

        let timeline = coordinator.history("one").await.expect("history").changes;
        let actions: Vec<&str> = timeline.iter().rev().map(|change| change.action.as_str()).collect();
        assert_eq!(actions, ["apply", "confirm", "promote"]);
        assert!(timeline[0].detail.contains("against uct; confirmed: of 2 tests, 2 accepted"), "{}", timeline[0].detail);
        let of_test = coordinator.history(&begun.name).await.expect("history").changes;
        assert_eq!(of_test[0].action, "confirm");
        assert_verified(&coordinator).await;
    }

    async fn a_confirmation_plays_openings_that_the_book_of_the_experiment_does_not_have(database: Database) {
        let (coordinator, _) = open(&database).await;
        let from_book = |board: u8, name: &str| {
            let mut planned = cell(500, board, 40, 1.0);
            (planned.spec.opening_plies, planned.spec.book) = (0, Book::named(name, size(board)));
            planned
        };
        let cells = vec![from_book(9, "balanced"), from_book(10, "balanced")];
        coordinator.apply(&experiment("one", cells)).await.expect("apply");
        let begun = async |key: &str, cells: u32| {
            let mut worker = Worker { slots: 64, ..Worker::new() };
            let leases = worker.take(&coordinator, 40 * cells).await;
            assert_eq!(leases.len() as u32, 40 * cells, "{key}");
            let kind = |lease: &Lease| {
                let moves = Notation::Gui.read_list(lease.size, &lease.opening).expect("moves");
                (lease.size, (1..=moves.len()).map(|n| canonical_position(lease.size, &moves[..n])).collect::<Vec<_>>())
            };
            let kinds: Vec<_> = leases.iter().map(kind).collect();
            worker.report(&coordinator, leases.iter().flat_map(|lease| play_all(lease, 5)).collect()).await;
            kinds
        };
        let played: HashSet<_> =
            begun("one", 2).await.into_iter().map(|(size, kinds)| (size, kinds.last().cloned())).collect();
        assert!(played.len() > 60, "{}", played.len());
        let request = ConfirmRequest { most_games: Some(80), ..wanted("rave_k=500", Hypotheses::Elo([0.0, 1.0])) };
        let plan = confirm(&coordinator, request).await.plan.expect("begun");
        let expected = "the openings of the book balanced-confirm, which the book balanced does not have, and fresh seeds";
        assert!(plan.openings.starts_with(expected), "{}", plan.openings);
        for (size, kinds) in begun(&plan.name, 2).await {
            for kind in kinds {
                assert!(!played.contains(&(size, Some(kind))), "an opening of size {size} was played");
            }
        }
        // Whoever plays the kept book itself is told that nothing else is kept.
        coordinator.apply(&experiment("two", vec![from_book(9, "balanced-confirm")])).await.expect("apply");
        let preview = ConfirmRequest { preview: true, ..ConfirmRequest::of("rave_k=500") };
        let plan = coordinator.confirm("two", preview, "ada").await.expect("an answer").plan.expect("a plan");
        assert!(plan.openings.contains("in another order, because no others are kept"), "{}", plan.openings);
    }

    async fn a_case_that_fails_is_not_promoted_without_saying_so(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&sweep()).await.expect("apply");
        play_everything(&coordinator).await;
        let never = promote(&coordinator, promotion("rave_k=500")).await.expect_err("unconfirmed").to_string();
        assert!(never.contains("no confirmation was begun"), "{never}");
        confirm(&coordinator, wanted("rave_k=500", AGAINST)).await;
        play_everything(&coordinator).await;
        let failed = shown(&coordinator, "rave_k=500").await.expect("a confirmation");
        assert_eq!(failed.verdict, ConfirmationVerdict::Refuted, "{}", failed.words);
        let refused = promote(&coordinator, promotion("rave_k=500")).await.expect_err("refuted").to_string();
        assert!(refused.contains("not confirmed: of 2 tests, 2 accepted H0"), "{refused}");
        let made = promote(&coordinator, PromoteRequest { unconfirmed: true, ..promotion("rave_k=500") }).await;
        assert_eq!(made.expect("allowed").baseline.confirmation, Some(failed));

        // Another attempt has other seeds and is counted.
        let sizes = vec![crate::play::size(4)];
        let request = ConfirmRequest { again: true, sizes, most_games: Some(2), ..wanted("rave_k=500", Hypotheses::Elo([0.0, 1.0])) };
        let second = confirm(&coordinator, request).await.confirmation.expect("begun");
        assert_eq!((second.number, second.cells.len()), (2, 1));
        assert_eq!(second.name, "confirm one: rave_k=500, number 2");
        play_everything(&coordinator).await;
        let last = shown(&coordinator, "rave_k=500").await.expect("a confirmation");
        assert_eq!((last.number, last.verdict), (2, ConfirmationVerdict::Inconclusive), "{}", last.words);
        assert_verified(&coordinator).await;
    }

    async fn the_winner_of_a_tournament_may_be_the_baseline_of_its_plan(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&sweep()).await.expect("apply");
        play_everything(&coordinator).await;
        let against = Some("rave_k=500".to_owned());
        let answer = confirm(&coordinator, ConfirmRequest { against: against.clone(), ..wanted("uct", FOR) }).await;
        let begun = answer.confirmation.expect("begun");
        assert_eq!((begun.name.as_str(), begun.cells.len()), ("confirm one: uct against rave_k=500", 2));
        let plan = coordinator.revision(&begun.name, 1).await.expect("the plan");
        let played = sweep().cells[0].spec.clone();
        for cell in &plan.cells {
            assert_eq!((&cell.spec.case, &cell.spec.baseline), (&played.baseline, &played.case));
        }
        play_everything(&coordinator).await;
        let promoted = promote(&coordinator, PromoteRequest { against, name: Some("old".into()), ..promotion("uct") });
        let baseline = promoted.await.expect("confirmed").baseline;
        assert_eq!((&baseline.params, &baseline.against_params), (&played.baseline, &played.case));
        assert_eq!(baseline.confirmation.map(|found| found.verdict), Some(ConfirmationVerdict::Confirmed));
        assert_verified(&coordinator).await;
    }

    async fn a_confirmation_on_some_sizes_proves_nothing_on_the_others(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&sweep()).await.expect("apply");
        let sizes = vec![size(4)];
        let request = ConfirmRequest { sizes: sizes.clone(), ..wanted("rave_k=500", FOR) };
        let first = confirm(&coordinator, request.clone()).await.confirmation.expect("begun");
        play_everything(&coordinator).await;
        let refused = promote(&coordinator, promotion("rave_k=500")).await.expect_err("one size of two").to_string();
        assert!(refused.contains("did not test it on size 5 at 100 sims"), "{refused}");
        let same = confirm(&coordinator, request).await;
        assert_eq!((same.began, same.confirmation.expect("known").experiment), (false, first.experiment));
        let anyway = PromoteRequest { unconfirmed: true, name: Some("half".into()), ..promotion("rave_k=500") };
        let half = promote(&coordinator, anyway).await.expect("promoted").baseline.confirmation.expect("the one there is");
        assert_eq!((half.verdict, half.untested().as_str()), (ConfirmationVerdict::Confirmed, "on size 5 at 100 sims"));
        let whole = confirm(&coordinator, wanted("rave_k=500", FOR)).await;
        assert_eq!((whole.began, whole.confirmation.expect("begun").cells.len()), (true, 2));
        play_everything(&coordinator).await;
        let whole = promote(&coordinator, promotion("rave_k=500")).await.expect("promoted");
        assert!(whole.is_new && whole.baseline.confirmation.expect("confirmed").untested.is_empty());
        let stored = coordinator.lineage("half").await.expect("a baseline").baseline.confirmation;
        assert_eq!(stored.expect("stored").untested(), half.untested());
    }

    async fn a_later_confirmation_on_some_sizes_takes_nothing_from_one_on_all(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&sweep()).await.expect("apply");
        let whole = confirm(&coordinator, wanted("rave_k=500", FOR)).await.confirmation.expect("begun");
        play_everything(&coordinator).await;
        let request = ConfirmRequest { again: true, sizes: vec![size(4)], ..wanted("rave_k=500", FOR) };
        assert!(confirm(&coordinator, request).await.began);
        play_everything(&coordinator).await;
        let promoted = promote(&coordinator, promotion("rave_k=500")).await.expect("promoted");
        assert_eq!(promoted.baseline.confirmation.map(|found| found.experiment), Some(whole.experiment));
    }

    async fn a_confirmation_whose_plan_was_revised_proves_nothing(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&sweep()).await.expect("apply");
        let begun = confirm(&coordinator, wanted("rave_k=500", FOR)).await.confirmation.expect("begun");
        let mut plan = coordinator.revision(&begun.name, 1).await.expect("the plan");
        plan.cells.pop();
        coordinator.apply(&plan).await.expect("apply");
        play_everything(&coordinator).await;
        let found = shown(&coordinator, "rave_k=500").await.expect("a confirmation");
        assert_eq!((found.verdict, found.as_planned), (ConfirmationVerdict::Confirmed, false));
        let refused = promote(&coordinator, promotion("rave_k=500")).await.expect_err("revised").to_string();
        assert!(refused.contains("its plan was revised after it began"), "{refused}");
    }

    async fn a_confirmation_that_was_cut_off_is_noted_when_it_is_begun_again(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&sweep()).await.expect("apply");
        let begun = confirm(&coordinator, wanted("rave_k=500", FOR)).await.confirmation.expect("begun");
        play_everything(&coordinator).await;
        database.run("DELETE FROM confirmation").await;
        let again = confirm(&coordinator, wanted("rave_k=500", FOR)).await;
        let found = again.confirmation.expect("noted");
        assert_eq!((again.began, found.experiment, found.number), (true, begun.experiment, 1));
        assert_eq!(coordinator.experiments(true).await.expect("list").len(), 2);
    }

    async fn a_baseline_knows_its_ancestors(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&sweep()).await.expect("apply");
        let name = |name: &str| Some(name.to_owned());
        let unconfirmed = PromoteRequest { unconfirmed: true, name: name("first"), ..promotion("rave_k=500") };
        let first = promote(&coordinator, unconfirmed).await.expect("promoted").baseline;
        // The next sweep is measured against it.
        let mut next = cell(70, 4, 3, 1.0);
        next.spec.baseline = first.params.clone();
        next.baseline = LabelledPlayer { group: "b".into(), label: "b".into(), params: first.params.clone() };
        coordinator.apply(&experiment("two", vec![next])).await.expect("apply");
        let unconfirmed = PromoteRequest { unconfirmed: true, name: name("second"), ..promotion("rave_k=70") };
        let second = coordinator.promote("two", unconfirmed, "bob").await.expect("promoted").baseline;
        assert_eq!((second.parent.as_deref(), second.preset.as_deref(), second.who.as_str()), (Some("first"), None, "bob"));
        let lineage: BaselineLineage = coordinator.lineage("second").await.expect("lineage");
        assert_eq!(lineage.ancestors, [first]);
        assert_eq!(coordinator.lineage("first").await.expect("lineage").children, ["second"]);
        for key in [second.player.short(), second.player.to_string()] {
            assert_eq!(coordinator.lineage(&key).await.expect("lineage").baseline, second, "{key}");
        }
        let unknown = coordinator.lineage("secnd").await.expect_err("unknown").to_string();
        assert!(unknown.contains("did you mean `second`"), "{unknown}");
        let names: Vec<String> = coordinator.baselines().await.expect("list").into_iter().map(|one| one.name).collect();
        assert_eq!(names, ["first", "second"]);
    }

    async fn names_of_baselines_mean_one_player_and_look_like_nothing_else(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&sweep()).await.expect("apply");
        let named = async |case: &str, name: &str| {
            let request = PromoteRequest { unconfirmed: true, name: Some(name.into()), ..promotion(case) };
            promote(&coordinator, request).await
        };
        named("rave_k=500", "best").await.expect("promoted");
        for (name, why) in [
            ("", "printable"),
            ("  ", "printable"),
            (" best2", "no blank"),
            ("-x", "does not begin with -"),
            ("a\u{202e}b", "printable"),
            ("a\nb", "printable"),
            ("UCT", "preset"),
            ("Best", "there is a baseline `best` already"),
        ] {
            let refused = named("rave_k=500", name).await.expect_err(name).to_string();
            assert!(refused.contains(why), "{name:?}: {refused}");
        }
        assert!(named("rave_k=500", &"x".repeat(61)).await.is_err());
        let taken = named("rave_k=100", "best").await.expect_err("another player").to_string();
        assert!(taken.contains("rave_k=500 of `one`"), "{taken}");
        assert_eq!(coordinator.baselines().await.expect("list").len(), 1);
    }

    async fn a_case_is_named_as_in_the_results(database: Database) {
        let (coordinator, _) = open(&database).await;
        let other = |plain: PlannedCell| {
            let mut other = plain;
            other.spec.baseline = params("exploration=0.5 rave_k=0");
            other.baseline.label = "slow".into();
            other.baseline.group = "slow".into();
            other.baseline.params = other.spec.baseline.clone();
            other
        };
        let mut own = cell(7, 4, 3, 1.0);
        own.case.label = "own".into();
        own.spec.case = own.spec.baseline.clone();
        own.case.params = own.spec.baseline.clone();
        let cells = vec![cell(500, 4, 3, 1.0), other(cell(500, 4, 3, 1.0)), cell(100, 4, 3, 1.0), own];
        coordinator.apply(&experiment("one", cells)).await.expect("apply");
        let asked = async |case: &str, against: Option<&str>| {
            let request = ConfirmRequest { against: against.map(str::to_owned), preview: true, ..ConfirmRequest::of(case) };
            coordinator.confirm("one", request, "ada").await.map(|answer| answer.plan.expect("a plan"))
        };
        let player = params("rave_k=100").player_id().to_string();
        let by_cell = cell(100, 4, 3, 1.0).spec.id().to_string();
        for name in ["rave_k=100", "rave: rave_k=100", &player[..8], &by_cell[..8]] {
            assert_eq!(asked(name, None).await.expect(name).case, "rave_k=100");
        }
        let slow = asked("rave_k=500", Some("slow")).await.expect("one of two");
        assert_eq!((slow.baseline.as_str(), slow.name.as_str()), ("slow", "confirm one: rave_k=500 against slow"));
        let swapped = asked("slow", None).await.expect("it meets one player");
        assert_eq!((swapped.case.as_str(), swapped.name.as_str()), ("slow", "confirm one: slow"));
        for (case, against, why) in [
            ("uct", None, "name one with --against, of `own`, `rave_k=100`, `rave_k=500`"),
            ("slow", Some("rave_k=100"), "`slow` does not meet `rave_k=100`; did you mean `rave_k=500`?"),
            ("rave_k=50", None, "did you mean `rave_k=500`?"),
            ("rave_k=500", None, "name one with --against, of `slow`, `uct`"),
            ("rave_k=500", Some("slw"), "does not meet `slw`; did you mean `slow`?"),
            ("rave", None, "means several cases"),
            ("own", None, "the same player as its baseline"),
        ] {
            let refused = asked(case, against).await.expect_err(case).to_string();
            assert!(refused.contains(why), "{case}: {refused}");
        }
        let impossible = [
            ConfirmRequest { sizes: vec![crate::play::size(6)], ..ConfirmRequest::of("rave_k=100") },
            ConfirmRequest { most_games: Some(3), ..ConfirmRequest::of("rave_k=100") },
            ConfirmRequest { weight: Some(0.0), ..ConfirmRequest::of("rave_k=100") },
            ConfirmRequest { alpha: Some(0.7), ..ConfirmRequest::of("rave_k=100") },
            wanted("rave_k=100", Hypotheses::Elo([20.0, 0.0])),
        ];
        for request in impossible {
            coordinator.confirm("one", request.clone(), "ada").await.expect_err(&format!("{request:?}"));
        }
        assert_eq!(coordinator.experiments(true).await.expect("list").len(), 1);
    }

    async fn the_api_confirms_promotes_and_lists(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&sweep()).await.expect("apply");
        let token = token(&coordinator, "experiment").await.expect("token");
        let call = async |method: &str, path: &str, body: serde_json::Value| {
            let request = bearer(Request::builder().method(method).uri(path), &token);
            text(&coordinator, with_json(request, &body)).await
        };
        let (status, body) = call("POST", "/api/v1/experiments/one/confirm", serde_json::json!({ "case": "nothing" })).await;
        assert!(status == StatusCode::NOT_FOUND && body.contains("no_case"), "{body}");
        let (status, body) = call("POST", "/api/v1/experiments/one/confirm", serde_json::json!({ "case": "rave_k=100" })).await;
        let answer: ConfirmAnswer = serde_json::from_str(&body).expect("an answer");
        assert!(status == StatusCode::OK && answer.began, "{body}");
        let wish = serde_json::json!({ "case": "rave_k=100", "name": "a b/c", "unconfirmed": true });
        let (status, body) = call("POST", "/api/v1/experiments/one/promote", wish).await;
        assert!(status == StatusCode::OK, "{body}");
        let (_, body) = call("GET", "/api/v1/baselines", serde_json::Value::Null).await;
        let list: Vec<NamedBaseline> = serde_json::from_str(&body).expect("a list");
        assert_eq!((list.len(), list[0].who.as_str()), (1, "test"));
        let (status, body) = call("GET", "/api/v1/baselines/a%20b%2Fc", serde_json::Value::Null).await;
        assert!(status == StatusCode::OK && serde_json::from_str::<BaselineLineage>(&body).is_ok(), "{body}");
        let pause = coordinator.change_experiment(&answer.confirmation.expect("begun").name, ExperimentChange::Pause, "ada").await;
        assert_eq!(pause.expect("paused").confirms.expect("a case").verdict, ConfirmationVerdict::Open);
    }
}
