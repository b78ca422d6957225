//! `gauntlet solve`: proves who wins a position.

use super::number::whole;
use super::print;
use super::time::seconds;
use anyhow::{Context, Result, bail, ensure};
use clap::{Args, ValueEnum};
use engine::havannah::{Board, BoardSize, Cell, Notation, Params};
use engine::search::{Game, ProvenOutcome};
use engine::sgf::{Collection, Move};
use engine::side::Side;
use engine::solver::{
    DfPn, LeafInitialisation, Limits, Lookahead, Progress, ProofNumberConfig, Solution, Solver, Stop,
};
use engine::solvers::{self, solver};
use indicatif::{HumanCount, ProgressBar};
use protocol::words::counted;
use serde_json::json;
use std::fmt::Write;
use std::io::IsTerminal;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;

/// Proves who wins a position with best play.
///
/// Cells have the names of HavannahGui. White makes the first move.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gauntlet solve --size 3
  gauntlet solve --size 4 a4 g4 a1 b3 g7 d1 d7 f3 e2 d2
  gauntlet solve --size 4 --solver pns --threads 2 'g5 d1 g4 g7 e3 c2 a1 a4 f5 f3 d7 d6 c3'
  gauntlet solve game.sgf --moves 20 --seconds 60 --memory 4096
  gauntlet solve games.sgf --game 3 --moves 40
  gauntlet solve --size 4 --solver mcts b1 d2 a2 e4
  gauntlet solve --size 4 --solver pns --fresh distance --epsilon 0 a4 g4 a1 b3 g7 d1 d7 f3 e2 d2

Ctrl-C ends the search and prints what is known.")]
pub(crate) struct SolveArgs {
    /// The moves so far, or a file that holds them: a game file (SGF, HGF) or a list of moves.
    #[arg(value_name = "MOVES|FILE")]
    moves: Vec<String>,
    /// The game of a file of several games.
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = whole(1..=1_000_000_000_usize))]
    game: usize,
    /// Board size, 3 to 10; required unless a game file gives it.
    #[arg(long, value_name = "N", value_parser = super::sizes::one)]
    size: Option<BoardSize>,
    /// Use only this many of the moves; a swap in a game file counts as a move.
    #[arg(long = "moves", value_name = "N", value_parser = whole(0..=1000_usize))]
    plies: Option<usize>,
    /// Cells are numbered from 1 in every row, as Little Golem's files do.
    #[arg(long)]
    grid: bool,
    /// The algorithm.
    #[arg(long, value_enum, default_value_t)]
    solver: Method,
    /// Threads of the solver `pns`.
    #[arg(long, default_value_t = NonZeroUsize::MIN, value_name = "N", value_parser = super::threads)]
    threads: NonZeroUsize,
    /// The solver `pns-table` tries a refutation on up to this many siblings of the refuted move; 0 switches this off.
    #[arg(long, default_value_t = DfPn::COPIES, value_name = "N", help_heading = HOW, value_parser = whole(0..=1000_u16))]
    copies: u16,
    /// A proof-number search leaves a subtree that looks 1 + ε times as hard as the next best.
    #[arg(long, default_value_t = ProofNumberConfig::default().epsilon, value_name = "ε", value_parser = epsilon, help_heading = HOW)]
    epsilon: f64,
    /// Leaf initialisation of proof-number searches: the estimated effort for a new node.
    #[arg(long, value_enum, default_value_t, help_heading = HOW)]
    fresh: FreshNumbers,
    /// How far a proof-number search examines a move before it becomes a node: 0 tests whether the move ends the game,
    /// 1 also whether a reply wins, 2 also whether the move makes two threats.
    #[arg(long, default_value_t = MOST_LOOKAHEAD, value_name = "PLIES", value_parser = whole(0..=MOST_LOOKAHEAD), help_heading = HOW)]
    lookahead: u8,
    /// The solver `pns` returns to the root after every expansion. By default it stays below a node until the node's numbers
    /// reach their thresholds.
    #[arg(long, help_heading = HOW)]
    no_thresholds: bool,
    /// The player whose search the solver `mcts` uses.
    #[arg(long, default_value = RAVE, value_name = "PRESET", help_heading = HOW)]
    player: String,
    /// Seed of the solver `mcts`.
    #[arg(long, default_value_t = 1, help_heading = HOW, value_parser = whole(0..=u64::MAX))]
    seed: u64,
    /// Give up after this many nodes (`mcts`: simulations) [default: no limit].
    #[arg(long, value_name = "N", value_parser = whole(1..=u64::MAX))]
    nodes: Option<u64>,
    /// Give up after this many seconds [default: no limit].
    #[arg(long, value_parser = seconds)]
    seconds: Option<f64>,
    /// Memory of the tree or the table, in MiB.
    #[arg(long, default_value_t = 1024, value_name = "MIB", value_parser = whole(1..=MOST_MIB))]
    memory: u32,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// The player of `mcts`, unless another is named.
const RAVE: &str = "rave";

/// The furthest lookahead of proof-number searches, in plies.
const MOST_LOOKAHEAD: u8 = 2;

/// The largest tree or table, one TiB.
const MOST_MIB: u32 = 1 << 20;

/// The largest tree of `mcts`.
const MOST_MCTS_MIB: u32 = 4096;

/// The heading in `--help` of options that change the effort, never the outcome.
const HOW: &str = "Configuration of the solvers";

/// [`LeafInitialisation`], by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum FreshNumbers {
    /// 1, because one move must succeed, and the number of moves, because all must fail.
    #[default]
    Mobility,
    /// The number of moves for both numbers.
    Equal,
    /// For both numbers, the stones that the nearer side still needs to win through the cell.
    Distance,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Method {
    /// Alpha-beta with iterative deepening, for endgames.
    AlphaBeta,
    /// Proof-number search on a tree.
    Pns,
    /// Df-pn: proof-number search with a transposition table.
    #[default]
    PnsTable,
    /// Monte-Carlo tree search until its tree contains a proof.
    Mcts,
}

impl Method {
    fn name(self) -> &'static str {
        match self {
            Method::AlphaBeta => "alpha-beta",
            Method::Pns => "pns",
            Method::PnsTable => "pns-table",
            Method::Mcts => "mcts",
        }
    }
}

fn epsilon(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if (0.0..=100.0).contains(&number) => Ok(number),
        _ => Err(format!("`{text}` is no ε: give 0 to 100, such as 0.25")),
    }
}

impl SolveArgs {
    fn config(&self) -> ProofNumberConfig {
        ProofNumberConfig {
            lookahead: match self.lookahead {
                0 => Lookahead::Move,
                1 => Lookahead::Reply,
                _ => Lookahead::Threats,
            },
            leaf: match self.fresh {
                FreshNumbers::Mobility => LeafInitialisation::Mobility,
                FreshNumbers::Equal => LeafInitialisation::Equal,
                FreshNumbers::Distance => LeafInitialisation::Distance,
            },
            epsilon: self.epsilon,
            thresholds: !self.no_thresholds,
        }
    }

    /// Refuses what the chosen solver has not.
    fn check(&self) -> Result<()> {
        let (usual, table, tree) = (ProofNumberConfig::default(), Method::PnsTable, Method::Pns);
        for (is_set, option, solvers) in [
            (self.threads > NonZeroUsize::MIN, "--threads", &[tree][..]),
            (self.no_thresholds, "--no-thresholds", &[tree]),
            (self.copies != DfPn::COPIES, "--copies", &[table]),
            (self.epsilon != usual.epsilon, "--epsilon", &[tree, table]),
            (self.fresh != FreshNumbers::default(), "--fresh", &[tree, table]),
            (self.lookahead != MOST_LOOKAHEAD, "--lookahead", &[tree, table]),
            (self.player != RAVE, "--player", &[Method::Mcts]),
            (self.seed != 1, "--seed", &[Method::Mcts]),
        ] {
            let names: Vec<String> =
                solvers.iter().map(|solver| format!("`--solver {}`", solver.name())).collect();
            ensure!(!is_set || solvers.contains(&self.solver), "only {} has {option}", names.join(" or "));
        }
        ensure!(
            self.solver != Method::Mcts || self.memory <= MOST_MCTS_MIB,
            "--memory: `--solver mcts` uses {MOST_MCTS_MIB} MiB at most"
        );
        Ok(())
    }

    fn solver(&self) -> Result<Box<dyn Solver<Board>>> {
        self.check()?;
        let config = self.config();
        Ok(solver(match self.solver {
            Method::Pns if self.threads == NonZeroUsize::MIN => solvers::Method::ProofNumbers(config),
            Method::Pns => solvers::Method::ParallelProofNumbers(config, self.threads),
            Method::AlphaBeta => solvers::Method::AlphaBeta,
            Method::PnsTable => solvers::Method::DfPn(config, self.copies),
            Method::Mcts => {
                let params = Params::preset(&self.player).context("--player")?;
                solvers::Method::MonteCarlo(Box::new(params), self.seed)
            }
        }))
    }
}

/// Runs the command.
pub(crate) fn run(args: &SolveArgs) -> Result<()> {
    let position = Position::read(args)?;
    let mut solver = args.solver()?;
    let limits = Limits {
        nodes: args.nodes.unwrap_or(u64::MAX),
        memory: (args.memory as usize).saturating_mul(1 << 20),
        cpu: Duration::MAX,
    };
    let stop = CancellationToken::new();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    runtime.block_on(async { crate::signals::stop_on_signals(stop.clone()) })?;

    let began = Instant::now();
    let mut report = Report::new(began);
    let mut out_of_time = false;
    let solution = solver.solve(&position.board, &limits, &mut |progress| {
        report.show(progress);
        out_of_time = args.seconds.is_some_and(|seconds| began.elapsed().as_secs_f64() >= seconds);
        if out_of_time || stop.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let wall = began.elapsed();
    report.clear();
    runtime.shutdown_background();
    let stopped = solution.stopped.map(|stop| if out_of_time { Stop::Time } else { stop });
    let found = SolvedPosition { position: &position, solution: Solution { stopped, ..solution }, wall };
    print(&if args.json { found.json(args) } else { found.text() })
}

/// The position to solve.
struct Position {
    board: Board,
    moves: Vec<Cell>,
    notation: Notation,
    /// After a swap the players' names are exchanged.
    swapped: bool,
}

impl Position {
    fn read(args: &SolveArgs) -> Result<Self> {
        let notation = if args.grid { Notation::Grid } else { Notation::Gui };
        let (source, bytes) = match &args.moves[..] {
            [name] if Path::new(name).exists() => {
                (name.as_str(), std::fs::read(name).with_context(|| format!("cannot read {name}"))?)
            }
            // The name of a cell contains neither a dot nor a slash.
            [name] if name.contains(['.', '/', '\\']) && !name.contains(char::is_whitespace) => {
                bail!("there is no file {name}")
            }
            words => ("the moves", words.join(" ").into_bytes()),
        };
        let plies = args.plies.unwrap_or(usize::MAX);
        let number = args.game;
        // No list of moves has a parenthesis.
        let (size, moves, swapped) = if bytes.contains(&b'(') {
            let games = Collection::read(&bytes).with_context(|| source.to_owned())?;
            let count = games.count();
            ensure!(number <= count, "--game {number}: {source} has {}", counted(count as u64, "game"));
            if count > 1 {
                eprintln!(
                    "{source} has {count} games: game {number} is solved, and --game N chooses another"
                );
            }
            let game = games.game(number, notation).with_context(|| source.to_owned())?;
            let turns = || game.main_line().map(|(_, turn)| turn).take(plies);
            let stone = |turn| if let Move::Stone(cell) = turn { Some(cell) } else { None };
            let moves: Vec<Cell> = turns().filter_map(stone).collect();
            let swapped = turns().any(|turn| turn == Move::Swap);
            if args.size.is_some_and(|size| size != game.size()) {
                bail!("the game file is of size {}", game.size());
            }
            (game.size(), moves, swapped)
        } else {
            ensure!(
                number == 1,
                "--game {number}: {source} is a list of moves, and not a file of several games"
            );
            let text = engine::sgf::decode(&bytes).with_context(|| source.to_owned())?;
            let Some(size) = args.size else { bail!("a list of moves needs a board: give --size") };
            let mut moves = notation.read_list(size, &text).with_context(|| source.to_owned())?;
            moves.truncate(plies);
            (size, moves, false)
        };
        let mut board = Board::new(size);
        for (ply, &cell) in moves.iter().enumerate() {
            board.play(cell).with_context(|| format!("{source}: move {} is illegal", ply + 1))?;
        }
        Ok(Self { board, moves, notation, swapped })
    }

    fn player(&self, side: Side) -> Side {
        if self.swapped { side.other() } else { side }
    }

    fn to_move(&self) -> Side {
        self.player(self.board.to_move())
    }
}

/// The result.
struct SolvedPosition<'a> {
    position: &'a Position,
    solution: Solution,
    wall: Duration,
}

impl SolvedPosition<'_> {
    /// The winner's name or `draw`, if known.
    fn outcome(&self) -> Option<String> {
        let proven = self.solution.proven;
        proven.is_solved().then(|| proven.as_seen_by(self.position.to_move()).to_string())
    }

    fn best(&self) -> Option<String> {
        let size = self.position.board.size();
        let cell = size.iter_cells().nth(self.solution.best?.into())?;
        Some(self.position.notation.write(size, cell))
    }

    fn nodes_per_second(&self) -> f64 {
        self.solution.nodes as f64 / self.wall.as_secs_f64().max(1e-6)
    }

    fn text(&self) -> String {
        let Solution { proven, stopped, depth, nodes, cpu, .. } = self.solution;
        let mut out = String::new();
        let mut line = |name: &str, value: String| {
            writeln!(out, "{name:<10} {value}").expect("a string takes everything");
        };
        line("outcome", self.outcome().unwrap_or_else(|| "unknown".to_owned()));
        let mover = self.position.to_move();
        let gave_up = || stopped.map_or_else(String::new, |stop| format!("given up: {stop}"));
        let sentence = match proven {
            _ if self.position.board.outcome().is_some() => "the game is over".to_owned(),
            ProvenOutcome::Win => format!("{mover}, to move, wins"),
            ProvenOutcome::Loss => format!("{mover}, to move, loses"),
            ProvenOutcome::Draw => format!("{mover}, to move, can force no more than a draw, and no less"),
            ProvenOutcome::AtMostDraw => format!("{}; {mover}, to move, does not win", gave_up()),
            ProvenOutcome::AtLeastDraw => format!("{}; {mover}, to move, does not lose", gave_up()),
            ProvenOutcome::Unknown => gave_up(),
        };
        line("", sentence);
        line("best move", self.best().unwrap_or_else(|| "none".to_owned()));
        line("depth", format!("{depth} plies"));
        line("nodes", HumanCount(nodes).to_string());
        line("speed", format!("{} nodes/s", HumanCount(self.nodes_per_second() as u64)));
        line("time", format!("{:.2} s ({:.2} s of CPU)", self.wall.as_secs_f64(), cpu.as_secs_f64()));
        out
    }

    fn json(&self, args: &SolveArgs) -> String {
        let Solution { proven, stopped, depth, nodes, cpu, .. } = self.solution;
        let Position { board, moves, notation, .. } = self.position;
        let word = |half_points: u8| ["loss", "draw", "win"][usize::from(half_points)];
        let value = json!({
            "size": board.size(),
            "moves": notation.write_list(board.size(), moves),
            "to_move": self.position.to_move(),
            "solver": args.solver.name(),
            "outcome": self.outcome(),
            "at_least": word(proven.least()),
            "at_most": word(proven.most()),
            "stopped": stopped.map(|stop| stop.to_string()),
            "best_move": self.best(),
            "depth": depth,
            "nodes": nodes,
            "nodes_per_second": self.nodes_per_second(),
            "seconds": self.wall.as_secs_f64(),
            "cpu_seconds": cpu.as_secs_f64(),
        });
        format!("{value:#}\n")
    }
}

/// Progress on standard error: a changing line on a terminal, otherwise a line now and then.
struct Report {
    began: Instant,
    bar: ProgressBar,
    next: Duration,
}

impl Report {
    fn new(began: Instant) -> Self {
        let bar = crate::logging::bars().add(ProgressBar::new_spinner());
        Self { began, bar, next: Duration::from_millis(500) }
    }

    fn show(&mut self, progress: &Progress) {
        let elapsed = self.began.elapsed();
        if elapsed < self.next {
            return;
        }
        let numbers = match progress.numbers {
            Some((proof, disproof)) => format!(", proof {proof}, disproof {disproof}"),
            None => String::new(),
        };
        let line = format!(
            "{:.0} s, {} nodes, {:.1} million/s, depth {}{numbers}",
            elapsed.as_secs_f64(),
            HumanCount(progress.nodes),
            progress.nodes as f64 / elapsed.as_secs_f64() / 1e6,
            progress.depth,
        );
        if std::io::stderr().is_terminal() {
            self.next = elapsed + Duration::from_millis(200);
            self.bar.set_message(line);
            self.bar.tick();
        } else {
            self.next = elapsed + Duration::from_secs(5);
            eprintln!("{line}");
        }
    }

    fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct SolveLine {
        #[command(flatten)]
        args: SolveArgs,
    }

    fn read(line: &[&str]) -> Result<Position> {
        Position::read(&SolveLine::try_parse_from([&["solve"], line].concat())?.args)
    }

    #[test]
    fn moves_come_as_words_as_one_word_or_in_a_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).expect("written");
            path.to_str().expect("a name").to_owned()
        };
        let list = file("list.txt", "a1 g4\na2\n");
        let sgf = file("game.sgf", "(;FF[4]SZ[4];W[a1];B[g4];W[a2])");
        for line in [
            &["--size", "4", "a1", "g4", "a2"][..],
            &["--size", "4", "a1 g4 a2"],
            &["--size", "4", &list],
            &[&sgf],
            &["--size", "4", "--grid", "a1 g1 a2"],
            &["--size", "4", "--moves", "3", "a1 g4 a2 g5 a3"],
        ] {
            let position = read(line).unwrap_or_else(|error| panic!("{line:?}: {error:#}"));
            assert_eq!(
                Notation::Gui.write_list(position.board.size(), &position.moves),
                "a1 g4 a2",
                "{line:?}"
            );
            assert_eq!(position.to_move(), Side::Black);
        }
    }

    #[test]
    fn a_swap_is_one_of_the_moves_of_a_game_file() {
        let game = "(;FF[4]SZ[4];W[a1];B[swap];W[g4];B[a2])";
        for (plies, stones, to_move) in
            [("1", 1, Side::Black), ("2", 1, Side::White), ("3", 2, Side::Black), ("9", 3, Side::White)]
        {
            let position = read(&["--moves", plies, game]).expect("a game");
            assert_eq!((position.moves.len(), position.to_move()), (stones, to_move), "{plies}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_refused_with_the_reason() {
        for (line, reason) in [
            (&["a1"][..], "--size"),
            (&["--size", "4", "a9"], "row `a` has a1 to a4"),
            (&["--size", "4", "a1", "a1"], "move 2 is illegal"),
            (&["--size", "11"], "there are 3 to 10"),
            (&["no-such-file.sgf"], "there is no file no-such-file.sgf"),
            (&["--size", "4", "no-such-file.sgf"], "there is no file"),
        ] {
            let Err(error) = read(line) else { panic!("{line:?} is refused") };
            assert!(format!("{error:#}").contains(reason), "{line:?}: {error:#}");
        }
    }
}
