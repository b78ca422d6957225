//! Alarms: raised when a check finds something, and over when it no longer does.

use crate::store::{AlarmRow, StoreError, Tx};
use protocol::alarm::{AlarmKind, Severity};
use std::collections::HashMap;

/// The author of alarms in the audit.
const BY_ALARMS: &str = "coordinator: alarms";

/// An alarm that returns within this time is the same one: it keeps its first time, and is not reported again.
const RETURNS_MS: i64 = 24 * 3_600_000;

/// Something that people should look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RaisedAlarm {
    pub(crate) kind: AlarmKind,
    /// The id of a machine, or an empty text.
    pub(crate) subject: String,
    /// The subject's name, for people.
    pub(crate) name: String,
    pub(crate) severity: Severity,
    pub(crate) words: String,
}

/// A row to be stored, and its finding if that is new.
type AlarmChange<'a> = (AlarmRow, Option<&'a RaisedAlarm>);

/// The changes from the stored alarms of the checked kinds to the findings.
fn changes<'a>(
    stored: &[AlarmRow],
    looked_for: &[AlarmKind],
    found: &'a [RaisedAlarm],
    now_ms: i64,
) -> Vec<AlarmChange<'a>> {
    let known: HashMap<_, _> = stored.iter().map(|row| ((row.kind, row.subject.as_str()), row)).collect();
    let raised = found.iter().filter_map(|finding| {
        let before = known.get(&(finding.kind, finding.subject.as_str())).copied();
        let same = before.filter(|row| row.ended_ms.is_none_or(|ended_ms| now_ms - ended_ms < RETURNS_MS));
        let row = AlarmRow {
            kind: finding.kind,
            subject: finding.subject.clone(),
            severity: finding.severity,
            since_ms: same.map_or(now_ms, |row| row.since_ms),
            ended_ms: None,
            words: finding.words.clone(),
        };
        let is_news = same.is_none_or(|row| row.severity < finding.severity);
        (before != Some(&row)).then_some((row, is_news.then_some(finding)))
    });
    let stands = |row: &&AlarmRow| row.ended_ms.is_none() && looked_for.contains(&row.kind);
    let is_found = |row: &AlarmRow| {
        found.iter().any(|finding| finding.kind == row.kind && finding.subject == row.subject)
    };
    let over = stored.iter().filter(stands).filter(|row| !is_found(row));
    let over = over.map(|row| (AlarmRow { ended_ms: Some(now_ms), ..row.clone() }, None));
    raised.chain(over).collect()
}

/// Whether the findings differ from the stored alarms.
pub(crate) async fn differ(
    tx: &mut Tx,
    looked_for: &[AlarmKind],
    found: &[RaisedAlarm],
    now_ms: i64,
) -> Result<bool, StoreError> {
    Ok(!changes(&tx.alarms().await?, looked_for, found, now_ms).is_empty())
}

/// Replaces the alarms of the checked kinds by the findings, and notes new ones in the audit.
pub(crate) async fn set(
    tx: &mut Tx,
    looked_for: &[AlarmKind],
    found: &[RaisedAlarm],
    now_ms: i64,
) -> Result<(), StoreError> {
    let stored = tx.alarms().await?;
    let changes = changes(&stored, looked_for, found, now_ms);
    for finding in changes.iter().filter_map(|(_, news)| *news) {
        let (kind, severity) = (finding.kind.name(), finding.severity.name());
        // For a bias the check itself has written the audit entry.
        if finding.kind != AlarmKind::Bias {
            tracing::error!("alarm ({kind}, {severity}), {}: {}", finding.name, finding.words);
            let detail = format!("{kind}, {severity}: {}", finding.words);
            tx.note_change(BY_ALARMS, ("alarm", &finding.name, &detail), now_ms).await?;
        }
    }
    tx.put_alarms(&changes.into_iter().map(|(row, _)| row).collect::<Vec<_>>()).await
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(severity: Severity, words: &str) -> RaisedAlarm {
        RaisedAlarm {
            kind: AlarmKind::Control,
            subject: String::new(),
            name: "control".into(),
            severity,
            words: words.into(),
        }
    }

    #[test]
    fn an_alarm_that_comes_and_goes_is_told_of_once_and_again_when_it_gets_worse() {
        let kinds = [AlarmKind::Control];
        let mut stored: Vec<AlarmRow> = Vec::new();
        let mut step = |severity: Option<Severity>, now_ms: i64| {
            let found: Vec<RaisedAlarm> =
                severity.map(|severity| finding(severity, "off")).into_iter().collect();
            let changes = changes(&stored, &kinds, &found, now_ms);
            let news = changes.iter().filter(|(_, news)| news.is_some()).count();
            if let Some((row, _)) = changes.into_iter().next() {
                stored = vec![row];
            }
            (news, stored.first().map(|row| (row.since_ms, row.ended_ms)))
        };
        assert_eq!(step(None, 5), (0, None));
        assert_eq!(step(Some(Severity::Amber), 10), (1, Some((10, None))));
        assert_eq!(step(Some(Severity::Amber), 20), (0, Some((10, None))));
        assert_eq!(step(None, 30), (0, Some((10, Some(30)))));
        assert_eq!(step(Some(Severity::Amber), 40), (0, Some((10, None))));
        assert_eq!(step(Some(Severity::Red), 50), (1, Some((10, None))));
        assert_eq!(step(None, 60), (0, Some((10, Some(60)))));
        assert_eq!(step(Some(Severity::Amber), 61 + RETURNS_MS), (1, Some((61 + RETURNS_MS, None))));
    }

    #[test]
    fn kinds_that_were_not_looked_for_stay_as_they_are() {
        let found = [finding(Severity::Red, "off")];
        let stored: Vec<AlarmRow> =
            changes(&[], &[AlarmKind::Control], &found, 1).into_iter().map(|(row, _)| row).collect();
        assert!(changes(&stored, &[AlarmKind::Drift], &[], 2).is_empty());
        assert_eq!(changes(&stored, &[AlarmKind::Control], &[], 2).len(), 1);
    }
}
