//! Residuals of machines: honest fleets are left alone, and machines that choose their results are found.

use crate::random::Random;
use stats::{OwnGames, Residual, SharedCell, alarm_levels, outliers, speeds_off};

/// A fleet whose machines play pairs of random cells: machine m takes a pair with a chance in proportion to `shares[m]`.
struct Fleet {
    random: Random,
    shares: Vec<f64>,
    /// Of each cell the size, the rate of the case, and how often the opening decides both games.
    truth: Vec<(u8, f64, f64)>,
    /// Of each machine the rate of the case in its games, if it is not the truth.
    lies: Vec<Option<f64>>,
    cells: Vec<SharedCell>,
    games: Vec<u64>,
}

impl Fleet {
    fn new(seed: u64, shares: &[f64], truth: &[(u8, f64, f64)]) -> Self {
        let machines = || (0..shares.len()).map(|machine| OwnGames { machine, ..OwnGames::default() });
        let cell = |size: &u8| SharedCell { size: *size, machines: machines().collect() };
        Self {
            random: Random(seed),
            shares: shares.to_vec(),
            truth: truth.to_vec(),
            lies: vec![None; shares.len()],
            cells: truth.iter().map(|(size, ..)| cell(size)).collect(),
            games: vec![0; shares.len()],
        }
    }

    fn play(&mut self, pairs: usize) {
        let total: f64 = self.shares.iter().sum();
        for _ in 0..pairs {
            let mut left = self.random.uniform() * total;
            let taken = self.shares.iter().position(|share| {
                left -= share;
                left < 0.0
            });
            let machine = taken.unwrap_or(0);
            let cell = self.random.next() as usize % self.truth.len();
            let (_, rate, decided) = self.truth[cell];
            let rate = self.lies[machine].unwrap_or(rate);
            // Where the opening decides, White wins both games or Black does.
            let decided = (self.random.uniform() < decided).then(|| usize::from(self.random.uniform() < 0.5));
            for half in 0..2 {
                let won = match decided {
                    Some(winner) if self.lies[machine].is_none() => winner == half,
                    _ => self.random.uniform() < rate,
                };
                self.cells[cell].machines[machine].results[half][2 * usize::from(won)] += 1;
            }
            self.games[machine] += 2;
        }
    }
}

const TRUTH: [(u8, f64, f64); 6] =
    [(4, 0.5, 0.8), (4, 0.7, 0.8), (5, 0.4, 0.5), (6, 0.93, 0.2), (7, 0.5, 0.1), (8, 0.6, 0.0)];

#[test]
fn the_excess_is_that_of_drawing_without_replacement() {
    // 3 wins of 4 games, and 1 win of 4: 1 point above the mean of 2; the variance is 4·4·(1/4)/7.
    let residual = Residual::of([1, 0, 3], [3, 0, 1]);
    assert_eq!((residual.games, residual.points, residual.excess), (4.0, 3.0, 1.0));
    assert!((residual.difference() - 0.5).abs() < 1e-12 && (residual.rate_of_others() - 0.25).abs() < 1e-12);
    let square = residual.chi_square().expect("some variance");
    assert!((square.statistic - 7.0 / 4.0).abs() < 1e-12, "{square:?}");
    let words = "in its 4 games of cells that others play, too, the case scored 75.0 %, and 25.0 % in theirs \
                 (chi-square 1.8 with one degree of freedom, p = 0.19)";
    assert_eq!(residual.words().as_deref(), Some(words));
    assert_eq!(Residual::of([1, 2, 3], [0; 3]), Residual::default(), "nobody to compare with");
    assert_eq!(Residual::default().words(), None);
    // A difference of two percentage points is no alarm, in whatever many games.
    let near = Residual::of([490_000, 0, 510_000], [500_000, 0, 500_000]);
    assert_eq!(near.log_chance(), 0.0);
}

/// The bound of one look, without any correction: at 5 % it is exceeded in far fewer than 5 % of honest looks, whatever the
/// openings decide.
#[test]
fn the_bound_holds_for_one_look() {
    let mut beyond = 0;
    for seed in 0..1_000 {
        let mut fleet = Fleet::new(seed, &[1.0, 3.0], &TRUTH[seed as usize % 6..][..1]);
        fleet.play(100);
        let [own, others] = [0, 1].map(|machine| fleet.cells[0].machines[machine].results);
        let mut residual = Residual::of(own[0], others[0]);
        residual += Residual::of(own[1], others[1]);
        beyond += u32::from(residual.log_chance() <= 0.05_f64.ln());
    }
    assert!(beyond <= 50, "{beyond} of 1000");
}

/// Looks at every 20 % more games of a machine, as the coordinator does. With the correction for 100 machines, 5 machines have
/// 5 % of the chance: of 300 fleets 0.75 at most have an amber alarm.
#[test]
fn honest_fleets_of_different_speeds_are_left_alone() {
    let mut alarms = 0;
    for seed in 0..300 {
        let mut fleet = Fleet::new(seed, &[1.0, 2.0, 4.0, 8.0, 0.1], &TRUTH);
        let (mut due, mut looks, mut is_alarmed) = ([10; 5], [0; 5], false);
        for _ in 0..40 {
            fleet.play(100);
            let found = outliers(&fleet.cells, -5.0);
            for machine in 0..5 {
                if fleet.games[machine] < due[machine] {
                    continue;
                }
                due[machine] = fleet.games[machine] * 6 / 5 + 10;
                looks[machine] += 1;
                let [amber, _] = alarm_levels(5, looks[machine]);
                is_alarmed |= found.iter().any(|found| found.machine == machine && found.log_chance <= amber);
            }
        }
        alarms += u32::from(is_alarmed);
    }
    assert!(alarms <= 3, "{alarms} of 300 fleets");
}

/// The machine of docs/explanation/trust.md, which reports the best of several plays: 89 % where others have 50 %.
#[test]
fn a_machine_that_reports_the_best_of_several_plays_is_found_and_nobody_else() {
    for seed in 0..50 {
        let mut fleet = Fleet::new(seed, &[1.0; 5], &TRUTH[4..5]);
        fleet.lies[3] = Some(0.89);
        let mut looks = 0;
        let found = loop {
            fleet.play(50);
            looks += 1;
            let [_, red] = alarm_levels(5, looks);
            let found = outliers(&fleet.cells, red);
            if !found.is_empty() {
                break found;
            }
        };
        assert_eq!(found.iter().map(|found| found.machine).collect::<Vec<_>>(), [3], "{found:?}");
        assert!(!found[0].is_disputed);
        assert!((100..=520).contains(&fleet.games[3]), "found after {} games", fleet.games[3]);
        fleet.play(5_000);
        let found = outliers(&fleet.cells, -10.0);
        assert_eq!(found.len(), 1, "the others do not differ from each other: {found:?}");
    }
}

#[test]
fn favours_of_opposite_signs_do_not_cancel() {
    let mut fleet = Fleet::new(7, &[1.0; 4], &[(4, 0.5, 0.0), (5, 0.5, 0.0)]);
    let mut other = Fleet::new(8, &[1.0; 4], &[(4, 0.5, 0.0), (5, 0.5, 0.0)]);
    (fleet.lies[1], other.lies[1]) = (Some(0.85), Some(0.15));
    fleet.play(2_000);
    other.play(2_000);
    fleet.cells[1] = other.cells[1].clone();
    let found = outliers(&fleet.cells, alarm_levels(4, 10)[1]);
    assert_eq!(found.iter().map(|found| found.machine).collect::<Vec<_>>(), [1], "{found:?}");
}

#[test]
fn of_two_machines_nobody_can_say_which_is_wrong() {
    let mut fleet = Fleet::new(3, &[1.0, 1.0], &TRUTH[4..5]);
    fleet.lies[1] = Some(0.89);
    fleet.play(2_000);
    let found = outliers(&fleet.cells, alarm_levels(2, 10)[1]);
    let mut machines: Vec<usize> = found.iter().map(|found| found.machine).collect();
    machines.sort_unstable();
    assert_eq!(machines, [0, 1]);
    for outlier in &found {
        let rate = outlier.residual.points / outlier.residual.games;
        let truth = [0.5, 0.89][outlier.machine];
        assert!((rate - truth).abs() < 0.03, "{outlier:?}");
        assert!(outlier.words("on size 7").contains("a third machine would show which"));
    }
}

#[test]
fn a_wrong_speed_is_seen_beside_two_right_ones() {
    let own = |machine, timed, each: i64| OwnGames {
        machine,
        timed,
        speed_total: timed * each,
        ..OwnGames::default()
    };
    let cell = |machines: &[OwnGames]| SharedCell { size: 4, machines: machines.to_vec() };
    // Honest builds differ by up to 1.3.
    let cells = [cell(&[own(0, 30, 100), own(1, 30, 362), own(2, 30, 900)]), cell(&[own(2, 9, 4_000)])];
    let found = speeds_off(&cells);
    assert_eq!(found.iter().map(stats::SpeedDeviation::severity).collect::<Vec<_>>(), [0, 0, 1]);
    assert!(found[2].words().contains("1.71 times faster"), "{}", found[2].words());
    let few = speeds_off(&[cell(&[own(0, 5, 0), own(1, 5, 0), own(2, 5, 900)])]);
    assert_eq!(few[2].severity(), 0, "too few games");
    assert_eq!(
        speeds_off(&[cell(&[own(0, 30, 0), own(1, 30, 900)])]),
        [],
        "two machines cannot say which is wrong"
    );
}
