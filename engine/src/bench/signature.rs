//! The signature of the search: one number for the results of many searches, which changes when any of them does.

use crate::havannah::{Board, BoardSize, Params};
use crate::params::{ParamInfo, ParamValue};
use crate::rng::mix;
use crate::search::{Budget, Search};

/// Every tunable with each sample value of the tables that has an effect alone: the settings whose cost is measured.
#[must_use]
pub fn variants() -> Vec<(&'static str, ParamValue)> {
    let samples = samples().map(|(_, settings)| settings);
    samples.filter(|settings| settings.len() == 1).map(|mut settings| settings.remove(0)).collect()
}

/// A player for every preset and for every sample of the tables, with its name. Tests that take all players take these,
/// so that they test a new tunable, too.
#[must_use]
pub fn players() -> Vec<(String, Params)> {
    let presets =
        Params::PRESETS.iter().map(|(name, _)| ((*name).to_owned(), Params::preset(name).expect("a preset")));
    presets.chain(samples().map(|(_, settings)| player(&settings))).collect()
}

type Settings = Vec<(&'static str, ParamValue)>;

/// Every sample of the tables: the row, and what the sample sets.
fn samples() -> impl Iterator<Item = (&'static ParamInfo, Settings)> {
    Params::TABLE.iter().flat_map(|info| info.samples.iter().map(move |sample| (info, info.settings(sample))))
}

/// The default parameters with these settings, and a name.
fn player(settings: &[(&'static str, ParamValue)]) -> (String, Params) {
    let mut params = Params::default();
    for (name, value) in settings {
        params.set(name, value).unwrap_or_else(|error| panic!("a sample of `{name}`: {error}"));
    }
    let words: Vec<String> = settings.iter().map(|(name, value)| format!("{name}={value}")).collect();
    (words.join(" "), params)
}

/// Compatibility switches that are younger than the signature, and no part of it.
const UNSIGNED: [&str; 3] = ["distance_compat", "mate_in_one_compat", "ring_compat"];

/// One number that changes when any of these searches does: every one of the [`players`] on every size, and a few long
/// searches.
#[must_use]
pub fn signature() -> u64 {
    let signed = searches().into_iter().filter(|(_, search)| search.signed);
    signed.fold(0, |signature, (_, search)| sign(signature, &search.results()))
}

/// Two searches in a row; the second one uses the kept tree.
struct SignedSearches {
    params: Params,
    size: BoardSize,
    sims: u64,
    /// Whether they are a part of the [`signature`].
    signed: bool,
}

impl SignedSearches {
    fn results(&self) -> [u64; 8] {
        let mut search = Search::new(Board::new(self.size), &self.params, 1);
        let mut results = [0; 8];
        for results in results.chunks_exact_mut(4) {
            let result = search.think(Budget::Sims(self.sims));
            search.advance(result.slot);
            let value = u64::from(result.value.to_bits());
            results.copy_from_slice(&[u64::from(result.slot), value, result.sims, result.nodes]);
        }
        results
    }
}

/// Mixes results into a number.
fn sign(number: u64, results: &[u64]) -> u64 {
    results.iter().fold(number, |number, part| mix(number ^ part).rotate_left(1))
}

/// All searches with the names of their players, in the order of the [`signature`].
fn searches() -> Vec<(String, SignedSearches)> {
    // Some code runs in long searches only: counters above 16 bits, children whose knowledge has decayed, full trees.
    let with = |name, value| player(&[(name, ParamValue::Number(value))]).1;
    let long = [
        (5, Params::default(), 100_000),
        (6, with("connectivity", 20.0), 8_000),
        (8, with("memory_mib", 1.0), 20_000),
    ];
    let long = long.into_iter().map(|(size, params, sims)| {
        let player = format!("{sims} simulations on size {size}");
        let size = BoardSize::new(size).expect("a size");
        (player, SignedSearches { params, size, sims, signed: true })
    });
    let presets = players().into_iter().take(Params::PRESETS.len()).map(|player| (player, true));
    // Samples with company come last, those of compatibility before the others.
    let mut samples: Vec<_> = samples().collect();
    samples.sort_by_key(|(info, settings)| match settings.len() {
        1 => 0,
        _ if info.group == "compatibility" => 1,
        _ => 2,
    });
    let samples = samples.iter().map(|(info, all)| (player(all), !UNSIGNED.contains(&info.name)));
    let short = presets.chain(samples).flat_map(|((player, params), signed)| {
        BoardSize::all().map(move |size| {
            (player.clone(), SignedSearches { params: params.clone(), size, sims: 300, signed })
        })
    });
    long.chain(short).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, BTreeSet};

    /// A line for each player of the signature: a number of its searches, and its name.
    const PIN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/bench/signature.pin");

    /// The lines of a pin after the first one, by player.
    fn lines(pin: &str) -> BTreeMap<&str, &str> {
        pin.lines().skip(1).filter_map(|line| line.split_once("  ")).map(|(n, name)| (name, n)).collect()
    }

    /// A commit that changes how a player searches raises [`crate::SEMANTICS`].
    #[test]
    fn searches_are_the_pinned_ones() {
        let (mut signature, mut numbers) = (0, Vec::<(String, u64)>::new());
        for (player, search) in searches() {
            let results = search.results();
            if search.signed {
                signature = sign(signature, &results);
            }
            match numbers.last_mut().filter(|(last, _)| *last == player) {
                Some((_, number)) => *number = sign(*number, &results),
                None => numbers.push((player, sign(0, &results))),
            }
        }
        let mut found = format!("{signature:016x}  the signature of semantics {}\n", crate::SEMANTICS);
        numbers.iter().for_each(|(player, number)| found += &format!("{number:016x}  {player}\n"));
        let pinned = std::fs::read_to_string(PIN).expect("a pin");
        let semantics =
            |pin: &str| pin.lines().next().and_then(|line| Some(line.split_once("  ")?.1.to_owned()));
        let (now, before) = (lines(&found), lines(&pinned));
        if semantics(&found) == semantics(&pinned) {
            let changed =
                before.iter().filter(|(player, number)| now.get(*player).is_some_and(|now| now != *number));
            let changed: Vec<_> = changed.map(|(player, _)| player).collect();
            assert!(
                changed.is_empty(),
                "these players search otherwise than before: {changed:?}. The default of a new tunable switches it off; if \
                 players are to change, raise `engine::SEMANTICS` (CONTRIBUTING.md, The signature)"
            );
        }
        if std::env::var_os("GAUNTLET_WRITE").is_some() {
            std::fs::write(PIN, &found).expect("pins can be written");
        } else {
            let new: Vec<_> = now.keys().filter(|player| !before.contains_key(*player)).collect();
            assert!(
                found == pinned,
                "players without a pin: {new:?}. `GAUNTLET_WRITE=1 cargo test -p engine --lib bench` writes {PIN}; commit it"
            );
        }
    }

    /// A tunable counts as exercised if it has an effect and differs from its default.
    #[test]
    fn players_exercise_every_tunable() {
        let players = players();
        let moved: BTreeSet<_> =
            players.iter().flat_map(|(_, params)| params.differences().into_keys()).collect();
        let missing: Vec<_> =
            Params::TABLE.iter().map(|info| info.name).filter(|name| !moved.contains(name)).collect();
        assert!(
            missing.is_empty(),
            "{missing:?}: give each a sample in its row, as `[\"0.5\"]`, with company if it has no effect alone, as \
             `[\"0.5 exploration=0.9\"]`; if it has an effect, `canonical` says the contrary"
        );
    }

    #[test]
    fn every_tunable_changes_a_search() {
        let results = |settings: &[(&'static str, ParamValue)]| {
            let (_, params) = player(settings);
            let search = |size| SignedSearches { params: params.clone(), size, sims: 300, signed: true };
            BoardSize::all().map(|size| search(size).results()).collect::<Vec<_>>()
        };
        let samples: Vec<_> = samples().map(|(_, settings)| settings).collect();
        // A tree is full in long searches only, and positions are drawn at the end of games only.
        let late = ["memory_mib", "draw_detection"];
        for name in Params::TABLE.iter().map(|info| info.name).filter(|name| !late.contains(name)) {
            let mut with = samples.iter().filter(|settings| settings.iter().any(|(set, _)| *set == name));
            let has_effect = with.any(|settings| {
                let others: Settings = settings.iter().filter(|(set, _)| *set != name).cloned().collect();
                results(settings) != results(&others)
            });
            assert!(
                has_effect,
                "no sample of `{name}` changes a search: nothing reads `{name}`, or it has an effect only beside other \
                 values, which a sample names after its own, as in `[\"0.5 exploration=0.9\"]`"
            );
        }
    }
}
