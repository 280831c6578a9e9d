//! Compresses response bodies with Brotli.
//!
//! This is a crate of its own so that tests and development builds can compile it with optimisations:
//! unoptimised it is ten times slower.

use brotli::enc::BrotliEncoderParams;
use bytes::Bytes;

/// The smallest body that is compressed, in bytes. A smaller one fits into a packet or two, and
/// compression gains nothing.
const MIN_BYTES: usize = 1_000;

/// The Brotli quality. A compressed body lives only until the next publish, so a higher level is not
/// worth its time and would gain little.
const QUALITY: i32 = 6;

/// Compresses `body` with Brotli. Returns none if the result would not be smaller.
pub fn brotli(body: &[u8]) -> Option<Bytes> {
    if body.len() < MIN_BYTES {
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

/// Returns the Brotli window as a power of two. It is no larger than the body, and small enough that a
/// decoder needs at most 256 KB for it.
fn window(length: usize) -> i32 {
    let reach = usize::BITS - length.leading_zeros();
    i32::try_from(reach).unwrap_or(18).clamp(10, 18)
}
