//! The recommendation of a tune, with valid intervals and in words.

use super::LiveTune;
use crate::store::StoreError;
use protocol::confirm::{Confirmation, ConfirmationVerdict};
use protocol::tune::{Measured, Recommended};
use protocol::words::{command, counted, option};
use stats::{PairCounts, RateEstimate, common_variance, quantile, summary, weighted_average, wilson};
use tuner::{Aim, Model, Rate, Recommendation, Verdict};

/// The confidence of all intervals.
const CONFIDENCE: f64 = 0.95;

/// The recommended settings with their measurements.
pub(crate) fn recommended(live: &LiveTune, model: &Model) -> Result<Vec<Recommended>, StoreError> {
    let last_games_left = live.last_games_left();
    let is_final = last_games_left == Some(0);
    let recommend = |recommendation: Recommendation| {
        let player =
            live.spec.player(&recommendation.point).map_err(StoreError::unreadable("tune_trial.point"))?;
        let (measured, measured_overall) = last_games(live, recommendation.size);
        let is_baseline = player.params == live.first()[0].baseline.params;
        // Before the last of these games their number is not fixed, and short games finish first.
        let verdict = verdict(measured_overall.filter(|_| is_final), is_baseline, &recommendation);
        Ok(Recommended {
            label: player.label,
            params: player.params,
            is_final,
            last_games_left: last_games_left.filter(|left| *left > 0),
            measured,
            measured_overall,
            words: String::new(),
            promote: None,
            recommendation: Recommendation { verdict, ..recommendation },
        })
    };
    model.recommendations().into_iter().map(recommend).collect()
}

/// The measurements of the last games for the setting of this size, or for the one of all sizes: on each size, and by the
/// objective.
fn last_games(live: &LiveTune, size: Option<u8>) -> (Vec<Measured>, Option<Measured>) {
    let mut own = live.measured();
    own.retain(|(on, _)| size.is_none_or(|only| only == *on));
    let measured: Vec<Measured> = own.iter().filter_map(|(size, counts)| on_size(*size, counts)).collect();
    let overall = overall(live, &own, &measured);
    (measured, overall)
}

fn on_size(size: u8, counts: &PairCounts) -> Option<Measured> {
    let found = summary(counts, CONFIDENCE)?;
    let rate = Rate { rate: found.rate, low: found.low, high: found.high };
    Some(Measured { size: Some(size), games: 2 * counts.pairs(), rate })
}

/// The rate by the objective: the average by the weights of the sizes, or that of the worst size. The worst size is not known, so
/// the ends of its interval are the least ones of all sizes.
fn overall(live: &LiveTune, own: &[(u8, PairCounts)], measured: &[Measured]) -> Option<Measured> {
    if live.spec.objective == Aim::Worst {
        let worst = measured.iter().copied().min_by(|a, b| a.rate.rate.total_cmp(&b.rate.rate))?;
        let least = |end: fn(&Rate) -> f64| measured.iter().map(|one| end(&one.rate)).fold(1.0, f64::min);
        let rate = Rate { rate: worst.rate.rate, low: least(|rate| rate.low), high: least(|rate| rate.high) };
        return Some(Measured { rate, ..worst });
    }
    if let [one] = measured {
        return Some(Measured { size: None, ..*one });
    }
    let weight = |size: u8| {
        let cell = live.first().iter().find(|cell| cell.spec.size.get() == size);
        cell.map_or(0.0, |cell| cell.weight)
    };
    let games = own.iter().map(|(_, counts)| 2 * counts.pairs()).sum();
    let found: Vec<_> =
        own.iter().filter_map(|(size, counts)| Some((summary(counts, CONFIDENCE)?, weight(*size)))).collect();
    let common = common_variance(found.iter().map(|(one, _)| one));
    let estimates = found.iter().map(|(one, weight)| (RateEstimate::under(common, one), *weight));
    let average = weighted_average(&estimates.collect::<Vec<_>>())?;
    let z = quantile(0.5 + CONFIDENCE / 2.0).ok()?;
    let (low, high) = wilson(average.rate, 0.0, average.effective_games(), z);
    Some(Measured { size: None, games, rate: Rate { rate: average.rate, low, high } })
}

/// The verdict on the setting, by the games that had no part in choosing it.
fn verdict(measured: Option<Measured>, is_baseline: bool, model: &Recommendation) -> Verdict {
    match measured {
        _ if is_baseline => Verdict::NothingBetter,
        None => Verdict::Unknown,
        Some(measured) if measured.rate.low > 0.5 => Verdict::Better,
        Some(measured) if measured.rate.high < 0.5 => Verdict::NothingBetter,
        // The last games are too few to decide; the model may have many.
        Some(measured) if measured.rate.rate <= 0.5 && model.verdict == Verdict::NothingBetter => {
            Verdict::NothingBetter
        }
        Some(_) => Verdict::Unknown,
    }
}

/// Adds the words, which mention the confirmations, and the command to run at the end.
pub(crate) fn with_words(
    all: Vec<Recommended>,
    (name, baseline): (&str, &str),
    confirmations: &[Confirmation],
) -> Vec<Recommended> {
    let with = |mut one: Recommended| {
        let confirmation = confirmed(&one, baseline, confirmations);
        let may_promote =
            confirmation.is_some_and(|one| one.verdict == ConfirmationVerdict::Confirmed && one.as_planned);
        one.words = words(&one, baseline, confirmation);
        let promote = || {
            let options = option("--against", baseline) + " --as NAME";
            command("gauntlet promote", &[name, &one.label], &options)
        };
        one.promote = may_promote.then(promote);
        one
    };
    all.into_iter().map(with).collect()
}

/// The last confirmation of this setting against the baseline, on its size if it is for one.
fn confirmed<'c>(
    one: &Recommended,
    baseline: &str,
    confirmations: &'c [Confirmation],
) -> Option<&'c Confirmation> {
    let (player, size) = (one.params.player_id(), one.recommendation.size);
    let is_on =
        |own: &Confirmation| size.is_none_or(|size| own.cells.iter().any(|cell| cell.size.get() == size));
    let is_of = |own: &Confirmation| own.case_player == player && own.baseline == baseline;
    confirmations.iter().rev().find(|own| is_of(own) && is_on(own))
}

/// A rate as on pages.
fn percent(rate: Rate) -> String {
    format!("{:.1} % (95 % interval {:.1} to {:.1})", 100.0 * rate.rate, 100.0 * rate.low, 100.0 * rate.high)
}

fn words(one: &Recommended, baseline: &str, confirmation: Option<&Confirmation>) -> String {
    let mut words = Vec::new();
    match (&one.measured_overall, one.is_final, one.last_games_left) {
        (Some(measured), true, _) => words.push(format!(
            "It scored {} against {baseline} in {} that had no part in choosing it.",
            percent(measured.rate),
            counted(measured.games, "game")
        )),
        (None, true, _) => words.push(format!("No game measured it against {baseline}.")),
        (_, false, Some(left)) => {
            words.push(format!(
                "It is chosen. Its last games against {baseline} are still played: {left} are left."
            ));
        }
        (_, false, None) => {
            words.push("This is the recommendation so far.".to_owned());
            if let Some(rate) = one.recommendation.overall {
                words.push(format!(
                    "The model expects about {:.0} % against {baseline}; only the games at the end of the tune measure it.",
                    100.0 * rate.rate
                ));
            }
        }
    }
    words.push(match (confirmation.map(|one| one.verdict), one.recommendation.verdict) {
        (Some(ConfirmationVerdict::Confirmed), _) => "The confirmation shows that it is better.".to_owned(),
        (Some(ConfirmationVerdict::Refuted), _) => {
            "Nothing better than the baseline was found: the confirmation refutes it.".to_owned()
        }
        (Some(ConfirmationVerdict::Mixed), _) => {
            "The confirmation shows that it is better on some sizes only.".to_owned()
        }
        (Some(ConfirmationVerdict::Inconclusive), _) => {
            "The confirmation does not show that it is better.".to_owned()
        }
        (Some(ConfirmationVerdict::Open), _) => "Its confirmation is being played.".to_owned(),
        (None, Verdict::NothingBetter) => "Nothing better than the baseline was found.".to_owned(),
        (None, Verdict::Better) => "These games alone show that it is better.".to_owned(),
        (None, Verdict::Unknown) if one.is_final => {
            "These games do not show whether it is better.".to_owned()
        }
        (None, Verdict::Unknown) => return words.join(" "),
    });
    words.join(" ")
}
