//! Whether a machine chose which games it delivered. The test compares games that the machine delivered with games of
//! pairs that it let go and that other machines finished.

use crate::residual::log_chance_beyond;
use std::ops::AddAssign;

/// The chance that any machine is ever marked without cause, over the whole fleet.
const FALSE_ALARM: f64 = 0.001;

/// The test statistic of a machine, summed over cells and colours.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct LeftSum {
    /// Games that the machine delivered in cells where others finished pairs that it let go.
    pub own_games: i64,
    /// The case's half-points in its own games.
    pub own_points: i64,
    /// Games of pairs that the machine let go and others finished.
    pub left_games: i64,
    /// The case's half-points in the games of pairs let go.
    pub left_points: i64,
    /// Points of the case in the machine's own games, minus the expected points.
    pub excess: f64,
    /// The variance of the excess.
    pub variance: f64,
}

/// The excess and its variance for one cell and one colour of the case. The arguments are losses, draws and wins of the
/// case in the machine's own games, and in games of pairs that it let go.
///
/// A machine that did not choose by results delivered a random sample of the games. Of n games with S points in all and
/// a score variance of v, its n₁ own games have s points. The excess s − n₁·S/n then has mean 0 and variance
/// n₁·(n − n₁)·v / (n − 1). Source: Mantel, "Chi-square tests with one degree of freedom: extensions of the
/// Mantel-Haenszel procedure", J. Amer. Statist. Assoc. 58 (1963).
pub fn excess(own: [i64; 3], left: [i64; 3]) -> (f64, f64) {
    let games = |of: [i64; 3]| of.iter().sum::<i64>() as f64;
    let points = |of: [i64; 3]| of[1] as f64 / 2.0 + of[2] as f64;
    let squares = |of: [i64; 3]| of[1] as f64 / 4.0 + of[2] as f64;
    let (mine, others) = (games(own), games(left));
    let all = mine + others;
    if mine == 0.0 || others == 0.0 {
        return (0.0, 0.0);
    }
    let rate = (points(own) + points(left)) / all;
    let variance = ((squares(own) + squares(left)) / all - rate * rate).max(0.0);
    (points(own) - mine * rate, mine * others * variance / (all - 1.0))
}

impl AddAssign for LeftSum {
    fn add_assign(&mut self, more: Self) {
        self.own_games += more.own_games;
        self.own_points += more.own_points;
        self.left_games += more.left_games;
        self.left_points += more.left_points;
        self.excess += more.excess;
        self.variance += more.variance;
    }
}

impl LeftSum {
    /// Whether chance does not explain the excess. The bound corrects for the number of machines and for repeated
    /// tests: the test after the n-th game let go uses the share 1 / (n (n + 1)) of the allowed chance of a false
    /// alarm, and these shares add up to 1.
    ///
    /// Without draws, the wins among the own games have the distribution of a sum of independent draws with the same variance
    /// (Vatutin, Mikhailov 1982). So Bennett's inequality holds however few the wins or losses are.
    pub fn is_no_chance(&self, machines: u64) -> bool {
        if self.variance <= 0.0 || self.left_games <= 0 {
            return false;
        }
        let n = self.left_games as f64;
        let share = FALSE_ALARM / (machines.max(1) as f64 * n * (n + 1.0));
        log_chance_beyond(self.excess.abs(), self.variance) <= share.ln()
    }

    /// Describes the excess in words.
    pub fn words(&self) -> String {
        let rate = |points: i64, games: i64| 50.0 * points as f64 / games.max(1) as f64;
        let favoured = if self.excess > 0.0 { "case" } else { "baseline" };
        format!(
            "it seems to choose what it delivers, in favour of the {favoured}: in {} that it let go and others \
             finished the case scored {:.0} %, in {} of its own in the same cells {:.0} %",
            crate::counted(self.left_games.unsigned_abs(), "game"),
            rate(self.left_points, self.left_games),
            crate::count(self.own_games.unsigned_abs()),
            rate(self.own_points, self.own_games),
        )
    }
}

/// The lowest and highest rate that a cell could have: with all `missing` pairs lost, and with all of them won. None
/// when no pair is missing.
pub fn missing_bounds(rate: Option<f64>, pairs: u64, missing: u64) -> Option<(f64, f64)> {
    if missing == 0 {
        return None;
    }
    let (pairs, missing) = (pairs as f64, missing as f64);
    let points = rate.unwrap_or(0.0) * pairs;
    Some((points / (pairs + missing), (points + missing) / (pairs + missing)))
}

/// Describes [`missing_bounds`] in words.
pub fn missing_words((low, high): (f64, f64), missing: u64, aside: u64) -> String {
    let pairs = if missing == 1 { "1 pair is" } else { &format!("{} pairs are", crate::count(missing)) };
    let aside = if aside > 0 { format!(", {aside} of them set aside") } else { String::new() };
    // Rounded outwards, so that the printed range contains the exact bounds.
    let (low, high) = ((100.0 * low).floor(), (100.0 * high).ceil());
    let them = if missing == 1 { "it" } else { "they" };
    format!("{pairs} missing{aside}: between {low:.0} and {high:.0} %, whatever {them} would have been")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(strata: &[([i64; 3], [i64; 3])]) -> LeftSum {
        let mut sum = LeftSum::default();
        for (own, left) in strata {
            let (more, variance) = excess(*own, *left);
            sum.excess += more;
            sum.variance += variance;
            sum.own_games += own.iter().sum::<i64>();
            sum.own_points += own[1] + 2 * own[2];
            sum.left_games += left.iter().sum::<i64>();
            sum.left_points += left[1] + 2 * left[2];
        }
        sum
    }

    #[test]
    fn the_excess_is_that_of_drawing_without_replacement() {
        // 3 wins in 4 own games, and 1 win in 4 others: the mean is 2, and the variance 4·4·(1/4)/7.
        let (excess, variance) = excess([1, 0, 3], [3, 0, 1]);
        assert!((excess - 1.0).abs() < 1e-12 && (variance - 4.0 / 7.0).abs() < 1e-12, "{excess} {variance}");
        assert_eq!(super::excess([1, 2, 3], [0, 0, 0]), (0.0, 0.0));
        assert_eq!(super::excess([0, 0, 5], [0, 0, 7]).1, 0.0);
    }

    #[test]
    fn who_drops_lost_games_is_marked_early_and_who_drops_at_random_never() {
        let first = (1..).find(|n| sum(&[([0, 0, *n], [*n, 0, 0])]).is_no_chance(100));
        assert!(first == Some(84), "{first:?}");
        // In a cell with results falsified by another machine, an honest machine's own games and the games of pairs
        // that it let go have similar rates.
        assert!(!sum(&[([50, 0, 50], [55, 0, 45]), ([90, 0, 10], [20, 0, 0])]).is_no_chance(1));
        // The test is two-sided.
        let baseline = sum(&[([120, 0, 0], [0, 0, 120])]);
        assert!(baseline.is_no_chance(1000));
        assert!(baseline.words().contains("in favour of the baseline"), "{}", baseline.words());
    }

    #[test]
    fn the_only_loss_of_a_cell_marks_nobody() {
        // Somebody else finds it in one of a thousand cells like this one.
        assert!(!sum(&[([0, 0, 1000], [1, 0, 0])]).is_no_chance(1));
        assert!(!sum(&[([0, 0, 1000], [1, 0, 0]), ([0, 0, 1000], [1, 0, 0])]).is_no_chance(1));
    }

    #[test]
    fn chance_alone_marks_hardly_anybody_however_often_it_is_looked_at() {
        // Both games of a pair have the same result, which is the strongest dependence.
        let mut random = 7_u64;
        let mut marked = 0;
        for _ in 0..2_000 {
            let mut strata = [([0; 3], [0; 3]); 2];
            let mut ever = false;
            for _ in 0..60 {
                random =
                    random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                // The high bits: the low ones of this generator repeat early.
                let (own, won) = (random >> 63 == 0, if random >> 62 & 1 == 0 { 0 } else { 2 });
                for stratum in &mut strata {
                    let of = if own { &mut stratum.0 } else { &mut stratum.1 };
                    of[won] += 1;
                }
                ever |= sum(&strata).is_no_chance(1);
            }
            marked += u32::from(ever);
        }
        // The expected number is at most 0.1 % of 2000, which is 2; 8 or more have a chance of about 1 in 1000.
        assert!(marked < 8, "{marked} of 2000");
    }

    #[test]
    fn missing_pairs_could_have_been_all_lost_or_all_won() {
        assert_eq!(missing_bounds(Some(0.5), 10, 0), None);
        let bounds = missing_bounds(Some(0.5), 95, 5).expect("some are missing");
        assert!((bounds.0 - 0.475).abs() < 1e-12 && (bounds.1 - 0.525).abs() < 1e-12, "{bounds:?}");
        assert_eq!(
            missing_words(bounds, 5, 2),
            "5 pairs are missing, 2 of them set aside: between 47 and 53 %, whatever they would have been"
        );
        assert_eq!(
            missing_words((0.0, 1.0), 1, 0),
            "1 pair is missing: between 0 and 100 %, whatever it would have been"
        );
        assert_eq!(missing_bounds(None, 0, 3), Some((0.0, 1.0)));
    }
}
