//! Decides which points are given up, because results that were excluded had chosen them.
//!
//! The log is then as if these results had never existed: a strategy asks for new points, and their games are returned to the
//! budget.

use crate::store::Fate;

/// How a trial's point was chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PointChoice {
    /// Without any result: by a person, another program, or a strategy that follows no results.
    Free,
    /// By the results so far.
    Results,
    /// As the recommendation at the end.
    Recommended,
}

/// A sum over the trials before one, each of which counts up to a trial.
struct PrefixSums(Vec<i64>);

impl PrefixSums {
    fn new(trials: usize) -> Self {
        Self(vec![0; trials + 1])
    }

    /// Counts a trial for those behind it, up to one.
    fn count(&mut self, number: usize, until: usize) {
        self.0[number + 1] += 1;
        self.0[until.max(number + 1)] -= 1;
    }

    fn by_trial(&self) -> impl Iterator<Item = i64> {
        self.0.iter().scan(0, |sum, change| {
            *sum += change;
            Some(*sum)
        })
    }
}

/// Whether excluded results have chosen a point: `taken_out` of the `of` results from which it was chosen.
///
/// A fit from m results has a standard error of about 1/(2√m), since the score of a game deviates by a half at most. x wrong
/// results move the fit by x/m at most. That is more than half a standard error where 16 x² > m. The effect of fewer is below
/// that of chance. So one excluded game does not cost thousands of others, and after the exclusion of a machine that always lied
/// hardly a point remains.
fn chose(taken_out: i64, of: i64) -> bool {
    16 * taken_out * taken_out > of
}

/// Which trials are given up, and how many trials there were when that happened. `trials` are all of a log, also those that were
/// given up before; these stand again when the results that had chosen them are restored.
pub(crate) fn given_up(trials: &[(PointChoice, Fate)]) -> Vec<Option<i64>> {
    let now = trials.len();
    let until = |at: Option<i64>| at.map_or(now, |at| at as usize);
    let (mut taken_out, mut known) = (PrefixSums::new(now), PrefixSums::new(now));
    for (number, (_, fate)) in trials.iter().enumerate() {
        known.count(number, until(fate.given_up));
        if fate.reach.is_some() {
            // A late result had no part in the points that were asked for before it.
            let told_at = fate.told_at.map_or(number, |told_at| told_at as usize - 1);
            taken_out.count(number.max(told_at), until(fate.reach));
        }
    }
    let chosen = taken_out.by_trial().zip(known.by_trial()).map(|(taken_out, of)| chose(taken_out, of));
    let at = |fate: &Fate| Some(fate.given_up.unwrap_or(now as i64));
    let mut lost: Vec<Option<i64>> = trials
        .iter()
        .zip(chosen)
        .map(|((choice, fate), chosen)| if chosen && *choice != PointChoice::Free { at(fate) } else { None })
        .collect();
    // A recommendation is given up with the points from which it followed.
    let mut before = PrefixSums::new(now);
    for (number, lost) in
        lost.iter().enumerate().filter(|(number, _)| trials[*number].0 == PointChoice::Results)
    {
        if lost.is_some() {
            before.count(number, until(*lost));
        }
    }
    for (number, before) in before.by_trial().take(now).enumerate() {
        if before > 0 && trials[number].0 == PointChoice::Recommended {
            lost[number] = at(&trials[number].1);
        }
    }
    lost
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tune of so many trials that ends with two for its recommendation, of which the results of some were excluded now.
    fn tune(trials: usize, taken_out: impl Fn(usize) -> bool) -> Vec<(PointChoice, Fate)> {
        let choice = |number| match number {
            0 => PointChoice::Free,
            number if number + 2 >= trials => PointChoice::Recommended,
            _ => PointChoice::Results,
        };
        let reach = |number| taken_out(number).then_some(trials as i64);
        (0..trials).map(|number| (choice(number), Fate { reach: reach(number), ..Fate::default() })).collect()
    }

    fn numbers(trials: &[(PointChoice, Fate)]) -> Vec<usize> {
        let lost = given_up(trials);
        (0..trials.len()).filter(|number| lost[*number].is_some()).collect()
    }

    #[test]
    fn all_that_a_liar_has_chosen_is_given_up() {
        assert_eq!(numbers(&tune(200, |_| true)), (1..200).collect::<Vec<_>>());
        assert_eq!(
            numbers(&tune(200, |number| number >= 150)),
            (154..200).collect::<Vec<_>>(),
            "16 · 4² > 154"
        );
        assert_eq!(numbers(&tune(200, |number| number % 4 == 3)), (4..200).collect::<Vec<_>>(), "a quarter");
        assert_eq!(numbers(&tune(200, |_| false)), [0; 0]);
    }

    #[test]
    fn a_single_game_costs_no_thousands() {
        assert_eq!(numbers(&tune(2_000, |number| number == 1_000)), [0; 0]);
        assert_eq!(
            numbers(&tune(2_000, |number| number == 5)),
            [6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 1998, 1999]
        );
        assert_eq!(numbers(&tune(200, |number| number >= 198)), [0; 0], "the last games choose nothing");
    }

    #[test]
    fn what_is_put_back_brings_its_points_back_and_later_points_never_went() {
        let mut trials = tune(100, |number| number < 50);
        let lost = given_up(&trials);
        for (trial, lost) in trials.iter_mut().zip(&lost) {
            trial.1.given_up = *lost;
        }
        assert_eq!(given_up(&trials), lost, "a second look changes nothing");
        // The tune asks for new points, and all of the first ones are restored.
        trials.extend((0..40).map(|_| (PointChoice::Results, Fate::default())));
        assert_eq!(given_up(&trials)[..100], lost);
        assert_eq!(given_up(&trials)[100..], [None; 40]);
        trials.iter_mut().for_each(|trial| trial.1.reach = None);
        assert_eq!(given_up(&trials), [None; 140]);
        // A result that was no part of the log any more when the new points were asked for has not chosen them.
        trials[20].1 = Fate { reach: Some(100), given_up: Some(100), told_at: None };
        assert_eq!(given_up(&trials)[100..], [None; 40]);
    }
}
