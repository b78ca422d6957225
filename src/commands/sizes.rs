//! Board sizes of options, in the grammar of the experiment file.

use engine::havannah::BoardSize;
use protocol::board_sizes;

pub use protocol::board_sizes::one;

/// The sizes of one use of an option: `6`, `5-7` or `4,6-8`.
#[derive(Debug, Clone)]
pub(crate) struct Sizes {
    named: Vec<BoardSize>,
    /// The numbers and ranges as they were written.
    parts: Vec<String>,
}

impl Sizes {
    /// The numbers and ranges as they were written.
    pub(crate) fn parts(&self) -> &[String] {
        &self.parts
    }

    /// Whether a size is named.
    pub(crate) fn contains(&self, size: BoardSize) -> bool {
        self.named.contains(&size)
    }
}

/// Reads the sizes of one use of an option.
pub(crate) fn sizes(text: &str) -> Result<Sizes, String> {
    let parts = text.split(',').map(|part| part.replace(' ', "")).collect();
    Ok(Sizes { named: board_sizes::list(text)?, parts })
}

/// All sizes of an option that may be repeated, each once.
pub(crate) fn all(options: &[Sizes]) -> Vec<BoardSize> {
    let mut all: Vec<BoardSize> = Vec::new();
    for size in options.iter().flat_map(|sizes| &sizes.named) {
        if !all.contains(size) {
            all.push(*size);
        }
    }
    all
}
