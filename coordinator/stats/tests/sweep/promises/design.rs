//! Designs of sweeps, and their games.

use crate::random::Random;
use stats::sweep::Row;
use stats::{
    JointCounts, PairCounts, RateEstimate, Unfinished, Value, agreement, average_over_sizes, summary,
};

/// How the true strengths of cases differ.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Truth {
    Equal,
    /// One case in ten is better.
    Few,
    /// A smooth peak between the second and the third value.
    Smooth,
    /// A peak that rises slowly and falls fast.
    Skewed,
    /// Every second case is better on the first size and worse on the last.
    Opposite,
}

/// What ends cells before all their pairs are played.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Ending {
    /// Nothing: the number of games is fixed beforehand.
    Plan,
    /// A rule ends each cell where its e-value against 50 % reaches 20.
    EValue,
    /// A race ends each case that two standard errors separate from the best one.
    Race,
}

pub(crate) struct Design {
    pub(crate) name: &'static str,
    pub(crate) truth: Truth,
    pub(crate) cases: usize,
    /// The logit of the mean rate on each size.
    pub(crate) sizes: &'static [f64],
    pub(crate) pairs: usize,
    /// The advantage of the first move in logits.
    pub(crate) first_move: f64,
    pub(crate) draws: f64,
    /// How often a game of every case is decided by the same random number.
    pub(crate) shared: f64,
    /// The part of the cells that is missing.
    pub(crate) missing: f64,
    /// Whether some cases have a quarter of the pairs.
    pub(crate) uneven: bool,
    /// Looks on the way.
    pub(crate) looks: usize,
    pub(crate) ending: Ending,
}

const PLAIN: Design = Design {
    name: "equal cases",
    truth: Truth::Equal,
    cases: 12,
    sizes: &[0.0, 0.2],
    pairs: 100,
    first_move: 0.4,
    draws: 0.0,
    shared: 0.0,
    missing: 0.0,
    uneven: false,
    looks: 12,
    ending: Ending::Plan,
};

pub(crate) const DESIGNS: &[Design] = &[
    PLAIN,
    Design { name: "equal cases, five pairs a cell", pairs: 5, looks: 5, ..PLAIN },
    Design {
        name: "equal cases of 95 % on seven sizes, ten pairs",
        sizes: &[2.94; 7],
        pairs: 10,
        looks: 5,
        ..PLAIN
    },
    Design {
        name: "seven values without an effect, three pairs",
        cases: 7,
        sizes: &[0.0],
        pairs: 3,
        looks: 3,
        ..PLAIN
    },
    Design { name: "few winners", truth: Truth::Few, cases: 40, ..PLAIN },
    Design { name: "a smooth peak", truth: Truth::Smooth, cases: 7, ..PLAIN },
    Design { name: "a skewed peak", truth: Truth::Skewed, cases: 8, pairs: 300, ..PLAIN },
    Design { name: "opposite sizes", truth: Truth::Opposite, ..PLAIN },
    Design {
        name: "a fifth of the cells missing, sizes of 70, 55 and 35 %",
        sizes: &[0.85, 0.2, -0.6],
        missing: 0.2,
        ..PLAIN
    },
    Design { name: "uneven games and a strong first move", uneven: true, first_move: 1.5, ..PLAIN },
    Design { name: "draws", draws: 0.4, ..PLAIN },
    Design { name: "common luck", shared: 0.6, ..PLAIN },
    Design { name: "common luck and few winners", shared: 0.4, truth: Truth::Few, ..PLAIN },
    Design { name: "equal cases, a rule ends cells", ending: Ending::EValue, ..PLAIN },
    Design {
        name: "opposite sizes, a rule ends cells",
        truth: Truth::Opposite,
        ending: Ending::EValue,
        ..PLAIN
    },
    Design { name: "equal cases, a race", ending: Ending::Race, ..PLAIN },
    Design {
        name: "few winners, common luck, a race",
        truth: Truth::Few,
        cases: 20,
        shared: 0.4,
        ending: Ending::Race,
        ..PLAIN
    },
];

/// A sweep with its truth.
pub(crate) struct Played {
    /// The rows after each look.
    pub(crate) looks: Vec<Vec<Row>>,
    /// The true rate of each case on each size.
    pub(crate) rates: Vec<Vec<f64>>,
}

impl Design {
    /// Strength of a case on a size, relative to the size's.
    fn strength(&self, case: usize, size: usize) -> f64 {
        let x = case as f64;
        match self.truth {
            Truth::Equal => 0.0,
            Truth::Few => 0.5 * f64::from(u8::from(case.is_multiple_of(10))),
            Truth::Smooth => -0.05 * (x - 2.4).powi(2),
            Truth::Skewed => {
                if x < 5.3 {
                    0.08 * (x - 5.3)
                } else {
                    -0.6 * (x - 5.3)
                }
            }
            Truth::Opposite if case.is_multiple_of(2) => [0.6, -0.6][size % 2],
            Truth::Opposite => 0.0,
        }
    }

    /// The place of the peak, where there is one.
    pub(crate) fn peak(&self) -> Option<f64> {
        match self.truth {
            Truth::Smooth => Some(2.4),
            Truth::Skewed => Some(5.3),
            _ => None,
        }
    }

    pub(crate) fn play(&self, seed: u64) -> Played {
        let mut random = Random(seed.wrapping_mul(0x5851_f42d_4c95_7f2d) ^ 0x1234);
        let chance = |logit: f64| 1.0 / (1.0 + (-logit).exp());
        let chances = |case: usize, size: usize| {
            let middle = self.sizes[size] + self.strength(case, size);
            [chance(middle + self.first_move), chance(middle - self.first_move)]
        };
        let cells: Vec<(usize, usize)> = (0..self.cases)
            .flat_map(|case| (0..self.sizes.len()).map(move |size| (case, size)))
            .filter(|_| self.missing == 0.0 || random.uniform() >= self.missing)
            .collect();
        let mut scores: Vec<Vec<usize>> = vec![Vec::new(); cells.len()];
        for _ in 0..self.pairs {
            let openings: Vec<[f64; 2]> =
                self.sizes.iter().map(|_| [random.uniform(), random.uniform()]).collect();
            for ((case, size), scores) in cells.iter().zip(&mut scores) {
                let half_points = [0, 1].map(|half| {
                    let at =
                        if random.uniform() < self.shared { openings[*size][half] } else { random.uniform() };
                    let win = (1.0 - self.draws) * chances(*case, *size)[half];
                    if at < win {
                        2
                    } else if at < win + self.draws {
                        1
                    } else {
                        0
                    }
                });
                scores.push(PairCounts::category(half_points[0], half_points[1]));
            }
        }
        let planned = |case: usize, pairs: usize| match self.uneven && case.is_multiple_of(3) {
            true => pairs.div_ceil(4),
            false => pairs,
        };
        let counted = |place: usize, pairs: usize| {
            let mut counts = PairCounts::default();
            scores[place][..planned(cells[place].0, pairs)].iter().for_each(|category| counts.add(*category));
            counts
        };
        let looks: Vec<usize> =
            (1..=self.looks).map(|look| (self.pairs * look / self.looks).max(1)).collect();
        let ends = self.ends(&cells, &looks, &counted);
        let rows = |pairs: usize| -> Vec<Row> {
            let agreements: Vec<f64> = (0..self.sizes.len())
                .map(|size| {
                    let on: Vec<&Vec<usize>> = cells
                        .iter()
                        .zip(&scores)
                        .filter(|((_, of), _)| *of == size)
                        .map(|(_, of)| of)
                        .collect();
                    let half = on.len() / 2;
                    let two = |first: usize| joint(on[first], on[first + half], pairs);
                    let most = if half > 0 { 6 } else { 0 };
                    agreement(&(0..on.len() - half).take(most).map(two).collect::<Vec<_>>())
                })
                .collect();
            let row = |(place, (case, size)): (usize, &(usize, usize))| Row {
                case: format!("c{case}"),
                against: "baseline".to_owned(),
                budget: String::new(),
                size: *size as u8 + 4,
                weight: 1.0,
                counts: counted(place, pairs.min(ends[place])),
                unfinished: Unfinished::default(),
                agreement: agreements[*size],
                parameters: [("x".to_owned(), Value::Number(*case as f64))].into(),
            };
            cells.iter().enumerate().map(row).collect()
        };
        let rate = |case: usize, size: usize| {
            (1.0 - self.draws) * chances(case, size).iter().sum::<f64>() / 2.0 + self.draws / 2.0
        };
        Played {
            looks: looks.iter().map(|pairs| rows(*pairs)).collect(),
            rates: (0..self.cases)
                .map(|case| (0..self.sizes.len()).map(|size| rate(case, size)).collect())
                .collect(),
        }
    }
}

impl Design {
    /// After how many pairs each cell ends.
    fn ends(
        &self,
        cells: &[(usize, usize)],
        looks: &[usize],
        counted: &impl Fn(usize, usize) -> PairCounts,
    ) -> Vec<usize> {
        let mut ends = vec![self.pairs; cells.len()];
        for pairs in looks {
            let average = |case: usize| {
                let own = (0..cells.len()).filter(|place| cells[*place].0 == case);
                let of = |place: usize| RateEstimate::of(&counted(place, (*pairs).min(ends[place])));
                average_over_sizes(&own.filter_map(of).map(|rate| (rate, 1.0)).collect::<Vec<_>>())
            };
            let rates: Vec<Option<RateEstimate>> = (0..self.cases).map(average).collect();
            let best = rates.iter().flatten().copied().max_by(|a, b| a.rate.total_cmp(&b.rate));
            let is_behind = |case: usize| {
                best.zip(rates[case]).is_some_and(|(best, own)| {
                    best.rate - own.rate > 2.0 * (best.variance + own.variance).sqrt()
                })
            };
            let is_over = |place: usize| match self.ending {
                Ending::Plan => false,
                Ending::EValue => {
                    summary(&counted(place, *pairs), 0.95).is_some_and(|cell| cell.log_e_value >= 20_f64.ln())
                }
                Ending::Race => is_behind(cells[place].0),
            };
            let over: Vec<bool> = (0..cells.len()).map(is_over).collect();
            ends.iter_mut()
                .zip(over)
                .filter(|(end, over)| *over && **end > *pairs)
                .for_each(|(end, _)| *end = *pairs);
        }
        ends
    }
}

fn joint(one: &[usize], other: &[usize], pairs: usize) -> JointCounts {
    let quarters = [0, 1, 2, 2, 3, 4];
    let mut counts = JointCounts::default();
    one.iter().zip(other).take(pairs).for_each(|(a, b)| counts[quarters[*a]][quarters[*b]] += 1);
    counts
}
