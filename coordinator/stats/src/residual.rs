//! Whether a machine's results differ from those of other machines in the same cells.
//!
//! Games are drawn from a cell without regard to who plays them. So a machine's games are a random sample of all games of the
//! cell with the same colours, and its points have a known mean. The difference is its *residual*.

use crate::agreement::agreed;
use crate::chi_square::ChiSquare;
use std::collections::BTreeMap;
use std::ops::AddAssign;

/// A difference of the rate up to this is no alarm. Where budgets are times, honest builds differ a little.
const MARGIN: f64 = 0.02;

/// The chance that any honest machine ever raises an alarm, over the fleet and all looks: amber and red.
const FALSE_ALARM: [f64; 2] = [0.05, 0.001];

/// The chance of a false alarm is shared among this many machines at least, so that machines may be added later.
const MACHINES: u64 = 100;

/// Games below which no speed is judged.
const FEWEST_GAMES: i64 = 20;

/// A machine with fewer games of a kind than this is no witness.
const FEWEST_OF_A_WITNESS: i64 = 2;

/// Logarithms of the factors of a wrong speed, in thousandths: 1.5 for amber, 2 for red. Honest machines differ by up to 1.3.
const WRONG_SPEED: [i64; 2] = [405, 693];

/// The games of a machine in a cell.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct OwnGames {
    /// The number of the machine.
    pub machine: usize,
    /// Losses, draws and wins of the case, where the case is White and where it is Black.
    pub results: [[i64; 3]; 2],
    /// Games of which the speed is known.
    pub timed: i64,
    /// The sum of the logarithms of their speeds relative to the machine's reported speed, in thousandths.
    pub speed_total: i64,
}

/// A cell and the machines that played it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SharedCell {
    /// The board.
    pub size: u8,
    /// One entry for each machine.
    pub machines: Vec<OwnGames>,
}

/// The residual of a machine in some cells.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Residual {
    /// The machine's games where others have some, too.
    pub games: f64,
    /// The case's points in these games.
    pub points: f64,
    /// The points minus their mean, if the machine's games are a random sample of all games.
    pub excess: f64,
    /// The excess of a machine whose rate is above that of the others by 1.
    exposure: f64,
    /// The variance of the excess.
    variance: f64,
    /// The cumulant functions of the points of as many independent games as the machine or the others have, whichever are fewer:
    /// bounds of those of the excess at [`TILTS`], and of the excess with the other sign.
    cumulants: [[f64; TILTS.len()]; 2],
}

/// Where cumulant functions are computed. Between two of these the best exponent is at most 3 % larger.
const TILTS: [f64; 10] = [0.02, 0.035, 0.06, 0.11, 0.19, 0.33, 0.58, 1.0, 1.8, 3.2];

impl AddAssign for Residual {
    fn add_assign(&mut self, more: Self) {
        self.games += more.games;
        self.points += more.points;
        self.excess += more.excess;
        self.exposure += more.exposure;
        self.variance += more.variance;
        for (sums, more) in self.cumulants.iter_mut().zip(more.cumulants) {
            sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        }
    }
}

impl Residual {
    /// The residual in one cell with one colour of the case. The arguments are losses, draws and wins of the case in the
    /// machine's games, and in those of the others.
    ///
    /// Of n games with mean score μ and score variance v, the machine has n₁ and the others n₂. The excess has the variance
    /// n₁·n₂·v/(n − 1) (sampling without replacement).
    #[must_use]
    pub fn of(own: [i64; 3], others: [i64; 3]) -> Self {
        let games = |of: [i64; 3]| of.iter().sum::<i64>() as f64;
        let points = |of: [i64; 3]| of[1] as f64 / 2.0 + of[2] as f64;
        let squares = |of: [i64; 3]| of[1] as f64 / 4.0 + of[2] as f64;
        let (mine, theirs) = (games(own), games(others));
        let all = mine + theirs;
        if mine <= 0.0 || theirs <= 0.0 {
            return Self::default();
        }
        let mean = (points(own) + points(others)) / all;
        let variance = ((squares(own) + squares(others)) / all - mean * mean).max(0.0);
        Self {
            games: mine,
            points: points(own),
            excess: points(own) - mine * mean,
            exposure: mine * theirs / all,
            variance: mine * theirs * variance / (all - 1.0),
            cumulants: cumulants(
                [0, 1, 2].map(|place| (own[place] + others[place]) as f64 / all),
                mine,
                theirs,
            ),
        }
    }

    /// The machine's rate minus that of the others.
    #[must_use]
    pub fn difference(&self) -> f64 {
        if self.exposure > 0.0 { self.excess / self.exposure } else { 0.0 }
    }

    /// The others' rate in the same cells.
    #[must_use]
    pub fn rate_of_others(&self) -> f64 {
        (self.points / self.games.max(1.0) - self.difference()).clamp(0.0, 1.0)
    }

    /// The excess as a chi-square statistic with one degree of freedom, for one look at one machine.
    #[must_use]
    pub fn chi_square(&self) -> Option<ChiSquare> {
        if self.variance > 0.0 { ChiSquare::of(self.excess * self.excess / self.variance, 1) } else { None }
    }

    /// The excess in standard deviations; none if no other machine played the cells, or all games ended alike.
    #[must_use]
    pub fn deviations(&self) -> Option<f64> {
        (self.variance > 0.0).then(|| self.excess / self.variance.sqrt())
    }

    /// Describes the comparison in words, for one look at one machine; none if no other machine played the cells.
    #[must_use]
    pub fn words(&self) -> Option<String> {
        let rate = 100.0 * self.points / self.games.max(1.0);
        let square = self.chi_square().map_or(String::new(), |square| {
            format!(
                " (chi-square {:.1} with one degree of freedom, p = {:.2})",
                square.statistic, square.p_value
            )
        });
        (self.games > 0.0).then(|| {
            format!(
                "in its {:.0} games of cells that others play, too, the case scored {rate:.1} %, and {:.1} % in theirs{square}",
                self.games,
                100.0 * self.rate_of_others()
            )
        })
    }

    /// The logarithm of an upper bound of the chance that an honest machine's excess is this far off, to either side, beyond
    /// a difference of two percentage points.
    ///
    /// The machine's games are a sample without replacement, whose variance is at most that of independent draws (Hoeffding
    /// 1963), and the others' games are such a sample, too. Chernoff's bound of the chance that a sum exceeds r is exp(K(t) −
    /// t·r) for every t, with the sum of the cumulant functions K of its terms; for rates far from 50 % it is much smaller than
    /// bounds from the variance. Both games of a pair share an opening, so sums for the two colours may depend on each other in
    /// any way; by Cauchy and Schwarz half of the exponent remains.
    #[must_use]
    pub fn log_chance(&self) -> f64 {
        let beyond = self.excess.abs() - MARGIN * self.exposure;
        let cumulants = &self.cumulants[usize::from(self.excess < 0.0)];
        let exponents = TILTS.iter().zip(cumulants).map(|(tilt, cumulant)| tilt * beyond - cumulant);
        let exponent = exponents.fold(0.0, f64::max);
        (2f64.ln() - exponent / 2.0).min(0.0)
    }
}

/// The cumulant functions of the excess of `mine` games, and of the excess with the other sign, at [`TILTS`], for these chances
/// of a loss, a draw and a win. A sample without replacement has smaller ones than as many independent games (Hoeffding 1963),
/// and the excess of the others' games is the same with the other sign.
fn cumulants(chances: [f64; 3], mine: f64, theirs: f64) -> [[f64; TILTS.len()]; 2] {
    let mean = chances[1] / 2.0 + chances[2];
    let of = |sign: f64| {
        TILTS.map(|tilt| {
            let terms = [0.0, 0.5, 1.0].into_iter().zip(chances);
            let sum: f64 = terms.map(|(score, chance)| chance * (sign * tilt * (score - mean)).exp()).sum();
            mine.min(theirs) * sum.ln()
        })
    };
    let (own, other) = (of(1.0), of(-1.0));
    if mine <= theirs { [own, other] } else { [other, own] }
}

/// The places in which a machine's results were compared: in all cells together, on a board, or in one cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ResidualScope {
    /// All cells together.
    Everywhere,
    /// The cells of one board size.
    OnSize(u8),
    /// The cell with this number.
    InCell(usize),
}

/// How a machine's results differ from those of other machines, in the place where they differ most.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outlier {
    /// The machine.
    pub machine: usize,
    /// Where.
    pub place: ResidualScope,
    /// The residual there.
    pub residual: Residual,
    /// The logarithm of a bound of the chance of such a residual, with a correction for the number of places.
    pub log_chance: f64,
    /// Whether only one other machine played there: then one of the two is wrong, and which one cannot be determined.
    pub is_disputed: bool,
}

impl Outlier {
    /// Describes the difference in words; `place` names the place.
    #[must_use]
    pub fn words(&self, place: &str) -> String {
        let percent = |rate: f64| format!("{:.0} %", 100.0 * rate);
        let Residual { games, points, .. } = self.residual;
        let who = if self.is_disputed { "the only other machine" } else { "other machines" };
        let mut words = format!(
            "in {games:.0} games {place} the case scored {}, and {} in the games of {who} in the same cells with the same colours",
            percent(points / games.max(1.0)),
            percent(self.residual.rate_of_others()),
        );
        if self.is_disputed {
            words.push_str("; one of the two is wrong, and a third machine would show which");
        }
        words
    }
}

/// The logarithms of the chances at which a machine raises an alarm, amber and red, at its `look`-th look (from 1) in a fleet of
/// so many machines. The shares 1 / (k (k + 1)) of all looks add up to 1.
#[must_use]
pub fn alarm_levels(machines: u64, look: u64) -> [f64; 2] {
    let (machines, look) = (machines.max(MACHINES) as f64, look.max(1) as f64);
    FALSE_ALARM.map(|chance| (chance / (machines * look * (look + 1.0))).ln())
}

/// The logarithm of the chance from which on an alarm that was raised is over.
#[must_use]
pub fn over_level(machines: u64) -> f64 {
    (FALSE_ALARM[0] / machines.max(MACHINES) as f64).ln()
}

/// The machines whose results have a chance of at most `exp(level)`, the least likely first. A machine that is found takes no
/// part in the comparison of the others, so that an honest machine is not found for differing from it.
#[must_use]
pub fn outliers(cells: &[SharedCell], level: f64) -> Vec<Outlier> {
    let machines = cells.iter().flat_map(|cell| &cell.machines).map(|own| own.machine + 1).max().unwrap_or(0);
    let mut is_out = vec![false; machines];
    let mut found = Vec::new();
    while let Some(worst) = least_likely(cells, &is_out).filter(|worst| worst.log_chance <= level) {
        is_out[worst.machine] = true;
        found.push(worst);
        if let Some(other) = the_other(cells, &worst, &found) {
            is_out[other.machine] = true;
            found.push(other);
        }
    }
    found
}

/// The only other machine in the place of a disputed outlier.
fn the_other(cells: &[SharedCell], worst: &Outlier, found: &[Outlier]) -> Option<Outlier> {
    let is_known = |machine: usize| found.iter().any(|outlier| outlier.machine == machine);
    let there = cells.iter().enumerate().filter(|(number, cell)| worst.place.has(*number, cell));
    let there = there.filter(|(_, cell)| cell.machines.iter().any(|own| own.machine == worst.machine));
    let mut others = there.flat_map(|(_, cell)| &cell.machines).map(|own| own.machine);
    let other = others.find(|machine| !is_known(*machine)).filter(|_| worst.is_disputed)?;
    let Residual { games, points, excess, exposure, .. } = worst.residual;
    let theirs = if exposure < games { games * exposure / (games - exposure) } else { 0.0 };
    let residual = Residual {
        games: theirs,
        points: theirs * (points / games - excess / exposure),
        excess: -excess,
        ..worst.residual
    };
    Some(Outlier { machine: other, residual, ..*worst })
}

impl ResidualScope {
    fn has(self, number: usize, cell: &SharedCell) -> bool {
        match self {
            Self::Everywhere => true,
            Self::OnSize(size) => cell.size == size,
            Self::InCell(place) => number == place,
        }
    }
}

/// The sums of a machine.
#[derive(Default)]
struct MachineSums {
    /// By size, the residual and the only other machine, if there is only one.
    sizes: BTreeMap<u8, (Residual, OtherMachines)>,
    /// The least likely cell.
    worst: Option<(f64, usize, Residual, OtherMachines)>,
    cells: u64,
}

/// The other machines of some cells.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum OtherMachines {
    #[default]
    NoMachine,
    One(usize),
    Several,
}

impl OtherMachines {
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::NoMachine, some) | (some, Self::NoMachine) => some,
            (Self::One(a), Self::One(b)) if a == b => self,
            _ => Self::Several,
        }
    }
}

/// The machine whose results are the least likely, compared with those that are not out.
fn least_likely(cells: &[SharedCell], is_out: &[bool]) -> Option<Outlier> {
    let mut sums: Vec<MachineSums> = is_out.iter().map(|_| MachineSums::default()).collect();
    for (number, cell) in cells.iter().enumerate() {
        let present: Vec<&OwnGames> = cell.machines.iter().filter(|own| !is_out[own.machine]).collect();
        let mut total = [[0; 3]; 2];
        for own in &present {
            add(&mut total, &own.results, 1);
        }
        for own in &present {
            let mut others = total;
            add(&mut others, &own.results, -1);
            let mut residual = Residual::of(own.results[0], others[0]);
            residual += Residual::of(own.results[1], others[1]);
            if residual.games <= 0.0 {
                continue;
            }
            let witness = match present[..] {
                [one, other] => {
                    OtherMachines::One(if own.machine == one.machine { other } else { one }.machine)
                }
                _ => OtherMachines::Several,
            };
            let sums = &mut sums[own.machine];
            let (of_size, witnesses) = sums.sizes.entry(cell.size).or_default();
            *of_size += residual;
            *witnesses = witnesses.and(witness);
            sums.cells += 1;
            let chance = residual.log_chance();
            if sums.worst.is_none_or(|(least, ..)| chance < least) {
                sums.worst = Some((chance, number, residual, witness));
            }
        }
    }
    let places = sums.iter().enumerate().filter_map(|(machine, sums)| sums.outlier(machine));
    places.min_by(|a, b| a.log_chance.total_cmp(&b.log_chance))
}

impl MachineSums {
    /// The least likely place. A third of the chance is for all cells together, a third for the sizes, a third for the cells.
    fn outlier(&self, machine: usize) -> Option<Outlier> {
        let corrected = |log_chance: f64, places: u64| (log_chance + (3.0 * places as f64).ln()).min(0.0);
        let (mut all, mut witnesses) = (Residual::default(), OtherMachines::NoMachine);
        for (residual, witness) in self.sizes.values() {
            all += *residual;
            witnesses = witnesses.and(*witness);
        }
        let everywhere = (ResidualScope::Everywhere, all, corrected(all.log_chance(), 1), witnesses);
        let sizes = self.sizes.iter().map(|(size, (residual, witness))| {
            let chance = corrected(residual.log_chance(), self.sizes.len() as u64);
            (ResidualScope::OnSize(*size), *residual, chance, *witness)
        });
        let cell = self.worst.map(|(chance, number, residual, witness)| {
            (ResidualScope::InCell(number), residual, corrected(chance, self.cells), witness)
        });
        let places = [everywhere].into_iter().chain(sizes).chain(cell);
        let worst =
            places.filter(|(_, residual, ..)| residual.games > 0.0).min_by(|a, b| a.2.total_cmp(&b.2))?;
        let (place, residual, log_chance, witness) = worst;
        let is_disputed = matches!(witness, OtherMachines::One(_));
        Some(Outlier { machine, place, residual, log_chance, is_disputed })
    }
}

fn add(sum: &mut [[i64; 3]; 2], more: &[[i64; 3]; 2], sign: i64) {
    let terms = sum.as_flattened_mut().iter_mut().zip(more.as_flattened());
    terms.for_each(|(sum, more)| *sum += sign * more);
}

/// The speed of a machine's games relative to its reported speed, compared with that of others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpeedDeviation {
    /// The machine.
    pub machine: usize,
    /// Its games in cells that three machines or more played.
    pub games: i64,
    /// The mean logarithm of the factor, in thousandths.
    pub off: i64,
}

impl SpeedDeviation {
    /// 0 for a right speed, 1 for one that is wrong by a factor of 1.5, 2 by a factor of 2.
    #[must_use]
    pub fn severity(&self) -> usize {
        if self.games < FEWEST_GAMES {
            return 0;
        }
        WRONG_SPEED.iter().filter(|most| self.off.abs() > **most).count()
    }

    /// Describes the difference in words.
    #[must_use]
    pub fn words(&self) -> String {
        let times = crate::agreement::factor(self.off.abs());
        let how = if self.off > 0 { "faster" } else { "slower" };
        format!(
            "over {} it searched {times:.2} times {how} than it says of itself, compared with other machines: its \
             measurement is wrong, and with budgets in time its players think too {}",
            crate::counted(self.games.unsigned_abs(), "game"),
            if self.off > 0 { "long" } else { "short" },
        )
    }
}

/// The speed of every machine beside the level on which machines agree ([`agreed`]) in each cell.
#[must_use]
pub fn speeds_off(cells: &[SharedCell]) -> Vec<SpeedDeviation> {
    let mut sums: BTreeMap<usize, (i64, i64)> = BTreeMap::new();
    for cell in cells {
        let witnesses = cell.machines.iter().filter(|own| own.timed >= FEWEST_OF_A_WITNESS);
        let means: Vec<i64> = witnesses.map(|own| own.speed_total / own.timed).collect();
        let Some(usual) = agreed(&means) else { continue };
        for own in cell.machines.iter().filter(|own| own.timed > 0) {
            let (games, off) = sums.entry(own.machine).or_default();
            *games += own.timed;
            *off += own.speed_total - own.timed * usual;
        }
    }
    sums.into_iter()
        .map(|(machine, (games, off))| SpeedDeviation { machine, games, off: off / games })
        .collect()
}
