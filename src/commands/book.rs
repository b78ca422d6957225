//! `gauntlet book`: books of openings.

use super::print;
use protocol::book::Book;

/// Lists books of openings.
///
/// A book has openings from which the first player wins about half of the games. So fewer pairs of games are decided by
/// their opening, and each tells more about the players. An experiment file takes a book by `openings = "book:balanced"`.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum BookCommand {
    List(BookListArgs),
}

/// Lists the books of this build.
#[derive(Debug, clap::Args)]
pub(crate) struct BookListArgs {
    /// Also prints the openings of this book.
    book: Option<String>,
}

pub(crate) fn run(command: &BookCommand) -> anyhow::Result<()> {
    match command {
        BookCommand::List(args) => list(args),
    }
}

fn list(args: &BookListArgs) -> anyhow::Result<()> {
    use engine::havannah::Notation;
    use std::fmt::Write;
    let is_asked = |book: &Book| args.book.as_ref().is_none_or(|name| name == book.name());
    let mut out = String::new();
    for book in Book::all().filter(is_asked) {
        let (name, size, openings) = (book.name(), book.size(), book.openings());
        writeln!(
            out,
            "{name}  size {size}: {} openings of up to {} plies, {}",
            openings.len(),
            book.plies(),
            book.id()
        )?;
        for moves in openings.iter().filter(|_| args.book.is_some()) {
            writeln!(out, "    {}", Notation::Gui.write_list(size, moves))?;
        }
    }
    if let (Some(name), true) = (&args.book, out.is_empty()) {
        let mut known: Vec<&str> = Book::all().map(|book| book.name()).collect();
        known.dedup();
        anyhow::bail!("there is no book `{name}`; {}", protocol::experiment::nearest(name, &known));
    }
    print(&out)
}
