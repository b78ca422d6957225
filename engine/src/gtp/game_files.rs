//! Commands that read and write game files.

use super::arguments::{FileName, digits, whole, whole_with_note};
use super::game::{Ending, Play};
use super::refusal::{Refusal, Reply};
use super::session::Session;
use crate::havannah::Notation;
use crate::sgf::{Collection, Dialect, GameFile, Move, Node};
use crate::side::Side;

impl Session {
    pub(super) fn loadsgf(&mut self, text: &str) -> Reply {
        let mut name = FileName::begin(text)?;
        let number = name.option(|word| word.strip_prefix("game="));
        let before = name.option(digits);
        let name = name.end()?;
        if name.is_empty() {
            return Err(Refusal::Arguments);
        }
        let before = match before {
            Some(text) => whole("move number", text, 1..=usize::MAX)? - 1,
            None => usize::MAX,
        };
        let bytes = self.files.read(&name).map_err(|error| Refusal::Load { name: name.clone(), error })?;
        let parse = |error| Refusal::Parse { name: name.clone(), error };
        let games = Collection::read(&bytes).map_err(parse)?;
        let count = games.count();
        let number = match number {
            Some(text) => whole_with_note("number of a game", text, 1..=count, ", as many as the file has")?,
            None => 1,
        };
        let file = games.game(number, self.notation).map_err(parse)?;
        let mut play = Play::new(file.size());
        let mut remarks = Vec::new();
        if count > 1 {
            remarks.push(format!("game {number} of {count}"));
        }
        for (player, turn) in file.main_line().take(before) {
            if turn == Move::Resign && player != play.to_move() {
                remarks.push(format!("the resignation of {player} out of turn is left out"));
                break;
            }
            play.take(turn).expect("the file's reader checked the rules");
        }
        self.begin(play);
        Ok(remarks.join("; "))
    }

    pub(super) fn savesgf(&mut self, text: &str) -> Reply {
        let mut name = FileName::begin(text)?;
        let dialect = name.option_or_all(|word| match word.to_ascii_lowercase().as_str() {
            "gui" => Some(Dialect::Own),
            "grid" => Some(Dialect::Grid),
            "littlegolem" => Some(Dialect::LittleGolem),
            _ => None,
        });
        self.put(name.end()?, self.game_file().write(dialect.unwrap_or(self.dialect())))
    }

    /// The dialect for files in the session's numbering.
    pub(super) fn dialect(&self) -> Dialect {
        if self.notation == Notation::Gui { Dialect::Own } else { Dialect::Grid }
    }

    /// Writes a file and answers its name, or answers its text if there is no name.
    pub(super) fn put(&mut self, name: String, text: String) -> Reply {
        if name.is_empty() {
            return Ok(text);
        }
        match self.files.write(&name, &text) {
            Ok(()) => Ok(name),
            Err(error) => Err(Refusal::Save { name, error }),
        }
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
