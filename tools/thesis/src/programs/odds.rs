//! The rule that says which program the points of a figure resemble, and how often chance alone satisfies it.

use engine::havannah::BoardSize;
use engine::rng::Rng;
use stats::{Rate, Resemblance, quantile, resemblance};
use std::collections::BTreeSet;

/// Odds from which a figure is said to resemble one of the programs.
pub(crate) const CLEAR: f64 = 20.0;
/// How many figures of equal rates are simulated for each figure.
pub(crate) const SIMULATIONS: u32 = 1000;

/// A point: its size, the rates of both programs, and the published one.
pub(crate) type Point = (BoardSize, ([Rate; 2], Rate));

/// What the points of a figure say about the two programs.
pub(crate) struct Odds {
    pub(crate) found: Resemblance,
    /// The program that is nearer.
    pub(crate) nearer: usize,
    /// The natural logarithm of the odds for the nearer program: the smallest, when any one size is left out.
    pub(crate) ln_odds: f64,
}

impl Odds {
    /// None if no point says something.
    pub(crate) fn of(points: &[Point]) -> Option<Self> {
        let without = |size: Option<BoardSize>| {
            let kept = points.iter().filter(|(of, _)| Some(*of) != size).map(|(_, rates)| *rates);
            resemblance(&kept.collect::<Vec<_>>())
        };
        let found = without(None)?;
        let nearer = usize::from(found.ln_odds < 0.0);
        let towards = |found: Resemblance| if nearer == 0 { found.ln_odds } else { -found.ln_odds };
        let sizes: BTreeSet<BoardSize> = points.iter().map(|(size, _)| *size).collect();
        let rests = sizes.into_iter().map(|size| without(Some(size)).map_or(0.0, towards));
        Some(Self { found, nearer, ln_odds: rests.fold(towards(found), f64::min) })
    }

    /// Whether the points are clear about the nearer program.
    pub(crate) fn clear(&self) -> bool {
        self.ln_odds >= CLEAR.ln()
    }
}

/// The share of figures that are clear although both programs and the publication have the same true rates: those of all games of each
/// point. Errors are normal, and every simulation repeats exactly.
pub(crate) fn clear_by_chance(points: &[Point]) -> f64 {
    let mut rng = Rng::new(1);
    let mut simulated = |rate: f64, of: &Rate| {
        let uniform = (f64::from(rng.below(1 << 30)) + 0.5) / f64::from(1 << 30);
        let error = quantile(uniform).expect("inside of the unit interval");
        let wins = of.games * rate + error * (of.games * rate * (1.0 - rate)).sqrt();
        Rate { rate: (wins.round() / of.games).clamp(0.0, 1.0), ..*of }
    };
    let mut figure = || {
        let point = |(size, (ours, published)): &Point| {
            let all = [&ours[0], &ours[1], published];
            let games: f64 = all.iter().map(|one| one.games).sum();
            let rate = all.iter().map(|one| one.games * one.rate).sum::<f64>() / games;
            let [first, second, published] = all.map(|one| simulated(rate, one));
            (*size, ([first, second], published))
        };
        Odds::of(&points.iter().map(point).collect::<Vec<_>>()).is_some_and(|odds| odds.clear())
    };
    f64::from((0..SIMULATIONS).map(|_| u32::from(figure())).sum::<u32>()) / f64::from(SIMULATIONS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(size: u8, rates: [f64; 2], games: f64) -> Point {
        let rate = |rate| Rate::published(rate, games, 0.95).expect("a confidence");
        (BoardSize::new(size).expect("a size"), (rates.map(rate), rate(0.5)))
    }

    #[test]
    fn no_single_size_makes_a_figure_clear() {
        let mut points: Vec<Point> = (4..8).map(|size| point(size, [0.5, 0.51], 300.0)).collect();
        points.push(point(8, [0.5, 0.9], 300.0));
        let odds = Odds::of(&points).expect("points");
        assert!(odds.nearer == 0 && odds.found.ln_odds > CLEAR.ln() && !odds.clear(), "{}", odds.ln_odds);
        points.push(point(9, [0.5, 0.8], 300.0));
        assert!(Odds::of(&points).is_some_and(|odds| odds.clear()));
    }

    #[test]
    fn equal_rates_are_rarely_clear_and_never_with_one_size() {
        let points: Vec<Point> = (4..=10).map(|size| point(size, [0.4, 0.7], 200.0)).collect();
        let chance = clear_by_chance(&points);
        assert!(chance > 0.0 && chance < 0.15, "{chance}");
        assert_eq!(clear_by_chance(&points[..1]), 0.0);
    }
}
