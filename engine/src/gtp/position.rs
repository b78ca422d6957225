//! Commands about the game: they set it up, take turns and show it.

use super::arguments::{colour, show_or_set_switch};
use super::game::{Ending, Play, TurnError};
use super::picture;
use super::refusal::{Refusal, Reply};
use super::session::Session;
use super::text::decimals;
use crate::havannah::BoardSize;
use crate::numbers;
use crate::sgf::Move;
use crate::side::Side;

/// The name under which `knowledge` shows the weighted sum of a move's points.
const VALUE: &str = "value";

impl Session {
    /// A move in the session's numbering.
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

    /// Takes a turn of the player to move; the search follows.
    pub(super) fn take(&mut self, turn: Move) -> Result<(), Refusal> {
        if turn == Move::Swap && !self.may_swap && self.play.is_time_to_swap() {
            return Err(TurnError::SwapIsOff.into());
        }
        self.play.take(turn)?;
        match (turn, &mut self.search) {
            // A swap changes no stone, and the search depends only on the board.
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

    /// Begins a game. Settings last for the session; all else is of the game before.
    pub(super) fn begin(&mut self, play: Play) {
        self.play = play;
        self.search = None;
        self.clock.restart();
        self.solvers.forget();
    }

    pub(super) fn boardsize(&mut self, arguments: &[&str]) -> Reply {
        let &[text] = arguments else { return Err(Refusal::Arguments) };
        let number: u8 = numbers::whole(text).ok_or_else(|| {
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
            [text] => numbers::whole(text).ok_or_else(|| {
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
        show_or_set_switch(&mut self.may_swap, arguments)
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

    /// Draws the number of stones that a player still needs to win through each cell, as the thesis estimates it.
    pub(super) fn dists(&mut self, arguments: &[&str]) -> Reply {
        let players = match arguments {
            [] => vec![Side::White, Side::Black],
            [player] => vec![colour(player)?],
            _ => return Err(Refusal::Arguments),
        };
        let board = self.play.board();
        // After a swap the board's white is the player black.
        let needed: Vec<_> =
            players.into_iter().map(|player| board.stones_needed(self.play.player(player))).collect();
        Ok(picture::draw_distances(&self.play, self.notation, |cell| {
            needed.iter().map(|needed| needed[cell.index()]).min().expect("one player or both")
        }))
    }

    /// The points of every heuristic for each move, or of one heuristic on a board.
    pub(super) fn knowledge(&mut self, arguments: &[&str]) -> Reply {
        let (board, last) = (self.play.board(), self.play.last_stone());
        let weighted = crate::havannah::knowledge(board, &self.params, last);
        let points = crate::havannah::knowledge_points(board, &self.params, last);
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
}
