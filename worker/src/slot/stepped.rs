//! A slot without a thread, for simulations: it does one step at a time, on request.

use super::{Assignment, Event, Played, Slot, Table, Task};
use crate::calibrate;
use std::time::Duration;

/// Long enough that the worker prefetches one lease, however slow the simulating machine is.
const TOOK: Duration = Duration::from_secs(60);

/// A slot and its lease.
pub(crate) struct SteppedSlot {
    slot: Slot,
    /// The lease, and how many of its games it has played.
    current: Option<(Box<Assignment>, usize)>,
    calibrated: usize,
}

impl SteppedSlot {
    pub(crate) fn new(slot: Slot) -> Self {
        slot.queue.locked().idle += 1;
        Self { slot, current: None, calibrated: 0 }
    }

    /// Does one step of what [`Slot::run`] does: takes a task, plays a whole game, or ends a lease.
    pub(crate) fn step(&mut self) {
        let Some((assignment, played)) = self.current.take() else { return self.take() };
        let Some(leased) = assignment.lease.games.get(played) else { return self.ended(&assignment) };
        match self.slot.play_game(&assignment, leased, &mut self.calibrated) {
            Ok(Played::Finished | Played::Short) => {
                self.current = Some((assignment, played + 1));
            }
            Ok(_) => self.ended(&assignment),
            Err(why) => panic!("lease {} of a real coordinator cannot be played: {why}", assignment.lease.id),
        }
    }

    /// Begins or continues a game and is interrupted in the middle: after some moves with a checkpoint and some without.
    /// Returns whether there was a game that did not end before the interruption.
    pub(crate) fn interrupt_game(&mut self, written: u32, lost: u32) -> bool {
        if self.current.is_none() {
            self.take();
        }
        let Some((assignment, played)) = self.current.take() else { return false };
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

    fn take(&mut self) {
        let mut content = self.slot.queue.locked();
        let Some(task) = content.take(&mut self.calibrated) else { return };
        match task {
            // Measurements would differ from run to run.
            Task::Calibrate(size) => {
                let speeds = Ok(vec![calibrate::reference_speed(size)]);
                self.slot.tell(Event::Calibrated { size, speeds });
            }
            Task::Play(assignment) => {
                content.idle -= 1;
                self.slot.tell(Event::Took);
                let first = assignment.first();
                self.current = Some((assignment, first));
            }
        }
    }

    fn ended(&self, assignment: &Assignment) {
        self.slot.queue.locked().idle += 1;
        self.slot.end(assignment.lease.id, TOOK, true);
    }
}
