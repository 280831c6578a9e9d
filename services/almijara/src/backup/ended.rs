//! What visitors ended after a backup was begun: none of it comes back with that.

use anyhow::{Context, Result};
use chrono::{DateTime, TimeDelta, Utc};
use command::Ending;
use event_log::{EventLog, VISITOR_MEMORY};
use secrecy::SecretString;
use sqlx::{PgPool, query};
use uuid::Uuid;

/// As far as the clock of whoever made a backup may have been ahead of those that tell when something was
/// ended: another machine's, or the same one's before it was set right.
const AHEAD: TimeDelta = TimeDelta::hours(3);

/// What was ended since, as far as the stream knew it.
pub struct EndedSince<'a> {
    begun: DateTime<Utc>,
    nats_url: &'a SecretString,
    known: Vec<Ended>,
}

/// What was ended: how, which row, and when first.
type Ended = (Ending, Uuid, DateTime<Utc>);

impl<'a> EndedSince<'a> {
    /// Asks the stream at `nats_url` what was ended since the backup was `begun`.
    pub async fn ask(begun: DateTime<Utc>, nats_url: &'a SecretString) -> Result<Self> {
        let known = published(begun, nats_url).await?;
        Ok(Self { begun, nats_url, known })
    }

    /// Ends all of it again, with what was ended until the restored rows took the place of those
    /// before; gives how much there was of each, in words.
    pub async fn end_again(self, pool: &PgPool) -> Result<String> {
        // What waits is read first: it is in the stream before it is gone from here.
        let mut ended = waiting(self.begun, pool).await?;
        let published = published(self.begun, self.nats_url).await;
        ended.extend(published.as_ref().unwrap_or(&self.known));
        let mut told = Vec::new();
        for ending in Ending::ALL {
            let rows: Vec<_> = ended
                .iter()
                .filter(|(how, ..)| *how == ending)
                .map(|&(_, row, at)| (row, at))
                .collect();
            let count = ending.repeat(pool, &rows).await?;
            told.push(match ending {
                Ending::AccountDeleted => format!("{count} accounts were erased"),
                Ending::SearchDeleted => format!("{count} searches deleted"),
                Ending::SearchEnded => format!("{count} ended"),
                Ending::ConsentWithdrawn => format!("{count} consents withdrawn"),
            });
        }
        published.context("what was ended meanwhile may be back; restoring once more ends it")?;
        Ok(format!("{} again", told.join(", ")))
    }
}

/// What was ended since `begun` by the stream at `nats_url`.
async fn published(begun: DateTime<Utc>, nats_url: &SecretString) -> Result<Vec<Ended>> {
    let log = EventLog::connect(nats_url, "restore").await?;
    // A stream that was lost too is made anew, and has nothing.
    log.make_visitor_stream().await?;
    let mut ended = Vec::new();
    for ending in Ending::ALL {
        let records = log.visitor_records(ending.kind()).await;
        let records = records.context("reading what was ended since")?;
        ended.extend(records.into_iter().filter_map(|record| {
            let at = record.at.unwrap_or(DateTime::<Utc>::MAX_UTC);
            is_since(ending, at, begun).then_some((ending, record.subject, at.min(Utc::now())))
        }));
    }
    Ok(ended)
}

/// What was ended since `begun` and waits to be published, or was not long ago: the stream may have lost
/// it since.
async fn waiting(begun: DateTime<Utc>, pool: &PgPool) -> Result<Vec<Ended>> {
    let events =
        query!("select kind, subject, created_at from visitor.event").fetch_all(pool).await;
    let events = events.context("reading what waits to be published")?;
    let ended = events.into_iter().filter_map(|event| {
        let ending = Ending::ALL.into_iter().find(|ending| ending.kind() == event.kind)?;
        let at = event.created_at;
        is_since(ending, at, begun).then_some((ending, event.subject, at))
    });
    Ok(ended.collect())
}

/// Whether a backup that was `begun` then may not know of an ending: of what is begun anew under
/// another id, none is too old. What was ended shortly before and begun again is ended once more at the
/// worst; nothing comes back.
fn is_since(ending: Ending, at: DateTime<Utc>, begun: DateTime<Utc>) -> bool {
    ending.is_final() || at >= begun - AHEAD
}

/// Whether the stream still knows all that was ended since a backup was `begun`.
pub fn is_remembered(begun: DateTime<Utc>) -> bool {
    Utc::now() - VISITOR_MEMORY <= begun
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_ended_is_known_for_as_long_as_backups_are_kept() {
        assert!(is_remembered(Utc::now() - TimeDelta::days(399)));
        assert!(!is_remembered(Utc::now() - TimeDelta::days(401)));
    }

    #[test]
    fn a_clock_that_was_ahead_brings_nothing_back() {
        let begun = Utc::now();
        let before = |ending: Ending, age: TimeDelta| is_since(ending, begun - age, begun);
        for ending in Ending::ALL {
            assert!(before(ending, TimeDelta::minutes(30)), "{ending:?}");
            assert_eq!(before(ending, TimeDelta::days(1)), ending.is_final(), "{ending:?}");
        }
    }
}
