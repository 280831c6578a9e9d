//! Taking the lead: is the stream the one that this ledger filled, and all of it?
//!
//! The ledger and the stream live in two stores, and either may be lost, or come back from a copy, at
//! any time. Each lead of a relay is an epoch, which both of them note. Who takes the lead compares
//! the two: a stream that lacks something is made anew and filled from the ledger; a ledger that
//! lacks something of its stream is an older one, and takes a new identity besides, since it will
//! use versions again that readers know with other content.

use std::time::SystemTime;

use contracts::{Epoch, LedgerId};
use event_log::{EndedEpoch, Lineage, Publisher, StreamState};
use sqlx::{Connection, PgConnection};
use uuid::Uuid;

use super::outbox;
use crate::Error;

/// How many epochs before the present one are remembered: all of them together are as many as the
/// stream's description has room for.
const REMEMBERED: i64 = 99;
/// A stream this near to the last message that a position can name is made anew.
const NEARLY_FULL: u64 = Epoch::MAX_MESSAGES / 4 * 3;

/// An epoch as the ledger knows it.
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

/// What whoever takes the lead finds: how ledger and stream compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    /// All that the ledger published stands in the stream. What comes after `marked` in the stream
    /// is still to be looked up in the ledger.
    Whole {
        /// The last message that the ledger knows of.
        marked: u64,
    },
    /// There is no stream, or not all of it.
    Incomplete(&'static str),
    /// The stream tells of what this ledger does not know.
    OlderLedger(&'static str),
}

/// The lead: where the stream stands, and as what it goes on.
#[derive(Debug)]
pub(super) struct Lead {
    pub lineage: Lineage,
    /// The last message of the stream.
    pub last: u64,
}

/// Begins an epoch: over the stream as it is, or over one that is made anew.
pub(super) async fn take(
    connection: &mut PgConnection,
    publisher: &Publisher,
) -> Result<Lead, Error> {
    let known = known_epochs(connection).await?;
    let stream = publisher.stream_state().await?;
    let mut comparison = compare(&known, stream.as_ref());
    if let (Comparison::Whole { marked }, Some(stream)) = (comparison, &stream) {
        let stored = publisher.stored(marked + 1..=stream.last).await?;
        if !outbox::mark_stored(connection, &stored).await? {
            comparison = Comparison::OlderLedger("the stream holds what the ledger does not know");
        }
    }
    let epoch = next_epoch(&known, stream.as_ref());
    let ledger = known.last().map(|known| LedgerId(known.ledger));
    let lead = match (comparison, stream, ledger) {
        (Comparison::Whole { .. }, Some(stream), Some(ledger)) => {
            go_on(connection, publisher, epoch, ledger, &stream).await?
        }
        (Comparison::OlderLedger(reason), ..) => {
            begin_anew(connection, publisher, epoch, LedgerId(Uuid::new_v4()), reason).await?
        }
        (Comparison::Incomplete(reason), _, ledger) => {
            let ledger = ledger.unwrap_or_else(|| LedgerId(Uuid::new_v4()));
            begin_anew(connection, publisher, epoch, ledger, reason).await?
        }
        (Comparison::Whole { .. }, ..) => return Err(event_log::Error::NoStream.into()),
    };
    forget_before(connection, epoch).await?;
    Ok(lead)
}

/// The epochs that the ledger remembers, the first one first.
async fn known_epochs(connection: &mut PgConnection) -> Result<Vec<KnownEpoch>, Error> {
    Ok(sqlx::query_as!(
        KnownEpoch,
        "select epoch, ledger, born, last from ledger.epoch order by epoch",
    )
    .fetch_all(connection)
    .await?)
}

/// Compares what the ledger knows with what the stream says of itself.
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
        return Comparison::Incomplete("the stream is an older one than the ledger knows");
    }
    if stream.last - marked > outbox::MOST {
        return Comparison::OlderLedger("the stream is far ahead of the ledger");
    }
    if stream.last > NEARLY_FULL {
        return Comparison::Incomplete("the stream has come to its last message");
    }
    if !lineage.complete {
        // Whoever was filling it ended; what is left to fill stands in the outbox.
        tracing::info!("the stream goes on being filled");
    }
    Comparison::Whole { marked }
}

/// The number of the next epoch: the time's, or one more than the last. It is later than all that any
/// reader knows, also where ledger and stream were lost together.
fn next_epoch(known: &[KnownEpoch], stream: Option<&StreamState>) -> Epoch {
    let of_ledger = known.iter().map(|known| known.epoch());
    let of_stream = stream.and_then(|stream| stream.lineage.as_ref()).map(|lineage| lineage.epoch);
    let after = of_ledger.chain(of_stream).max().map(|last| Epoch(last.0 + 1));
    Epoch::at(SystemTime::now()).max(after.unwrap_or_default())
}

/// Leads the stream that is there.
async fn go_on(
    connection: &mut PgConnection,
    publisher: &Publisher,
    epoch: Epoch,
    ledger: LedgerId,
    stream: &StreamState,
) -> Result<Lead, Error> {
    let (born, complete) =
        stream.lineage.as_ref().map_or((epoch, false), |lineage| (lineage.born, lineage.complete));
    let lineage = note(connection, ledger, epoch, born, complete).await?;
    publisher.describe(&lineage).await?;
    Ok(Lead { lineage, last: stream.last })
}

/// Makes the stream anew and has it filled. The ledger first: a crash in between only begins one
/// epoch more.
async fn begin_anew(
    connection: &mut PgConnection,
    publisher: &Publisher,
    epoch: Epoch,
    ledger: LedgerId,
    reason: &str,
) -> Result<Lead, Error> {
    tracing::warn!(%epoch, %ledger, reason, "the log is made anew and filled from the ledger");
    metrics::counter!("sync_streams_made_total").increment(1);
    let mut transaction = connection.begin().await?;
    // Every aggregate is put into the outbox, which may be many.
    sqlx::query!("set local statement_timeout = 0").execute(&mut *transaction).await?;
    // Under another identity than it had, everything is to be compared again.
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
    let lineage = note(&mut transaction, ledger, epoch, epoch, false).await?;
    outbox::refill(&mut transaction).await?;
    // That this commits is the proof, a moment before the stream is deleted, that the lock on this
    // connection still holds.
    transaction.commit().await?;
    publisher.recreate(&lineage).await?;
    Ok(Lead { lineage, last: 0 })
}

/// Notes that `epoch` begins; gives what the stream is to say of itself.
async fn note(
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

/// Forgets the oldest epochs before `epoch`, those that published nothing first. Only once the stream
/// names `epoch`: until then it names one of them, maybe one that published nothing.
async fn forget_before(connection: &mut PgConnection, epoch: Epoch) -> Result<(), Error> {
    sqlx::query!(
        "delete from ledger.epoch where epoch in
            (select epoch from ledger.epoch where epoch < $1
             order by last = 0, epoch desc offset $2)",
        epoch.0.cast_signed(),
        REMEMBERED,
    )
    .execute(connection)
    .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const OURS: Uuid = Uuid::from_u128(1);

    /// Of two streams: one led in epoch 10, the present one in 20 and 21.
    fn known() -> Vec<KnownEpoch> {
        [(10, 10, 400), (20, 20, 30), (21, 20, 44)]
            .map(|(epoch, born, last)| KnownEpoch { epoch, ledger: OURS, born, last })
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
    fn a_stream_that_has_all_goes_on() {
        for last in [44, 45, 44 + outbox::MOST] {
            let comparison = compare(&known(), Some(&stream(OURS, 20, 21, last)));
            assert_eq!(comparison, Comparison::Whole { marked: 44 });
        }
        // A relay noted its epoch and ended before the stream was told.
        let mut noted = known();
        noted.push(KnownEpoch { epoch: 25, ledger: OURS, born: 20, last: 0 });
        let comparison = compare(&noted, Some(&stream(OURS, 20, 21, 44)));
        assert_eq!(comparison, Comparison::Whole { marked: 44 });
    }

    #[test]
    fn a_stream_that_lacks_something_is_made_anew() {
        for stream in [
            None,
            Some(StreamState { lineage: None, last: 44, messages: 0, bytes: 0, max_bytes: None }),
            Some(stream(OURS, 20, 21, 43)),
            Some(stream(OURS, 20, 20, 30)),
            Some(stream(OURS, 10, 10, 400)),
        ] {
            let comparison = compare(&known(), stream.as_ref());
            assert!(matches!(comparison, Comparison::Incomplete(_)), "{comparison:?}");
        }
        assert!(matches!(compare(&[], None), Comparison::Incomplete(_)));
        let full = NEARLY_FULL + 1;
        let known = [KnownEpoch { epoch: 21, ledger: OURS, born: 20, last: full.cast_signed() }];
        let comparison = compare(&known, Some(&stream(OURS, 20, 21, full)));
        assert!(matches!(comparison, Comparison::Incomplete(_)), "{comparison:?}");
    }

    #[test]
    fn a_ledger_that_lacks_something_of_its_stream_is_an_older_one() {
        for stream in [
            stream(Uuid::from_u128(2), 20, 21, 44),
            stream(OURS, 20, 22, 60),
            stream(OURS, 30, 30, 5),
            stream(OURS, 20, 21, 45 + outbox::MOST),
        ] {
            let comparison = compare(&known(), Some(&stream));
            assert!(matches!(comparison, Comparison::OlderLedger(_)), "{comparison:?}");
        }
        let beside_an_old_stream = compare(&[], Some(&stream(OURS, 20, 21, 44)));
        assert!(matches!(beside_an_old_stream, Comparison::OlderLedger(_)));
    }
}
