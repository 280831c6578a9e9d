//! Unpacking bodies for the few who can't read them as they are kept.

use std::{
    io::{self, Read},
    time::{Duration, Instant},
};

use axum::body::Body;
use brotli::Decompressor;
use bytes::{Buf, Bytes, buf::Reader};
use futures::stream;
use tokio::{
    sync::{Semaphore, SemaphorePermit},
    time::timeout,
};

/// How much is unpacked at a time: less than a millisecond's work.
const CHUNK: usize = 32 << 10;
/// How many are unpacked at a time; each takes as much memory as packing looked back, a quarter of a
/// megabyte. More wait, and what one address may hold of connections is less than this.
const MOST_AT_ONCE: usize = 256;
/// How long a body waits for its place, and how long it may hold it: a few addresses that read slowly
/// could have all of them.
const LIMIT: Duration = Duration::from_mins(1);

static PLACES: Semaphore = Semaphore::const_new(MOST_AT_ONCE);

/// A body that is unpacked as fast as its visitor takes it.
struct Unpacking {
    body: Decompressor<Reader<Bytes>>,
    began: Instant,
    _place: SemaphorePermit<'static>,
}

/// One that is, or what waits to be.
type State = Result<Unpacking, Bytes>;

/// What `packed` was before it was packed by Brotli.
pub fn brotli(packed: Bytes) -> Body {
    within(packed, &PLACES, LIMIT)
}

fn within(packed: Bytes, places: &'static Semaphore, limit: Duration) -> Body {
    let next = move |state| next_chunk(state, places, limit);
    Body::from_stream(stream::try_unfold(Err(packed), next))
}

async fn next_chunk(
    state: State,
    places: &'static Semaphore,
    limit: Duration,
) -> io::Result<Option<(Bytes, State)>> {
    let mut unpacking = match state {
        Ok(unpacking) if unpacking.began.elapsed() < limit => unpacking,
        Ok(_) => return Err(io::ErrorKind::TimedOut.into()),
        Err(packed) => Unpacking {
            _place: timeout(limit, places.acquire()).await?.map_err(io::Error::other)?,
            body: Decompressor::new(packed.reader(), 4 << 10),
            began: Instant::now(),
        },
    };
    let mut chunk = Vec::with_capacity(CHUNK);
    let read = (&mut unpacking.body).take(CHUNK as u64).read_to_end(&mut chunk)?;
    Ok((read > 0).then(|| (Bytes::from(chunk), Ok(unpacking))))
}

#[cfg(test)]
mod tests {
    use futures::StreamExt;

    use super::*;

    #[tokio::test]
    async fn who_reads_for_too_long_keeps_no_place_from_others() {
        static ONE: Semaphore = Semaphore::const_new(1);
        let packed = packing::brotli("word ".repeat(20_000).as_bytes()).expect("a smaller form");
        let body = || within(packed.clone(), &ONE, Duration::ZERO).into_data_stream();
        let (mut slow, mut waiting) = (body(), body());
        assert!(matches!(slow.next().await, Some(Ok(_))), "there is a place");
        assert!(matches!(waiting.next().await, Some(Err(_))), "there is none in time");
        assert!(matches!(slow.next().await, Some(Err(_))), "it was held for too long");
        assert!(matches!(body().next().await, Some(Ok(_))), "it is free again");
    }
}
