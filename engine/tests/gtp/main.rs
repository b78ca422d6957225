//! Tests of GTP sessions.

mod games;
mod lines;
mod nonsense;
mod searches;
mod transcripts;

use engine::gtp::{Files, NoFiles, Session};
use std::cell::RefCell;
use std::collections::HashMap;
use std::io;
use std::rc::Rc;

/// Files in memory.
#[derive(Clone, Default)]
pub(crate) struct Shelf(pub(crate) Rc<RefCell<HashMap<String, String>>>);

impl Files for Shelf {
    fn read(&mut self, name: &str) -> io::Result<Vec<u8>> {
        self.0
            .borrow()
            .get(name)
            .map(|text| text.clone().into_bytes())
            .ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "there is no such file"))
    }

    fn write(&mut self, name: &str, text: &str) -> io::Result<()> {
        self.0.borrow_mut().insert(name.to_owned(), text.to_owned());
        Ok(())
    }

    fn append(&mut self, name: &str, text: &str) -> io::Result<()> {
        *self.0.borrow_mut().entry(name.to_owned()).or_default() += text;
        Ok(())
    }
}

pub(crate) fn session() -> Session {
    Session::new(7, Box::new(NoFiles))
}

pub(crate) fn answer(session: &mut Session, line: &str) -> String {
    session.answer(line).unwrap_or_else(|| panic!("no answer to {line:?}")).text
}

/// The answer of a new session to the last of these lines, after the others.
pub(crate) fn last_answer(lines: &[&str]) -> String {
    let mut session = session();
    let (last, before) = lines.split_last().expect("lines");
    before.iter().for_each(|line| assert!(answer(&mut session, line).starts_with('='), "{line}"));
    answer(&mut session, last)
}
