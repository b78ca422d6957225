//! One game between two players: from a complete specification to a complete record, and back again.

mod openings;
mod play;
mod record;
mod spec;
mod under_way;

pub use openings::random_opening;
pub use play::{Difference, play, play_counted, replay};
pub use record::{GameRecord, MoveRecord};
pub use spec::{GameSpec, GameSpecError, Player};
pub use under_way::{GameUnderWay, ResumeError};
