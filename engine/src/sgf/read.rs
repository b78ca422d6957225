//! The meaning of a file's nodes: a board and legal moves.

use super::error::{Place, SgfError, SgfProblem};
use super::syntax::{self, PlacedProperty, RawNode, RawTree, is_move};
use super::{GameFile, Line, Move, NUMBERING, Node, is_archive, is_setup};
use crate::havannah::{Board, BoardSize, Cell, Notation, PlayError};
use crate::side::Side;
use crate::spelling::excerpt;

pub(super) fn read(mut tree: RawTree, otherwise: Notation) -> Result<GameFile, SgfError> {
    let place = tree.place;
    let first = tree.nodes.remove(0);
    let (size, numbering, header) = read_header(first, place)?;
    let mut file = GameFile { size, header, line: Line::default() };
    let archive = numbering.is_none() && is_archive(&file.header);
    if archive && let Some(result) = file.info("RE") {
        file.set("RE", &super::inverted(result));
    }
    let notation = numbering.unwrap_or(if archive { Notation::Grid } else { otherwise });
    let mut referee =
        Referee { notation, board: Board::new(size), played: Vec::new(), swapped: false, resigned: false };
    file.line = referee.line(tree)?;
    Ok(file)
}

type Header = (BoardSize, Option<Notation>, Vec<syntax::Property>);

fn read_header(node: RawNode, place: Place) -> Result<Header, SgfError> {
    let (mut size, mut numbering, mut header) = (None, None, Vec::new());
    for PlacedProperty { property, place, value_place } in node.properties {
        let value = property.value().trim();
        match property.name() {
            "SZ" => {
                let number: u8 = value.parse().map_err(|_| SgfError {
                    place: value_place,
                    problem: SgfProblem::SizeNotANumber(excerpt(value)),
                })?;
                let read = BoardSize::new(number)
                    .map_err(|error| SgfError { place: value_place, problem: error.into() })?;
                if size.replace(read).is_none() {
                    header.push(property.with_value(read.to_string()));
                }
            }
            NUMBERING => {
                numbering = Some(match value {
                    "gui" => Notation::Gui,
                    "grid" => Notation::Grid,
                    _ => {
                        let problem = SgfProblem::Numbering(excerpt(value));
                        return Err(SgfError { place: value_place, problem });
                    }
                });
            }
            name if is_setup(name) => {
                return Err(SgfError { place, problem: SgfProblem::Setup(name.to_owned()) });
            }
            // The text was decoded, and a file that is written from it is UTF-8.
            "CA" => header.push(property.with_value("UTF-8".to_owned())),
            _ => header.push(property),
        }
    }
    let size = size.ok_or(SgfError { place, problem: SgfProblem::NoSize })?;
    Ok((size, numbering, header))
}

/// Plays the moves of a file while it is read.
struct Referee {
    notation: Notation,
    board: Board,
    /// Stones on the board, in order.
    played: Vec<Cell>,
    swapped: bool,
    resigned: bool,
}

impl Referee {
    fn line(&mut self, tree: RawTree) -> Result<Line, SgfError> {
        let nodes = tree.nodes.into_iter().map(|node| self.node(node)).collect::<Result<_, _>>()?;
        let (stones, swapped, resigned) = (self.played.len(), self.swapped, self.resigned);
        let mut variations = Vec::with_capacity(tree.variations.len());
        for (i, variation) in tree.variations.into_iter().enumerate() {
            if i > 0 {
                self.take_back_to(stones);
                (self.swapped, self.resigned) = (swapped, resigned);
            }
            variations.push(self.line(variation)?);
        }
        Ok(Line { nodes, variations })
    }

    /// Not inlined, because every frame of the recursion would then contain a board.
    #[inline(never)]
    fn take_back_to(&mut self, stones: usize) {
        self.played.truncate(stones);
        self.board = Board::after(self.board.size(), &self.played).expect("these moves were played before");
    }

    fn node(&mut self, raw: RawNode) -> Result<Node, SgfError> {
        let mut node = Node::default();
        for PlacedProperty { property, place, value_place } in raw.properties {
            let name = property.name();
            if is_move(&property) {
                let side = if name == "W" { Side::White } else { Side::Black };
                let (place, turn) = self.turn(side, property.value().trim(), place, value_place)?;
                self.play(side, turn).map_err(|problem| SgfError { place, problem })?;
                node.turn = Some((side, turn));
            } else if is_setup(name) {
                return Err(SgfError { place, problem: SgfProblem::Setup(name.to_owned()) });
            } else if matches!(name, "SZ" | NUMBERING) {
                return Err(SgfError { place, problem: SgfProblem::Misplaced(name.to_owned()) });
            } else {
                node.remarks.push(property);
            }
        }
        Ok(node)
    }

    /// Reads a move, and the place for an error if the move is illegal.
    fn turn(&self, side: Side, value: &str, tag: Place, text: Place) -> Result<(Place, Move), SgfError> {
        if value.eq_ignore_ascii_case("resign") {
            return Ok((tag, Move::Resign));
        }
        if side != self.to_move() {
            return Err(SgfError { place: tag, problem: SgfProblem::Turn(self.to_move()) });
        }
        if value.eq_ignore_ascii_case("swap") {
            return Ok((text, Move::Swap));
        }
        let size = self.board.size();
        let cell = self.notation.read(size, value).map_err(|error| {
            let other = if self.notation == Notation::Gui { Notation::Grid } else { Notation::Gui };
            let other_fits = other.read(size, value).is_ok();
            SgfError { place: text, problem: SgfProblem::Cell { error, other_fits } }
        })?;
        Ok((text, Move::Stone(cell)))
    }

    /// The player to move, by tags.
    fn to_move(&self) -> Side {
        Side::to_move_after(self.played.len() + usize::from(self.swapped))
    }

    fn play(&mut self, side: Side, turn: Move) -> Result<(), SgfProblem> {
        if self.resigned {
            return Err(SgfProblem::AfterResignation);
        }
        match turn {
            Move::Stone(cell) => {
                self.board.play(cell).map_err(|error| match error {
                    PlayError::Over(_) => SgfProblem::Over,
                    _ => SgfProblem::Occupied(self.notation.write(self.board.size(), cell)),
                })?;
                self.played.push(cell);
            }
            Move::Swap if side == Side::Black && self.played.len() == 1 && !self.swapped => {
                self.swapped = true
            }
            Move::Swap => return Err(SgfProblem::Swap),
            Move::Resign if self.board.outcome().is_some() => return Err(SgfProblem::Over),
            Move::Resign => self.resigned = true,
        }
        Ok(())
    }
}
