//! Rating lists.

use super::random::Random;
use super::reference::{assert_close, column, number, value};
use proptest::prelude::*;
use serde_json::Value;
use stats::{Games, RatingError, Ratings, probability_below};

fn games(player: usize, opponent: usize, [wins, draws, losses]: [f64; 3]) -> Games {
    Games { player, opponent, points: wins + draws / 2.0, games: wins + draws + losses }
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
        let ratings = Ratings::of(players.len(), 0, &games, prior).expect("ratings");
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
fn players_without_a_finite_rating_need_a_prior_and_players_without_games_are_named() {
    let all_won = [games(0, 1, [0.0, 0.0, 20.0]), games(0, 2, [5.0, 0.0, 5.0])];
    assert_eq!(Ratings::of(3, 0, &all_won, 0.0), Err(RatingError::Undetermined));
    let ratings = Ratings::of(4, 0, &all_won, 2.0).expect("the prior makes it finite");
    assert!(ratings.elo(1) > 300.0 && ratings.elo(1).is_finite(), "{}", ratings.elo(1));
    assert_eq!(ratings.connected, [true, true, true, false]);
    assert!(ratings.elo(3).abs() < 1e-9, "nothing is known but the prior");
    assert_eq!(Ratings::of(2, 0, &all_won, 2.0), Err(RatingError::NoSuchPlayer(2, 2)));
    assert_eq!(Ratings::of(3, 9, &[], 2.0), Err(RatingError::NoSuchPlayer(9, 3)));
    let bad = [games(0, 1, [f64::NAN, 0.0, 1.0])];
    assert_eq!(Ratings::of(2, 0, &bad, 2.0), Err(RatingError::NotACount));
    let one = Ratings::of(1, 0, &[], 2.0).expect("the anchor alone");
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
        let ratings = Ratings::of(3, 0, &played, 0.0).expect("ratings");
        let (difference, error) = ratings.difference(1, 2);
        missed += u32::from(2.0 * probability_below(-(difference / error).abs()) < 0.05);
    }
    // 100 are expected with a standard deviation of 10.
    assert!((60..=140).contains(&missed), "{missed} of {runs}");
}

fn results() -> impl Strategy<Value = Vec<Games>> {
    let pairing = (0_usize..5, 0_usize..5, 1_u32..40, 0_u32..4, 1_u32..40);
    prop::collection::vec(pairing, 1..15).prop_map(|mut rows| {
        // A ring of pairings, so that every rating is finite without a prior.
        rows.extend((0..5).map(|player| (player, (player + 1) % 5, 7, 1, 5)));
        let of = |(player, opponent, wins, draws, losses): (usize, usize, u32, u32, u32)| {
            games(player, opponent, [wins.into(), draws.into(), losses.into()])
        };
        rows.into_iter().map(of).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn differences_do_not_depend_on_the_anchor(games in results(), anchor in 1_usize..5) {
        let one = Ratings::of(5, 0, &games, 0.0).expect("ratings");
        let other = Ratings::of(5, anchor, &games, 0.0).expect("ratings");
        for a in 0..5 {
            for b in 0..5 {
                let ((x, x_error), (y, y_error)) = (one.difference(a, b), other.difference(a, b));
                prop_assert!((x - y).abs() < 1e-6 && (x_error - y_error).abs() < 1e-6, "{x} {y} {x_error} {y_error}");
            }
        }
    }

    #[test]
    fn the_order_of_results_and_their_splitting_change_no_bit(games in results(), turn in any::<prop::sample::Index>()) {
        let one = Ratings::of(5, 0, &games, 2.0).expect("ratings");
        let mut turned = games.clone();
        turned.rotate_left(turn.index(games.len()));
        let half = |games: &Games| Games { points: games.points / 2.0, games: games.games / 2.0, ..*games };
        let split: Vec<Games> = turned.iter().rev().flat_map(|games| [half(games), half(games)]).collect();
        prop_assert_eq!(&one, &Ratings::of(5, 0, &turned, 2.0).expect("ratings"));
        prop_assert_eq!(&one, &Ratings::of(5, 0, &split, 2.0).expect("ratings"));
    }
}

/// Seven equal players of whom one is absent on a size: the six others have as many free ratings less one.
#[test]
fn players_without_games_take_no_degree_of_freedom() {
    let ring: Vec<Games> = (0..6).flat_map(|a| (0..a).map(move |b| games(a, b, [5.0, 0.0, 5.0]))).collect();
    let fit = Ratings::of(9, 0, &ring, 2.0).expect("ratings").fit.expect("more pairings than ratings");
    assert_eq!(fit.degrees, 15 - 5);
}
