//! Whether machines agree on how much a player thinks.
//!
//! Numbers are thousandths of a natural logarithm, so that their sums are exact. Machines have one vote each, however
//! many games they play: who plays most of the games must not decide what is usual.

use std::ops::{AddAssign, Neg};

/// Machines agree that differ by up to this: a factor of 2. Speeds are measured to about 1.1 and builds for other
/// instructions differ by 1.3; games of other lengths on one board differ by up to 1.5.
const AGREEMENT: i64 = 693;

/// Machines that must have played before any is compared: of two nobody can say which is wrong.
const FEWEST_MACHINES: usize = 3;

/// The mean of logarithms of ratios; none of nothing.
#[must_use]
pub fn level(ratios: impl IntoIterator<Item = f64>) -> Option<i64> {
    let (mut sum, mut number) = (0.0, 0_u32);
    for ratio in ratios {
        sum += ratio.max(f64::MIN_POSITIVE).ln();
        number += 1;
    }
    (number > 0).then(|| (1000.0 * sum / f64::from(number)).round() as i64)
}

/// The level on which machines agree: the median of their means, if there are three machines at least and more than
/// half of them are within a factor of 2 of it.
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

/// A game is out of bounds whose ratio of case to baseline is off by more than this: a factor of 3. Over games of one kind
/// the ratio varies by 1.02 to 1.15 on one machine.
pub const OFF_RATIO: i64 = 1099;

/// The same of either side alone: a factor of 4. Late moves are faster, so that it depends on the length of the game.
pub const OFF_LEVEL: i64 = 1386;

/// A machine is biased whose games are off by more than this on average: a factor of 1.5.
const BIAS: i64 = 405;

/// Games of a machine below which it is not called biased.
const FEWEST_GAMES: i64 = 20;

/// Whether a difference is beyond a bound, to either side.
#[must_use]
pub fn is_off(off: i64, most: i64) -> bool {
    off.unsigned_abs() > most.unsigned_abs()
}

/// Games of a machine that were compared with those of other machines, and how far off their ratios of case to baseline were.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Compared {
    /// How many games.
    pub games: i64,
    /// The sum of how far off they were: above 0 in favour of the case.
    pub off: i64,
    /// The sum of how far off they were, whichever side they favoured.
    pub off_size: i64,
}

impl Compared {
    /// One game that is off by so much.
    #[must_use]
    pub fn of(off: i64) -> Self {
        Self { games: 1, off, off_size: off.abs() }
    }

    fn mean(self) -> i64 {
        self.off / self.games.max(1)
    }

    /// Whether the games are off by more than honest machines' games are: all to one side, or to either side. Who favours
    /// the case on one board and the baseline on another bends both results, though its mean is right.
    #[must_use]
    pub fn is_biased(self) -> bool {
        self.games >= FEWEST_GAMES && (is_off(self.mean(), BIAS) || is_off(self.off_size / self.games, BIAS))
    }

    /// How far off the games are, in words.
    #[must_use]
    pub fn words(self) -> String {
        let Self { games, .. } = self;
        if is_off(self.mean(), BIAS) {
            let times = factor(self.mean());
            return format!(
                "over {games} games the case had {times:.2} times as many simulations for one of the baseline as on other \
                 machines"
            );
        }
        let times = factor(self.off_size / games.max(1));
        format!(
            "over {games} games the case's simulations for one of the baseline differ by a factor of {times:.2} from those \
             on other machines, in favour of the case in some games and of the baseline in others"
        )
    }
}

impl Neg for Compared {
    type Output = Self;

    fn neg(self) -> Self {
        Self { games: -self.games, off: -self.off, off_size: -self.off_size }
    }
}

impl AddAssign for Compared {
    fn add_assign(&mut self, more: Self) {
        self.games += more.games;
        self.off += more.off;
        self.off_size += more.off_size;
    }
}

/// A difference of levels as a factor.
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

    /// The worst honest fleet: five machines, of which two have builds that differ by 1.3 in either direction, and the most
    /// restless kind of game that was measured. In 100 000 games none is out of bounds and no machine is called biased; a
    /// normal variable is that far off, 3.8 standard deviations, in fewer than one game of ten thousand, and of the
    /// usual kinds, with a third of the deviation, in none.
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
        let mut compared = [Compared::default(); 5];
        let (mut apart, mut games) = (0, 0);
        for _ in 0..20_000 {
            for (machine, build) in builds.into_iter().enumerate() {
                let ratio = build + normal();
                let means: Vec<i64> = sums.iter().filter(|(n, _)| *n > 0).map(|(n, sum)| sum / n).collect();
                if let Some(usual) = agreed(&means) {
                    games += 1;
                    apart += u64::from(is_off(ratio - usual, OFF_RATIO));
                    compared[machine] += Compared::of(ratio - usual);
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
