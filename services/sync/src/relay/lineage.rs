//! Taking over as leader: decides whether the stream is the one that this ledger filled, and complete.
//!
//! The ledger and the stream are two stores, and either may be lost, or restored from a copy, at any
//! time. Each leadership of a relay is an epoch, which both of them record. A relay that takes over
//! compares the two. A stream that lacks something is rebuilt and filled from the ledger. A ledger that
//! lacks something of its stream is an older copy; it also takes a new identity, since it will reuse
//! versions that readers know with other content.

use std::time::SystemTime;

use contracts::{Epoch, LedgerId};
use event_log::{EndedEpoch, EventLog, Lineage, Publisher, StreamState};
use sqlx::{Connection, PgConnection};
use uuid::Uuid;

use super::{outbox, recover};
use crate::{Error, ledger::record_recovered};

/// The number of remembered epochs before the present one: together they are as many as fit into the
/// description of the stream.
const MAX_REMEMBERED_EPOCHS: i64 = 99;
/// A stream whose last message has a higher sequence than this is rebuilt: it comes close to the last
/// message that a position can name.
const MAX_LAST_MESSAGE: u64 = Epoch::MAX_MESSAGES / 4 * 3;

/// An epoch as recorded in the ledger.
#[derive(Clone, Copy, Debug)]
struct KnownEpoch {
    epoch: i32,
    ledger: Uuid,
    born: i32,
    last: i64,
}

impl KnownEpoch {
    const fn epoch(self) -> Epoch {
        Epoch(self.epoch.cast_unsigned())
    }

    const fn born(self) -> Epoch {
        Epoch(self.born.cast_unsigned())
    }
}

/// The result of comparing ledger and stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    /// The stream contains everything that the ledger published. Messages of the stream after `marked`
    /// still have to be looked up in the ledger.
    Complete {
        /// The last message that the ledger knows.
        marked: u64,
    },
    /// The stream is missing, or lacks something.
    Incomplete(&'static str),
    /// The stream contains something that this ledger does not know.
    OlderLedger(&'static str),
}

/// A leadership: the lineage under which the stream is continued, and its position.
#[derive(Debug)]
pub(super) struct Leadership {
    pub lineage: Lineage,
    /// The last message of the stream.
    pub last: u64,
}

impl Leadership {
    /// Verifies that the stream is as this relay left it, not restored, rebuilt, or written to by another,
    /// and has room for positions.
    pub fn verify(&self, stream: &StreamState) -> Result<(), Error> {
        if stream.lineage.as_ref() != Some(&self.lineage) || stream.last != self.last {
            let found = format!("it ends at {} and not at {}", stream.last, self.last);
            return Err(event_log::Error::Overtaken(found.into()).into());
        }
        if stream.last > MAX_LAST_MESSAGE { Err(Error::StreamUsedUp) } else { Ok(()) }
    }
}

/// Starts an epoch: with the stream as it is, or with a rebuilt one.
pub(super) async fn take(
    connection: &mut PgConnection,
    log: &EventLog,
    publisher: &Publisher,
) -> Result<Leadership, Error> {
    let known = known_epochs(connection).await?;
    let stream = publisher.stream_state().await?;
    let mut comparison = compare(&known, stream.as_ref());
    if let (Comparison::Complete { marked }, Some(stream)) = (comparison, &stream) {
        let stored = publisher.stored(marked + 1..=stream.last).await?;
        if !outbox::mark_stored(connection, &stored).await? {
            comparison = Comparison::OlderLedger("the stream holds what the ledger does not know");
        }
    }
    let epoch = next_epoch(&known, stream.as_ref());
    let ledger = known.last().map(|known| LedgerId(known.ledger));
    let leadership = match (comparison, &stream, ledger) {
        (Comparison::Complete { .. }, Some(stream), Some(ledger)) => {
            continue_stream(connection, publisher, epoch, ledger, stream).await?
        }
        (Comparison::OlderLedger(reason), stream, _) => {
            // Before the stream is deleted. Whoever does that once more records the same.
            record_recovered(connection, recover::offers(log).await).await?;
            let ledger = LedgerId(Uuid::new_v4());
            rebuild_stream(connection, publisher, epoch, ledger, stream.as_ref(), reason).await?
        }
        (Comparison::Incomplete(reason), stream, ledger) => {
            let ledger = ledger.unwrap_or_else(|| LedgerId(Uuid::new_v4()));
            rebuild_stream(connection, publisher, epoch, ledger, stream.as_ref(), reason).await?
        }
        (Comparison::Complete { .. }, ..) => return Err(event_log::Error::NoStream.into()),
    };
    prune_epochs(connection, epoch).await?;
    Ok(leadership)
}

/// Returns the epochs that the ledger remembers, in order.
async fn known_epochs(connection: &mut PgConnection) -> Result<Vec<KnownEpoch>, Error> {
    Ok(sqlx::query_as!(
        KnownEpoch,
        "select epoch, ledger, born, last from ledger.epoch order by epoch",
    )
    .fetch_all(connection)
    .await?)
}

/// Compares what the ledger knows with how the stream describes itself.
fn compare(known: &[KnownEpoch], stream: Option<&StreamState>) -> Comparison {
    let (Some(latest), Some(stream)) = (known.last(), stream) else {
        return match (known.is_empty(), stream) {
            (true, Some(_)) => Comparison::OlderLedger("the ledger is new and the stream is not"),
            (true, None) => Comparison::Incomplete("there is neither a ledger nor a stream yet"),
            _ => Comparison::Incomplete("the stream is gone"),
        };
    };
    let Some(lineage) = &stream.lineage else {
        return Comparison::Incomplete("the stream was made by another build");
    };
    if lineage.ledger.0 != latest.ledger {
        return Comparison::OlderLedger("the stream is of another ledger");
    }
    if !known.iter().any(|known| known.epoch() == lineage.epoch) {
        return Comparison::OlderLedger(
            "the stream was led by a relay that the ledger does not know",
        );
    }
    let of_stream = known.iter().filter(|known| known.born() == lineage.born);
    let marked = of_stream.map(|known| known.last.cast_unsigned()).max().unwrap_or_default();
    if latest.born() != lineage.born || stream.last < marked {
        return Comparison::Incomplete("the stream is older than the one that the ledger knows");
    }
    if stream.last - marked > outbox::MAX_BATCH {
        return Comparison::OlderLedger("the stream is far ahead of the ledger");
    }
    if stream.last > MAX_LAST_MESSAGE {
        return Comparison::Incomplete("the stream has reached its last possible message");
    }
    if !lineage.complete {
        // The relay that filled it ended; what is left to fill is in the outbox.
        tracing::info!("continuing to fill the stream");
    }
    Comparison::Complete { marked }
}

/// Returns the next epoch: the one of the current time, or one more than the last. It is later than all
/// that any reader knows, even if ledger and stream were lost together.
fn next_epoch(known: &[KnownEpoch], stream: Option<&StreamState>) -> Epoch {
    let of_ledger = known.iter().map(|known| known.epoch());
    let of_stream = stream.and_then(|stream| stream.lineage.as_ref()).map(|lineage| lineage.epoch);
    let after = of_ledger.chain(of_stream).max().map(|last| Epoch(last.0 + 1));
    Epoch::at(SystemTime::now()).max(after.unwrap_or_default())
}

/// Continues the existing stream.
async fn continue_stream(
    connection: &mut PgConnection,
    publisher: &Publisher,
    epoch: Epoch,
    ledger: LedgerId,
    stream: &StreamState,
) -> Result<Leadership, Error> {
    let (born, complete) =
        stream.lineage.as_ref().map_or((epoch, false), |lineage| (lineage.born, lineage.complete));
    let lineage = record_epoch(connection, ledger, epoch, born, complete).await?;
    publisher.describe(&lineage).await?;
    Ok(Leadership { lineage, last: stream.last })
}

/// Rebuilds the stream that was `found`, and queues everything for it. The ledger is written first: a crash
/// in between only costs one more epoch.
async fn rebuild_stream(
    connection: &mut PgConnection,
    publisher: &Publisher,
    epoch: Epoch,
    ledger: LedgerId,
    found: Option<&StreamState>,
    reason: &str,
) -> Result<Leadership, Error> {
    tracing::warn!(%epoch, %ledger, reason, "recreating the log and filling it from the ledger");
    metrics::counter!("sync_streams_made_total").increment(1);
    let mut transaction = connection.begin().await?;
    // Every aggregate is put into the outbox, which may take long.
    sqlx::query!("set local statement_timeout = 0").execute(&mut *transaction).await?;
    // With a new identity, everything has to be compared again.
    sqlx::query!(
        "delete from ledger.compared
         where exists (select from ledger.epoch)
           and not exists (select from ledger.epoch where ledger = $1)",
        ledger.0,
    )
    .execute(&mut *transaction)
    .await?;
    sqlx::query!("delete from ledger.epoch where ledger <> $1", ledger.0)
        .execute(&mut *transaction)
        .await?;
    let lineage = record_epoch(&mut transaction, ledger, epoch, epoch, false).await?;
    outbox::refill(&mut transaction).await?;
    // The commit proves that the lock on this connection still holds.
    transaction.commit().await?;
    runtime::failpoint("sync.recreate").map_err(sqlx::Error::from)?;
    // A request on a connection to NATS that was cut meanwhile would be sent once that is back, and delete
    // the stream of a relay that leads by then. So the stream is read first, which needs a connection that
    // is alive, and shows whether another relay has taken over. One that takes over between these two
    // requests finds its stream deleted, and fills another one.
    let present = publisher.stream_state().await?;
    let lineage_of = |stream: Option<&StreamState>| stream.map(|stream| stream.lineage.clone());
    if lineage_of(present.as_ref()) != lineage_of(found) {
        let overtaken = "it was replaced while its own replacement was prepared";
        return Err(event_log::Error::Overtaken(overtaken.into()).into());
    }
    publisher.recreate(&lineage).await?;
    Ok(Leadership { lineage, last: 0 })
}

/// Records that `epoch` starts, and returns the lineage for the description of the stream.
async fn record_epoch(
    connection: &mut PgConnection,
    ledger: LedgerId,
    epoch: Epoch,
    born: Epoch,
    complete: bool,
) -> Result<Lineage, Error> {
    let before = known_epochs(connection).await?;
    sqlx::query!(
        "insert into ledger.epoch (epoch, ledger, born) values ($1, $2, $3)",
        epoch.0.cast_signed(),
        ledger.0,
        born.0.cast_signed(),
    )
    .execute(connection)
    .await?;
    let ended = before
        .into_iter()
        .filter(|known| known.last > 0)
        .map(|known| EndedEpoch { epoch: known.epoch(), last: known.last.cast_unsigned() })
        .collect();
    Ok(Lineage { ledger, born, epoch, ended, complete })
}

/// Deletes the oldest epochs before `epoch`, starting with those that published nothing. To be called
/// only after the stream names `epoch`: until then it names one of the others, possibly one that
/// published nothing.
async fn prune_epochs(connection: &mut PgConnection, epoch: Epoch) -> Result<(), Error> {
    sqlx::query!(
        "delete from ledger.epoch where epoch in
            (select epoch from ledger.epoch where epoch < $1
             order by last = 0, epoch desc offset $2)",
        epoch.0.cast_signed(),
        MAX_REMEMBERED_EPOCHS,
    )
    .execute(connection)
    .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEDGER: Uuid = Uuid::from_u128(1);

    /// Epochs of two streams: one led in epoch 10, the present one in 20 and 21.
    fn known() -> Vec<KnownEpoch> {
        [(10, 10, 400), (20, 20, 30), (21, 20, 44)]
            .map(|(epoch, born, last)| KnownEpoch { epoch, ledger: LEDGER, born, last })
            .into()
    }

    fn stream(ledger: Uuid, born: u32, epoch: u32, last: u64) -> StreamState {
        let lineage = Lineage {
            ledger: LedgerId(ledger),
            born: Epoch(born),
            epoch: Epoch(epoch),
            ended: Vec::new(),
            complete: true,
        };
        StreamState { lineage: Some(lineage), last, messages: 0, bytes: 0, max_bytes: None }
    }

    #[test]
    fn a_complete_stream_is_continued() {
        for last in [44, 45, 44 + outbox::MAX_BATCH] {
            let comparison = compare(&known(), Some(&stream(LEDGER, 20, 21, last)));
            assert_eq!(comparison, Comparison::Complete { marked: 44 });
        }
        // A relay recorded its epoch and ended before it described the stream.
        let mut recorded = known();
        recorded.push(KnownEpoch { epoch: 25, ledger: LEDGER, born: 20, last: 0 });
        let comparison = compare(&recorded, Some(&stream(LEDGER, 20, 21, 44)));
        assert_eq!(comparison, Comparison::Complete { marked: 44 });
    }

    #[test]
    fn an_incomplete_stream_is_rebuilt() {
        for stream in [
            None,
            Some(StreamState { lineage: None, last: 44, messages: 0, bytes: 0, max_bytes: None }),
            Some(stream(LEDGER, 20, 21, 43)),
            Some(stream(LEDGER, 20, 20, 30)),
            Some(stream(LEDGER, 10, 10, 400)),
        ] {
            let comparison = compare(&known(), stream.as_ref());
            assert!(matches!(comparison, Comparison::Incomplete(_)), "{comparison:?}");
        }
        assert!(matches!(compare(&[], None), Comparison::Incomplete(_)));
        let full = MAX_LAST_MESSAGE + 1;
        let known = [KnownEpoch { epoch: 21, ledger: LEDGER, born: 20, last: full.cast_signed() }];
        let comparison = compare(&known, Some(&stream(LEDGER, 20, 21, full)));
        assert!(matches!(comparison, Comparison::Incomplete(_)), "{comparison:?}");
    }

    #[test]
    fn a_leadership_ends_with_a_stream_that_was_changed_or_is_used_up() {
        let led = |last: u64| {
            let lineage = stream(LEDGER, 20, 21, last).lineage.expect("it has one");
            Leadership { lineage, last }
        };
        for last in [44, MAX_LAST_MESSAGE] {
            led(last).verify(&stream(LEDGER, 20, 21, last)).expect("it is as it was left");
        }
        for changed in [stream(LEDGER, 20, 21, 45), stream(LEDGER, 20, 22, 44)] {
            let refusal = led(44).verify(&changed);
            assert!(
                matches!(refusal, Err(Error::Log(event_log::Error::Overtaken(_)))),
                "{refusal:?}"
            );
        }
        let full = MAX_LAST_MESSAGE + 1;
        let refusal = led(full).verify(&stream(LEDGER, 20, 21, full)).expect_err("it is used up");
        assert!(matches!(refusal, Error::StreamUsedUp) && refusal.is_transient(), "{refusal}");
    }

    #[test]
    fn a_ledger_that_lacks_messages_of_its_stream_is_an_older_copy() {
        for stream in [
            stream(Uuid::from_u128(2), 20, 21, 44),
            stream(LEDGER, 20, 22, 60),
            stream(LEDGER, 30, 30, 5),
            stream(LEDGER, 20, 21, 45 + outbox::MAX_BATCH),
        ] {
            let comparison = compare(&known(), Some(&stream));
            assert!(matches!(comparison, Comparison::OlderLedger(_)), "{comparison:?}");
        }
        let empty_ledger = compare(&[], Some(&stream(LEDGER, 20, 21, 44)));
        assert!(matches!(empty_ledger, Comparison::OlderLedger(_)));
    }
}
