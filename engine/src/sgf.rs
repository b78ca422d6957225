//! Game files: SGF as Havannah players use it (`.sgf`, `.hgf`). Reading and writing keep variations, comments and unknown
//! properties.
//!
//! | | numbering of cells | case | RE names |
//! | --- | --- | --- | --- |
//! | [`Dialect::Own`] | HavannahGui's, said by `NUMBERING[gui]` | lower | the winner |
//! | [`Dialect::Grid`] | castro's grid, said by `NUMBERING[grid]` | lower | the winner |
//! | [`Dialect::LittleGolem`], known by `RU[LG]` | grid | upper | the loser |
//!
//! The tags `W` and `B` name players: after a swap the first stone belongs to Black, and White moves next.

mod collection;
mod encoding;
mod error;
mod read;
mod syntax;

pub use collection::Collection;
pub use encoding::decode;
pub use error::{Place, SgfError, SgfProblem};
pub use syntax::Property;

use crate::havannah::{BoardSize, Cell, Notation};
use crate::side::Side;

/// The way in which a file names cells and results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Dialect {
    /// This program's own: GUI numbering, named in the file.
    #[default]
    Own,
    /// Grid numbering, named in the file.
    Grid,
    /// The archive of Little Golem: grid numbering in upper case, and RE names the side that lost.
    LittleGolem,
}

impl Dialect {
    /// The numbering of cells.
    #[must_use]
    pub const fn notation(self) -> Notation {
        match self {
            Dialect::Own => Notation::Gui,
            Dialect::Grid | Dialect::LittleGolem => Notation::Grid,
        }
    }
}

/// A move of a game file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Move {
    /// A stone.
    Stone(Cell),
    /// Black takes over White's first stone instead of placing one.
    Swap,
    /// The end of the game.
    Resign,
}

/// A node after the first: usually a move.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Node {
    /// The player, by the tag, and the move. Nodes that contain only remarks have no move.
    pub turn: Option<(Side, Move)>,
    /// All other properties, such as the comment `C`.
    pub remarks: Vec<Property>,
}

/// A sequence of nodes and the variations that continue it, the main line first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Line {
    /// The nodes in order.
    pub nodes: Vec<Node>,
    /// The lines that continue this one.
    pub variations: Vec<Line>,
}

/// The winner according to RE, by the tags of the moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// A side won.
    Win(Side),
    /// A draw.
    Draw,
}

/// A valid game file: legal moves of alternating players on a board of known size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameFile {
    size: BoardSize,
    header: Vec<Property>,
    /// The moves.
    pub line: Line,
}

impl GameFile {
    /// An empty game.
    #[must_use]
    pub fn new(size: BoardSize) -> Self {
        let mut file = Self { size, header: Vec::new(), line: Line::default() };
        file.set("FF", "4");
        file.set("CA", "UTF-8");
        file.set("SZ", &size.to_string());
        file
    }

    /// Reads the first game of a text in the numbering that the game names, or in `otherwise` if it names none.
    ///
    /// # Errors
    /// Names the place of the first violation of the file format, the board or the rules, and what was expected there.
    pub fn read(text: &str, otherwise: Notation) -> Result<Self, SgfError> {
        Collection::read(text.as_bytes())?.game(1, otherwise)
    }

    /// The board's size.
    #[must_use]
    pub fn size(&self) -> BoardSize {
        self.size
    }

    /// The properties of the first node. RE names the winner, whatever the dialect of the file.
    #[must_use]
    pub fn header(&self) -> &[Property] {
        &self.header
    }

    /// The first value of a property of the first node, such as the player `PW`.
    #[must_use]
    pub fn info(&self, name: &str) -> Option<&str> {
        self.header.iter().find(|property| property.name() == name).map(Property::value)
    }

    /// Sets a property of the first node, except the board's size and moves. The name must be upper-case letters. Other
    /// properties are ignored.
    pub fn set_info(&mut self, name: &str, value: &str) {
        if !matches!(name, "SZ" | "W" | "B") && !is_setup(name) && name != NUMBERING {
            self.set(name, value);
        }
    }

    fn set(&mut self, name: &str, value: &str) {
        let Some(property) = Property::new(name, value) else { return };
        match self.header.iter_mut().find(|property| property.name() == name) {
            Some(old) => *old = property,
            None => self.header.push(property),
        }
    }

    /// The winner, if the file names one.
    #[must_use]
    pub fn verdict(&self) -> Option<Verdict> {
        let value = self.info("RE")?;
        match value.chars().next()? {
            'W' if names_side(value) => Some(Verdict::Win(Side::White)),
            'B' if names_side(value) => Some(Verdict::Win(Side::Black)),
            '0' if value == "0" => Some(Verdict::Draw),
            'D' if value == "Draw" => Some(Verdict::Draw),
            _ => None,
        }
    }

    /// The moves of the main line.
    pub fn main_line(&self) -> impl Iterator<Item = (Side, Move)> + '_ {
        std::iter::successors(Some(&self.line), |line| line.variations.first())
            .flat_map(|line| &line.nodes)
            .filter_map(|node| node.turn)
    }

    /// The text of the file.
    #[must_use]
    pub fn write(&self, dialect: Dialect) -> String {
        let archive = dialect == Dialect::LittleGolem;
        let mut text = String::from("(;");
        for property in &self.header {
            if archive && property.name() == "RE" {
                property.with_value(inverted(property.value())).write(&mut text);
            } else {
                property.write(&mut text);
            }
            if property.name() == "SZ" && !archive {
                let word = if dialect == Dialect::Own { "gui" } else { "grid" };
                Property::new(NUMBERING, word).expect("upper case").write(&mut text);
            }
        }
        if archive && !is_archive(&self.header) {
            Property::new("RU", "LG").expect("upper case").write(&mut text);
        }
        self.write_line(&self.line, dialect, 0, &mut text);
        text.push(')');
        if !archive {
            text.push('\n');
        }
        text
    }

    fn write_line(&self, line: &Line, dialect: Dialect, depth: usize, to: &mut String) {
        for node in &line.nodes {
            to.push(';');
            if let Some((side, turn)) = node.turn {
                let tag = if side == Side::White { "W" } else { "B" };
                let value = match turn {
                    Move::Swap => "swap".to_owned(),
                    Move::Resign => "resign".to_owned(),
                    Move::Stone(cell) => {
                        let name = dialect.notation().write(self.size, cell);
                        if dialect == Dialect::LittleGolem { name.to_ascii_uppercase() } else { name }
                    }
                };
                Property::new(tag, value).expect("upper case").write(to);
            }
            node.remarks.iter().for_each(|property| property.write(to));
        }
        for variation in &line.variations {
            to.push('\n');
            to.extend(std::iter::repeat_n(' ', depth.min(40) + 1));
            to.push('(');
            self.write_line(variation, dialect, depth + 1, to);
            to.push(')');
        }
    }
}

/// The property that names the numbering of cells.
const NUMBERING: &str = "NUMBERING";

/// Whether a header is from Little Golem.
fn is_archive(header: &[Property]) -> bool {
    header.iter().any(|property| property.name() == "RU" && property.value() == "LG")
}

/// Whether a property sets up stones.
fn is_setup(name: &str) -> bool {
    matches!(name, "AB" | "AW" | "AE" | "PL")
}

/// Whether a value of RE begins with a side's letter and not a word.
fn names_side(value: &str) -> bool {
    matches!(value.as_bytes(), [b'W' | b'B'] | [b'W' | b'B', b'+', ..])
}

/// A value of RE with the sides exchanged.
fn inverted(value: &str) -> String {
    match value.split_at_checked(1) {
        Some(("W", rest)) if names_side(value) => format!("B{rest}"),
        Some(("B", rest)) if names_side(value) => format!("W{rest}"),
        _ => value.to_owned(),
    }
}
