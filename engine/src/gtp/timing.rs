//! Commands that set the time for thinking.

use super::arguments::{colour, seconds, switch, whole, whole_with_note};
use super::clock::{Clock, Share};
use super::refusal::{Refusal, Reply};
use super::session::Session;
use super::text::decimals;
use crate::side::BySide;
use crate::spelling::excerpt;
use std::iter::Peekable;
use std::time::Duration;

impl Session {
    pub(super) fn time(&mut self, arguments: &[&str]) -> Reply {
        let mut clock = self.clock.clone();
        if arguments.is_empty() {
            let (left, time) = (clock.left, |time: Duration| decimals(time.as_secs_f32()));
            return Ok(format!(
                "move {}\ngame {}\nremaining {} {}\nbyo_yomi {} {}\nsims {}\nflexible {}\n{}",
                time(clock.per_move),
                time(clock.game),
                time(left.game.white),
                time(left.game.black),
                time(left.byo_yomi.white),
                time(left.byo_yomi.black),
                clock.sims,
                u8::from(clock.flexible),
                clock.share
            ));
        }
        let mut rest = arguments.iter().copied().peekable();
        while let Some(name) = rest.next() {
            read_time_option(&mut clock, name, &mut rest)?;
        }
        self.clock = clock;
        Ok(String::new())
    }

    pub(super) fn time_settings(&mut self, arguments: &[&str]) -> Reply {
        let &[main, byo_yomi, stones] = arguments else { return Err(Refusal::Arguments) };
        let (main, byo_yomi, stones) = (seconds(main)?, seconds(byo_yomi)?, count(stones)?);
        let unlimited = stones == 0 && !byo_yomi.is_zero();
        self.clock.game = if unlimited { Duration::ZERO } else { main };
        self.clock.per_move = Duration::ZERO;
        self.clock.byo_yomi = byo_yomi.checked_div(stones).unwrap_or_default();
        self.clock.restart();
        Ok(String::new())
    }

    pub(super) fn time_left(&mut self, arguments: &[&str]) -> Reply {
        let &[player, time, stones] = arguments else { return Err(Refusal::Arguments) };
        let (player, time, stones) = (colour(player)?, seconds(time)?, count(stones)?);
        let left = &mut self.clock.left;
        left.is_limited = true;
        if stones == 0 {
            left.game[player] = time;
        } else {
            left.game[player] = Duration::ZERO;
            left.byo_yomi[player] = time / stones;
        }
        Ok(String::new())
    }
}

/// The number after an option. If no number follows, castro's default, `usual`.
fn amount<'a>(
    what: &'static str,
    rest: &mut Peekable<impl Iterator<Item = &'a str>>,
    usual: f64,
) -> Result<f64, Refusal> {
    let is_option = |text: &&str| text.strip_prefix('-').is_some_and(|name| name.parse::<f64>().is_err());
    let Some(text) = rest.next_if(|text| !is_option(text)) else { return Ok(usual) };
    match text.parse() {
        Ok(number) if (0.01..=100.0).contains(&number) => Ok(number),
        _ => Err(Refusal::value(what, text, "a number from 0.01 to 100")),
    }
}

fn count(text: &str) -> Result<u32, Refusal> {
    whole("number of stones", text, 0..=u32::MAX)
}

fn read_time_option<'a>(
    clock: &mut Clock,
    name: &str,
    rest: &mut Peekable<impl Iterator<Item = &'a str>>,
) -> Result<(), Refusal> {
    let mut value = || rest.next().ok_or_else(|| Refusal::OptionValue { name: excerpt(name) });
    match name.to_ascii_lowercase().as_str() {
        "-m" | "--move" => clock.per_move = seconds(value()?)?,
        "-g" | "--game" => {
            clock.game = seconds(value()?)?;
            clock.restart();
        }
        "-r" | "--remain" => {
            let time = seconds(value()?)?;
            let settings = [clock.game, clock.byo_yomi];
            clock.left.is_limited = !(time.is_zero() && settings.iter().all(Duration::is_zero));
            clock.left.game = BySide { white: time, black: time };
        }
        "-i" | "--sims" => {
            clock.sims =
                whole_with_note("number of simulations", value()?, 0..=u64::MAX, ", 0 for no limit")?;
        }
        "-f" | "--flexible" => clock.flexible = switch(value()?)?,
        "-e" | "--even" => clock.share = Share::Even(amount("factor", rest, 2.0)?),
        "-p" | "--percent" => clock.share = Share::Percent(amount("percentage", rest, 10.0)?),
        "-s" | "--stats" => clock.share = Share::Expected(amount("factor", rest, 2.0)?),
        _ => {
            let options = "-m, -g, -r, -i, -f, -e, -p and -s".into();
            return Err(Refusal::Option { command: "time", name: excerpt(name), options });
        }
    }
    Ok(())
}
