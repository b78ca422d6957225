//! Simulated sweeps: 50 cases on 7 board sizes, in which every policy spends 7,000 pairs. `docs/results/allocation.md` shows
//! the results.

mod figure;

use super::shares;
use crate::priority::{pair_variance, priority, score_sum};
use crate::store::PlayedCell;
use protocol::experiment::Policy;
use protocol::ids::PlayerId;
use std::collections::{HashMap, VecDeque};
use std::fmt::Write;
use std::ops::RangeInclusive;
use uuid::Uuid;

const CASES: usize = 50;
const SIZES: usize = 7;

/// Pairs that are being played at any time. Their results are unknown when the next pair is chosen.
const IN_PLAY: usize = 64;

/// Sweeps of a test that takes minutes. The constants of the policies were chosen on other ones, with numbers from 100,000 on.
const MANY: u64 = 400;

/// Pairs after which the choice is judged.
const LOOKS: [usize; 5] = [875, 1_750, 3_500, 5_250, 7_000];

/// SplitMix64, and normal numbers by Box and Muller.
struct NormalRandom(u64);

impl NormalRandom {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        (engine::rng::mix(self.0) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn normal(&mut self) -> f64 {
        let (radius, angle) = (self.unit().max(f64::MIN_POSITIVE), self.unit());
        (-2.0 * radius.ln()).sqrt() * (std::f64::consts::TAU * angle).cos()
    }
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// The truth: strengths in logits by case and size, and the advantage of the first move by size.
struct Truth {
    strength: Vec<[f64; SIZES]>,
    first_move: [f64; SIZES],
}

impl Truth {
    /// Effects of cases from N(0, 0.25), or two gains of 0.35 and 0.30 among cases without effect (`few`); deviations of cells
    /// from N(0, 0.10); first moves worth 1.2 on the smallest size to 0.3 on the largest.
    fn draw(few: bool, random: &mut NormalRandom) -> Self {
        let mut effects: Vec<f64> =
            (0..CASES).map(|_| if few { 0.0 } else { 0.25 * random.normal() }).collect();
        if few {
            (effects[3], effects[17]) = (0.35, 0.30);
        }
        let strength =
            effects.iter().map(|effect| std::array::from_fn(|_| effect + 0.10 * random.normal())).collect();
        Self { strength, first_move: std::array::from_fn(|size| 1.2 - 0.9 * size as f64 / 6.0) }
    }

    /// The chances of the case to win as White and as Black.
    fn chances(&self, case: usize, size: usize) -> [f64; 2] {
        [1.0, -1.0].map(|sign| logistic(self.strength[case][size] + sign * self.first_move[size]))
    }

    /// The score of a case over all sizes.
    fn score(&self, case: usize) -> f64 {
        let of_size = |size| self.chances(case, size).iter().sum::<f64>() / 2.0;
        (0..SIZES).map(of_size).sum::<f64>() / SIZES as f64
    }
}

/// A sweep that is being played.
struct Sweep {
    policy: Policy,
    cells: Vec<PlayedCell>,
    taken: Vec<i64>,
    places: Vec<f64>,
    /// The fixed shuffle among cells of equal priority.
    order: Vec<u64>,
}

impl Sweep {
    fn new(policy: Policy, seed: u64) -> Self {
        let cell = |index: usize| PlayedCell {
            position: index as i64,
            share: 1.0,
            case: PlayerId(Uuid::from_u128((index / SIZES) as u128)),
            against: (PlayerId(Uuid::nil()), "100 sims".into()),
            weight: 1.0,
            pair_counts: [0; 6],
        };
        let cells: Vec<PlayedCell> = (0..CASES * SIZES).map(cell).collect();
        let order = (0..cells.len() as u64).map(|cell| engine::rng::mix(seed ^ (cell << 32))).collect();
        Self { policy, taken: vec![0; cells.len()], places: vec![0.0; cells.len()], cells, order }
    }

    fn place(&mut self, index: usize) {
        let PlayedCell { pair_counts, share, .. } = &self.cells[index];
        self.places[index] = priority(self.policy, self.taken[index], pair_counts, *share);
    }

    /// Leases a pair of the cell that is next.
    fn lease(&mut self) -> usize {
        let mut next = 0;
        for (index, place) in self.places.iter().enumerate() {
            let first = self.places[next];
            if *place < first || (*place == first && self.order[index] < self.order[next]) {
                next = index;
            }
        }
        self.taken[next] += 1;
        self.place(next);
        next
    }

    fn arrive(&mut self, (index, category): (usize, usize)) {
        self.cells[index].pair_counts[category] += 1;
        self.place(index);
    }

    /// Only some policies give cases attention.
    fn attend(&mut self) {
        if matches!(self.policy, Policy::Coverage | Policy::Error) {
            return;
        }
        for (index, share) in shares(self.policy, &self.cells).into_iter().enumerate() {
            self.cells[index].share = share;
            self.place(index);
        }
    }

    /// The case with the highest score by shrunken estimates, as an analysis ranks them.
    fn leader(&self) -> usize {
        let of_case = |cells: &[PlayedCell]| {
            cells.iter().fold((0.0, 0.0), |(mean, variance), cell| {
                let pairs = cell.pair_counts.iter().sum::<i64>() as f64 + 1.0;
                let (sizes, v) = (SIZES as f64, pair_variance(&cell.pair_counts));
                let score = (score_sum(&cell.pair_counts) + 0.5) / pairs;
                (mean + score / sizes, variance + v / pairs / sizes.powi(2))
            })
        };
        let (means, variances): (Vec<f64>, Vec<f64>) = self.cells.chunks(SIZES).map(of_case).unzip();
        let shrunken = stats::shrink(&means, &variances).expect("variances are above 0").estimates;
        let better =
            |a: usize, b: usize| shrunken[a].total_cmp(&shrunken[b]).then(means[a].total_cmp(&means[b]));
        (0..CASES).max_by(|a, b| better(*a, *b)).expect("cases")
    }
}

/// The regret of the case that looks best at each look: the score that the choice loses against the best case.
fn play(policy: Policy, few: bool, seed: u64) -> [f64; LOOKS.len()] {
    let mut random = NormalRandom(engine::rng::mix(seed));
    let truth = Truth::draw(few, &mut random);
    let scores: Vec<f64> = (0..CASES).map(|case| truth.score(case)).collect();
    let best = scores.iter().copied().fold(0.0, f64::max);
    let mut sweep = Sweep::new(policy, seed);
    let mut in_play = VecDeque::new();
    let mut regrets = [0.0; LOOKS.len()];
    let mut next = 16;
    let last = LOOKS[LOOKS.len() - 1];
    for pairs in 1..=last {
        if pairs >= next {
            sweep.attend();
            next = pairs + (pairs / 50).max(16);
        }
        let index = sweep.lease();
        let won = truth.chances(index / SIZES, index % SIZES).map(|chance| random.unit() < chance);
        in_play.push_back((index, if won[0] != won[1] { 2 } else { 5 * usize::from(won[0]) }));
        // A choice uses the results that have arrived. At the end of the sweep these are all.
        let kept = if pairs == last { 0 } else { IN_PLAY };
        while in_play.len() > kept {
            sweep.arrive(in_play.pop_front().expect("it is not empty"));
        }
        if let Some(look) = LOOKS.iter().position(|look| *look == pairs) {
            regrets[look] = best - scores[sweep.leader()];
        }
    }
    regrets
}

/// A mean and its standard error.
type Mean = (f64, f64);

/// The mean regret at each look over these sweeps.
fn mean_regrets(policy: Policy, few: bool, seeds: RangeInclusive<u64>) -> [Mean; LOOKS.len()] {
    let regrets: Vec<_> = seeds.map(|seed| play(policy, few, seed)).collect();
    let runs = regrets.len() as f64;
    std::array::from_fn(|look| {
        let mean = regrets.iter().map(|run| run[look]).sum::<f64>() / runs;
        let squares: f64 = regrets.iter().map(|run| (run[look] - mean).powi(2)).sum();
        (mean, (squares / (runs - 1.0) / runs).sqrt())
    })
}

/// What the policies promise after 7,000 pairs, as far as the standard errors of the means can tell.
fn check(few: bool, of: impl Fn(Policy) -> Mean) {
    let [coverage, error, best, race] = Policy::ALL.map(of);
    let truth = if few { "few" } else { "spread" };
    // The mean of the best of the rules that were compared on such sweeps.
    let known = if few { 0.0026 } else { 0.0019 };
    let apart = |a: Mean, b: Mean| 2.0 * a.1.hypot(b.1);
    assert!(best.0 <= known + 2.0 * best.1, "{truth}: best loses {best:?}");
    assert!(best.0 < 0.5 * coverage.0, "{truth}: best loses {best:?}, coverage {coverage:?}");
    for (name, policy) in [("error", error), ("race", race)] {
        let limit = coverage.0 + apart(policy, coverage);
        assert!(policy.0 <= limit, "{truth}: {name} loses {policy:?}, coverage {coverage:?}");
    }
}

#[test]
fn best_finds_better_cases_and_the_other_policies_are_no_worse_than_coverage() {
    for few in [false, true] {
        check(few, |policy| mean_regrets(policy, few, 1..=12)[LOOKS.len() - 1]);
    }
}

/// `cargo test -p coordinator --lib simulation -- --ignored --nocapture`
#[test]
#[ignore = "takes minutes: checks 400 sweeps, prints the table of docs/results/allocation.md, and with GAUNTLET_WRITE \
            writes its figure"]
fn the_regret_of_every_policy() -> Result<(), Box<dyn std::error::Error>> {
    let mut table = String::from("| truth | policy |");
    for pairs in LOOKS {
        write!(table, " {pairs} pairs |")?;
    }
    let (mut panels, mut checked) = (Vec::new(), Vec::new());
    for (title, few) in [("spread: effects N(0, 0.25)", false), ("few: two good cases", true)] {
        let (mut lines, mut last) = (Vec::new(), HashMap::new());
        for policy in Policy::ALL {
            let regrets = mean_regrets(policy, few, 1..=MANY);
            write!(table, "\n| {} | `{policy}` |", if few { "few" } else { "spread" })?;
            for (mean, error) in regrets {
                write!(table, " {mean:.4} ± {error:.4} |")?;
            }
            lines.push((policy, regrets.map(|(mean, _)| mean)));
            last.insert(policy.name(), regrets[LOOKS.len() - 1]);
        }
        checked.push((few, last));
        panels.push((title, lines));
    }
    eprintln!("{table}");
    if std::env::var_os("GAUNTLET_WRITE").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/results/allocation.svg");
        std::fs::write(path, figure::draw(&panels)?)?;
    }
    for (few, last) in checked {
        check(few, |policy| last[policy.name()]);
    }
    Ok(())
}
