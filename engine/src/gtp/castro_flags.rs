//! The player flags of castro, so that programs written for castro can set up a player here.

use super::refusal::Refusal;
use crate::havannah::{NO_DEPTH_SHARE, Params, PlayoutCompat};
use crate::params::{ParamValue, SetParamError};
use crate::spelling::excerpt;

/// The meaning of a flag.
enum Meaning {
    /// The value of a parameter.
    Number(&'static str),
    /// The value of a parameter. Negative numbers, which mean something else to castro, are refused.
    NotNegative(&'static str),
    /// A switch, 0 or 1.
    Switch(&'static str),
    /// One of these words, numbered from 0.
    Word(&'static str, &'static [&'static str]),
    /// A number from 0 on sets the first parameter. The opposite of a negative number sets the second. The other
    /// parameter gets its default.
    NumberOrShare(&'static str, &'static str),
    /// Mates in one in playouts: 0 switches them off, 3 looks for them by the opponent's group.
    Mates,
    /// The number of choices at which a playout looks for mates in one. A negative number counts in board sizes. Without
    /// effect when mates are off.
    MateChoices,
    /// 0 sets all weights of knowledge to 0.
    Knowledge,
    /// The rule for the final move: one of these words by number, or a number from 0 on for the rule `value` with this
    /// RAVE equivalence.
    FinalMove(&'static [(f64, &'static str)]),
    /// A castro setting that does not exist here. Only this value, which castro uses for "off" or "default", is accepted.
    Only(f64),
}

/// The known flags.
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
    ('b', Meaning::Number("maintain_vc")),
    ('y', Meaning::Number("locality")),
    ('l', Meaning::Number("local_reply")),
    ('c', Meaning::Number("connectivity")),
    ('S', Meaning::Number("group_size")),
    ('D', Meaning::NotNegative("distance")),
    ('a', Meaning::Knowledge),
    ('w', Meaning::Mates),
    ('W', Meaning::MateChoices),
    ('p', Meaning::Switch("vc_replies")),
    ('g', Meaning::Word("last_good_reply", &["off", "lgr", "lgrf"])),
    ('C', Meaning::Number("ring_probability")),
    ('R', Meaning::NumberOrShare("ring_depth", "ring_depth_share")),
    ('Z', Meaning::Number("ring_size")),
    ('z', Meaning::NumberOrShare("ring_growth", "ring_growth_share")),
    ('G', Meaning::Number("ring_permanent")),
    ('t', Meaning::Only(1.0)),
    ('o', Meaning::Only(0.0)),
    ('s', Meaning::Only(0.0)),
    ('h', Meaning::Only(0.0)),
];

/// The values of `-w`, with those of `mate_in_one_compat`; none for no look.
const MATE_LEVELS: [(f64, Option<&str>); 5] =
    [(0.0, None), (1.0, Some("level1")), (2.0, Some("level2")), (3.0, Some("off")), (4.0, Some("level4"))];

/// Sets parameters from pairs such as `-e 0.9`. If a flag is repeated, the last value counts.
pub(super) fn apply(params: &mut Params, arguments: &[&str]) -> Result<(), Refusal> {
    let mut rest = arguments.iter();
    let (mut mates, mut mate_choices, mut knowledge) = (None, None, true);
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
            Meaning::NotNegative(_) if number < 0.0 => {
                return Err(refuse(
                    "takes no negative number: distances here always cross two-bridges".into(),
                ));
            }
            Meaning::Number(name) | Meaning::NotNegative(name) => {
                params.set(name, &ParamValue::Number(number))?;
            }
            Meaning::Switch(name) if number == 0.0 || number == 1.0 => {
                params.set(name, &ParamValue::Flag(number == 1.0))?;
            }
            Meaning::Switch(_) => return Err(refuse("takes 0 or 1".into())),
            Meaning::Word(name, words) => {
                let word = words.iter().enumerate().find(|(known, _)| *known as f64 == number);
                let (_, word) = word.ok_or_else(|| {
                    let known = words.iter().enumerate().map(|(number, word)| format!("{number} ({word})"));
                    refuse(format!("takes {}", known.collect::<Vec<_>>().join(", ")))
                })?;
                params.set(name, &ParamValue::Word((*word).to_owned()))?;
            }
            Meaning::NumberOrShare(name, share) => set_number_or_share(params, (name, share), number)?,
            Meaning::Mates => {
                let level = MATE_LEVELS.iter().find(|(known, _)| *known == number);
                let (_, level) =
                    level.ok_or_else(|| refuse("takes 0 (off), or a level from 1 to 4".into()))?;
                mates = Some(*level);
            }
            Meaning::MateChoices => mate_choices = Some(number),
            Meaning::Knowledge if number == 0.0 || number == 1.0 => knowledge = number == 1.0,
            Meaning::Knowledge => return Err(refuse("takes 0 or 1".into())),
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
        }
    }
    if !knowledge {
        for info in Params::TABLE.iter().filter(|info| info.group == "knowledge") {
            params.set(info.name, &ParamValue::Number(0.0))?;
        }
    }
    set_mates(params, mates, mate_choices)
}

/// See [`Meaning::NumberOrShare`].
fn set_number_or_share(
    params: &mut Params,
    (name, share): (&str, &str),
    number: f64,
) -> Result<(), SetParamError> {
    let (set, usual, value) = if number < 0.0 { (share, name, -number) } else { (name, share, number) };
    params.set(set, &ParamValue::Number(value))?;
    let counts_from_root = params.heuristics.playout_compat == PlayoutCompat::Published;
    let usual_value = match usual {
        // Beside a number the program had no share. Where moves are counted from the root, that is more than a share of 1.
        "ring_depth_share" if counts_from_root => ParamValue::Number(NO_DEPTH_SHARE),
        _ => Params::default().get(usual).expect("flags name parameters of the table"),
    };
    params.set(usual, &usual_value)
}

/// Applies the two flags for mates in one together, because their order does not matter.
fn set_mates(params: &mut Params, mates: Option<Option<&str>>, choices: Option<f64>) -> Result<(), Refusal> {
    const ALL: f64 = 1000.0;
    let before = params.heuristics.mate_in_one > 0 || params.heuristics.mate_in_one_per_size > 0.0;
    if let Some(Some(level)) = mates {
        params.set("mate_in_one_compat", &ParamValue::Word(level.to_owned()))?;
    }
    let choices = match (mates.map_or(before, |level| level.is_some()), choices) {
        (false, _) => 0.0,
        (true, Some(choices)) => choices,
        (true, None) if before => return Ok(()),
        (true, None) => ALL,
    };
    Ok(set_number_or_share(params, ("mate_in_one", "mate_in_one_per_size"), choices)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_flag_means_something_the_player_has_and_is_documented() {
        let page = include_str!("../../../docs/reference/gtp.md");
        let mut seen = BTreeSet::new();
        for (letter, meaning) in FLAGS {
            assert!(seen.insert(letter), "-{letter} twice");
            assert!(page.contains(&format!("`-{letter}`")), "docs/reference/gtp.md lacks -{letter}");
            let (name, value) = match meaning {
                Meaning::Number(name) | Meaning::NotNegative(name) | Meaning::Switch(name) => (*name, "1"),
                Meaning::FinalMove(words) => {
                    for (number, word) in [*words, &[(0.0, "value"), (30.0, "value")]].concat() {
                        let mut params = Params::default();
                        apply(&mut params, &[&format!("-{letter}"), &number.to_string()]).expect("listed");
                        assert_eq!(params.get("final_move"), Some(ParamValue::Word(word.to_owned())));
                        assert_eq!(params.search.final_rave_k, f64::max(number, 0.0));
                    }
                    apply(&mut Params::default(), &["-F", "-3"]).expect_err("no such mode");
                    continue;
                }
                Meaning::Word(name, words) => {
                    for (number, word) in words.iter().enumerate() {
                        let mut params = Params::default();
                        apply(&mut params, &[&format!("-{letter}"), &number.to_string()]).expect("listed");
                        assert_eq!(params.get(name), Some(ParamValue::Word((*word).to_owned())));
                    }
                    continue;
                }
                Meaning::NumberOrShare(name, share) => {
                    let mut params = Params::default();
                    apply(&mut params, &[&format!("-{letter}"), "-0.5"]).expect("within range");
                    assert_eq!(params.get(share), Some(ParamValue::Number(0.5)));
                    apply(&mut params, &[&format!("-{letter}"), "7"]).expect("within range");
                    assert_eq!(params.get(name), Some(ParamValue::Number(7.0)));
                    assert_eq!(params.get(share), Params::default().get(share));
                    params.heuristics.playout_compat = PlayoutCompat::Published;
                    apply(&mut params, &["-R", "1000"]).expect("within range");
                    assert_eq!(params.heuristics.ring_depth_share, 1000.0);
                    continue;
                }
                Meaning::Only(_) | Meaning::Mates | Meaning::MateChoices | Meaning::Knowledge => continue,
            };
            let mut params = Params::default();
            let value = if *letter == 'Z' { "8" } else { value };
            apply(&mut params, &[&format!("-{letter}"), value]).expect("within range");
            let set = params.get(name).expect("a parameter");
            assert!(
                set == value.parse().expect("infallible") || set == ParamValue::Flag(true),
                "{name} {set}"
            );
        }
    }

    fn flags(params: &mut Params, flags: &str) {
        apply(params, &flags.split(' ').collect::<Vec<_>>()).expect("understood");
    }

    #[test]
    fn two_flags_say_at_which_choices_mates_are_looked_for() {
        for (text, choices, per_size) in [
            ("-w 3", 1000, 0.0),
            ("-w 3 -W 5", 5, 0.0),
            ("-W 5 -w 3", 5, 0.0),
            ("-W -2 -w 3", 0, 2.0),
            ("-w 3 -W -1 -w 0", 0, 0.0),
            ("-W -1", 0, 0.0),
        ] {
            let mut params = Params::default();
            flags(&mut params, text);
            assert_eq!(
                (params.heuristics.mate_in_one, params.heuristics.mate_in_one_per_size),
                (choices, per_size),
                "{text}"
            );
        }
        let mut params = Params::preset("thesis-all").expect("preset");
        flags(&mut params, "-w 3");
        assert_eq!((params.heuristics.mate_in_one, params.heuristics.mate_in_one_per_size), (0, 1.0));
        flags(&mut params, "-W 1000");
        assert_eq!((params.heuristics.mate_in_one, params.heuristics.mate_in_one_per_size), (1000, 0.0));
        for (text, level) in [("-w 1", "level1"), ("-w 2", "level2"), ("-w 4", "level4"), ("-w 3", "off")] {
            flags(&mut params, text);
            let word = ParamValue::Word(level.to_owned());
            assert_eq!(params.get("mate_in_one_compat"), Some(word), "{text}");
        }
        apply(&mut params, &["-w", "5"]).expect_err("no such level");
        apply(&mut params, &["-D", "-2"]).expect_err("does not cross two-bridges");
        flags(&mut params, "-a 0");
        let weights = Params::TABLE.iter().filter(|info| info.group == "knowledge");
        assert!(
            weights.map(|info| params.get(info.name)).all(|value| value == Some(ParamValue::Number(0.0)))
        );
    }

    #[test]
    fn the_recorded_players_are_the_presets_of_their_names() {
        let common = "-t 1 -o 0 -E 1 -F -1 -k 1 -m 2 -u 1 -x 1 -s 0 -l 0 -y 0 -c 0 -b 0 -p 0 -h 0 -g 0 -w 0";
        let rave = format!("{common} -e 0 -f 500 -d 0");
        let all = format!("{rave} -a 1 -b 100 -c 20 -y 3 -l 5 -D 2 -S 2 -O 5 -w 3 -W -1 -R -0.7 -G 3");
        for (preset, text) in [
            ("uct", format!("{common} -e 0.9 -f 0 -d 0")),
            ("rave", rave),
            ("thesis-all-no-multi-rollout", format!("{all} -O 1")),
            ("thesis-all-no-mate-in-one", format!("{all} -w 0")),
            ("thesis-all-no-ring-depth", format!("{all} -R 1000")),
            ("thesis-all-no-ring-perm", format!("{all} -G 0")),
            ("thesis-all-no-maintain-vc", format!("{all} -b 0")),
            ("thesis-all", all),
        ] {
            let mut params = Params::default();
            flags(&mut params, &text);
            assert_eq!(params, Params::preset(preset).expect("preset"), "{preset}");
        }
    }
}
