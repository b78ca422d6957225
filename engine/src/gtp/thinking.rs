//! Commands about thinking: how long, and what came of it.

use super::clock::Limits;
use super::commands::Reply;
use super::position::colour;
use super::refusal::{Refusal, excerpt};
use super::settings::read_switch;
use super::{Session, TurnError};
use crate::game::Game;
use crate::havannah::{Board, Cell};
use crate::rng::mix;
use crate::search::{Search, Thought};
use crate::selfplay::{Budget, Claim};
use crate::sgf::Move;
use crate::side::Side;
use std::time::Duration;

/// Longest time taken seriously, in seconds.
const LONGEST: f64 = 1e9;

/// How many simulations are made between looks at the time, where both are limited.
const SIMS_PER_LOOK: u64 = 64;

fn seconds(text: &str) -> Result<Duration, Refusal> {
    match text.parse::<f64>() {
        Ok(number) if (0.0..=LONGEST).contains(&number) => Ok(Duration::from_secs_f64(number)),
        _ => Err(Refusal::value("time", text, "seconds from 0 to 1000000000")),
    }
}

/// Thinks within one limit or two.
fn think(search: &mut Search<Board>, limits: Limits) -> Thought {
    let (time, sims) = match limits {
        Limits { time: Some(time), sims: Some(sims) } => (time, sims),
        Limits { time: Some(time), sims: None } => return search.think(Budget::CpuTime(time)),
        Limits { time: None, sims } => return search.think(Budget::Sims(sims.unwrap_or(1))),
    };
    let mut thought = search.think(Budget::Sims(SIMS_PER_LOOK.min(sims)));
    while thought.claim == Claim::None && thought.sims < sims && thought.cpu < time {
        let more = search.think(Budget::Sims(SIMS_PER_LOOK.min(sims - thought.sims)));
        if more.sims == 0 {
            break;
        }
        thought = Thought { sims: thought.sims + more.sims, cpu: thought.cpu + more.cpu, ..more };
    }
    thought
}

/// At most six decimals, and no zeros at the end.
fn decimals(x: f32) -> String {
    let text = format!("{x:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

impl Session {
    fn outcome_word(&self, claim: Claim) -> &'static str {
        let player = |side| match self.play.player(side) {
            Side::White => "white",
            Side::Black => "black",
        };
        match claim {
            Claim::None => "none",
            Claim::Draw => "draw",
            Claim::White => player(Side::White),
            Claim::Black => player(Side::Black),
        }
    }

    pub(super) fn genmove(&mut self, arguments: &[&str]) -> Reply {
        let (player, time) = match arguments {
            [] => (None, None),
            [player] => (Some(colour(player)?), None),
            [player, time] => (Some(colour(player)?), Some(seconds(time)?)),
            _ => return Err(Refusal::Arguments),
        };
        if self.play.ending().is_some() {
            return Ok("resign".into());
        }
        let mover = self.play.to_move();
        if player.is_some_and(|player| player != mover) {
            return Err(TurnError::NotYourTurn(mover).into());
        }
        let mut limits = self.clock.limits(mover, self.play.board().open_count());
        limits.time = time.or(limits.time);

        let search = self.search.get_or_insert_with(|| {
            self.searches += 1;
            let seed = mix(self.seed).wrapping_add(self.searches);
            Search::new(self.play.board().clone(), &self.params, seed)
        });
        let nodes_before = search.nodes();
        let thought = think(search, limits);
        self.clock.charge(mover, thought.cpu);

        // Whoever would rather be in the opponent's place swaps.
        let swaps = self.may_swap && self.play.is_time_to_swap() && thought.value < 0.5;
        let (turn, value) = if swaps {
            (Move::Swap, 1.0 - thought.value)
        } else {
            (Move::Stone(Cell(thought.slot)), thought.value)
        };
        let word = self.write_move(turn);
        self.take(turn)?;
        let outcome = self.outcome_word(thought.claim);
        self.note(1, || {
            let (value, cpu) = (decimals(value), thought.cpu.as_secs_f64());
            let (sims, nodes) = (thought.sims, thought.nodes);
            format!("{mover} {word}: value {value}, outcome {outcome}, {sims} simulations, {nodes} nodes, {cpu:.3} s CPU")
        });
        let expected = self.expected_line();
        self.note(2, || format!("expected: {expected}"));
        if !self.extended {
            return Ok(word);
        }
        let grown = thought.nodes as i64 - nodes_before as i64;
        Ok(format!("{word} {} {outcome} {} {grown}", decimals(value), thought.sims))
    }

    fn expected_line(&self) -> String {
        let line = self.search.as_ref().map(Search::principal_variation).unwrap_or_default();
        let words: Vec<String> =
            line.into_iter().map(|slot| self.write_move(Move::Stone(Cell(slot)))).collect();
        words.join(" ")
    }

    pub(super) fn pv(&mut self, _: &[&str]) -> Reply {
        Ok(self.expected_line())
    }

    pub(super) fn move_stats(&mut self, arguments: &[&str]) -> Reply {
        let size = self.play.size();
        let path = arguments
            .iter()
            .map(|word| self.notation.read(size, word).map(|cell| cell.0))
            .collect::<Result<Vec<u16>, _>>()?;
        let children = self.search.as_ref().map(|search| search.children(&path)).unwrap_or_default();
        let line = |child: &crate::search::ChildStats| {
            let word = self.write_move(Move::Stone(Cell(child.slot)));
            format!("{word} {} {} {}", child.playouts, decimals(child.value), self.outcome_word(child.claim))
        };
        Ok(children.iter().map(line).collect::<Vec<_>>().join("\n"))
    }

    pub(super) fn solve(&mut self, _: &[&str]) -> Reply {
        Err(Refusal::NoSolver)
    }

    pub(super) fn time(&mut self, arguments: &[&str]) -> Reply {
        let mut clock = self.clock.clone();
        if arguments.is_empty() {
            let (remaining, time) = (clock.remaining, |time: Duration| decimals(time.as_secs_f32()));
            return Ok(format!(
                "move {}\ngame {}\nremaining {} {}\nsims {}\nflexible {}\nevenness {}",
                time(clock.per_move),
                time(clock.game),
                time(remaining.white),
                time(remaining.black),
                clock.sims,
                u8::from(clock.flexible),
                clock.evenness
            ));
        }
        let mut rest = arguments.iter();
        while let Some(&name) = rest.next() {
            let value = || rest.next().copied().ok_or_else(|| Refusal::OptionValue { name: excerpt(name) });
            read_time_option(&mut clock, name, value)?;
        }
        self.clock = clock;
        Ok(String::new())
    }

    pub(super) fn time_settings(&mut self, arguments: &[&str]) -> Reply {
        let &[main, byo_yomi, stones] = arguments else { return Err(Refusal::Arguments) };
        let (main, byo_yomi, stones) = (seconds(main)?, seconds(byo_yomi)?, count(stones)?);
        let unlimited = stones == 0 && !byo_yomi.is_zero();
        self.clock.game = if unlimited { Duration::ZERO } else { main };
        self.clock.per_move = if stones == 0 { Duration::ZERO } else { byo_yomi / stones };
        self.clock.restart();
        Ok(String::new())
    }

    pub(super) fn time_left(&mut self, arguments: &[&str]) -> Reply {
        let &[player, time, stones] = arguments else { return Err(Refusal::Arguments) };
        let (player, time, stones) = (colour(player)?, seconds(time)?, count(stones)?);
        if stones == 0 {
            self.clock.remaining[player] = time;
        } else {
            self.clock.remaining[player] = Duration::ZERO;
            self.clock.per_move = time / stones;
        }
        Ok(String::new())
    }
}

fn count(text: &str) -> Result<u32, Refusal> {
    text.parse().map_err(|_| Refusal::value("number of stones", text, "a whole number"))
}

fn read_time_option<'a>(
    clock: &mut super::Clock,
    name: &str,
    value: impl FnOnce() -> Result<&'a str, Refusal>,
) -> Result<(), Refusal> {
    match name.to_ascii_lowercase().as_str() {
        "-m" | "--move" => clock.per_move = seconds(value()?)?,
        "-g" | "--game" => {
            clock.game = seconds(value()?)?;
            clock.restart();
        }
        "-r" | "--remain" => {
            let time = seconds(value()?)?;
            clock.remaining = crate::side::BySide { white: time, black: time };
        }
        "-i" | "--sims" => {
            let text = value()?;
            clock.sims = text.parse().map_err(|_| {
                Refusal::value("number of simulations", text, "a whole number, 0 for no limit")
            })?;
        }
        "-f" | "--flexible" => clock.flexible = read_switch(value()?)?,
        "-e" | "--even" => {
            let text = value()?;
            clock.evenness = match text.parse() {
                Ok(factor) if (0.01..=100.0).contains(&factor) => factor,
                _ => return Err(Refusal::value("factor", text, "a number from 0.01 to 100")),
            };
        }
        _ => {
            let options = "-m, -g, -r, -i, -f and -e".into();
            return Err(Refusal::Option { command: "time", name: excerpt(name), options });
        }
    }
    Ok(())
}
