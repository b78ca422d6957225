//! Which points of a report have changed since the caller's last request. Ten thousand points are megabytes, and few change in a
//! second.

use protocol::ids::ExperimentId;
use protocol::report::{ExperimentReport, Point, Series};
use std::collections::VecDeque;
use std::mem;
use std::sync::{Mutex, PoisonError};
use uuid::Uuid;

/// The number of experiments whose latest points stay in memory.
const KEPT: usize = 4;

/// The latest points of the experiments that were viewed last.
#[derive(Default)]
pub(crate) struct Editions(Mutex<VecDeque<Edition>>);

/// The points of an experiment with their history.
struct Edition {
    experiment: ExperimentId,
    /// Distinguishes the numbers of this history from those of another process or plan.
    history: Uuid,
    number: u64,
    /// The series without points.
    lines: Vec<Series>,
    /// The points of each series, each with the number of the edition that last changed it.
    points: Vec<Vec<(Point, u64)>>,
}

impl Editions {
    /// Names the edition of a complete report. If the edition `since` is known, leaves only what has changed since then.
    pub(crate) fn mark(&self, report: &mut ExperimentReport, since: &str) {
        let points: Vec<_> = report.series.iter_mut().map(|line| mem::take(&mut line.points)).collect();
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let place = kept.iter().position(|edition| edition.experiment == report.summary.id);
        let edition =
            match place.and_then(|place| kept.remove(place)).filter(|old| old.is_of(report, &points)) {
                Some(old) => old.followed_by(points),
                None => Edition::first(report, points),
            };
        let known = edition.number_in(since);
        report.edition = Some(edition.name());
        report.since = known.map(|_| since.to_owned());
        for (line, points) in report.series.iter_mut().zip(&edition.points) {
            let news = points.iter().filter(|(_, changed)| known.is_none_or(|known| *changed > known));
            line.points = news.map(|(point, _)| point.clone()).collect();
        }
        if known.is_some() {
            report.series.retain(|line| !line.points.is_empty());
        }
        kept.truncate(KEPT - 1);
        kept.push_front(edition);
    }
}

impl Edition {
    fn first(report: &ExperimentReport, points: Vec<Vec<Point>>) -> Self {
        Self {
            experiment: report.summary.id,
            history: Uuid::new_v4(),
            number: 1,
            lines: report.series.clone(),
            points: points
                .into_iter()
                .map(|line| line.into_iter().map(|point| (point, 1)).collect())
                .collect(),
        }
    }

    /// Whether a report has the same lines with points of the same cells.
    fn is_of(&self, report: &ExperimentReport, points: &[Vec<Point>]) -> bool {
        let cells = self.points.iter().map(|line| line.iter().map(|(point, _)| point.cell));
        self.lines == report.series
            && cells.zip(points).all(|(old, new)| old.eq(new.iter().map(|point| point.cell)))
    }

    /// The next edition, unless nothing has changed.
    fn followed_by(mut self, points: Vec<Vec<Point>>) -> Self {
        let next = self.number + 1;
        for ((old, changed), new) in self.points.iter_mut().flatten().zip(points.into_iter().flatten()) {
            if *old != new {
                (*old, *changed) = (new, next);
                self.number = next;
            }
        }
        self
    }

    fn name(&self) -> String {
        format!("{}-{}", self.history.simple(), self.number)
    }

    /// The number of the edition with this name, if it is of this history.
    fn number_in(&self, name: &str) -> Option<u64> {
        let (history, number) = name.split_once('-')?;
        let number = number.parse().ok().filter(|number| *number <= self.number)?;
        (history == self.history.simple().to_string()).then_some(number)
    }
}
