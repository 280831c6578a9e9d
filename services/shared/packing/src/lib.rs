//! Packing bodies of answers: as Brotli, and as gzip for who can't read that.
//!
//! A crate of its own, so that tests and whoever develops have it optimised: unoptimised it takes ten
//! times as long.

use std::io::Write;

use brotli::enc::BrotliEncoderParams;
use bytes::Bytes;
use flate2::{Compression, write::GzEncoder};

/// Below this a body fits in a packet or two, and packing gains nothing.
const SMALLEST: usize = 1_000;

/// How much work a packed byte is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// For what lives until the next publish: the point where more work gains little.
    Once,
    /// For what is served for as long as the process lives.
    Forever,
}

/// `body` as Brotli, if that is smaller.
pub fn brotli(body: &[u8], effort: Effort) -> Option<Bytes> {
    if body.len() < SMALLEST {
        return None;
    }
    let quality = match effort {
        Effort::Once => 6,
        Effort::Forever => 11,
    };
    let parameters = BrotliEncoderParams {
        quality,
        lgwin: window(body.len()),
        size_hint: body.len(),
        ..BrotliEncoderParams::default()
    };
    let mut packed = Vec::with_capacity(body.len() / 3);
    brotli::BrotliCompress(&mut &body[..], &mut packed, &parameters).ok()?;
    smaller(packed, body)
}

/// How far back packing looks, as a power of two: no further than the body reaches, and never so far
/// that who unpacks needs more than 256 KB for it.
fn window(length: usize) -> i32 {
    let reach = usize::BITS - length.leading_zeros();
    i32::try_from(reach).unwrap_or(18).clamp(10, 18)
}

/// `body` as gzip, if that is smaller.
pub fn gzip(body: &[u8], effort: Effort) -> Option<Bytes> {
    if body.len() < SMALLEST {
        return None;
    }
    let level = match effort {
        Effort::Once => Compression::new(5),
        Effort::Forever => Compression::best(),
    };
    let mut encoder = GzEncoder::new(Vec::with_capacity(body.len() / 3), level);
    encoder.write_all(body).ok()?;
    smaller(encoder.finish().ok()?, body)
}

fn smaller(packed: Vec<u8>, body: &[u8]) -> Option<Bytes> {
    (packed.len() < body.len()).then(|| Bytes::from(packed.into_boxed_slice()))
}
