//! Commands that read and write game files.

use super::arguments::{file_name, whole};
use super::game::{Ending, Play};
use super::refusal::{Refusal, Reply};
use super::session::Session;
use crate::havannah::Notation;
use crate::sgf::{Dialect, GameFile, Move, Node};
use crate::side::Side;

impl Session {
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

    /// The dialect for files in the session's numbering.
    pub(super) fn dialect(&self) -> Dialect {
        if self.notation == Notation::Gui { Dialect::Own } else { Dialect::Grid }
    }

    /// Writes a file, or answers its text if there is no name.
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
