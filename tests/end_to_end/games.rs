//! `gauntlet game` on real games, beside the database and over the network.

use crate::process::{Process, QUICK, TINY, output, says};
use engine::havannah::Notation;
use engine::sgf::GameFile;
use protocol::browse::{FoundGame, GameView};

#[test]
fn games_are_found_shown_and_written_and_the_printed_command_replays_them() {
    let home = tempfile::tempdir().expect("a directory");
    let dir = home.path();
    std::fs::write(dir.join("tiny.toml"), TINY).expect("written");
    says(dir, &[&["run", "tiny.toml", "--port", "0", "--exit-when-done"], &QUICK[..]].concat());
    let mut serving = Process::start(dir, &["serve", "--port", "0"]);
    let url = serving.url();
    for place in [&["--database", "gauntlet.db"][..], &["--coordinator", &url]] {
        let game = |words: &[&str]| says(dir, &[&["game"], words, place].concat());
        let list = |words: &[&str]| -> Vec<FoundGame> {
            let json = game(&[&["list", "--json"], words].concat());
            serde_json::from_str(&json).expect("a list")
        };
        let all = list(&[]);
        assert_eq!(all.len(), 4);
        let white = list(&["--side", "white", "--experiment", "tiny", "--size", "3,4", "--since", "1h"]);
        assert!(white.len() == 2 && white.iter().all(|found| all.contains(found)));
        let sorted = list(&["--sort", "longest", "--limit", "2"]);
        assert_eq!(sorted[0].plies, all.iter().map(|found| found.plies).max().expect("games"));
        assert_eq!(sorted.len(), 2);
        assert_eq!(list(&["--until", "2020-01-01"]), []);
        let results = ["win", "draw", "loss"].map(|result| list(&["--result", result]).len());
        assert_eq!(results.iter().sum::<usize>(), 4);
        assert_eq!(game(&["list", "--size", "7"]), "no game\n");

        // The table names each game by digits that are enough.
        let table = game(&["list"]);
        let ids: Vec<&str> = table.lines().skip(1).filter_map(|line| line.split(' ').next()).collect();
        assert_eq!(ids.len(), 4, "{table}");
        let csv = game(&["list", "--format", "csv"]);
        assert_eq!(csv.lines().count(), 5);
        assert!(csv.starts_with("game,lease,cell,pair,experiment,case,") && csv.contains(",tiny,"), "{csv}");
        game(&["list", "--format", "parquet", "--out", "games.parquet"]);
        assert!(std::fs::read(dir.join("games.parquet")).is_ok_and(|file| file.ends_with(b"PAR1")));

        let view: GameView = serde_json::from_str(&game(&["show", ids[0], "--json"])).expect("a game");
        assert_eq!(view.game, all[0]);
        let leased = game(&["show", ids[0], "--json", "--lease", &all[0].lease.short()]);
        assert_eq!(serde_json::from_str::<GameView>(&leased).expect("a game").game, all[0]);
        let (status, _, error) =
            output(dir, &[&["game", "show", ids[0], "--lease", "0000000000000000"], place].concat());
        assert!(!status.success() && error.contains(&all[0].lease.to_string()), "{error}");
        let text = game(&["show", ids[0]]);
        let moves = view.moves.as_ref().expect("moves");
        for played in moves {
            let seconds = format!("{:.3}", played.cpu_us as f64 / 1e6);
            let has = |line: &str| {
                let words: Vec<&str> = line.split_whitespace().collect();
                [&played.cell[..], &played.sims.to_string(), &played.nodes.to_string(), &seconds]
                    .iter()
                    .all(|word| words.contains(word))
            };
            assert!(text.lines().any(has), "{played:?} is not in\n{text}");
        }
        let command = text.lines().last().and_then(|line| line.strip_prefix("gauntlet ")).expect("a command");
        let again = says(dir, &command.split(' ').collect::<Vec<_>>());
        assert!(again.contains("is as recorded"), "{again}");

        let sgf = game(&["sgf", ids[0]]);
        let file = GameFile::read(&sgf, Notation::Grid).expect("a game file");
        assert_eq!(file.main_line().count(), view.opening.len() + moves.len());
        game(&["sgf", "--experiment", "tiny", "--dir", "files"]);
        let written = std::fs::read_to_string(dir.join("files").join(format!("{}.sgf", all[0].id)));
        assert_eq!(written.ok(), Some(sgf));
        assert_eq!(std::fs::read_dir(dir.join("files")).expect("a directory").count(), 4);
        assert_eq!(game(&["sgf", "--experiment", "tiny"]).matches("(;FF[4]").count(), 4);

        for (words, expected) in [
            (&["list", "--result", "won"][..], "[possible values: win, draw, loss]"),
            (&["list", "--since", "yesterday"], "`yesterday` is no time"),
            (&["list", "--experiment", "tinny"], "tinny"),
            (&["show", "0000"], "0000"),
        ] {
            let (status, _, error) = output(dir, &[&["game"], words, place].concat());
            assert!(!status.success() && error.contains(expected), "{words:?}: {error}");
        }
    }
    assert!(serving.stop().success());

    // Two plays of one game have a file each, and games without moves keep the others from nobody.
    let first = says(dir, &["game", "list"]);
    let first = first.lines().nth(1).and_then(|line| line.split(' ').next()).expect("a game");
    says(dir, &["game", "exclude", first, "--why", "a test"]);
    says(dir, &[&["run", "tiny.toml", "--port", "0", "--exit-when-done"], &QUICK[..]].concat());
    says(dir, &["game", "sgf", "--experiment", "tiny", "--dir", "plays"]);
    assert_eq!(std::fs::read_dir(dir.join("plays")).expect("a directory").count(), 5);
    says(dir, &["db", "prune", "--older-than", "0s"]);
    let (status, stdout, error) = output(dir, &["game", "sgf", "--experiment", "tiny"]);
    assert!(status.success() && stdout.is_empty(), "{stdout}{error}");
    assert!(error.contains("left out 5 games: the moves were deleted"), "{error}");
    let (status, _, error) = output(dir, &["game", "sgf", first]);
    assert!(!status.success() && error.contains("were deleted"), "{error}");
}
