//! Commands about the game: setting it up, taking turns, looking at it.

use super::commands::Reply;
use super::game::{Ending, Play, TurnError};
use super::refusal::{Refusal, excerpt, whole};
use super::thinking::decimals;
use super::{Session, picture};
use crate::havannah::{BoardSize, Notation};
use crate::policy;
use crate::sgf::{Dialect, GameFile, Move, Node};
use crate::side::Side;

/// What the player makes of all points of a move, as `knowledge` calls it.
const VALUE: &str = "value";

/// Reads a colour.
pub(super) fn colour(text: &str) -> Result<Side, Refusal> {
    match text.to_ascii_lowercase().as_str() {
        "white" | "w" => Ok(Side::White),
        "black" | "b" => Ok(Side::Black),
        _ => Err(Refusal::Colour(excerpt(text))),
    }
}

impl Session {
    /// A word for a move in the numbering of the session.
    pub(super) fn write_move(&self, turn: Move) -> String {
        match turn {
            Move::Stone(cell) => self.notation.write(self.play.size(), cell),
            Move::Swap => "swap".into(),
            Move::Resign => "resign".into(),
        }
    }

    fn read_move(&self, word: &str) -> Result<Move, Refusal> {
        if word.eq_ignore_ascii_case("swap") {
            Ok(Move::Swap)
        } else if word.eq_ignore_ascii_case("resign") {
            Ok(Move::Resign)
        } else {
            self.notation.read(self.play.size(), word).map(Move::Stone).map_err(Refusal::Move)
        }
    }

    /// Takes a turn of the player to move, and lets the search follow.
    pub(super) fn take(&mut self, turn: Move) -> Result<(), Refusal> {
        if turn == Move::Swap && !self.may_swap && self.play.is_time_to_swap() {
            return Err(TurnError::SwapIsOff.into());
        }
        self.play.take(turn)?;
        match (turn, &mut self.search) {
            // The search knows the board only, which a swap leaves alone.
            (Move::Swap, _) | (_, None) => {}
            (Move::Stone(cell), Some(search)) if self.play.ending().is_none() => search.advance(cell.0),
            _ => self.search = None,
        }
        Ok(())
    }

    fn take_as(&mut self, player: Side, word: &str) -> Reply {
        let turn = self.read_move(word)?;
        if let Some(ending) = self.play.ending() {
            return Err(TurnError::Over(ending).into());
        }
        if player != self.play.to_move() {
            return Err(TurnError::NotYourTurn(self.play.to_move()).into());
        }
        self.take(turn).map(|()| String::new())
    }

    fn begin(&mut self, play: Play) {
        self.play = play;
        self.search = None;
        self.clock.restart();
    }

    pub(super) fn boardsize(&mut self, arguments: &[&str]) -> Reply {
        let &[text] = arguments else { return Err(Refusal::Arguments) };
        let number: u8 = text.parse().map_err(|_| {
            let sizes = BoardSize::MIN.get()..=BoardSize::MAX.get();
            Refusal::whole("board size", text, &sizes, "")
        })?;
        self.begin(Play::new(BoardSize::new(number)?));
        Ok(String::new())
    }

    pub(super) fn clear_board(&mut self, arguments: &[&str]) -> Reply {
        let [] = arguments else { return Err(Refusal::Arguments) };
        self.begin(Play::new(self.play.size()));
        Ok(String::new())
    }

    pub(super) fn play(&mut self, arguments: &[&str]) -> Reply {
        let &[player, word] = arguments else { return Err(Refusal::Arguments) };
        self.take_as(colour(player)?, word)
    }

    pub(super) fn white(&mut self, arguments: &[&str]) -> Reply {
        let &[word] = arguments else { return Err(Refusal::Arguments) };
        self.take_as(Side::White, word)
    }

    pub(super) fn black(&mut self, arguments: &[&str]) -> Reply {
        let &[word] = arguments else { return Err(Refusal::Arguments) };
        self.take_as(Side::Black, word)
    }

    pub(super) fn playgame(&mut self, arguments: &[&str]) -> Reply {
        for (i, word) in arguments.iter().enumerate() {
            let taken = self.read_move(word).and_then(|turn| self.take(turn));
            taken.map_err(|refusal| Refusal::in_list(i, word, refusal))?;
        }
        Ok(String::new())
    }

    pub(super) fn undo(&mut self, arguments: &[&str]) -> Reply {
        let count = match arguments {
            [] => 1,
            [text] => text.parse().map_err(|_| {
                let turns = 0..=self.play.turns().len();
                Refusal::whole("number of turns", text, &turns, ", as many as were taken")
            })?,
            _ => return Err(Refusal::Arguments),
        };
        self.play.undo(count)?;
        if count > 0 {
            self.search = None;
        }
        Ok(String::new())
    }

    pub(super) fn swap(&mut self, arguments: &[&str]) -> Reply {
        super::settings::switch(&mut self.may_swap, arguments)
    }

    pub(super) fn komi(&mut self, _: &[&str]) -> Reply {
        Ok("Havannah has no komi; ignored".into())
    }

    pub(super) fn winner(&mut self, _: &[&str]) -> Reply {
        Ok(match self.play.ending().map(Ending::winner) {
            None => "none".into(),
            Some(None) => "draw".into(),
            Some(Some(player)) => player.to_string(),
        })
    }

    pub(super) fn history(&mut self, _: &[&str]) -> Reply {
        let words: Vec<String> = self.play.turns().iter().map(|&turn| self.write_move(turn)).collect();
        Ok(words.join(" "))
    }

    pub(super) fn all_legal(&mut self, _: &[&str]) -> Reply {
        if self.play.ending().is_some() {
            return Ok(String::new());
        }
        let swap = (self.may_swap && self.play.is_time_to_swap()).then_some(Move::Swap);
        let moves = self.play.board().legal_moves().map(Move::Stone).chain(swap);
        Ok(moves.map(|turn| self.write_move(turn)).collect::<Vec<_>>().join(" "))
    }

    pub(super) fn showboard(&mut self, arguments: &[&str]) -> Reply {
        let mut play = self.play.clone();
        for (i, word) in arguments.iter().enumerate() {
            let taken = self.read_move(word).and_then(|turn| Ok(play.take(turn)?));
            taken.map_err(|refusal| Refusal::in_list(i, word, refusal))?;
        }
        Ok(picture::draw(&play, self.notation, self.colours))
    }

    /// Draws the stones that a player still needs to win through each cell, as the thesis estimates them.
    pub(super) fn dists(&mut self, arguments: &[&str]) -> Reply {
        let players = match arguments {
            [] => vec![Side::White, Side::Black],
            [player] => vec![colour(player)?],
            _ => return Err(Refusal::Arguments),
        };
        let board = self.play.board();
        // The board's sides are players until a swap.
        let needed: Vec<_> =
            players.into_iter().map(|player| board.stones_needed(self.play.player(player))).collect();
        Ok(picture::draw_distances(&self.play, self.notation, |cell| {
            needed.iter().map(|needed| needed[cell.index()]).min().expect("one player or both")
        }))
    }

    /// What every heuristic says of each move, or one of them on a board.
    pub(super) fn knowledge(&mut self, arguments: &[&str]) -> Reply {
        let (board, last) = (self.play.board(), self.play.last_stone());
        let weighted = policy::knowledge(board, &self.params, last);
        let points = policy::knowledge_points(board, &self.params, last);
        match arguments {
            [] | [_] if self.play.ending().is_some() => Ok(String::new()),
            [] => {
                let names: Vec<&str> = points.iter().map(|(name, _)| *name).chain([VALUE]).collect();
                let mut text = format!("move {}", names.join(" "));
                for cell in board.legal_moves() {
                    text.push_str(&format!("\n{:<4}", self.write_move(Move::Stone(cell))));
                    for (name, points) in &points {
                        text.push_str(&format!(
                            " {:>width$}",
                            decimals(points[cell.index()]),
                            width = name.len()
                        ));
                    }
                    text.push_str(&format!(" {}", decimals(weighted[cell.index()])));
                }
                Ok(text)
            }
            [name] => {
                let named = points.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
                let by_cell = match named {
                    Some((_, points)) => &points[..],
                    None if name.eq_ignore_ascii_case(VALUE) => &weighted[..],
                    None => {
                        let names: Vec<&str> = points.iter().map(|(name, _)| *name).chain([VALUE]).collect();
                        return Err(Refusal::value("heuristic", name, names.join(", ")));
                    }
                };
                Ok(picture::draw_numbers(&self.play, self.notation, |cell| decimals(by_cell[cell.index()])))
            }
            _ => Err(Refusal::Arguments),
        }
    }

    pub(super) fn loadsgf(&mut self, arguments: &[&str]) -> Reply {
        let (words, before) = match arguments {
            [] => return Err(Refusal::Arguments),
            [words @ .., last] if !words.is_empty() && last.bytes().all(|b| b.is_ascii_digit()) => {
                (words, whole("move number", last, 1..=usize::MAX)? - 1)
            }
            words => (words, usize::MAX),
        };
        let name = file_name(words);
        let text = self.files.read(&name).map_err(|error| Refusal::Load { name: name.clone(), error })?;
        let file = GameFile::read(&text, self.notation)
            .map_err(|error| Refusal::Parse { name: name.clone(), error })?;
        let mut play = Play::new(file.size());
        let mut left_out = String::new();
        for (player, turn) in file.main_line().take(before) {
            if turn == Move::Resign && player != play.to_move() {
                left_out = format!("the resignation of {player} out of turn is left out");
                break;
            }
            play.take(turn).expect("the file's reader checked the rules");
        }
        self.begin(play);
        Ok(left_out)
    }

    pub(super) fn savesgf(&mut self, arguments: &[&str]) -> Reply {
        let named = |word: &str| match word.to_ascii_lowercase().as_str() {
            "gui" => Some(Dialect::Own),
            "grid" => Some(Dialect::Grid),
            "littlegolem" => Some(Dialect::LittleGolem),
            _ => None,
        };
        let (words, dialect) = match arguments {
            [words @ .., last] => named(last).map_or((arguments, self.dialect()), |dialect| (words, dialect)),
            [] => (arguments, self.dialect()),
        };
        self.put(&file_name(words), self.game_file().write(dialect))
    }

    /// The dialect of files in the numbering of the session.
    pub(super) fn dialect(&self) -> Dialect {
        if self.notation == Notation::Gui { Dialect::Own } else { Dialect::Grid }
    }

    /// Writes a file, or answers its text if it has no name.
    pub(super) fn put(&mut self, name: &str, text: String) -> Reply {
        if name.is_empty() {
            return Ok(text);
        }
        self.files.write(name, &text).map_err(|error| Refusal::Save { name: name.to_owned(), error })?;
        Ok(String::new())
    }

    pub(super) fn game_file(&self) -> GameFile {
        let mut file = GameFile::new(self.play.size());
        file.set_info("AP", concat!("Gauntlet:", env!("CARGO_PKG_VERSION")));
        if let Some(ending) = self.play.ending() {
            let letter = match ending.winner() {
                Some(Side::White) => "W",
                Some(Side::Black) => "B",
                None => "0",
            };
            let how = if matches!(ending, Ending::Resigned { .. }) { "+Resign" } else { "" };
            file.set_info("RE", &format!("{letter}{how}"));
        }
        let nodes = self.play.turns().iter().enumerate();
        file.line.nodes = nodes
            .map(|(i, &turn)| Node { turn: Some((Side::to_move_after(i), turn)), remarks: Vec::new() })
            .collect();
        file
    }
}

/// A file's name from the words of a command. Longer ones than any file system has are cut.
pub(super) fn file_name(words: &[&str]) -> String {
    words.join(" ").chars().take(4096).collect()
}
