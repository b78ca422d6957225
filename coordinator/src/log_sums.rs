//! One line in the log for all events of one kind that a call causes. A call may name thousands of games and leases, too many for
//! a line each.

use protocol::ids::WorkerId;
use protocol::words::counted;

/// What may happen to many games or pairs at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Event {
    /// Games were refused.
    Rejected,
    /// Games are stored and do not count.
    KeptApart,
    /// Pairs were given back because they could not be played.
    NotPlayed,
    /// Games made no progress.
    StoodStill,
    /// Leases ended because their machine did not call.
    Lapsed,
    /// Pairs failed too often.
    SetAside,
    /// Rechecks had other moves than the first plays.
    Disputed,
    /// Pairs were given to another machine because a stopping rule waits for them.
    Overtaken,
    /// Machines were put in quarantine because another one of their token is in quarantine.
    Followed,
}

/// Events of one kind on one machine.
#[derive(Debug)]
struct EventSum {
    event: Event,
    worker: WorkerId,
    number: u64,
    first: String,
}

/// The events of a group of calls. They are logged when this is dropped.
#[derive(Debug, Default)]
pub(crate) struct LogSums(Vec<EventSum>);

impl LogSums {
    /// Notes an event on a machine. `words` name the game or pair, and the reason.
    pub(crate) fn note(&mut self, event: Event, worker: WorkerId, words: impl FnOnce() -> String) {
        match self.0.iter_mut().find(|sum| sum.event == event && sum.worker == worker) {
            Some(sum) => sum.number += 1,
            None => self.0.push(EventSum { event, worker, number: 1, first: words() }),
        }
    }
}

impl EventSum {
    fn words(&self) -> String {
        let Self { event, number, first, .. } = self;
        let of = |noun| counted(*number, noun);
        let what = match event {
            Event::Rejected => format!("rejected {}", of("game")),
            Event::KeptApart => format!("kept {} apart", of("game")),
            Event::NotPlayed => format!("{} could not be played", of("pair")),
            Event::StoodStill => format!("{} stood still for too long and will be played again", of("game")),
            Event::Lapsed => format!("{} lapsed, and other workers will play what is missing", of("lease")),
            Event::SetAside => {
                format!("{} failed too often and wait for `gauntlet retry`", of("pair"))
            }
            Event::Disputed => {
                format!("{} of this machine had other moves, so a third machine is asked", of("recheck"))
            }
            Event::Overtaken => {
                format!("{} of this machine went to another one, because a stopping rule waits", of("pair"))
            }
            Event::Followed => format!("{} of the same token in quarantine, too", of("machine")),
        };
        let which = if *number == 1 { "" } else { "the first is " };
        format!("{what}: {which}{first}")
    }
}

impl Drop for LogSums {
    fn drop(&mut self) {
        for sum in &self.0 {
            match sum.event {
                Event::SetAside => tracing::error!(worker.id = %sum.worker, "{}", sum.words()),
                Event::Overtaken | Event::Followed => {
                    tracing::info!(worker.id = %sum.worker, "{}", sum.words());
                }
                _ => tracing::warn!(worker.id = %sum.worker, "{}", sum.words()),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_events_of_a_machine_are_one_line_with_the_first_as_the_example() {
        let mut sums = LogSums::default();
        let (one, other) = (WorkerId::of_hand("one"), WorkerId::of_hand("other"));
        for number in 0..16_000 {
            sums.note(Event::Rejected, one, || format!("game {number}: the lease is not known"));
        }
        sums.note(Event::Lapsed, one, || "lease 7".to_owned());
        sums.note(Event::Rejected, other, || "game 9: the lease is not known".to_owned());
        let lines: Vec<String> = sums.0.iter().map(EventSum::words).collect();
        assert_eq!(
            lines,
            [
                "rejected 16\u{202f}000 games: the first is game 0: the lease is not known",
                "1 lease lapsed, and other workers will play what is missing: lease 7",
                "rejected 1 game: game 9: the lease is not known",
            ]
        );
    }
}
