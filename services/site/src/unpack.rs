//! Unpacking bodies for the few who can't read them as they are kept.

use std::io::{self, Read};

use axum::body::Body;
use brotli::Decompressor;
use bytes::{Buf, Bytes, buf::Reader};
use futures::stream;
use tokio::sync::{Semaphore, SemaphorePermit};

/// How much is unpacked at a time: less than a millisecond's work.
const CHUNK: usize = 32 << 10;
/// How many are unpacked at a time; each takes as much memory as packing looked back, a quarter of a
/// megabyte. More wait, and what one address may hold of connections is less than this.
const MOST_AT_ONCE: usize = 256;

static PLACES: Semaphore = Semaphore::const_new(MOST_AT_ONCE);

/// A body that is unpacked as fast as its visitor takes it.
struct Unpacking {
    body: Decompressor<Reader<Bytes>>,
    _place: SemaphorePermit<'static>,
}

/// What `packed` was before it was packed by Brotli.
pub fn brotli(packed: Bytes) -> Body {
    Body::from_stream(stream::try_unfold(Err(packed), async |state: Result<Unpacking, Bytes>| {
        let mut unpacking = match state {
            Ok(unpacking) => unpacking,
            Err(packed) => Unpacking {
                _place: PLACES.acquire().await.map_err(io::Error::other)?,
                body: Decompressor::new(packed.reader(), 4 << 10),
            },
        };
        let mut chunk = Vec::with_capacity(CHUNK);
        let read = (&mut unpacking.body).take(CHUNK as u64).read_to_end(&mut chunk)?;
        Ok::<_, io::Error>((read > 0).then(|| (Bytes::from(chunk), Ok(unpacking))))
    }))
}
