//! What a tune recommends, in numbers that hold and in words.

use super::LiveTune;
use crate::store::StoreError;
use protocol::confirm::{Confirmation, ConfirmationVerdict};
use protocol::ids::PlayerId;
use protocol::tune::{Measured, Recommended};
use protocol::words::quoted;
use stats::{PairCounts, RateEstimate, quantile, summary, weighted_average, wilson};
use tuner::{Aim, Model, Rate, Recommendation, Verdict};

/// The confidence of all intervals.
const CONFIDENCE: f64 = 0.95;

/// The recommended settings with what was measured of them.
pub(crate) fn recommended(live: &LiveTune, model: &Model) -> Result<Vec<Recommended>, StoreError> {
    let is_final = live.last_points().is_some();
    let all = live.measured();
    let recommend = |recommendation: Recommendation| {
        let player =
            live.spec.player(&recommendation.point).map_err(StoreError::unreadable("tune_trial.point"))?;
        let own = all.iter().filter(|(size, _)| recommendation.size.is_none_or(|only| only == *size));
        let own: Vec<(u8, PairCounts)> = own.copied().collect();
        let measured: Vec<Measured> =
            own.iter().filter_map(|(size, counts)| on_size(*size, counts)).collect();
        let measured_overall = overall(live, &own, &measured);
        let is_baseline = player.params == live.first()[0].baseline.params;
        let verdict = verdict(measured_overall, is_baseline, &recommendation);
        Ok(Recommended {
            label: player.label,
            params: player.params,
            is_final,
            measured,
            measured_overall,
            words: String::new(),
            promote: None,
            recommendation: Recommendation { verdict, ..recommendation },
        })
    };
    model.recommendations().into_iter().map(recommend).collect()
}

fn on_size(size: u8, counts: &PairCounts) -> Option<Measured> {
    let found = summary(counts, CONFIDENCE)?;
    let rate = Rate { rate: found.rate, low: found.low, high: found.high };
    Some(Measured { size: Some(size), games: 2 * counts.pairs(), rate })
}

/// The rate by the objective: the average by the weights of the sizes, or that of the worst size.
fn overall(live: &LiveTune, own: &[(u8, PairCounts)], measured: &[Measured]) -> Option<Measured> {
    if live.spec.objective == Aim::Worst {
        return measured.iter().copied().min_by(|a, b| a.rate.rate.total_cmp(&b.rate.rate));
    }
    let weight = |size: u8| {
        let cell = live.first().iter().find(|cell| cell.spec.size.get() == size);
        cell.map_or(0.0, |cell| cell.weight)
    };
    let estimates = own.iter().filter_map(|(size, counts)| Some((RateEstimate::of(counts)?, weight(*size))));
    let average = weighted_average(&estimates.collect::<Vec<_>>())?;
    let z = quantile(0.5 + CONFIDENCE / 2.0).ok()?;
    let (low, high) = wilson(average.rate, 0.0, average.effective_games(), z);
    let games = own.iter().map(|(_, counts)| 2 * counts.pairs()).sum();
    Some(Measured { size: None, games, rate: Rate { rate: average.rate, low, high } })
}

/// Whether the setting is better, by the games that did not choose it.
fn verdict(measured: Option<Measured>, is_baseline: bool, model: &Recommendation) -> Verdict {
    match measured {
        _ if is_baseline => Verdict::NothingBetter,
        None => Verdict::Unknown,
        Some(measured) if measured.rate.low > 0.5 => Verdict::Better,
        Some(measured) if measured.rate.high < 0.5 => Verdict::NothingBetter,
        // Too few games to tell; the model may have many.
        Some(measured) if measured.rate.rate <= 0.5 && model.verdict == Verdict::NothingBetter => {
            Verdict::NothingBetter
        }
        Some(_) => Verdict::Unknown,
    }
}

/// Adds the words, which know of the confirmations, and the command for the end.
pub(crate) fn with_words(
    all: Vec<Recommended>,
    (name, baseline): (&str, &str),
    confirmations: &[Confirmation],
) -> Vec<Recommended> {
    let with = |mut one: Recommended| {
        let player = one.params.player_id();
        one.words = words(&one, baseline, confirmed(player, confirmations));
        let promote = || format!("gauntlet promote {} {} --as NAME", quoted(name), quoted(&one.label));
        one.promote = one.is_final.then(promote);
        one
    };
    all.into_iter().map(with).collect()
}

/// The last confirmation of this player.
fn confirmed(player: PlayerId, confirmations: &[Confirmation]) -> Option<&Confirmation> {
    confirmations.iter().rev().find(|one| one.case_player == player)
}

/// A rate as on pages.
fn percent(rate: Rate) -> String {
    format!("{:.1} % (95 % interval {:.1} to {:.1})", 100.0 * rate.rate, 100.0 * rate.low, 100.0 * rate.high)
}

fn words(one: &Recommended, baseline: &str, confirmation: Option<&Confirmation>) -> String {
    let mut words = Vec::new();
    match (&one.measured_overall, one.is_final) {
        (Some(measured), true) => words.push(format!(
            "It scored {} against {baseline} in {} games that had no part in choosing it.",
            percent(measured.rate),
            measured.games
        )),
        (None, true) => words.push(format!("Its last games against {baseline} are still played.")),
        (_, false) => {
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
