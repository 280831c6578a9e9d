//! Detects truncated JPEGs, because the decoder fills missing parts with grey without an error.

/// Returns whether `file` is a truncated JPEG: it has no end marker after the start of its first scan. The end
/// of a thumbnail comes before that, and data that a camera appends comes after the end marker.
pub fn is_truncated(file: &[u8]) -> bool {
    let Some(segments) = file.strip_prefix(&[0xff, 0xd8]) else { return false };
    // The data of a scan never contains the end marker.
    scans(segments).is_some_and(|scans| !scans.windows(2).any(|pair| pair == [0xff, 0xd9]))
}

/// Returns the data after the start marker of the first scan, skipping the `segments` before it by their
/// lengths.
fn scans(mut segments: &[u8]) -> Option<&[u8]> {
    loop {
        segments = match segments {
            [0xff, 0xda, scans @ ..] => return Some(scans),
            // Padding bytes, and markers without a length.
            [0xff, 0x00 | 0x01 | 0xd0..=0xd9 | 0xff, ..] => segments.get(1..)?,
            [0xff, _, high, low, ..] => {
                segments.get(2 + usize::from(u16::from_be_bytes([*high, *low]))..)?
            }
            [_, rest @ ..] => rest,
            [] => return None,
        }
    }
}
