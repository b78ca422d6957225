//! Whether a machine chose which games it delivered. The test compares games that the machine delivered with games of pairs that
//! it abandoned and that other machines finished.

use crate::counts::PairCounts;
use crate::unfinished::Unfinished;
use statrs::function::gamma::ln_gamma;

/// The chance that any machine is ever marked without cause, over the whole fleet.
const FALSE_ALARM: f64 = 0.001;

/// A cell with one colour of the case.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AbandonedGames {
    /// 0 where the case plays White, 1 where it plays Black.
    pub half: usize,
    /// Losses, draws and wins of the case in games that the machine delivered.
    pub own: [i64; 3],
    /// The same in games of pairs that the machine abandoned and other machines finished.
    pub abandoned: [i64; 3],
}

/// Describes in words what a machine seems to choose.
#[must_use]
pub fn words(strata: &[AbandonedGames]) -> String {
    let games = |of: [i64; 3]| of.iter().sum::<i64>() as f64;
    let points = |of: [i64; 3]| of[1] as f64 / 2.0 + of[2] as f64;
    let sum = |term: &dyn Fn(&AbandonedGames) -> f64| strata.iter().map(term).sum::<f64>();
    let told = |of: &dyn Fn(&AbandonedGames) -> [i64; 3]| {
        let all = sum(&|stratum| games(of(stratum)));
        (all as u64, 100.0 * sum(&|stratum| points(of(stratum))) / all.max(1.0))
    };
    let ((own, own_rate), (abandoned, rate)) =
        (told(&|stratum| stratum.own), told(&|stratum| stratum.abandoned));
    // The points of its own games, minus their expected part of the points of all games.
    let excess = sum(&|AbandonedGames { own, abandoned, .. }| {
        let all = (games(*own) + games(*abandoned)).max(1.0);
        points(*own) - games(*own) * (points(*own) + points(*abandoned)) / all
    });
    let favoured = if excess > 0.0 { "case" } else { "baseline" };
    format!(
        "it seems to choose what it delivers, in favour of the {favoured}: in {} that it abandoned and others finished \
         the case scored {rate:.0} %, in {} of its own in the same cells {own_rate:.0} %",
        crate::counted(abandoned, "game"),
        crate::count(own),
    )
}

/// Whether the games that a machine abandoned are too one-sided for chance. The bound corrects for the number of machines and for
/// repeated tests: the k-th test uses the share 1 / (k (k + 1)) of the allowed chance of a false alarm, and these shares add up
/// to 1.
///
/// The abandoned games of a cell and a colour are a sample without replacement of all its games. So the points in all of one
/// colour have a known distribution, which is computed exactly: the test holds however few the wins or losses are. Both games of
/// a pair share an opening, and the two colours may depend on each other in any way; so the smallest of the four tails is four
/// times as probable at most.
#[must_use]
pub fn is_no_chance(strata: &[AbandonedGames], machines: u64, test: u64) -> bool {
    let test = test.max(1) as f64;
    let share = FALSE_ALARM / (machines.max(1) as f64 * test * (test + 1.0));
    [0, 1].into_iter().any(|half| {
        let of_colour = strata.iter().filter(|stratum| stratum.half == half);
        4.0 * smaller_tail(of_colour) <= share
    })
}

/// The most abandoned games with one colour that are tested, the first cells first: the time grows with the square of the number.
const MOST_TESTED: i64 = 2_000;

/// The chance that the points in the abandoned games are so few, or so many, whichever is smaller.
fn smaller_tail<'s>(strata: impl Iterator<Item = &'s AbandonedGames>) -> f64 {
    let (mut chances, mut points, mut games) = (vec![1.0], 0, 0);
    for AbandonedGames { own, abandoned, .. } in strata {
        let count = |of: &[i64; 3]| of.iter().sum::<i64>();
        if count(own) == 0 || count(abandoned) == 0 {
            continue;
        }
        games += count(abandoned);
        if games > MOST_TESTED {
            break;
        }
        points += (abandoned[1] + 2 * abandoned[2]) as usize;
        let more = points_of_sample(*own, *abandoned);
        let mut sums = vec![0.0; chances.len() + more.len() - 1];
        for (place, chance) in chances.iter().enumerate().filter(|(_, chance)| **chance > 0.0) {
            sums[place..].iter_mut().zip(&more).for_each(|(sum, more)| *sum += chance * more);
        }
        chances = sums;
    }
    let few: f64 = chances[..=points].iter().sum();
    // From the smallest terms on, which keeps the digits.
    let many: f64 = chances[points..].iter().rev().sum();
    few.min(many)
}

/// The chances of 0, 1, 2 … half-points in a sample without replacement from all games, as large as the abandoned games.
fn points_of_sample(own: [i64; 3], abandoned: [i64; 3]) -> Vec<f64> {
    let [losses, draws, wins] = [0, 1, 2].map(|place| own[place] + abandoned[place]);
    let (all, size) = (losses + draws + wins, abandoned.iter().sum::<i64>());
    let ln_choose = |of: i64, some: i64| {
        let ln_factorial = |n: i64| ln_gamma(n as f64 + 1.0);
        ln_factorial(of) - ln_factorial(some) - ln_factorial(of - some)
    };
    let ways = ln_choose(all, size);
    let mut chances = vec![0.0; 2 * size as usize + 1];
    for drawn in (size - losses - wins).max(0)..=draws.min(size) {
        for won in (size - losses - drawn).max(0)..=wins.min(size - drawn) {
            let lost = size - drawn - won;
            let log = ln_choose(losses, lost) + ln_choose(draws, drawn) + ln_choose(wins, won) - ways;
            chances[(drawn + 2 * won) as usize] += log.exp();
        }
    }
    chances
}

/// The lowest and highest rate that a cell could have: with all missing games lost, and with all of them won. None
/// when no pair is missing.
pub fn missing_bounds(counts: &PairCounts, unfinished: &Unfinished) -> Option<(f64, f64)> {
    let begun = unfinished.with(counts.points(), 2.0 * counts.pairs() as f64);
    (unfinished.pairs > 0).then(|| (begun.least / begun.games, begun.most / begun.games))
}

/// Describes [`missing_bounds`] in words.
pub fn missing_words((low, high): (f64, f64), missing: u64, aside: u64) -> String {
    let pairs = if missing == 1 { "1 pair is" } else { &format!("{} pairs are", crate::count(missing)) };
    let aside = if aside > 0 { format!(" ({} set aside)", crate::count(aside)) } else { String::new() };
    // Rounded outwards, so that the printed range contains the exact bounds.
    let (low, high) = ((100.0 * low).floor(), (100.0 * high).ceil());
    let (with, them) = if missing == 1 { ("it", "it ends") } else { ("them", "they end") };
    format!(
        "{pairs} begun and not finished{aside}: with {with} the rate is between {low:.0} and {high:.0} %, however {them}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How often a machine with so many games was tested: after ten, and then after ten and a fifth part more.
    fn tests_after(own: i64) -> u64 {
        let (mut tested, mut tests) = (0, 0);
        while own as f64 >= tested as f64 * 1.2 + 10.0 {
            (tested, tests) = ((tested as f64 * 1.2 + 10.0).ceil() as i64, tests + 1);
        }
        tests
    }

    fn both_colours(strata: &[([i64; 3], [i64; 3])]) -> Vec<AbandonedGames> {
        let colours = |(own, abandoned)| [0, 1].map(|half| AbandonedGames { half, own, abandoned });
        strata.iter().copied().flat_map(colours).collect()
    }

    /// A machine with these games of both colours, after its last test.
    fn is_marked(strata: &[([i64; 3], [i64; 3])], machines: u64) -> bool {
        let own = 2 * strata.iter().map(|(own, _)| own.iter().sum::<i64>()).sum::<i64>();
        is_no_chance(&both_colours(strata), machines, tests_after(own))
    }

    #[test]
    fn the_points_of_a_sample_have_the_multivariate_hypergeometric_distribution() {
        // Two of five games: a loss, a draw and three wins. Of the ten samples, one is the loss and the draw.
        let chances = points_of_sample([0, 1, 2], [1, 0, 1]);
        let expected = [0.0, 0.1, 0.3, 0.3, 0.3];
        assert!(chances.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{chances:?}");
        let games = |half, own, abandoned| AbandonedGames { half, own, abandoned };
        let strata =
            [games(0, [0, 1, 2], [1, 0, 1]), games(0, [1, 0, 1], [1, 0, 1]), games(0, [1, 0, 1], [0, 0, 0])];
        // The second cell scores 0, 2 and 4 with the chances 1, 4 and 1 of 6; observed are 2 half-points in each, so 4 or fewer
        // are 1 and anything but 4, 2 and anything but 4, 3 or 4 and 0.
        let few = (0.1 + 0.3) * 5.0 / 6.0 + (0.3 + 0.3) / 6.0;
        assert!(
            (smaller_tail(strata.iter()) - few).abs() < 1e-12,
            "{} is not {few}",
            smaller_tail(strata.iter())
        );
    }

    #[test]
    fn who_drops_lost_games_is_marked_early_and_who_drops_at_random_never() {
        let first = (1..).find(|n| is_marked(&[([0, 0, *n], [*n, 0, 0])], 100));
        assert!(first.is_some_and(|n| n <= 16), "{first:?}");
        // In a cell with results falsified by another machine, an honest machine's own games and the games of pairs that it
        // abandoned have similar rates.
        assert!(!is_marked(&[([50, 0, 50], [55, 0, 45]), ([90, 0, 10], [20, 0, 0])], 1));
        // The test is two-sided.
        assert!(is_marked(&[([120, 0, 0], [0, 0, 120])], 1000));
        let words = words(&both_colours(&[([60, 0, 0], [0, 20, 40])]));
        assert_eq!(
            words,
            "it seems to choose what it delivers, in favour of the baseline: in 120 games that it abandoned and others \
             finished the case scored 83 %, in 120 of its own in the same cells 0 %"
        );
    }

    /// The case scores 83 %. The machine abandons three of ten losses, so that its own games show 87.4 %.
    #[test]
    fn who_drops_lost_games_of_a_lopsided_cell_is_marked_within_500_games() {
        let first = (1..).find(|left: &i64| {
            let own = (*left as f64 / 0.0537).round() as i64;
            let wins = (0.874 * own as f64).round() as i64;
            is_marked(&[([own - wins, 0, wins], [*left, 0, 0])], 100)
        });
        let own = first.map(|left| 2.0 * left as f64 / 0.0537);
        assert!(own.is_some_and(|own| own < 500.0), "{own:?} games");
    }

    #[test]
    fn the_only_loss_of_a_cell_marks_nobody() {
        // Another machine would have it in one of a thousand cells like this one.
        assert!(!is_marked(&[([0, 0, 1000], [1, 0, 0])], 1));
    }

    #[test]
    fn chance_alone_marks_hardly_anybody_however_often_it_is_looked_at() {
        // Both games of a pair have the same result, which is the strongest dependence. One cell is even, one lopsided.
        let mut random = 7_u64;
        let mut marked = 0;
        for _ in 0..2_000 {
            let mut strata = [([0; 3], [0; 3]); 2];
            let (mut ever, mut tests) = (false, 0);
            for _ in 0..60 {
                for (stratum, lost) in strata.iter_mut().zip([8, 3]) {
                    random = random
                        .wrapping_mul(6_364_136_223_846_793_005)
                        .wrapping_add(1_442_695_040_888_963_407);
                    // The high bits: the low ones of this generator repeat early.
                    let (own, won) = (random >> 63 == 0, if random >> 59 & 15 < lost { 0 } else { 2 });
                    let of = if own { &mut stratum.0 } else { &mut stratum.1 };
                    of[won] += 1;
                }
                let due = tests_after(2 * strata.iter().map(|(own, _)| own.iter().sum::<i64>()).sum::<i64>());
                if due > tests {
                    tests = due;
                    ever |= is_marked(&strata, 1);
                }
            }
            marked += u32::from(ever);
        }
        // The expected number is at most 0.1 % of 2000, which is 2; 8 or more have a chance of about 1 in 1000.
        assert!(marked < 8, "{marked} of 2000");
    }

    #[test]
    fn missing_pairs_could_have_been_all_lost_or_all_won() {
        let of = |won, missing, games| {
            let counts = PairCounts { ww: won, ll: won, ..PairCounts::default() };
            missing_bounds(&counts, &Unfinished { pairs: missing, games })
        };
        assert_eq!(of(5, 0, [0; 3]), None);
        let bounds = of(50, 5, [0; 3]).expect("some are missing");
        assert!(
            (bounds.0 - 50.0 / 105.0).abs() < 1e-12 && (bounds.1 - 55.0 / 105.0).abs() < 1e-12,
            "{bounds:?}"
        );
        // Two games of four are known, and one of them is won.
        assert_eq!(of(1, 2, [1, 0, 1]), Some((3.0 / 8.0, 5.0 / 8.0)));
        assert_eq!(
            missing_words(bounds, 5, 2),
            "5 pairs are begun and not finished (2 set aside): with them the rate is between 47 and 53 %, however they end"
        );
        assert_eq!(
            missing_words((0.0, 1.0), 1, 0),
            "1 pair is begun and not finished: with it the rate is between 0 and 100 %, however it ends"
        );
        assert_eq!(of(0, 3, [0; 3]), Some((0.0, 1.0)));
    }
}
