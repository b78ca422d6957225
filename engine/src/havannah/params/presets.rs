//! The presets: the players of the thesis and the best one that a tune found, by name.

use super::Params;
use crate::params::{ParamValue, SetParamError};

struct Preset {
    name: &'static str,
    meaning: &'static str,
    /// The numbers that differ from the defaults. Later lists take precedence.
    settings: &'static [&'static [(&'static str, f64)]],
    /// The words that differ from the defaults.
    words: &'static [(&'static str, &'static str)],
}

/// The settings that the thesis' combination of all features adds to B-RAVE.
const ALL: &[(&str, f64)] = &[
    ("maintain_vc", 100.0),
    ("connectivity", 20.0),
    ("locality", 3.0),
    ("local_reply", 5.0),
    ("distance", 2.0),
    ("group_size", 2.0),
    ("rollouts", 5.0),
    ("mate_in_one_per_size", 1.0),
    ("ring_depth_share", 0.7),
    ("ring_permanent", 3.0),
];

/// The preset of the combination without one of its features.
macro_rules! without {
    ($name:literal, $what:literal, $param:literal, $off:literal) => {
        Preset {
            name: concat!("thesis-all-no-", $name),
            meaning: concat!("thesis-all without ", $what),
            settings: &[ALL, &[($param, $off)]],
            words: &[],
        }
    };
}

/// Every preset. Settings that are not listed keep their defaults: expansion at the second visit, first-play urgency 1,
/// 2-ply lookahead, a tree that is kept between moves, the most visited child as the final move.
const TABLE: &[Preset] = &[
    Preset {
        name: "uct",
        meaning: "plain UCT, exploration 0.9 (B-UCT of the thesis)",
        settings: &[&[("exploration", 0.9), ("rave_k", 0.0)]],
        words: &[],
    },
    Preset {
        name: "rave",
        meaning: "RAVE with k = 500, no exploration (B-RAVE of the thesis)",
        settings: &[],
        words: &[],
    },
    Preset {
        name: "tuned",
        meaning: "the best of four settings near what a tune on sizes 5 and 7 recommended, at equal time (docs/results/tuned.md)",
        settings: &[&[
            ("rave_k", 160.0),
            ("rave_k_per_empty", 170.0),
            ("rollouts", 5.0),
            ("expand_visits", 2.0),
            ("maintain_vc", 25.0),
        ]],
        words: &[("final_move", "value")],
    },
    Preset {
        name: "thesis-all",
        meaning: "rave with the knowledge and playouts of the thesis' combination of all features",
        settings: &[ALL],
        words: &[],
    },
    without!("multi-rollout", "multiple rollouts", "rollouts", 1.0),
    without!("mate-in-one", "mate-in-one", "mate_in_one_per_size", 0.0),
    without!("ring-depth", "the depth limit on rings", "ring_depth_share", 1.0),
    without!("ring-perm", "permanent stones in rings", "ring_permanent", 0.0),
    without!("maintain-vc", "maintaining virtual connections", "maintain_vc", 0.0),
    without!("connectivity", "edge connectivity", "connectivity", 0.0),
    without!("distance", "distance to win", "distance", 0.0),
    without!("group-size", "group size", "group_size", 0.0),
    without!("locality", "locality", "locality", 0.0),
    without!("local-reply", "local reply", "local_reply", 0.0),
];

impl Params {
    /// The name of each preset, and one line about it.
    pub const PRESETS: [(&'static str, &'static str); TABLE.len()] = {
        let mut presets = [("", ""); TABLE.len()];
        let mut i = 0;
        while i < TABLE.len() {
            presets[i] = (TABLE[i].name, TABLE[i].meaning);
            i += 1;
        }
        presets
    };

    /// The parameters of a preset.
    ///
    /// # Errors
    /// If no preset has this name, the error lists the presets.
    pub fn preset(name: &str) -> Result<Self, SetParamError> {
        let preset = TABLE.iter().find(|preset| preset.name == name).ok_or_else(|| {
            let presets = TABLE.iter().map(|preset| preset.name).collect();
            SetParamError::UnknownPreset { name: name.to_owned(), presets }
        })?;
        let mut params = Self::default();
        for (name, value) in preset.settings.iter().copied().flatten() {
            params.set(name, &ParamValue::Number(*value))?;
        }
        for (name, word) in preset.words {
            params.set(name, &ParamValue::Word((*word).to_owned()))?;
        }
        Ok(params)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn differences(preset: &str) -> Vec<(&'static str, f64)> {
        let params = Params::preset(preset).expect("a preset");
        let number = |value| if let ParamValue::Number(number) = value { number } else { f64::NAN };
        params.differences().into_iter().map(|(name, value)| (name, number(value))).collect()
    }

    #[test]
    fn the_baselines_differ_from_the_defaults_as_recorded() {
        assert_eq!(differences("rave"), []);
        assert_eq!(differences("uct"), [("exploration", 0.9), ("rave_k", 0.0)]);
    }

    #[test]
    fn a_preset_has_words_too() {
        let tuned = Params::preset("tuned").expect("a preset");
        assert_eq!(tuned.get("final_move"), Some(ParamValue::Word("value".to_owned())));
        assert_eq!(tuned.get("rollouts"), Some(ParamValue::Number(5.0)));
    }

    #[test]
    fn the_combination_lacks_one_feature_in_each_of_its_variants() {
        let mut all = ALL.to_vec();
        all.sort_by_key(|(name, _)| *name);
        assert_eq!(differences("thesis-all"), all);
        let variants: Vec<_> =
            Params::PRESETS.iter().filter(|(name, _)| name.starts_with("thesis-all-no-")).collect();
        let mut missing: Vec<_> = variants
            .iter()
            .map(|(name, _)| {
                let left = differences(name);
                let lacking: Vec<_> = all.iter().filter(|pair| !left.contains(pair)).collect();
                assert_eq!((left.len(), lacking.len()), (all.len() - 1, 1), "{name}");
                *lacking[0]
            })
            .collect();
        missing.sort_by_key(|(name, _)| *name);
        assert_eq!(missing, all);
    }
}
