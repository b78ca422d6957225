//! The board as text.

use super::game::Play;
use crate::havannah::{BoardSize, Cell, Notation};
use crate::sgf::Move;
use crate::side::Side;

/// Draws the position, one row per line.
pub(super) fn draw(play: &Play, notation: Notation, colours: bool) -> String {
    let last = match play.turns().last() {
        Some(Move::Stone(cell)) => Some(*cell),
        _ => None,
    };
    let text = rows(play.size(), notation, 2, |cell| match stone(play, cell) {
        None => " .".into(),
        Some(letter) if colours => {
            let colour = if letter == 'W' { 36 } else { 35 };
            let weight = if last == Some(cell) { "1;" } else { "" };
            format!(" \x1b[{weight}{colour}m{letter}\x1b[0m")
        }
        Some(letter) => format!(" {letter}"),
    });
    let status = match play.ending() {
        Some(ending) => format!("over: {ending}"),
        None => format!("{} to move", play.to_move()),
    };
    format!("{text}\n{status}")
}

/// Draws stones, and numbers in the empty cells; `-` for numbers of more than two digits.
pub(super) fn draw_distances(play: &Play, notation: Notation, distance: impl Fn(Cell) -> u16) -> String {
    rows(play.size(), notation, 4, |cell| match (stone(play, cell), distance(cell)) {
        (Some(letter), _) => format!("{letter:>4}"),
        (None, number @ ..100) => format!("{number:>4}"),
        (None, _) => format!("{:>4}", '-'),
    })
}

/// Draws stones, and a text of at most five letters in the empty cells.
pub(super) fn draw_numbers(play: &Play, notation: Notation, number: impl Fn(Cell) -> String) -> String {
    rows(play.size(), notation, 6, |cell| match stone(play, cell) {
        Some(letter) => format!("{letter:>6}"),
        None => format!("{:>6.5}", number(cell)),
    })
}

/// The letter of the player whose stone is on a cell.
fn stone(play: &Play, cell: Cell) -> Option<char> {
    let side = play.board().owner(cell)?;
    Some(if play.player(side) == Side::White { 'W' } else { 'B' })
}

/// The rows of the board. `cell` draws a cell in `width` columns, an even number. In GUI numbering each number is above the
/// first cell of its slanted column; in grid numbering each row ends with its last number.
fn rows(size: BoardSize, notation: Notation, width: usize, cell: impl Fn(Cell) -> String) -> String {
    let n = usize::from(size.get());
    let indent = |y: usize| " ".repeat(n.abs_diff(y + 1) * width / 2 + 1);
    let mut text = String::new();
    if notation == Notation::Gui {
        text.push_str(&format!("\n{}{}", indent(0), " ".repeat(width + width / 2)));
        (1..=n).for_each(|number| text.push_str(&format!("{number:<width$}")));
        text.truncate(text.trim_end().len());
    }
    for y in 0..size.diameter() {
        text.push_str(&format!("\n{}{}", indent(y), (b'a' + y as u8) as char));
        for here in (0..size.diameter()).filter_map(|x| size.cell_at(x as i32, y as i32)) {
            text.push_str(&cell(here));
        }
        match notation {
            Notation::Gui if y + 1 < n => {
                text.push_str(&format!("{}{}", " ".repeat(width - 1), n + y + 1));
            }
            Notation::Gui => {}
            Notation::Grid => {
                text.push_str(&format!("{}{}", " ".repeat(width), 2 * n - 1 - n.abs_diff(y + 1)));
            }
        }
    }
    text
}
