//! Real games of the Little Golem archive: every one that was played to its end must end on our board at its last
//! stone, not before, and for the side on record; every other one must still be open.
//!
//! `littlegolem.txt` has a file name, a tab and a game on each line, and `littlegolem.csv` what each must give.

use crate::archive::texts;
use crate::slow::rules as slow;
use engine::havannah::{BoardSize, Notation, WinKind};
use engine::side::Side;
use rayon::prelude::*;
use slow::{Both, Hexagon};
use std::collections::{BTreeMap, HashMap};

/// A game as its file tells it. Colours are the file's tags.
#[derive(Debug)]
struct Record {
    name: String,
    size: BoardSize,
    /// Tags and upper-case grid names, or the words `swap` and `resign`, in order.
    moves: Vec<(Side, String)>,
    /// The RE property, which in this archive names the side that *lost*.
    loser: Option<Side>,
}

/// One line of the table beside the games.
struct Expected {
    stones: usize,
    loser: Option<Side>,
    resigned: bool,
    /// Winner on the board after the last stone, in the colours of the file's tags.
    winner: Option<Side>,
}

/// How a game was found to end.
#[derive(Debug, Default, PartialEq, Eq)]
struct Tally {
    games: usize,
    fork: usize,
    bridge: usize,
    ring: usize,
}

fn tag(text: &str) -> Option<Side> {
    match text {
        "W" | "white" => Some(Side::White),
        "B" | "black" => Some(Side::Black),
        "" | "none" => None,
        other => panic!("`{other}` is no side"),
    }
}

/// The value of a property such as `SZ[8]` in the header.
fn property<'a>(header: &'a str, name: &str) -> Option<&'a str> {
    let from = header.find(&format!("{name}["))? + name.len() + 1;
    let rest = &header[from..];
    Some(&rest[..rest.find(']').expect("a property is closed")])
}

fn read_record(line: &str) -> Record {
    let (name, sgf) = line.split_once('\t').expect("name, tab, game");
    let body = sgf.trim_end().strip_prefix("(;").and_then(|s| s.strip_suffix(')')).expect("one game tree");
    let mut nodes = body.split(';');
    let header = nodes.next().expect("a header");
    let read_move = |node: &str| {
        let (side, value) = node.strip_suffix(']').and_then(|n| n.split_once('[')).expect("tag, move");
        (tag(side).expect("a tag"), value.to_owned())
    };
    let size = property(header, "SZ").and_then(|n| n.parse().ok()).expect("a size");
    Record {
        name: name.to_owned(),
        size: BoardSize::new(size).expect("a size we play"),
        moves: nodes.map(read_move).collect(),
        loser: property(header, "RE").and_then(tag),
    }
}

fn read_table(text: &str) -> HashMap<String, Expected> {
    let mut lines = text.lines();
    let columns = "file,size,moves,result_tag,final_move_is_resign,castro_winner_after_last_move";
    assert_eq!(lines.next(), Some(columns));
    lines
        .map(|line| {
            let fields: Vec<&str> = line.split(',').collect();
            let [file, _, stones, loser, resigned, winner] = fields[..] else { panic!("{line}") };
            let expected = Expected {
                stones: stones.parse().expect("a count"),
                loser: tag(loser),
                resigned: resigned == "1",
                winner: tag(winner),
            };
            (file.to_owned(), expected)
        })
        .collect()
}

/// Replays a game on both boards and checks it against its line of the table; the shape it was won with.
fn replay(hexagon: &Hexagon, record: &Record, expected: &Expected) -> Option<WinKind> {
    let name = &record.name;
    let swapped = record.moves.get(1).is_some_and(|(_, word)| word == "swap");
    let resigned = record.moves.last().is_some_and(|(_, word)| word == "resign");
    let special = usize::from(swapped) + usize::from(resigned);
    let stones = &record.moves[..record.moves.len() - usize::from(resigned)];
    // A swap exchanges the players and leaves the board alone.
    let player = |side: Side| if swapped { side.other() } else { side };

    let mut game = Both::new(hexagon);
    for (i, (side, word)) in stones.iter().enumerate() {
        assert_eq!(*side, if i.is_multiple_of(2) { Side::White } else { Side::Black }, "{name}, move {i}");
        if i == 1 && swapped {
            continue;
        }
        assert_eq!(game.slow.outcome, None, "{name} goes on after its end");
        // The first stone of a swapped game becomes the property of the side that did not make it.
        let owner = if swapped && i == 0 { side.other() } else { *side };
        assert_eq!(game.slow.to_move(), player(owner), "{name}, move {i}");
        if stones.len() - i <= 6 {
            game.winning_cells();
        }
        let cell = Notation::Grid.read(record.size, word).unwrap_or_else(|error| panic!("{name}: {error}"));
        game.play(cell.index());
    }

    let outcome = game.fast.outcome();
    let winner = outcome.and_then(|outcome| outcome.winner()).map(player);
    assert_eq!(winner, expected.winner, "{name}");
    assert_eq!(outcome.is_some(), expected.winner.is_some(), "{name}: no game of the archive is drawn");
    assert_eq!(record.moves.len() - special, expected.stones, "{name}");
    assert_eq!(record.loser, expected.loser, "{name}");
    assert_eq!(resigned, expected.resigned, "{name}");
    if let Some(winner) = winner {
        assert_eq!(record.loser, Some(winner.other()), "{name}: RE names the loser");
    }
    if resigned {
        assert_eq!(record.loser, record.moves.last().map(|(side, _)| *side), "{name}: the resigner lost");
        assert_eq!(outcome, None, "{name}: resigned after the end");
    }
    outcome.and_then(|outcome| outcome.kind())
}

#[test]
fn archived_games_end_as_recorded() {
    let Some([games, table]) = texts(["littlegolem.txt", "littlegolem.csv"]) else { return };
    let records: Vec<Record> = games.lines().map(read_record).collect();
    let table = read_table(&table);
    assert_eq!(records.len(), table.len());
    let hexagons: HashMap<BoardSize, Hexagon> = Hexagon::all().into_iter().map(|h| (h.size, h)).collect();

    let shapes: Vec<(u8, Option<WinKind>)> = records
        .par_iter()
        .map(|record| {
            let expected = table.get(&record.name).expect("every game has its line");
            (record.size.get(), replay(&hexagons[&record.size], record, expected))
        })
        .collect();

    let mut tallies: BTreeMap<u8, Tally> = BTreeMap::new();
    for (size, shape) in shapes {
        let tally = tallies.entry(size).or_default();
        tally.games += 1;
        match shape {
            Some(WinKind::Fork) => tally.fork += 1,
            Some(WinKind::Bridge) => tally.bridge += 1,
            Some(WinKind::Ring) => tally.ring += 1,
            None => {}
        }
    }
    // Half of the archive of 2146 games.
    let tally = |games, fork, bridge, ring| Tally { games, fork, bridge, ring };
    let expected = [
        (4, tally(177, 43, 42, 2)),
        (5, tally(135, 49, 23, 3)),
        (6, tally(236, 93, 24, 14)),
        (7, tally(142, 58, 11, 13)),
        (8, tally(233, 52, 15, 33)),
        (9, tally(40, 4, 1, 8)),
        (10, tally(110, 21, 2, 19)),
    ];
    assert_eq!(tallies, BTreeMap::from(expected));

    let count = |is: fn(&Record) -> bool| records.iter().filter(|record| is(record)).count();
    let last_is = |record: &Record, word: &str| record.moves.last().is_some_and(|(_, last)| last == word);
    assert_eq!(records.len(), 1073);
    assert_eq!(count(|r| r.moves.iter().any(|(_, word)| word == "swap")), 520);
    assert_eq!(records.iter().filter(|r| last_is(r, "resign")).count(), 441);
    assert_eq!(records.iter().filter(|r| last_is(r, "swap")).count(), 2);
    assert_eq!(count(|r| r.moves.is_empty()), 14);
    assert_eq!(count(|r| r.loser.is_none()), 28);
    assert_eq!(tallies.values().map(|t| t.fork + t.bridge + t.ring).sum::<usize>(), 530);
}
