//! Parts of the map, as URLs write them. The parsers accept exactly what the patterns in the API
//! description allow.

use std::str::FromStr;

use search_index::{BoundingBox, Polygon};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, schema::Type},
};

/// The maximum number of corners of a drawn area.
const MAX_CORNERS: usize = 60;

/// The pattern of a longitude and a latitude, as [`point`] parses them.
macro_rules! point_pattern {
    () => {
        concat!(
            r"-?(180(\.0{1,15})?|(1[0-7][0-9]|0?[0-9]{1,2})(\.[0-9]{1,15})?)",
            ",",
            r"-?(0?90(\.0{1,15})?|0?[0-8]?[0-9](\.[0-9]{1,15})?)",
        )
    };
}

/// A rectangle on the map: `west,south,east,north`. An inverted rectangle contains nothing.
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
        text_schema(concat!("^", point_pattern!(), ",", point_pattern!(), "$"))
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
        text_schema(concat!("^", point_pattern!(), "(;", point_pattern!(), "){2,59}$"))
    }
}

impl ToSchema for Area {}

/// Returns the schema of a text that matches `pattern`.
fn text_schema(pattern: &str) -> RefOr<Schema> {
    ObjectBuilder::new().schema_type(Type::String).pattern(Some(pattern)).into()
}

/// Parses a longitude and a latitude.
fn point(lng: &str, lat: &str) -> Option<(f64, f64)> {
    Some((degrees(lng, 180.0)?, degrees(lat, 90.0)?))
}

/// Parses decimal degrees from `-max` to `max`.
fn degrees(text: &str, max: f64) -> Option<f64> {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (whole, decimals) = unsigned.split_once('.').unwrap_or((unsigned, "0"));
    let digits = |text: &str, max: usize| {
        (1..=max).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    if !digits(whole, 3) || !digits(decimals, 15) {
        return None;
    }
    text.parse().ok().filter(|degrees: &f64| degrees.abs() <= max)
}
