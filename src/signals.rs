//! Ctrl-C and SIGTERM.
//!
//! By default a signal ends the process at once. Commands that shut down in order therefore install their handlers before
//! they do anything else; `on_signals` receives the signals that arrive before it is called.

use anyhow::Context;
use std::ffi::OsString;
use std::sync::{Mutex, PoisonError};
use tokio::runtime::Runtime;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_util::sync::CancellationToken;

/// Commands that shut down in order. A signal ends the other commands at once.
const ORDERLY: [&str; 3] = ["run", "serve", "work"];

/// The handlers, installed before the command asks for signals.
static HEARD: Mutex<Option<Signals>> = Mutex::new(None);

struct Signals {
    interrupt: Signal,
    terminate: Signal,
}

impl Signals {
    fn listen() -> anyhow::Result<Self> {
        Ok(Self {
            interrupt: signal(SignalKind::interrupt()).context("cannot listen for Ctrl-C")?,
            terminate: signal(SignalKind::terminate()).context("cannot listen for SIGTERM")?,
        })
    }
}

/// Installs the handlers if the command shuts down in order. The returned value must live as long as the command.
pub(crate) fn listen_first(arguments: impl IntoIterator<Item = OsString>) -> anyhow::Result<Option<Runtime>> {
    if !is_orderly(arguments) {
        return Ok(None);
    }
    // Handlers belong to the process, so that they serve the command's own runtime too.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build();
    let runtime = runtime.context("cannot start the asynchronous runtime")?;
    let signals = {
        let _inside = runtime.enter();
        Signals::listen()?
    };
    *HEARD.lock().unwrap_or_else(PoisonError::into_inner) = Some(signals);
    Ok(Some(runtime))
}

/// Whether the first word that is not an option is a command that shuts down in order.
fn is_orderly(arguments: impl IntoIterator<Item = OsString>) -> bool {
    let mut words = arguments.into_iter().skip(1);
    while let Some(word) = words.next() {
        match word.to_str() {
            Some("--log") => drop(words.next()),
            Some(option) if option.starts_with('-') => {}
            word => return word.is_some_and(|word| ORDERLY.contains(&word)),
        }
    }
    false
}

/// Calls `act` at every Ctrl-C and SIGTERM with the number of signals so far.
pub(crate) fn on_signals(act: impl Fn(u32) + Send + 'static) -> anyhow::Result<()> {
    let heard = HEARD.lock().unwrap_or_else(PoisonError::into_inner).take();
    let Signals { mut interrupt, mut terminate } = heard.map_or_else(Signals::listen, Ok)?;
    tokio::spawn(async move {
        for times in 1.. {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
            crate::logging::above_progress(|| act(times));
        }
    });
    Ok(())
}

/// Cancels `stop` at the first Ctrl-C or SIGTERM, and ends the process at the second.
pub fn stop_on_signals(stop: CancellationToken) -> anyhow::Result<()> {
    on_signals(move |times| {
        if times > 1 {
            std::process::exit(130);
        }
        stop.cancel();
        eprintln!("stopping; once more to stop at once");
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_that_leave_in_order_are_known_by_their_first_word() {
        let is_orderly = |line: &str| is_orderly(line.split(' ').map(OsString::from));
        for line in ["gauntlet serve", "gauntlet --log json work --slots 2", "gauntlet --log=json run x.toml"]
        {
            assert!(is_orderly(line), "{line}");
        }
        for line in
            ["gauntlet", "gauntlet --log", "gauntlet token add work", "gauntlet gtp", "gauntlet --version"]
        {
            assert!(!is_orderly(line), "{line}");
        }
    }
}
