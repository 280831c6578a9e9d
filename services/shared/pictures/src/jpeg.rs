//! Whether a JPEG is whole: what reads one makes grey of what it lacks, and says nothing.

/// Whether `file` is a JPEG that ends too early: behind the start of its first scan nothing says that it
/// ends. A thumbnail's end stands before that, and what a camera puts behind the picture behind the end.
pub fn is_cut(file: &[u8]) -> bool {
    let Some(segments) = file.strip_prefix(&[0xff, 0xd8]) else { return false };
    // The bytes of a scan themselves never hold this pair.
    scans(segments).is_some_and(|scans| !scans.windows(2).any(|pair| pair == [0xff, 0xd9]))
}

/// What follows the head of the first scan, past the `segments` that say how long they are.
fn scans(mut segments: &[u8]) -> Option<&[u8]> {
    loop {
        segments = match segments {
            [0xff, 0xda, scans @ ..] => return Some(scans),
            // Bytes that only fill, and markers that have no length.
            [0xff, 0x00 | 0x01 | 0xd0..=0xd9 | 0xff, ..] => segments.get(1..)?,
            [0xff, _, high, low, ..] => {
                segments.get(2 + usize::from(u16::from_be_bytes([*high, *low]))..)?
            }
            [_, rest @ ..] => rest,
            [] => return None,
        }
    }
}
