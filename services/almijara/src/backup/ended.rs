//! What visitors ended (consents, enquiries, accounts, searches) after a backup was started. Restoring the
//! backup must not bring it back.

use anyhow::{Context, Result};
use chrono::{DateTime, TimeDelta, Utc};
use command::VisitorDeletion;
use event_log::{EventLog, MAX_VISITOR_EVENTS, VISITOR_RETENTION, VisitorRecord};
use secrecy::SecretString;
use sqlx::{PgPool, query};
use uuid::Uuid;

/// How far the clock that dates a backup may be ahead of the clocks that date endings: it may be another
/// machine's, or the same machine's before it was corrected.
const MAX_CLOCK_SKEW: TimeDelta = TimeDelta::hours(3);

/// What was ended after a backup was started, as far as the stream knew when it was read.
pub struct EndedSince<'a> {
    started: DateTime<Utc>,
    nats_url: &'a SecretString,
    /// Since when the stream knows all of it.
    complete_since: DateTime<Utc>,
    known: Vec<Ended>,
}

/// What was ended: the kind of ending, the row, and when it was ended first.
type Ended = (VisitorDeletion, Uuid, DateTime<Utc>);

impl<'a> EndedSince<'a> {
    /// Reads from the stream at `nats_url` what was ended since the backup was `started`.
    pub async fn fetch(started: DateTime<Utc>, nats_url: &'a SecretString) -> Result<Self> {
        let (complete_since, known) = published(started, nats_url).await?;
        Ok(Self { started, nats_url, complete_since, known })
    }

    /// Returns, in words, how far back the stream knows who was erased. Returns `None` if it knows all
    /// since the backup was started.
    pub fn memory_limit(&self) -> Option<String> {
        if !is_remembered(self.started) {
            return Some("only for 400 days".to_owned());
        }
        let since = self.complete_since.format("%F %T UTC");
        (self.started < self.complete_since).then(|| {
            format!(
                "only since {since}: the NATS stream VISITOR was created then, or has dropped what is older"
            )
        })
    }

    /// Ends all of it again in the restored rows, together with what was ended until they replaced the rows
    /// before. Returns in words how many there were of each kind.
    pub async fn repeat(self, pool: &PgPool) -> Result<String> {
        // Waiting events are read before the stream: each is published before it is deleted from the table,
        // so none is missed.
        let mut ended = waiting(self.started, pool).await?;
        let published = published(self.started, self.nats_url).await;
        ended.extend(published.as_ref().map_or(&self.known, |(_, ended)| ended));
        let mut counts = Vec::new();
        for ending in VisitorDeletion::ALL {
            let rows: Vec<_> = ended
                .iter()
                .filter(|(how, ..)| *how == ending)
                .map(|&(_, row, at)| (row, at))
                .collect();
            let count = ending.reapply(pool, &rows).await?;
            counts.push(match ending {
                VisitorDeletion::ConsentWithdrawn => format!("{count} consents were withdrawn"),
                VisitorDeletion::EnquiryBlocked => format!("{count} enquiries blocked"),
                VisitorDeletion::AccountDeleted => format!("{count} accounts erased"),
                VisitorDeletion::SearchDeleted => format!("{count} searches deleted"),
                VisitorDeletion::SearchEnded => format!("{count} ended"),
            });
        }
        published.context(
            "what visitors ended during the restore may be back; run the restore again to end it",
        )?;
        Ok(format!("{} again", counts.join(", ")))
    }
}

/// Reads from the stream at `nats_url` what was ended since `started`. Returns it with the time since which
/// the stream is complete.
async fn published(
    started: DateTime<Utc>,
    nats_url: &SecretString,
) -> Result<(DateTime<Utc>, Vec<Ended>)> {
    let log = EventLog::connect(nats_url, "restore").await?;
    // If the stream was lost too, this creates an empty one.
    let mut complete_since = log.ensure_visitor_stream().await?;
    let mut ended = Vec::new();
    for ending in VisitorDeletion::ALL {
        let records = log.visitor_records(ending.kind()).await;
        let records = records.context("reading what was ended since the backup")?;
        complete_since = complete_since.max(kind_complete_since(&records).unwrap_or_default());
        ended.extend(records.into_iter().filter_map(|record| {
            let at = record.at.unwrap_or(DateTime::<Utc>::MAX_UTC);
            is_after_backup(ending, at, started).then_some((
                ending,
                record.subject,
                at.min(Utc::now()),
            ))
        }));
    }
    Ok((complete_since, ended))
}

/// Returns since when the stream has all `records` of a kind, if it may have dropped older ones because
/// there were too many.
fn kind_complete_since(records: &[VisitorRecord]) -> Option<DateTime<Utc>> {
    let is_full = records.len() >= MAX_VISITOR_EVENTS as usize;
    records.iter().find_map(|record| record.at).filter(|_| is_full)
}

/// Reads what was ended since `started` and is not published yet, or was only just published: the stream
/// may have lost that.
async fn waiting(started: DateTime<Utc>, pool: &PgPool) -> Result<Vec<Ended>> {
    let events =
        query!("select kind, subject, created_at from visitor.event").fetch_all(pool).await;
    let events = events.context("reading the events that wait to be published")?;
    let ended = events.into_iter().filter_map(|event| {
        let ending = VisitorDeletion::ALL.into_iter().find(|ending| ending.kind() == event.kind)?;
        let at = event.created_at;
        is_after_backup(ending, at, started).then_some((ending, event.subject, at))
    });
    Ok(ended.collect())
}

/// Returns whether an ending at `at` may be missing from a backup that was `started` then. A final ending
/// counts whatever its age, because such a thing starts again only under a new id. At worst, what was ended
/// shortly before the backup and then started again is ended once more; nothing comes back.
fn is_after_backup(ending: VisitorDeletion, at: DateTime<Utc>, started: DateTime<Utc>) -> bool {
    ending.is_final() || at >= started - MAX_CLOCK_SKEW
}

/// Returns whether the stream's retention covers everything that was ended since a backup was `started`.
fn is_remembered(started: DateTime<Utc>) -> bool {
    Utc::now() - VISITOR_RETENTION <= started
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_are_remembered_as_long_as_backups_are_retained() {
        assert!(is_remembered(Utc::now() - TimeDelta::days(399)));
        assert!(!is_remembered(Utc::now() - TimeDelta::days(401)));
    }

    #[test]
    fn a_stream_that_is_younger_than_the_backup_reports_since_when_it_is_complete() {
        let (now, nats_url) = (Utc::now(), SecretString::from("nats://localhost"));
        let memory_limit = |started: i64, complete: i64| {
            let started = now - TimeDelta::days(started);
            let complete_since = now - TimeDelta::days(complete);
            let known = Vec::new();
            EndedSince { started, nats_url: &nats_url, complete_since, known }.memory_limit()
        };
        assert_eq!(memory_limit(2, 3), None);
        let younger = memory_limit(2, 1).expect("the stream does not cover the first day");
        let since = (now - TimeDelta::days(1)).format("only since %F %T UTC").to_string();
        assert!(younger.starts_with(&since) && younger.contains("VISITOR"), "{younger}");
        assert_eq!(memory_limit(401, 500).as_deref(), Some("only for 400 days"));
    }

    #[test]
    fn a_full_kind_is_complete_since_its_oldest_record() {
        let oldest = Utc::now() - TimeDelta::days(9);
        let record = VisitorRecord { subject: Uuid::nil(), at: Some(oldest) };
        let mut records = vec![record; MAX_VISITOR_EVENTS as usize];
        assert_eq!(kind_complete_since(&records), Some(oldest));
        records.pop();
        assert_eq!(kind_complete_since(&records), None, "nothing had to be dropped");
    }

    #[test]
    fn an_ending_within_the_clock_skew_counts_as_after_the_backup() {
        let started = Utc::now();
        let before = |ending: VisitorDeletion, age: TimeDelta| {
            is_after_backup(ending, started - age, started)
        };
        for ending in VisitorDeletion::ALL {
            assert!(before(ending, TimeDelta::minutes(30)), "{ending:?}");
            assert_eq!(before(ending, TimeDelta::days(1)), ending.is_final(), "{ending:?}");
        }
    }
}
