//! A slot without a thread, for simulations: it does one thing at a time, when it is told to.

use super::{Assignment, Event, Played, Slot, Table, Task};
use crate::calibrate;
use std::time::Duration;

/// Long enough that the worker keeps a reserve of one lease however slow the machine that simulates.
const TOOK: Duration = Duration::from_secs(60);

/// A slot and what it has in hand.
pub(crate) struct Stepped {
    slot: Slot,
    /// The lease, and how many of its games it has played.
    in_hand: Option<(Box<Assignment>, usize)>,
    calibrated: usize,
}

/// What a step was.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// There was nothing to do.
    Idle,
    /// Something that leaves no trace on disk.
    Moved,
    /// A game was finished: it is in the spool, and the loop has not heard of it.
    Finished,
}

impl Stepped {
    pub(crate) fn new(slot: Slot) -> Self {
        slot.desk.tray().idle += 1;
        Self { slot, in_hand: None, calibrated: 0 }
    }

    /// Takes a task, plays a whole game, or lets go of a lease, as [`Slot::run`] does one after the other.
    pub(crate) fn step(&mut self) -> Step {
        let Some((assignment, played)) = self.in_hand.take() else { return self.take() };
        let Some(leased) = assignment.lease.games.get(played) else { return self.ended(&assignment) };
        match self.slot.play_game(&assignment, leased, &mut self.calibrated) {
            Ok(Played::Finished) => {
                self.in_hand = Some((assignment, played + 1));
                Step::Finished
            }
            Ok(_) => self.ended(&assignment),
            Err(why) => panic!("lease {} of a real coordinator cannot be played: {why}", assignment.lease.id),
        }
    }

    /// Begins a game, or goes on with one, and is cut off in the middle of it: after some moves that are
    /// written down, and some that are not. Gives whether there was a game, and it did not end before.
    pub(crate) fn be_cut_off(&mut self, written: u32, lost: u32) -> bool {
        if self.in_hand.is_none() {
            self.take();
        }
        let Some((assignment, played)) = self.in_hand.take() else { return false };
        let Some(leased) = assignment.lease.games.get(played) else { return false };
        let mut table = Table::set(&self.slot, &assignment, leased).expect("it can be played");
        for number in 0..written + lost {
            if table.play_move() {
                return false;
            }
            if number < written {
                table.keep();
            }
        }
        true
    }

    fn take(&mut self) -> Step {
        let mut tray = self.slot.desk.tray();
        let Some(task) = tray.take(&mut self.calibrated) else { return Step::Idle };
        match task {
            // A measurement would differ from run to run.
            Task::Calibrate(size) => {
                let speeds = Ok(vec![calibrate::reference_speed(size)]);
                self.slot.tell(Event::Calibrated { size, speeds });
            }
            Task::Play(assignment) => {
                tray.idle -= 1;
                self.slot.tell(Event::Took);
                let first = assignment.first();
                self.in_hand = Some((assignment, first));
            }
        }
        Step::Moved
    }

    fn ended(&self, assignment: &Assignment) -> Step {
        self.slot.desk.tray().idle += 1;
        self.slot.tell(Event::Ended { lease: assignment.lease.id, took: TOOK });
        Step::Moved
    }
}
