//! The rules once more, from their words alone: cube coordinates, flood fills, no incremental state, nothing shared
//! with the engine but the names of its results. Slow and obvious on purpose; the engine must agree with it.

use engine::havannah::{Board, BoardSize, Cell, Outcome, WinKind};
use engine::rng::Rng;
use engine::side::Side;

/// A cell as p + q + r = 0, none further from 0 than the radius.
pub(crate) type Cube = [i32; 3];

/// The six steps to a neighbour, clockwise.
pub(crate) const STEPS: [Cube; 6] = [[-1, 1, 0], [0, 1, -1], [1, 0, -1], [1, -1, 0], [0, -1, 1], [-1, 0, 1]];

/// A hexagon of cells and everything about them that never changes.
pub(crate) struct Hexagon {
    pub(crate) size: BoardSize,
    /// Distance from the centre to a corner.
    pub(crate) radius: i32,
    /// Row by row from `a`, ascending inside a row.
    pub(crate) cells: Vec<Cube>,
    pub(crate) neighbours: Vec<Vec<usize>>,
    /// Which corner a cell is.
    pub(crate) corner: Vec<Option<usize>>,
    /// Which side a cell lies on; corners lie on none.
    pub(crate) side: Vec<Option<usize>>,
}

impl Hexagon {
    pub(crate) fn new(size: BoardSize) -> Self {
        let radius = i32::from(size.get()) - 1;
        let mut cells = Vec::new();
        for q in (-radius..=radius).rev() {
            for p in -radius..=radius {
                if (p + q).abs() <= radius {
                    cells.push([p, q, -p - q]);
                }
            }
        }
        let find = |cube: Cube| cells.iter().position(|&c| c == cube);
        let neighbours =
            cells.iter().map(|&c| STEPS.iter().filter_map(|&s| find(add(c, s))).collect()).collect();
        let corners = STEPS.map(|step| step.map(|axis| axis * radius));
        let corner: Vec<_> = cells.iter().map(|c| corners.iter().position(|corner| corner == c)).collect();
        let side = cells
            .iter()
            .zip(&corner)
            .map(|(c, corner)| {
                let extreme = |sign: i32| c.iter().position(|&axis| axis == sign * radius).map(|i| (i, sign));
                let (axis, sign) = corner.is_none().then(|| extreme(1).or_else(|| extreme(-1)))??;
                Some(2 * axis + usize::from(sign < 0))
            })
            .collect();
        Self { size, radius, cells, neighbours, corner, side }
    }

    pub(crate) fn all() -> Vec<Self> {
        BoardSize::all().map(Self::new).collect()
    }

    pub(crate) fn index(&self, cube: Cube) -> Option<usize> {
        self.cells.iter().position(|&c| c == cube)
    }

    /// Row from 0 and column from 0 of the board's written notation.
    fn row_column(&self, index: usize) -> (i32, i32) {
        let [p, q, _] = self.cells[index];
        (self.radius - q, p + self.radius)
    }

    /// The name with the number counted over the whole board.
    pub(crate) fn gui_name(&self, index: usize) -> String {
        let (row, column) = self.row_column(index);
        format!("{}{}", letter(row), column + 1)
    }

    /// The name with the number counted inside the row.
    pub(crate) fn grid_name(&self, index: usize) -> String {
        let (row, _) = self.row_column(index);
        let before = (0..index).filter(|&other| self.row_column(other).0 == row).count();
        format!("{}{}", letter(row), before + 1)
    }

    /// The engine's cell of the same index. That both mean the same place is for a test to say.
    pub(crate) fn engine_cell(&self, index: usize) -> Cell {
        self.size.iter_cells().nth(index).expect("as many cells as here")
    }

    /// Where each cell goes under each of the 12 symmetries: six rotations, each with and without a reflection.
    pub(crate) fn symmetries(&self) -> Vec<Vec<usize>> {
        let mut maps = Vec::new();
        for mirrored in [false, true] {
            for turns in 0..6 {
                let image = |&cube: &Cube| {
                    let [p, q, r] = cube;
                    let mut c = if mirrored { [q, p, r] } else { cube };
                    for _ in 0..turns {
                        c = [-c[2], -c[0], -c[1]];
                    }
                    self.index(c).expect("the hexagon is symmetric")
                };
                maps.push(self.cells.iter().map(image).collect());
            }
        }
        maps
    }
}

fn add(a: Cube, b: Cube) -> Cube {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

fn letter(row: i32) -> char {
    char::from(b'a' + u8::try_from(row).expect("a row"))
}

/// A position judged from scratch after every stone.
#[derive(Clone)]
pub(crate) struct SlowBoard<'a> {
    pub(crate) hexagon: &'a Hexagon,
    pub(crate) stones: Vec<Option<Side>>,
    pub(crate) outcome: Option<Outcome>,
}

impl<'a> SlowBoard<'a> {
    pub(crate) fn new(hexagon: &'a Hexagon) -> Self {
        Self { hexagon, stones: vec![None; hexagon.cells.len()], outcome: None }
    }

    pub(crate) fn plies(&self) -> usize {
        self.stones.iter().flatten().count()
    }

    pub(crate) fn to_move(&self) -> Side {
        if self.plies().is_multiple_of(2) { Side::White } else { Side::Black }
    }

    pub(crate) fn empty_cells(&self) -> Vec<usize> {
        (0..self.stones.len()).filter(|&i| self.stones[i].is_none()).collect()
    }

    pub(crate) fn play(&mut self, index: usize) {
        assert!(self.outcome.is_none() && self.stones[index].is_none());
        let winner = self.to_move();
        self.stones[index] = Some(winner);
        self.outcome = match self.shape_at(index) {
            Some(kind) => Some(Outcome::Win { winner, kind }),
            None if self.stones.iter().all(Option::is_some) => Some(Outcome::Draw),
            None => None,
        };
    }

    /// Every empty cell with which `side` would win at once.
    pub(crate) fn winning_cells(&self, side: Side) -> Vec<usize> {
        let mut trial = self.clone();
        let wins = |&cell: &usize| {
            trial.stones[cell] = Some(side);
            let won = trial.shape_at(cell).is_some();
            trial.stones[cell] = None;
            won
        };
        self.empty_cells().into_iter().filter(wins).collect()
    }

    /// What the group of the stone at `index` has completed, by the order fork, bridge, ring.
    pub(crate) fn shape_at(&self, index: usize) -> Option<WinKind> {
        let hexagon = self.hexagon;
        let owner = self.stones[index];
        let group = flood(hexagon, [index], |cell| self.stones[cell] == owner);
        let count = |mark: &[Option<usize>]| {
            let found: u32 =
                (0..group.len()).filter(|&i| group[i]).filter_map(|i| mark[i]).fold(0, |s, m| s | 1 << m);
            found.count_ones()
        };
        if count(&hexagon.side) >= 3 {
            return Some(WinKind::Fork);
        }
        if count(&hexagon.corner) >= 2 {
            return Some(WinKind::Bridge);
        }
        let stones = group.iter().filter(|&&own| own).count();
        if stones < 6 {
            return None;
        }
        // A ring has something inside: a cell of anybody cut off from the rim, or a stone of the group itself.
        let rim = (0..group.len()).filter(|&i| hexagon.neighbours[i].len() < 6 && !group[i]);
        let outside = flood(hexagon, rim, |cell| !group[cell]);
        let encircled = outside.iter().filter(|&&out| out).count() + stones < group.len();
        let filled = (0..group.len()).any(|i| {
            let around = &hexagon.neighbours[i];
            group[i] && around.len() == 6 && around.iter().all(|&n| group[n])
        });
        (encircled || filled).then_some(WinKind::Ring)
    }
}

/// Every cell reachable from `starts` over cells that pass.
fn flood(
    hexagon: &Hexagon,
    starts: impl IntoIterator<Item = usize>,
    pass: impl Fn(usize) -> bool,
) -> Vec<bool> {
    let mut seen = vec![false; hexagon.cells.len()];
    let mut stack = Vec::new();
    for start in starts {
        seen[start] = true;
        stack.push(start);
    }
    while let Some(cell) = stack.pop() {
        for &next in &hexagon.neighbours[cell] {
            if !seen[next] && pass(next) {
                seen[next] = true;
                stack.push(next);
            }
        }
    }
    seen
}

/// The same game on the engine's board and on the slow one.
pub(crate) struct Both<'a> {
    pub(crate) slow: SlowBoard<'a>,
    pub(crate) fast: Board,
}

impl<'a> Both<'a> {
    pub(crate) fn new(hexagon: &'a Hexagon) -> Self {
        Self { slow: SlowBoard::new(hexagon), fast: Board::new(hexagon.size) }
    }

    /// Plays on both and insists that they agree.
    pub(crate) fn play(&mut self, index: usize) -> Option<Outcome> {
        use engine::search::Game;
        let cell = self.slow.hexagon.engine_cell(index);
        self.slow.play(index);
        let returned = self.fast.play(cell).unwrap_or_else(|error| panic!("{error}: {}", self.describe()));
        assert_eq!(returned, self.slow.outcome, "{}", self.describe());
        assert_eq!(self.fast.outcome(), self.slow.outcome, "{}", self.describe());
        assert_eq!(self.fast.winner(), self.slow.outcome.map(Outcome::winner), "{}", self.describe());
        assert_eq!(self.fast.owner(cell), self.slow.stones[index]);
        assert_eq!(self.fast.plies(), self.slow.plies());
        assert_eq!(self.fast.to_move(), self.slow.to_move());
        returned
    }

    /// Insists that the engine sees exactly the immediate wins that trying every cell finds; returns them by side.
    pub(crate) fn winning_cells(&self) -> [Vec<usize>; 2] {
        use engine::search::{Game, WinningMoves};
        Side::BOTH.map(|side| {
            let cells = self.slow.winning_cells(side);
            let slot = |index: usize| u16::try_from(index).expect("a slot");
            let expected = match cells[..] {
                [] => WinningMoves::None,
                [only] => WinningMoves::One(slot(only)),
                [first, .., last] => WinningMoves::Several { first: slot(first), last: slot(last) },
            };
            assert_eq!(self.fast.winning_moves(side), expected, "{side}: {}", self.describe());
            cells
        })
    }

    /// The stones by side, for a failure to be replayed by hand.
    fn describe(&self) -> String {
        let names = |side| -> Vec<String> {
            let held = |&i: &usize| self.slow.stones[i] == Some(side);
            (0..self.slow.stones.len()).filter(held).map(|i| self.slow.hexagon.gui_name(i)).collect()
        };
        let (white, black) = (names(Side::White).join(" "), names(Side::Black).join(" "));
        format!("size {}, white {white}, black {black}", self.slow.hexagon.size)
    }
}

/// A random element of a list that has one.
pub(crate) fn pick<T: Copy>(rng: &mut Rng, from: &[T]) -> T {
    from[rng.below(u32::try_from(from.len()).expect("short")) as usize]
}
