//! Changes of an experiment beside its plan: pauses, the end, the archive, the weight, notes, tags.

use crate::admission::{QUESTION, check_given, check_text, check_weight};
use crate::coordinator::{BY_CONTROL, BoxFuture, Coordinator};
use crate::error::{CoordinatorError, InvalidExperiment};
use crate::reporting;
use crate::store::{ExperimentRow, StoreError, Tx, WeightError};
use crate::writer::changing;
use protocol::life::ExperimentChange;
use protocol::report::{ExperimentState, ExperimentSummary};
use protocol::words::number;
use std::collections::BTreeSet;

/// The most tags of an experiment.
const MOST_TAGS: usize = 32;

/// The longest tag, in characters.
const TAG: usize = 60;

impl Coordinator {
    /// Changes an experiment beside its plan, in the name of `who`; gives it as it is then. The change is idempotent: a
    /// repetition is not noted.
    ///
    /// # Errors
    /// When there is no such experiment, or the change cannot be made, or the database fails.
    pub fn change_experiment(
        &self,
        key: &str,
        change: ExperimentChange,
        who: &str,
    ) -> BoxFuture<'static, Result<ExperimentSummary, CoordinatorError>> {
        let (coordinator, key, who) = (self.clone(), key.to_owned(), who.to_owned());
        Box::pin(async move {
            check(&change)?;
            let row = reporting::find(&mut coordinator.inner.store.read().await?, &key).await?;
            if row.is_control && matches!(change, ExperimentChange::Weight(_)) && who != BY_CONTROL {
                return Err(CoordinatorError::Refused(format!(
                    "the weight of `{}` follows those of the other experiments: `gauntlet serve --control-share` sets its share",
                    row.name
                )));
            }
            if row.is_control && change == ExperimentChange::Stop {
                return Err(CoordinatorError::Refused(format!(
                    "`{0}` is the control that the coordinator keeps by itself: `gauntlet experiment pause {0}` or `archive` ends it \
                     until you want it back",
                    row.name
                )));
            }
            if row.stopped_ms.is_some()
                && matches!(change, ExperimentChange::Pause | ExperimentChange::Resume)
            {
                return Err(CoordinatorError::Refused(format!(
                    "`{}` is stopped for good: there is nothing to pause or resume",
                    row.name
                )));
            }
            let id = row.id;
            let change = changing(move |tx, now_ms| {
                Box::pin(async move {
                    // Reads the row again: another request may have changed it meanwhile.
                    let row = tx.experiment(id).await?.ok_or(StoreError::Null("experiment"))?;
                    let made = make(tx, &row, change, now_ms).await?;
                    if let Ok(Some((action, detail))) = &made {
                        tx.note_on_timeline((id, &row.name), &who, (action, detail), now_ms).await?;
                    }
                    Ok(made.map(drop))
                })
            });
            coordinator.inner.writer.change(change).await??;
            coordinator.summary(&id.to_string()).await
        })
    }
}

/// Refuses values that cannot be stored.
fn check(change: &ExperimentChange) -> Result<(), InvalidExperiment> {
    match change {
        ExperimentChange::Weight(weight) => check_weight("the experiment".to_owned(), *weight),
        ExperimentChange::CellWeights { factor, .. } => check_weight("the cells".to_owned(), *factor),
        ExperimentChange::Note(text) => {
            check_text("the note", text, QUESTION)?;
            check_given("the note", text)
        }
        ExperimentChange::Tags { add, .. } => add.iter().try_for_each(|tag| {
            check_given("a tag", tag)?;
            check_text("a tag", tag, TAG)
        }),
        _ => Ok(()),
    }
}

/// Makes a change; gives the action and the details for the timeline, none if there was nothing to change, or why it is refused.
async fn make(
    tx: &mut Tx,
    row: &ExperimentRow,
    change: ExperimentChange,
    now_ms: i64,
) -> Result<Result<Option<(&'static str, String)>, CoordinatorError>, StoreError> {
    let in_play = || match row.pairs_in_flight {
        0 => String::new(),
        pairs => format!("{} in play", protocol::words::counted(pairs, "pair")),
    };
    let (paused, archived) = (row.paused_ms.is_some(), row.archived_ms.is_some());
    // A pause and the archive hide that an experiment is finished.
    let is_over = change == ExperimentChange::Stop
        && (row.state == ExperimentState::Finished
            || ((paused || archived) && !tx.lacks_games(row.id).await?));
    let made = match change {
        ExperimentChange::Pause if !paused => {
            tx.set_paused(row.id, Some(now_ms)).await?;
            Some(("pause", in_play()))
        }
        ExperimentChange::Resume if paused => {
            tx.set_paused(row.id, None).await?;
            Some(("resume", String::new()))
        }
        ExperimentChange::Stop if row.stopped_ms.is_none() && !is_over => {
            tx.set_stopped(row.id, now_ms).await?;
            let missing = format!("{} missing", protocol::words::counted(row.games_missing(), "game"));
            Some((
                "stop",
                if row.pairs_in_flight == 0 { missing } else { format!("{missing}, {}", in_play()) },
            ))
        }
        ExperimentChange::Archive if !archived => {
            tx.set_archived(row.id, Some(now_ms)).await?;
            Some(("archive", in_play()))
        }
        ExperimentChange::Unarchive if archived => {
            tx.set_archived(row.id, None).await?;
            Some(("unarchive", String::new()))
        }
        ExperimentChange::Weight(weight) if weight != row.weight => {
            tx.set_weight(row.id, weight).await?;
            Some(("weight", format!("{} to {}", number(row.weight), number(weight))))
        }
        ExperimentChange::CellWeights { cells, factor } => {
            match tx.weigh_cells(row.id, &cells, factor).await? {
                Ok(0) => None,
                Ok(changed) => {
                    let changed = protocol::words::counted(changed, "cell");
                    Some(("weight", format!("{changed}: {factor} times the weight of the file")))
                }
                Err(why) => return Ok(Err(refusal(&row.name, why))),
            }
        }
        ExperimentChange::Note(text) => Some(("note", text)),
        ExperimentChange::Tags { add, remove } => {
            let (tags, words) = retagged(&row.tags, add, &remove);
            if words.is_empty() {
                return Ok(Ok(None));
            }
            if tags.len() > MOST_TAGS {
                return Ok(Err(CoordinatorError::Refused(format!(
                    "`{}` would have {} tags, and an experiment has {MOST_TAGS} at most: remove some of them first",
                    row.name,
                    tags.len()
                ))));
            }
            tx.set_tags(row.id, &tags).await?;
            Some(("tag", words.join(" ")))
        }
        _ => None,
    };
    Ok(Ok(made))
}

/// The tags after a change, in their order, and what is changed, such as `+slow`.
fn retagged(tags: &[String], add: Vec<String>, remove: &[String]) -> (Vec<String>, Vec<String>) {
    let before: BTreeSet<String> = tags.iter().cloned().collect();
    let mut after = before.clone();
    after.retain(|tag| !remove.contains(tag));
    after.extend(add);
    let added = after.difference(&before).map(|tag| format!("+{tag}"));
    let removed = before.difference(&after).map(|tag| format!("-{tag}"));
    let words = added.chain(removed).collect();
    (after.into_iter().collect(), words)
}

/// Why the weights of an experiment's cells cannot be changed.
fn refusal(experiment: &str, why: WeightError) -> CoordinatorError {
    match why {
        WeightError::Policy(policy) => CoordinatorError::Refused(format!(
            "the policy `{policy}` of `{experiment}` weighs cases by their results: apply its file with the policy `coverage` or `error` to \
             weigh them yourself"
        )),
        WeightError::Unknown(cell) => {
            CoordinatorError::Refused(format!("`{experiment}` has no cell {cell}, or a revision closed it"))
        }
    }
}
