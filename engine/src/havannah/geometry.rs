//! The padded board: where cells are in memory, which borders they touch, and what the stones around a cell mean.
//!
//! A board of size n is stored in rows of `stride` = 2n bytes, with one byte of padding between rows and a padding row
//! above and below. So the six neighbours of every cell are at constant offsets, and none is out of range.

use super::cell::{BoardSize, Cell};
use super::cliques::cliques;
use std::sync::LazyLock;

/// Entries of a padded board of the largest size, with room for reads past its end.
pub(crate) const PADDED: usize = (20_usize * 21 + 4).next_multiple_of(8);
/// Cells of the largest board.
pub(crate) const CELLS: usize = BoardSize::MAX.cells();

/// The bit in a neighbour pattern that is set if the cell itself has an own stone.
pub(crate) const OWN: u8 = 1 << 6;
/// The pattern in which all six neighbours are own.
pub(crate) const SURROUNDED: u8 = (1 << 6) - 1;

/// Offsets of the six neighbours for a stride, clockwise from (−1, −1).
pub(crate) const fn directions(stride: usize) -> [isize; 6] {
    let w = stride as isize;
    [-w - 1, -w, 1, w + 1, w, -1]
}

/// What the own stones around an empty cell, as a six-bit pattern, mean for a stone that is put there.
#[derive(Clone, Copy)]
#[repr(align(8))]
pub(crate) struct Around {
    /// Offset of one stone in each of up to three arcs (maximal runs of own stones). With fewer arcs, the first is
    /// repeated. Without any arc, the offsets are 0, the cell itself.
    pub(crate) arc: [i8; 3],
    /// Offset of one of the centres. Without any centre it is 0, the cell itself.
    centre: i8,
    /// Directions of stones between two own stones. Each is the centre of a seven-stone blob if all other cells around
    /// it are own.
    pub(crate) centres: u8,
    /// The bit that the stone adds to the pattern of `centre`, and the two bits of a pattern that are no neighbours. 0
    /// without a centre.
    brings: u8,
    /// [`RARE`] with three arcs or several centres, otherwise 0 with two arcs and [`APART`] with fewer.
    kind: u16,
}

/// Three arcs or several centres.
const RARE: u16 = 1;
/// Fewer than two arcs. No root has this bit, so [`Around::two_meet`] finds no two roots equal.
const APART: u16 = 1 << 15;

impl Around {
    /// Whether there are two arcs or more. Only then can the stone join a group to itself.
    #[inline(always)]
    pub(crate) fn several(&self) -> bool {
        self.arc[1] != self.arc[0]
    }

    /// Whether there is a third arc or a second centre. These rare cases have code of their own.
    #[inline(always)]
    pub(crate) fn rare(&self) -> bool {
        self.kind & RARE != 0
    }

    /// Whether there are two arcs that belong to one group, given the roots of their groups. Not valid in rare cases.
    #[inline(always)]
    pub(crate) fn two_meet(&self, first: u16, second: u16) -> bool {
        second ^ self.kind == first
    }

    /// Offset of the centre; 0, the cell itself, without one.
    #[inline(always)]
    pub(crate) fn centre(&self) -> isize {
        isize::from(self.centre)
    }

    /// Whether a stone fills a blob around the centre, given the `pattern` of the centre before the stone is put. Not
    /// valid in rare cases.
    #[inline(always)]
    pub(crate) fn fills(&self, pattern: u8) -> bool {
        pattern | self.brings == u8::MAX
    }

    /// Whether a stone closes a ring because two arcs belong to one group, given the roots of the arcs' groups.
    #[inline(always)]
    pub(crate) fn meets<Root: Copy + Eq>(&self, [first, second, third]: [Root; 3]) -> bool {
        // With one or two arcs, the third offset repeats the first.
        let distinct = self.arc[2] != self.arc[0];
        (self.several() & (first == second)) | (distinct & ((third == first) | (third == second)))
    }
}

/// The table of [`Around`] for every pattern.
pub(crate) const fn around(stride: usize) -> [Around; 64] {
    let dirs = directions(stride);
    let mut table = [Around { arc: [0; 3], centre: 0, centres: 0, brings: 0, kind: APART }; 64];
    let mut pattern = 1;
    while pattern < 64 {
        let mut arcs = 0;
        let mut arc = [0; 3];
        let mut centres = 0_u8;
        let mut centre = 0;
        let mut brings = 0;
        let mut d = 0;
        while d < 6 {
            let own = pattern >> d & 1 == 1;
            let before = pattern >> ((d + 5) % 6) & 1 == 1;
            let after = pattern >> ((d + 1) % 6) & 1 == 1;
            if own && !before {
                arc[arcs] = dirs[d] as i8;
                arcs += 1;
            }
            if own && before && after {
                centres |= 1 << d;
                centre = dirs[d] as i8;
                brings = !SURROUNDED | 1 << ((d + 3) % 6);
            }
            d += 1;
        }
        if pattern == 63 {
            arc[0] = dirs[0] as i8;
            arcs = 1;
        }
        if arcs < 2 {
            arc[1] = arc[0];
        }
        if arcs < 3 {
            arc[2] = arc[0];
        }
        let kind = match arcs {
            _ if arcs == 3 || centres.count_ones() > 1 => RARE,
            2 => 0,
            _ => APART,
        };
        table[pattern as usize] = Around { arc, centre, centres, brings, kind };
        pattern += 1;
    }
    table
}

/// Whether a group with these marks has won. The lower six bits are corners, the upper six are sides.
// A constant rather than a static, because code needs no load to find its address.
pub(crate) const WINNING_MARKS: &[bool; 4096] = {
    let mut table = [false; 4096];
    let mut marks = 0;
    while marks < 4096 {
        let corners = (marks & 63_usize).count_ones();
        let sides = (marks >> 6).count_ones();
        table[marks] = corners >= 2 || sides >= 3;
        marks += 1;
    }
    &{ table }
};

/// The number of entries that a padded array uses on a board with this stride.
pub(crate) const fn padded(stride: usize) -> usize {
    stride * (stride + 1) + 4
}

/// The number of cells of the board with this stride.
pub(crate) const fn cells(stride: usize) -> usize {
    match BoardSize::new((stride / 2) as u8) {
        Ok(size) => size.cells(),
        Err(_) => panic!("no board has that stride"),
    }
}

/// The number of cliques of the board with stride `W`. A side can begin at most as many groups; see
/// [`cliques`](super::cliques).
pub(crate) const fn numbers<const W: usize>() -> usize {
    cells(W).div_ceil(3)
}

/// The constant tables of a board size.
pub(crate) struct Geometry {
    pub(crate) size: BoardSize,
    /// Bytes from one row to the next.
    pub(crate) stride: usize,
    /// The number of entries that a padded array uses.
    pub(crate) padded: usize,
    /// By cell: its place in a padded array.
    pub(crate) place: Vec<u16>,
    /// By place: its cell. Meaningless for padding.
    pub(crate) cell: Vec<u16>,
    /// By place: corner and side marks.
    pub(crate) marks: Vec<u16>,
    /// By place: all bits set if the place is a cell.
    pub(crate) inside: Vec<u8>,
    /// By place: all bits set if the place has marks.
    pub(crate) border: Vec<u8>,
    /// By on-board place: the directions that lead off the board, as six bits.
    pub(crate) outside: Vec<u8>,
    /// By on-board place: the directions that lead to a corner or side cell, as six bits.
    pub(crate) borders: Vec<u8>,
    /// By place: the number of the clique; see [`cliques`].
    pub(crate) clique: Vec<u8>,
    /// By cell: the cells around it.
    pub(crate) near: Vec<Near>,
}

/// The cells around a cell; [`OFF_BOARD`] where the board ends.
#[derive(Clone, Copy)]
pub(crate) struct Near {
    /// The six neighbours, clockwise.
    pub(crate) adjacent: [u16; 6],
    /// The cells that form a two-bridge with the cell: at distance 2 with two common neighbours.
    pub(crate) bridges: [u16; 6],
    /// The cells at distance 2 with one common neighbour.
    pub(crate) straight: [u16; 6],
}

/// The value that stands for no cell.
pub(crate) const OFF_BOARD: u16 = u16::MAX;

const ADJACENT: [(i32, i32); 6] = [(-1, -1), (0, -1), (1, 0), (1, 1), (0, 1), (-1, 0)];
const BRIDGES: [(i32, i32); 6] = [(-1, -2), (1, -1), (2, 1), (1, 2), (-1, 1), (-2, -1)];

impl Geometry {
    fn new(size: BoardSize) -> Self {
        let stride = 2 * usize::from(size.get());
        let padded = padded(stride);
        let mut geometry = Self {
            size,
            stride,
            padded,
            place: vec![0; size.cells()],
            cell: vec![0; padded],
            marks: vec![0; padded],
            inside: vec![0; padded],
            border: vec![0; padded],
            outside: vec![0; padded],
            borders: vec![0; padded],
            clique: vec![0; padded],
            near: Vec::with_capacity(size.cells()),
        };
        let cliques = cliques(size);
        for cell in size.iter_cells() {
            let (x, y) = size.position(cell);
            let place = (y as usize + 1) * stride + x as usize + 1;
            geometry.place[cell.index()] = place as u16;
            geometry.cell[place] = cell.0;
            geometry.clique[place] = cliques[cell.index()];
            geometry.marks[place] = border_marks(size, x, y);
            geometry.inside[place] = u8::MAX;
            geometry.border[place] = if geometry.marks[place] == 0 { 0 } else { u8::MAX };
            let at = |(dx, dy): (i32, i32)| size.cell_at(x + dx, y + dy).map_or(OFF_BOARD, |cell| cell.0);
            let adjacent = ADJACENT.map(at);
            geometry.outside[place] =
                (0..6).filter(|&d| adjacent[d] == OFF_BOARD).fold(0, |mask, d| mask | 1 << d);
            geometry.borders[place] = (0..6)
                .filter(|&d| size.cell_at(x + ADJACENT[d].0, y + ADJACENT[d].1).is_some())
                .filter(|&d| border_marks(size, x + ADJACENT[d].0, y + ADJACENT[d].1) != 0)
                .fold(0, |mask, d| mask | 1 << d);
            geometry.near.push(Near {
                adjacent,
                bridges: BRIDGES.map(at),
                straight: ADJACENT.map(|(dx, dy)| at((2 * dx, 2 * dy))),
            });
        }
        geometry
    }

    /// The geometry of a size. All geometries are built once.
    pub(crate) fn of(size: BoardSize) -> &'static Self {
        static ALL: LazyLock<Vec<Geometry>> = LazyLock::new(|| BoardSize::all().map(Geometry::new).collect());
        &ALL[usize::from(size.get() - BoardSize::MIN.get())]
    }

    /// The cell at a place of a padded array.
    #[inline(always)]
    pub(crate) fn cell_at(&self, place: u16) -> Cell {
        Cell(self.cell[usize::from(place)])
    }
}

/// The marks of the cell at column x, row y: bits 0 to 5 for corners, bits 6 to 11 for sides. Corners belong to no
/// side.
fn border_marks(size: BoardSize, x: i32, y: i32) -> u16 {
    let m = i32::from(size.get()) - 1;
    let e = 2 * m;
    let corners = [(0, 0), (m, 0), (e, m), (e, e), (m, e), (0, m)];
    if let Some(corner) = corners.iter().position(|&at| at == (x, y)) {
        return 1 << corner;
    }
    let sides = [y == 0, x - y == m, x == e, y == e, y - x == m, x == 0];
    sides.iter().position(|&on| on).map_or(0, |side| 1 << (6 + side))
}

/// Runs `$body` with the constant `$W` equal to the stride of a board.
macro_rules! with_stride {
    ($stride:expr, $W:ident => $body:expr) => {
        match $stride {
            6 => {
                const $W: usize = 6;
                $body
            }
            8 => {
                const $W: usize = 8;
                $body
            }
            10 => {
                const $W: usize = 10;
                $body
            }
            12 => {
                const $W: usize = 12;
                $body
            }
            14 => {
                const $W: usize = 14;
                $body
            }
            16 => {
                const $W: usize = 16;
                $body
            }
            18 => {
                const $W: usize = 18;
                $body
            }
            _ => {
                const $W: usize = 20;
                $body
            }
        }
    };
}
pub(crate) use with_stride;
