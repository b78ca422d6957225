//! Commands that set the player's parameters and the form of the output.

use super::arguments::{show_or_set_number, show_or_set_switch};
use super::castro_flags;
use super::refusal::{Refusal, Reply};
use super::session::Session;
use crate::havannah::{Notation, Params};
use crate::params::{ParamInfo, ParamValue, SetParamError};
use crate::spelling::excerpt;

/// The description of a parameter; the name may be in any case.
fn info(name: &str) -> Result<&'static ParamInfo, Refusal> {
    let lower = excerpt(name).to_ascii_lowercase();
    Params::info(&lower).ok_or_else(|| {
        let name = excerpt(name);
        SetParamError::UnknownName { name, nearest: Params::nearest(&lower) }.into()
    })
}

fn explained(info: &ParamInfo) -> String {
    format!("{} ({}): {}", info.name, info.domain, info.meaning)
}

fn set(params: &mut Params, name: &str, value: &str) -> Result<(), Refusal> {
    let info = info(name)?;
    // A part of a value would be another value. No meaningful value is so long.
    if value != excerpt(value) {
        return Err(Refusal::value("value", value, info.domain.to_string()));
    }
    let value: ParamValue = value.to_ascii_lowercase().parse().unwrap_or_else(|never| match never {});
    Ok(params.set(info.name, &value)?)
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
                let name = excerpt(&name.to_ascii_lowercase());
                params = Params::preset(&name)?;
            }
            [flag, ..] if flag.starts_with('-') => castro_flags::apply(&mut params, arguments)?,
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
            // The tree holds statistics of the former player.
            self.search = None;
        }
        Ok(String::new())
    }

    pub(super) fn set_seed(&mut self, arguments: &[&str]) -> Reply {
        let reply = show_or_set_number(&mut self.seed, "seed", arguments)?;
        if !arguments.is_empty() {
            self.search = None;
            self.searches = 0;
        }
        Ok(reply)
    }

    pub(super) fn set_extended(&mut self, arguments: &[&str]) -> Reply {
        show_or_set_switch(&mut self.extended, arguments)
    }

    pub(super) fn colorboard(&mut self, arguments: &[&str]) -> Reply {
        show_or_set_switch(&mut self.colours, arguments)
    }

    pub(super) fn verbose(&mut self, arguments: &[&str]) -> Reply {
        show_or_set_number(&mut self.verbosity, "level", arguments)
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
