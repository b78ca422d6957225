//! Matches the lines of two sides. Players are identified by their parameters; a name only selects the player that a person
//! means.

use super::{Player, Side, SideSeries};
use crate::reporting::names::setting;
use crate::reporting::parameters::differing;
use engine::spelling::closest;
use protocol::ids::PlayerId;
use protocol::lease::ParamSet;
use std::collections::{BTreeMap, HashMap};

/// The lines of two sides.
pub(super) struct MatchedSeries<'s> {
    /// Lines that belong together, in the order of the first side.
    pub(super) pairs: Vec<(&'s SideSeries, &'s SideSeries)>,
    /// Lines of the first side without a counterpart.
    pub(super) lone_left: Vec<&'s SideSeries>,
    /// Lines of the second side without a counterpart.
    pub(super) lone_right: Vec<&'s SideSeries>,
    /// The names of the players.
    pub(super) names: OpponentNames,
    /// Sentences about obstacles to the comparison, and about its biases.
    pub(super) notes: Vec<String>,
}

impl Side {
    /// The lines of this side.
    ///
    /// # Errors
    /// When there is no such case, in words.
    fn chosen(&self) -> Result<Vec<&SideSeries>, String> {
        let Some(case) = &self.of.case else { return Ok(self.lines.iter().collect()) };
        let own: Vec<&SideSeries> = self.lines.iter().filter(|line| line.case.name == *case).collect();
        if !own.is_empty() {
            return Ok(own);
        }
        let names = self.lines.iter().map(|line| line.case.name.as_str());
        let near = closest(case, names).map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        Err(format!("`{}` has no case `{case}`{near}", self.of.name))
    }
}

/// Joins lines that share a cell, or have the same opponent and budget and the same case: the same player, or else one with the
/// same name. If a case was requested on each side, the two match.
///
/// # Errors
/// When a side has no such case, in words.
pub(super) fn matched<'s>(left: &'s Side, right: &'s Side) -> Result<MatchedSeries<'s>, String> {
    let (lefts, rights) = (left.chosen()?, right.chosen()?);
    let are_chosen = left.of.case.is_some() && right.of.case.is_some();
    let meet_alike = |one: &SideSeries, other: &SideSeries| {
        one.opponent.id == other.opponent.id && one.budget == other.budget
    };
    let are_same = |one: &SideSeries, other: &SideSeries| one.case.id == other.case.id;
    let are_namesakes = |one: &SideSeries, other: &SideSeries| one.case.name == other.case.name;
    // The most certain matches come first, so that no line takes the counterpart of another.
    let belongs = |way: usize, one: &SideSeries, other: &SideSeries| match way {
        0 => one.shares_cells_with(other),
        1 => meet_alike(one, other) && are_same(one, other) && are_namesakes(one, other),
        2 => meet_alike(one, other) && are_same(one, other),
        _ => meet_alike(one, other) && (are_chosen || are_namesakes(one, other)),
    };
    let mut free = rights.clone();
    let mut counterparts: Vec<Option<&SideSeries>> = vec![None; lefts.len()];
    for way in 0..4 {
        for (one, counterpart) in lefts.iter().zip(&mut counterparts) {
            if counterpart.is_none()
                && let Some(place) = free.iter().position(|other| belongs(way, one, other))
            {
                *counterpart = Some(free.remove(place));
            }
        }
    }
    let (mut pairs, mut lone_left) = (Vec::new(), Vec::new());
    for (one, counterpart) in lefts.iter().zip(counterparts) {
        match counterpart {
            Some(other) => pairs.push((*one, other)),
            None => lone_left.push(*one),
        }
    }
    let names = OpponentNames::of(lefts.iter().chain(&rights).map(|line| &line.opponent));
    let are_of_one_case = |one: &SideSeries, other: &SideSeries| {
        are_chosen || are_same(one, other) || are_namesakes(one, other)
    };
    let met_others = |one: &&'s SideSeries| {
        let other = rights.iter().find(|other| one.budget == other.budget && are_of_one_case(one, other))?;
        (one.opponent.id != other.opponent.id).then_some((*one, *other))
    };
    let mut notes = opponents_differ(&names, lone_left.iter().filter_map(met_others));
    let had_other_budgets = |one: &&'s SideSeries| {
        let alike =
            |other: &&&SideSeries| one.opponent.id == other.opponent.id && are_of_one_case(one, other);
        free.iter().find(alike).map(|other| (*one, *other))
    };
    notes.extend(budgets_differ(lone_left.iter().filter_map(had_other_budgets)));
    notes.extend(versions_differ(&pairs));
    Ok(MatchedSeries { pairs, lone_left, lone_right: free, names, notes })
}

/// Says which results cannot be subtracted because their opponents differ: a sentence for every two opponents.
fn opponents_differ<'s>(
    names: &OpponentNames,
    lines: impl Iterator<Item = (&'s SideSeries, &'s SideSeries)>,
) -> Vec<String> {
    let mut by_opponents: BTreeMap<[String; 2], (&str, usize)> = BTreeMap::new();
    for (one, other) in lines {
        let opponents = [names.player(&one.opponent), names.player(&other.opponent)];
        by_opponents.entry(opponents).or_insert((&one.case.name, 0)).1 += 1;
    }
    let sentence = |([first, second], (case, lines)): ([String; 2], (&str, usize))| {
        let others = match lines - 1 {
            0 => String::new(),
            1 => " and one other series".to_owned(),
            more => format!(" and {more} other series"),
        };
        format!(
            "`{case}`{others} met `{first}` in the first and `{second}` in the second. Results against different opponents are not \
             subtracted."
        )
    };
    by_opponents.into_iter().map(sentence).collect()
}

/// Says which results cannot be subtracted because their budgets differ: a sentence for every two budgets.
fn budgets_differ<'s>(lines: impl Iterator<Item = (&'s SideSeries, &'s SideSeries)>) -> Vec<String> {
    let mut cases: BTreeMap<[String; 2], &str> = BTreeMap::new();
    for (one, other) in lines {
        cases.entry([one.budget.to_string(), other.budget.to_string()]).or_insert(&one.case.name);
    }
    let sentence = |([first, second], case): ([String; 2], &str)| {
        format!(
            "`{case}` played with {first} in the first and with {second} in the second, and so did its opponent. Results with different \
             budgets are not subtracted."
        )
    };
    cases.into_iter().map(sentence).collect()
}

/// Says which versions of the engine played, if both sides have other ones.
fn versions_differ(pairs: &[(&SideSeries, &SideSeries)]) -> Option<String> {
    let (one, other) = pairs.iter().find(|(one, other)| one.semantics != other.semantics)?;
    Some(format!(
        "The games of the first were played by version {} of the search and those of the second by version {}: equal parameters may be \
         players of different strength, on both sides of the board.",
        one.semantics, other.semantics
    ))
}

/// The most parameters that a name lists.
const MOST_SETTINGS: usize = 3;

/// Names for opponents. Where two players have the same name, the parameters that differ are added.
pub(super) struct OpponentNames(HashMap<(String, PlayerId), String>);

impl OpponentNames {
    fn of<'p>(players: impl Iterator<Item = &'p Player>) -> Self {
        let mut namesakes: HashMap<&str, HashMap<PlayerId, &ParamSet>> = HashMap::new();
        for player in players {
            namesakes.entry(&player.name).or_default().insert(player.id, &player.params);
        }
        let mut names = HashMap::new();
        for (name, players) in namesakes {
            if players.len() > 1 {
                let all: Vec<&ParamSet> = players.values().copied().collect();
                let differing: Vec<String> = differing(&all).into_iter().collect();
                let told_apart = players
                    .into_iter()
                    .map(|(id, params)| ((name.to_owned(), id), told_apart(name, params, &differing)));
                names.extend(told_apart);
            }
        }
        Self(names)
    }

    /// An opponent.
    fn player(&self, player: &Player) -> String {
        self.0.get(&(player.name.clone(), player.id)).unwrap_or(&player.name).clone()
    }

    /// A line in words.
    pub(super) fn line(&self, line: &SideSeries) -> String {
        format!("{} against {}, {}", line.case.name, self.player(&line.opponent), line.budget)
    }

    /// The cases of two lines and their common opponent.
    pub(super) fn both(&self, one: &SideSeries, other: &SideSeries) -> [String; 3] {
        let cases = Self::of([&one.case, &other.case].into_iter());
        let (first, second) = (self.player(&one.opponent), self.player(&other.opponent));
        let opponent = if first == second { first } else { format!("{first} (`{second}` in the second)") };
        [cases.player(&one.case), cases.player(&other.case), opponent]
    }
}

/// A name with the settings of the player that its namesakes do not have.
fn told_apart(name: &str, params: &ParamSet, differing: &[String]) -> String {
    if differing.len() > MOST_SETTINGS {
        return format!("{name} (player {})", params.player_id().short());
    }
    let settings: Vec<String> = differing.iter().map(|name| setting(params, name)).collect();
    format!("{name} ({})", settings.join(", "))
}
