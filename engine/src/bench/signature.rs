//! The signature of the search: one number for the results of many searches, which changes when any of them does.

use crate::havannah::{Board, BoardSize, Params};
use crate::params::ParamValue;
use crate::rng::mix;
use crate::search::{Budget, Search};

/// Every tunable with each sample value of the tables, one at a time: the settings that the signature covers and whose
/// cost is measured. A tunable without a sample has no effect alone; [`signature`] sets such tunables together with
/// others.
#[must_use]
pub fn variants() -> Vec<(&'static str, ParamValue)> {
    let value = |sample: &&str| sample.parse().unwrap_or_else(|never| match never {});
    let rows = Params::TABLE.iter();
    rows.flat_map(|info| info.samples.iter().map(move |sample| (info.name, value(sample)))).collect()
}

/// One number that changes when any of these searches does: every preset and every one of the [`variants`], on every
/// size, and a few long searches. Compatibility switches that were added after the signature was first pinned are not
/// part of it: a test pins a second number for their searches.
#[must_use]
pub fn signature() -> u64 {
    let mut signature = 0;
    for (size, params, sims) in signed_searches() {
        sign(&mut signature, size, &params, sims);
    }
    signature
}

/// Board, player and simulations of every search of the [`signature`].
fn signed_searches() -> Vec<(BoardSize, Params, u64)> {
    let presets = Params::PRESETS.iter().map(|(name, _)| Params::preset(name).expect("a preset"));
    let varied = variants().into_iter().map(|setting| together(&[setting]));
    let compatible = together(&[
        ("locality", ParamValue::Number(5.0)),
        ("group_size", ParamValue::Number(2.0)),
        ("knowledge_compat", ParamValue::Word("published".into())),
        ("mate_in_one", ParamValue::Number(271.0)),
        ("ring_depth_share", ParamValue::Number(0.5)),
        ("playout_compat", ParamValue::Word("published".into())),
    ]);
    let sampling = together(&[
        ("exploration", ParamValue::Number(0.5)),
        ("exploration_probability", ParamValue::Number(0.5)),
    ]);
    let by_value = together(&[
        ("final_move", ParamValue::Word("value".into())),
        ("final_rave_k", ParamValue::Number(500.0)),
        ("final_exploration", ParamValue::Number(0.2)),
    ]);
    // Some code runs in long searches only: counters above 16 bits, children whose knowledge has decayed, full trees.
    let with = |name, value| together(&[(name, ParamValue::Number(value))]);
    let long = [
        (5, Params::default(), 100_000),
        (6, with("connectivity", 20.0), 8_000),
        (8, with("memory_mib", 1.0), 20_000),
    ];
    let long =
        long.map(|(size, params, sims)| (BoardSize::new(size).expect("a size"), params, sims)).into_iter();
    let players = presets.chain(varied).chain([compatible, sampling, by_value]);
    long.chain(players.flat_map(|params| BoardSize::all().map(move |size| (size, params.clone(), 300))))
        .collect()
}

/// The default parameters with these settings.
fn together(settings: &[(&str, ParamValue)]) -> Params {
    let mut params = Params::default();
    for (name, value) in settings {
        params.set(name, value).expect("a value of the table");
    }
    params
}

/// Mixes the results of two searches in a row into a signature. The second search uses the kept tree.
fn sign(signature: &mut u64, size: BoardSize, params: &Params, sims: u64) {
    let mut search = Search::new(Board::new(size), params, 1);
    for _ in 0..2 {
        let result = search.think(Budget::Sims(sims));
        search.advance(result.slot);
        for part in [u64::from(result.slot), u64::from(result.value.to_bits()), result.sims, result.nodes] {
            *signature = mix(*signature ^ part).rotate_left(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Compares a number with its pin, a file beside this one. With `GAUNTLET_PIN=1` in the environment, the number
    /// becomes the pin.
    fn check_pin(name: &str, found: u64) {
        let file = format!("{}/src/bench/{name}.pin", env!("CARGO_MANIFEST_DIR"));
        let found = format!("{found:016x}\n");
        if std::env::var_os("GAUNTLET_PIN").is_some() {
            std::fs::write(&file, &found).expect("pins can be written");
        }
        let pinned = std::fs::read_to_string(&file).expect("a pin");
        assert_eq!(
            found, pinned,
            "a search has changed, or there are new ones: CONTRIBUTING.md, The signature"
        );
    }

    /// A commit that changes the pin says so in its message. If a search of an existing player has changed, the commit
    /// also raises [`crate::SEMANTICS`]. If the commit only adds to [`variants`] or the presets, no game has changed
    /// and [`crate::SEMANTICS`] stays.
    #[test]
    fn the_signature_is_the_pinned_one() {
        check_pin("signature", signature());
    }

    /// Players with the switches that are not in the [`signature`], alone and together with settings that they interact
    /// with.
    fn later_players() -> Vec<Params> {
        let word = |word: &str| ParamValue::Word(word.into());
        let number = ParamValue::Number;
        let mate = |level| vec![("mate_in_one", number(271.0)), ("mate_in_one_compat", word(level))];
        let lassos = vec![("ring_permanent", number(2.0)), ("ring_compat", word("published"))];
        let more = |first: &[(&'static str, ParamValue)], second: &[(&'static str, ParamValue)]| {
            [first, second].concat()
        };
        let playouts = [("playout_compat", word("published"))];
        let players = [
            vec![("distance", number(2.0)), ("distance_compat", word("published"))],
            vec![("distance_both", number(2.0)), ("distance_compat", word("published"))],
            lassos.clone(),
            vec![("ring_growth", number(30.0)), ("ring_compat", word("published"))],
            mate("level1"),
            mate("level2"),
            mate("level4"),
            more(&mate("level2"), &playouts),
            more(&mate("level4"), &playouts),
            more(&mate("off"), &lassos),
            more(&mate("level2"), &lassos),
        ];
        players.iter().map(|player| together(player)).collect()
    }

    /// Like the test of the [`signature`], for [`later_players`]. A switch that is added there changes this number
    /// only.
    #[test]
    fn searches_of_the_later_compatibility_switches_are_the_pinned_ones() {
        let mut signature = 0;
        for params in later_players() {
            for size in BoardSize::all() {
                sign(&mut signature, size, &params, 300);
            }
        }
        check_pin("compatibility", signature);
    }

    /// A tunable counts as exercised if it has an effect and differs from its default.
    #[test]
    fn the_pinned_searches_exercise_every_tunable_and_preset() {
        let signed: Vec<_> = signed_searches().into_iter().map(|(_, params, _)| params).collect();
        let moved: BTreeSet<_> = signed
            .iter()
            .chain(&later_players())
            .flat_map(|params| params.differences().into_keys())
            .collect();
        let missing: Vec<_> =
            Params::TABLE.iter().map(|info| info.name).filter(|name| !moved.contains(name)).collect();
        assert!(missing.is_empty(), "give {missing:?} a sample in the table, and pin the new signature");
        for (name, _) in Params::PRESETS {
            assert!(signed.contains(&Params::preset(name).expect("a preset")), "{name} is not signed");
        }
    }
}
