//! Validation of input: experiments, workers, and text that is stored and shown.

use crate::error::{CoordinatorError, InvalidExperiment};
use protocol::experiment::{Experiment, MAX_CELLS, MOST_FILE};
use protocol::lease::Budget;
use protocol::prefix::is_whole_id;
use protocol::selftest;
use protocol::sync::{MOST_SLOTS, MOST_STARTS, SyncRequest};
use protocol::words::invisible;

/// Longest names and questions, in characters.
pub(crate) const NAME: usize = 200;
pub(crate) const QUESTION: usize = 4_000;
const LABEL: usize = 60;

/// The most labels of a worker.
const MOST_LABELS: usize = 16;

/// Checks text that is stored and shown. Postgres cannot store all control characters either.
pub(crate) fn check_text(place: &str, text: &str, most: usize) -> Result<(), InvalidExperiment> {
    let line = if most == QUESTION { text.replace('\n', " ") } else { text.to_owned() };
    match invisible(&line) {
        None if text.chars().count() <= most => Ok(()),
        found => Err(InvalidExperiment::Text { place: place.to_owned(), most, found }),
    }
}

/// Checks the text of an experiment file, as a text editor writes it.
fn check_file(text: &str) -> Result<(), InvalidExperiment> {
    let printable = text.chars().all(|c| !c.is_control() || matches!(c, '\n' | '\r' | '\t'));
    if text.len() <= MOST_FILE && printable {
        Ok(())
    } else {
        Err(InvalidExperiment::Text {
            place: "the text of the file".to_owned(),
            most: MOST_FILE,
            found: None,
        })
    }
}

/// Refuses text that is empty or only white space.
pub(crate) fn check_given(place: &str, text: &str) -> Result<(), InvalidExperiment> {
    if text.trim().is_empty() {
        return Err(InvalidExperiment::Text { place: place.to_owned(), most: NAME, found: None });
    }
    Ok(())
}

/// Checks a name: text that people type in place of an id, and so never a whole id, not even its own.
pub(crate) fn check_name(place: &str, name: &str) -> Result<(), InvalidExperiment> {
    check_given(place, name)?;
    check_text(place, name, NAME)?;
    if is_whole_id(name) {
        return Err(InvalidExperiment::NameOfId { place: place.to_owned(), name: name.to_owned() });
    }
    Ok(())
}

/// Checks the reason for a change, and the name of its author.
pub(crate) fn check_signed(reason: &str, who: &str) -> Result<(), InvalidExperiment> {
    check_text("the reason", reason, QUESTION)?;
    check_text("the name", who, NAME)?;
    check_given("the reason", reason)?;
    check_given("the name", who)
}

/// Refuses weights that cannot be compared with others.
pub(crate) fn check_weight(place: String, weight: f64) -> Result<(), InvalidExperiment> {
    if (1e-9..=1e9).contains(&weight) { Ok(()) } else { Err(InvalidExperiment::Weight { place, weight }) }
}

/// Refuses experiments that cannot be played, and names the place.
pub(crate) fn check_experiment(experiment: &Experiment) -> Result<(), InvalidExperiment> {
    check_name("the experiment's name", &experiment.name)?;
    check_text("the question", &experiment.question, QUESTION)?;
    check_weight("the experiment".into(), experiment.weight)?;
    check_file(experiment.file.as_deref().unwrap_or_default())?;
    if experiment.cells.is_empty() {
        return Err(InvalidExperiment::Empty);
    }
    if experiment.cells.len() > MAX_CELLS {
        return Err(InvalidExperiment::TooMany { cells: experiment.cells.len(), most: MAX_CELLS });
    }
    experiment.check_tune().map_err(InvalidExperiment::Tune)?;
    for cell in &experiment.cells {
        let spec = &cell.spec;
        let place = || {
            format!(
                "cell `{}` against `{}` on size {} at {}",
                cell.case.label,
                cell.baseline.label,
                spec.size,
                spec.budget.words()
            )
        };
        check_weight(place(), cell.weight)?;
        check_weight(place(), cell.weight * experiment.weight)?;
        if cell.pairs == 0 {
            return Err(InvalidExperiment::NoPairs(place()));
        }
        if let Some(fault) = cell.stop.and_then(|rule| rule.fault()) {
            return Err(InvalidExperiment::Stop { place: place(), fault });
        }
        if spec.semantics != engine::SEMANTICS {
            let (found, known) = (spec.semantics, engine::SEMANTICS);
            return Err(InvalidExperiment::Semantics { place: place(), found, known });
        }
        let positive = match spec.budget {
            Budget::Sims(sims) => sims > 0,
            Budget::ReferenceSeconds(seconds) => seconds.is_finite() && seconds > 0.0,
        };
        if !positive {
            return Err(InvalidExperiment::Budget { place: place(), budget: spec.budget });
        }
        for (side, params) in [("the case", &spec.case), ("the baseline", &spec.baseline)] {
            let refuse = |why| InvalidExperiment::Params { place: format!("{side} of {}", place()), why };
            let resolved = params.resolve().map_err(|error| refuse(error.to_string()))?;
            let without_effect = resolved.without_effect();
            if !without_effect.is_empty() {
                return Err(refuse(format!(
                    "what is set of {} has no effect there, or that of another value; players that play alike are one, \
                     known as {}",
                    without_effect.join(", "),
                    serde_json::to_string(&resolved.differences()).unwrap_or_default()
                )));
            }
        }
        spec.check_sims()
            .map_err(|(_, error)| InvalidExperiment::Params { place: place(), why: error.to_string() })?;
        for (name, text) in [
            ("a test group's name", &cell.case.group),
            ("a case's label", &cell.case.label),
            ("a baseline's group", &cell.baseline.group),
            ("a baseline's label", &cell.baseline.label),
        ] {
            check_text(name, text, NAME)?;
            if is_whole_id(text) {
                let (place, name) = (name.to_owned(), text.clone());
                return Err(InvalidExperiment::NameOfId { place, name });
            }
        }
    }
    Ok(())
}

/// Refuses workers with another protocol.
pub(crate) fn check_protocol(spoken: u32) -> Result<(), CoordinatorError> {
    if spoken == protocol::PROTOCOL_VERSION {
        return Ok(());
    }
    Err(CoordinatorError::Refused(format!(
        "this coordinator speaks protocol {}, the worker {spoken}: install the same version on both",
        protocol::PROTOCOL_VERSION
    )))
}

/// Refuses workers with another protocol or engine, and lists that are too long.
pub(crate) fn check_worker(request: &SyncRequest) -> Result<(), CoordinatorError> {
    let refuse = |message: String| Err(CoordinatorError::Refused(message));
    check_protocol(request.protocol)?;
    if request.semantics != engine::SEMANTICS {
        return refuse(format!(
            "this coordinator's experiments are for engine semantics {}, the worker's engine has {}: it would play \
             other games; install the same version on both",
            engine::SEMANTICS,
            request.semantics
        ));
    }
    if request.self_test != selftest::digest() {
        return refuse(format!(
            "the worker's build plays other games than this coordinator's (its self-test gives {}, here it is {}), \
             though both say they play alike: install the same version on both",
            request.self_test.chars().filter(|c| c.is_ascii_alphanumeric()).take(16).collect::<String>(),
            selftest::digest()
        ));
    }
    check_text("the worker's name", &request.name, NAME)?;
    if is_whole_id(&request.name) {
        return refuse(format!("a worker cannot be called `{}`, which is written as ids are", request.name));
    }
    check_text("the worker's version", &request.version, NAME)?;
    for label in &request.labels {
        check_given("a worker's label", label)?;
        check_text("a worker's label", label, LABEL)?;
    }
    if let Some(resting) = &request.resting {
        check_text("why a worker rests", resting, NAME)?;
    }
    if request.labels.len() > MOST_LABELS || request.failed.len() > 16_384 {
        return refuse(format!(
            "a worker has at most {MOST_LABELS} labels, and at most 16384 leases that failed"
        ));
    }
    if request.start.max(request.sequence) > MOST_STARTS {
        return refuse(format!("a worker's starts and calls have numbers up to {MOST_STARTS}"));
    }
    if request.slots == 0
        || request.slots > MOST_SLOTS
        || request.held.len() > 16_384
        || request.speeds.len() > 8
    {
        return refuse(format!(
            "a worker has 1 to {MOST_SLOTS} slots, at most 16384 leases, and one speed a board size"
        ));
    }
    Ok(())
}
