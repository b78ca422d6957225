//! `gauntlet game replay --settle`: this machine decides a dispute between two other machines.

use crate::commands::print;
use crate::commands::user::who;
use anyhow::{Context, bail};
use coordinator::{Adjudication, Coordinator};
use engine::selfplay::{self, MoveRecord};
use protocol::ids::GameId;
use protocol::lease::{BELIEVED_SPEED, Budget, Lease, reference_speed};
use protocol::matchup::Matchup;
use protocol::result::{FinishedGame, MoveColumns, Speed};
use std::ops::ControlFlow;
use std::time::Instant;

/// Plays a disputed game on this machine, and lets the coordinator decide the dispute with the result.
pub(super) async fn settle(coordinator: &Coordinator, game: GameId) -> anyhow::Result<()> {
    let dispute = coordinator.lend_disputed(game, &who()).await?;
    let played = tokio::task::block_in_place(|| play(&dispute.lease))?;
    match coordinator.adjudicate(&dispute, played).await? {
        Adjudication::Agreed { note } => print(&format!(
            "The counted play of game {game} is right: it goes like that here, too. Who had other moves is in \
             quarantine: {note}\n"
        )),
        Adjudication::Refuted { note } => print(&format!(
            "The counted play of game {game} is wrong: two others had the same other moves. It is taken out and its game \
             played once more, and its machine is in quarantine: {note}\n"
        )),
        Adjudication::Open { note } => {
            bail!(
                "game {game} went otherwise again here: the dispute stays open, for another machine to decide ({note})"
            )
        }
    }
}

/// Plays the game of a recheck lease.
fn play(lease: &Lease) -> anyhow::Result<FinishedGame> {
    let [game] = lease.games[..] else { bail!("the lease is for {} games", lease.games.len()) };
    let sims = match lease.budget {
        Budget::Sims(sims) => sims,
        Budget::ReferenceSeconds(_) => 1,
    };
    let spec = Matchup::of_lease(lease, game.case_side).spec(engine::search::Budget::Sims(sims));
    let spec = spec.context("this build cannot play the game")?;
    let mut go_on = |_: &MoveRecord| ControlFlow::Continue(());
    let began = Instant::now();
    let record = match &lease.sims {
        Some(sims) => selfplay::play_counted(&spec, sims, &mut go_on),
        None => selfplay::play(&spec, &mut go_on),
    };
    let record = record.context("the game's opening")?.context("the game was stopped")?;
    let columns = MoveColumns::from_record(lease.size, &record);
    let (sims, cpu_us): (u64, u64) = (columns.sims.iter().sum(), columns.cpu_us.iter().sum());
    // This machine was not calibrated. It reports the speed measured in this game, clamped to the plausible range.
    let reference = reference_speed(lease.size);
    let times = sims as f64 * 1e6 / cpu_us.max(1) as f64 / reference;
    let times = times.clamp(*BELIEVED_SPEED.start(), *BELIEVED_SPEED.end());
    let sims_per_s = times * reference;
    let factor = reference / sims_per_s;
    let move_cpu_us = match lease.budget {
        Budget::Sims(_) => None,
        Budget::ReferenceSeconds(seconds) => Some(((seconds * factor * 1e6) as u64).max(1)),
    };
    Ok(FinishedGame {
        game: game.id,
        lease: lease.id,
        outcome: record.outcome,
        record: columns,
        speed: Speed { size: lease.size, sims_per_s, factor, drift: 1.0 },
        move_cpu_us,
        wall_ms: u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::havannah::BoardSize;
    use engine::side::Side;
    use protocol::ids::{CellId, LeaseId};
    use protocol::lease::{LeasedGame, ParamSet};

    #[test]
    fn a_game_is_played_by_its_lease_whether_in_simulations_or_by_those_of_a_game_in_time() {
        let cell: CellId = "6f1c0000-0000-8000-8000-000000000000".parse().expect("an id");
        let lease = |budget, sims| Lease {
            id: LeaseId::random(),
            cell,
            pair: 3,
            games: vec![LeasedGame { id: GameId::of(cell, 3, 1), case_side: Side::Black }],
            size: BoardSize::MIN,
            opening: "c3".into(),
            seed: 5,
            budget,
            sims,
            case_label: String::new(),
            case: ParamSet::default(),
            baseline_label: String::new(),
            baseline: ParamSet::default(),
            expires_in_ms: 0,
            expected_us: 0,
        };
        let first = play(&lease(Budget::Sims(40), None)).expect("played");
        assert!(first.record.sims.iter().all(|&sims| sims <= 40) && first.move_cpu_us.is_none());
        let in_time = Budget::ReferenceSeconds(9.0);
        let same = play(&lease(in_time, Some(first.record.sims.clone()))).expect("played");
        assert_eq!((&same.record.moves, same.outcome), (&first.record.moves, first.outcome));
        assert!(same.move_cpu_us.is_some_and(|us| us > 0));
        let other = play(&lease(in_time, Some(vec![1; 60]))).expect("played");
        assert_ne!(other.record.moves, first.record.moves);
    }
}
