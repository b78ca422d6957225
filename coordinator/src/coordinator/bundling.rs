//! Reproducibility bundles.

use super::{BoxFuture, Coordinator};
use crate::computing::compute;
use crate::error::CoordinatorError;
use crate::reporting::{self, Archive, README, bundled_games};
use crate::store::{ExperimentRow, StoreError};
use protocol::bundle::{BundledGame, BundledWorker, FORMAT, GAMES, MANIFEST, Manifest, REVISIONS, VERSION};
use protocol::ids::WorkerId;
use protocol::table::cells;
use serde::Serialize;
use std::collections::BTreeSet;
use tokio::sync::mpsc::{Receiver, Sender, channel};

/// The most bundles that are made at once; further ones wait.
pub(super) const BUNDLES_AT_ONCE: usize = 2;

/// Workers read at once.
const WORKERS_AT_ONCE: u32 = 100;

/// A bundle while it is made.
#[derive(Debug)]
pub struct Bundle {
    /// The name for its file.
    pub file: String,
    /// Its bytes, part by part. After an error there are no more.
    pub parts: Receiver<Result<Vec<u8>, CoordinatorError>>,
}

/// Why making a bundle ends early.
enum BundleEnd {
    /// The receiver was dropped.
    Unwanted,
    Failed(CoordinatorError),
}

impl<E: Into<CoordinatorError>> From<E> for BundleEnd {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

impl Coordinator {
    /// Makes the reproducibility bundle of an experiment. Games that arrive meanwhile may be in it or not.
    ///
    /// # Errors
    /// When there is no such experiment, or the database fails.
    pub fn bundle(&self, key: &str) -> BoxFuture<'static, Result<Bundle, CoordinatorError>> {
        let (coordinator, key) = (self.clone(), key.to_owned());
        Box::pin(async move {
            let row = reporting::find(&mut coordinator.inner.store.read().await?, &key).await?;
            let file = format!("gauntlet-{}.tar.gz", for_file(&row.name));
            let (sender, parts) = channel(1);
            tokio::spawn(async move {
                let failed = make(&coordinator, &row, &sender).await;
                if let Err(BundleEnd::Failed(error)) = failed {
                    // The receiver may have been dropped.
                    let _ = sender.send(Err(error)).await;
                }
            });
            Ok(Bundle { file, parts })
        })
    }
}

/// A name with characters that every file system allows.
fn for_file(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '-' };
    name.chars().take(60).map(plain).collect()
}

/// An archive whose parts go to a receiver as they are ready.
struct ArchiveStream<'a> {
    archive: Archive,
    to: &'a Sender<Result<Vec<u8>, CoordinatorError>>,
}

impl ArchiveStream<'_> {
    async fn send(&self, part: Vec<u8>) -> Result<(), BundleEnd> {
        self.to.send(Ok(part)).await.map_err(|_| BundleEnd::Unwanted)
    }

    /// Adds a file. Writing and compressing run on a blocking thread, so that no answer waits.
    async fn put(
        self,
        name: &str,
        content: impl FnOnce() -> Vec<u8> + Send + 'static,
    ) -> Result<Self, BundleEnd> {
        let Self { mut archive, to } = self;
        let name = name.to_owned();
        let written = compute(move || {
            archive.put(&name, &content());
            archive
        });
        let mut archive = written.await?;
        let part = archive.take();
        let sending = Self { archive, to };
        sending.send(part).await.map(|()| sending)
    }

    async fn put_json(self, name: &str, content: impl Serialize + Send + 'static) -> Result<Self, BundleEnd> {
        self.put(name, move || json(&content)).await
    }
}

fn json(content: &impl Serialize) -> Vec<u8> {
    let mut text =
        serde_json::to_vec_pretty(content).expect("protocol types serialise: their keys are strings");
    text.push(b'\n');
    text
}

fn lines(games: &[BundledGame]) -> Vec<u8> {
    let mut text = Vec::new();
    for game in games {
        serde_json::to_writer(&mut text, game).expect("protocol types serialise: their keys are strings");
        text.push(b'\n');
    }
    text
}

/// Makes a bundle, part by part.
async fn make(
    coordinator: &Coordinator,
    row: &ExperimentRow,
    to: &Sender<Result<Vec<u8>, CoordinatorError>>,
) -> Result<(), BundleEnd> {
    let inner = &coordinator.inner;
    let _place = inner.bundling.acquire().await.expect("the semaphore is never closed");
    let key = row.id.to_string();
    let made_ms = inner.clock.now_ms();
    let folder = format!("{FORMAT}-{}", &key[..8]);
    let manifest = Manifest {
        format: FORMAT.to_owned(),
        version: VERSION,
        program: inner.version.clone(),
        semantics: engine::SEMANTICS,
        experiment: row.id,
        name: row.name.clone(),
        question: row.question.clone(),
        revision: row.revision,
        made_ms,
    };
    let mut sending = ArchiveStream { archive: Archive::new(folder, made_ms), to };
    sending = sending.put_json(MANIFEST, manifest).await?;
    sending = sending.put("README.md", || README.as_bytes().to_vec()).await?;
    let history = coordinator.history(&key).await?;
    for revision in &history.revisions {
        let number = i64::try_from(revision.number).unwrap_or(i64::MAX);
        if let Some(plan) = inner.store.read().await?.revision_plan(row.id, number).await? {
            sending = sending.put_json(&format!("{REVISIONS}{number}.json"), plan).await?;
        }
    }
    sending = sending.put_json("history.json", history).await?;
    let report = coordinator.report(&key).await?;
    let analysis = coordinator.analysis(&key, None).await?;
    let table = cells(&report, &analysis);
    sending = sending.put_json("report.json", report).await?;
    sending = sending.put("cells.csv", move || table.csv().into_bytes()).await?;
    sending = sending.put_json("analysis.json", analysis).await?;

    let (mut after, mut played_by) = (None::<String>, BTreeSet::new());
    for number in 1.. {
        if inner.closing.is_cancelled() {
            return Err(StoreError::Closed.into());
        }
        let mut tx = inner.store.read().await?;
        let (games, next) = bundled_games(&mut tx, &inner.plans, row, after.as_deref()).await?;
        drop(tx);
        played_by.extend(games.iter().map(|game| game.line.worker));
        if !games.is_empty() {
            sending = sending.put(&format!("{GAMES}{number:06}.jsonl"), move || lines(&games)).await?;
        }
        after = next;
        if after.is_none() {
            break;
        }
    }
    sending = sending.put_json("workers.json", workers(coordinator, &played_by).await?).await?;
    let last = sending.archive.end();
    to.send(Ok(last)).await.map_err(|_| BundleEnd::Unwanted)
}

/// The machines among these.
async fn workers(
    coordinator: &Coordinator,
    played_by: &BTreeSet<WorkerId>,
) -> Result<Vec<BundledWorker>, CoordinatorError> {
    let mut found = Vec::new();
    for offset in (0..).step_by(WORKERS_AT_ONCE as usize) {
        let page = coordinator.workers(offset, WORKERS_AT_ONCE).await?.workers;
        let full = page.len() == WORKERS_AT_ONCE as usize;
        let own = page.into_iter().filter(|worker| played_by.contains(&worker.id));
        found.extend(own.map(|worker| BundledWorker {
            id: worker.id,
            name: worker.name,
            version: worker.version,
            slots: worker.slots,
            speeds: worker.speeds,
        }));
        if !full {
            break;
        }
    }
    Ok(found)
}
