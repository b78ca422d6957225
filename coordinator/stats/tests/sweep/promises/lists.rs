//! Rating lists of players whose strength is known.

use super::design::{Design, Favours, PLAIN, agreement_of};
use crate::random::Random;
use stats::sweep::{Basis, RatingList, Row, analyse};
use stats::{PairCounts, Unfinished};

/// Players with their strengths in logits. The second and the third are baselines, too.
const PLAYERS: [(&str, f64); 6] = [("a", 0.6), ("x", 0.0), ("y", -0.4), ("b", 0.2), ("c", 0.0), ("d", -0.1)];

/// A case has no advantage on any size, so that one number for each player explains all games.
const FAIR_SIZES: Design = Design { sizes: &[0.0, 0.0], ..PLAIN };

/// Designs of lists: of their fields, those of games and openings count.
pub(crate) const LISTS: &[Design] = &[
    Design { name: "five players, two baselines, two sizes", ..FAIR_SIZES },
    Design { name: "ten pairs", pairs: 10, ..FAIR_SIZES },
    Design { name: "a strong first move", first_move: 1.2, ..FAIR_SIZES },
    Design { name: "draws", draws: 0.4, ..FAIR_SIZES },
    Design { name: "common luck", shared: 0.6, ..FAIR_SIZES },
    Design {
        name: "openings that favour a colour",
        favours: Favours { colour: 1.5, cases: 0.0, own: 0.0 },
        ..FAIR_SIZES
    },
    Design {
        name: "openings that favour all cases or the baselines",
        favours: Favours { colour: 0.0, cases: 0.8, own: 0.0 },
        ..FAIR_SIZES
    },
    Design { name: "correlated pairs", favours: Favours { colour: 0.0, cases: 0.0, own: 0.8 }, ..FAIR_SIZES },
];

/// The numbers of lists with their errors and trials: intervals of ratings, players that are surely above the next, tests of fit.
#[derive(Default)]
pub(crate) struct Errors {
    pub(crate) intervals: [u32; 2],
    pub(crate) above: [u32; 2],
    pub(crate) fit: [u32; 2],
}

impl Errors {
    pub(crate) fn of(design: &Design, lists: u32) -> Self {
        let truth = list(design, &mut |strength| {
            (design.chances(strength).map(|chance| (1e9 * chance) as u64).into(), 0.0)
        });
        let true_elo =
            |player: &str| truth.players.iter().find(|own| own.player == player).expect("rated").elo;
        let mut errors = Self::default();
        for seed in 0..lists {
            let found = played(design, u64::from(seed));
            for player in found.players.iter().filter(|player| player.player != found.anchor) {
                count(&mut errors.intervals, !(player.low..=player.high).contains(&true_elo(&player.player)));
            }
            for two in found.players.windows(2).filter(|two| two[0].superiority >= Some(0.95)) {
                count(&mut errors.above, true_elo(&two[0].player) <= true_elo(&two[1].player));
            }
            found.fit.iter().for_each(|(_, test)| count(&mut errors.fit, test.p_value < 0.05));
        }
        errors
    }
}

fn count([wrong, trials]: &mut [u32; 2], is_wrong: bool) {
    *wrong += u32::from(is_wrong);
    *trials += 1;
}

/// A list after games.
fn played(design: &Design, seed: u64) -> RatingList {
    let mut random = Random(seed.wrapping_mul(0x5851_f42d_4c95_7f2d) ^ 0x4321);
    let openings: Vec<_> = design
        .sizes
        .iter()
        .map(|_| (0..design.pairs).map(|_| design.opening(&mut random)).collect::<Vec<_>>())
        .collect();
    let mut size = 0;
    let mut scores: Vec<Vec<usize>> = Vec::new();
    list(design, &mut |strength| {
        let own: Vec<usize> = openings[size % openings.len()]
            .iter()
            .map(|opening| design.pair(&mut random, opening, strength))
            .collect();
        size += 1;
        let mut counts = PairCounts::default();
        own.iter().for_each(|category| counts.add(*category));
        scores.push(own);
        (counts, agreement_of(&[]))
    })
}

/// The list of the games that these counts of each pairing on each size are, with the agreement.
fn list(design: &Design, counts: &mut dyn FnMut(f64) -> (PairCounts, f64)) -> RatingList {
    let mut rows = Vec::new();
    for (against, other) in [PLAYERS[1], PLAYERS[2]] {
        // So that x has the most games, one player does not meet y.
        let meets = |case: &str| case != "x" && case != against && (against, case) != ("y", "d");
        for (case, own) in PLAYERS.into_iter().filter(|(case, _)| meets(case)) {
            for (number, size) in design.sizes.iter().enumerate() {
                let (counts, agreement) = counts(size + own - other);
                rows.push(Row {
                    case: case.to_owned(),
                    against: against.to_owned(),
                    budget: String::new(),
                    size: number as u8 + 4,
                    weight: 1.0,
                    counts,
                    unfinished: Unfinished::default(),
                    agreement,
                    parameters: [].into(),
                });
            }
        }
    }
    analyse(&rows, 0.95, Basis::Complete).expect("a sweep").ratings.remove(0)
}
