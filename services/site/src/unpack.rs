//! Unpacking bodies for the few who can't read them as they are kept.

use std::{
    io::{self, Read, Write},
    mem,
    time::{Duration, Instant},
};

use axum::body::Body;
use brotli::Decompressor;
use bytes::{Buf, Bytes, buf::Reader};
use flate2::{Compression, write::GzEncoder};
use futures::stream;
use tokio::{
    sync::{Semaphore, SemaphorePermit},
    time::timeout,
};

/// How much is unpacked at a time: less than a millisecond's work.
const CHUNK: usize = 32 << 10;
/// How many are unpacked at a time; each takes as much memory as packing looked back, a quarter of a
/// megabyte, and a little more than that again for gzip. More wait, and what one address may hold of
/// connections is less than this.
const MAX_AT_ONCE: usize = 256;
/// How long a body waits for its place, and how long it may hold it: a few addresses that read slowly
/// could have all of them.
const LIMIT: Duration = Duration::from_mins(1);

static PLACES: Semaphore = Semaphore::const_new(MAX_AT_ONCE);

/// A body that is unpacked as fast as its visitor takes it.
struct Unpacking {
    body: Decompressor<Reader<Bytes>>,
    /// Until its end, what packs again what is unpacked.
    gzip: Option<GzEncoder<Vec<u8>>>,
    began: Instant,
    _place: SemaphorePermit<'static>,
}

/// What waits to be unpacked.
struct Waiting {
    packed: Bytes,
    as_gzip: bool,
}

/// One that is, or waits to be.
type State = Result<Unpacking, Waiting>;

/// What `packed` was before it was packed by Brotli.
pub fn brotli(packed: Bytes) -> Body {
    within(Waiting { packed, as_gzip: false }, &PLACES, LIMIT)
}

/// The same as gzip.
pub fn brotli_to_gzip(packed: Bytes) -> Body {
    within(Waiting { packed, as_gzip: true }, &PLACES, LIMIT)
}

fn within(waiting: Waiting, places: &'static Semaphore, limit: Duration) -> Body {
    let next = move |state| next_chunk(state, places, limit);
    Body::from_stream(stream::try_unfold(Err(waiting), next))
}

async fn next_chunk(
    state: State,
    places: &'static Semaphore,
    limit: Duration,
) -> io::Result<Option<(Bytes, State)>> {
    let mut unpacking = match state {
        Ok(unpacking) if unpacking.began.elapsed() < limit => unpacking,
        Ok(_) => return Err(io::ErrorKind::TimedOut.into()),
        Err(Waiting { packed, as_gzip }) => Unpacking {
            _place: timeout(limit, places.acquire()).await?.map_err(io::Error::other)?,
            body: Decompressor::new(packed.reader(), 4 << 10),
            gzip: as_gzip.then(|| GzEncoder::new(Vec::new(), Compression::fast())),
            began: Instant::now(),
        },
    };
    let chunk = unpacking.read_on()?;
    Ok((!chunk.is_empty()).then(|| (Bytes::from(chunk), Ok(unpacking))))
}

impl Unpacking {
    /// What comes next; empty where nothing does.
    fn read_on(&mut self) -> io::Result<Vec<u8>> {
        let mut chunk = Vec::with_capacity(CHUNK);
        (&mut self.body).take(CHUNK as u64).read_to_end(&mut chunk)?;
        match &mut self.gzip {
            Some(gzip) if !chunk.is_empty() => {
                gzip.write_all(&chunk)?;
                gzip.flush()?;
                Ok(mem::take(gzip.get_mut()))
            }
            ended => ended.take().map_or(Ok(chunk), GzEncoder::finish),
        }
    }
}

#[cfg(test)]
mod tests {
    use futures::StreamExt;

    use super::*;

    #[tokio::test]
    async fn who_reads_for_too_long_keeps_no_place_from_others() {
        static ONE: Semaphore = Semaphore::const_new(1);
        let packed = packing::brotli("word ".repeat(20_000).as_bytes()).expect("a smaller form");
        let waiting = || Waiting { packed: packed.clone(), as_gzip: false };
        let body = || within(waiting(), &ONE, Duration::ZERO).into_data_stream();
        let (mut slow, mut late) = (body(), body());
        assert!(matches!(slow.next().await, Some(Ok(_))), "there is a place");
        assert!(matches!(late.next().await, Some(Err(_))), "there is none in time");
        assert!(matches!(slow.next().await, Some(Err(_))), "it was held for too long");
        assert!(matches!(body().next().await, Some(Ok(_))), "it is free again");
    }
}
