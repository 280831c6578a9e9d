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
    /// When the stream was made.
    made: DateTime<Utc>,
    known: Vec<Ended>,
}

/// What was ended: how, which row, and when first.
type Ended = (Ending, Uuid, DateTime<Utc>);

impl<'a> EndedSince<'a> {
    /// Asks the stream at `nats_url` what was ended since the backup was `begun`.
    pub async fn ask(begun: DateTime<Utc>, nats_url: &'a SecretString) -> Result<Self> {
        let (made, known) = published(begun, nats_url).await?;
        Ok(Self { begun, nats_url, made, known })
    }

    /// For how long alone it is known who was erased, in words; none where that is all the time since the
    /// backup was begun.
    pub fn known_alone(&self) -> Option<String> {
        if !is_remembered(self.begun) {
            return Some("for 400 days alone".to_owned());
        }
        let made = self.made.format("%F %T UTC");
        (self.begun < self.made)
            .then(|| format!("since {made} alone, when the stream VISITOR of NATS was made"))
    }

    /// Ends all of it again, with what was ended until the restored rows took the place of those
    /// before; gives how much there was of each, in words.
    pub async fn end_again(self, pool: &PgPool) -> Result<String> {
        // What waits is read first: it is in the stream before it is gone from here.
        let mut ended = waiting(self.begun, pool).await?;
        let published = published(self.begun, self.nats_url).await;
        ended.extend(published.as_ref().map_or(&self.known, |(_, ended)| ended));
        let mut told = Vec::new();
        for ending in Ending::ALL {
            let rows: Vec<_> = ended
                .iter()
                .filter(|(how, ..)| *how == ending)
                .map(|&(_, row, at)| (row, at))
                .collect();
            let count = ending.repeat(pool, &rows).await?;
            told.push(match ending {
                Ending::ConsentWithdrawn => format!("{count} consents were withdrawn"),
                Ending::EnquiryBlocked => format!("{count} enquiries blocked"),
                Ending::AccountDeleted => format!("{count} accounts erased"),
                Ending::SearchDeleted => format!("{count} searches deleted"),
                Ending::SearchEnded => format!("{count} ended"),
            });
        }
        published.context("what was ended meanwhile may be back; restoring once more ends it")?;
        Ok(format!("{} again", told.join(", ")))
    }
}

/// What was ended since `begun` by the stream at `nats_url`, and when that was made.
async fn published(
    begun: DateTime<Utc>,
    nats_url: &SecretString,
) -> Result<(DateTime<Utc>, Vec<Ended>)> {
    let log = EventLog::connect(nats_url, "restore").await?;
    // One that was lost too is made anew, and has nothing.
    let made = log.make_visitor_stream().await?;
    let mut ended = Vec::new();
    for ending in Ending::ALL {
        let records = log.visitor_records(ending.kind()).await;
        let records = records.context("reading what was ended since")?;
        ended.extend(records.into_iter().filter_map(|record| {
            let at = record.at.unwrap_or(DateTime::<Utc>::MAX_UTC);
            is_since(ending, at, begun).then_some((ending, record.subject, at.min(Utc::now())))
        }));
    }
    Ok((made, ended))
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

/// Whether a stream that is old enough still knows all that was ended since a backup was `begun`.
fn is_remembered(begun: DateTime<Utc>) -> bool {
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
    fn a_stream_that_is_younger_than_the_backup_does_not_know_all_that_was_ended() {
        let (now, nats_url) = (Utc::now(), SecretString::from("nats://localhost"));
        let known_alone = |begun: i64, made: i64| {
            let (begun, made) = (now - TimeDelta::days(begun), now - TimeDelta::days(made));
            EndedSince { begun, nats_url: &nats_url, made, known: Vec::new() }.known_alone()
        };
        assert_eq!(known_alone(2, 3), None);
        let younger = known_alone(2, 1).expect("it knows nobody of the first day");
        let made = (now - TimeDelta::days(1)).format("since %F %T UTC alone").to_string();
        assert!(younger.starts_with(&made) && younger.contains("VISITOR"), "{younger}");
        assert_eq!(known_alone(401, 500).as_deref(), Some("for 400 days alone"));
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
