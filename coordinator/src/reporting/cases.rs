//! Resolves a name to a case of an experiment.

use super::plans::{CachedPlan, PlanCache};
use crate::error::CoordinatorError;
use crate::store::{Counters, ExperimentRow, PlannedCellRow, Tx};
use protocol::experiment::nearest;
use protocol::ids::PlayerId;
use protocol::lease::ParamSet;
use protocol::prefix::{IdPrefix, short};
use protocol::report::Series;
use std::collections::BTreeMap;

/// A case against a baseline, with its cells. Of two players that meet, either may be the case: the plan of a tournament makes
/// one of them the baseline.
pub(crate) struct ChosenCase {
    pub(crate) label: String,
    pub(crate) player: ParamSet,
    pub(crate) baseline_label: String,
    pub(crate) baseline: ParamSet,
    /// The cells of the plan, with what was played, from the case's point of view.
    pub(crate) cells: Vec<(PlannedCellRow, Counters)>,
    /// Whether the experiment has the case against others, too.
    pub(crate) has_others: bool,
}

/// The case with this name, group or id, against the baseline with this name or id; or else the baseline, against the case.
pub(crate) async fn chosen_case(
    tx: &mut Tx,
    plans: &PlanCache,
    row: &ExperimentRow,
    (case, against): (&str, Option<&str>),
) -> Result<ChosenCase, CoordinatorError> {
    let plan = plans.get(tx, row).await?;
    let counters = tx.counters_of(row.id).await?;
    let all = plan.meetings(case);
    if all.is_empty() {
        let names: Vec<&str> = plan.series.iter().map(Series::title).collect();
        let hint = nearest_of(case, names);
        return Err(CoordinatorError::NoCase(format!(
            "no case of `{}` is called `{case}`; {hint}",
            row.name
        )));
    }
    let wanted: Vec<PlayedSeries> = match against {
        None => all.clone(),
        Some(other) => all.iter().copied().filter(|one| plan.is_with(*one, other)).collect(),
    };
    let is_swapped = wanted.iter().all(|one| one.is_swapped);
    let mut found: BTreeMap<(PlayerId, PlayerId), Vec<usize>> = BTreeMap::new();
    for one in wanted.iter().filter(|one| one.is_swapped == is_swapped) {
        let series = &plan.series[one.line];
        found.entry((series.case.player_id(), series.baseline.player_id())).or_default().push(one.line);
    }
    let mut found = found.into_values();
    let (Some(lines), None) = (found.next(), found.next()) else {
        let among = if wanted.is_empty() { &all } else { &wanted };
        return Err(CoordinatorError::NoCase(plan.not_one(case, against, among)));
    };
    let is_of = |place: &usize| plan.line_of[*place].is_some_and(|line| lines.contains(&line));
    let places = (0..plan.cells.len()).filter(is_of);
    let first = &plan.series[lines[0]];
    let chosen = ChosenCase {
        label: first.title().to_owned(),
        player: first.case.clone(),
        baseline_label: first.baseline_label.clone(),
        baseline: first.baseline.clone(),
        has_others: plan.has_others(first, is_swapped),
        cells: places.filter_map(|place| Some((plan.cells[place].clone(), *counters.get(place)?))).collect(),
    };
    Ok(if is_swapped { chosen.swapped() } else { chosen })
}

impl ChosenCase {
    /// The same games with the baseline as the case.
    fn swapped(mut self) -> Self {
        std::mem::swap(&mut self.label, &mut self.baseline_label);
        std::mem::swap(&mut self.player, &mut self.baseline);
        for (cell, counters) in &mut self.cells {
            std::mem::swap(&mut cell.spec.case, &mut cell.spec.baseline);
            let [ll, ld, wl, dd, wd, ww] = counters.pair_counts;
            counters.pair_counts = [ww, wd, wl, dd, ld, ll];
            std::mem::swap(&mut counters.wins, &mut counters.losses);
        }
        self
    }
}

/// A series in which the named player plays: as the case, or with `is_swapped` as the baseline.
#[derive(Clone, Copy)]
struct PlayedSeries {
    line: usize,
    is_swapped: bool,
}

/// A hint at the name that was meant.
fn nearest_of(asked: &str, mut names: Vec<&str>) -> String {
    const SHOWN: usize = 12;
    names.dedup();
    let hint = nearest(asked, &names);
    if hint.starts_with("did") || names.len() <= SHOWN {
        return hint;
    }
    format!("there are `{}`, and {} more", names[..SHOWN].join("`, `"), names.len() - SHOWN)
}

impl CachedPlan {
    /// The series of the case with this name; else of the group with this name; else with this id.
    fn named(&self, key: &str) -> Vec<usize> {
        let lines = |is: &dyn Fn(&Series) -> bool| -> Vec<usize> {
            (0..self.series.len()).filter(|line| is(&self.series[*line])).collect()
        };
        let full = |series: &Series| [" ", ": "].map(|gap| format!("{}{gap}{}", series.group, series.label));
        let by_name = [
            lines(&|series| series.title() == key),
            lines(&|series| series.label == key),
            lines(&|series| series.group == key || full(series).iter().any(|name| name == key)),
        ];
        if let Some(found) = by_name.into_iter().find(|found| !found.is_empty()) {
            return found;
        }
        let Ok((first, last)) = key.parse::<IdPrefix>().map(|prefix| prefix.range()) else {
            return Vec::new();
        };
        let begins = |id| (first..=last).contains(&id);
        let mut found = lines(&|series| begins(series.case.player_id().0));
        let cells = self.cells.iter().zip(&self.line_of).filter(|(cell, _)| begins(cell.cell.0));
        found.extend(cells.filter_map(|(_, line)| *line));
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Whether a series is against the baseline with this name or id.
    fn is_against(&self, line: usize, baseline: &str) -> bool {
        let series = &self.series[line];
        let begins = || {
            let prefix = baseline.parse::<IdPrefix>().ok()?;
            let (first, last) = prefix.range();
            Some((first..=last).contains(&series.baseline.player_id().0))
        };
        series.baseline_label == baseline || begins().unwrap_or(false)
    }

    /// Every series in which the player with this name plays, as the case or as the baseline. An id means a baseline only if no
    /// player has it as a name.
    fn meetings(&self, name: &str) -> Vec<PlayedSeries> {
        let lines = 0..self.series.len();
        let as_case = self.named(name);
        let mut as_baseline: Vec<usize> =
            lines.clone().filter(|line| self.series[*line].baseline_label == name).collect();
        if as_case.is_empty() && as_baseline.is_empty() {
            as_baseline = lines.filter(|line| self.is_against(*line, name)).collect();
        }
        let as_case = as_case.into_iter().map(|line| PlayedSeries { line, is_swapped: false });
        as_case.chain(as_baseline.into_iter().map(|line| PlayedSeries { line, is_swapped: true })).collect()
    }

    /// Whether the other player has this name or id.
    fn is_with(&self, meeting: PlayedSeries, other: &str) -> bool {
        if meeting.is_swapped {
            self.named(other).contains(&meeting.line)
        } else {
            self.is_against(meeting.line, other)
        }
    }

    /// Whether the case, or with `is_swapped` the baseline, meets players that are not in this series.
    fn has_others(&self, of: &Series, is_swapped: bool) -> bool {
        let (player, opponent) = if is_swapped { (&of.baseline, &of.case) } else { (&of.case, &of.baseline) };
        let meets = |one: &Series| {
            [(&one.case, &one.baseline), (&one.baseline, &one.case)]
                .iter()
                .any(|(meant, other)| *meant == player && *other != opponent)
        };
        self.series.iter().any(meets)
    }

    /// Why a name means none or several of these series.
    fn not_one(&self, name: &str, against: Option<&str>, among: &[PlayedSeries]) -> String {
        let mut players: Vec<(PlayerId, &str, &str)> = Vec::new();
        for PlayedSeries { line, is_swapped } in among {
            let series = &self.series[*line];
            let (case, baseline) =
                ((&series.case, series.title()), (&series.baseline, series.baseline_label.as_str()));
            let ((player, title), (_, opponent)) =
                if *is_swapped { (baseline, case) } else { (case, baseline) };
            let one = (player.player_id(), title, opponent);
            if !players.contains(&one) {
                players.push(one);
            }
        }
        let mut opponents: Vec<&str> = players.iter().map(|(.., opponent)| *opponent).collect();
        opponents.sort_unstable();
        opponents.dedup();
        if let Some(asked) = against.filter(|asked| !opponents.contains(asked)) {
            return format!("`{name}` does not meet `{asked}`; {}", nearest_of(asked, opponents));
        }
        if players.iter().all(|(id, ..)| *id == players[0].0) && opponents.len() > 1 {
            return format!(
                "`{name}` meets several players: name one with --against, of `{}`",
                opponents.join("`, `")
            );
        }
        let ids = short(&players.iter().map(|(id, ..)| id.0).collect::<Vec<_>>());
        let named = players
            .iter()
            .zip(ids)
            .map(|((_, title, opponent), id)| format!("{id} ({title} against {opponent})"));
        format!("`{name}` means several cases; name one by its id: {}", named.collect::<Vec<_>>().join(", "))
    }
}
