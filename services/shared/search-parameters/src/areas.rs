//! Parts of the map as addresses write them. What is read of a text is what its pattern says, which
//! is what the description of the API has.

use std::str::FromStr;

use search_index::{BoundingBox, Polygon};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, schema::Type},
};

/// A drawn area has so many corners at the most.
const MAX_CORNERS: usize = 60;

/// A longitude and a latitude as [`point`] reads them.
macro_rules! point_pattern {
    () => {
        concat!(
            r"-?(180(\.0{1,15})?|(1[0-7][0-9]|0?[0-9]{1,2})(\.[0-9]{1,15})?)",
            ",",
            r"-?(0?90(\.0{1,15})?|0?[0-8]?[0-9](\.[0-9]{1,15})?)",
        )
    };
}

/// A rectangle on the map: `west,south,east,north`. Nothing is in one that stands on its head.
#[derive(Debug)]
pub struct Bounds(pub BoundingBox);

impl FromStr for Bounds {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let degrees: Vec<&str> = text.split(',').collect();
        let [west, south, east, north] = degrees[..] else { return Err(()) };
        let (west, south) = point(west, south).ok_or(())?;
        let (east, north) = point(east, north).ok_or(())?;
        Ok(Self(BoundingBox { west, south, east, north }))
    }
}

impl PartialSchema for Bounds {
    fn schema() -> RefOr<Schema> {
        written(concat!("^", point_pattern!(), ",", point_pattern!(), "$"))
    }
}

impl ToSchema for Bounds {}

/// A drawn area: `lng,lat;lng,lat;…`.
#[derive(Debug)]
pub struct Area(pub Polygon);

impl FromStr for Area {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let corners = text.split(';').map(|corner| {
            let (lng, lat) = corner.split_once(',')?;
            point(lng, lat)
        });
        let corners = corners.collect::<Option<Vec<_>>>().ok_or(())?;
        if corners.len() > MAX_CORNERS {
            return Err(());
        }
        Polygon::new(corners).map(Self).ok_or(())
    }
}

impl PartialSchema for Area {
    fn schema() -> RefOr<Schema> {
        written(concat!("^", point_pattern!(), "(;", point_pattern!(), "){2,59}$"))
    }
}

impl ToSchema for Area {}

/// A text that is written like `pattern`.
fn written(pattern: &str) -> RefOr<Schema> {
    ObjectBuilder::new().schema_type(Type::String).pattern(Some(pattern)).into()
}

/// The point at `lng` and `lat`.
fn point(lng: &str, lat: &str) -> Option<(f64, f64)> {
    Some((degrees(lng, 180.0)?, degrees(lat, 90.0)?))
}

/// Degrees in decimals, `most` of them in either direction.
fn degrees(text: &str, most: f64) -> Option<f64> {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (whole, decimals) = unsigned.split_once('.').unwrap_or((unsigned, "0"));
    let digits = |text: &str, most: usize| {
        (1..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    if !digits(whole, 3) || !digits(decimals, 15) {
        return None;
    }
    text.parse().ok().filter(|degrees: &f64| degrees.abs() <= most)
}
