//! The board as text.

use super::game::Play;
use crate::havannah::Notation;
use crate::sgf::Move;
use crate::side::Side;

/// Draws the position, one row a line, with the numbers of `notation`: in GUI numbering above the cells that begin a
/// slanted column, in grid numbering the row's last number at its end.
pub(super) fn draw(play: &Play, notation: Notation, colours: bool) -> String {
    let (board, size) = (play.board(), play.size());
    let n = usize::from(size.get());
    let mut text = String::new();
    if notation == Notation::Gui {
        text.push_str(&format!("\n{}", " ".repeat(n + 3)));
        (1..=n).for_each(|number| text.push_str(&format!("{number:<2}")));
        text.truncate(text.trim_end().len());
    }
    let last = match play.turns().last() {
        Some(Move::Stone(cell)) => Some(*cell),
        _ => None,
    };
    for y in 0..size.diameter() {
        let indent = n.abs_diff(y + 1);
        text.push_str(&format!("\n{}{}", " ".repeat(indent + 1), (b'a' + y as u8) as char));
        for cell in (0..size.diameter()).filter_map(|x| size.cell_at(x as i32, y as i32)) {
            text.push(' ');
            let letter = board
                .owner(cell)
                .map_or('.', |side| if play.player(side) == Side::White { 'W' } else { 'B' });
            match letter {
                'W' | 'B' if colours => {
                    let colour = if letter == 'W' { 36 } else { 35 };
                    let weight = if last == Some(cell) { "1;" } else { "" };
                    text.push_str(&format!("\x1b[{weight}{colour}m{letter}\x1b[0m"));
                }
                _ => text.push(letter),
            }
        }
        match notation {
            Notation::Gui if y + 1 < n => text.push_str(&format!(" {}", n + y + 1)),
            Notation::Gui => {}
            Notation::Grid => text.push_str(&format!("  {}", 2 * n - 1 - indent)),
        }
    }
    let status = match play.ending() {
        Some(ending) => format!("over: {ending}"),
        None => format!("{} to move", play.to_move()),
    };
    format!("{text}\n{status}")
}
