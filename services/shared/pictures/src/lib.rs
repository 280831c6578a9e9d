//! Decodes, scales and encodes pictures, and draws the sharing pictures that represent links to homes.
//!
//! It guarantees limits on decoding, preserved proportions, and that pictures are never enlarged. It is
//! independent of where pictures come from and go to. All functions are CPU-bound, so don't call them on async
//! threads.
//!
//! Its one invariant: bytes that are not a valid picture give an error and no output. A truncated JPEG is an
//! exception: only [`placeholder`] rejects it, which is called before a picture is shown anywhere. Other
//! functions decode it as far as possible, with grey for the rest.

mod avif;
mod colours;
mod jpeg;
pub mod share;

use std::{
    error::Error,
    io::{self, Cursor},
    panic::catch_unwind,
};

use bytes::Bytes;
use fast_image_resize::{
    FilterType, PixelTrait, ResizeAlg, ResizeOptions, Resizer,
    images::{TypedImage, TypedImageRef},
    pixels::{U8x3, U8x4},
};
pub use image::{DynamicImage, Rgb, RgbImage};
use image::{ImageDecoder, ImageError, ImageFormat, ImageReader, Limits, Rgba};
use jpeg_encoder::ColorType;
use ravif::{BitDepth, Img, RGBA8};

/// The maximum width and height of an original in pixels.
pub const MAX_SIDE: u32 = 16_384;
/// The maximum number of pixels of an original, as of a large camera.
pub const MAX_PIXELS: u64 = 64_000_000;
/// The maximum size of decoded pixels, in bytes: enough for all pixels at three channels of 16 bits.
const MAX_DECODED_BYTES: u64 = 384 << 20;

/// The fastest speed. It takes a tenth of a second for a picture 640 pixels wide on one core. The next slower
/// one saves a twelfth of the size and takes a fifth longer; the one after that takes four times as long.
const AVIF_SPEED: u8 = 10;
const AVIF_QUALITY: f32 = 55.0;
const WEBP_QUALITY: f32 = 75.0;
const JPEG_QUALITY: u8 = 80;

/// The width of a placeholder in pixels: enough to tell light from dark and sky from wall.
const PLACEHOLDER_WIDTH: u32 = 16;
const PLACEHOLDER_QUALITY: f32 = 30.0;

/// A format that pictures are encoded in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// AVIF: the smallest files, and the slowest to encode.
    Avif,
    /// WebP, for browsers without AVIF.
    WebP,
    /// JPEG, for all others and for previews on other sites.
    Jpeg,
}

impl Format {
    /// Returns its file extension.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Avif => "avif",
            Self::WebP => "webp",
            Self::Jpeg => "jpg",
        }
    }

    /// Returns its media type.
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Avif => "image/avif",
            Self::WebP => "image/webp",
            Self::Jpeg => "image/jpeg",
        }
    }
}

/// Why a picture could not be made from its original.
#[derive(Debug, thiserror::Error)]
pub enum ScaleError {
    /// The original is not a picture, or broken.
    #[error("the original can't be read")]
    Broken(#[source] ImageError),
    /// The original is of an unsupported kind.
    #[error("the original is no JPEG, PNG, WebP, AVIF or GIF")]
    Kind,
    /// The original is so broken that decoding it caused a panic.
    #[error("the original can't be read at all")]
    Unreadable,
    /// The original is a truncated JPEG.
    #[error("the original ends too early")]
    Truncated,
    /// The original has too many pixels.
    #[error("the original has more than {MAX_PIXELS} pixels, or more than {MAX_SIDE} a side")]
    TooLarge,
    /// The scaler or an encoder failed.
    #[error("scaling failed")]
    Encoding(#[source] Box<dyn Error + Send + Sync>),
}

/// Decodes the picture in `original`, applies its orientation and converts it to sRGB. Of an animation it
/// returns the first frame.
pub fn decode(original: &[u8]) -> Result<DynamicImage, ScaleError> {
    // A broken file may make a third-party decoder panic.
    let (image, profile) =
        catch_unwind(|| read(original)).unwrap_or(Err(ScaleError::Unreadable))?;
    // These two pixel formats are enough for every encoder here.
    let mut image = match image {
        DynamicImage::ImageRgb8(_) | DynamicImage::ImageRgba8(_) => image,
        _ if image.color().has_alpha() => DynamicImage::ImageRgba8(image.into_rgba8()),
        _ => DynamicImage::ImageRgb8(image.into_rgb8()),
    };
    if let Some(profile) = profile {
        colours::to_srgb(&mut image, &profile);
    }
    Ok(image)
}

/// Decodes a picture like [`decode`], at most `width` pixels wide, so that a large original does not stay in
/// memory.
pub fn decode_at_most(original: &[u8], width: u32) -> Result<DynamicImage, ScaleError> {
    decode_within(original, width, u32::MAX)
}

/// Decodes a picture like [`decode`], at most `width` by `height` pixels.
pub fn decode_within(original: &[u8], width: u32, height: u32) -> Result<DynamicImage, ScaleError> {
    let image = decode(original)?;
    let fitting = u64::from(image.width()) * u64::from(height) / u64::from(image.height().max(1));
    let width = u32::try_from(fitting).unwrap_or(u32::MAX).clamp(1, width.max(1));
    if image.width() <= width { Ok(image) } else { scale(&image, width) }
}

/// Returns roughly the memory in bytes that decoding `original` takes, according to its header: for the largest
/// original 640 MB, or 800 MB if it has 16 bits a channel.
pub fn decoding_bytes(original: &[u8]) -> Result<u64, ScaleError> {
    /// The pixels, plus the coefficients of a progressive JPEG.
    const PER_PIXEL: u64 = 10;
    let (pixels, decoded) =
        catch_unwind(|| header(original)).unwrap_or(Err(ScaleError::Unreadable))?;
    // Rotating makes a second copy, which matters for pixels of 16 bits a channel.
    Ok((pixels * PER_PIXEL).max(2 * decoded))
}

/// Returns roughly the memory in bytes that encoding a picture of this size takes, including the picture.
pub const fn encoding_bytes(width: u32, height: u32, format: Format) -> u64 {
    let per_pixel = match format {
        Format::Avif => 52,
        Format::WebP | Format::Jpeg => 16,
    };
    width as u64 * height as u64 * per_pixel
}

/// Returns the number of pixels, and how many bytes they take when they are decoded.
fn header(original: &[u8]) -> Result<(u64, u64), ScaleError> {
    let area = |(width, height)| u64::from(width) * u64::from(height);
    let reader = ImageReader::new(Cursor::new(original))
        .with_guessed_format()
        .map_err(|error: io::Error| ScaleError::Broken(error.into()))?;
    if reader.format() == Some(ImageFormat::Avif) {
        let pixels = area(avif::size(&avif::parse(original)?)?);
        return Ok((pixels, pixels * 4));
    }
    let decoder = reader.into_decoder().map_err(broken)?;
    Ok((area(decoder.dimensions()), decoder.total_bytes()))
}

/// Decodes the picture in `original`, and returns it with its ICC profile, if it has one.
fn read(original: &[u8]) -> Result<(DynamicImage, Option<Vec<u8>>), ScaleError> {
    let mut reader = ImageReader::new(Cursor::new(original))
        .with_guessed_format()
        .map_err(|error: io::Error| ScaleError::Broken(error.into()))?;
    if reader.format() == Some(ImageFormat::Avif) {
        let data = avif::parse(original)?;
        check_size(avif::size(&data)?)?;
        return Ok((avif::decode(data)?, None));
    }
    let known = [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::WebP, ImageFormat::Gif];
    if !reader.format().is_some_and(|format| known.contains(&format)) {
        return Err(ScaleError::Kind);
    }
    let mut limits = Limits::default();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    limits.max_alloc = Some(MAX_DECODED_BYTES);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(broken)?;
    check_size(decoder.dimensions())?;
    if decoder.total_bytes() > MAX_DECODED_BYTES {
        return Err(ScaleError::TooLarge);
    }
    let orientation = decoder.orientation().map_err(broken)?;
    let profile = decoder.icc_profile().ok().flatten();
    let mut image = DynamicImage::from_decoder(decoder).map_err(broken)?;
    image.apply_orientation(orientation);
    Ok((image, profile))
}

fn check_size((width, height): (u32, u32)) -> Result<(), ScaleError> {
    let fits = width <= MAX_SIDE
        && height <= MAX_SIDE
        && u64::from(width) * u64::from(height) <= MAX_PIXELS;
    fits.then_some(()).ok_or(ScaleError::TooLarge)
}

/// Returns the picture in `original` as a WebP of at most a few hundred bytes, which is stretched over the area
/// of the picture while it loads.
pub fn placeholder(original: &[u8]) -> Result<Bytes, ScaleError> {
    if jpeg::is_truncated(original) {
        return Err(ScaleError::Truncated);
    }
    let small = scale(&decode(original)?, PLACEHOLDER_WIDTH)?;
    let flat = DynamicImage::ImageRgb8(on_white(&small));
    Ok(Bytes::from(webp(&flat, PLACEHOLDER_QUALITY)?))
}

/// Scales `image` to `width`. Returns it unchanged if it is not wider.
pub fn scale(image: &DynamicImage, width: u32) -> Result<DynamicImage, ScaleError> {
    if width >= image.width() {
        return Ok(image.clone());
    }
    let height = u64::from(image.height()) * u64::from(width) + u64::from(image.width()) / 2;
    let height = u32::try_from(height / u64::from(image.width())).unwrap_or(1).max(1);
    resize(image, width, height)
}

/// Scales and crops `image` to fill exactly `width` by `height`. This is the only case in which a smaller
/// picture is enlarged.
pub(crate) fn cover(image: &DynamicImage, width: u32, height: u32) -> Result<RgbImage, ScaleError> {
    let filled = resize(image, width, height)?;
    Ok(match filled {
        DynamicImage::ImageRgb8(rgb) => rgb,
        other => on_white(&other),
    })
}

/// Scales `image` to exactly this size, and crops both sides of the longer dimension.
fn resize(image: &DynamicImage, width: u32, height: u32) -> Result<DynamicImage, ScaleError> {
    let mut scaled = DynamicImage::new(width, height, image.color());
    match (image, &mut scaled) {
        (DynamicImage::ImageRgb8(from), DynamicImage::ImageRgb8(to)) => {
            let from = TypedImageRef::<U8x3>::from_buffer(from.width(), from.height(), from);
            resample(&from.map_err(scaling)?, width, height, to)?;
        }
        (DynamicImage::ImageRgba8(from), DynamicImage::ImageRgba8(to)) => {
            let from = TypedImageRef::<U8x4>::from_buffer(from.width(), from.height(), from);
            resample(&from.map_err(scaling)?, width, height, to)?;
        }
        // [`decode`] returns no other pixel format.
        _ => return Err(scaling("an unknown kind of pixel")),
    }
    Ok(scaled)
}

/// Scales pixels of one type. It is generic, so that only the two used pixel types of the library are
/// compiled.
fn resample<P: PixelTrait>(
    from: &TypedImageRef<P>,
    width: u32,
    height: u32,
    to: &mut [u8],
) -> Result<(), ScaleError> {
    let mut to = TypedImage::<P>::from_buffer(width, height, to).map_err(scaling)?;
    let options = ResizeOptions::new()
        .resize_alg(ResizeAlg::Convolution(FilterType::Lanczos3))
        .fit_into_destination(Some((0.5, 0.5)));
    Resizer::new().resize_typed(from, &mut to, &options).map_err(scaling)
}

fn scaling(error: impl Into<Box<dyn Error + Send + Sync>>) -> ScaleError {
    ScaleError::Encoding(error.into())
}

/// Encodes `image` in `format`.
pub fn encode(image: &DynamicImage, format: Format) -> Result<Bytes, ScaleError> {
    let encoded = match format {
        Format::Avif => avif(image)?,
        Format::WebP => webp(image, WEBP_QUALITY)?,
        Format::Jpeg => jpeg(image)?,
    };
    Ok(Bytes::from(encoded))
}

fn avif(image: &DynamicImage) -> Result<Vec<u8>, ScaleError> {
    let pixels: Vec<RGBA8> = match image {
        DynamicImage::ImageRgb8(rgb) => {
            rgb.pixels().map(|&Rgb([red, green, blue])| RGBA8::new(red, green, blue, 255)).collect()
        }
        other => other
            .to_rgba8()
            .pixels()
            .map(|&Rgba([red, green, blue, alpha])| RGBA8::new(red, green, blue, alpha))
            .collect(),
    };
    // The encoder omits an opaque alpha channel. `encode_rgb` is not used, because it would compile the whole
    // encoder a second time.
    let encoded = ravif::Encoder::new()
        .with_quality(AVIF_QUALITY)
        .with_alpha_quality(AVIF_QUALITY)
        .with_speed(AVIF_SPEED)
        .with_bit_depth(BitDepth::Eight)
        .encode_rgba(Img::new(&pixels, image.width() as usize, image.height() as usize))
        .map_err(scaling)?;
    Ok(encoded.avif_file)
}

fn webp(image: &DynamicImage, quality: f32) -> Result<Vec<u8>, ScaleError> {
    let (bytes, width, height) = (image.as_bytes(), image.width(), image.height());
    let encoder = if image.color().has_alpha() {
        webp::Encoder::from_rgba(bytes, width, height)
    } else {
        webp::Encoder::from_rgb(bytes, width, height)
    };
    let out =
        encoder.encode_simple(false, quality).map_err(|error| scaling(format!("{error:?}")))?;
    Ok(out.to_vec())
}

fn jpeg(image: &DynamicImage) -> Result<Vec<u8>, ScaleError> {
    let flat;
    let rgb = match image {
        DynamicImage::ImageRgb8(rgb) => rgb,
        other => {
            flat = on_white(other);
            &flat
        }
    };
    let side = |length: u32| u16::try_from(length).map_err(|_| scaling("too long for a JPEG"));
    let (width, height) = (side(rgb.width())?, side(rgb.height())?);
    let mut out = Vec::new();
    let mut encoder = jpeg_encoder::Encoder::new(&mut out, JPEG_QUALITY);
    encoder.set_progressive(true);
    encoder.set_optimized_huffman_tables(true);
    encoder.encode(rgb.as_raw(), width, height, ColorType::Rgb).map_err(scaling)?;
    Ok(out)
}

/// Blends `image` onto white, because JPEG has no transparency.
fn on_white(image: &DynamicImage) -> RgbImage {
    let rgba = image.to_rgba8();
    RgbImage::from_fn(rgba.width(), rgba.height(), |x, y| {
        let Rgba([red, green, blue, alpha]) = *rgba.get_pixel(x, y);
        let blend = |channel: u8| {
            let mixed = u16::from(channel) * u16::from(alpha) + 255 * (255 - u16::from(alpha));
            u8::try_from(mixed / 255).unwrap_or(u8::MAX)
        };
        Rgb([blend(red), blend(green), blend(blue)])
    })
}

fn broken(error: ImageError) -> ScaleError {
    match error {
        ImageError::Limits(_) => ScaleError::TooLarge,
        ImageError::Unsupported(_) => ScaleError::Kind,
        other => ScaleError::Broken(other),
    }
}
