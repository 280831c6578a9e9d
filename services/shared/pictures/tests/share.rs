//! Checks sharing pictures.
#![expect(clippy::expect_used, reason = "a test that can't do its part must fail loudly")]

use image::ImageFormat;
use pictures::{
    DynamicImage, Rgb, RgbImage,
    share::{Badge, Caption, Fonts, draw},
};

fn caption(price: &str, badge: Option<Badge>) -> Caption {
    Caption { price: price.to_owned(), description: "Villa in Nerja".to_owned(), badge }
}

fn drawn(caption: &Caption, photograph: Option<&DynamicImage>) -> RgbImage {
    let fonts = Fonts::load().expect("the fonts of this build");
    let bytes = draw(&fonts, caption, photograph).expect("a picture");
    image::load_from_memory_with_format(&bytes, ImageFormat::Jpeg).expect("a JPEG").into_rgb8()
}

#[test]
fn the_photograph_fills_its_area_and_the_caption_is_below_it() {
    let red = DynamicImage::ImageRgb8(RgbImage::from_pixel(900, 900, Rgb([200, 30, 30])));
    let picture = drawn(&caption("€385,000", None), Some(&red));
    assert_eq!(picture.dimensions(), (1_200, 630));
    let is_red = |x, y| picture.get_pixel(x, y)[0] > 170 && picture.get_pixel(x, y)[1] < 80;
    assert!([(2, 2), (1_197, 2), (600, 200), (2, 450)].iter().all(|(x, y)| is_red(*x, *y)));
    assert!((480..630).all(|y| !is_red(600, y)));
    let dearer = drawn(&caption("€985,000", None), Some(&red));
    assert_ne!(picture, dearer);
}

#[test]
fn good_news_is_on_yellow_even_without_a_photograph() {
    let plain = drawn(&caption("€385,000", None), None);
    let badge = Badge { text: "Reduced", warm: true };
    let reduced = drawn(&caption("€385,000", Some(badge)), None);
    let is_yellow = |picture: &RgbImage| {
        let Rgb([red, green, blue]) = *picture.get_pixel(55, 72);
        red > 220 && green > 180 && blue < 120
    };
    assert!(is_yellow(&reduced) && !is_yellow(&plain));
}
