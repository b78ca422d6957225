//! Which figure should be played next.

use super::judge::Finding;

/// The weight of a figure with nothing left to decide. Its other points still get some games.
const DECIDED: f64 = 0.01;
/// So many more games are assumed to decide a claim of which too little is known.
const UNKNOWN: u64 = 200;

/// The weight of a figure's experiment, by what is known of its claims with both programs: 100 divided by the games that the
/// experiment must play until the next claim is decided. Its games go to all undecided claims alike.
pub(super) fn weight(findings: &[Finding]) -> f64 {
    let needed: Vec<u64> = findings
        .iter()
        .filter_map(|finding| match finding {
            Finding::Undecided { more } => Some(more.unwrap_or(UNKNOWN).max(1)),
            Finding::Holds | Finding::Fails => None,
        })
        .collect();
    let Some(&next) = needed.iter().min() else { return DECIDED };
    let weight = 100.0 / (next as f64 * needed.len() as f64);
    ((100.0 * weight).round() / 100.0).max(DECIDED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_decision_is_played_first() {
        let undecided = |more| Finding::Undecided { more };
        assert_eq!(weight(&[Finding::Holds, Finding::Fails]), DECIDED);
        assert_eq!(weight(&[undecided(Some(50)), Finding::Holds]), 2.0);
        assert_eq!(weight(&[undecided(Some(50)), undecided(Some(4000))]), 1.0);
        assert_eq!(weight(&[undecided(None)]), 0.5);
        assert_eq!(weight(&[undecided(Some(1_000_000))]), DECIDED);
    }
}
