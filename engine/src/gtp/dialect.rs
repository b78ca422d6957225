//! The player flags of castro, so that programs written for it can set up a player here.

use super::refusal::{Refusal, excerpt};
use crate::params::{ParamValue, Params};

/// What a flag means here.
enum Meaning {
    /// The same number of a parameter.
    Number(&'static str),
    /// A switch, 0 or 1.
    Switch(&'static str),
    /// The final move: one of these words by number, or from 0 on `value` with this RAVE equivalence.
    FinalMove(&'static [(f64, &'static str)]),
    /// Nothing to set: only this value, which means "off" or "as usual", is taken.
    Only(f64),
    /// No effect on the player, whatever the value.
    Ignored,
}

/// Every flag that is understood.
const FLAGS: &[(char, Meaning)] = &[
    ('e', Meaning::Number("exploration")),
    ('f', Meaning::Number("rave_k")),
    ('d', Meaning::Number("rave_k_per_empty")),
    ('u', Meaning::Number("fpu")),
    ('x', Meaning::Number("expand_visits")),
    ('m', Meaning::Number("lookahead")),
    ('O', Meaning::Number("rollouts")),
    ('M', Meaning::Number("memory_mib")),
    ('k', Meaning::Switch("keep_tree")),
    ('r', Meaning::Number("rave_probability")),
    ('X', Meaning::Number("exploration_probability")),
    ('I', Meaning::Number("widening")),
    ('T', Meaning::Switch("draw_detection")),
    ('F', Meaning::FinalMove(&[(-1.0, "visits"), (-2.0, "wins")])),
    ('E', Meaning::Number("final_exploration")),
    // Only with `-w`.
    ('W', Meaning::Ignored),
    // Only switches the knowledge below on or off.
    ('a', Meaning::Ignored),
    ('t', Meaning::Only(1.0)),
    ('o', Meaning::Only(0.0)),
    ('s', Meaning::Only(0.0)),
    ('l', Meaning::Only(0.0)),
    ('y', Meaning::Only(0.0)),
    ('c', Meaning::Only(0.0)),
    ('S', Meaning::Only(0.0)),
    ('D', Meaning::Only(0.0)),
    ('b', Meaning::Only(0.0)),
    ('p', Meaning::Only(0.0)),
    ('h', Meaning::Only(0.0)),
    ('g', Meaning::Only(0.0)),
    ('w', Meaning::Only(0.0)),
    ('C', Meaning::Only(1.0)),
    ('R', Meaning::Only(1000.0)),
    ('Z', Meaning::Only(6.0)),
    ('z', Meaning::Only(0.0)),
    ('G', Meaning::Only(0.0)),
];

/// Sets parameters from pairs such as `-e 0.9`; a flag may come again, and the last counts.
pub(super) fn apply(params: &mut Params, arguments: &[&str]) -> Result<(), Refusal> {
    let mut rest = arguments.iter();
    while let Some(flag) = rest.next() {
        let refuse = |why: String| Refusal::Flag { flag: excerpt(flag), why };
        let mut letters = flag.strip_prefix('-').unwrap_or_default().chars();
        let letter = letters.next().filter(|_| letters.as_str().is_empty());
        let Some((_, meaning)) = FLAGS.iter().find(|(known, _)| Some(*known) == letter) else {
            let known: String = FLAGS.iter().map(|(letter, _)| *letter).collect();
            return Err(refuse(format!(
                "is not known; there are the letters {known}, and `params help` for names"
            )));
        };
        let text = rest.next().ok_or_else(|| refuse("needs a number".into()))?;
        let number: f64 =
            text.parse().map_err(|_| refuse(format!("needs a number, not `{}`", excerpt(text))))?;
        match meaning {
            Meaning::Number(name) => params.set(name, &ParamValue::Number(number))?,
            Meaning::Switch(name) if number == 0.0 || number == 1.0 => {
                params.set(name, &ParamValue::Flag(number == 1.0))?;
            }
            Meaning::Switch(_) => return Err(refuse("takes 0 or 1".into())),
            Meaning::FinalMove(words) => {
                let word = words.iter().find(|(known, _)| *known == number).map(|(_, word)| *word);
                let word = word.or((number >= 0.0).then_some("value")).ok_or_else(|| {
                    let known: Vec<String> =
                        words.iter().map(|(number, word)| format!("{number} ({word})")).collect();
                    refuse(format!("takes {} or a RAVE equivalence from 0 on", known.join(", ")))
                })?;
                if number >= 0.0 {
                    params.set("final_rave_k", &ParamValue::Number(number))?;
                }
                params.set("final_move", &ParamValue::Word(word.to_owned()))?;
            }
            Meaning::Only(only) if number == *only => {}
            Meaning::Only(only) => {
                return Err(refuse(format!(
                    "takes nothing but {only} here; `params help` lists what there is"
                )));
            }
            Meaning::Ignored => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_flag_means_something_the_player_has_and_is_documented() {
        let page = include_str!("../../../docs/GTP.md");
        let mut seen = BTreeSet::new();
        for (letter, meaning) in FLAGS {
            assert!(seen.insert(letter), "-{letter} twice");
            assert!(page.contains(&format!("`-{letter}`")), "docs/GTP.md lacks -{letter}");
            let (name, value) = match meaning {
                Meaning::Number(name) | Meaning::Switch(name) => (*name, "1"),
                Meaning::FinalMove(words) => {
                    for (number, word) in [*words, &[(0.0, "value"), (30.0, "value")]].concat() {
                        let mut params = Params::default();
                        apply(&mut params, &[&format!("-{letter}"), &number.to_string()]).expect("listed");
                        assert_eq!(params.get("final_move"), Some(ParamValue::Word(word.to_owned())));
                        assert_eq!(params.final_rave_k, f64::max(number, 0.0));
                    }
                    apply(&mut Params::default(), &["-F", "-3"]).expect_err("no such mode");
                    continue;
                }
                Meaning::Only(_) | Meaning::Ignored => continue,
            };
            let mut params = Params::default();
            apply(&mut params, &[&format!("-{letter}"), value]).expect("within range");
            let set = params.get(name).expect("a parameter");
            assert!(set == ParamValue::Number(1.0) || set == ParamValue::Flag(true), "{name} {set}");
        }
    }

    #[test]
    fn the_recorded_baselines_are_the_presets_of_their_names() {
        let common = "-t 1 -o 0 -E 1 -F -1 -k 1 -m 2 -u 1 -x 1 -s 0 -l 0 -y 0 -c 0 -b 0 -p 0 -h 0 -g 0 -w 0";
        for (preset, flags) in [("uct", "-e 0.9 -f 0 -d 0"), ("rave", "-e 0 -f 500 -d 0")] {
            let mut params = Params::default();
            let flags = format!("{common} {flags}");
            apply(&mut params, &flags.split(' ').collect::<Vec<_>>()).expect("understood");
            assert_eq!(params, Params::preset(preset).expect("preset"));
        }
    }
}
