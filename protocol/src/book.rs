//! Books of openings. A build contains its books.

use crate::ids::content_id;
use engine::havannah::{Board, BoardSize, Cell, Notation, PlayError};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::sync::LazyLock;
use thiserror::Error as ThisError;
use uuid::Uuid;

/// A row of the table: name, board size, and the file.
type BookRow = (&'static str, u8, &'static str);

/// The book that is kept for confirmations. Its openings neither are nor follow those of another book.
const HELD_OUT: &str = "balanced-confirm";

/// The files of the books. A file that games were played with stays as it is: stored cells name its content. Better
/// openings are a book of another name.
const FILES: &[BookRow] = &[
    ("balanced", 4, include_str!("../../configs/books/balanced/4.txt")),
    ("balanced", 5, include_str!("../../configs/books/balanced/5.txt")),
    ("balanced", 6, include_str!("../../configs/books/balanced/6.txt")),
    ("balanced", 7, include_str!("../../configs/books/balanced/7.txt")),
    ("balanced", 8, include_str!("../../configs/books/balanced/8.txt")),
    ("balanced", 9, include_str!("../../configs/books/balanced/9.txt")),
    ("balanced", 10, include_str!("../../configs/books/balanced/10.txt")),
    // Better openings for size 4; those of the other sizes are the same, and so are their cells.
    ("balanced-2", 4, include_str!("../../configs/books/balanced-2/4.txt")),
    ("balanced-2", 5, include_str!("../../configs/books/balanced/5.txt")),
    ("balanced-2", 6, include_str!("../../configs/books/balanced/6.txt")),
    ("balanced-2", 7, include_str!("../../configs/books/balanced/7.txt")),
    ("balanced-2", 8, include_str!("../../configs/books/balanced/8.txt")),
    ("balanced-2", 9, include_str!("../../configs/books/balanced/9.txt")),
    ("balanced-2", 10, include_str!("../../configs/books/balanced/10.txt")),
    ("balanced-confirm", 4, include_str!("../../configs/books/balanced-confirm/4.txt")),
    ("balanced-confirm", 5, include_str!("../../configs/books/balanced-confirm/5.txt")),
    ("balanced-confirm", 6, include_str!("../../configs/books/balanced-confirm/6.txt")),
    ("balanced-confirm", 7, include_str!("../../configs/books/balanced-confirm/7.txt")),
    ("balanced-confirm", 8, include_str!("../../configs/books/balanced-confirm/8.txt")),
    ("balanced-confirm", 9, include_str!("../../configs/books/balanced-confirm/9.txt")),
    ("balanced-confirm", 10, include_str!("../../configs/books/balanced-confirm/10.txt")),
];

static BOOKS: LazyLock<Vec<Content>> = LazyLock::new(|| {
    let read = |&(name, size, text): &BookRow| {
        let size = BoardSize::new(size).expect("the table has board sizes");
        let openings = read_openings(size, text).expect("the files of the build are tested");
        Content { name, size, id: id(size, &openings), openings }
    };
    FILES.iter().map(read).collect()
});

#[derive(Debug)]
struct Content {
    name: &'static str,
    size: BoardSize,
    id: Uuid,
    openings: Vec<Vec<Cell>>,
}

/// The openings of a book for one board size. Its JSON is the digest of the openings, so a cell that is played from it
/// has other games than a cell that is played from other openings, whatever their names are.
#[derive(Clone, Copy)]
pub struct Book(&'static Content);

impl Book {
    /// Every book, for each of its sizes.
    pub fn all() -> impl Iterator<Item = Self> {
        BOOKS.iter().map(Self)
    }

    /// The book of this name for this size.
    #[must_use]
    pub fn named(name: &str, size: BoardSize) -> Option<Self> {
        Self::all().find(|book| book.name() == name && book.size() == size)
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.0.name
    }

    /// The board size.
    #[must_use]
    pub fn size(&self) -> BoardSize {
        self.0.size
    }

    /// The digest of the openings.
    #[must_use]
    pub fn id(&self) -> Uuid {
        self.0.id
    }

    /// The openings: moves from the empty board, White first. There is at least one.
    #[must_use]
    pub fn openings(&self) -> &'static [Vec<Cell>] {
        &self.0.openings
    }

    /// The book for confirmations of what was played from this one, with openings that this one does not have. None where no
    /// openings are kept for the size, and for the kept book itself.
    #[must_use]
    pub fn held_out(self) -> Option<Self> {
        Self::named(HELD_OUT, self.size()).filter(|kept| *kept != self)
    }

    /// Plies of the longest opening.
    #[must_use]
    pub fn plies(&self) -> usize {
        self.0.openings.iter().map(Vec::len).max().unwrap_or(0)
    }
}

/// The digest of openings.
fn id(size: BoardSize, openings: &[Vec<Cell>]) -> Uuid {
    let moves: Vec<String> = openings.iter().map(|moves| Notation::Gui.write_list(size, moves)).collect();
    content_id("book", &(size, moves))
}

impl PartialEq for Book {
    fn eq(&self, other: &Self) -> bool {
        self.id() == other.id()
    }
}

impl std::fmt::Debug for Book {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {} ({})", self.name(), self.size(), self.id())
    }
}

impl Serialize for Book {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.id().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Book {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let id = Uuid::deserialize(deserializer)?;
        Self::all().find(|book| book.id() == id).ok_or_else(|| {
            D::Error::custom(format!(
                "this build has no book of openings {id}; a build that is as new as the experiment has it"
            ))
        })
    }
}

/// A file that is no book.
#[derive(Debug, Clone, PartialEq, Eq, ThisError)]
#[error("line {line}: {what}")]
pub struct BookError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub what: String,
}

/// Reads the openings of a file: a line for each, moves in GUI notation separated by spaces, White first. Text from `#`
/// on is a comment.
///
/// # Errors
/// When a move is illegal, an opening ends the game or is there twice, or there is none.
pub fn read_openings(size: BoardSize, text: &str) -> Result<Vec<Vec<Cell>>, BookError> {
    let mut openings: Vec<Vec<Cell>> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let moves = line.split('#').next().unwrap_or_default().trim();
        if moves.is_empty() {
            continue;
        }
        let wrong = |what: String| BookError { line: index + 1, what };
        let moves = Notation::Gui.read_list(size, moves).map_err(|error| wrong(error.to_string()))?;
        let board = Board::after(size, &moves).map_err(|error: PlayError| wrong(error.to_string()))?;
        if let Some(outcome) = board.outcome() {
            return Err(wrong(format!("the opening already ends the game: {outcome}")));
        }
        if openings.contains(&moves) {
            return Err(wrong("the opening is there already".to_owned()));
        }
        openings.push(moves);
    }
    if openings.is_empty() {
        return Err(BookError { line: 1, what: "there are no openings".to_owned() });
    }
    Ok(openings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::havannah::canonical_position;
    use std::collections::BTreeSet;
    use std::path::Path;

    #[test]
    fn the_books_of_the_build_are_the_files_of_the_repository() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../configs/books");
        let mut files = BTreeSet::new();
        for book in std::fs::read_dir(&folder).expect("a folder") {
            let book = book.expect("an entry").path();
            for file in std::fs::read_dir(&book).expect("a folder") {
                let path = file.expect("an entry").path();
                let part = |path: &Path| path.file_stem().and_then(|s| s.to_str()).expect("UTF-8").to_owned();
                let text = std::fs::read_to_string(&path).expect("a file");
                files.insert((part(&book), part(&path), text));
            }
        }
        let table: BTreeSet<_> = FILES
            .iter()
            .map(|(name, size, text)| (name.to_string(), size.to_string(), text.to_string()))
            .collect();
        assert!(files.is_subset(&table), "every file is a book");
        let texts: BTreeSet<_> = files.iter().map(|(.., text)| text).collect();
        assert!(table.iter().all(|(.., text)| texts.contains(text)), "every book is a file");
        // A better book of one size has the openings of its forerunner on the others, and so the same cells.
        for row in table.difference(&files) {
            assert!(
                row.0 == "balanced-2" && files.contains(&("balanced".into(), row.1.clone(), row.2.clone()))
            );
        }
    }

    #[test]
    fn no_two_openings_of_a_book_are_equal_by_a_symmetry() {
        for book in Book::all() {
            let kinds: BTreeSet<_> =
                book.openings().iter().map(|moves| canonical_position(book.size(), moves)).collect();
            assert_eq!(kinds.len(), book.openings().len(), "{book:?}");
            assert!(book.openings().len() >= 32, "{book:?} has {}", book.openings().len());
        }
    }

    #[test]
    fn the_openings_for_confirmations_neither_are_nor_follow_those_of_another_book() {
        let mut pairs = 0;
        for (book, kept) in Book::all().filter_map(|book| Some((book, book.held_out()?))) {
            let size = book.size();
            assert_eq!((kept.name(), kept.size(), kept.held_out()), (HELD_OUT, size, None));
            let played: BTreeSet<_> =
                book.openings().iter().map(|moves| canonical_position(size, moves)).collect();
            for moves in kept.openings() {
                let met =
                    (1..=moves.len()).find(|n| played.contains(&canonical_position(size, &moves[..*n])));
                assert_eq!(met, None, "{book:?}: {}", Notation::Gui.write_list(size, moves));
            }
            pairs += 1;
        }
        let others = Book::all().filter(|book| book.name() != HELD_OUT).count();
        assert_eq!(pairs, others, "openings are kept for every book");
    }

    #[test]
    fn a_book_is_known_by_its_openings() {
        let size = BoardSize::new(4).expect("size");
        let book = Book::named("balanced", size).expect("a book");
        assert_eq!(book.size(), size);
        let json = serde_json::to_string(&book).expect("serialises");
        assert_eq!(serde_json::from_str::<Book>(&json).expect("the same"), book);
        let openings = |text: &str| id(size, &read_openings(size, text).expect("correct"));
        assert_eq!(openings("a1 b2\n# a comment\nc3 d4 # 50 %\n"), openings("a1 b2\nc3 d4"));
        assert_ne!(openings("a1 b2\nc3 d4"), openings("c3 d4\na1 b2"), "pairs take openings by number");
        let error = serde_json::from_str::<Book>(&format!("\"{}\"", Uuid::nil())).expect_err("unknown");
        assert!(error.to_string().contains("this build has no book"), "{error}");
    }

    #[test]
    fn a_file_that_is_no_book_is_told_with_its_line() {
        let size = BoardSize::new(4).expect("size");
        for (text, expected) in [
            ("", "line 1: there are no openings"),
            ("# only a comment", "line 1: there are no openings"),
            ("a1 b2\na1 z9", "line 2: "),
            ("a1 a1", "line 1: "),
            ("a1 b2\n\na1 b2 # again", "line 3: the opening is there already"),
            ("a1 b1 a2 c1 a3 d1 a4", "line 1: the opening already ends the game: "),
        ] {
            let error = read_openings(size, text).expect_err(text).to_string();
            assert!(error.starts_with(expected), "{text:?}: {error}");
        }
    }
}
