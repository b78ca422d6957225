//! Rating lists.

use super::random::Random;
use super::reference::{assert_all, assert_close, column, number, value};
use proptest::prelude::*;
use serde_json::Value;
use stats::{Draws, Games, RatingError, Ratings, probability_below};

fn games(player: usize, opponent: usize, [wins, draws, losses]: [f64; 3]) -> Games {
    Games { player, opponent, size: None, wins, draws, losses }
}

fn pool() -> (Vec<String>, Vec<Games>) {
    let given = value("bradley_terry");
    let words = |values: &Value| -> Vec<String> {
        values.as_array().expect("names").iter().filter_map(|name| name.as_str().map(str::to_owned)).collect()
    };
    let players = words(&given["players"]);
    let place = |name: &Value| players.iter().position(|player| Some(player.as_str()) == name.as_str());
    let rows = given["games_x_y_xwins_draws_ywins"].as_array().expect("rows");
    let row = |row: &Value| {
        let (x, y) = (place(&row[0]).expect("a player"), place(&row[1]).expect("a player"));
        games(x, y, [2, 3, 4].map(|column| number(&row[column])))
    };
    let rows = rows.iter().map(row).collect();
    (players, rows)
}

#[test]
fn ratings_errors_and_covariances_equal_the_reference_with_and_without_a_prior() {
    let (players, games) = pool();
    for (prior, key) in [(0.0, "prior_draws_0.0"), (2.0, "prior_draws_2.0")] {
        let given = &value("bradley_terry")[key];
        let ratings = Ratings::of(players.len(), 0, &games, Draws::Half, prior).expect("ratings");
        for (player, name) in players.iter().enumerate() {
            assert_close(ratings.logits[player], column(&given["logit"])[player], name);
            assert_close(ratings.elo(player), column(&given["elo"])[player], name);
            assert_close(ratings.difference(player, 0).1, column(&given["se_elo_vs_anchor"])[player], name);
            for other in 0..players.len() {
                let expected = column(&given["cov_logit"][player])[other];
                assert_close(ratings.covariance(player, other), expected, name);
            }
        }
        let (a, c) = (1, 3);
        assert_close(ratings.difference(a, c).1, number(&given["se_elo_A_minus_C"]), "A less C");
        assert_close(ratings.superiority(a, c), number(&given["LOS_A_gt_C"]), "A above C");
        assert!(ratings.connected.iter().all(|linked| *linked));
    }
}

#[test]
fn draws_by_davidsons_model_equal_the_reference() {
    let (players, games) = pool();
    let given = &value("bradley_terry")["davidson"];
    let ratings = Ratings::of(players.len(), 0, &games, Draws::Davidson, 0.0).expect("ratings");
    // The reference has 7 digits of an optimisation by function values.
    assert_all(&ratings.logits, &column(&given["logit"]), |found, expected| {
        assert!((found - expected).abs() < 2e-6, "{found} instead of {expected}");
    });
    let nu = ratings.draw_parameter.expect("draws");
    assert!((nu - number(&given["nu"])).abs() < 2e-6, "{nu}");
}

#[test]
fn the_first_movers_advantage_is_found_and_narrows_the_errors() {
    let mut random = Random(31);
    let (strengths, advantages) = ([0.0, 0.4, -0.3], [(4_u8, 1.5), (8, 0.4)]);
    let chance = |logit: f64| 1.0 / (1.0 + (-logit).exp());
    let mut played = Vec::new();
    for (size, advantage) in advantages {
        for (a, b) in [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)] {
            let p = chance(strengths[a] - strengths[b] + advantage);
            let wins = (0..1_000).filter(|_| random.uniform() < p).count() as f64;
            played.push(Games {
                player: a,
                opponent: b,
                size: Some(size),
                wins,
                draws: 0.0,
                losses: 1_000.0 - wins,
            });
        }
    }
    let ratings = Ratings::of(3, 0, &played, Draws::Half, 0.0).expect("ratings");
    for (player, strength) in strengths.into_iter().enumerate().skip(1) {
        let error = ratings.covariance(player, player).sqrt();
        assert!((ratings.logits[player] - strength).abs() < 4.0 * error, "{player}: {ratings:?}");
    }
    assert_eq!(ratings.first_move.len(), advantages.len());
    for ((size, found, error), (expected_size, advantage)) in ratings.first_move.iter().zip(advantages) {
        assert_eq!(*size, expected_size);
        assert!((found - advantage).abs() < 4.0 * error, "size {size}: {found} ± {error}");
    }
    assert!(ratings.fit.expect("more pairings than unknowns").p_value > 1e-3);
    let unsized_games: Vec<Games> = played.iter().map(|games| Games { size: None, ..*games }).collect();
    let plain = Ratings::of(3, 0, &unsized_games, Draws::Half, 0.0).expect("ratings");
    // On size 4, a strong first move decides many games: they say little about the players, and are not noise either. The
    // plain model takes the scores as more uncertain than they are, and the ratings as too close together.
    assert!(plain.logits[1] - plain.logits[2] < ratings.logits[1] - ratings.logits[2]);
}

#[test]
fn players_without_a_finite_rating_need_a_prior_and_players_without_games_are_named() {
    let all_won = [games(0, 1, [0.0, 0.0, 20.0]), games(0, 2, [5.0, 0.0, 5.0])];
    assert_eq!(Ratings::of(3, 0, &all_won, Draws::Half, 0.0), Err(RatingError::Undetermined));
    let ratings = Ratings::of(4, 0, &all_won, Draws::Half, 2.0).expect("the prior makes it finite");
    assert!(ratings.elo(1) > 300.0 && ratings.elo(1).is_finite(), "{}", ratings.elo(1));
    assert_eq!(ratings.connected, [true, true, true, false]);
    assert!(ratings.elo(3).abs() < 1e-9, "nothing is known but the prior");
    assert_eq!(Ratings::of(2, 0, &all_won, Draws::Half, 2.0), Err(RatingError::NoSuchPlayer(2, 2)));
    assert_eq!(Ratings::of(3, 9, &[], Draws::Half, 2.0), Err(RatingError::NoSuchPlayer(9, 3)));
    let bad = [games(0, 1, [f64::NAN, 0.0, 1.0])];
    assert_eq!(Ratings::of(2, 0, &bad, Draws::Half, 2.0), Err(RatingError::NotACount));
    let one = Ratings::of(1, 0, &[], Draws::Davidson, 2.0).expect("the anchor alone");
    assert_eq!((one.superiority(0, 0), one.logits), (0.5, vec![0.0]));
}

/// Three equal players: the difference of two of them is significant at 5 % in one run of twenty.
#[test]
fn the_error_of_a_difference_covers_the_truth() {
    let mut random = Random(32);
    let (runs, mut missed) = (2_000, 0);
    for _ in 0..runs {
        let mut results = |a: usize, b: usize| {
            let wins = (0..60).filter(|_| random.uniform() < 0.5).count() as f64;
            games(a, b, [wins, 0.0, 60.0 - wins])
        };
        let played = [results(0, 1), results(0, 2), results(1, 2)];
        let ratings = Ratings::of(3, 0, &played, Draws::Half, 0.0).expect("ratings");
        let (difference, error) = ratings.difference(1, 2);
        missed += u32::from(2.0 * probability_below(-(difference / error).abs()) < 0.05);
    }
    // 100 are expected with a standard deviation of 10.
    assert!((60..=140).contains(&missed), "{missed} of {runs}");
}

fn results() -> impl Strategy<Value = Vec<Games>> {
    let pairing = (
        0_usize..5,
        0_usize..5,
        1_u32..40,
        0_u32..4,
        1_u32..40,
        prop_oneof![Just(None), Just(Some(5)), Just(Some(9))],
    );
    prop::collection::vec(pairing, 1..15).prop_map(|mut rows| {
        // A ring of pairings, so that every rating is finite without a prior.
        rows.extend((0..5).map(|player| (player, (player + 1) % 5, 7, 1, 5, Some(5))));
        rows.push((0, 1, 5, 0, 7, Some(9)));
        let games =
            |(player, opponent, wins, draws, losses, size): (usize, usize, u32, u32, u32, Option<u8>)| {
                Games {
                    player,
                    opponent,
                    size,
                    wins: wins.into(),
                    draws: draws.into(),
                    losses: losses.into(),
                }
            };
        rows.into_iter().map(games).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn differences_do_not_depend_on_the_anchor(games in results(), anchor in 1_usize..5, davidson in any::<bool>()) {
        let draws = if davidson { Draws::Davidson } else { Draws::Half };
        let one = Ratings::of(5, 0, &games, draws, 0.0).expect("ratings");
        let other = Ratings::of(5, anchor, &games, draws, 0.0).expect("ratings");
        for a in 0..5 {
            for b in 0..5 {
                let ((x, x_error), (y, y_error)) = (one.difference(a, b), other.difference(a, b));
                prop_assert!((x - y).abs() < 1e-6 && (x_error - y_error).abs() < 1e-6, "{x} {y} {x_error} {y_error}");
            }
        }
    }

    #[test]
    fn the_order_of_results_and_their_splitting_change_no_bit(games in results(), turn in any::<prop::sample::Index>()) {
        let one = Ratings::of(5, 0, &games, Draws::Davidson, 2.0).expect("ratings");
        let mut turned = games.clone();
        turned.rotate_left(turn.index(games.len()));
        let half = |games: &Games| Games { wins: games.wins / 2.0, draws: games.draws / 2.0, losses: games.losses / 2.0, ..*games };
        let split: Vec<Games> = turned.iter().rev().flat_map(|games| [half(games), half(games)]).collect();
        prop_assert_eq!(&one, &Ratings::of(5, 0, &turned, Draws::Davidson, 2.0).expect("ratings"));
        prop_assert_eq!(&one, &Ratings::of(5, 0, &split, Draws::Davidson, 2.0).expect("ratings"));
    }
}
