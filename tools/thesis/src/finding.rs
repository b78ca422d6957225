//! What is decided of claims and conclusions, and in which words.

use indicatif::HumanCount;

/// So many doublings of the games are tried, to find the number that would decide.
pub(crate) const DOUBLINGS: u32 = 12;
const MOST_TIMES: u32 = 1 << DOUBLINGS;

/// What the games say of a claim, or of all claims of a figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Finding {
    Decided(Decision),
    Undecided(Outlook),
}

/// What is decided. The order is that of several claims: a conclusion is as bad as its worst claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Decision {
    Holds,
    /// An effect was claimed. What is there is below five points, and the published effect is excluded.
    Smaller,
    /// No rate in the sequence agrees with the claim.
    Fails,
}

impl Decision {
    /// In words.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Smaller => "smaller than published",
            Self::Fails => "does not hold",
        }
    }
}

/// What would decide an open claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outlook {
    /// So many games, if the rates stay as they are.
    More(GamesToDecide),
    /// Some sizes are shown to be above 50 %, and others below: a mean leans nowhere.
    Opposite,
    /// No number of games is in sight.
    Unknown,
}

/// The games that would decide, if the rates stay as they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct GamesToDecide {
    pub(crate) games: u64,
    /// What they would decide.
    pub(crate) to: Decision,
}

impl Outlook {
    /// In words.
    pub(crate) fn words(self) -> String {
        match self {
            Self::More(GamesToDecide { games, to }) => {
                format!("leans to \"{}\", needs about {} more games", to.words(), HumanCount(games))
            }
            Self::Opposite => "sizes have opposite effects".to_owned(),
            Self::Unknown => {
                format!("{} times as many games would not decide", HumanCount(MOST_TIMES.into()))
            }
        }
    }

    /// The number of games that would decide.
    pub(crate) fn games(self) -> Option<u64> {
        match self {
            Self::More(more) => Some(more.games),
            Self::Opposite | Self::Unknown => None,
        }
    }
}

/// A figure's conclusion holds if all its claims do. So all of them must be decided for it, or one against it.
pub(crate) fn both(a: Finding, b: Finding) -> Finding {
    match (a, b) {
        (Finding::Decided(a), Finding::Decided(b)) => Finding::Decided(a.max(b)),
        (Finding::Undecided(a), Finding::Undecided(b)) => Finding::Undecided(both_open(a, b)),
        (open @ Finding::Undecided(_), Finding::Decided(Decision::Holds))
        | (Finding::Decided(Decision::Holds), open) => open,
        (decided @ Finding::Decided(_), _) | (_, decided) => decided,
    }
}

/// What would decide two open claims of a conclusion: the first of them to fail, or both of them to hold. A claim that leans nowhere
/// leaves the conclusion without a direction.
fn both_open(a: Outlook, b: Outlook) -> Outlook {
    let fails = |outlook: &Outlook| matches!(outlook, Outlook::More(more) if more.to != Decision::Holds);
    match (a, b) {
        (Outlook::Opposite, _) | (_, Outlook::Opposite) => Outlook::Opposite,
        (a, b) if fails(&a) || fails(&b) => {
            let first = [a, b].into_iter().filter(fails).min_by_key(|one| one.games());
            first.expect("one of them fails")
        }
        (Outlook::More(a), Outlook::More(b)) => {
            Outlook::More(GamesToDecide { games: a.games + b.games, to: Decision::Holds })
        }
        (Outlook::Unknown, _) | (_, Outlook::Unknown) => Outlook::Unknown,
    }
}

/// What remains of the conclusion, by its finding with the correct program and with the defect. `part` is what the claims are about, if
/// that is less than the publication says.
pub(crate) fn verdict(part: Option<&str>, correct: Option<Finding>, defect: Option<Finding>) -> String {
    let words = |decision: Decision| match part {
        Some(part) if decision == Decision::Holds => format!("*holds for {part}*"),
        _ => format!("*{}*", decision.words()),
    };
    match (correct, defect) {
        (None, _) => "*undecided* (not played)".to_owned(),
        (Some(Finding::Decided(correct)), None) => words(correct),
        (Some(Finding::Decided(correct)), Some(Finding::Decided(defect))) if correct == defect => {
            words(correct)
        }
        (Some(Finding::Decided(correct)), Some(Finding::Decided(defect))) => {
            format!("{} with a correct RAVE, {} with the defect", words(correct), words(defect))
        }
        (Some(Finding::Decided(correct)), Some(Finding::Undecided(open))) => {
            format!("{} with a correct RAVE, *undecided* with the defect ({})", words(correct), open.words())
        }
        (Some(Finding::Undecided(open)), Some(Finding::Decided(defect))) => {
            format!("*undecided* with a correct RAVE ({}), {} with the defect", open.words(), words(defect))
        }
        (Some(Finding::Undecided(correct)), Some(Finding::Undecided(defect))) => {
            let (correct, defect) = (correct.words(), defect.words());
            format!("*undecided* with a correct RAVE ({correct}) and with the defect ({defect})")
        }
        (Some(Finding::Undecided(open)), None) => format!("*undecided* ({})", open.words()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_conclusion_needs_all_its_claims_and_a_verdict_names_program_and_part() {
        const HOLDS: Finding = Finding::Decided(Decision::Holds);
        const SMALLER: Finding = Finding::Decided(Decision::Smaller);
        const FAILS: Finding = Finding::Decided(Decision::Fails);
        const UNKNOWN: Finding = Finding::Undecided(Outlook::Unknown);
        const OPPOSITE: Finding = Finding::Undecided(Outlook::Opposite);
        let more = |games, to| Finding::Undecided(Outlook::More(GamesToDecide { games, to }));
        let (holds, fails) = (|games| more(games, Decision::Holds), |games| more(games, Decision::Fails));
        assert_eq!(both(HOLDS, FAILS), FAILS);
        assert_eq!(both(HOLDS, SMALLER), SMALLER);
        assert_eq!(both(FAILS, SMALLER), FAILS);
        assert_eq!(both(holds(5), SMALLER), SMALLER, "it cannot hold any more");
        assert_eq!(both(holds(5), HOLDS), holds(5));
        assert_eq!(both(holds(5), holds(9)), holds(14), "all claims have to hold");
        assert_eq!(both(holds(5), fails(9)), fails(9), "one that fails decides");
        assert_eq!(both(fails(5), fails(9)), fails(5));
        assert_eq!(both(UNKNOWN, holds(9)), UNKNOWN);
        assert_eq!(both(UNKNOWN, fails(9)), fails(9));
        assert_eq!(both(OPPOSITE, holds(9)), OPPOSITE);
        assert_eq!(both(OPPOSITE, UNKNOWN), OPPOSITE);
        assert_eq!(both(fails(9), OPPOSITE), OPPOSITE);
        for (part, correct, defect, words) in [
            (None, None, None, "*undecided* (not played)"),
            (None, Some(HOLDS), Some(HOLDS), "*holds*"),
            (Some("half of it"), Some(HOLDS), Some(HOLDS), "*holds for half of it*"),
            (
                Some("half of it"),
                Some(HOLDS),
                Some(FAILS),
                "*holds for half of it* with a correct RAVE, *does not hold* with the defect",
            ),
            (
                None,
                Some(SMALLER),
                Some(UNKNOWN),
                "*smaller than published* with a correct RAVE, *undecided* with the defect (4,096 times as many games would not decide)",
            ),
            (Some("half of it"), Some(FAILS), Some(FAILS), "*does not hold*"),
            (
                None,
                Some(fails(7000)),
                Some(HOLDS),
                "*undecided* with a correct RAVE (leans to \"does not hold\", needs about 7,000 more games), *holds* with the defect",
            ),
            (
                None,
                Some(OPPOSITE),
                Some(holds(20)),
                "*undecided* with a correct RAVE (sizes have opposite effects) and with the defect (leans to \"holds\", needs about 20 more games)",
            ),
        ] {
            assert_eq!(verdict(part, correct, defect), words);
        }
    }
}
