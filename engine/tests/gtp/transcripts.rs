//! Sessions as written down: transcripts by topic in `data/gtp`, and the examples of docs/reference/gtp.md.
//!
//! In a transcript `> ` begins a line sent, `< ` a line answered, and `@ name text` makes a file that `loadsgf` finds.
//! All other lines are remarks. `< ...` stands for the rest of an answer, and ` ... ` for the middle of a line. Seed and
//! simulations are fixed, so that searches answer the same on every machine. With `GAUNTLET_WRITE` set, the answers are
//! written and not compared.

use crate::Shelf;
use engine::gtp::Session;
use std::path::{Path, PathBuf};

pub(crate) fn transcripts() -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/gtp");
    let mut files: Vec<PathBuf> = folder
        .read_dir()
        .expect("the folder is there")
        .map(|entry| entry.expect("readable").path())
        .collect();
    files.sort();
    let read = |path: PathBuf| (path.clone(), std::fs::read_to_string(path).expect("readable"));
    files.into_iter().map(read).collect()
}

/// The text with the answers that its sessions give now. Every fence of a page begins a new session.
fn replayed(text: &str) -> String {
    let begin = |shelf: &Shelf| Session::new(1, Box::new(shelf.clone()));
    let mut shelf = Shelf::default();
    let mut session = begin(&shelf);
    let mut text_now = String::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        text_now += line;
        text_now += "\n";
        if line == "```gtp" {
            shelf = Shelf::default();
            session = begin(&shelf);
        }
        if let Some((name, content)) = line.strip_prefix("@ ").and_then(|line| line.split_once(' ')) {
            shelf.0.borrow_mut().insert(name.to_owned(), content.to_owned());
        }
        let Some(sent) = line.strip_prefix("> ").or((line == ">").then_some("")) else { continue };
        let mut expected = Vec::new();
        while let Some(line) = lines.next_if(|line| line.starts_with("< ")) {
            expected.push(line);
        }
        let answer = session.answer(sent).map_or_else(String::new, |answer| answer.text);
        let mut answered: Vec<String> =
            answer.lines().map(|line| format!("< {line}").trim_end().to_owned()).collect();
        // The empty line that ends every answer.
        let end = answered.pop();
        assert!(end.is_none_or(|end| end == "<"), "{answer:?}");
        if expected.last() == Some(&"< ...") {
            answered.truncate(expected.len() - 1);
            answered.push("< ...".to_owned());
        }
        for (answered, expected) in answered.iter_mut().zip(expected) {
            if let Some((begin, end)) = expected.split_once(" ... ")
                && answered.len() >= begin.len() + end.len()
                && answered.starts_with(begin)
                && answered.ends_with(end)
            {
                *answered = expected.to_owned();
            }
        }
        text_now.extend(answered.into_iter().map(|line| line + "\n"));
    }
    text_now
}

fn check(path: &Path) {
    let expected = std::fs::read_to_string(path).expect("readable");
    let actual = replayed(&expected);
    if std::env::var_os("GAUNTLET_WRITE").is_some() {
        std::fs::write(path, &actual).expect("writable");
        return;
    }
    for (i, (expected, actual)) in expected.lines().zip(actual.lines()).enumerate() {
        let hint =
            "if the answer is meant to change, `GAUNTLET_WRITE=1 cargo test -p engine --test gtp` writes it";
        assert_eq!(actual, expected, "{}, line {}: {hint}", path.display(), i + 1);
    }
    assert_eq!(actual.lines().count(), expected.lines().count(), "{}", path.display());
}

#[test]
fn conversations_go_as_written_down() {
    let transcripts = transcripts();
    assert!(transcripts.len() >= 10, "only {} transcripts", transcripts.len());
    transcripts.iter().for_each(|(path, _)| check(path));
}

#[test]
fn the_examples_of_the_manual_are_true() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/reference/gtp.md");
    let examples = std::fs::read_to_string(&page).expect("readable").matches("```gtp").count();
    assert!(examples > 20, "only {examples} examples");
    check(&page);
}
