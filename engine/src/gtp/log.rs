//! The log of a session. It can be sent again: it contains the commands, with answers and remarks as comments.

use super::arguments::FileName;
use super::refusal::{Refusal, Reply};
use super::session::Session;

impl Session {
    pub(super) fn logfile(&mut self, text: &str) -> Reply {
        let name = FileName::begin(text)?.end()?;
        if name.is_empty() {
            return Err(Refusal::Arguments);
        }
        self.files.append(&name, "").map_err(|error| Refusal::Log { name: name.clone(), error })?;
        self.log = Some(name.clone());
        Ok(name)
    }

    pub(super) fn lognote(&mut self, text: &str) -> Reply {
        let Some(name) = self.log.clone() else { return Err(Refusal::NoLog) };
        let text = format!("# {text}\n");
        self.files.append(&name, &text).map_err(|error| Refusal::Log { name, error })?;
        Ok(String::new())
    }

    pub(super) fn logend(&mut self, _: &[&str]) -> Reply {
        self.log.take().map(|_| String::new()).ok_or(Refusal::NoLog)
    }

    /// Writes a command and its answer to the log.
    pub(super) fn log_exchange(&mut self, line: &str, result: &Reply) {
        let Some(name) = self.log.clone() else { return };
        let (mark, text) = match result {
            Ok(text) => ('=', text.clone()),
            Err(refusal) => ('?', refusal.to_string()),
        };
        let answer: String = text.lines().map(|line| format!("# {mark} {line}\n")).collect();
        if let Err(error) = self.files.append(&name, &format!("{line}\n{answer}")) {
            self.log = None;
            self.note(0, || format!("the log ends here: cannot write `{name}`: {error}"));
        }
    }
}
