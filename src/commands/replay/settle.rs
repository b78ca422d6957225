//! `gauntlet replay --settle`: the third machine where there are only two.

use super::super::print;
use super::super::target::who;
use anyhow::{Context, bail};
use coordinator::{Coordinator, Settled};
use engine::selfplay::{self, MoveRecord};
use protocol::ids::GameId;
use protocol::lease::{Budget, Lease};
use protocol::matchup::Matchup;
use protocol::result::{FinishedGame, MoveColumns, Speed};
use std::ops::ControlFlow;
use std::time::Instant;

/// Plays a disputed game here, and has the coordinator decide.
pub(super) async fn settle(coordinator: &Coordinator, game: GameId) -> anyhow::Result<()> {
    let dispute = coordinator.lend_disputed(game, &who()).await?;
    let played = tokio::task::block_in_place(|| play(&dispute.lease))?;
    match coordinator.settle(&dispute, played).await? {
        Settled::Agreed { note } => print(&format!(
            "The counted play of game {game} is right: it goes like that here, too. Who had other moves is in \
             quarantine: {note}\n"
        )),
        Settled::Refuted { note } => print(&format!(
            "The counted play of game {game} is wrong: two others had the same other moves. It is taken out and its game \
             played once more, and its machine is in quarantine: {note}\n"
        )),
        Settled::Open { note } => {
            bail!(
                "game {game} went otherwise again here: the dispute stays open, for another machine to decide ({note})"
            )
        }
    }
}

/// Plays the one game of a lease for playing again.
fn play(lease: &Lease) -> anyhow::Result<FinishedGame> {
    let [game] = lease.games[..] else { bail!("the lease is for {} games", lease.games.len()) };
    let sims = match lease.budget {
        Budget::Sims(sims) => sims,
        Budget::ReferenceSeconds(_) => 1,
    };
    let spec = Matchup::of_lease(lease, game.case_side).spec(selfplay::Budget::Sims(sims));
    let spec = spec.context("this build cannot play the game")?;
    let mut go_on = |_: &MoveRecord| ControlFlow::Continue(());
    let began = Instant::now();
    let record = match &lease.sims {
        Some(sims) => selfplay::play_counted(&spec, sims, &mut go_on),
        None => selfplay::play(&spec, &mut go_on),
    };
    let record = record.context("the game's opening")?.context("nobody stops it")?;
    let columns = MoveColumns::from_record(lease.size, &record);
    let (sims, cpu_us): (u64, u64) = (columns.sims.iter().sum(), columns.cpu_us.iter().sum());
    // Nothing was measured and no time was given: it tells what the game took.
    let sims_per_s = sims as f64 * 1e6 / cpu_us.max(1) as f64;
    let moves = columns.cpu_us.len().max(1) as u64;
    Ok(FinishedGame {
        game: game.id,
        lease: lease.id,
        outcome: record.outcome,
        record: columns,
        speed: Speed { size: lease.size, sims_per_s, factor: 1.0, drift: 1.0 },
        move_cpu_us: matches!(lease.budget, Budget::ReferenceSeconds(_)).then_some((cpu_us / moves).max(1)),
        wall_ms: u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX),
    })
}
