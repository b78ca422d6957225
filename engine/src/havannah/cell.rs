//! Board sizes, cells and their names.

use crate::spelling::excerpt;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The number of cells on a side of the hexagon: 3 to 10.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct BoardSize(u8);

/// A board size outside 3 to 10.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("board size {0} is outside 3 to 10")]
pub struct BadBoardSize(pub u64);

impl BoardSize {
    /// The smallest board, 19 cells.
    pub const MIN: BoardSize = BoardSize(3);
    /// The largest board, 271 cells.
    pub const MAX: BoardSize = BoardSize(10);

    /// A board of `n` cells on a side.
    ///
    /// # Errors
    /// When `n` is outside 3 to 10.
    pub const fn new(n: u8) -> Result<Self, BadBoardSize> {
        if n >= 3 && n <= 10 { Ok(Self(n)) } else { Err(BadBoardSize(n as u64)) }
    }

    /// Every size, ascending.
    pub fn all() -> impl DoubleEndedIterator<Item = BoardSize> {
        (Self::MIN.0..=Self::MAX.0).map(BoardSize)
    }

    /// Sizes in words, such as `4, 5, 6`.
    pub fn list(sizes: impl IntoIterator<Item = BoardSize>) -> String {
        let words: Vec<String> = sizes.into_iter().map(|size| size.to_string()).collect();
        words.join(", ")
    }

    /// Cells on a side.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }

    /// The number of cells on the board: 3n² − 3n + 1.
    #[must_use]
    pub const fn cells(self) -> usize {
        let n = self.0 as usize;
        3 * n * n - 3 * n + 1
    }

    /// The number of rows of the board, and of cells in its longest row: 2n − 1.
    #[must_use]
    pub const fn diameter(self) -> usize {
        2 * self.0 as usize - 1
    }

    /// First and last column of row `y`. `y` must be below the diameter.
    const fn columns(self, y: usize) -> (usize, usize) {
        let n = self.0 as usize;
        let first = (y + 1).saturating_sub(n);
        let last = if y < n { y + n - 1 } else { 2 * n - 2 };
        (first, last)
    }

    /// The cell at row `y` and column `x`, both from 0, if it is on the board.
    #[must_use]
    pub fn cell_at(self, x: i32, y: i32) -> Option<Cell> {
        let diameter = self.diameter() as i32;
        if !(0..diameter).contains(&y) || !(0..diameter).contains(&x) {
            return None;
        }
        let (first, last) = self.columns(y as usize);
        let x = x as usize;
        (first..=last).contains(&x).then(|| Cell((self.row_start(y as usize) + x - first) as u16))
    }

    /// Index of the first cell of row `y`.
    fn row_start(self, y: usize) -> usize {
        (0..y).map(|row| self.columns(row).1 - self.columns(row).0 + 1).sum()
    }

    /// Column and row of `cell`, from 0.
    ///
    /// # Panics
    /// When the cell belongs to a larger board.
    #[must_use]
    pub fn position(self, cell: Cell) -> (i32, i32) {
        let mut rest = cell.index();
        for y in 0..self.diameter() {
            let (first, last) = self.columns(y);
            let len = last - first + 1;
            if rest < len {
                return ((first + rest) as i32, y as i32);
            }
            rest -= len;
        }
        panic!("cell {} is not on a board of size {}", cell.index(), self.0)
    }

    /// Every cell, row `a` first, then by ascending number. Legal moves have this order everywhere.
    pub fn iter_cells(self) -> impl DoubleEndedIterator<Item = Cell> + ExactSizeIterator {
        (0..self.cells() as u16).map(Cell)
    }
}

/// A text that is no board size.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` is no board size; there are 3 to 10")]
pub struct NoBoardSize(String);

impl std::str::FromStr for BoardSize {
    type Err = NoBoardSize;
    /// Only plain numbers: `04` and `+4` would be other names of the same size.
    fn from_str(text: &str) -> Result<Self, NoBoardSize> {
        Self::all().find(|size| size.to_string() == text).ok_or_else(|| NoBoardSize(excerpt(text)))
    }
}

impl TryFrom<u8> for BoardSize {
    type Error = BadBoardSize;
    fn try_from(n: u8) -> Result<Self, BadBoardSize> {
        Self::new(n)
    }
}

impl From<BoardSize> for u8 {
    fn from(size: BoardSize) -> u8 {
        size.0
    }
}

impl std::fmt::Display for BoardSize {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// A cell, as its index in row-major order. The index identifies a cell only together with a [`BoardSize`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(pub(crate) u16);

impl Cell {
    /// Row-major index, from 0.
    #[inline(always)]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// How cells are written. In both notations a letter names the row and a number the cell in the row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Notation {
    /// The notation of HavannahGui and the thesis, and the default here. The number is the column of the whole board:
    /// row `g` of size 4 is `g4`…`g7`.
    #[default]
    Gui,
    /// The notation of Castro's grid and the Little Golem archive. The numbers of every row start at 1: row `g` of size
    /// 4 is `g1`…`g4`.
    Grid,
}

/// Text that names no cell of the board.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{text}` is no cell of a board of size {size}{}", hint(*.notation, *.size, .text))]
pub struct ParseCellError {
    /// The text.
    pub text: String,
    /// The board's size.
    pub size: BoardSize,
    /// The notation of the text.
    pub notation: Notation,
}

/// Tells which cells the row has, if the text names a row.
fn hint(notation: Notation, size: BoardSize, text: &str) -> String {
    let Some(letter) = text.chars().next().filter(char::is_ascii_alphabetic) else {
        return "; cells are written letter, number, such as `d4`".into();
    };
    let letter = letter.to_ascii_lowercase();
    let y = (letter as u8 - b'a') as usize;
    if y >= size.diameter() {
        let last = (b'a' + size.diameter() as u8 - 1) as char;
        return format!("; its rows are `a` to `{last}`");
    }
    let before = notation.columns_before_one(size, y);
    let (first, last) = size.columns(y);
    format!("; row `{letter}` has {letter}{} to {letter}{}", first - before + 1, last - before + 1)
}

impl Notation {
    /// The number of columns of the whole board before the cell numbered 1 in row `y`.
    const fn columns_before_one(self, size: BoardSize, y: usize) -> usize {
        match self {
            Notation::Gui => 0,
            Notation::Grid => size.columns(y).0,
        }
    }

    /// The name of `cell`, such as `d4`.
    #[must_use]
    pub fn write(self, size: BoardSize, cell: Cell) -> String {
        let (x, y) = size.position(cell);
        let before = self.columns_before_one(size, y as usize) as i32;
        format!("{}{}", (b'a' + y as u8) as char, x - before + 1)
    }

    /// The cell that `text` names, in upper or lower case.
    ///
    /// # Errors
    /// When the text names no cell of this board.
    pub fn read(self, size: BoardSize, text: &str) -> Result<Cell, ParseCellError> {
        let fail = || ParseCellError { text: excerpt(text), size, notation: self };
        let mut chars = text.chars();
        let letter = chars.next().filter(char::is_ascii_alphabetic).ok_or_else(fail)?;
        let digits = chars.as_str();
        // Each cell has one name only, so leading zeros are refused.
        if digits.is_empty()
            || digits.len() > 2
            || digits.starts_with('0')
            || !digits.bytes().all(|b| b.is_ascii_digit())
        {
            return Err(fail());
        }
        let number: i32 = digits.parse().map_err(|_| fail())?;
        let y = i32::from(letter.to_ascii_lowercase() as u8 - b'a');
        if y as usize >= size.diameter() {
            return Err(fail());
        }
        let before = self.columns_before_one(size, y as usize) as i32;
        size.cell_at(before + number - 1, y).ok_or_else(fail)
    }

    /// Reads a list of cells that are separated by white space.
    ///
    /// # Errors
    /// On the first word that names no cell.
    pub fn read_list(self, size: BoardSize, text: &str) -> Result<Vec<Cell>, ParseCellError> {
        text.split_whitespace().map(|word| self.read(size, word)).collect()
    }

    /// Writes a list of cells separated by single spaces.
    #[must_use]
    pub fn write_list(self, size: BoardSize, cells: &[Cell]) -> String {
        let names: Vec<String> = cells.iter().map(|&cell| self.write(size, cell)).collect();
        names.join(" ")
    }
}
