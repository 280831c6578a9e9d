//! A canvas for drawing areas, outlines and text with anti-aliasing.

use ab_glyph_rasterizer::{Point, Rasterizer, point};
use rustybuzz::{
    Face, Feature, GlyphBuffer, UnicodeBuffer,
    ttf_parser::{GlyphId, OutlineBuilder, Tag},
};

use crate::{Rgb, RgbImage};

pub type Colour = [u8; 3];

/// The length of the control handles of a Bézier curve for a quarter of a circle, in radii.
const QUARTER: f32 = 0.552_285;

/// A scalable font.
#[derive(Clone)]
pub struct Font(Face<'static>);

impl Font {
    /// Parses the TrueType file in `bytes`.
    pub fn parse(bytes: &'static [u8]) -> Option<Self> {
        Face::from_slice(bytes, 0).map(Self)
    }

    /// Returns the width of `text` in `size`.
    pub fn width(&self, text: &str, size: f32) -> f32 {
        let advances: i32 = self.shape(text).glyph_positions().iter().map(|p| p.x_advance).sum();
        self.scale(size) * to_f32(advances)
    }

    /// Truncates `text` with an ellipsis if it is wider than `max_width`.
    pub fn fit(&self, text: &str, size: f32, max_width: f32) -> String {
        let mut fitting = text.to_owned();
        while self.width(&fitting, size) > max_width {
            let Some((end, _)) = fitting.trim_end_matches('…').char_indices().next_back() else {
                break;
            };
            fitting.truncate(end);
            fitting.truncate(fitting.trim_end().len());
            fitting.push('…');
        }
        fitting
    }

    /// Returns the glyphs of `text` with their positions, kerned, with lining figures.
    fn shape(&self, text: &str) -> GlyphBuffer {
        let mut buffer = UnicodeBuffer::new();
        buffer.push_str(text);
        buffer.guess_segment_properties();
        let lining = Feature::new(Tag::from_bytes(b"lnum"), 1, ..);
        rustybuzz::shape(&self.0, &[lining], buffer)
    }

    fn scale(&self, size: f32) -> f32 {
        size / to_f32(self.0.units_per_em())
    }
}

/// Draws outlines of glyphs and of a few other shapes. It uses the coordinates of the original drawing; its
/// origin and scale map them to the canvas.
pub struct Pen {
    raster: Rasterizer,
    origin: Point,
    /// Negative downwards for fonts, whose y points up.
    scale: Point,
    start: Point,
    at: Point,
}

impl Pen {
    fn place(&self, x: f32, y: f32) -> Point {
        point(self.origin.x + x * self.scale.x, self.origin.y + y * self.scale.y)
    }

    /// Draws a circle.
    pub fn circle(&mut self, x: f32, y: f32, radius: f32) {
        self.move_to(x - radius, y);
        let outermost = [(-1., 0.), (0., -1.), (1., 0.), (0., 1.), (-1., 0.)];
        for pair in outermost.windows(2) {
            self.quarter((x, y), radius, pair[0], pair[1]);
        }
        self.close();
    }

    /// Draws an arch: `half` wide to both sides of `x`, round above `spring`, and straight down to `foot`.
    pub fn arch(&mut self, x: f32, half: f32, spring: f32, foot: f32) {
        self.move_to(x - half, foot);
        self.line_to(x - half, spring);
        self.quarter((x, spring), half, (-1., 0.), (0., -1.));
        self.quarter((x, spring), half, (0., -1.), (1., 0.));
        self.line_to(x + half, foot);
        self.close();
    }

    /// Draws a bar with round ends.
    pub fn pill(&mut self, width: f32, height: f32) {
        let radius = height / 2.;
        let (left, right) = ((radius, radius), (width - radius, radius));
        self.move_to(radius, height);
        self.quarter(left, radius, (0., 1.), (-1., 0.));
        self.quarter(left, radius, (-1., 0.), (0., -1.));
        self.line_to(width - radius, 0.);
        self.quarter(right, radius, (0., -1.), (1., 0.));
        self.quarter(right, radius, (1., 0.), (0., 1.));
        self.close();
    }

    /// Draws a quarter of a circle around `centre`, between two of its four outermost points.
    fn quarter(&mut self, centre: (f32, f32), radius: f32, from: (f32, f32), to: (f32, f32)) {
        let on = |point: (f32, f32)| (centre.0 + radius * point.0, centre.1 + radius * point.1);
        let handle = |a: (f32, f32), b: (f32, f32)| on((a.0 + QUARTER * b.0, a.1 + QUARTER * b.1));
        let ((x1, y1), (x2, y2), (x, y)) = (handle(from, to), handle(to, from), on(to));
        self.curve_to(x1, y1, x2, y2, x, y);
    }
}

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.start = self.place(x, y);
        self.at = self.start;
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let to = self.place(x, y);
        self.raster.draw_line(self.at, to);
        self.at = to;
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let to = self.place(x, y);
        self.raster.draw_quad(self.at, self.place(x1, y1), to);
        self.at = to;
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let to = self.place(x, y);
        self.raster.draw_cubic(self.at, self.place(x1, y1), self.place(x2, y2), to);
        self.at = to;
    }

    fn close(&mut self) {
        self.raster.draw_line(self.at, self.start);
        self.at = self.start;
    }
}

/// A picture to draw on.
pub struct Canvas(RgbImage);

impl Canvas {
    /// Creates a canvas filled with `colour`.
    pub fn new(width: u32, height: u32, colour: Colour) -> Self {
        Self(RgbImage::from_pixel(width, height, Rgb(colour)))
    }

    /// Draws `picture` at the top.
    pub fn draw_at_top(&mut self, picture: &RgbImage) {
        for (x, y, pixel) in picture.enumerate_pixels() {
            if let Some(place) = self.0.get_pixel_mut_checked(x, y) {
                *place = *pixel;
            }
        }
    }

    /// Fills the outlines of `draw` with `colour`, scaled by `scale` and starting at `origin`. Only the area of
    /// `size` to the right of and below `origin` is drawn.
    pub fn outline(
        &mut self,
        colour: Colour,
        origin: (f32, f32),
        scale: f32,
        size: (f32, f32),
        draw: impl FnOnce(&mut Pen),
    ) {
        let area = Area::new(origin, (size.0 * scale, size.1 * scale));
        self.fill(colour, area, point(origin.0, origin.1), point(scale, scale), draw);
    }

    /// Draws `text` in `size` from `x`, with the baseline at `y`.
    pub fn text(&mut self, font: &Font, size: f32, colour: Colour, (x, y): (f32, f32), text: &str) {
        let scale = font.scale(size);
        let shaped = font.shape(text);
        // Letters reach a little beyond their line on every side.
        let area =
            Area::new((x - size, y - 1.2 * size), (font.width(text, size) + 2. * size, 1.8 * size));
        self.fill(colour, area, point(x, y), point(scale, -scale), |pen| {
            for (glyph, position) in shaped.glyph_infos().iter().zip(shaped.glyph_positions()) {
                let id = u16::try_from(glyph.glyph_id).unwrap_or_default();
                // A glyph that the font lacks leaves a gap, not a box.
                if id != 0 {
                    let start = pen.origin;
                    pen.origin = pen.place(to_f32(position.x_offset), to_f32(position.y_offset));
                    font.0.outline_glyph(GlyphId(id), pen);
                    pen.origin = start;
                }
                pen.origin = pen.place(to_f32(position.x_advance), 0.);
            }
        });
    }

    /// Returns the picture.
    pub fn into_picture(self) -> RgbImage {
        self.0
    }

    fn fill(
        &mut self,
        colour: Colour,
        area: Area,
        origin: Point,
        scale: Point,
        draw: impl FnOnce(&mut Pen),
    ) {
        let raster = Rasterizer::new(area.width as usize, area.height as usize);
        let origin = point(origin.x - to_f32(area.left), origin.y - to_f32(area.top));
        let mut pen = Pen { raster, origin, scale, start: origin, at: origin };
        draw(&mut pen);
        pen.raster.for_each_pixel_2d(|x, y, coverage| {
            let place = (x.checked_add_signed(area.left), y.checked_add_signed(area.top));
            let (Some(x), Some(y)) = place else { return };
            if coverage > 0.
                && let Some(pixel) = self.0.get_pixel_mut_checked(x, y)
            {
                for (channel, full) in pixel.0.iter_mut().zip(colour) {
                    *channel = mixed(*channel, full, coverage.min(1.));
                }
            }
        });
    }
}

/// The pixels that a drawing may touch.
#[derive(Clone, Copy)]
struct Area {
    left: i32,
    top: i32,
    width: u32,
    height: u32,
}

impl Area {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a casting float stays within the integer's bounds"
    )]
    fn new((left, top): (f32, f32), (width, height): (f32, f32)) -> Self {
        let (left_edge, top_edge) = (left.floor(), top.floor());
        Self {
            left: left_edge as i32,
            top: top_edge as i32,
            width: (left + width - left_edge).ceil() as u32,
            height: (top + height - top_edge).ceil() as u32,
        }
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a mean of two bytes is a byte"
)]
fn mixed(from: u8, to: u8, share: f32) -> u8 {
    (f32::from(from) + (f32::from(to) - f32::from(from)) * share).round() as u8
}

#[expect(clippy::cast_precision_loss, reason = "font units are far below 2²³")]
const fn to_f32(units: i32) -> f32 {
    units as f32
}
