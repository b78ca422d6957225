//! Promotion: a case becomes a named baseline, with its lineage.

use super::confirm::{known, untested};
use crate::admission;
use crate::coordinator::{BoxFuture, Coordinator};
use crate::error::CoordinatorError;
use crate::reporting::{self, ChosenCase, PlanCache};
use crate::store::{ExperimentRow, StoreError, Tx};
use crate::writer::changing;
use engine::havannah::Params;
use protocol::baseline::{BaselineLineage, NamedBaseline, PromoteRequest, Promoted};
use protocol::confirm::{Confirmation, ConfirmationVerdict};
use protocol::experiment::nearest;
use protocol::prefix::IdPrefix;

/// The longest name, in characters: the limit of ids in experiment files.
const NAME: usize = 60;

impl Coordinator {
    /// Makes a case a named baseline in the name of `who`. If it is one by this name already, nothing changes.
    ///
    /// # Errors
    /// When there is no such experiment or case, the case is not confirmed and the request does not allow that, the name is taken
    /// or malformed, or the database fails.
    pub fn promote(
        &self,
        key: &str,
        request: PromoteRequest,
        who: &str,
    ) -> BoxFuture<'static, Result<Promoted, CoordinatorError>> {
        let (coordinator, key, who) = (self.clone(), key.to_owned(), who.to_owned());
        self.run_detached(async move {
            let mut tx = coordinator.inner.store.read().await?;
            let origin = reporting::find(&mut tx, &key).await?;
            let asked = (request.case.as_str(), request.against.as_deref());
            let case = reporting::chosen_case(&mut tx, &coordinator.inner.plans, &origin, asked).await?;
            let name = request.name.clone().unwrap_or_else(|| case.label.clone());
            check_name(&name)?;
            if let Some(known) = tx.baseline_named(&name).await? {
                return require_same_player(known, &name, &case.player)
                    .map(|baseline| Promoted { is_new: false, baseline });
            }
            if case.player == case.baseline {
                return Err(CoordinatorError::Refused(format!(
                    "`{}` is the same player as its baseline: it has no gain to promote",
                    case.label
                )));
            }
            let confirmation = newest_confirmation(&mut tx, &coordinator.inner.plans, &origin, &case).await?;
            if !request.unconfirmed {
                // A tune recommends a setting for some sizes, and confirms it on these sizes.
                let everywhere = !origin.is_tune;
                check_confirmed(&case.label, confirmation.as_ref(), everywhere)?;
            }
            let parents = tx.baseline_names().await?;
            let parent = parents.into_iter().find(|(player, _)| *player == case.baseline.player_id());
            drop(tx);
            let baseline = NamedBaseline {
                name,
                player: case.player.player_id(),
                params: case.player,
                origin: origin.id,
                origin_name: origin.name,
                origin_revision: origin.revision,
                case: case.label,
                against: case.baseline_label,
                against_params: case.baseline,
                parent: parent.map(|(_, name)| name),
                preset: None,
                confirmation,
                promoted_ms: 0,
                who,
            };
            let change = changing(move |tx, now_ms| Box::pin(insert(tx, baseline, now_ms)));
            let (is_new, baseline) = coordinator.inner.writer.change(change).await?;
            Ok(Promoted { is_new, baseline })
        })
    }

    /// Every named baseline, the oldest first.
    ///
    /// # Errors
    /// When the database fails.
    pub fn baselines(&self) -> BoxFuture<'static, Result<Vec<NamedBaseline>, CoordinatorError>> {
        let inner = self.inner.clone();
        Box::pin(async move { Ok(inner.store.read().await?.baselines().await?) })
    }

    /// A named baseline with its ancestors and its children. `key` is its name, or the id of the player or its first digits.
    ///
    /// # Errors
    /// When there is none or several, or the database fails.
    pub fn lineage(&self, key: &str) -> BoxFuture<'static, Result<BaselineLineage, CoordinatorError>> {
        let (coordinator, key) = (self.clone(), key.to_owned());
        Box::pin(async move {
            let all = coordinator.baselines().await?;
            let of = |name: &str| all.iter().find(|one| one.name == name);
            let baseline = match of(&key) {
                Some(named) => named,
                None => of_player(&all, &key)?,
            };
            let mut ancestors: Vec<NamedBaseline> = Vec::new();
            let mut next = baseline.parent.as_deref();
            while let Some(parent) = next.and_then(of) {
                next = parent.parent.as_deref();
                ancestors.push(parent.clone());
            }
            let children = all.iter().filter(|one| one.parent.as_ref() == Some(&baseline.name));
            let children = children.map(|one| one.name.clone()).collect();
            Ok(BaselineLineage { baseline: baseline.clone(), ancestors, children })
        })
    }
}

/// The newest confirmation that tested the case wherever it is played, as `confirm` answers, or else the newest.
async fn newest_confirmation(
    tx: &mut Tx,
    plans: &PlanCache,
    origin: &ExperimentRow,
    case: &ChosenCase,
) -> Result<Option<Confirmation>, CoordinatorError> {
    let mut newest = None;
    for row in known(tx, origin, case).await?.into_iter().rev() {
        let mut one = reporting::confirmation(tx, plans, row).await?;
        one.untested = untested(case, &[], &one);
        if one.untested.is_empty() {
            return Ok(Some(one));
        }
        newest.get_or_insert(one);
    }
    Ok(newest)
}

/// Stores a baseline, unless another request has taken its name meanwhile. Gives whether it did, and the baseline with this name.
async fn insert(
    tx: &mut Tx,
    mut baseline: NamedBaseline,
    now_ms: i64,
) -> Result<(bool, NamedBaseline), StoreError> {
    if let Some(known) = tx.baseline_named(&baseline.name).await? {
        return Ok((false, known));
    }
    baseline.promoted_ms = now_ms;
    tx.insert_baseline(&baseline).await?;
    let detail = described(&baseline);
    let what = ("promote", baseline.name.as_str(), detail.as_str());
    let noted = tx.number_change(&baseline.who, what, now_ms).await?;
    tx.put_on_timelines(noted, &[baseline.origin]).await?;
    let stored = tx.baseline_named(&baseline.name).await?;
    Ok((true, stored.ok_or(StoreError::Null("baseline"))?))
}

/// The only baseline whose player's id begins so.
fn of_player<'a>(all: &'a [NamedBaseline], key: &str) -> Result<&'a NamedBaseline, CoordinatorError> {
    let range = key.parse().ok().map(|prefix: IdPrefix| prefix.range());
    let is_meant =
        |one: &&NamedBaseline| range.is_some_and(|(first, last)| (first..=last).contains(&one.player.0));
    let mut meant = all.iter().filter(is_meant);
    match (meant.next(), meant.next()) {
        (Some(one), None) => Ok(one),
        (Some(one), Some(other)) => Err(CoordinatorError::NoMatch(format!(
            "the players of several baselines begin with `{key}`, such as {} ({}) and {} ({}): type more digits, or a name",
            one.player, one.name, other.player, other.name
        ))),
        (None, _) => {
            let names: Vec<&str> = all.iter().map(|one| one.name.as_str()).collect();
            Err(CoordinatorError::NoMatch(unknown(key, &names)))
        }
    }
}

/// The baseline with this name, if it is the same player: then a repeated promotion changes nothing.
fn require_same_player(
    known: NamedBaseline,
    name: &str,
    player: &protocol::lease::ParamSet,
) -> Result<NamedBaseline, CoordinatorError> {
    if known.name == name && known.params == *player {
        return Ok(known);
    }
    Err(CoordinatorError::Refused(format!(
        "there is a baseline `{}` already, {} of `{}`: a name means one player for good, so take another with --as NAME",
        known.name, known.case, known.origin_name
    )))
}

/// Refuses names that experiment files cannot use or that mean something else.
fn check_name(name: &str) -> Result<(), CoordinatorError> {
    admission::check_name("a baseline's name", name)?;
    admission::check_text("a baseline's name", name, NAME)?;
    if name.trim() != name || name.starts_with('-') {
        return Err(CoordinatorError::Refused(format!(
            "a baseline's name begins and ends with no blank, and does not begin with -, as `{name}` does"
        )));
    }
    let preset = Params::PRESETS.iter().find(|(preset, _)| preset.eq_ignore_ascii_case(name));
    match preset {
        Some((preset, _)) => Err(CoordinatorError::Refused(format!(
            "`{preset}` is a preset of the engine: take another name with --as NAME"
        ))),
        None => Ok(()),
    }
}

/// Refuses a case whose confirmation deviated from its plan, or left out sizes that it has to cover.
fn check_confirmed(
    case: &str,
    confirmation: Option<&Confirmation>,
    everywhere: bool,
) -> Result<(), CoordinatorError> {
    let why = match confirmation {
        None => "no confirmation was begun; `gauntlet confirm` plays it on fresh openings".to_owned(),
        Some(one) if one.verdict == ConfirmationVerdict::Confirmed && one.as_planned => {
            if one.untested.is_empty() || !everywhere {
                return Ok(());
            }
            format!(
                "the experiment `{}` did not test it {}; `gauntlet confirm` plays it there, too",
                one.name,
                one.untested()
            )
        }
        Some(one) => format!("{} (experiment `{}`)", one.words, one.name),
    };
    Err(CoordinatorError::Refused(format!(
        "`{case}` is not confirmed: {why}; --unconfirmed promotes it all the same (in the API \"unconfirmed\": true)"
    )))
}

/// The promotion for the audit.
fn described(baseline: &NamedBaseline) -> String {
    let evidence = match &baseline.confirmation {
        None => "not confirmed".to_owned(),
        Some(confirmation) => confirmation.words.clone(),
    };
    format!(
        "{} of {}, revision {}, against {}; {evidence}",
        baseline.case, baseline.origin_name, baseline.origin_revision, baseline.against
    )
}

/// The error for a name that no baseline has.
fn unknown(name: &str, names: &[&str]) -> String {
    match names {
        [] => format!("no baseline is called `{name}`: none was promoted yet; `gauntlet promote` makes one"),
        names => format!("no baseline is called `{name}`; {}", nearest(name, names)),
    }
}
