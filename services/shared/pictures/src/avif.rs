//! Decodes AVIF: parses the container, decodes its AV1 frame, and converts the colours to RGB.
//!
//! Grids, sequences and the rotation in the container, which no camera writes, are not supported. The colour
//! primaries are ignored and assumed to be those of sRGB.

use avif_parse::AvifData;
use image::{DynamicImage, ImageError, ImageFormat, RgbImage, RgbaImage, error::DecodingError};
use re_rav1d::dav1d::{
    Decoder, Picture, PixelLayout, PlanarImageComponent, Plane, Settings,
    pixel::{MatrixCoefficients, YUVRange},
};

use crate::{MAX_PIXELS, ScaleError};

/// Returns the width and height of the picture in `data` without decoding it.
pub fn size(data: &AvifData) -> Result<(u32, u32), ScaleError> {
    let metadata = data.primary_item_metadata().map_err(broken)?;
    Ok((metadata.max_frame_width.get(), metadata.max_frame_height.get()))
}

/// Parses the container in `original`.
pub fn parse(original: &[u8]) -> Result<AvifData, ScaleError> {
    avif_parse::read_avif(&mut &*original).map_err(broken)
}

/// Decodes the picture in `data`.
pub fn decode(data: AvifData) -> Result<DynamicImage, ScaleError> {
    let premultiplied = data.premultiplied_alpha;
    let rgb = to_rgb(&frame(data.primary_item.to_vec())?)?;
    let Some(alpha) = data.alpha_item else { return Ok(DynamicImage::ImageRgb8(rgb)) };
    let alpha = frame(alpha.to_vec())?;
    if (alpha.width(), alpha.height()) != rgb.dimensions() {
        return Err(broken("its transparency has another size"));
    }
    Ok(DynamicImage::ImageRgba8(with_alpha(&rgb, &alpha, premultiplied)))
}

/// Decodes the first frame of an AV1 stream.
fn frame(stream: Vec<u8>) -> Result<Picture, ScaleError> {
    let mut settings = Settings::new();
    // Decodes on the calling thread, like all other work here.
    settings.set_n_threads(1);
    settings.set_max_frame_delay(1);
    settings.set_frame_size_limit(u32::try_from(MAX_PIXELS).unwrap_or(u32::MAX));
    let mut decoder = Decoder::with_settings(&settings).map_err(broken)?;
    match decoder.send_data(stream, None, None, None) {
        Err(error) if !error.is_again() => return Err(broken(error)),
        _ => {}
    }
    decoder.get_picture().map_err(broken)
}

/// The samples of one plane of a frame, by pixel.
struct Samples {
    plane: Plane,
    /// The number of bytes in a row.
    stride: usize,
    /// Whether a sample takes two bytes.
    wide: bool,
    /// How often the coordinates are halved by subsampling, horizontally and vertically.
    halved: (u32, u32),
}

impl Samples {
    fn of(frame: &Picture, component: PlanarImageComponent) -> Self {
        let halved = match (component, frame.pixel_layout()) {
            (PlanarImageComponent::Y, _) | (_, PixelLayout::I400 | PixelLayout::I444) => (0, 0),
            (_, PixelLayout::I422) => (1, 0),
            (_, PixelLayout::I420) => (1, 1),
        };
        Self {
            plane: frame.plane(component),
            stride: frame.stride(component) as usize,
            wide: bits(frame) > 8,
            halved,
        }
    }

    /// Returns the sample of a pixel; 0 outside of the plane.
    fn at(&self, x: u32, y: u32) -> f32 {
        let (x, y) = ((x >> self.halved.0) as usize, (y >> self.halved.1) as usize);
        let row = self.plane.get(y * self.stride..).unwrap_or_default();
        if self.wide {
            let pair = row.get(2 * x..2 * x + 2).unwrap_or(&[0, 0]);
            f32::from(u16::from_ne_bytes([pair[0], pair[1]]))
        } else {
            f32::from(row.get(x).copied().unwrap_or_default())
        }
    }
}

/// The range of sample values, for normalising them.
struct Range {
    black: f32,
    luma: f32,
    middle: f32,
    chroma: f32,
}

impl Range {
    /// Returns the range of a frame (ITU-T H.273, 8.3).
    fn of(frame: &Picture) -> Self {
        let step = f32::from(1u16 << (bits(frame) - 8));
        match frame.color_range() {
            YUVRange::Limited => Self {
                black: 16. * step,
                luma: 219. * step,
                middle: 128. * step,
                chroma: 224. * step,
            },
            YUVRange::Full => {
                let max = 256. * step - 1.;
                Self { black: 0., luma: max, middle: 128. * step, chroma: max }
            }
        }
    }
}

fn bits(frame: &Picture) -> usize {
    frame.bits_per_component().map_or(8, |bits| bits.0)
}

fn to_rgb(frame: &Picture) -> Result<RgbImage, ScaleError> {
    let range = Range::of(frame);
    let luma = Samples::of(frame, PlanarImageComponent::Y);
    let luminance = |x, y| (luma.at(x, y) - range.black) / range.luma;
    let (width, height) = (frame.width(), frame.height());
    if frame.pixel_layout() == PixelLayout::I400 {
        return Ok(RgbImage::from_fn(width, height, |x, y| image::Rgb([byte(luminance(x, y)); 3])));
    }
    let cb = Samples::of(frame, PlanarImageComponent::U);
    let cr = Samples::of(frame, PlanarImageComponent::V);
    let (red, blue) = match frame.matrix_coefficients() {
        MatrixCoefficients::Identity => {
            let part =
                |samples: &Samples, x, y| byte((samples.at(x, y) - range.black) / range.luma);
            return Ok(RgbImage::from_fn(width, height, |x, y| {
                image::Rgb([part(&cr, x, y), byte(luminance(x, y)), part(&cb, x, y)])
            }));
        }
        MatrixCoefficients::BT709 => (0.2126, 0.0722),
        MatrixCoefficients::BT2020NonConstantLuminance => (0.2627, 0.0593),
        MatrixCoefficients::Unspecified
        | MatrixCoefficients::BT470BG
        | MatrixCoefficients::ST170M => (0.299, 0.114),
        other => return Err(broken(format!("its colours are given by {other}"))),
    };
    let green = 1. - red - blue;
    Ok(RgbImage::from_fn(width, height, |x, y| {
        let y_prime = luminance(x, y);
        let r = y_prime + 2. * (1. - red) * (cr.at(x, y) - range.middle) / range.chroma;
        let b = y_prime + 2. * (1. - blue) * (cb.at(x, y) - range.middle) / range.chroma;
        let g = (y_prime - red * r - blue * b) / green;
        image::Rgb([byte(r), byte(g), byte(b)])
    }))
}

fn with_alpha(rgb: &RgbImage, alpha: &Picture, premultiplied: bool) -> RgbaImage {
    let range = Range::of(alpha);
    let samples = Samples::of(alpha, PlanarImageComponent::Y);
    RgbaImage::from_fn(rgb.width(), rgb.height(), |x, y| {
        let image::Rgb(colour) = *rgb.get_pixel(x, y);
        let alpha = byte((samples.at(x, y) - range.black) / range.luma);
        let [r, g, b] = if premultiplied && alpha > 0 {
            colour.map(|part| byte(f32::from(part) / f32::from(alpha)))
        } else {
            colour
        };
        image::Rgba([r, g, b, alpha])
    })
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it is clamped to what fits, and no number becomes 0"
)]
fn byte(part: f32) -> u8 {
    (part.clamp(0., 1.) * 255. + 0.5) as u8
}

fn broken(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> ScaleError {
    ScaleError::Broken(ImageError::Decoding(DecodingError::new(ImageFormat::Avif.into(), error)))
}
