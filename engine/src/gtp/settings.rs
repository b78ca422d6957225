//! Commands about the player and about how things are shown.

use super::commands::Reply;
use super::refusal::{Refusal, whole};
use super::{Session, dialect};
use crate::havannah::Notation;
use crate::params::{ParamInfo, ParamValue, Params, SetParamError};

/// Shows a switch, or turns it on or off.
pub(super) fn switch(flag: &mut bool, arguments: &[&str]) -> Reply {
    match arguments {
        [] => return Ok(u8::from(*flag).to_string()),
        [text] => *flag = read_switch(text)?,
        _ => return Err(Refusal::Arguments),
    }
    Ok(String::new())
}

/// Reads a switch.
pub(super) fn read_switch(text: &str) -> Result<bool, Refusal> {
    match text.to_ascii_lowercase().as_str() {
        "1" | "on" | "true" => Ok(true),
        "0" | "off" | "false" => Ok(false),
        _ => Err(Refusal::value("switch", text, "0 or 1")),
    }
}

/// Shows a number, or sets it.
fn number(number: &mut u64, what: &'static str, arguments: &[&str]) -> Reply {
    match arguments {
        [] => return Ok(number.to_string()),
        [text] => *number = whole(what, text, 0..=u64::MAX)?,
        _ => return Err(Refusal::Arguments),
    }
    Ok(String::new())
}

/// The table's line of a parameter, its name in any case.
fn info(name: &str) -> Result<&'static ParamInfo, Refusal> {
    let lower = super::refusal::excerpt(name).to_ascii_lowercase();
    Params::info(&lower).ok_or_else(|| {
        let name = super::refusal::excerpt(name);
        SetParamError::UnknownName { name, nearest: Params::nearest(&lower) }.into()
    })
}

fn explained(info: &ParamInfo) -> String {
    format!("{} ({}): {}", info.name, info.domain, info.meaning)
}

fn set(params: &mut Params, name: &str, value: &str) -> Result<(), Refusal> {
    let value = super::refusal::excerpt(&value.to_ascii_lowercase());
    let value: ParamValue = value.parse().unwrap_or_else(|never| match never {});
    Ok(params.set(info(name)?.name, &value)?)
}

impl Session {
    pub(super) fn params(&mut self, arguments: &[&str]) -> Reply {
        let shown = |info: &ParamInfo| self.params.get(info.name).expect("listed").to_string();
        let mut params = self.params.clone();
        match arguments {
            [] => {
                let lines = Params::TABLE.iter().map(|info| format!("{} {}", info.name, shown(info)));
                return Ok(lines.collect::<Vec<_>>().join("\n"));
            }
            [word] if word.eq_ignore_ascii_case("help") => {
                return Ok(Params::TABLE.iter().map(explained).collect::<Vec<_>>().join("\n"));
            }
            [word, name] if word.eq_ignore_ascii_case("help") => return info(name).map(explained),
            [word] if word.eq_ignore_ascii_case("preset") => {
                let lines = Params::PRESETS.iter().map(|(name, meaning)| format!("{name}: {meaning}"));
                return Ok(lines.collect::<Vec<_>>().join("\n"));
            }
            [word, name] if word.eq_ignore_ascii_case("preset") => {
                let name = super::refusal::excerpt(&name.to_ascii_lowercase());
                params = Params::preset(&name)?;
            }
            [flag, ..] if flag.starts_with('-') => dialect::apply(&mut params, arguments)?,
            [name] if !name.contains('=') => return info(name).map(shown),
            [name, value] if !name.contains('=') && !value.contains('=') => set(&mut params, name, value)?,
            pairs => {
                for pair in pairs {
                    let (name, value) = pair.split_once('=').ok_or(Refusal::Arguments)?;
                    set(&mut params, name, value)?;
                }
            }
        }
        if params != self.params {
            self.params = params;
            // A tree grown by another player would be misread.
            self.search = None;
        }
        Ok(String::new())
    }

    pub(super) fn set_seed(&mut self, arguments: &[&str]) -> Reply {
        if !arguments.is_empty() {
            self.search = None;
            self.searches = 0;
        }
        number(&mut self.seed, "seed", arguments)
    }

    pub(super) fn set_extended(&mut self, arguments: &[&str]) -> Reply {
        switch(&mut self.extended, arguments)
    }

    pub(super) fn colorboard(&mut self, arguments: &[&str]) -> Reply {
        switch(&mut self.colours, arguments)
    }

    pub(super) fn verbose(&mut self, arguments: &[&str]) -> Reply {
        number(&mut self.verbosity, "level", arguments)
    }

    pub(super) fn hguicoords(&mut self, _: &[&str]) -> Reply {
        self.notation = Notation::Gui;
        Ok(String::new())
    }

    pub(super) fn gridcoords(&mut self, _: &[&str]) -> Reply {
        self.notation = Notation::Grid;
        Ok(String::new())
    }
}
