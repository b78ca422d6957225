//! Commands about how long to think.

use super::Session;
use super::clock::Clock;
use super::commands::Reply;
use super::position::colour;
use super::refusal::{Refusal, excerpt};
use super::settings::read_switch;
use super::thinking::decimals;
use crate::side::BySide;
use std::time::Duration;

/// Longest time taken seriously, in seconds.
const LONGEST: f64 = 1e9;

/// Reads a time.
pub(super) fn seconds(text: &str) -> Result<Duration, Refusal> {
    match text.parse::<f64>() {
        Ok(number) if (0.0..=LONGEST).contains(&number) => Ok(Duration::from_secs_f64(number)),
        _ => Err(Refusal::value("time", text, "seconds from 0 to 1000000000")),
    }
}

impl Session {
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
    clock: &mut Clock,
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
            clock.remaining = BySide { white: time, black: time };
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
