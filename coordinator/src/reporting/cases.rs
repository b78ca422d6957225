//! The case of an experiment that somebody names.

use super::plans::{Plan, Plans};
use crate::error::CoordinatorError;
use crate::store::{Counters, ExperimentRow, PlannedCellRow, Tx};
use protocol::experiment::nearest;
use protocol::ids::PlayerId;
use protocol::lease::ParamSet;
use protocol::prefix::{IdPrefix, short};
use protocol::report::Series;
use std::collections::BTreeMap;

/// A case against a baseline, with its cells.
pub(crate) struct ChosenCase {
    pub(crate) label: String,
    pub(crate) player: ParamSet,
    pub(crate) baseline_label: String,
    pub(crate) baseline: ParamSet,
    /// The cells of the plan, with what was played.
    pub(crate) cells: Vec<(PlannedCellRow, Counters)>,
    /// Whether the experiment has the case against other baselines, too.
    pub(crate) has_others: bool,
}

/// The case with this name, group or id, against the baseline with this name or id.
pub(crate) async fn chosen_case(
    tx: &mut Tx,
    plans: &Plans,
    row: &ExperimentRow,
    (case, against): (&str, Option<&str>),
) -> Result<ChosenCase, CoordinatorError> {
    let plan = plans.get(tx, row).await?;
    let counters = tx.counters_of(row.id).await?;
    let named = plan.named(case);
    if named.is_empty() {
        let names: Vec<&str> = plan.series.iter().map(Series::title).collect();
        let hint = nearest_of(case, names);
        return Err(CoordinatorError::NoCase(format!(
            "no case of `{}` is called `{case}`; {hint}",
            row.name
        )));
    }
    let lines: Vec<usize> = match against {
        None => named.clone(),
        Some(baseline) => named.iter().copied().filter(|line| plan.is_against(*line, baseline)).collect(),
    };
    let mut found: BTreeMap<(PlayerId, PlayerId), Vec<usize>> = BTreeMap::new();
    for line in &lines {
        let series = &plan.series[*line];
        found.entry((series.case.player_id(), series.baseline.player_id())).or_default().push(*line);
    }
    let mut found = found.into_values();
    let (Some(lines), None) = (found.next(), found.next()) else {
        return Err(CoordinatorError::NoCase(plan.not_one(
            case,
            against,
            if lines.is_empty() { &named } else { &lines },
        )));
    };
    let first = &plan.series[lines[0]];
    let others = |series: &Series| series.case == first.case && series.baseline != first.baseline;
    let is_of = |place: &usize| plan.line_of[*place].is_some_and(|line| lines.contains(&line));
    let places: Vec<usize> = (0..plan.cells.len()).filter(is_of).collect();
    Ok(ChosenCase {
        label: first.title().to_owned(),
        player: first.case.clone(),
        baseline_label: first.baseline_label.clone(),
        baseline: first.baseline.clone(),
        has_others: plan.series.iter().any(others),
        cells: places
            .into_iter()
            .filter_map(|place| Some((plan.cells[place].clone(), *counters.get(place)?)))
            .collect(),
    })
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

impl Plan {
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

    /// Why a name means none or several of these series.
    fn not_one(&self, case: &str, against: Option<&str>, lines: &[usize]) -> String {
        let mut players: Vec<(PlayerId, &Series)> = Vec::new();
        for line in lines {
            let series = &self.series[*line];
            let id = series.case.player_id();
            if !players.iter().any(|(known, one)| *known == id && one.baseline == series.baseline) {
                players.push((id, series));
            }
        }
        let mut baselines: Vec<&str> = players.iter().map(|(_, one)| one.baseline_label.as_str()).collect();
        baselines.sort_unstable();
        baselines.dedup();
        if let Some(asked) = against.filter(|asked| !baselines.contains(asked)) {
            return format!("`{case}` does not meet `{asked}`; {}", nearest_of(asked, baselines));
        }
        if players.iter().all(|(id, _)| *id == players[0].0) && baselines.len() > 1 {
            return format!(
                "`{case}` meets several baselines: name one with --against, of `{}`",
                baselines.join("`, `")
            );
        }
        let ids = short(&players.iter().map(|(id, _)| id.0).collect::<Vec<_>>());
        let named = players
            .iter()
            .zip(ids)
            .map(|((_, one), id)| format!("{id} ({} against {})", one.title(), one.baseline_label));
        format!("`{case}` means several cases; name one by its id: {}", named.collect::<Vec<_>>().join(", "))
    }
}
