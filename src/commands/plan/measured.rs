//! The cost of games on one machine: measured once, and stored with the program, so that a plan plays nothing.
//!
//! The games are those of `uct` and of `rave` against themselves: 40 of each kind, 100 at 1,000 simulations a move and 6 at
//! 8,000. The costs of parameters are those of `docs/results/profile.md`.

use engine::havannah::{BoardSize, Params};
use engine::params::{Domain, ParamValue};
use protocol::lease::ParamSet;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// The machine of these numbers.
pub(super) const MACHINE: &str = "one core of an AMD EPYC (Zen 4) with two busy threads";

/// Simulations a move of the columns.
const SIMS: [f64; 5] = [1.0, 10.0, 100.0, 1_000.0, 8_000.0];

/// The players whose games were measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Uct,
    Rave,
}

/// Moves of a game and core microseconds of its searches, by simulations a move. A row is a board size, from 3 on.
type MeasuredTable = [[(f64, f64); SIMS.len()]; 8];

const UCT: MeasuredTable = [
    [(15.0, 11.8), (12.2, 32.2), (10.6, 207.0), (10.3, 1_060.0), (10.7, 3_830.0)],
    [(31.0, 23.3), (21.1, 77.9), (16.9, 575.0), (16.8, 5_350.0), (17.3, 47_700.0)],
    [(61.0, 58.8), (36.1, 165.0), (24.5, 1_060.0), (25.1, 11_000.0), (23.2, 87_100.0)],
    [(81.0, 83.8), (48.2, 269.0), (33.9, 1_890.0), (34.7, 20_400.0), (33.0, 153_000.0)],
    [(127.0, 130.0), (73.5, 485.0), (46.9, 3_220.0), (43.4, 31_900.0), (51.5, 326_000.0)],
    [(155.0, 168.0), (90.0, 725.0), (58.5, 5_040.0), (46.0, 42_000.0), (59.5, 447_000.0)],
    [(217.0, 257.0), (115.0, 1_120.0), (64.8, 6_830.0), (48.0, 53_400.0), (58.2, 540_000.0)],
    [(253.0, 368.0), (141.0, 1_560.0), (79.3, 9_490.0), (54.9, 71_000.0), (81.0, 868_000.0)],
];

const RAVE: MeasuredTable = [
    [(15.0, 9.35), (15.4, 34.5), (10.4, 172.0), (10.5, 1_370.0), (9.0, 5_820.0)],
    [(31.0, 7.97), (32.0, 74.0), (17.8, 431.0), (17.0, 3_800.0), (15.2, 25_700.0)],
    [(61.0, 29.8), (59.5, 169.0), (27.2, 868.0), (24.4, 7_740.0), (27.2, 69_500.0)],
    [(81.0, 71.9), (81.0, 292.0), (46.5, 1_820.0), (36.4, 15_600.0), (33.8, 112_000.0)],
    [(127.0, 131.0), (124.0, 531.0), (75.9, 3_530.0), (51.4, 25_500.0), (42.3, 173_000.0)],
    [(155.0, 158.0), (155.0, 836.0), (112.0, 6_260.0), (65.9, 41_100.0), (50.0, 254_000.0)],
    [(217.0, 229.0), (217.0, 1_360.0), (160.0, 10_600.0), (84.5, 65_600.0), (65.3, 449_000.0)],
    [(253.0, 278.0), (253.0, 1_840.0), (216.0, 15_900.0), (92.0, 84_400.0), (83.8, 602_000.0)],
];

/// Moves of a typical game, and core seconds of its searches on [`MACHINE`], at so many simulations a move.
pub(super) fn game(kind: Kind, size: BoardSize, sims: f64) -> (f64, f64) {
    let table = if kind == Kind::Uct { &UCT } else { &RAVE };
    let row = &table[usize::from(size.get()) - 3];
    let (first, last) = (SIMS[0], SIMS[SIMS.len() - 1]);
    let within = sims.clamp(first, last);
    let right = SIMS.iter().position(|column| *column >= within).unwrap_or(SIMS.len() - 1).max(1);
    let share = (within / SIMS[right - 1]).ln() / (SIMS[right] / SIMS[right - 1]).ln();
    let between = |of: fn(&(f64, f64)) -> f64| {
        let [left, right] = [&row[right - 1], &row[right]].map(|column| of(column).ln());
        (left + share * (right - left)).exp()
    };
    // Beyond the last column each simulation costs the same.
    (between(|column| column.0), between(|column| column.1) / 1e6 * (sims / last).max(1.0))
}

/// Simulations per core second of `uct` from the empty board on size 6, in searches of [`PROBE_SIMS`].
pub(super) const PROBE_SPEED: f64 = 1_720_000.0;
pub(super) const PROBE_SIMS: u64 = 20_000;

/// The measured costs of parameters off their defaults.
const PROFILE: &str = include_str!("../../../docs/results/profile.md");

/// The cost of a simulation with one parameter off its default, relative to the same player without.
#[derive(Debug)]
struct SimulationFactor {
    name: String,
    value: ParamValue,
    /// UCT on sizes 5 and 10, RAVE on sizes 5 and 10.
    factors: [f64; 4],
}

static COSTS: LazyLock<Vec<SimulationFactor>> = LazyLock::new(|| PROFILE.lines().filter_map(cost).collect());

/// A row such as `| lookahead = 1 | 0.96 | 0.99 | 0.95 | 0.98 |`.
fn cost(line: &str) -> Option<SimulationFactor> {
    let mut cells = line.trim().trim_matches('|').split('|').map(str::trim);
    let (name, value) = cells.next()?.split_once(" = ")?;
    Params::info(name)?;
    let factors: Vec<f64> = cells.map(|cell| cell.parse().ok()).collect::<Option<_>>()?;
    let value = value.parse().unwrap_or_else(|never| match never {});
    Some(SimulationFactor { name: name.to_owned(), value, factors: factors.try_into().ok()? })
}

/// What a player's simulations cost relative to those of `uct` or, if it uses RAVE, of `rave`, on boards of one size.
pub(super) fn relative_cost(player: &ParamSet, size: BoardSize) -> (Kind, f64) {
    let default = Params::default();
    let of = |set: &ParamSet, name: &str| set.0.get(name).cloned().or_else(|| default.get(name));
    let is_rave = of(player, "rave_k") != Some(ParamValue::Number(0.0));
    let (kind, preset) = if is_rave { (Kind::Rave, "rave") } else { (Kind::Uct, "uct") };
    let base = ParamSet::from(&Params::preset(preset).expect("a preset"));
    let names: BTreeSet<&String> =
        player.0.keys().chain(base.0.keys()).filter(|name| *name != "rave_k").collect();
    let changed = names.into_iter().filter(|name| of(player, name) != of(&base, name));
    (kind, changed.filter_map(|name| Some(factor(name, &of(player, name)?, kind, size))).product())
}

/// The cost of one parameter off its default. A parameter that was not measured costs nothing.
fn factor(name: &str, value: &ParamValue, kind: Kind, size: BoardSize) -> f64 {
    let rows = || COSTS.iter().filter(|cost| cost.name == name);
    let on_size = |cost: &SimulationFactor| {
        let place = if kind == Kind::Uct { 0 } else { 2 };
        let [five, ten] = [cost.factors[place], cost.factors[place + 1]].map(f64::ln);
        let share = (f64::from(size.get()) - 5.0) / 5.0;
        five + share.clamp(0.0, 1.0) * (ten - five)
    };
    if let Some(exact) = rows().find(|cost| cost.value == *value) {
        return on_size(exact).exp();
    }
    let Some(row) = rows().next() else { return 1.0 };
    let default = Params::default().get(name);
    match (value, &row.value, default, grows(name)) {
        (
            ParamValue::Number(value),
            ParamValue::Number(measured),
            Some(ParamValue::Number(default)),
            true,
        ) => {
            let share = (value - default) / (measured - default);
            if name == "rollouts" {
                // Every rollout beyond the first costs the same.
                return 1.0 + share * (on_size(row).exp() - 1.0);
            }
            (on_size(row) * share.clamp(0.0, 1.0)).exp()
        }
        _ => on_size(row).exp(),
    }
}

/// Whether a parameter costs more the further its value is from the default. Others, such as weights, cost the same at any value.
fn grows(name: &str) -> bool {
    const GROWING: [&str; 8] = [
        "rollouts",
        "widening",
        "mate_in_one",
        "mate_in_one_per_size",
        "ring_probability",
        "ring_depth",
        "ring_depth_share",
        "rave_probability",
    ];
    GROWING.contains(&name) && !matches!(Params::info(name).map(|info| info.domain), Some(Domain::Flag))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(n: u8) -> BoardSize {
        BoardSize::new(n).expect("valid")
    }

    fn set(name: &str, value: f64) -> ParamSet {
        ParamSet([(name.to_owned(), ParamValue::Number(value))].into())
    }

    #[test]
    fn games_between_the_columns_lie_between_them() {
        for (kind, table) in [(Kind::Uct, &UCT), (Kind::Rave, &RAVE)] {
            for (row, board) in table.iter().zip(BoardSize::all()) {
                for (column, sims) in row.iter().zip(SIMS) {
                    let (plies, seconds) = game(kind, board, sims);
                    assert!(
                        (plies / column.0 - 1.0).abs() < 1e-9
                            && (seconds * 1e6 / column.1 - 1.0).abs() < 1e-9
                    );
                }
                let costs: Vec<f64> = (0..30).map(|n| game(kind, board, 1.5_f64.powi(n)).1).collect();
                assert!(costs.windows(2).all(|pair| pair[0] < pair[1]), "size {board}: {costs:?}");
            }
        }
        assert_eq!(game(Kind::Uct, size(6), 16_000.0).1, 2.0 * game(Kind::Uct, size(6), 8_000.0).1);
    }

    #[test]
    fn measured_costs_are_those_of_parameters() {
        assert!(COSTS.iter().all(|cost| Params::info(&cost.name).is_some()));
        assert!(COSTS.len() >= 30, "{}", COSTS.len());
    }

    #[test]
    fn a_player_costs_what_its_parameters_cost() {
        let cost = |player: &ParamSet, on: u8| relative_cost(player, size(on));
        let uct = ParamSet::from(&Params::preset("uct").expect("a preset"));
        let rave = ParamSet::from(&Params::preset("rave").expect("a preset"));
        assert_eq!(cost(&uct, 5), (Kind::Uct, 1.0));
        assert_eq!(cost(&rave, 5), (Kind::Rave, 1.0));
        let mut locality = uct.clone();
        locality.0.extend(set("locality", 5.0).0);
        let (kind, five) = cost(&locality, 5);
        assert_eq!(kind, Kind::Uct);
        let ten = cost(&locality, 10).1;
        assert!(five > 1.0 && ten > 1.0 && five != ten);
        let between = cost(&locality, 7).1;
        assert!((five.min(ten)..=five.max(ten)).contains(&between));
        // A weight costs the same at any value, rollouts one by one.
        locality.0.extend(set("locality", 1.0).0);
        assert_eq!(cost(&locality, 5).1, five);
        let rollouts = |n: f64| {
            let mut player = uct.clone();
            player.0.extend(set("rollouts", n).0);
            cost(&player, 5).1
        };
        assert!((rollouts(5.0) - 1.0 - 2.0 * (rollouts(3.0) - 1.0)).abs() < 1e-9);
    }
}
