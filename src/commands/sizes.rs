//! Board sizes of options, in the grammar of the experiment file.

use engine::havannah::BoardSize;
use protocol::board_sizes;

pub(crate) use protocol::board_sizes::one;

/// The sizes of one use of an option: `6`, `5-7` or `4,6-8`.
#[derive(Debug, Clone)]
pub(crate) struct Sizes(Vec<BoardSize>);

/// Reads the sizes of one use of an option.
pub(crate) fn sizes(text: &str) -> Result<Sizes, String> {
    board_sizes::list(text).map(Sizes)
}

/// All sizes of an option that may be repeated, each once.
pub(crate) fn all(options: &[Sizes]) -> Vec<BoardSize> {
    let mut all: Vec<BoardSize> = Vec::new();
    for size in options.iter().flat_map(|Sizes(sizes)| sizes) {
        if !all.contains(size) {
            all.push(*size);
        }
    }
    all
}
