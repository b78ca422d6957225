//! Slots against what goes wrong while they play.

use super::*;
use crate::calibrate;
use protocol::ids::CellId;
use protocol::lease::ParamSet;
use std::num::NonZeroU32;
use std::path::Path;
use uuid::Uuid;

fn size() -> BoardSize {
    BoardSize::new(4).expect("valid")
}

/// A lease of one game that lasts for some moves.
fn lease(id: LeaseId, budget: Budget) -> Lease {
    let cell = CellId(Uuid::nil());
    Lease {
        id,
        cell,
        pair: 0,
        games: vec![LeasedGame { id: GameId::of(cell, 0, 0), case_side: Side::White }],
        size: size(),
        opening: "a1".into(),
        seed: 7,
        budget,
        sims: None,
        case_label: "case".into(),
        case: ParamSet::default(),
        baseline_label: "base".into(),
        baseline: ParamSet::default(),
        expires_in_ms: 60_000,
        expected_us: 1,
    }
}

/// A slot of a machine that is this many times as slow as the reference.
fn slot(home: &Path, every: Duration, factor: f64) -> (Slot, UnboundedReceiver<Event>) {
    let (spool, _) = Spool::open(home.join("spool")).expect("opens");
    let (checkpoints, _) = Checkpoints::open(home.join("checkpoints"), every).expect("opens");
    let plan = Plan { runs: NonZeroU32::MIN, sims: 100 };
    let (slot, _, events) = Slot::new(spool, 0, checkpoints, plan);
    let speed = calibrate::reference_speed(size()) / factor;
    slot.speeds.lock().expect("no panic").calibrated(size(), speed);
    (slot, events)
}

fn only_checkpoint(home: &Path) -> SavedGame {
    let (_, found) = Checkpoints::open(home.join("checkpoints"), Duration::ZERO).expect("opens");
    let [found] = <[_; 1]>::try_from(found).expect("one checkpoint");
    found.kept
}

#[test]
fn a_panic_in_a_game_costs_its_lease_and_not_the_slot() {
    let home = tempfile::tempdir().expect("a directory");
    // No lease is known that makes the engine panic. A time beyond all clocks panics where a game begins.
    let (slot, mut events) = slot(home.path(), Duration::MAX, 1.0);
    let queue = slot.queue.clone();
    let leases = [LeaseId::random(), LeaseId::random()];
    for id in leases {
        let lease = lease(id, Budget::Sims(1));
        queue.push(Assignment { lease, unfinished: None, progress: Arc::default() });
    }
    let slot = std::thread::spawn(|| slot.run());
    for expected in leases {
        assert!(matches!(events.blocking_recv(), Some(Event::Took)));
        let event = events.blocking_recv();
        let Some(Event::Unplayable { lease, why }) = event else { panic!("{event:?}") };
        assert_eq!(lease, expected);
        assert!(why.contains("the engine panicked"), "{why}");
    }
    queue.stop();
    slot.join().expect("the slot outlives its games");
}

#[test]
fn short_games_are_written_together_before_the_loop_learns_of_them() {
    let home = tempfile::tempdir().expect("a directory");
    let (spool, _) = Spool::open(home.path().join("spool")).expect("opens");
    let (checkpoints, _) =
        Checkpoints::open(home.path().join("checkpoints"), Duration::from_secs(86_400)).expect("opens");
    let (mut slot, gathering, mut events) =
        Slot::new(spool, 0, checkpoints, Plan { runs: NonZeroU32::MIN, sims: 100 });
    slot.short = Duration::MAX;
    slot.speeds.lock().expect("no panic").calibrated(size(), calibrate::reference_speed(size()));
    let leases: Vec<Lease> = (0..20)
        .map(|pair| Lease {
            pair,
            games: vec![LeasedGame { id: GameId::of(CellId(Uuid::nil()), pair, 0), case_side: Side::White }],
            ..lease(LeaseId::random(), Budget::Sims(1))
        })
        .collect();
    let expected_us = leases.iter().map(|lease| lease.expected_us).sum::<u64>();
    let ids: Vec<LeaseId> = leases.iter().map(|lease| lease.id).collect();
    for lease in leases {
        slot.queue.push(Assignment { lease, unfinished: None, progress: Arc::default() });
    }
    let queue = slot.queue.clone();
    assert_eq!((queue.content().waiting, queue.content().expected_us), (20, expected_us));
    let threads = [std::thread::spawn(|| slot.run()), std::thread::spawn(|| gathering.run())];
    let mut finished = Vec::new();
    for id in ids {
        while !finished.contains(&id) {
            match events.blocking_recv().expect("more events come") {
                Event::Took => {}
                Event::Finished { game, .. } => finished.push(game.lease),
                Event::Ended { lease, .. } => {
                    assert!(finished.contains(&lease), "a lease ends after its games")
                }
                other => panic!("{other:?}"),
            }
        }
    }
    assert_eq!((queue.content().waiting, queue.content().expected_us), (0, 0));
    queue.stop();
    threads.into_iter().for_each(|thread| thread.join().expect("no panic"));
    let (_, found) = Spool::open(home.path().join("spool")).expect("opens");
    assert_eq!(found.len(), 20);
}

#[test]
fn a_game_goes_on_at_the_speed_that_it_began_with_and_begins_again_on_a_machine_that_is_another_one() {
    let home = tempfile::tempdir().expect("a directory");
    let id = LeaseId::random();
    let again = |unfinished: Option<SavedGame>| {
        let progress = Arc::new(Progress::after(unfinished.as_ref().map_or(0, |kept| kept.plies)));
        Assignment { lease: lease(id, Budget::ReferenceSeconds(1e-4)), unfinished, progress }
    };
    let began = again(None);
    let game = began.lease.games[0];
    let (first, _events) = slot(home.path(), Duration::ZERO, 1.0);
    let mut table = Table::set(&first, &began, &game).expect("it begins");
    assert!(!table.play_move() && !table.play_move());
    for (factor, goes_on) in [(1.2, true), (1.3, false), (0.7, false)] {
        table.keep();
        let (slot, _events) = slot(home.path(), Duration::ZERO, factor);
        let kept = only_checkpoint(home.path());
        assert_eq!((kept.plies, kept.speed.factor), (2, 1.0));
        let again = again(Some(kept));
        let mut other = Table::set(&slot, &again, &game).expect("it can be played");
        other.play_move();
        other.keep();
        let kept = only_checkpoint(home.path());
        let (plies, began_with) = if goes_on { (3, 1.0) } else { (1, factor) };
        assert_eq!((kept.plies, kept.record.sims.len()), (plies, plies as usize), "{factor}");
        assert!((kept.speed.factor - began_with).abs() < 1e-9, "{factor}: {:?}", kept.speed);
    }
}
