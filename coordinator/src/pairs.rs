//! The beginning of a pair of games: its seed and its opening.

use engine::havannah::Cell;
use engine::rng::Rng;
use engine::selfplay::random_opening;
use protocol::experiment::CellSpec;

/// One step of SplitMix64. Its values for 0 and its neighbours are unrelated, too.
fn mix(z: u64) -> u64 {
    engine::rng::mix(z.wrapping_add(0x9e37_79b9_7f4a_7c15))
}

/// The seed of a pair: `mix(mix(mix(seed) ^ size) ^ pair)`. It depends on nothing else, so all cases of a sweep play the same
/// openings with the same random streams.
pub(crate) fn pair_seed(spec: &CellSpec, pair: u32) -> u64 {
    mix(mix(mix(spec.seed) ^ u64::from(spec.size.get())) ^ u64::from(pair))
}

/// The moves with which both games of a pair begin: random moves, or an opening of the cell's book. The book is taken in
/// an order of the experiment's seed, again and again, so every opening is played equally often.
pub(crate) fn opening(spec: &CellSpec, pair: u32) -> Vec<Cell> {
    if let Some(book) = spec.book {
        let openings = book.openings();
        let mut order: Vec<usize> = (0..openings.len()).collect();
        let mut rng = Rng::stream(mix(spec.seed), u64::from(spec.size.get()));
        for i in (1..order.len()).rev() {
            order.swap(i, rng.below(i as u32 + 1) as usize);
        }
        return openings[order[pair as usize % order.len()]].clone();
    }
    random_opening(spec.size, spec.opening_plies, mix(pair_seed(spec, pair)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::havannah::BoardSize;
    use protocol::book::Book;
    use protocol::lease::{Budget, ParamSet};
    use std::collections::HashSet;

    fn spec(seed: u64, size: u8) -> CellSpec {
        CellSpec {
            semantics: engine::SEMANTICS,
            case: ParamSet::default(),
            baseline: ParamSet::default(),
            size: BoardSize::new(size).expect("size"),
            budget: Budget::Sims(10),
            opening_plies: 2,
            book: None,
            seed,
        }
    }

    #[test]
    fn seeds_differ_between_pairs_sizes_and_experiments() {
        let mut seen = HashSet::new();
        for seed in 0..20 {
            for size in 3..=10 {
                for pair in 0..100 {
                    assert!(seen.insert(pair_seed(&spec(seed, size), pair)), "{seed} {size} {pair}");
                }
            }
        }
    }

    #[test]
    fn a_book_gives_every_opening_equally_often_and_all_cases_the_same() {
        let size = BoardSize::new(5).expect("size");
        let book = Book::named("balanced", size).expect("a book");
        let of = |seed| CellSpec { opening_plies: 0, book: Some(book), ..spec(seed, 5) };
        let all = book.openings().len() as u32;
        let cycle = |seed, from: u32| {
            (from..from + all).map(move |pair| opening(&of(seed), pair)).collect::<Vec<_>>()
        };
        let distinct: HashSet<_> = cycle(1, 0).into_iter().collect();
        assert_eq!(distinct, book.openings().iter().cloned().collect());
        assert_eq!(cycle(1, 0), cycle(1, all), "the order repeats");
        assert_ne!(cycle(1, 0), cycle(2, 0), "and depends on the seed");
        assert_ne!(pair_seed(&of(1), 0), pair_seed(&of(1), all), "though the games differ");
        let other = CellSpec { budget: Budget::Sims(20), ..of(1) };
        assert_eq!(opening(&other, 3), opening(&of(1), 3));
    }

    #[test]
    fn a_seed_is_pinned_because_stored_games_depend_on_it() {
        assert_eq!(pair_seed(&spec(1, 4), 0), pair_seed(&CellSpec { opening_plies: 0, ..spec(1, 4) }, 0));
        assert_eq!(format!("{:016x}", pair_seed(&spec(1, 4), 7)), "708dd10e9c79e1cd");
    }
}
