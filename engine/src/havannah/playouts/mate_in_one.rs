//! Mate in one: if the opponent's last stone leaves its group one cell from a win, the playout takes that cell.
//!
//! Only the group of the last stone is examined: threats of other groups, of either side, were answered before. Against
//! two winning cells there is no defence: the mover takes one, and the opponent's next move is the other.
//!
//! In the published program this was the third of four levels. The others are here for comparison. The first two
//! examine every empty cell, also for own wins. The fourth is the third restricted to last stones on a corner or side.

use super::policy::PlayoutPolicy;
use crate::havannah::cell::BoardSize;
use crate::havannah::params::{HeuristicParams, MateInOneCompat, PlayoutCompat};
use crate::havannah::playout::Playout;
use crate::rng::Rng;

/// The answer to a mate in one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Found {
    /// The cell to take.
    place: u16,
    /// The opponent's second winning cell, which the opponent plays next.
    reply: Option<u16>,
}

/// The policy: at how many choices of a playout it looks for mates, and how.
pub(super) struct MateInOne {
    choices: u32,
    choices_per_size: f64,
    level: MateInOneCompat,
    compat: PlayoutCompat,
    /// The number of choices of this playout at which the policy still looks for mates.
    looks: u32,
    /// The move that must follow the move chosen last.
    forced: Option<u16>,
}

impl PlayoutPolicy for MateInOne {
    fn new(params: &HeuristicParams) -> Option<Self> {
        (params.mate_in_one > 0 || params.mate_in_one_per_size > 0.0).then_some(Self {
            choices: params.mate_in_one,
            choices_per_size: params.mate_in_one_per_size,
            level: params.mate_in_one_compat,
            compat: params.playout_compat,
            looks: 0,
            forced: None,
        })
    }

    fn begin_playout(&mut self, size: BoardSize) {
        self.looks = self.choices + (self.choices_per_size * f64::from(size.get())) as u32;
        self.forced = None;
    }

    #[inline(always)]
    fn may_choose(&self) -> bool {
        self.looks > 0 || self.forced.is_some()
    }

    fn needs_threats(&self) -> bool {
        self.looks > 0
    }

    #[inline(always)]
    fn choose<const W: usize>(
        &mut self,
        playout: &mut Playout<'_, W>,
        last: Option<u16>,
        _: &mut Rng,
    ) -> Option<u16> {
        if let Some(reply) = self.forced.take() {
            return Some(reply);
        }
        if self.looks == 0 || !self.can_look(last) {
            return None;
        }
        self.looks -= 1;
        let found = self.look(playout, last);
        if self.looks == 0 {
            playout.stop_tracking_threats();
        }
        let Found { place, reply } = found?;
        self.forced = reply;
        Some(place)
    }
}

impl MateInOne {
    /// Whether this choice can be looked at. Other choices do not count.
    #[inline(always)]
    fn can_look(&self, last: Option<u16>) -> bool {
        last.is_some() || matches!(self.level, MateInOneCompat::Level1 | MateInOneCompat::Level2)
    }

    /// The answer to a stone at `last`, if that is known.
    #[inline(always)]
    fn look<const W: usize>(&self, playout: &mut Playout<'_, W>, last: Option<u16>) -> Option<Found> {
        match self.level {
            MateInOneCompat::Off => self.block(playout, last?),
            MateInOneCompat::Level1 => self.win(playout),
            MateInOneCompat::Level2 => self.win(playout).or_else(|| self.block_last(playout)),
            // The published program read the marks from its record of the stone. If the stone had become the root of
            // its group, which happened in small groups only, these were the marks of the group. Here they are the
            // stone's own.
            MateInOneCompat::Level4 => {
                last.filter(|&last| playout.is_on_border(last)).and_then(|last| self.block(playout, last))
            }
        }
    }

    /// Takes the first own win.
    #[cold]
    fn win<const W: usize>(&self, playout: &mut Playout<'_, W>) -> Option<Found> {
        let [first, _] = playout.wins(playout.side(), self.compat == PlayoutCompat::Published)?;
        Some(Found { place: first, reply: None })
    }

    /// Takes the last of the opponent's winning cells on the whole board.
    #[cold]
    fn block_last<const W: usize>(&self, playout: &mut Playout<'_, W>) -> Option<Found> {
        let [_, last] = playout.wins(playout.side() ^ 1, self.compat == PlayoutCompat::Published)?;
        Some(Found { place: last, reply: None })
    }

    /// The answer to a threat of the opponent's group at `last`.
    #[inline(always)]
    fn block<const W: usize>(&self, playout: &mut Playout<'_, W>, last: u16) -> Option<Found> {
        let [first, second] = match self.compat {
            PlayoutCompat::Off => playout.threats(last),
            // The walk finds only cells that are listed, so it is skipped without them.
            PlayoutCompat::Published if playout.is_threatened(last) => contour_threats(playout, last),
            PlayoutCompat::Published => {
                debug_assert_eq!(contour_threats(playout, last), [None; 2]);
                [None; 2]
            }
        };
        first.map(|place| Found { place, reply: second })
    }
}

/// The first two winning cells on a walk around the opponent's group at `last`, as in the published program. The walk
/// begins in the first direction that leaves the group and keeps the group on the same hand. It goes off the board
/// where it must. It ends when it is back at its first cell, which may be before it has gone around the whole group. As
/// long as any ring counts, a ring of any size, with or without permanent stones, is a threat.
#[cold]
fn contour_threats<const W: usize>(playout: &Playout<'_, W>, last: u16) -> [Option<u16>; 2] {
    // Whether a step leads to no stone of the opponent, of any group.
    let free = |place, direction: usize| playout.opponents_around(place) >> direction & 1 == 0;
    let mut found = [None; 2];
    let Some(leaving) = (0..6).find(|&direction| free(last, direction)) else { return found };
    let start = playout.neighbour(last, leaving);
    // The walk has just left the group. It first tries the direction after the one that leads back.
    let (mut at, mut direction) = (start, (leaving + 5) % 6);
    loop {
        if playout.would_lose(at) {
            match found[0] {
                None => found[0] = Some(at),
                Some(first) if first == at => {}
                Some(_) => {
                    found[1] = Some(at);
                    return found;
                }
            }
        }
        let Some(next) = (5..10).map(|turn| (direction + turn) % 6).find(|&next| free(at, next)) else {
            return found;
        };
        (at, direction) = (playout.neighbour(at, next), next);
        if at == start {
            return found;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::havannah::geometry::with_stride;
    use crate::havannah::playout::Workspace;
    use crate::havannah::rings::Rings;
    use crate::havannah::{Board, Cell};
    use crate::rng::Rng;

    /// [`contour_threats`] by columns and rows, which need no padding off the board.
    fn walk_by_rows<const W: usize>(playout: &Playout<'_, W>, before: &Board, last: u16) -> [Option<u16>; 2] {
        /// Columns and rows to the six neighbours, clockwise.
        const STEPS: [(i32, i32); 6] = [(-1, -1), (0, -1), (1, 0), (1, 1), (0, 1), (-1, 0)];
        let size = before.size();
        let opponent = before.owner(playout.cell(last));
        let cell = |(x, y): (i32, i32)| size.cell_at(x, y);
        let in_group = |at| cell(at).is_some_and(|cell| before.owner(cell) == opponent);
        let step = |(x, y): (i32, i32), direction: usize| (x + STEPS[direction].0, y + STEPS[direction].1);

        let mut found = [None; 2];
        let inside = size.position(playout.cell(last));
        let Some(leaving) = (0..6).find(|&direction| !in_group(step(inside, direction))) else {
            return found;
        };
        let start = step(inside, leaving);
        // The walk has just left the group. It first tries the direction after the one that leads back.
        let (mut at, mut direction) = (start, (leaving + 5) % 6);
        loop {
            let empty = cell(at).map(|cell| playout.place(cell)).filter(|&place| playout.is_empty(place));
            if let Some(place) = empty.filter(|&place| playout.would_lose(place)) {
                match found[0] {
                    None => found[0] = Some(place),
                    Some(first) if first == place => {}
                    Some(_) => {
                        found[1] = Some(place);
                        return found;
                    }
                }
            }
            let Some(next) =
                (5..10).map(|turn| (direction + turn) % 6).find(|&next| !in_group(step(at, next)))
            else {
                return found;
            };
            (at, direction) = (step(at, next), next);
            if at == start {
                return found;
            }
        }
    }

    #[test]
    fn the_walk_in_memory_is_the_one_by_columns_and_rows() {
        let (mut rng, mut work) = (Rng::new(5), Workspace::new());
        let mut seen = [0; 3];
        for size in BoardSize::all() {
            for _ in 0..400 {
                // Fills two thirds of the board, unless the game ends before.
                let mut board = Board::new(size);
                let mut last = Cell(0);
                while board.outcome().is_none() && board.plies() < size.cells() * 2 / 3 {
                    let open: Vec<Cell> = board.legal_moves().collect();
                    last = open[rng.below(open.len() as u32) as usize];
                    board.play(last).expect("legal");
                }
                if board.outcome().is_some() {
                    continue;
                }
                let before = board.clone();
                with_stride!(before.stride(), W => {
                    let rings = Rings { until: 1000, stones: 6, growth: [0; 2], permanent: 0, lassos: false };
                    let playout = Playout::<W>::new(&mut board, &mut work, rings, true);
                    for cell in size.iter_cells().filter(|&cell| before.owner(cell) == before.owner(last)) {
                        let place = playout.place(cell);
                        let found = contour_threats(&playout, place);
                        assert_eq!(found, walk_by_rows(&playout, &before, place), "{size}, from {cell:?}");
                        seen[found.iter().flatten().count()] += 1;
                    }
                });
            }
        }
        assert!(seen.iter().all(|&times| times > 100), "{seen:?}");
    }
}
