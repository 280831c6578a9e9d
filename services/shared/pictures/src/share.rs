//! Draws the sharing picture: a photograph above a band with the price and description.

mod canvas;

use bytes::Bytes;

use self::canvas::{Canvas, Colour, Font};
use crate::{DynamicImage, Format, Rgb, RgbImage, ScaleError};

/// The size that social networks and messengers recommend for such pictures.
const WIDTH: u32 = 1_200;
const HEIGHT: u32 = 630;
const BAND_HEIGHT: u32 = 168;

/// The tokens of the pages' light theme (`frontend/app/styles/app.css`).
const CANVAS: Colour = [252, 250, 246];
const SUNK: Colour = [245, 241, 233];
const INK: Colour = [25, 32, 41];
const MUTED: Colour = [85, 91, 101];
const SUN: Colour = [252, 207, 71];

const MARGIN: f32 = 60.;
const PRICE_SIZE: f32 = 64.;
const TEXT_SIZE: f32 = 31.;
const BADGE_SIZE: f32 = 28.;
/// The logo is drawn 185 by 40 (`frontend/app/ui/logo.tsx`).
const LOGO_SCALE: f32 = 1.75;
const LOGO_WIDTH: f32 = 131.;

/// The texts on a sharing picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caption {
    /// The price.
    pub price: String,
    /// The kind of home and its place.
    pub description: String,
    /// A label on the photograph.
    pub badge: Option<Badge>,
}

/// A label of a word or two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Badge {
    /// The text.
    pub text: &'static str,
    /// Whether it is good news, which is shown on yellow.
    pub warm: bool,
}

/// The fonts of the pages.
#[derive(Clone)]
pub struct Fonts {
    display: Font,
    text: Font,
}

impl Fonts {
    /// Parses the fonts, which are embedded in the program.
    pub fn load() -> Option<Self> {
        Some(Self {
            display: Font::parse(include_bytes!("../fonts/fraunces-420.ttf"))?,
            text: Font::parse(include_bytes!("../fonts/hanken-grotesk-520.ttf"))?,
        })
    }
}

/// Returns the size of the photograph.
const fn photograph_size() -> (u32, u32) {
    (WIDTH, HEIGHT - BAND_HEIGHT)
}

/// Returns roughly how much memory [`draw`] takes, in bytes.
pub fn drawing_bytes() -> u64 {
    crate::encoding_bytes(WIDTH, HEIGHT, Format::Jpeg)
}

/// Draws a JPEG with `caption` below `photograph`, or below a large logo if there is no photograph.
pub fn draw(
    fonts: &Fonts,
    caption: &Caption,
    photograph: Option<&DynamicImage>,
) -> Result<Bytes, ScaleError> {
    let (width, height) = photograph_size();
    let cut = photograph.map(|photograph| crate::cover(photograph, width, height)).transpose()?;
    let picture = paint(fonts, caption, cut.as_ref());
    crate::encode(&DynamicImage::ImageRgb8(picture), Format::Jpeg)
}

fn paint(fonts: &Fonts, caption: &Caption, photograph: Option<&RgbImage>) -> RgbImage {
    let mut canvas = Canvas::new(WIDTH, HEIGHT, CANVAS);
    let (width, height) = (edge(WIDTH), edge(HEIGHT));
    let band = height - edge(BAND_HEIGHT);
    match photograph {
        Some(photograph) => canvas.draw_at_top(photograph),
        None => wall(&mut canvas, band),
    }
    if let Some(badge) = caption.badge {
        let text = badge.text;
        let size = (fonts.text.width(text, BADGE_SIZE) + 48., 56.);
        let colour = if badge.warm { SUN } else { CANVAS };
        canvas.outline(colour, (44., 44.), 1., size, |pen| pen.pill(size.0, size.1));
        canvas.text(&fonts.text, BADGE_SIZE, INK, (68., 82.), text);
    }
    let max_width = width - 2. * MARGIN - LOGO_WIDTH * LOGO_SCALE - MARGIN;
    let line = |size, font: &Font, text: &str| font.fit(text, size, max_width);
    let price = line(PRICE_SIZE, &fonts.display, &caption.price);
    canvas.text(&fonts.display, PRICE_SIZE, INK, (MARGIN - 2., band + 80.), &price);
    let description = line(TEXT_SIZE, &fonts.text, &caption.description);
    canvas.text(&fonts.text, TEXT_SIZE, MUTED, (MARGIN, band + 130.), &description);
    let left = width - MARGIN - LOGO_WIDTH * LOGO_SCALE;
    // The offset aligns the foot of the logo with a pixel row, so that the doorway leaves no seam.
    logo(&mut canvas, fonts, (left, band + 47.5));
    canvas.into_picture()
}

/// Draws the mark and the name, as in the pages' header.
fn logo(canvas: &mut Canvas, fonts: &Fonts, (x, y): (f32, f32)) {
    mark(canvas, (x, y), LOGO_SCALE, CANVAS);
    let scaled = |points: f32| LOGO_SCALE * points;
    // Scaled to the width of the name in the original drawing.
    let size = scaled(86. / fonts.display.width("Almijara", 1.));
    canvas.text(&fonts.display, size, INK, (x + scaled(44.), y + scaled(24.)), "Almijara");
    let mut at = x + scaled(45.);
    for letter in ["H", "O", "M", "E", "S"] {
        canvas.text(&fonts.text, scaled(9.5), INK, (at, y + scaled(37.)), letter);
        at += fonts.text.width(letter, scaled(9.5)) + scaled(5.6);
    }
}

/// Draws the mark: a house as an arch, with the sun behind it.
fn mark(canvas: &mut Canvas, origin: (f32, f32), scale: f32, doorway: Colour) {
    let size = (40., 40.);
    canvas.outline(SUN, origin, scale, size, |pen| pen.circle(26., 14., 10.));
    canvas.outline(INK, origin, scale, size, |pen| pen.arch(16., 12., 22., 38.));
    canvas.outline(doorway, origin, scale, size, |pen| pen.arch(16., 5., 24., 38.));
}

/// Draws a large mark in place of a photograph.
fn wall(canvas: &mut Canvas, foot: f32) {
    let (width, height) = photograph_size();
    canvas.draw_at_top(&RgbImage::from_pixel(width, height, Rgb(SUNK)));
    let scale = 8.4;
    mark(canvas, (edge(WIDTH) / 2. - 20. * scale, foot - 38. * scale), scale, SUNK);
}

#[expect(clippy::cast_precision_loss, reason = "a few hundred pixels")]
const fn edge(pixels: u32) -> f32 {
    pixels as f32
}
