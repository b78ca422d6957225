//! Games between two players: playing a specification, recording the game, and replaying the record.

mod openings;
mod play;
mod record;
mod spec;
mod under_way;

pub use openings::{MOST_OPENING_PLIES, most_opening_plies, random_opening};
pub use play::{Difference, play, play_counted, replay};
pub use record::{GameRecord, MoveRecord, first_difference};
pub use spec::{GameSpec, GameSpecError, Player};
pub use under_way::{GameUnderWay, ResumeError};
