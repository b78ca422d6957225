//! Game files: what is read, what is refused and with which words, and that nothing is lost on the way.

use crate::archive::texts;
use engine::gtp::{Files, Session};
use engine::havannah::{Board, BoardSize, Notation};
use engine::rng::Rng;
use engine::search::Game;
use engine::sgf::{Collection, Dialect, GameFile, Line, Move, Node, Property, SgfProblem, Verdict};
use engine::side::Side;
use proptest::prelude::*;
use std::io;

fn read(text: &str) -> GameFile {
    GameFile::read(text, Notation::Gui).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn refusal(text: &str) -> String {
    GameFile::read(text, Notation::Gui).expect_err(text).to_string()
}

/// The main line in GUI numbering with tags, such as `Wa1 Bswap`.
fn main_line(file: &GameFile) -> String {
    let word = |(side, turn): (Side, Move)| {
        let tag = if side == Side::White { 'W' } else { 'B' };
        match turn {
            Move::Stone(cell) => format!("{tag}{}", Notation::Gui.write(file.size(), cell)),
            Move::Swap => format!("{tag}swap"),
            Move::Resign => format!("{tag}resign"),
        }
    };
    file.main_line().map(word).collect::<Vec<_>>().join(" ")
}

#[test]
fn an_archived_game_has_grid_numbers_and_inverted_results() {
    let text = "(;FF[4]EV[null]PB[Ada]PW[Bo]SZ[4]RU[LG]RE[W]GC[ game #1]SO[x];W[G1];B[swap];W[F3];B[resign])";
    let file = read(text);
    assert_eq!(file.size().get(), 4);
    assert_eq!(main_line(&file), "Wg4 Bswap Wf5 Bresign");
    assert_eq!(file.verdict(), Some(Verdict::Win(Side::Black)));
    assert_eq!((file.info("PB"), file.info("GC")), (Some("Ada"), Some(" game #1")));
    assert_eq!(file.write(Dialect::LittleGolem), text);
}

#[test]
fn written_files_say_their_numbering() {
    let archived = read("(;FF[4]SZ[4]RU[LG]RE[B];W[G1];B[F3])");
    let own = archived.write(Dialect::Own);
    assert_eq!(own, "(;FF[4]SZ[4]NUMBERING[gui]RU[LG]RE[W];W[g4];B[f5])\n");
    assert_eq!(read(&own), archived);
    let grid = archived.write(Dialect::Grid);
    assert_eq!(grid, "(;FF[4]SZ[4]NUMBERING[grid]RU[LG]RE[W];W[g1];B[f3])\n");
    assert_eq!(read(&grid), archived);
}

#[test]
fn the_numbering_of_a_file_that_says_none_is_the_callers() {
    let text = "(;SZ[4];W[f3])";
    assert_eq!(main_line(&read(text)), "Wf3");
    let grid = GameFile::read(text, Notation::Grid).expect("legal");
    assert_eq!(main_line(&grid), "Wf5");
}

#[test]
fn missing_semicolons_are_supplied() {
    for text in [
        "(;FF[4]SZ[4];W[a1];B[b2])",
        "(FF[4]SZ[4];W[a1];B[b2])",
        "(;FF[4]SZ[4]W[a1];B[b2])",
        "(;FF[4]SZ[4]W[a1]B[b2])",
        "\u{feff} ( ; FF [4]\r\n SZ [ 4 ] ; W [A1] B [B2] )\n",
        "(FF[4]SZ[4](W[a1](B[b2])))",
    ] {
        assert_eq!(main_line(&read(text)), "Wa1 Bb2", "{text}");
    }
    for text in ["(W[a1]SZ[4])", "(;W[a1]SZ[4])"] {
        let error = GameFile::read(text, Notation::Gui).expect_err("the size stands behind a move");
        assert_eq!(error.problem, SgfProblem::NoSize, "{text}");
    }
}

#[test]
fn a_search_tree_keeps_its_variations_and_comments() {
    let text = "(;FF[4]SZ[4]\n;W[a1];B[g7]\n (;W[d4]C[mcts, sims:10, avg:0.5, outcome:-3, best:b2]\n  (;B[b2])\n  (;B[b3]C[second \\] \\\\ reply]))\n (;W[d5]N[other]))";
    let file = read(text);
    let [main, other] = &file.line.variations[..] else { panic!("two variations") };
    assert_eq!(main.nodes[0].remarks[0].value(), "mcts, sims:10, avg:0.5, outcome:-3, best:b2");
    assert_eq!(main.variations[1].nodes[0].remarks[0].value(), "second ] \\ reply");
    assert_eq!(other.nodes[0].remarks[0], Property::new("N", "other").expect("name"));
    assert_eq!(main_line(&file), "Wa1 Bg7 Wd4 Bb2");
    assert_eq!(read(&file.write(Dialect::Own)), file);
    assert_eq!(read(&file.write(Dialect::LittleGolem).replace("RU[LG]", "NUMBERING[grid]")), file);
}

#[test]
fn verdicts_are_the_usual_ones() {
    let verdict = |re: &str| read(&format!("(;SZ[4]RE[{re}])")).verdict();
    assert_eq!(verdict("W"), Some(Verdict::Win(Side::White)));
    assert_eq!(verdict("B+Resign"), Some(Verdict::Win(Side::Black)));
    assert_eq!(verdict("0"), Some(Verdict::Draw));
    assert_eq!(verdict("Draw"), Some(Verdict::Draw));
    assert_eq!((verdict("?"), verdict("Void"), verdict("Black"), verdict("")), (None, None, None, None));
    assert_eq!(read("(;SZ[4])").verdict(), None);
}

#[test]
fn refusals_name_line_column_and_what_was_expected() {
    for (text, words) in [
        ("", "line 1, column 1: expected `(` at the beginning of a game, found the end of the file"),
        ("\n  W[a1]", "line 2, column 3: expected `(` at the beginning of a game, found `W`"),
        (
            "(;SZ[4];W[a1]",
            "line 1, column 14: expected `)` at the end of the game, found the end of the file",
        ),
        (
            "(;SZ[4];W[a1",
            "line 1, column 13: expected `]` at the end of the value, found the end of the file",
        ),
        ("(;SZ[4];W)", "line 1, column 10: expected `[` and the property's value, found `)`"),
        (
            "(;SZ[4])(;SZ[4];W[a1]",
            "line 1, column 22: expected `)` at the end of the game, found the end of the file",
        ),
        (
            "(;SZ[4]))",
            "line 1, column 9: expected `(` of another game or the end of the file after a game, found `)`",
        ),
        ("(;SZ[4]\n;W[a1]()", "line 2, column 8: expected `;` before the first node, found `)`"),
        ("((;SZ[4]))", "line 1, column 2: expected `;` before the first node, found `(`"),
        ("(;SZ[4](;W[a1]);B[a2])", "line 1, column 16: expected `(` or `)` after a variation, found `;`"),
        ("(;SZ[4];?)", "line 1, column 9: expected `;`, a property, `(` or `)`, found `?`"),
        (
            "(;sz[4])",
            "line 1, column 3: expected the name of a property in upper-case letters, found lower-case letters",
        ),
        (
            "(;FF[4];W[a1])",
            "line 1, column 1: the game has no board size: expected `SZ[n]`, n from 3 to 10, in its first node",
        ),
        ("(;SZ[four])", "line 1, column 6: expected a board size from 3 to 10, found `four`"),
        ("(;SZ[11])", "line 1, column 6: board size 11 is outside 3 to 10"),
        ("(;SZ[4]NUMBERING[web])", "line 1, column 18: expected `gui` or `grid`, found `web`"),
        (
            "(;SZ[4];W[a1];B[h1])",
            "line 1, column 17: `h1` is no cell of a board of size 4; its rows are `a` to `g`, `swap` or `resign`",
        ),
        (
            "(;SZ[4];W[g1])",
            "line 1, column 11: `g1` is no cell of a board of size 4; row `g` has g4 to g7, `swap` or `resign`; the other numbering of cells has it",
        ),
        ("(;SZ[4]\n;W[a1]\n;B[A1])", "line 3, column 4: `a1` already has a stone"),
        ("(;SZ[4];W[a1];W[a2])", "line 1, column 15: expected a move of black, found one of white"),
        ("(;SZ[4];B[a1])", "line 1, column 9: expected a move of white, found one of black"),
        ("(;SZ[4];W[swap])", "line 1, column 11: `swap` is only a move of black right after the first stone"),
        (
            "(;SZ[4];W[a1];B[swap];W[a2];B[swap])",
            "line 1, column 31: `swap` is only a move of black right after the first stone",
        ),
        ("(;SZ[4];W[resign];B[a1])", "line 1, column 19: expected a move of white, found one of black"),
        ("(;SZ[4];W[resign];W[a1])", "line 1, column 21: a move after a resignation"),
        (
            "(;SZ[4];W[a1];B[g4];W[a2];B[g5];W[a3];B[g6];W[a4];B[d4])",
            "line 1, column 53: a move after the end of the game",
        ),
        (
            "(;SZ[4];W[a1];B[g4];W[a2];B[g5];W[a3];B[g6];W[a4];B[resign])",
            "line 1, column 51: a move after the end of the game",
        ),
        (
            "(;SZ[4]AB[a1])",
            "line 1, column 8: `AB` sets up stones; expected a game that begins on the empty board",
        ),
        (
            "(;SZ[4];AW[a1])",
            "line 1, column 9: `AW` sets up stones; expected a game that begins on the empty board",
        ),
        ("(;SZ[4];SZ[5])", "line 1, column 9: `SZ` belongs in the first node"),
    ] {
        assert_eq!(refusal(text), words, "{text}");
    }
}

#[test]
fn several_games_are_read_one_by_one_as_they_were_written() {
    let games: Vec<GameFile> = (0..20).map(random_file).collect();
    for between in ["", "\n", " \r\n\n"] {
        let text = games.iter().map(|game| game.write(Dialect::Own)).collect::<Vec<_>>().join(between);
        for (number, game) in games.iter().enumerate() {
            let read = Collection::read(text.as_bytes()).expect("games");
            assert_eq!(read.count(), 20);
            assert_eq!(read.game(number + 1, Notation::Gui).as_ref(), Ok(game));
        }
    }
    // The fault of one game is no fault of another.
    let mixed = Collection::read(b"(;SZ[4];W[a1])(;SZ[19]GM[1];B[dd])").expect("two games");
    assert_eq!(main_line(&mixed.game(1, Notation::Gui).expect("a game of Havannah")), "Wa1");
}

#[test]
fn text_before_the_first_game_is_skipped() {
    for before in [
        "From: ada@example.org\nSubject: our game\n\n",
        "Game of Ada (5 dan) and Bo [not rated]:\n",
        "(forwarded)\n",
        "1. e4 ; ) \\ ]",
        "\u{feff}",
    ] {
        assert_eq!(main_line(&read(&format!("{before}(;FF[4]SZ[4];W[a1];B[b2])"))), "Wa1 Bb2", "{before}");
        assert_eq!(main_line(&read(&format!("{before}(FF[4]SZ[4];W[a1](;B[b2]))"))), "Wa1 Bb2", "{before}");
    }
    assert_eq!(
        refusal("a mail\n\n(;SZ[4];B[a1])"),
        "line 3, column 9: expected a move of white, found one of black"
    );
}

/// The name of White in a file that is read from these bytes.
fn white(bytes: &[u8]) -> Result<String, String> {
    let games = Collection::read(bytes).map_err(|error| error.to_string())?;
    let game = games.game(1, Notation::Gui).map_err(|error| error.to_string())?;
    assert_eq!(main_line(&game), "Wa1");
    Ok(game.info("PW").unwrap_or_default().to_owned())
}

#[test]
fn files_in_other_encodings_are_read_or_their_encoding_is_named() {
    let file = |ca: &str, name: &[u8]| [b"(;FF[4]", ca.as_bytes(), b"SZ[4]PW[", name, b"];W[a1])"].concat();
    let joerg = Ok("Jörg".to_owned());
    // By CA, which may come after a name; by a mark; by neither.
    assert_eq!(white(&file("CA[UTF-8]", "Jörg".as_bytes())), joerg);
    assert_eq!(white(&file("CA[ISO-8859-1]", b"J\xf6rg")), joerg);
    assert_eq!(white(&file("PB[x] CA [latin1]", b"J\xf6rg")), joerg);
    assert_eq!(white(b"(;FF[4]PW[J\xf6rg]CA[windows-1252]SZ[4];W[a1])"), joerg);
    assert_eq!(white(&file("", "Jörg".as_bytes())), joerg);
    assert_eq!(white(&file("", b"J\xf6rg")), joerg);
    assert_eq!(white(&[b"\xef\xbb\xbf", &file("", "Jörg".as_bytes())[..]].concat()), joerg);
    // The second byte of this letter is the bracket that ends a value, or a backslash.
    assert_eq!(white(&file("CA[Shift_JIS]", b"\x83\x5d\x83\x5c")), Ok("ゾソ".to_owned()));
    assert_eq!(white(&file("CA[GB18030]", b"\xd6\xd0")), Ok("中".to_owned()));
    assert_eq!(white(&file("CA[KOI8-R]", b"\xf7\xd1")), Ok("Вя".to_owned()));
    for (mark, order) in
        [(&b"\xff\xfe"[..], u16::to_le_bytes as fn(u16) -> [u8; 2]), (b"\xfe\xff", u16::to_be_bytes)]
    {
        let text = String::from_utf8(file("CA[UTF-16]", "Jörg".as_bytes())).expect("text");
        let wide: Vec<u8> = text.encode_utf16().flat_map(order).collect();
        assert_eq!((white(&wide), white(&[mark, &wide].concat())), (joerg.clone(), joerg.clone()));
    }
    let refused = white(&file("CA[Klingon]", b"J\xf6rg")).expect_err("unknown");
    assert!(refused.contains("in the encoding `Klingon`, which is not known"), "{refused}");
    assert!(white(b"\xff\xfe\0\0(\0\0\0;\0\0\0").expect_err("too wide").contains("UTF-32"));
    // ASCII is the same in all of these.
    assert_eq!(white(&file("CA[Klingon]", b"Ada")), Ok("Ada".to_owned()));
    assert_eq!(white(&file("CA[UTF-16]", "Jörg".as_bytes())), joerg);
    // What is written is UTF-8 and says so.
    let games = Collection::read(&file("CA[ISO-8859-1]", b"J\xf6rg")).expect("read");
    let written = games.game(1, Notation::Gui).expect("legal").write(Dialect::Own);
    assert!(written.contains("CA[UTF-8]") && written.contains("PW[Jörg]"), "{written}");
    assert!(GameFile::new(BoardSize::MIN).write(Dialect::Own).contains("CA[UTF-8]"));
}

#[test]
fn nesting_is_read_to_its_limit_and_refused_beyond() {
    let nested = |depth: usize| format!("(;SZ[4]{}{}", "(;C[x]".repeat(depth - 1), ")".repeat(depth));
    let file = read(&nested(600));
    assert_eq!(read(&file.write(Dialect::Own)), file);
    assert!(refusal(&nested(601)).ends_with("variations are nested more than 600 deep"));
    assert!(refusal(&"(;".repeat(100_000)).contains("nested"));
}

/// Random text as values of properties may have it.
fn remark(rng: &mut Rng) -> Property {
    let letters = ['a', ']', '[', '\\', ';', '(', ')', '\n', '\r', ' ', ':', 'ß', '\t', '0'];
    let value: String =
        (0..rng.below(8)).map(|_| letters[rng.below(letters.len() as u32) as usize]).collect();
    Property::new(["C", "N", "TE", "XYZ"][rng.below(4) as usize], value).expect("upper case")
}

/// A random tree of legal moves that goes on from a position.
fn random_line(board: &Board, plies: usize, swapped: bool, depth: usize, rng: &mut Rng) -> Line {
    let (mut board, mut plies, mut swapped) = (board.clone(), plies, swapped);
    let mut line = Line::default();
    let mut resigned = false;
    for _ in 0..=rng.below(6) {
        let mut node = Node::default();
        let side = Side::to_move_after(plies);
        let chance = rng.below(12);
        if board.winner().is_none() && !resigned && chance > 0 {
            let open: Vec<_> = board.legal_moves().collect();
            let turn = if plies == 1 && chance < 6 {
                swapped = true;
                Move::Swap
            } else if chance == 1 {
                resigned = true;
                Move::Resign
            } else {
                let cell = open[rng.below(open.len() as u32) as usize];
                board.play(cell).expect("legal");
                Move::Stone(cell)
            };
            plies += 1;
            node.turn = Some((side, turn));
        }
        (0..rng.below(3)).for_each(|_| node.remarks.push(remark(rng)));
        line.nodes.push(node);
    }
    if depth > 0 && !resigned {
        for _ in 0..rng.below(4) {
            line.variations.push(random_line(&board, plies, swapped, depth - 1, rng));
        }
    }
    line
}

fn random_file(seed: u64) -> GameFile {
    let mut rng = Rng::new(seed);
    let size = BoardSize::new(3 + rng.below(8) as u8).expect("3 to 10");
    let mut file = GameFile::new(size);
    for (name, values) in
        [("RE", ["W", "B+Time", "0"]), ("PW", ["", "A ] \\ B", "\n"]), ("RU", ["LG", "LG", "LG"])]
    {
        let pick = rng.below(4) as usize;
        if let Some(value) = values.get(pick) {
            file.set_info(name, value);
        }
    }
    file.line = random_line(&Board::new(size), 0, false, 4, &mut rng);
    file
}

/// A session's only file.
struct OneFile(String);

impl Files for OneFile {
    fn read(&mut self, _: &str) -> io::Result<Vec<u8>> {
        Ok(self.0.clone().into_bytes())
    }
    fn write(&mut self, _: &str, _: &str) -> io::Result<()> {
        Ok(())
    }
    fn append(&mut self, _: &str, _: &str) -> io::Result<()> {
        Ok(())
    }
}

/// Whether a session loads a file.
fn loads(text: &str) -> bool {
    let mut session = Session::new(1, Box::new(OneFile(text.to_owned())));
    session.answer("loadsgf it").expect("answered").is_success()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn what_is_written_is_read_back_the_same(seed: u64) {
        let file = random_file(seed);
        for dialect in [Dialect::Own, Dialect::Grid] {
            let text = file.write(dialect);
            let again = GameFile::read(&text, Notation::Gui);
            prop_assert!(loads(&text), "{}", text);
            prop_assert_eq!(again.as_ref(), Ok(&file), "{}", text);
        }
        let mut archived = file;
        archived.set_info("RU", "LG");
        let text = archived.write(Dialect::LittleGolem);
        prop_assert_eq!(GameFile::read(&text, Notation::Gui), Ok(archived), "{}", text);
    }

    #[test]
    fn no_text_is_too_strange_to_be_refused_or_read(text in r"[()\[\];\\WBCSZ3-9a-gr\n ]{0,80}") {
        let _ = GameFile::read(&text, Notation::Gui);
        let _ = GameFile::read(&format!("(;SZ[4]{text})"), Notation::Grid);
    }

    #[test]
    fn a_damaged_file_is_refused_or_can_be_written_again(
        seed: u64, cuts in proptest::collection::vec((any::<prop::sample::Index>(), any::<char>()), 1..4)
    ) {
        let mut text: Vec<char> = random_file(seed).write(Dialect::Own).chars().collect();
        for (at, new) in cuts {
            let at = at.index(text.len());
            if new.is_alphabetic() { text.remove(at); } else { text[at] = new; }
        }
        let text: String = text.into_iter().collect();
        if let Ok(file) = GameFile::read(&text, Notation::Gui) {
            prop_assert_eq!(GameFile::read(&file.write(Dialect::Own), Notation::Gui), Ok(file), "{}", text);
            prop_assert!(loads(&text), "{}", text);
        }
    }
}

#[test]
fn archived_games_survive_both_dialects() {
    let Some([archive]) = texts(["littlegolem.txt"]) else { return };
    let (mut swaps, mut resignations, mut wins) = (0, 0, 0);
    for line in archive.lines() {
        let (name, text) = line.split_once('\t').expect("name, tab, game");
        let file = GameFile::read(text, Notation::Gui).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(file.write(Dialect::LittleGolem), text.trim_end(), "{name}");
        assert_eq!(read(&file.write(Dialect::Own)), file, "{name}");
        assert!(loads(text), "{name}");

        let turns: Vec<(Side, Move)> = file.main_line().collect();
        swaps += usize::from(turns.iter().any(|(_, turn)| *turn == Move::Swap));
        if let Some((loser, Move::Resign)) = turns.last() {
            resignations += 1;
            assert_eq!(file.verdict(), Some(Verdict::Win(loser.other())), "{name}");
        }
        let stones: Vec<_> = turns
            .iter()
            .filter_map(|(_, turn)| if let Move::Stone(cell) = turn { Some(*cell) } else { None })
            .collect();
        let board = Board::after(file.size(), &stones).expect("legal");
        if board.outcome().is_some() {
            wins += 1;
            let winner = turns.last().map(|(side, _)| Verdict::Win(*side));
            assert_eq!(file.verdict(), winner, "{name}: the last stone won");
        }
    }
    assert_eq!((archive.lines().count(), swaps, resignations, wins), (1073, 520, 441, 530));
}
