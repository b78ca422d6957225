//! Mate in one: in a playout, when the opponent's last stone leaves its group one cell from a win, that cell is taken.
//!
//! Only the group of the last stone is looked at. Its side's other groups had their threats answered before, and so
//! had the mover's own. Against two winning cells there is no defence: one is taken, and the opponent's next move is
//! the other.
//!
//! The published program had this as the third of four levels. The others are here for comparison: the first two look at
//! every empty cell, for own wins as well, and the fourth only where the last stone is on a corner or side.

use super::policy::PlayoutPolicy;
use crate::havannah::cell::BoardSize;
use crate::havannah::params::{HeuristicParams, MateInOneCompat, PlayoutCompat};
use crate::havannah::playout::Playout;

/// What to do about a mate in one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Found {
    /// The cell to take.
    place: u16,
    /// What the opponent must reply.
    reply: Option<u16>,
}

/// At how many choices mates are looked for, and how.
pub(super) struct MateInOne {
    choices: u32,
    choices_per_size: f64,
    level: MateInOneCompat,
    compat: PlayoutCompat,
    /// Choices of this playout at which a mate is still looked for.
    looks: u32,
    /// What the mover must reply after the move chosen last.
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
    fn choose<const W: usize>(&mut self, playout: &mut Playout<'_, W>, last: Option<u16>) -> Option<u16> {
        if let Some(reply) = self.forced.take() {
            return Some(reply);
        }
        if self.looks == 0 || !self.can_look(last) {
            return None;
        }
        self.looks -= 1;
        let found = self.look(playout, last);
        if self.looks == 0 {
            playout.stop_watching();
        }
        let Found { place, reply } = found?;
        self.forced = reply;
        Some(place)
    }
}

impl MateInOne {
    /// Whether there is anything to look at; a choice at which there is not does not count.
    #[inline(always)]
    fn can_look(&self, last: Option<u16>) -> bool {
        last.is_some() || matches!(self.level, MateInOneCompat::Level1 | MateInOneCompat::Level2)
    }

    /// What to do after a stone at `last`, if that is known.
    #[inline(always)]
    fn look<const W: usize>(&self, playout: &mut Playout<'_, W>, last: Option<u16>) -> Option<Found> {
        match self.level {
            MateInOneCompat::Off => self.block(playout, last?),
            MateInOneCompat::Level1 => self.win(playout),
            MateInOneCompat::Level2 => self.win(playout).or_else(|| self.block_last(playout)),
            // The published program looked into its record of the stone. Where that had become the root of its group,
            // which must be small for that, the record was the group's. It is the stone's own here.
            MateInOneCompat::Level4 => {
                last.filter(|&last| playout.is_on_border(last)).and_then(|last| self.block(playout, last))
            }
        }
    }

    /// The first own win.
    #[cold]
    fn win<const W: usize>(&self, playout: &mut Playout<'_, W>) -> Option<Found> {
        let [first, _] = playout.wins(playout.side(), self.compat == PlayoutCompat::Published)?;
        Some(Found { place: first, reply: None })
    }

    /// The last of the opponent's wins, wherever it is.
    #[cold]
    fn block_last<const W: usize>(&self, playout: &mut Playout<'_, W>) -> Option<Found> {
        let [_, last] = playout.wins(playout.side() ^ 1, self.compat == PlayoutCompat::Published)?;
        Some(Found { place: last, reply: None })
    }

    /// What to do about the opponent's group at `last`.
    #[inline(always)]
    fn block<const W: usize>(&self, playout: &mut Playout<'_, W>, last: u16) -> Option<Found> {
        let [first, second] = match self.compat {
            PlayoutCompat::Off => playout.threats(last),
            // The walk finds nothing that is not listed.
            PlayoutCompat::Published if playout.is_threatened(last) => contour_threats(playout, last),
            PlayoutCompat::Published => {
                debug_assert_eq!(contour_threats(playout, last), [None; 2]);
                [None; 2]
            }
        };
        first.map(|place| Found { place, reply: second })
    }
}

/// The first two winning cells met on a walk around the opponent's group at `last`, as the published program looked
/// for them: the walk begins at the first direction that leaves the group, has it on the same hand all the way, goes
/// off the board where it must, and ends when it is back at its first cell, which may be too early. Rings of any size
/// and without permanent stones are threats to it, as long as any ring counts.
#[cold]
fn contour_threats<const W: usize>(playout: &Playout<'_, W>, last: u16) -> [Option<u16>; 2] {
    // Whether a step leads to no stone of the opponent's, whichever group it is of.
    let free = |place, direction: usize| playout.opponents_around(place) >> direction & 1 == 0;
    let mut found = [None; 2];
    let Some(leaving) = (0..6).find(|&direction| free(last, direction)) else { return found };
    let start = playout.neighbour(last, leaving);
    // The group is behind: the first direction tried next is the one after the way back to it.
    let (mut at, mut direction) = (start, (leaving + 5) % 6);
    loop {
        if playout.is_open(at) && playout.would_lose(at) {
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

    /// [`contour_threats`] by columns and rows, off the board as on it.
    fn walk_by_rows<const W: usize>(playout: &Playout<'_, W>, before: &Board, last: u16) -> [Option<u16>; 2] {
        /// Columns and rows from one cell to the next, clockwise.
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
        // The group is behind: the first direction tried next is the one after the way back to it.
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
                // Two thirds full, if that does not end the game.
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
