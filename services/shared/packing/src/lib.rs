//! Packing bodies of answers as Brotli.
//!
//! A crate of its own, so that tests and whoever develops have it optimised: unoptimised it takes ten
//! times as long.

use brotli::enc::BrotliEncoderParams;
use bytes::Bytes;

/// Below this a body fits in a packet or two, and packing gains nothing.
const SMALLEST: usize = 1_000;

/// How hard it is tried: what lives until the next publish is worth no more, and more gains little.
const QUALITY: i32 = 6;

/// `body` as Brotli, if that is smaller.
pub fn brotli(body: &[u8]) -> Option<Bytes> {
    if body.len() < SMALLEST {
        return None;
    }
    let parameters = BrotliEncoderParams {
        quality: QUALITY,
        lgwin: window(body.len()),
        size_hint: body.len(),
        ..BrotliEncoderParams::default()
    };
    let mut packed = Vec::with_capacity(body.len() / 3);
    brotli::BrotliCompress(&mut &body[..], &mut packed, &parameters).ok()?;
    (packed.len() < body.len()).then(|| Bytes::from(packed.into_boxed_slice()))
}

/// How far back packing looks, as a power of two: no further than the body reaches, and never so far
/// that who unpacks needs more than 256 KB for it.
fn window(length: usize) -> i32 {
    let reach = usize::BITS - length.leading_zeros();
    i32::try_from(reach).unwrap_or(18).clamp(10, 18)
}
