//! A file of one game or several, one after the other.

use super::error::SgfError;
use super::syntax::{self, RawTree};
use super::{GameFile, encoding, read};
use crate::havannah::Notation;

/// The games of a file. Their syntax has been read, but not yet their moves.
#[derive(Debug)]
pub struct Collection {
    games: Vec<RawTree>,
}

impl Collection {
    /// Reads the content of a file. Text before the first game is skipped.
    ///
    /// # Errors
    /// Names the place of the first violation of the file format, or an unknown encoding.
    pub fn read(bytes: &[u8]) -> Result<Self, SgfError> {
        Ok(Self { games: syntax::read(&encoding::decode(bytes)?)? })
    }

    /// The number of games, at least one.
    #[must_use]
    pub fn count(&self) -> usize {
        self.games.len()
    }

    /// Reads a game in the numbering that the game names, or in `otherwise` if it names none. The first game is number 1.
    ///
    /// # Errors
    /// Names the place of the first violation of the board or the rules, and what was expected there.
    ///
    /// # Panics
    /// If there is no game of this number.
    pub fn game(mut self, number: usize, otherwise: Notation) -> Result<GameFile, SgfError> {
        read::read(self.games.swap_remove(number - 1), otherwise)
    }
}
