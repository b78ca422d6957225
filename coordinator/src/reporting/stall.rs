//! Whether play is stalled, and why. `gauntlet run`, `status`, `why` and the dashboard show this answer.

use crate::store::{ExperimentFilter, ExperimentRow, StoreError, Tx, WorkerGroup};
use protocol::report::ExperimentState;
use protocol::sync::Directive;
use protocol::words::{counted, operands};

/// Time for the workers' first calls after the start of a coordinator, in milliseconds. Missing workers are reported
/// only after this time.
pub(crate) const FIRST_CALLS_MS: i64 = 45_000;

/// Why the control is not played while it is paused. The coordinator pauses it when no other experiment is played.
pub(crate) const CONTROL_WAITS: &str =
    "the control waits for another experiment to be played, or to be resumed after a pause";

/// The state of the whole fleet, and the obstacles to play.
#[derive(Debug, Clone)]
pub(crate) struct FleetState {
    pub(crate) now_ms: i64,
    /// Workers that called since this time are present.
    pub(crate) alive_ms: i64,
    /// Why results cannot be stored; none if they can.
    pub(crate) trouble: Option<String>,
    /// The present workers, grouped by the obstacle to their play.
    pub(crate) workers: Vec<WorkerGroup>,
    /// The worker that called last, and the time of the call.
    pub(crate) last: Option<(String, i64)>,
    /// Whether the coordinator has just started, so that workers may not have called yet.
    pub(crate) is_young: bool,
    /// The experiments of which this coordinator leases pairs.
    pub(crate) filter: ExperimentFilter,
}

impl FleetState {
    /// Why no worker of the fleet can play; none if any can.
    pub(crate) fn of_all(&self) -> Option<String> {
        let trouble = self.trouble.as_ref().map(|why| format!("results cannot be stored: {why}"));
        trouble.or_else(|| self.of_workers())
    }

    /// Why no worker takes work; none if any does.
    fn of_workers(&self) -> Option<String> {
        let there: u64 = self.workers.iter().map(|alike| alike.workers).sum();
        if there == 0 {
            return match &self.last {
                _ if self.is_young => None,
                None => Some("no worker is there: `gauntlet work --join CODE@HOST:PORT` adds one".into()),
                Some((name, seen_ms)) => {
                    let ago = crate::clock::long(self.now_ms.saturating_sub(*seen_ms));
                    Some(format!("no worker is there: the last one, {name}, called {ago} ago"))
                }
            };
        }
        if self.workers.iter().any(WorkerGroup::is_willing) {
            return None;
        }
        let why: Vec<String> = self.workers.iter().map(unwilling).collect();
        let who = match there {
            1 => "the one worker that is there takes no work".to_owned(),
            _ => format!("none of the {there} workers that are there takes work"),
        };
        Some(format!("{who}: {}", why.join("; ")))
    }

    /// Why an unfinished experiment makes no progress; none if it can.
    pub(crate) async fn of_experiment(
        &self,
        tx: &mut Tx,
        row: &ExperimentRow,
    ) -> Result<Option<String>, StoreError> {
        if row.state == ExperimentState::Paused && row.is_control {
            return Ok(Some(CONTROL_WAITS.into()));
        }
        if row.state == ExperimentState::Paused {
            let name = operands(&[&row.name]);
            return Ok(Some(format!("it was paused; `gauntlet experiment resume {name}` goes on")));
        }
        if row.state != ExperimentState::Active || row.games_done >= row.games_planned {
            return Ok(None);
        }
        if self.trouble.is_some() {
            return Ok(self.of_all());
        }
        if !self.filter.allows(row.id) {
            // The coordinator looks for new confirmations once a second.
            tx.admit_confirmations(&self.filter).await?;
        }
        if !self.filter.allows(row.id) {
            let why = "this coordinator gives out other experiments only: it was started by `gauntlet run`";
            return Ok(Some(why.into()));
        }
        let semantics = tx.semantics_of(row.id).await?.unwrap_or_default();
        if semantics != i64::from(engine::SEMANTICS) {
            return Ok(Some(format!(
                "its games are those of engine semantics {semantics}; this program has {}, and so must every worker \
                 of it: apply the file again for new cells",
                engine::SEMANTICS
            )));
        }
        if let Some(why) = self.of_workers() {
            // Workers with the order to pause or to leave finish their games in flight.
            let finishing = self.workers.iter().any(|alike| alike.directive != Directive::Work);
            return Ok(Some(why).filter(|_| !(finishing && row.pairs_in_flight > 0)));
        }
        self.of_memory(tx, row).await
    }

    /// The reason when no willing worker has enough memory for any open cell.
    async fn of_memory(&self, tx: &mut Tx, row: &ExperimentRow) -> Result<Option<String>, StoreError> {
        let willing = || self.workers.iter().filter(|alike| alike.is_willing());
        let most = willing().map(|alike| alike.memory).max().flatten();
        let (Some(most), 0, true) =
            (most, row.pairs_in_flight, willing().all(|alike| alike.memory.is_some()))
        else {
            return Ok(None);
        };
        if tx.has_open_cell(row.id, most).await? {
            return Ok(None);
        }
        let needy = tx.memory_in_play_of(engine::SEMANTICS, Some(row.id), most).await?;
        Ok(needy.map(|(least, cells)| {
            format!(
                "no worker that takes work is able: {} may need {least} a slot or more, and the most that one has is \
                 {most}; with fewer `--slots` each slot gets more",
                counted(cells, "open cell")
            )
        }))
    }
}

/// Why these workers take no work.
fn unwilling(alike: &WorkerGroup) -> String {
    let n = alike.workers;
    let were = if n == 1 { "1 was" } else { &format!("{n} were") };
    match (&alike.resting, alike.directive) {
        _ if alike.quarantined => {
            format!("{n} in quarantine (`gauntlet why NAME` says why, `gauntlet fleet release` ends it)")
        }
        (_, told) if told != Directive::Work => {
            format!("{were} told to {told} (`gauntlet fleet resume` ends that)")
        }
        (resting, _) => {
            let rest = if n == 1 { "1 rests" } else { &format!("{n} rest") };
            format!("{rest} ({})", resting.as_deref().unwrap_or("no reason given"))
        }
    }
}
