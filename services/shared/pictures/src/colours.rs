//! Colours: from those that a camera says it photographs in to those of screens (sRGB), which browsers
//! take for the colours of every picture that says nothing of its own. Those made here say nothing.

use std::{panic::catch_unwind, sync::Arc};

use image::DynamicImage;
use moxcms::{ColorProfile, DataColorSpace, Layout, Transform8BitExecutor, TransformOptions};

/// How far apart the same colour may be in two profiles of sRGB: they round.
const ROUNDING: u8 = 2;
/// How many pixels are made at a time, for which a copy of them is needed.
const BLOCK: usize = 4_096;

/// Brings `image`, whose colours are given by the ICC `profile`, to sRGB. A profile that can't be read is
/// passed over, and so is one of other colours than red, green and blue, which a reader has seen to.
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

/// What makes colours of sRGB from those of `profile`; none where they are the same.
fn conversion(profile: &[u8], layout: Layout) -> Option<Arc<Transform8BitExecutor>> {
    let profile = ColorProfile::new_from_slice(profile).ok()?;
    if profile.color_space != DataColorSpace::Rgb {
        return None;
    }
    let (srgb, options) = (ColorProfile::new_srgb(), TransformOptions::default());
    let conversion = profile.create_transform_8bit(layout, &srgb, layout, options).ok()?;
    let before = some_of_all(layout.channels());
    let mut after = vec![0; before.len()];
    conversion.transform(&before, &mut after).ok()?;
    let mut differences = before.iter().zip(&after).map(|(before, after)| before.abs_diff(*after));
    differences.any(|difference| difference > ROUNDING).then_some(conversion)
}

/// Some colours of all kinds.
fn some_of_all(channels: usize) -> Vec<u8> {
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
