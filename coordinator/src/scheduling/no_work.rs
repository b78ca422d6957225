//! Why a worker gets no work.

use crate::store::{Capabilities, Missing};
use engine::havannah::BoardSize;
use protocol::memory::Mib;
use protocol::sync::{NoWork, NoWorkCode};
use protocol::words::{counted, operands};

/// Why a worker with this memory gets no lease after [`grant`](super::grant()) found none. `sizes` are those with open pairs, and
/// `least` is the memory that the least demanding of them needs. `paused` are the experiments that lack games and are paused.
pub(crate) fn no_work(
    (capabilities, memory): (Capabilities, Mib),
    sizes: &[BoardSize],
    least: Option<Mib>,
    (missing, paused): (Option<Missing>, &[String]),
) -> NoWork {
    let unmeasured: Vec<String> = sizes
        .iter()
        .filter(|size| capabilities.sizes & (1 << size.get()) == 0)
        .map(ToString::to_string)
        .collect();
    let (code, message) = match missing {
        None | Some(Missing { games: 0, .. }) if !paused.is_empty() => {
            (NoWorkCode::NoExperiment, of_paused(paused))
        }
        None => (
            NoWorkCode::NoExperiment,
            "no experiment is active; apply one with `gauntlet apply FILE`".to_owned(),
        ),
        Some(Missing { games: 0, .. }) => (NoWorkCode::Finished, "nothing is left to play".to_owned()),
        Some(_) if !unmeasured.is_empty() => (
            NoWorkCode::NotCalibrated,
            format!(
                "this worker has not measured its speed on the board sizes left ({}); it gets work once it has",
                unmeasured.join(", ")
            ),
        ),
        Some(_) if least.is_some_and(|least| least > memory) => (
            NoWorkCode::TooLittleMemory,
            format!(
                "what is left may need {} a slot for the trees of its players, or more, and this worker has {memory}: \
                 with fewer --slots each slot gets more, and --memory-per-slot sets the number",
                least.unwrap_or(memory)
            ),
        ),
        Some(Missing { pairs_in_flight: 0, pairs_aside, .. }) if pairs_aside > 0 => (
            NoWorkCode::SetAside,
            format!(
                "what is left was set aside, because it failed again and again: {}; the \
                 experiment's page says why, and `gauntlet retry` releases them",
                counted(pairs_aside, "pair")
            ),
        ),
        Some(Missing { games, .. }) => (
            NoWorkCode::AllLeased,
            format!(
                "what is still missing, {}, is being played; pairs that are returned are handed out again",
                counted(games, "game")
            ),
        ),
    };
    NoWork { code, message }
}

/// Says that every experiment with missing games is paused.
fn of_paused(names: &[String]) -> String {
    match names {
        [name] => format!("`{name}` is paused: `gauntlet experiment resume {}` goes on", operands(&[name])),
        [first, others @ ..] => format!(
            "`{first}` and {} are paused: `gauntlet experiment resume NAME` goes on with one",
            counted(others.len() as u64, "other experiment")
        ),
        [] => String::new(),
    }
}
