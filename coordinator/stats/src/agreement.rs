//! Whether machines agree on the simulations that a player makes per move.
//!
//! Levels are natural logarithms in whole thousandths, so that sums of them are exact. Each machine has one vote,
//! however many games it plays: a machine that plays most of the games must not define the consensus.

use std::ops::{AddAssign, Neg};

/// Machines agree when their levels differ by at most this, a factor of 2. Honest differences are smaller: speeds are
/// measured to within about 1.1, builds for different instruction sets differ by 1.3, and games of different lengths on
/// one board differ by up to 1.5.
const AGREEMENT: i64 = 693;

/// Number of machines that must have played before any is compared. Between two machines, neither can be called wrong.
const FEWEST_MACHINES: usize = 3;

/// The mean logarithm of ratios; none without ratios.
#[must_use]
pub fn level(ratios: impl IntoIterator<Item = f64>) -> Option<i64> {
    let (mut sum, mut number) = (0.0, 0_u32);
    for ratio in ratios {
        sum += ratio.max(f64::MIN_POSITIVE).ln();
        number += 1;
    }
    (number > 0).then(|| (1000.0 * sum / f64::from(number)).round() as i64)
}

/// The level on which machines agree: the median of their means, if there are at least three machines and more than
/// half of the means are within a factor of 2 of the median.
#[must_use]
pub fn agreed(means: &[i64]) -> Option<i64> {
    let mut sorted = means.to_vec();
    sorted.sort_unstable();
    let middle = sorted.len() / 2;
    if sorted.len() < FEWEST_MACHINES {
        return None;
    }
    let median =
        if sorted.len() % 2 == 1 { sorted[middle] } else { (sorted[middle - 1] + sorted[middle]) / 2 };
    let near = sorted.iter().filter(|mean| (*mean - median).abs() <= AGREEMENT).count();
    (2 * near > sorted.len()).then_some(median)
}

/// A game is out of bounds when its ratio of case to baseline differs from the consensus by more than this, a factor of
/// 3. On one machine, the ratio varies by 1.02 to 1.15 between games of one kind.
pub const OFF_RATIO: i64 = 1099;

/// The bound for one side's level by itself, a factor of 4. The bound is wider because late moves are faster, so that
/// the level depends on the length of the game.
pub const OFF_LEVEL: i64 = 1386;

/// A machine is biased when its games differ from the consensus by more than this on average, a factor of 1.5.
const BIAS: i64 = 405;

/// Number of compared games below which a machine is not called biased.
const FEWEST_GAMES: i64 = 20;

/// Whether a difference exceeds a bound in either direction.
#[must_use]
pub fn is_off(off: i64, most: i64) -> bool {
    off.unsigned_abs() > most.unsigned_abs()
}

/// A machine's games that were compared with games of other machines, and how far their ratios of case to baseline
/// differed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ComparedGames {
    /// Number of games.
    pub games: i64,
    /// The sum of the signed differences. A positive difference favours the case.
    pub off: i64,
    /// The sum of the absolute differences.
    pub off_size: i64,
}

impl ComparedGames {
    /// One game with this difference.
    #[must_use]
    pub fn of(off: i64) -> Self {
        Self { games: 1, off, off_size: off.abs() }
    }

    fn mean(self) -> i64 {
        self.off / self.games.max(1)
    }

    /// Whether the games differ by more than those of honest machines, by the signed or by the absolute mean. The
    /// absolute mean finds a machine that favours the case on one board and the baseline on another: it falsifies both
    /// results although its signed mean is right.
    #[must_use]
    pub fn is_biased(self) -> bool {
        self.games >= FEWEST_GAMES && (is_off(self.mean(), BIAS) || is_off(self.off_size / self.games, BIAS))
    }

    /// Describes the differences in words.
    #[must_use]
    pub fn words(self) -> String {
        let games = crate::counted(self.games.unsigned_abs(), "game");
        if is_off(self.mean(), BIAS) {
            let times = factor(self.mean());
            return format!(
                "over {games} the case had {times:.2} times as many simulations for one of the baseline as on other \
                 machines"
            );
        }
        let times = factor(self.off_size / self.games.max(1));
        format!(
            "over {games} the case's simulations for one of the baseline differ by a factor of {times:.2} from those \
             on other machines, in favour of the case in some games and of the baseline in others"
        )
    }
}

impl Neg for ComparedGames {
    type Output = Self;

    fn neg(self) -> Self {
        Self { games: -self.games, off: -self.off, off_size: -self.off_size }
    }
}

impl AddAssign for ComparedGames {
    fn add_assign(&mut self, more: Self) {
        self.games += more.games;
        self.off += more.off;
        self.off_size += more.off_size;
    }
}

/// Converts a difference of levels to a factor.
#[must_use]
pub fn factor(level: i64) -> f64 {
    (level as f64 / 1000.0).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_is_the_mean_of_logarithms() {
        assert_eq!(level([]), None);
        assert_eq!(level([1.0, 1.0]), Some(0));
        assert_eq!(level([2.0, 0.5]), Some(0));
        assert_eq!(level([10.0]), Some(2303));
        assert!((factor(2303) - 10.0).abs() < 0.01);
    }

    #[test]
    fn one_machine_among_three_is_outvoted_whatever_it_says() {
        for lie in [-1_000_000, -2303, 2303, 1_000_000] {
            let usual = agreed(&[0, 80, lie]).expect("two agree");
            assert!((0..=80).contains(&usual), "{lie}: {usual}");
        }
        assert_eq!(agreed(&[-2303, 0, 50, 100, 2303]), Some(50));
    }

    /// The worst honest fleet: five machines, two of them with builds that differ by 1.3 up and down, and the kind of
    /// game with the largest deviation measured. Of 100 000 games none is out of bounds, and no machine is called
    /// biased. For the two builds, the bound is 5.9 standard deviations away from the mean.
    #[test]
    fn honest_machines_are_never_biased_and_their_games_hardly_ever_out_of_bounds() {
        let (mut state, deviation) = (1_u64, 0.142 * 1000.0);
        let mut normal = || {
            let sum: f64 = (0..12)
                .map(|_| {
                    state =
                        state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    (state >> 11) as f64 / 2f64.powi(53)
                })
                .sum();
            (deviation * (sum - 6.0)).round() as i64
        };
        let builds = [262, -262, 0, 60, -60];
        let mut sums = [(0, 0); 5];
        let mut compared = [ComparedGames::default(); 5];
        let (mut apart, mut games) = (0, 0);
        for _ in 0..20_000 {
            for (machine, build) in builds.into_iter().enumerate() {
                let ratio = build + normal();
                let means: Vec<i64> = sums.iter().filter(|(n, _)| *n > 0).map(|(n, sum)| sum / n).collect();
                if let Some(usual) = agreed(&means) {
                    games += 1;
                    apart += u64::from(is_off(ratio - usual, OFF_RATIO));
                    compared[machine] += ComparedGames::of(ratio - usual);
                    assert!(!compared[machine].is_biased(), "{:?}", compared[machine]);
                }
                sums[machine] = (sums[machine].0 + 1, sums[machine].1 + ratio);
            }
        }
        assert!(games > 99_000, "{games}");
        assert_eq!(apart, 0, "of {games}");
    }

    #[test]
    fn nobody_is_right_where_half_of_the_machines_say_something_else() {
        assert_eq!(agreed(&[]), None);
        assert_eq!(agreed(&[5]), None);
        assert_eq!(agreed(&[0, 2303]), None, "one word against another");
        assert_eq!(agreed(&[0, 0]), None, "two that agree are no majority over a third that is missing");
        assert_eq!(agreed(&[0, 0, 2303, 2303]), None);
        assert_eq!(agreed(&[-2000, 0, 2000]), None, "each alone");
    }
}
