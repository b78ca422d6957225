//! Studies of other programs: beginning one, asking for points, and telling results.

use crate::admission::{NAME, check_given, check_name, check_text};
use crate::computing::compute;
use crate::coordinator::{BoxFuture, Coordinator, find_study};
use crate::error::CoordinatorError;
use crate::store::{StoreError, StudyRow};
use crate::studies::{LiveStudy, summary};
use crate::writer::changing;
use protocol::ids::StudyId;
use protocol::study::{
    AskAnswer, AskRequest, MOST_ASKED, MOST_POINTS, MOST_TOLD, MOST_WAITING, StudyRequest, StudySummary,
    TellAnswer, TellRequest, ToldResult,
};
use std::collections::BTreeMap;
use std::sync::Arc;

/// How often another coordinator may change the study meanwhile.
const TRIES: u32 = 20;

/// The most numbers that an error names.
const MOST_NAMED: usize = 10;

impl Coordinator {
    /// Begins a study in the name of `who`. A study with the same name and content is given as it is.
    ///
    /// # Errors
    /// When the request describes no study, its name is taken, or the database fails.
    pub fn begin_study(
        &self,
        request: StudyRequest,
        who: &str,
    ) -> BoxFuture<'static, Result<StudySummary, CoordinatorError>> {
        let (coordinator, who) = (self.clone(), who.to_owned());
        self.run_detached(async move {
            check_name("the study's name", &request.name)?;
            for one in &request.parameters {
                check_text("the name of a parameter", &one.name, NAME)?;
                check_given("the name of a parameter", &one.name)?;
            }
            let spec = request.study().map_err(CoordinatorError::Refused)?;
            let row = StudyRow {
                id: StudyId::random(),
                name: request.name,
                spec,
                who,
                created_ms: 0,
                archived_ms: None,
                edition: 0,
            };
            let wanted = row.clone();
            let change = changing(move |tx, now_ms| {
                Box::pin(async move {
                    if let Some(known) = tx.study_named(&row.name).await? {
                        return Ok(known);
                    }
                    let row = StudyRow { created_ms: now_ms, ..row };
                    tx.insert_study(&row).await?;
                    let detail = format!("{}, {} games", row.spec.strategy, row.spec.games);
                    tx.note_change(&row.who, ("begin study", &row.name, &detail), now_ms).await?;
                    Ok(row)
                })
            });
            let known = coordinator.inner.writer.change(change).await?;
            if known.spec != wanted.spec {
                return Err(CoordinatorError::Refused(format!(
                    "there is another study `{}`: give this one another name",
                    known.name
                )));
            }
            if known.id == wanted.id {
                return Ok(summary(&known, [0; 5]));
            }
            let live = coordinator.read_study(&known.id.to_string()).await?;
            Ok(live.as_ref().ok_or(StoreError::Null("study"))?.summary())
        })
    }

    /// The next points of a study. A call with a name gives the same points each time.
    ///
    /// # Errors
    /// When there is no such study, it is archived, too many points are wanted or wait for results, or the database fails.
    pub fn ask_study(
        &self,
        key: &str,
        request: AskRequest,
    ) -> BoxFuture<'static, Result<AskAnswer, CoordinatorError>> {
        let (coordinator, key) = (self.clone(), key.to_owned());
        self.run_detached(async move {
            if let Some(name) = &request.key {
                check_text("the key", name, NAME)?;
                check_given("the key", name)?;
            }
            let id = coordinator.study_id(&key).await?;
            for _ in 0..TRIES {
                if let Some(asked) = coordinator.try_to_ask(&id, &request).await? {
                    return Ok(asked);
                }
            }
            Err(busy(&key))
        })
    }

    /// The id of a study. The rest of a request uses it, because the name may mean another study a moment later.
    async fn study_id(&self, key: &str) -> Result<String, CoordinatorError> {
        Ok(find_study(&mut self.inner.store.read().await?, key).await?.id.to_string())
    }

    /// Gives none when another coordinator changed the study meanwhile.
    async fn try_to_ask(
        &self,
        id: &str,
        AskRequest { count, key: name }: &AskRequest,
    ) -> Result<Option<AskAnswer>, CoordinatorError> {
        let mut live = self.read_study(id).await?;
        let study = live.as_mut().ok_or(StoreError::Null("study"))?;
        if let Some(points) = name.as_ref().and_then(|name| study.call(name)) {
            return Ok(Some(AskAnswer { points, games_left: study.games_left() }));
        }
        let count = wanted(study, *count)?;
        if count == 0 {
            return Ok(Some(AskAnswer { points: Vec::new(), games_left: study.games_left() }));
        }
        let (id, edition, name) = (study.row.id, study.row.edition, name.clone());
        // A fit takes up to some seconds after very many results.
        let asking = compute(move || {
            let points = live.as_mut().map(|study| study.ask(count, name.as_deref()));
            (live, points)
        });
        let (mut live, points) = asking.await?;
        let points = Arc::new(points.unwrap_or_default());
        let rows = points.clone();
        let change = changing(move |tx, _| {
            Box::pin(async move {
                let is_ours = tx.claim_study_edition(id, edition).await?;
                if is_ours {
                    tx.insert_study_points(id, &rows).await?;
                }
                Ok(is_ours)
            })
        });
        let stored = self.inner.writer.change(change).await?;
        let study = live.as_mut().ok_or(StoreError::Null("study"))?;
        if !stored {
            return Ok(None);
        }
        study.asked(&points);
        let given = points.iter().filter_map(|point| study.point(point.number as usize)).collect();
        Ok(Some(AskAnswer { points: given, games_left: study.games_left() }))
    }

    /// Stores results of a study, or that points have none. A repetition changes nothing.
    ///
    /// # Errors
    /// When there is no such study, a number was never given, a result contradicts an earlier one, has no games or more than the
    /// study, there are too many, or the database fails. Nothing is stored then.
    pub fn tell_study(
        &self,
        key: &str,
        request: TellRequest,
    ) -> BoxFuture<'static, Result<TellAnswer, CoordinatorError>> {
        let (coordinator, key) = (self.clone(), key.to_owned());
        self.run_detached(async move {
            let id = coordinator.study_id(&key).await?;
            for _ in 0..TRIES {
                if let Some(told) = coordinator.try_to_tell(&id, &request.results).await? {
                    return Ok(told);
                }
            }
            Err(busy(&key))
        })
    }

    /// Gives none when another coordinator changed the study meanwhile.
    async fn try_to_tell(
        &self,
        id: &str,
        results: &[ToldResult],
    ) -> Result<Option<TellAnswer>, CoordinatorError> {
        let mut live = self.read_study(id).await?;
        let study = live.as_ref().ok_or(StoreError::Null("study"))?;
        let new = Arc::new(checked(study, results)?);
        if !new.is_empty() {
            let (id, edition, rows) = (study.row.id, study.row.edition, new.clone());
            let (points, settled) = (study.points() as i64, Arc::new(study.settled(&new)));
            let change = changing(move |tx, _| {
                Box::pin(async move {
                    let is_ours = tx.claim_study_edition(id, edition).await?;
                    if is_ours {
                        tx.tell_study_points(id, (edition + 1, points), &rows).await?;
                        tx.settle_study_points(id, edition + 1, &settled).await?;
                    }
                    Ok(is_ours)
                })
            });
            if !self.inner.writer.change(change).await? {
                return Ok(None);
            }
            drop(live);
            live = self.read_study(&id.to_string()).await?;
        }
        let study = live.as_ref().ok_or(StoreError::Null("study"))?;
        Ok(Some(TellAnswer {
            new: new.len() as u64,
            repeated: (results.len() - new.len()) as u64,
            games_told: study.games_told(),
            games_left: study.games_left(),
        }))
    }

    /// Archives a study, which then gives no more points, or restores it.
    ///
    /// # Errors
    /// When there is no such study, or the database fails.
    pub fn archive_study(
        &self,
        key: &str,
        archived: bool,
        who: &str,
    ) -> BoxFuture<'static, Result<StudySummary, CoordinatorError>> {
        let (coordinator, key, who) = (self.clone(), key.to_owned(), who.to_owned());
        self.run_detached(async move {
            let row = find_study(&mut coordinator.inner.store.read().await?, &key).await?;
            if row.archived_ms.is_some() != archived {
                let (id, name) = (row.id, row.name.clone());
                let change = changing(move |tx, now_ms| {
                    Box::pin(async move {
                        tx.archive_study(id, archived.then_some(now_ms)).await?;
                        let action = if archived { "archive study" } else { "restore study" };
                        tx.note_change(&who, (action, &name, ""), now_ms).await
                    })
                });
                coordinator.inner.writer.change(change).await?;
            }
            let live = coordinator.read_study(&row.id.to_string()).await?;
            Ok(live.as_ref().ok_or(StoreError::Null("study"))?.summary())
        })
    }
}

fn busy(key: &str) -> CoordinatorError {
    CoordinatorError::Refused(format!("`{key}` changes all the time; try again later"))
}

/// The number of points to give: fewer than wanted if fewer games are left.
fn wanted(study: &LiveStudy, count: u32) -> Result<usize, CoordinatorError> {
    let refuse = |why: String| Err(CoordinatorError::Refused(why));
    if study.row.archived_ms.is_some() {
        return refuse(format!("`{}` is archived and gives no more points", study.row.name));
    }
    if !(1..=MOST_ASKED).contains(&count) {
        return refuse(format!("1 to {MOST_ASKED} points are given at once, not {count}"));
    }
    let count = u64::from(count).min(study.games_left().div_ceil(2)) as usize;
    if study.waiting() + count > MOST_WAITING {
        return refuse(format!(
            "{} points have no result yet, and {MOST_WAITING} may have none: tell results first",
            study.waiting()
        ));
    }
    if study.points() + count > MOST_POINTS {
        return refuse(format!(
            "a study has {MOST_POINTS} points at most: play more games of each point, or begin another study"
        ));
    }
    Ok(count)
}

/// The results that are new, each number once.
fn checked(study: &LiveStudy, results: &[ToldResult]) -> Result<Vec<ToldResult>, CoordinatorError> {
    if results.len() > MOST_TOLD {
        return Err(CoordinatorError::Refused(format!(
            "{MOST_TOLD} results are told at once at most, not {}",
            results.len()
        )));
    }
    let mut new: BTreeMap<u64, ToldResult> = BTreeMap::new();
    let (mut unknown, mut empty, mut over, mut others) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let most = study.spec().games;
    for result in results {
        let number = usize::try_from(result.number).unwrap_or(usize::MAX);
        let Some(point) = study.point(number) else {
            unknown.push(result.number.to_string());
            continue;
        };
        let outcome = result.outcome();
        let has_games = outcome.games() > 0.0;
        if (!result.failed && !has_games) || (result.failed && has_games && point.outcome.is_none()) {
            empty.push(result.number.to_string());
            continue;
        }
        // To withdraw a result, the caller must name it, so that a late or duplicate message withdraws nothing.
        if result.failed && point.outcome == Some(outcome) && !new.contains_key(&result.number) {
            new.insert(
                result.number,
                ToldResult { number: result.number, failed: true, ..ToldResult::default() },
            );
            continue;
        }
        if outcome.games() > most as f64 {
            over.push(format!("{} has {}", result.number, outcome.games()));
            continue;
        }
        let known = match new.get(&result.number) {
            Some(earlier) => Some(earlier.outcome()),
            None if result.failed && point.failed => Some(ToldResult::default().outcome()),
            None => point.outcome,
        };
        match known {
            Some(known) if known != outcome => others.push(format!(
                "{} has {} wins, {} draws, {} losses",
                result.number, known.wins, known.draws, known.losses
            )),
            Some(_) => {}
            None => {
                new.insert(result.number, *result);
            }
        }
    }
    if !unknown.is_empty() {
        return Err(CoordinatorError::NoMatch(format!(
            "no point has the number {}: `{}` has given {} points, from number 0 on",
            listed(&unknown),
            study.row.name,
            study.points()
        )));
    }
    if !empty.is_empty() {
        return Err(CoordinatorError::Refused(format!(
            "a result has games, or \"failed\": true, unlike that of point {}",
            listed(&empty)
        )));
    }
    if !over.is_empty() {
        return Err(CoordinatorError::Refused(format!(
            "a point has as many games as the study at most, which are {most}: point {}",
            listed(&over)
        )));
    }
    if !others.is_empty() {
        return Err(CoordinatorError::Refused(format!(
            "these points have another result already, which the same result with \"failed\": true takes back: {}",
            listed(&others)
        )));
    }
    Ok(new.into_values().collect())
}

/// Some of the words, and how many more there are.
fn listed(words: &[String]) -> String {
    let shown = words[..words.len().min(MOST_NAMED)].join("; ");
    match words.len().saturating_sub(MOST_NAMED) {
        0 => shown,
        more => format!("{shown}; and {more} more"),
    }
}
