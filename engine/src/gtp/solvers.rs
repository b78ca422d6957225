//! The solvers of a session and their configuration.

use super::arguments::{switch, whole};
use super::refusal::Refusal;
use crate::havannah::{Board, BoardSize};
use crate::side::Side;
use crate::solver::{DfPn, LeafInitialisation, Lookahead, MoveFindings, ProofNumberConfig, Solver};
use crate::solvers::{self, solver};
use std::num::NonZeroUsize;
use std::time::Duration;

/// The solvers that keep nothing from one position to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Method {
    AlphaBeta,
    Tree,
    Threads,
    Table,
}

/// A solver, or the player's own search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SolveBy {
    Solver(Method),
    Player,
}

impl SolveBy {
    pub(super) fn named(word: &str) -> Option<Self> {
        Some(match word.to_ascii_lowercase().as_str() {
            "ab" | "alpha-beta" => SolveBy::Solver(Method::AlphaBeta),
            "pns" => SolveBy::Solver(Method::Tree),
            "pns2" => SolveBy::Solver(Method::Threads),
            "pnstt" | "pns-table" => SolveBy::Solver(Method::Table),
            "player" | "mcts" => SolveBy::Player,
            _ => return None,
        })
    }
}

impl Method {
    /// The options of its `params` command.
    pub(super) const fn options(self) -> &'static [char] {
        match self {
            Method::AlphaBeta => &['m', 's'],
            Method::Tree => &['m', 'a', 'l', 'e', 'd', 's'],
            Method::Threads => &['m', 'a', 'l', 'e', 'd', 's', 't'],
            Method::Table => &['m', 'a', 'l', 'e', 's', 'c'],
        }
    }

    pub(super) const fn command(self) -> &'static str {
        match self {
            Method::AlphaBeta => "ab_params",
            Method::Tree => "pns_params",
            Method::Threads => "pns2_params",
            Method::Table => "pnstt_params",
        }
    }
}

/// A solver's configuration and its last result.
#[derive(Debug, Clone)]
pub(super) struct Setup {
    pub(super) memory_mib: u32,
    config: ProofNumberConfig,
    threads: NonZeroUsize,
    copies: u16,
    pub(super) last: Option<Findings>,
}

impl Setup {
    pub(super) fn solver(&self, method: Method) -> Box<dyn Solver<Board>> {
        let config = self.config;
        solver(match method {
            Method::AlphaBeta => solvers::Method::AlphaBeta,
            Method::Tree => solvers::Method::ProofNumbers(config),
            Method::Threads => solvers::Method::ParallelProofNumbers(config, self.threads),
            Method::Table => solvers::Method::DfPn(config, self.copies),
        })
    }

    /// One option as a line.
    pub(super) fn shown(&self, option: char) -> String {
        let Self { memory_mib, config, threads, copies, .. } = self;
        match option {
            'm' => format!("memory {memory_mib}"),
            'a' => format!("lookahead {}", config.lookahead as u8),
            'l' => format!("fresh {}", LEAF.iter().position(|&fresh| fresh == config.leaf).unwrap_or(0)),
            'e' => format!("epsilon {}", config.epsilon),
            'd' => format!("thresholds {}", u8::from(config.thresholds)),
            't' => format!("threads {threads}"),
            'c' => format!("copies {copies}"),
            _ => "credit 0".into(),
        }
    }

    pub(super) fn set(&mut self, option: char, text: &str) -> Result<(), Refusal> {
        let whole = |what, range: std::ops::RangeInclusive<u32>| whole(what, text, range);
        match option {
            'm' => self.memory_mib = whole("memory in MiB", 1..=1 << 20)?,
            'a' => {
                let plies = [Lookahead::Move, Lookahead::Reply, Lookahead::Threats];
                self.config.lookahead = plies[whole("lookahead", 0..=2)? as usize];
            }
            'l' => self.config.leaf = LEAF[whole("kind of fresh numbers", 0..=2)? as usize],
            'e' => {
                self.config.epsilon = match text.parse() {
                    Ok(number) if (0.0..=100.0).contains(&number) => number,
                    _ => return Err(Refusal::value("epsilon", text, "a number from 0 to 100")),
                }
            }
            'd' => self.config.thresholds = switch(text)?,
            't' => {
                let threads = whole("number of threads", 1..=256)?;
                self.threads = NonZeroUsize::new(threads as usize).expect("at least 1");
            }
            'c' => self.copies = whole("number of copies", 0..=1000)? as u16,
            // Castro can count draws as wins of one side.
            _ if text == "0" => {}
            _ => return Err(Refusal::value("side to credit draws to", text, "0: draws are draws")),
        }
        Ok(())
    }
}

/// What a solver found out about the moves of a position.
#[derive(Debug, Clone)]
pub(super) struct Findings {
    pub(super) size: BoardSize,
    /// The player who makes them.
    pub(super) mover: Side,
    pub(super) moves: Vec<MoveFindings>,
}

/// The leaf initialisations by their number in `-l`.
const LEAF: [LeafInitialisation; 3] =
    [LeafInitialisation::Mobility, LeafInitialisation::Distance, LeafInitialisation::Equal];

/// The solvers of a session.
#[derive(Debug, Clone)]
pub(super) struct Solvers {
    /// The limits of a command that names none: time, and nodes or simulations (0 for no limit).
    pub(super) time: Duration,
    pub(super) nodes: u64,
    /// By method.
    pub(super) setups: [Setup; 4],
}

impl Solvers {
    /// Forgets what the solvers found.
    pub(super) fn forget(&mut self) {
        self.setups.iter_mut().for_each(|setup| setup.last = None);
    }
}

impl Default for Solvers {
    fn default() -> Self {
        let setup = Setup {
            memory_mib: 100,
            config: ProofNumberConfig::default(),
            threads: NonZeroUsize::new(2).expect("not 0"),
            copies: DfPn::COPIES,
            last: None,
        };
        Self { time: Duration::from_secs(60), nodes: 0, setups: std::array::from_fn(|_| setup.clone()) }
    }
}
