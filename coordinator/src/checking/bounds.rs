//! Comparison of the simulations in a game with those that other machines make.
//!
//! With a budget in time the clock of a machine decides how many simulations a move gets, and a recheck repeats the number that
//! the machine reports. So a machine that gives the case more simulations and the baseline fewer plays legal games with a result
//! of its choice. It cannot choose what other machines do: with the same budget a player makes about the same number of
//! simulations a move on all of them. Each counted game is compared once, as soon as three machines have played both of its
//! players. The reference is the level on which more than half of the machines agree, each with one vote. A game far from this
//! level does not count, and is played again; a machine with many such games goes into quarantine. A machine whose games deviate
//! less, but all to the same side, is reported to people: its build or its memory may be the cause.

use super::quarantine::quarantine;
use crate::log_sums::Event;
use crate::principal::Principal;
use crate::store::{BY_BOUNDS, PaceRow, StoreError, Tx, UncomparedPlay, WriteBatch};
use crate::tally;
use engine::havannah::BoardSize;
use protocol::experiment::CellSpec;
use protocol::ids::{CellId, ExperimentId, GameId, KindId, LeaseId, PlayerId, WorkerId};
use stats::{ComparedGames, OFF_LEVEL, OFF_RATIO, agreed, factor, is_off};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A machine with fewer games than this is no witness against others.
const FEWEST_GAMES: i64 = 2;

/// Games compared at a time.
const AT_ONCE: i64 = 256;

/// This many games out of bounds are no accident if they are more than one in twenty.
const MOST_APART: u64 = 5;

/// A play that was compared, its machine, and by how much its ratio is off.
type RatioDeviation = (GameId, LeaseId, WorkerId, i64);

/// Compares the waiting games of the cells in which games were counted.
pub(crate) async fn compare(batch: &mut WriteBatch<'_>) -> Result<(), StoreError> {
    let touched = Vec::from_iter(batch.take_paced());
    if touched.is_empty() {
        return Ok(());
    }
    let mut cells = batch.written().await?.specs(&touched).await?;
    let mut paces = Paces::default();
    paces.read(batch, &cells).await?;
    // A machine that has just become a witness may be the third one for earlier games, in any cell.
    let fresh: BTreeSet<(PlayerId, BoardSize)> = cells
        .iter()
        .flat_map(|(_, spec)| {
            let players = [&spec.case, &spec.baseline].into_iter().zip(spec.kinds());
            players
                .filter(|(_, kind)| paces.has_new_third(*kind))
                .map(|(player, _)| (player.player_id(), spec.size))
        })
        .collect();
    for (player, size) in fresh {
        let others = batch.tx().waiting_cells_of(player, size).await?;
        paces.read(batch, &others).await?;
        cells.extend(others);
    }
    let kinds: HashMap<CellId, [KindId; 2]> =
        cells.iter().map(|(cell, spec)| (*cell, spec.kinds())).collect();
    let judged: Vec<CellId> =
        kinds.iter().filter(|(_, kinds)| paces.may_judge(*kinds)).map(|(cell, _)| *cell).collect();
    while compare_some(batch, &judged, &kinds, &paces).await? {}
    batch.written().await?;
    Ok(())
}

/// Compares some of the waiting games; gives whether there may be more.
async fn compare_some(
    batch: &mut WriteBatch<'_>,
    cells: &[CellId],
    kinds: &HashMap<CellId, [KindId; 2]>,
    paces: &Paces,
) -> Result<bool, StoreError> {
    let waiting = batch.tx().unjudged(cells, AT_ONCE).await?;
    let (mut compared, mut apart) = (Vec::new(), Vec::new());
    for play in &waiting {
        let Some(kinds) = kinds.get(&play.cell) else { continue };
        let usual = kinds.map(|kind| paces.usual(kind, &play.principal));
        let off = [0, 1].map(|side| Some(play.levels[side] - usual[side]?));
        if let Some(why) = out_of_bounds(off) {
            apart.push((play, off, why));
        } else if let [Some(case), Some(baseline)] = off {
            compared.push((play.game, play.lease, play.worker, case - baseline));
        }
    }
    let more = waiting.len() as i64 >= AT_ONCE && !(compared.is_empty() && apart.is_empty());
    batch.tx().set_ratios_off(&compared).await?;
    note_biases(batch, &compared).await?;
    for (play, off, why) in apart {
        exclude_play(batch, play, off, &why).await?;
    }
    batch.written().await?;
    Ok(more)
}

/// Why a game is out of bounds, if it is. `off` is the deviation of each side from the usual level, where that is known.
fn out_of_bounds(off: [Option<i64>; 2]) -> Option<String> {
    let words = |what: &str, off: i64| {
        format!("{what} {:.2} times as many simulations a move as on other machines", factor(off))
    };
    if let [Some(case), Some(baseline)] = off
        && is_off(case - baseline, OFF_RATIO)
    {
        return Some(words("for one simulation of the baseline the case had", case - baseline));
    }
    let sides = ["the case had", "the baseline had"].into_iter().zip(off);
    let far = sides.filter_map(|(what, off)| Some((what, off.filter(|off| is_off(*off, OFF_LEVEL))?)));
    far.map(|(what, off)| words(what, off)).next()
}

async fn exclude_play(
    batch: &mut WriteBatch<'_>,
    play: &UncomparedPlay,
    off: [Option<i64>; 2],
    why: &str,
) -> Result<(), StoreError> {
    let id = (play.game, play.lease);
    batch.log.note(Event::KeptApart, play.worker, || {
        format!("game {} of lease {} from {}: {why}", play.game, play.lease, play.worker_name)
    });
    tally::exclude(batch, id, (why, BY_BOUNDS)).await?;
    let known = off[0].unwrap_or_default() - off[1].unwrap_or_default();
    batch.tx().set_ratios_off(&[(play.game, play.lease, play.worker, known)]).await?;
    let apart = batch.tx().games_out_of_bounds(play.worker).await?;
    let compared = batch.tx().games_compared(play.worker).await?;
    if apart >= MOST_APART && 20 * apart > compared {
        let name = &play.worker_name;
        let why = format!(
            "{apart} of its games are kept apart because their simulations are far from those on other machines; in \
             the last one {why}"
        );
        quarantine(batch, (play.worker, name), &why, BY_BOUNDS).await?;
    }
    Ok(())
}

/// Adds compared games to the sums of their machines, and reports machines whose games deviate to one side.
async fn note_biases(batch: &mut WriteBatch<'_>, compared: &[RatioDeviation]) -> Result<(), StoreError> {
    let mut sums: BTreeMap<WorkerId, ComparedGames> = BTreeMap::new();
    for (_, _, worker, off) in compared {
        *sums.entry(*worker).or_default() += ComparedGames::of(*off);
    }
    let added: Vec<_> = sums.iter().map(|(worker, sum)| (*worker, *sum)).collect();
    for (worker, name, sum) in batch.tx().add_compared(&added).await? {
        let mut before = sum;
        before += -sums[&worker];
        if !sum.is_biased() || before.is_biased() {
            continue;
        }
        let why = sum.words();
        tracing::error!(worker.id = %worker, worker.name = name, "a machine's games differ from those of others: {why}");
        let (now_ms, what) = (batch.now_ms, format!("machine {name} ({worker})"));
        batch.tx().note_change(BY_BOUNDS, ("flag", &what, &why), now_ms).await?;
    }
    Ok(())
}

/// The most disputes in one report.
const MOST_DISPUTES: usize = 3;

/// Machines whose games in cells of an experiment differ by too much, while the right ones cannot be determined.
pub(crate) async fn disputes(tx: &mut Tx, experiment: ExperimentId) -> Result<Vec<String>, StoreError> {
    let cells = tx.planned_cells(experiment).await?;
    let kinds: BTreeSet<KindId> = cells.iter().flat_map(|cell| cell.spec.kinds()).collect();
    let mut paces = Paces::default();
    let mut names = BTreeMap::new();
    for pace in tx.paces(&Vec::from_iter(kinds)).await? {
        paces.add(&pace);
        names.insert(pace.principal, pace.worker_name);
    }
    let mut disputes = Vec::new();
    for cell in &cells {
        let [Some(case), Some(baseline)] = cell.spec.kinds().map(|kind| paces.0.get(&kind)) else { continue };
        let ratios: Vec<(i64, &Principal)> = case
            .iter()
            .filter(|(_, (games, _))| *games >= FEWEST_GAMES)
            .filter_map(|(who, (games, total))| {
                let (others, sum) = baseline.get(who)?;
                Some((total / games - sum / others, who))
            })
            .collect();
        let (Some(least), Some(most)) = (ratios.iter().min(), ratios.iter().max()) else { continue };
        let apart = most.0 - least.0;
        let levels: Vec<i64> = ratios.iter().map(|(ratio, _)| *ratio).collect();
        if agreed(&levels).is_none() && is_off(apart, OFF_RATIO) {
            disputes.push(format!(
                "machines disagree on `{}` against `{}` on size {}: for one simulation of the baseline the case has {:.1} \
                 times as many on {} as on {}, and no majority says which is right; with more machines the games of \
                 whichever is wrong are kept apart",
                cell.case_label,
                cell.baseline_label,
                cell.spec.size,
                factor(apart),
                names[most.1],
                names[least.1]
            ));
        }
    }
    disputes.truncate(MOST_DISPUTES);
    Ok(disputes)
}

/// The sums of machines, read once for a group of requests: by kind and principal, the number of games and the sum of their
/// levels.
#[derive(Default)]
struct Paces(HashMap<KindId, BTreeMap<Principal, (i64, i64)>>);

impl Paces {
    /// Reads the sums for the players of these cells, unless they were read.
    async fn read(
        &mut self,
        batch: &mut WriteBatch<'_>,
        cells: &[(CellId, CellSpec)],
    ) -> Result<(), StoreError> {
        let kinds = cells.iter().flat_map(|(_, spec)| spec.kinds());
        let unread: BTreeSet<KindId> = kinds.filter(|kind| !self.0.contains_key(kind)).collect();
        self.0.extend(unread.iter().map(|kind| (*kind, BTreeMap::new())));
        for pace in batch.tx().paces(&Vec::from_iter(unread)).await? {
            self.add(&pace);
        }
        Ok(())
    }

    /// Adds the sums of a machine.
    fn add(&mut self, pace: &PaceRow) {
        let sums = self.0.entry(pace.kind).or_default().entry(pace.principal.clone()).or_default();
        *sums = (sums.0 + pace.games, sums.1 + pace.total);
    }

    /// Whether there are just enough witnesses, one of whom is new.
    fn has_new_third(&self, kind: KindId) -> bool {
        let Some(said) = self.0.get(&kind) else { return false };
        let witnesses = || said.values().filter(|(games, _)| *games >= FEWEST_GAMES);
        // In one group a machine delivers a pair or two of a kind.
        witnesses().count() == 3 && witnesses().any(|(games, _)| *games < 4 * FEWEST_GAMES)
    }

    /// Whether there are enough witnesses to compare anything.
    fn may_judge(&self, kinds: &[KindId]) -> bool {
        kinds.iter().any(|kind| self.0.get(kind).is_some_and(|said| said.len() >= 3))
    }

    /// The level on which machines agree, including this principal's own.
    fn usual(&self, kind: KindId, own: &Principal) -> Option<i64> {
        let said = self.0.get(&kind)?;
        let votes = said.iter().filter(|(who, (games, _))| *games >= FEWEST_GAMES || *who == own);
        agreed(&votes.map(|(_, (games, total))| total / games).collect::<Vec<_>>())
    }
}
