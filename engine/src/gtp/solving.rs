//! Commands that solve the position: one for each solver, and one that takes the solver's name.

use super::arguments::{seconds, whole_with_note};
use super::clock;
use super::refusal::{Refusal, Reply};
use super::session::Session;
use super::solvers::{Findings, Method, SolveBy};
use super::text::decimals;
use super::thinking::think;
use crate::havannah::{Board, Cell};
use crate::search::{Game, ProvenOutcome};
use crate::sgf::Move;
use crate::side::Side;
use crate::solver::{INFINITE, Limits, MoveFindings, Solution};
use crate::spelling::excerpt;
use std::ops::ControlFlow;
use std::time::Duration;

/// What is known of a position, as a command answers it.
#[derive(Debug, Clone)]
struct Answer {
    outcome: String,
    best: String,
    depth: u16,
    /// Nodes, or simulations of the player.
    nodes: u64,
}

impl std::fmt::Display for Answer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {} {} {}", self.outcome, self.best, self.depth, self.nodes)
    }
}

/// A solver's word for an outcome from the view of `mover`.
fn outcome_word(proven: ProvenOutcome, mover: Side) -> String {
    match proven {
        ProvenOutcome::Unknown => "unknown".to_owned(),
        known => known.as_seen_by(mover).to_string(),
    }
}

impl Session {
    pub(super) fn solve(&mut self, arguments: &[&str]) -> Reply {
        match arguments {
            [name, limits @ ..] if name.parse::<f64>().is_err() => match SolveBy::named(name) {
                Some(SolveBy::Solver(method)) => self.solve_by(method, limits),
                Some(SolveBy::Player) => self.player_solve(limits),
                None => Err(Refusal::value("solver", name, "ab, pns, pns2, pnstt or player")),
            },
            limits => self.solve_by(Method::Table, limits),
        }
    }

    pub(super) fn solve_by(&mut self, method: Method, arguments: &[&str]) -> Reply {
        let (time, nodes) = self.solve_limits_of(arguments)?;
        if let Some(answer) = self.known_without_search() {
            return Ok(answer.to_string());
        }
        let (solution, moves) = self.prove(method, self.play.board(), time, nodes);
        let answer = self.answer_of(&solution);
        let (cpu, nodes) = (solution.cpu.as_secs_f64(), solution.nodes);
        self.note(1, || match solution.stopped {
            None => format!("solved: {nodes} nodes, {cpu:.3} s CPU"),
            Some(stop) => format!("given up ({stop}): {nodes} nodes, {cpu:.3} s CPU"),
        });
        let (size, mover) = (self.play.size(), self.play.to_move());
        self.solvers.setups[method as usize].last = Some(Findings { size, mover, moves });
        Ok(answer.to_string())
    }

    fn prove(
        &self,
        method: Method,
        board: &Board,
        time: Duration,
        nodes: u64,
    ) -> (Solution, Vec<MoveFindings>) {
        let setup = &self.solvers.setups[method as usize];
        let limits = Limits {
            nodes: if nodes == 0 { u64::MAX } else { nodes },
            memory: (setup.memory_mib as usize) << 20,
            cpu: time,
        };
        setup.solver(method).solve_with_moves(board, &limits, &mut |_| ControlFlow::Continue(()))
    }

    /// Solves by the player's search, without taking a turn.
    pub(super) fn player_solve(&mut self, arguments: &[&str]) -> Reply {
        let (mut time, mut sims) = self.solve_limits_of(arguments)?;
        if let Some(answer) = self.known_without_search() {
            return Ok(answer.to_string());
        }
        // The player's clock limits what the command does not name, as it limits a move.
        let (mover, limits) = (self.play.to_move(), self.clock_limits());
        if arguments.is_empty() && self.clock.is_timed() {
            time = limits.time.map_or(time, |limit| limit.min(time));
        }
        if arguments.len() < 2 {
            sims = [limits.sims.unwrap_or(0), sims].into_iter().filter(|&sims| sims > 0).min().unwrap_or(0);
        }
        let mut search = match self.search.take() {
            Some(search) => search,
            None => self.new_search(),
        };
        let limits = clock::Limits { time: Some(time), sims: (sims > 0).then_some(sims) };
        let result = think(&mut search, limits);
        self.clock.charge_thought(mover, result.cpu);
        let depth = u16::try_from(search.principal_variation().len()).unwrap_or(u16::MAX);
        let proven = search.claim().as_seen_by(self.play.board().to_move());
        self.search = Some(search);
        let solution = Solution {
            proven,
            stopped: None,
            best: Some(result.slot),
            depth,
            nodes: result.sims,
            cpu: result.cpu,
        };
        Ok(self.answer_of(&solution).to_string())
    }

    /// What the player's search has proven so far.
    pub(super) fn player_solved(&mut self, _: &[&str]) -> Reply {
        if let Some(answer) = self.known_without_search() {
            return Ok(answer.outcome);
        }
        let claim = self.search.as_ref().map_or(ProvenOutcome::Unknown, |search| search.claim());
        Ok(self.position_word(claim))
    }

    /// Asks a solver to confirm everything that the player's search has proven of the position and its moves.
    pub(super) fn player_confirm(&mut self, arguments: &[&str]) -> Reply {
        let (time, nodes) = self.solve_limits_of(arguments)?;
        let Some(search) = &self.search else { return Ok(String::new()) };
        let position = format!("position {}", self.position_word(search.claim()));
        let mut claims = vec![(position, search.claim(), self.play.board().clone())];
        for child in search.children(&[]) {
            let mut after = self.play.board().clone();
            after.play_slot(child.slot);
            let word = self.write_move(Move::Stone(Cell(child.slot)));
            claims.push((format!("{word} {}", self.outcome_word(child.claim)), child.claim, after));
        }
        claims.retain(|(_, claim, _)| *claim != ProvenOutcome::Unknown);
        let mut left = time;
        let lines = claims.iter().map(|(told, claim, board)| {
            let proven = if left.is_zero() {
                ProvenOutcome::Unknown
            } else {
                let (solution, _) = self.prove(Method::Table, board, left, nodes);
                left = left.saturating_sub(solution.cpu);
                solution.proven
            };
            let found = if !proven.is_solved() {
                "unknown"
            } else if claim.as_seen_by(board.to_move()).includes(proven) {
                "confirmed"
            } else {
                "refuted"
            };
            format!("{told} {found}")
        });
        Ok(lines.collect::<Vec<_>>().join("\n"))
    }

    pub(super) fn solve_limits(&mut self, arguments: &[&str]) -> Reply {
        let (time, nodes) = self.solve_limits_of(arguments)?;
        if arguments.is_empty() {
            return Ok(format!("{} {nodes}", decimals(time.as_secs_f32())));
        }
        (self.solvers.time, self.solvers.nodes) = (time, nodes);
        Ok(String::new())
    }

    /// The limits that a command names; the session's limits replace the others.
    fn solve_limits_of(&self, arguments: &[&str]) -> Result<(Duration, u64), Refusal> {
        let (time, nodes) = match arguments {
            [] => (None, None),
            [time] => (Some(time), None),
            [time, nodes] => (Some(time), Some(nodes)),
            _ => return Err(Refusal::Arguments),
        };
        let time = time.map_or(Ok(self.solvers.time), |text| seconds(text))?;
        let count = |text: &&str| whole_with_note("number of nodes", text, 0..=u64::MAX, ", 0 for no limit");
        Ok((time, nodes.map_or(Ok(self.solvers.nodes), count)?))
    }

    pub(super) fn solver_params(&mut self, method: Method, arguments: &[&str]) -> Reply {
        let setup = &mut self.solvers.setups[method as usize];
        let options = method.options();
        if arguments.is_empty() {
            let lines = options.iter().map(|&option| setup.shown(option));
            return Ok(lines.collect::<Vec<_>>().join("\n"));
        }
        let mut changed = setup.clone();
        for pair in arguments.chunks(2) {
            let &[name, value] = pair else {
                return Err(Refusal::OptionValue { name: excerpt(pair[0]) });
            };
            let known = options.iter().find(|option| name.strip_prefix('-') == Some(&option.to_string()));
            let Some(&option) = known else {
                let options =
                    options.iter().map(|option| format!("-{option}")).collect::<Vec<_>>().join(", ");
                return Err(Refusal::Option { command: method.command(), name: excerpt(name), options });
            };
            changed.set(option, value)?;
        }
        *setup = changed;
        Ok(String::new())
    }

    pub(super) fn solver_stats(&mut self, method: Method, _: &[&str]) -> Reply {
        let Some(Findings { size, mover, moves }) = &self.solvers.setups[method as usize].last else {
            return Ok(String::new());
        };
        let line = |found: &MoveFindings| {
            let cell = self.notation.write(*size, Cell(found.slot));
            let outcome = outcome_word(found.proven, *mover);
            let effort = |number: u32| if number >= INFINITE { "inf".into() } else { number.to_string() };
            let numbers = found.numbers.map(|(phi, delta)| format!(" {} {}", effort(phi), effort(delta)));
            let numbers = numbers.unwrap_or_default();
            format!("{cell} {outcome} {}{numbers}", found.work)
        };
        Ok(moves.iter().map(line).collect::<Vec<_>>().join("\n"))
    }

    pub(super) fn solver_clear(&mut self, method: Method, _: &[&str]) -> Reply {
        self.solvers.setups[method as usize].last = None;
        Ok(String::new())
    }

    /// The answer for a finished game, and for an empty board with the swap rule.
    fn known_without_search(&self) -> Option<Answer> {
        let answer = |outcome: String| Answer { outcome, best: "none".into(), depth: 0, nodes: 0 };
        let names = |side: Side| outcome_word(ProvenOutcome::Win, side);
        if let Some(ending) = self.play.ending() {
            return Some(answer(ending.winner().map_or("draw".into(), names)));
        }
        // Whatever the first stone is, black takes the better side.
        let first = self.may_swap && self.play.turns().is_empty();
        first.then(|| Answer { best: "unknown".into(), ..answer("black_or_draw".into()) })
    }

    /// Whether the player to move may take the other side.
    fn can_swap(&self) -> bool {
        self.may_swap && self.play.is_time_to_swap()
    }

    /// What an outcome for the player to move means for that player, who may be able to swap, and so to choose the better of both
    /// sides.
    fn with_swap(&self, own: ProvenOutcome) -> ProvenOutcome {
        if self.can_swap() { own.better(own.inverted()) } else { own }
    }

    /// The word for a proof of the position from White's view.
    fn position_word(&self, claim: ProvenOutcome) -> String {
        let mover = self.play.board().to_move();
        self.outcome_word(self.with_swap(claim.as_seen_by(mover)).as_seen_by(mover))
    }

    /// The answer for a solution of the position.
    fn answer_of(&self, solution: &Solution) -> Answer {
        let Solution { proven, depth, nodes, .. } = *solution;
        let best = match proven {
            ProvenOutcome::Loss if self.can_swap() => self.write_move(Move::Swap),
            ProvenOutcome::Loss => "none".to_owned(),
            unsolved if !unsolved.is_solved() => "unknown".to_owned(),
            _ => solution.best.map_or("none".into(), |slot| self.write_move(Move::Stone(Cell(slot)))),
        };
        let outcome = outcome_word(self.with_swap(proven), self.play.to_move());
        Answer { outcome, best, depth, nodes }
    }
}
