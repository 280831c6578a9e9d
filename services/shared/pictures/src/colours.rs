//! Converts colours from a picture's ICC profile to sRGB, which browsers assume for pictures without a
//! profile. Encoded pictures have none.

use std::{panic::catch_unwind, sync::Arc};

use image::DynamicImage;
use moxcms::{ColorProfile, DataColorSpace, Layout, Transform8BitExecutor, TransformOptions};

/// The maximum difference of a colour between two profiles of sRGB, due to rounding.
const ROUNDING: u8 = 2;
/// The number of pixels that are copied and converted at a time.
const BLOCK: usize = 4_096;

/// Converts `image` from the ICC `profile` to sRGB. Ignores a profile that can't be read, and one that is not
/// RGB, since the decoder has already converted such colours.
pub fn to_srgb(image: &mut DynamicImage, profile: &[u8]) {
    let layout = if image.color().has_alpha() { Layout::Rgba } else { Layout::Rgb };
    let Ok(Some(conversion)) = catch_unwind(|| conversion(profile, layout)) else { return };
    let pixels = match image {
        DynamicImage::ImageRgb8(rgb) => &mut **rgb,
        DynamicImage::ImageRgba8(rgba) => &mut **rgba,
        _ => return,
    };
    let mut before = Vec::new();
    for block in pixels.chunks_mut(BLOCK * layout.channels()) {
        before.clear();
        before.extend_from_slice(block);
        if conversion.transform(&before, block).is_err() {
            return;
        }
    }
}

/// Returns the conversion from `profile` to sRGB; `None` if the colours are the same.
fn conversion(profile: &[u8], layout: Layout) -> Option<Arc<Transform8BitExecutor>> {
    let profile = ColorProfile::new_from_slice(profile).ok()?;
    if profile.color_space != DataColorSpace::Rgb {
        return None;
    }
    let (srgb, options) = (ColorProfile::new_srgb(), TransformOptions::default());
    let conversion = profile.create_transform_8bit(layout, &srgb, layout, options).ok()?;
    let before = sample_colours(layout.channels());
    let mut after = vec![0; before.len()];
    conversion.transform(&before, &mut after).ok()?;
    let mut differences = before.iter().zip(&after).map(|(before, after)| before.abs_diff(*after));
    differences.any(|difference| difference > ROUNDING).then_some(conversion)
}

/// Returns sample colours from the whole colour space.
fn sample_colours(channels: usize) -> Vec<u8> {
    const LEVELS: [u8; 5] = [0, 64, 128, 192, 255];
    let mut colours = Vec::new();
    for red in LEVELS {
        for green in LEVELS {
            for blue in LEVELS {
                colours.extend_from_slice(&[red, green, blue, u8::MAX][..channels]);
            }
        }
    }
    colours
}
