//! Warnings about the results of an experiment: doubtful games that still count.

use crate::store::{ExperimentRow, StoreError, Tx};
use protocol::report::ExperimentState;
use protocol::words::counted;

/// The largest number of quarantined machines that are named.
const MOST_NAMED: usize = 5;

/// The largest number of disputed games that are counted exactly.
const MOST_DISPUTED: i64 = 1_000;

/// The warnings about an experiment's results, each with a remedy.
pub(crate) async fn warnings(tx: &mut Tx, experiment: &ExperimentRow) -> Result<Vec<String>, StoreError> {
    let mut warnings = Vec::new();
    if experiment.state == ExperimentState::Stopped {
        warnings.push(
            "a person stopped this experiment and may have seen results before: only intervals that hold at any look are \
             sure to hold, and the other ones may be too narrow"
                .to_owned(),
        );
    }
    let suspects = tx.quarantined_with_games().await?;
    for suspect in suspects.iter().take(MOST_NAMED) {
        warnings.push(format!(
            "{} of machine {}, which is in quarantine, still count in this experiment or in others: \
             `gauntlet game exclude --worker {} --why REASON` takes them out",
            counted(suspect.games, "game"),
            suspect.name,
            suspect.id
        ));
    }
    if suspects.len() > MOST_NAMED {
        let more = suspects[MOST_NAMED..].iter().map(|suspect| suspect.games).sum();
        let machines = counted((suspects.len() - MOST_NAMED) as u64, "more machine");
        warnings.push(format!("so do {} of {machines} in quarantine", counted(more, "game")));
    }
    let disputed = tx.disputed_games(experiment.id, MOST_DISPUTED).await?;
    if let Some(game) = disputed.first() {
        let or_more = if disputed.len() as i64 == MOST_DISPUTED { " or more" } else { "" };
        warnings.push(format!(
            "{}{or_more} disputed: two machines played the same game differently, and no third one has decided. A machine \
             that joins with a code of its own decides, and so does `gauntlet game replay GAME --settle` where the database is, \
             for example for game {game}",
            if disputed.len() == 1 { "1 game is".to_owned() } else { format!("{} games are", disputed.len()) }
        ));
    }
    Ok(warnings)
}
