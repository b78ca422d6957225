//! Orders to machines (work, pause, drain), and quarantine.

use crate::access::id_of;
use crate::admission::{QUESTION, check_given, check_text};
use crate::checking::quarantine;
use crate::coordinator::{BoxFuture, Coordinator};
use crate::error::CoordinatorError;
use crate::reporting;
use crate::store::{StoreError, Tx, WorkerRow, WriteBatch};
use crate::writer::changing;
use engine::spelling::closest;
use protocol::operate::{Directed, DirectiveRequest, Machines, QuarantineRequest};
use protocol::prefix::IdPrefix;
use protocol::sync::Directive;
use protocol::words::counted;
use std::collections::BTreeSet;

impl Coordinator {
    /// Gives an order to machines, from their next call on; gives their number.
    ///
    /// # Errors
    /// When there are none, or the database fails.
    pub fn direct(
        &self,
        request: DirectiveRequest,
        who: &str,
    ) -> BoxFuture<'static, Result<Directed, CoordinatorError>> {
        let (coordinator, who) = (self.clone(), who.to_owned());
        Box::pin(async move {
            let DirectiveRequest { machines, directive } = request;
            let rows = coordinator.find_machines(&machines).await?;
            let told = rows.len() as u64;
            let change = changing(move |tx, now_ms| {
                Box::pin(async move {
                    for row in &rows {
                        tx.set_directive(row.id, directive).await?;
                    }
                    let detail = format!("{} told", counted(told, "machine"));
                    let action = match directive {
                        Directive::Work => "resume".to_owned(),
                        order => order.to_string(),
                    };
                    tx.note_change(&who, (&action, &machines.to_string(), &detail), now_ms).await
                })
            });
            coordinator.inner.writer.change(change).await?;
            Ok(Directed { machines: told })
        })
    }

    /// Puts machines in quarantine with a reason, or releases them; gives the number of machines that this changed.
    ///
    /// # Errors
    /// When there are none, the reason is empty or too long, or the database fails.
    pub fn quarantine(
        &self,
        request: QuarantineRequest,
        who: &str,
    ) -> BoxFuture<'static, Result<Directed, CoordinatorError>> {
        let (coordinator, who) = (self.clone(), who.to_owned());
        let checked = request.why.as_deref().map_or(Ok(()), |why| {
            check_text("the reason", why, QUESTION).and_then(|()| check_given("the reason", why))
        });
        Box::pin(async move {
            checked?;
            let QuarantineRequest { machines, why } = request;
            let rows = coordinator.find_machines(&machines).await?;
            let change = changing(move |tx, now_ms| {
                Box::pin(async move {
                    let mut changed = 0;
                    let mut batch = WriteBatch::new(tx, now_ms);
                    for row in &rows {
                        let worker = (row.id, row.name.as_str());
                        changed += u64::from(match &why {
                            Some(why) => quarantine::quarantine(&mut batch, worker, why, &who).await?,
                            None => quarantine::release(&mut batch, worker, &who).await?,
                        });
                    }
                    batch.written().await?;
                    Ok(changed)
                })
            });
            Ok(Directed { machines: coordinator.inner.writer.change(change).await? })
        })
    }

    /// The machines that the request names: at least one. A name must belong to one machine only: machines choose their
    /// own names, so one may have taken the name of another.
    pub(super) async fn find_machines(
        &self,
        machines: &Machines,
    ) -> Result<Vec<WorkerRow>, CoordinatorError> {
        let mut tx = self.inner.store.read().await?;
        let mut rows = tx.workers().await?;
        match machines {
            Machines::All => {}
            Machines::Label(label) => rows.retain(|row| row.labels.contains(label)),
            Machines::Token(key) => {
                let ids = rows.iter().filter_map(|row| row.token.as_deref().map(id_of));
                let Some(id) = find_digest(key, ids)? else {
                    return Err(no_such_machine(&mut tx, machines).await?);
                };
                rows.retain(|row| row.token.as_deref().is_some_and(|token| id_of(token) == id));
            }
            Machines::Named(key) => {
                reporting::keep_named(&mut rows, key);
                if rows.len() > 1 {
                    let ids: Vec<String> = rows.iter().take(NAMED).map(|row| row.id.to_string()).collect();
                    return Err(CoordinatorError::Refused(format!(
                        "{} are called `{key}`, or have ids that begin so: name one by its id: {}; `gauntlet why ID` describes each",
                        counted(rows.len() as u64, "machine"),
                        ids.join(", ")
                    )));
                }
            }
        }
        if rows.is_empty() {
            return Err(no_such_machine(&mut tx, machines).await?);
        }
        Ok(rows)
    }
}

/// The whole id of a token or a signed-in page, from its first digits or all of them.
pub(super) fn find_digest(
    key: &str,
    ids: impl Iterator<Item = String>,
) -> Result<Option<String>, CoordinatorError> {
    let is_long_enough = key.parse::<IdPrefix>().is_ok();
    let found: BTreeSet<String> =
        ids.filter(|id| id == key || is_long_enough && id.starts_with(&key.to_ascii_lowercase())).collect();
    reporting::only("id", key, Vec::from_iter(found))
}

/// The most machines that an error names.
const NAMED: usize = 10;

/// The error when a request names no machine, with the names or labels that exist.
async fn no_such_machine(tx: &mut Tx, machines: &Machines) -> Result<CoordinatorError, StoreError> {
    let workers = tx.workers().await?;
    let (asked, missing, known): (_, _, BTreeSet<&str>) = match machines {
        Machines::All => return Ok(CoordinatorError::NoMatch("there is no worker yet".to_owned())),
        Machines::Named(name) => (
            name,
            format!("no worker is called `{name}`"),
            workers.iter().map(|worker| worker.name.as_str()).collect(),
        ),
        Machines::Label(label) => (
            label,
            format!("no worker has the label `{label}`"),
            workers.iter().flat_map(|worker| worker.labels.iter().map(String::as_str)).collect(),
        ),
        Machines::Token(id) => {
            return Ok(CoordinatorError::NoMatch(format!(
                "no worker belongs to the token `{id}`; `gauntlet token list` shows the ids of tokens"
            )));
        }
    };
    if let Some(name) = closest(asked, known.iter().copied()) {
        return Ok(CoordinatorError::NoMatch(format!("{missing}; did you mean `{name}`?")));
    }
    let more = known.len().saturating_sub(NAMED);
    let mut list: Vec<&str> = known.into_iter().take(NAMED).collect();
    let rest = format!("{more} more");
    if more > 0 {
        list.push(&rest);
    }
    let known =
        if list.is_empty() { "there is none".to_owned() } else { format!("there are: {}", list.join(", ")) };
    Ok(CoordinatorError::NoMatch(format!("{missing}; {known}")))
}
