//! Designs of sweeps, and their games.

use crate::random::Random;
use stats::sweep::Row;
use stats::{
    JointCounts, PairCounts, RateEstimate, Unfinished, Value, agreement, average_over_sizes, summary,
};
use std::collections::BTreeMap;

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
    /// On a grid, one of the two parameters has an effect.
    OneEffect,
    /// On a grid, the parameters have an effect only together.
    Together,
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
    /// The values of the first of two parameters, whose grid the cases are; 0 if the cases are values of one parameter.
    pub(crate) columns: usize,
    /// The logit of the mean rate on each size.
    pub(crate) sizes: &'static [f64],
    pub(crate) pairs: usize,
    /// The advantage of the first move in logits.
    pub(crate) first_move: f64,
    pub(crate) draws: f64,
    /// How often a game of every case is decided by the same random number.
    pub(crate) shared: f64,
    /// What openings do: each adds or subtracts so many logits.
    pub(crate) favours: Favours,
    /// The part of the cells that is missing.
    pub(crate) missing: f64,
    /// Whether some cases have a quarter of the pairs.
    pub(crate) uneven: bool,
    /// Looks on the way.
    pub(crate) looks: usize,
    pub(crate) ending: Ending,
}

/// What openings favour, in logits.
#[derive(Clone, Copy)]
pub(crate) struct Favours {
    /// One colour.
    pub(crate) colour: f64,
    /// All cases, or the baseline, with both colours.
    pub(crate) cases: f64,
    /// One case, or the baseline, with both colours: pairs are correlated.
    pub(crate) own: f64,
}

const FAIR: Favours = Favours { colour: 0.0, cases: 0.0, own: 0.0 };

pub(crate) const PLAIN: Design = Design {
    name: "equal cases",
    truth: Truth::Equal,
    cases: 12,
    columns: 0,
    sizes: &[0.0, 0.2],
    pairs: 100,
    first_move: 0.4,
    draws: 0.0,
    shared: 0.0,
    favours: FAIR,
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
    Design {
        name: "openings that favour a colour, three sizes",
        favours: Favours { colour: 1.5, ..FAIR },
        sizes: &[0.0, 0.3, -0.3],
        ..PLAIN
    },
    Design {
        name: "openings that favour all cases or the baseline",
        favours: Favours { cases: 0.8, ..FAIR },
        sizes: &[0.0, 0.0],
        ..PLAIN
    },
    Design {
        name: "openings that favour single cases, correlated pairs",
        favours: Favours { own: 0.8, ..FAIR },
        ..PLAIN
    },
    Design {
        name: "biased openings, a smooth peak, three sizes",
        truth: Truth::Smooth,
        cases: 7,
        favours: Favours { colour: 1.0, cases: 0.6, own: 0.4 },
        sizes: &[0.0, 0.3, -0.3],
        ..PLAIN
    },
    Design { name: "a grid without an effect", columns: 4, ..PLAIN },
    Design { name: "a grid without an effect, five pairs", columns: 4, pairs: 5, looks: 5, ..PLAIN },
    Design { name: "a grid, one effect", truth: Truth::OneEffect, columns: 4, ..PLAIN },
    Design {
        name: "a grid, one effect, common luck",
        truth: Truth::OneEffect,
        columns: 4,
        shared: 0.6,
        ..PLAIN
    },
    Design {
        name: "a grid, an effect together only",
        truth: Truth::Together,
        cases: 16,
        columns: 4,
        ..PLAIN
    },
    Design { name: "equal cases, a rule ends cells", ending: Ending::EValue, ..PLAIN },
    Design { name: "common luck, a rule ends cells", shared: 0.6, ending: Ending::EValue, ..PLAIN },
    Design {
        name: "biased openings, a rule ends cells",
        favours: Favours { colour: 1.0, cases: 0.6, own: 0.4 },
        ending: Ending::EValue,
        ..PLAIN
    },
    Design {
        name: "biased openings, few winners, a race",
        truth: Truth::Few,
        cases: 20,
        favours: Favours { colour: 1.0, cases: 0.6, own: 0.4 },
        ending: Ending::Race,
        ..PLAIN
    },
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
    /// The case and the size of each cell.
    cells: Vec<(usize, usize)>,
    /// The results of the pairs of each cell.
    scores: Vec<Vec<usize>>,
}

impl Played {
    /// The joint counts of two cases on each size that both played, with its weight.
    pub(crate) fn joint(&self, one: usize, other: usize) -> Vec<(JointCounts, f64)> {
        let on = |case: usize| self.cells.iter().zip(&self.scores).filter(move |((of, _), _)| *of == case);
        let both = |((_, size), own): (&(usize, usize), &Vec<usize>)| {
            let (_, others) = on(other).find(|((_, of), _)| of == size)?;
            Some((joint(own, others), 1.0))
        };
        on(one).filter_map(both).collect()
    }
}

/// What an opening does to all games from it.
pub(crate) struct Opening {
    /// The numbers that decide the games which all cases have in common.
    at: [f64; 2],
    colour: f64,
    cases: f64,
}

fn chance(logit: f64) -> f64 {
    1.0 / (1.0 + (-logit).exp())
}

impl Design {
    /// Strength of the case with this value on a size, relative to the size's.
    fn strength(&self, x: f64, size: usize) -> f64 {
        let is_even = |number: f64| number.rem_euclid(2.0) == 0.0;
        match self.truth {
            Truth::Equal => 0.0,
            Truth::Few => 0.5 * f64::from(u8::from(x.rem_euclid(10.0) == 0.0)),
            Truth::Smooth => -0.05 * (x - 2.4).powi(2),
            Truth::Skewed => {
                if x < 5.3 {
                    0.08 * (x - 5.3)
                } else {
                    -0.6 * (x - 5.3)
                }
            }
            Truth::Opposite if is_even(x) => [0.6, -0.6][size % 2],
            Truth::Opposite => 0.0,
            Truth::OneEffect => 0.12 * x.rem_euclid(self.columns as f64),
            Truth::Together => {
                0.4 * f64::from(u8::from(is_even(x) == is_even((x / self.columns as f64).floor())))
            }
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

    /// The values of a case's parameters.
    fn values(&self, case: usize) -> Vec<(&'static str, usize)> {
        match self.columns {
            0 => vec![("x", case)],
            columns => vec![("x", case % columns), ("y", case / columns)],
        }
    }

    /// The standard deviation of the effect of a parameter over the cases of a grid, from the true rates of the cases.
    pub(crate) fn effect(&self, parameter: &str, rate: impl Fn(usize) -> f64) -> f64 {
        let mut levels: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
        for case in 0..self.cases {
            let (_, value) =
                self.values(case).into_iter().find(|(name, _)| *name == parameter).expect("a value");
            levels.entry(value).or_default().push(rate(case));
        }
        let mean = |of: &[f64]| of.iter().sum::<f64>() / of.len() as f64;
        let means: Vec<f64> = levels.values().map(|level| mean(level)).collect();
        mean(&means.iter().map(|own| (own - mean(&means)).powi(2)).collect::<Vec<_>>()).sqrt()
    }

    /// The true rate on a size of the case with this value.
    fn rate(&self, x: f64, size: usize) -> f64 {
        let quarters = [0.0, 0.25, 0.5, 0.5, 0.75, 1.0];
        let chances = self.chances(self.sizes[size] + self.strength(x, size));
        chances.iter().zip(quarters).map(|(chance, score)| chance * score).sum()
    }

    /// The chances of a pair's results for a case of this strength.
    pub(crate) fn chances(&self, strength: f64) -> [f64; 6] {
        let Favours { colour, cases, own } = self.favours;
        let mut all = [0.0; 6];
        for signs in 0..8_u8 {
            let sign = |bit: u8| if signs >> bit & 1 == 1 { 1.0 } else { -1.0 };
            let wins = self.wins(strength + sign(0) * cases + sign(1) * own, sign(2) * colour);
            let of = |win: f64| [(0, 1.0 - win - self.draws), (1, self.draws), (2, win)];
            for (first, one) in of(wins[0]) {
                for (second, other) in of(wins[1]) {
                    all[PairCounts::category(first, second)] += one * other / 8.0;
                }
            }
        }
        all
    }

    /// The chances to win as first and as second.
    fn wins(&self, strength: f64, colour: f64) -> [f64; 2] {
        [1.0, -1.0].map(|sign| (1.0 - self.draws) * chance(strength + sign * (self.first_move + colour)))
    }

    pub(crate) fn opening(&self, random: &mut Random) -> Opening {
        let at = [random.uniform(), random.uniform()];
        let colour = self.favours.colour * sign(random);
        Opening { at, colour, cases: self.favours.cases * sign(random) }
    }

    /// The result of a pair from an opening.
    pub(crate) fn pair(&self, random: &mut Random, opening: &Opening, strength: f64) -> usize {
        let own = self.favours.own * sign(random);
        let wins = self.wins(strength + opening.cases + own, opening.colour);
        let half_points = [0, 1].map(|half| {
            let at = if random.uniform() < self.shared { opening.at[half] } else { random.uniform() };
            if at < wins[half] { 2 } else { u8::from(at < wins[half] + self.draws) }
        });
        PairCounts::category(half_points[0], half_points[1])
    }

    pub(crate) fn play(&self, seed: u64) -> Played {
        let mut random = Random(seed.wrapping_mul(0x5851_f42d_4c95_7f2d) ^ 0x1234);
        let cells: Vec<(usize, usize)> = (0..self.cases)
            .flat_map(|case| (0..self.sizes.len()).map(move |size| (case, size)))
            .filter(|_| self.missing == 0.0 || random.uniform() >= self.missing)
            .collect();
        let mut scores: Vec<Vec<usize>> = vec![Vec::new(); cells.len()];
        for _ in 0..self.pairs {
            let openings: Vec<Opening> = self.sizes.iter().map(|_| self.opening(&mut random)).collect();
            for ((case, size), scores) in cells.iter().zip(&mut scores) {
                let strength = self.sizes[*size] + self.strength(*case as f64, *size);
                scores.push(self.pair(&mut random, &openings[*size], strength));
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
                    let on = cells.iter().zip(&scores).filter(|((_, of), _)| *of == size);
                    agreement_of(&on.map(|(_, scores)| &scores[..pairs]).collect::<Vec<_>>())
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
                parameters: self
                    .values(*case)
                    .into_iter()
                    .map(|(name, value)| (name.to_owned(), Value::Number(value as f64)))
                    .collect(),
            };
            cells.iter().enumerate().map(row).collect()
        };
        let looks: Vec<Vec<Row>> = looks.iter().map(|pairs| rows(*pairs)).collect();
        let rates = |case: usize| (0..self.sizes.len()).map(|size| self.rate(case as f64, size)).collect();
        let rates: Vec<Vec<f64>> = (0..self.cases).map(rates).collect();
        for ((case, _), scores) in cells.iter().zip(&mut scores) {
            scores.truncate(planned(*case, self.pairs));
        }
        Played { looks, rates, cells, scores }
    }
}

fn sign(random: &mut Random) -> f64 {
    if random.uniform() < 0.5 { 1.0 } else { -1.0 }
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

/// The agreement of cells with common openings, from at most six pairs of them.
pub(crate) fn agreement_of(cells: &[&[usize]]) -> f64 {
    let half = cells.len() / 2;
    let most = if half > 0 { 6 } else { 0 };
    let two = |first: usize| joint(cells[first], cells[first + half]);
    agreement(&(0..cells.len() - half).take(most).map(two).collect::<Vec<_>>())
}

fn joint(one: &[usize], other: &[usize]) -> JointCounts {
    let quarters = [0, 1, 2, 2, 3, 4];
    let mut counts = JointCounts::default();
    one.iter().zip(other).for_each(|(a, b)| counts[quarters[*a]][quarters[*b]] += 1);
    counts
}
