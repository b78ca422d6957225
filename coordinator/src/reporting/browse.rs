//! Games as people look at them: searches, one game on its board, sums by move number, and what is in play.

pub(super) mod about;
mod by_move;
mod file;
mod in_play;
mod machine;
mod search;
mod selection;
mod view;
mod walk;

pub(crate) use by_move::by_move;
pub(crate) use file::file;
pub(crate) use in_play::{game_in_play, in_play};
pub(crate) use machine::machine;
pub(crate) use search::search;
pub(crate) use view::view;
