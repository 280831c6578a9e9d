//! Checks encoded pictures, decoded by another library where there is one.

use std::io::Cursor;

use image::{
    ImageEncoder, ImageError, ImageFormat, ImageResult, RgbImage, RgbaImage,
    codecs::{jpeg::JpegEncoder, png::PngEncoder},
};
use moxcms::ColorProfile;
use pictures::{
    DynamicImage, Format, ScaleError, decode, decode_within, decoding_bytes, encode, placeholder,
    scale,
};

/// Returns a picture with varied content.
fn photo(width: u32, height: u32) -> DynamicImage {
    let shade = |value: u32| u8::try_from(value % 256).unwrap_or(0);
    DynamicImage::ImageRgb8(RgbImage::from_fn(width, height, |x, y| {
        image::Rgb([shade(x / 3), shade(y / 2), shade((x + y) / 5)])
    }))
}

#[test]
fn proportions_are_kept_and_nothing_is_enlarged() {
    let size = |image: &DynamicImage, width| {
        scale(image, width).map(|scaled| (scaled.width(), scaled.height())).ok()
    };
    let image = photo(1_440, 960);
    assert_eq!(size(&image, 640), Some((640, 427)));
    assert_eq!(size(&image, 2_400), Some((1_440, 960)));
    assert_eq!(size(&DynamicImage::new_rgb8(5_000, 1), 160), Some((160, 1)));
    assert_eq!(size(&DynamicImage::new_rgba8(400, 300), 160), Some((160, 120)));
}

#[test]
fn an_original_is_scaled_to_fit_a_width_and_a_height() {
    for (original, within) in [
        ((300, 8_000), (135, 3_600)),
        ((3_000, 300), (2_400, 240)),
        ((300, 200), (300, 200)),
        ((1, 8_000), (1, 8_000)),
    ] {
        let jpeg = encode(&photo(original.0, original.1), Format::Jpeg).expect("a JPEG");
        let image = decode_within(&jpeg, 2_400, 3_600).expect("a picture");
        assert_eq!((image.width(), image.height()), within);
    }
}

#[test]
fn every_format_shows_the_same_picture() {
    let image = scale(&photo(800, 600), 320).expect("a smaller picture");
    let middle = image.to_rgb8().get_pixel(160, 120).0;
    for format in [Format::WebP, Format::Jpeg] {
        let encoded = encode(&image, format).expect("an encoded picture");
        let back = image::load_from_memory(&encoded).expect("a picture").into_rgb8();
        assert_eq!(back.dimensions(), (320, 240));
        let shown = back.get_pixel(160, 120).0;
        assert!(
            shown.iter().zip(middle).all(|(a, b)| a.abs_diff(b) < 12),
            "{format:?}: {shown:?} for {middle:?}"
        );
    }
    let avif = encode(&image, Format::Avif).expect("an encoded picture");
    let parsed = avif_parse::read_avif(&mut &avif[..]).expect("an AVIF");
    let frame = parsed.primary_item_metadata().expect("a frame");
    assert_eq!((frame.max_frame_width.get(), frame.max_frame_height.get()), (320, 240));
}

#[test]
fn the_exif_orientation_is_applied() {
    // An EXIF block for "rotate by 90 degrees", inserted after the start of a JPEG.
    let exif: &[u8] =
        b"\xff\xe1\x00\x22Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0";
    let mut jpeg = Cursor::new(Vec::new());
    photo(60, 40).write_to(&mut jpeg, ImageFormat::Jpeg).expect("a JPEG");
    let jpeg = jpeg.into_inner();
    let turned = [&jpeg[..2], exif, &jpeg[2..]].concat();
    let image = decode(&turned).expect("a picture");
    assert_eq!((image.width(), image.height()), (40, 60));
}

/// Writes `image` with `encoder`, including an ICC `profile` as a camera does.
fn write_with(
    profile: &[u8],
    image: &DynamicImage,
    mut encoder: impl ImageEncoder,
) -> Result<(), ImageError> {
    encoder.set_icc_profile(profile.to_vec()).map_err(ImageError::Unsupported)?;
    let kind = image.color().into();
    encoder.write_image(image.as_bytes(), image.width(), image.height(), kind)
}

#[test]
fn colours_of_a_phones_profile_are_converted_to_srgb() {
    let profile = ColorProfile::new_display_p3().encode().expect("a profile");
    for ([red, green, blue], shown) in [
        ([186, 88, 67], [200, 80, 60]),
        ([82, 138, 94], [60, 140, 90]),
        ([53, 89, 193], [40, 90, 200]),
        ([128, 128, 128], [128, 128, 128]),
    ] {
        let opaque = RgbImage::from_pixel(90, 60, image::Rgb([red, green, blue]));
        let veiled = RgbaImage::from_pixel(90, 60, image::Rgba([red, green, blue, 90]));
        let (opaque, veiled) = (DynamicImage::from(opaque), DynamicImage::from(veiled));
        let (mut png, mut see_through, mut jpeg) = (Vec::new(), Vec::new(), Vec::new());
        write_with(&profile, &opaque, PngEncoder::new(&mut png)).expect("a file");
        write_with(&profile, &veiled, PngEncoder::new(&mut see_through)).expect("a file");
        write_with(&profile, &opaque, JpegEncoder::new_with_quality(&mut jpeg, 100))
            .expect("a file");
        // The rounding of a JPEG's own colours is added.
        for (file, alpha, most) in [(&png, 255, 2), (&see_through, 90, 2), (&jpeg, 255, 4)] {
            let image = decode(file).expect("a picture").into_rgba8();
            let [red, green, blue, opacity] = image.get_pixel(88, 58).0;
            let near =
                [red, green, blue].into_iter().zip(shown).all(|(a, b)| a.abs_diff(b) <= most);
            assert!(near && opacity == alpha, "{red} {green} {blue} {opacity} for {shown:?}");
        }
    }
}

#[test]
fn colours_stay_without_a_different_profile() {
    let image = photo(90, 60);
    let mut plain = Vec::new();
    PngEncoder::new(&mut plain)
        .write_image(image.as_bytes(), 90, 60, image.color().into())
        .expect("a file");
    assert!(decode(&plain).expect("a picture").as_bytes() == image.as_bytes());

    let encoded = |profile: ColorProfile| profile.encode().expect("a profile");
    let broken = encoded(ColorProfile::new_display_p3())[..160].to_vec();
    let of_greys = encoded(ColorProfile::new_gray_with_gamma(1.0));
    for profile in [encoded(ColorProfile::new_srgb()), broken, b"none".to_vec(), of_greys] {
        let mut file = Vec::new();
        write_with(&profile, &image, PngEncoder::new(&mut file)).expect("a file");
        let same = decode(&file).expect("a picture").as_bytes() == image.as_bytes();
        assert!(same, "{} bytes of profile", profile.len());
    }
}

/// Returns the maximum difference of the pixels at `places`.
fn difference(one: &DynamicImage, other: &DynamicImage, places: &[(u32, u32)]) -> u8 {
    let (one, other) = (one.to_rgba8(), other.to_rgba8());
    let pixels = places.iter().map(|&(x, y)| (one.get_pixel(x, y).0, other.get_pixel(x, y).0));
    let parts = pixels.flat_map(|(a, b)| a.into_iter().zip(b));
    parts.map(|(a, b)| a.abs_diff(b)).max().unwrap_or_default()
}

const PLACES: [(u32, u32); 4] = [(3, 3), (160, 120), (316, 4), (300, 236)];

#[test]
fn an_avif_is_decoded_in_its_colours() {
    let image = scale(&photo(800, 600), 320).expect("a smaller picture");
    let avif = encode(&image, Format::Avif).expect("an AVIF");
    let back = decode(&avif).expect("a picture");
    assert_eq!((back.width(), back.height()), (320, 240));
    assert!(difference(&back, &image, &PLACES) < 16, "{}", difference(&back, &image, &PLACES));

    let see_through = DynamicImage::ImageRgba8(image::RgbaImage::from_fn(320, 240, |x, _| {
        image::Rgba([200, 40, 40, if x < 160 { 255 } else { 64 }])
    }));
    let avif = encode(&see_through, Format::Avif).expect("an AVIF");
    let back = decode(&avif).expect("a picture");
    assert!(back.color().has_alpha());
    assert!(difference(&back, &see_through, &PLACES) < 16);
    assert!(!placeholder(&avif).expect("a placeholder").is_empty());
}

#[test]
fn an_avif_of_another_program_is_decoded() {
    // Made by libvips with 4:2:0 subsampling, with 8 and 10 bits: red over blue.
    for file in [&include_bytes!("libvips-420-8.avif")[..], include_bytes!("libvips-420-10.avif")] {
        let image = decode(file).expect("a picture").into_rgb8();
        assert_eq!(image.dimensions(), (64, 48));
        let (top, bottom) = (image.get_pixel(32, 8).0, image.get_pixel(32, 40).0);
        let near = |pixel: [u8; 3], colour: [u8; 3]| {
            pixel.iter().zip(colour).all(|(a, b)| a.abs_diff(b) < 12)
        };
        assert!(near(top, [220, 40, 30]) && near(bottom, [30, 60, 200]), "{top:?} {bottom:?}");
    }
}

#[test]
fn the_first_frame_of_an_animated_gif_is_decoded() {
    let frame = |shade: u8| {
        let pixels = image::RgbaImage::from_pixel(40, 30, image::Rgba([shade, 0, 0, 255]));
        image::Frame::new(pixels)
    };
    let mut gif = Vec::new();
    let mut encoder = image::codecs::gif::GifEncoder::new(&mut gif);
    encoder.encode_frames([frame(250), frame(20)]).expect("a GIF");
    drop(encoder);
    let first = decode(&gif).expect("a picture");
    assert_eq!((first.width(), first.height()), (40, 30));
    assert!(first.to_rgb8().get_pixel(20, 15).0[0] > 240);
    assert!(scale(&first, 16).is_ok());
}

#[test]
fn a_broken_avif_or_gif_is_an_error() {
    let avif = encode(&photo(64, 48), Format::Avif).expect("an AVIF");
    let gif = {
        let mut gif = Cursor::new(Vec::new());
        photo(64, 48).write_to(&mut gif, ImageFormat::Gif).expect("a GIF");
        gif.into_inner()
    };
    for whole in [&avif[..], &gif] {
        assert!(decode(whole).is_ok());
        for kept in [20, 60, whole.len() / 4, whole.len() / 2] {
            assert!(decode(&whole[..kept]).is_err(), "the first {kept} bytes");
        }
        // A changed byte may or may not be an error, but must not panic.
        for at in (12..whole.len()).step_by(7) {
            let mut changed = whole.to_vec();
            changed[at] ^= 0x5a;
            let _either = decode(&changed);
        }
    }
}

/// Encodes `image` in a format that the crate does not encode.
fn written(image: &DynamicImage, format: ImageFormat) -> ImageResult<Vec<u8>> {
    let mut file = Cursor::new(Vec::new());
    image.write_to(&mut file, format)?;
    Ok(file.into_inner())
}

#[test]
fn a_truncated_picture_has_no_placeholder() {
    let image = photo(640, 480);
    let encoded = |format| encode(&image, format).expect("an encoded picture").to_vec();
    let written = |format| written(&image, format).expect("a file");
    for (kind, whole) in [
        ("JPEG", written(ImageFormat::Jpeg)),
        ("JPEG in progressive form", encoded(Format::Jpeg)),
        ("PNG", written(ImageFormat::Png)),
        ("WebP", encoded(Format::WebP)),
        ("WebP that loses nothing", written(ImageFormat::WebP)),
        ("AVIF", encoded(Format::Avif)),
        ("GIF", written(ImageFormat::Gif)),
    ] {
        assert!(placeholder(&whole).is_ok(), "a whole {kind}");
        for kept in [whole.len() / 2, whole.len() * 9 / 10] {
            let error = placeholder(&whole[..kept]).expect_err(kind);
            let is_cut = matches!(error, ScaleError::Truncated);
            assert_eq!(is_cut, kind.starts_with("JPEG"), "{kept} bytes of a {kind}: {error}");
        }
    }
}

#[test]
fn a_thumbnail_or_appended_data_is_not_the_end_of_a_jpeg() {
    let jpeg = written(&photo(64, 48), ImageFormat::Jpeg).expect("a file");
    // A thumbnail before the picture, and a padding byte.
    let thumbnail: &[u8] = b"\xff\xe1\x00\x0c\xff\xd8\xff\xda\x00\x02\x07\x07\xff\xd9\xff";
    let whole = [&jpeg[..2], thumbnail, &jpeg[2..]].concat();
    assert!(placeholder(&whole).is_ok());
    let cut = &whole[..whole.len() - 2];
    assert!(matches!(placeholder(cut), Err(ScaleError::Truncated)));
    assert!(decode(cut).is_ok(), "what is shown already is still read as far as it goes");
    assert!(placeholder(&[&whole[..], b"a film"].concat()).is_ok());
}

#[test]
fn other_files_are_rejected_with_a_reason() {
    assert!(matches!(decode(b"<svg xmlns='...'/>"), Err(ScaleError::Kind)));
    let heic = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic";
    assert!(matches!(decode(heic), Err(ScaleError::Kind)));
    assert!(matches!(decode(&[0xff, 0xd8, 0xff, 0xe0, 0, 0]), Err(ScaleError::Broken(_))));
    let mut jpeg = Cursor::new(Vec::new());
    DynamicImage::new_luma8(9_000, 9_000).write_to(&mut jpeg, ImageFormat::Jpeg).expect("a JPEG");
    assert!(matches!(decode(&jpeg.into_inner()), Err(ScaleError::TooLarge)));
}

#[test]
fn channels_of_16_bits_count_as_more_memory_and_are_limited() {
    let jpeg = written(&photo(64, 48), ImageFormat::Jpeg).expect("a file");
    assert_eq!(decoding_bytes(&jpeg).expect("a size"), 64 * 48 * 10);
    let deep = DynamicImage::new_rgba16(64, 48);
    let mut png = written(&deep, ImageFormat::Png).expect("a file");
    assert_eq!(decoding_bytes(&png).expect("a size"), 64 * 48 * 16);
    assert!(decode(&png).is_ok());
    // The header of a picture within the limit of pixels, which would be decoded to 488 MB.
    png[16..20].copy_from_slice(&8_000_u32.to_be_bytes());
    png[20..24].copy_from_slice(&7_625_u32.to_be_bytes());
    let checksum = crc32(&png[12..29]);
    png[29..33].copy_from_slice(&checksum.to_be_bytes());
    assert!(matches!(decode(&png), Err(ScaleError::TooLarge)));
}

/// Returns the checksum of a PNG's chunk.
fn crc32(chunk: &[u8]) -> u32 {
    !chunk.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
            if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 }
        })
    })
}

#[test]
fn transparency_becomes_white_in_a_jpeg() {
    let encoded = encode(&DynamicImage::new_rgba8(16, 16), Format::Jpeg).expect("a JPEG");
    let back = image::load_from_memory(&encoded).expect("a picture").into_rgb8();
    assert!(back.pixels().all(|pixel| pixel.0.iter().all(|channel| *channel > 250)));
}

#[test]
fn a_placeholder_is_tiny_and_has_the_same_colours() {
    let colours = RgbImage::from_fn(1_200, 800, |_, y| {
        if y < 400 { image::Rgb([120, 170, 220]) } else { image::Rgb([210, 190, 150]) }
    });
    let original = encode(&DynamicImage::ImageRgb8(colours), Format::Jpeg).expect("a JPEG");
    let placeholder = placeholder(&original).expect("a placeholder");
    assert!(placeholder.len() < 200, "{} bytes", placeholder.len());
    let back = image::load_from_memory(&placeholder).expect("a picture").into_rgb8();
    assert_eq!(back.dimensions(), (16, 11));
    let (sky, wall) = (back.get_pixel(8, 1).0, back.get_pixel(8, 9).0);
    assert!(sky[2] > sky[0] + 40 && wall[0] > wall[2] + 25, "{sky:?} over {wall:?}");
}
