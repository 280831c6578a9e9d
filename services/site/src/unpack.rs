//! Decompresses bodies for the few clients that do not accept Brotli.

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

/// The size of a decompressed chunk, in bytes: less than a millisecond of work.
const CHUNK: usize = 32 << 10;
/// How many bodies are decompressed concurrently. Each takes as much memory as the compression window, a
/// quarter of a megabyte, and a little more than that again for gzip. More have to wait. One address may
/// hold fewer connections than this.
const MAX_CONCURRENT: usize = 256;
/// How long a body waits for its slot, and how long it may hold it. Without a limit, a few addresses
/// that read slowly could hold all slots.
const LIMIT: Duration = Duration::from_mins(1);

static PERMITS: Semaphore = Semaphore::const_new(MAX_CONCURRENT);

/// A body that is decompressed as fast as the client reads it.
struct Unpacking {
    body: Decompressor<Reader<Bytes>>,
    /// The gzip encoder for the decompressed data; taken at the end of the body.
    gzip: Option<GzEncoder<Vec<u8>>>,
    began: Instant,
    _permit: SemaphorePermit<'static>,
}

/// A body that waits for a slot.
struct Waiting {
    packed: Bytes,
    as_gzip: bool,
}

/// The state of the stream: decompressing, or waiting for a slot.
type State = Result<Unpacking, Waiting>;

/// Streams `packed`, decompressed from Brotli.
pub fn brotli(packed: Bytes) -> Body {
    body_within(Waiting { packed, as_gzip: false }, &PERMITS, LIMIT)
}

/// Streams `packed`, recompressed from Brotli to gzip.
pub fn brotli_to_gzip(packed: Bytes) -> Body {
    body_within(Waiting { packed, as_gzip: true }, &PERMITS, LIMIT)
}

fn body_within(waiting: Waiting, permits: &'static Semaphore, limit: Duration) -> Body {
    let next = move |state| next_chunk(state, permits, limit);
    Body::from_stream(stream::try_unfold(Err(waiting), next))
}

async fn next_chunk(
    state: State,
    permits: &'static Semaphore,
    limit: Duration,
) -> io::Result<Option<(Bytes, State)>> {
    let mut unpacking = match state {
        Ok(unpacking) if unpacking.began.elapsed() < limit => unpacking,
        Ok(_) => return Err(io::ErrorKind::TimedOut.into()),
        Err(Waiting { packed, as_gzip }) => Unpacking {
            _permit: timeout(limit, permits.acquire()).await?.map_err(io::Error::other)?,
            body: Decompressor::new(packed.reader(), 4 << 10),
            gzip: as_gzip.then(|| GzEncoder::new(Vec::new(), Compression::fast())),
            began: Instant::now(),
        },
    };
    let chunk = unpacking.read_chunk()?;
    Ok((!chunk.is_empty()).then(|| (Bytes::from(chunk), Ok(unpacking))))
}

impl Unpacking {
    /// Returns the next chunk; empty at the end.
    fn read_chunk(&mut self) -> io::Result<Vec<u8>> {
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
    async fn a_slow_client_does_not_hold_its_permit_for_long() {
        static ONE: Semaphore = Semaphore::const_new(1);
        let packed = packing::brotli("word ".repeat(20_000).as_bytes()).expect("a smaller form");
        let waiting = || Waiting { packed: packed.clone(), as_gzip: false };
        let body = || body_within(waiting(), &ONE, Duration::ZERO).into_data_stream();
        let (mut slow, mut late) = (body(), body());
        assert!(matches!(slow.next().await, Some(Ok(_))), "there is a place");
        assert!(matches!(late.next().await, Some(Err(_))), "there is none in time");
        assert!(matches!(slow.next().await, Some(Err(_))), "it was held for too long");
        assert!(matches!(body().next().await, Some(Ok(_))), "it is free again");
    }
}
