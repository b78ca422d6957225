//! Games as people look at them: searches, views, game files and sums by move number.

use crate::databases::{Database, on_both_databases};
use crate::http::{bare, text};
use crate::play::{Worker, cell, experiment, open, play_all};
use axum::http::{Request, StatusCode};
use coordinator::{Clock, Coordinator};
use engine::havannah::{Board, Notation, Params, WinKind};
use engine::sgf::{GameFile, Move};
use engine::side::Side;
use protocol::browse::{CaseResult, FoundGame, FoundGames, GameOrder, GameSearch, GameView};
use protocol::games::GameStatus;
use protocol::ids::{CellId, GameId};
use protocol::life::ExperimentChange;
use protocol::result::{FinishedGame, MoveColumns};
use protocol::sync::{SyncRequest, WatchedGame};
use std::collections::BTreeMap;
use std::time::Duration;

/// Plays `pairs` pairs, each a second after the one before.
async fn play_some(
    coordinator: &Coordinator,
    clock: &Clock,
    worker: &mut Worker,
    pairs: usize,
) -> Vec<FinishedGame> {
    let mut played = Vec::new();
    for _ in 0..pairs {
        let leases = worker.take(coordinator, 1).await;
        worker.held.clear();
        clock.advance(1_000);
        let games: Vec<_> = leases.iter().flat_map(|lease| play_all(lease, played.len() as u64)).collect();
        worker.report(coordinator, games.clone()).await;
        played.extend(games);
    }
    played
}

/// All games that a search finds, by pages of this many.
async fn all(coordinator: &Coordinator, query: GameSearch, limit: u32) -> Vec<FoundGame> {
    let (mut games, mut after) = (Vec::new(), None);
    for _ in 0..500 {
        let query = GameSearch { after, limit: Some(limit), ..query.clone() };
        let page: FoundGames = coordinator.found_games(query).await.expect("a search");
        assert!(page.games.len() <= limit as usize);
        games.extend(page.games);
        match page.next {
            None => return games,
            next => after = next,
        }
    }
    panic!("the search never ends");
}

/// The plies of a game's opening.
fn plies_of_opening(leases: &[protocol::lease::Lease], game: &FinishedGame) -> usize {
    let lease = leases.iter().find(|lease| lease.id == game.lease).expect("its lease");
    lease.opening.split_whitespace().count()
}

fn ids(games: &[FoundGame]) -> Vec<GameId> {
    games.iter().map(|game| game.id).collect()
}

fn of(experiment: &str) -> GameSearch {
    GameSearch { experiment: Some(experiment.into()), ..GameSearch::default() }
}

on_both_databases! {
    async fn a_search_finds_what_each_column_says_and_pages_lose_nothing(database: Database) {
        let (coordinator, clock) = open(&database).await;
        let cells = vec![cell(500, 4, 6, 1.0), cell(100, 3, 6, 1.0)];
        let named: Vec<CellId> = cells.iter().map(|cell| cell.spec.id()).collect();
        coordinator.apply(&experiment("one", cells)).await.expect("apply");
        coordinator.apply(&experiment("two", vec![cell(7, 3, 3, 1.0)])).await.expect("apply");
        let (mut first, mut second) = (Worker::new(), Worker::new());
        play_some(&coordinator, &clock, &mut first, 8).await;
        play_some(&coordinator, &clock, &mut second, 7).await;
        let everything = all(&coordinator, GameSearch::default(), 100).await;
        assert_eq!(everything.len(), 30);
        coordinator.exclude(everything[4].id, None, "too hot", "ada").await.expect("exclude");
        let everything = all(&coordinator, GameSearch::default(), 100).await;

        // Every order, by pages of different sizes.
        for sort in [GameOrder::Newest, GameOrder::Oldest, GameOrder::Longest, GameOrder::Shortest] {
            let query = GameSearch { sort, ..GameSearch::default() };
            let whole = all(&coordinator, query.clone(), 100).await;
            let mut keys: Vec<i64> = whole
                .iter()
                .map(|game| match sort {
                    GameOrder::Newest | GameOrder::Oldest => game.received_ms,
                    GameOrder::Longest | GameOrder::Shortest => i64::from(game.plies),
                    GameOrder::Surprising => panic!("of some games alone"),
                })
                .collect();
            if matches!(sort, GameOrder::Newest | GameOrder::Longest) {
                keys.reverse();
            }
            assert!(keys.is_sorted(), "{sort:?}: {keys:?}");
            for limit in [1, 7, 30] {
                assert_eq!(ids(&all(&coordinator, query.clone(), limit).await), ids(&whole), "{sort:?} by {limit}");
            }
        }

        // Every column, against the list of all games.
        let middle = everything[15].received_ms;
        let opening = coordinator.game_view(&everything[3].id.to_string(), None).await.expect("a view").opening;
        type Wanted<'a> = Box<dyn Fn(&FoundGame) -> bool + 'a>;
        let none = GameSearch::default;
        let searches: Vec<(GameSearch, Wanted<'_>)> = vec![
            (of("one"), Box::new(|game| named.contains(&game.cell))),
            (of("two"), Box::new(|game| !named.contains(&game.cell))),
            (GameSearch { cell: Some(named[0].to_string()[..8].into()), ..none() }, Box::new(|game| game.cell == named[0])),
            (GameSearch { size: Some("3,5".into()), ..none() }, Box::new(|game| game.size.get() == 3)),
            (GameSearch { size: Some("4".into()), ..of("one") }, Box::new(|game| game.cell == named[0])),
            (GameSearch { budget: Some("100 sims".into()), ..none() }, Box::new(|_| true)),
            (GameSearch { budget: Some("200 sims".into()), ..of("one") }, Box::new(|_| false)),
            (GameSearch { case: Some("rave K=500".into()), ..none() }, Box::new(|game| game.cell == named[0])),
            (GameSearch { case: Some("rave_k=5".into()), ..none() }, Box::new(|_| false)),
            (GameSearch { case: Some("RAVE_K=100".into()), ..of("one") }, Box::new(|game| game.cell == named[1])),
            (GameSearch { baseline: Some("uct".into()), ..none() }, Box::new(|_| true)),
            (GameSearch { worker: Some(second.id.to_string()), ..none() }, Box::new(|game| game.worker == second.id)),
            (GameSearch { worker: Some(everything[0].worker_name.clone()), ..none() }, Box::new(|game| game.worker == second.id)),
            (GameSearch { worker: Some(first.id.to_string()), ..of("one") }, Box::new(|game| game.worker == first.id && named.contains(&game.cell))),
            (GameSearch { result: Some(CaseResult::Win), ..none() }, Box::new(|game| game.result == CaseResult::Win)),
            (GameSearch { result: Some(CaseResult::Loss), sort: GameOrder::Longest, ..none() }, Box::new(|game| game.result == CaseResult::Loss)),
            (GameSearch { kind: Some(WinKind::Fork), ..none() }, Box::new(|game| game.kind == Some(WinKind::Fork))),
            (GameSearch { side: Some(Side::Black), ..none() }, Box::new(|game| game.case_side == Side::Black)),
            (GameSearch { status: Some(GameStatus::Excluded), ..none() }, Box::new(|game| game.reason.is_some())),
            (GameSearch { min_plies: Some(14), max_plies: Some(25), ..none() }, Box::new(|game| (14..=25).contains(&game.plies))),
            (GameSearch { min_plies: Some(20), sort: GameOrder::Shortest, ..none() }, Box::new(|game| game.plies >= 20)),
            (GameSearch { since_ms: Some(middle), ..none() }, Box::new(|game| game.received_ms >= middle)),
            (GameSearch { until_ms: Some(middle), sort: GameOrder::Oldest, ..of("one") }, Box::new(|game| game.received_ms < middle && named.contains(&game.cell))),
            (GameSearch { opening: Some(opening[0].to_uppercase()), ..none() }, Box::new(|game| {
                // Both games of a pair, and the same pair of other cells of the size, begin alike.
                game.pair == everything[3].pair && game.size == everything[3].size
            })),
        ];
        for (query, wanted) in searches {
            let mut expected: Vec<GameId> = everything.iter().filter(|game| wanted(game)).map(|game| game.id).collect();
            for limit in [2, 100] {
                let mut found = ids(&all(&coordinator, query.clone(), limit).await);
                found.sort();
                expected.sort();
                if query.opening.is_some() {
                    assert!(expected.iter().all(|id| found.contains(id)) && found.len() < everything.len(), "{query:?}");
                } else {
                    assert_eq!(found, expected, "{query:?}");
                }
            }
        }
        assert_eq!(everything.iter().filter(|game| game.status == GameStatus::Excluded).count(), 1);
        for game in &everything {
            let case = named.iter().position(|cell| *cell == game.cell).map_or("rave rave_k=7", |place| {
                ["rave rave_k=500", "rave rave_k=100"][place]
            });
            assert_eq!((game.case.as_str(), game.baseline.as_str()), (case, "uct"));
        }
    }

    async fn games_lost_against_expectation_are_found_and_the_most_surprising_come_first(database: Database) {
        let (coordinator, clock) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 3, 8, 1.0)])).await.expect("apply");
        coordinator.apply(&experiment("two", vec![cell(7, 3, 8, 1.0)])).await.expect("apply");
        let mut worker = Worker::new();
        let mut expected: Vec<(i64, GameId)> = Vec::new();
        for round in 0..16_u64 {
            let leases = worker.take(&coordinator, 1).await;
            worker.held.clear();
            clock.advance(1_000);
            let mut games: Vec<_> = leases.iter().flat_map(|lease| play_all(lease, round)).collect();
            for (game, number) in games.iter_mut().zip(0..) {
                let opening = plies_of_opening(&leases, game);
                let Some(winner) = game.outcome.winner() else { continue };
                // The winner is sure of it from the first move on. The loser once believed so much.
                let belief = (36 * round + 400 * number) as f32 / 1000.0;
                for (value, plies) in game.record.value.iter_mut().zip(opening..) {
                    *value = if Side::to_move_after(plies) == winner { 0.99 } else { belief };
                }
                if belief >= 0.7 {
                    expected.push(((1000.0 * belief).round() as i64, game.game));
                }
            }
            worker.report(&coordinator, games).await;
        }
        assert!(expected.len() > 4, "{}", expected.len());
        expected.sort();
        expected.reverse();
        let expected: Vec<GameId> = expected.into_iter().map(|(_, game)| game).collect();
        let query = GameSearch { sort: GameOrder::Surprising, ..GameSearch::default() };
        for limit in [1, 3, 100] {
            assert_eq!(ids(&all(&coordinator, query.clone(), limit).await), expected, "by {limit}");
        }
        let found = all(&coordinator, query.clone(), 100).await;
        assert!(found.iter().all(|game| game.loser_expected.is_some_and(|expected| expected >= 0.7)));
        let of_one = all(&coordinator, GameSearch { sort: GameOrder::Surprising, ..of("one") }, 2).await;
        let named = found.iter().filter(|game| game.experiments[0].name == "one").map(|game| game.id);
        assert_eq!(ids(&of_one), named.collect::<Vec<_>>());
        for sort in [GameOrder::Surprising, GameOrder::Newest] {
            let mut some = ids(&all(&coordinator, GameSearch { min_expected: Some(85), sort, ..GameSearch::default() }, 100).await);
            let mut wanted: Vec<GameId> = found.iter().filter(|game| game.loser_expected >= Some(0.85)).map(|game| game.id).collect();
            some.sort();
            wanted.sort();
            assert_eq!(some, wanted);
        }
        let wrong = GameSearch { min_expected: Some(101), ..GameSearch::default() };
        assert!(coordinator.found_games(wrong).await.expect_err("too much").to_string().contains("0 to 100"));
    }

    async fn games_of_many_cells_are_found_where_all_games_are_read_at_once(database: Database) {
        let (coordinator, clock) = open(&database).await;
        let old: Vec<_> = (0..80).map(|k| cell(1_000 + k, 3, 1, 1.0)).collect();
        coordinator.apply(&experiment("old", old)).await.expect("apply");
        let mut worker = Worker::new();
        for (name, pairs) in [("old", 20), ("new", 40)] {
            if name == "new" {
                coordinator.change_experiment("old", ExperimentChange::Pause, "ada").await.expect("paused");
                coordinator.apply(&experiment(name, vec![cell(1, 3, 120, 1.0)])).await.expect("apply");
            }
            let leases = worker.take(&coordinator, pairs).await;
            clock.advance(60_000);
            let games: Vec<_> = leases.iter().flat_map(|lease| play_all(lease, 3)).collect();
            worker.report(&coordinator, games).await;
        }
        let old = all(&coordinator, GameSearch { limit: Some(16), ..of("old") }, 16).await;
        assert_eq!(old.len(), 40, "the newest games are another experiment's");
    }

    async fn games_of_many_cells_are_found_below_many_others(database: Database) {
        let (coordinator, clock) = open(&database).await;
        let old: Vec<_> = (0..80).map(|k| cell(1_000 + k, 3, 1, 1.0)).collect();
        coordinator.apply(&experiment("old", old)).await.expect("apply");
        let mut worker = Worker::new();
        let many = |worker: Worker, clock: Clock, coordinator: Coordinator, pairs: u32| async move {
            let mut worker = worker;
            let leases = worker.take(&coordinator, pairs).await;
            worker.held.clear();
            clock.advance(60_000);
            let games: Vec<_> = leases.iter().flat_map(|lease| play_all(lease, 3)).collect();
            worker.report(&coordinator, games.clone()).await;
            games.len()
        };
        let mut before = 0;
        while before < 160 {
            before += many(worker.clone(), clock.clone(), coordinator.clone(), 40).await;
        }
        coordinator.apply(&experiment("new", vec![cell(1, 3, 120, 1.0)])).await.expect("apply");
        let mut after = 0;
        while after < 200 {
            after += many(worker.clone(), clock.clone(), coordinator.clone(), 40).await;
        }
        worker.held.clear();
        let query = GameSearch { limit: Some(16), ..of("old") };
        let page = coordinator.found_games(query.clone()).await.expect("a search");
        assert_eq!(page.games.len(), 16);
        // One look at the newest games, a jump over the others, and one look there.
        assert!(page.looked_at < 100, "{} games looked at", page.looked_at);
        assert_eq!(all(&coordinator, query, 16).await.len(), 160);
        assert_eq!(all(&coordinator, of("new"), 50).await.len(), after);
    }

    async fn a_view_a_file_and_the_sums_tell_what_was_played(database: Database) {
        let (coordinator, clock) = open(&database).await;
        coordinator.apply(&experiment("<b>one</b>", vec![cell(500, 4, 10, 1.0)])).await.expect("apply");
        let mut worker = Worker::new();
        let played = play_some(&coordinator, &clock, &mut worker, 10).await;
        let mut lengths: BTreeMap<u32, u64> = BTreeMap::new();
        for game in &played {
            let view: GameView = coordinator.game_view(&game.game.to_string(), None).await.expect("a view");
            let size = view.game.size;
            let moves = view.moves.as_ref().expect("moves");
            let names: Vec<&str> = view.opening.iter().chain(moves.iter().map(|played| &played.cell)).map(String::as_str).collect();
            let cells = Notation::Gui.read_list(size, &names.join(" ")).expect("cells");
            let board = Board::after(size, &cells).expect("a legal game");
            assert_eq!(board.outcome(), Some(game.outcome));
            let winning = Notation::Gui.write_list(size, &board.winning_structure());
            assert_eq!(view.winning.join(" "), winning);
            assert_eq!(view.winning.is_empty(), game.outcome.winner().is_none());
            assert_eq!((view.opening.len(), view.game.plies as usize), (2, names.len()));
            let names: Vec<_> = view.parameters.iter().map(|differing| (differing.name.as_str(), differing.case.as_str(), differing.baseline.as_str())).collect();
            // The case leaves `exploration` at its default, whatever that is.
            let default = Params::default().get("exploration").expect("a parameter").to_string();
            assert_eq!(names, [("exploration", default.as_str(), "0.9"), ("rave_k", "500", "0")]);
            assert_eq!(view.game.experiments[0].name, "<b>one</b>");
            assert!(view.is_repeatable);
            let text = coordinator.game_file(&game.game.to_string(), None).await.expect("a file");
            let file = GameFile::read(&text, Notation::Grid).expect("a valid file");
            let stones: Vec<_> = file.main_line().map(|(_, turn)| match turn { Move::Stone(cell) => cell, other => panic!("{other:?}") }).collect();
            assert_eq!(stones, cells);
            assert_eq!(file.info("EV"), Some("<b>one</b>"));
            assert!(file.info("RE").expect("a result").starts_with(match game.outcome.winner() { Some(Side::White) => "W+", Some(Side::Black) => "B+", None => "Draw" }));
            *lengths.entry(view.game.plies).or_default() += 1;
        }
        let sums = coordinator.games_by_move(of("<b>one</b>")).await.expect("sums");
        assert_eq!((sums.games, sums.without_moves, sums.is_all), (20, 0, true));
        let ended: BTreeMap<u32, u64> =
            sums.numbers.iter().map(|number| (number.ply, number.ended.iter().sum())).filter(|(_, games)| *games > 0).collect();
        assert_eq!(ended, lengths);
        let first = &sums.numbers[0];
        assert_eq!((first.ply, first.going), (3, 1.0));
        // Both games of a pair begin alike with colours swapped: the case makes the third move in half of them.
        let [case, baseline] = [first.case, first.baseline].map(|moves| moves.expect("moves"));
        assert_eq!((case.moves, baseline.moves, case.sims.mean, case.nodes.mean), (10, 10, 100.0, 40.0));
        assert_eq!((case.seconds.mean, case.value.mean, case.value.low), (0.001, 0.5, 0.5));
        let report = coordinator.report("<b>one</b>").await.expect("a report");
        let point = &report.series[0].points[0];
        let all_ended: u64 = sums.numbers.iter().map(|number| number.ended[0]).sum();
        assert_eq!(all_ended, point.wins);

        clock.advance(1_000);
        coordinator.drop_records(Duration::ZERO, "ada").await.expect("drop");
        let view = coordinator.game_view(&played[0].game.to_string(), None).await.expect("a view");
        assert_eq!((view.moves, view.winning.len(), view.opening.len(), view.is_repeatable), (None, 0, 2, false));
        let gone = coordinator.game_file(&played[0].game.to_string(), None).await.expect_err("no moves");
        assert!(gone.to_string().contains("were deleted"), "{gone}");
        let sums = coordinator.games_by_move(of("<b>one</b>")).await.expect("sums");
        assert_eq!((sums.games, sums.without_moves, sums.numbers.len()), (0, 20, 0));
    }

    async fn pairs_in_play_are_listed_with_what_their_workers_say(database: Database) {
        let (coordinator, clock) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 3, 1.0)])).await.expect("apply");
        let mut worker = Worker::new();
        let leases = worker.take(&coordinator, 2).await;
        assert!(coordinator.pairs_in_play().await.expect("pairs").pairs.is_empty(), "nothing has begun");
        worker.held[0].plies = 9;
        clock.advance(2_000);
        worker.sync(&coordinator, Vec::new(), 0).await;
        let shown = coordinator.pairs_in_play().await.expect("pairs");
        let [pair] = &shown.pairs[..] else { panic!("{shown:?}") };
        assert_eq!((pair.lease, pair.plies, pair.size.get(), pair.worker), (leases[0].id, 9, 4, worker.id));
        assert_eq!((shown.now_ms - pair.granted_ms, shown.now_ms - pair.progress_ms), (2_000, 0));
        assert_eq!(pair.experiments[0].name, "one");
    }

    async fn moves_are_told_while_somebody_looks_and_only_by_who_plays(database: Database) {
        let (coordinator, clock) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 3, 1.0)])).await.expect("apply");
        let (mut worker, other) = (Worker::new(), Worker::new());
        let lease = worker.take(&coordinator, 1).await.remove(0);
        let answer = worker.sync(&coordinator, Vec::new(), 0).await;
        assert!(answer.watch.is_empty(), "nobody looks");
        let key = lease.id.to_string();
        let shown = coordinator.game_in_play(&key).await.expect("a game");
        assert_eq!((shown.game, shown.moves.len(), shown.opening.len()), (None, 0, 2));
        let answer = worker.sync(&coordinator, Vec::new(), 0).await;
        assert_eq!((&answer.watch[..], answer.next_sync_ms <= 2_000), (&[lease.id][..], true));
        assert!(other.sync(&coordinator, Vec::new(), 0).await.watch.is_empty(), "it does not hold the lease");

        let whole = play_all(&lease, 5).remove(1);
        let record = |moves: usize| MoveColumns {
            moves: whole.record.moves.split(' ').take(moves).collect::<Vec<_>>().join(" "),
            value: whole.record.value[..moves].to_vec(),
            claim: whole.record.claim[..moves].to_vec(),
            sims: whole.record.sims[..moves].to_vec(),
            nodes: whole.record.nodes[..moves].to_vec(),
            cpu_us: whole.record.cpu_us[..moves].to_vec(),
        };
        let tell = async |worker: &Worker, record: MoveColumns| {
            let watched = vec![WatchedGame { lease: lease.id, game: whole.game, record }];
            let request = SyncRequest { watched, ..worker.request(Vec::new(), 0) };
            coordinator.sync(request).await.expect("sync");
            coordinator.game_in_play(&key).await.expect("a game")
        };
        let shown = tell(&worker, record(5)).await;
        let cells: Vec<&str> = shown.moves.iter().map(|played| played.cell.as_str()).collect();
        assert_eq!(cells.join(" "), record(5).moves);
        assert_eq!((shown.game, shown.case_side), (Some(whole.game), Side::Black));
        let twice = MoveColumns { moves: [cells[0]; 5].join(" "), ..record(5) };
        assert_eq!(tell(&worker, twice).await.game, None, "what the rules forbid is not shown");
        assert_eq!(tell(&worker, record(7)).await.moves.len(), 7);
        assert_eq!(tell(&other, record(6)).await.game, None, "only who plays is believed");

        clock.advance(31_000);
        let answer = worker.sync(&coordinator, Vec::new(), 0).await;
        assert!(answer.watch.is_empty(), "nobody has looked for a while");
        worker.held.clear();
        worker.report(&coordinator, play_all(&lease, 5)).await;
        let over = coordinator.game_in_play(&key).await.expect_err("it is over");
        assert!(over.to_string().contains("no pair in play is called"), "{over}");
        assert_eq!(coordinator.game_view(&whole.game.to_string(), None).await.expect("a view").game.id, whole.game);
    }
}

#[tokio::test]
async fn queries_that_cannot_be_understood_are_refused_with_words() {
    let database = Database::sqlite();
    let (coordinator, _) = open(&database).await;
    for (query, status, words) in [
        ("size=11", StatusCode::BAD_REQUEST, "3 to 10"),
        ("budget=soon", StatusCode::BAD_REQUEST, "`1000 sims` or `0.5 s`"),
        ("after=7", StatusCode::BAD_REQUEST, "no place"),
        ("result=victory", StatusCode::BAD_REQUEST, "`win`, `draw`, `loss`"),
        ("colour=white", StatusCode::BAD_REQUEST, "unknown field `colour`"),
        ("experiment=none", StatusCode::NOT_FOUND, "no experiment is called `none`"),
        ("worker=nobody", StatusCode::NOT_FOUND, "no worker is called `nobody`"),
        ("cell=zz", StatusCode::NOT_FOUND, "no cell is called `zz`"),
    ] {
        for path in ["games", "games/by-move"] {
            let request = bare(Request::get(format!("/api/v1/{path}?{query}")));
            let (found, body) = text(&coordinator, request).await;
            if path == "games/by-move" && query.starts_with("after") {
                // Sums have no pages.
                assert_eq!(found, StatusCode::OK);
                continue;
            }
            assert_eq!(found, status, "{query}");
            assert!(body.contains(words), "{query}: {body}");
        }
    }
}
