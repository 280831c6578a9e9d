//! Reads real listings from a table: comma-separated values with a header, plain or gzipped.

use std::{collections::HashMap, fs::File, io::Read, path::Path};

use anyhow::{Context, Result};
use contracts::content::Property;
use flate2::read::GzDecoder;

use crate::load::as_f64;

/// The size of a place relative to that of the city in the table.
const SCALE: f64 = 0.12;
/// Boolean columns, with the feature that each one means.
const FLAGS: [(&str, &str); 8] = [
    ("terrace", "terrace"),
    ("lift", "lift"),
    ("air_con", "air-conditioning"),
    ("parking", "garage"),
    ("pool", "pool"),
    ("garden", "garden"),
    ("storage_room", "storage-room"),
    ("fitted_wardrobes", "fitted-wardrobes"),
];

/// A row of the table, with the data of a home.
#[derive(Clone, Debug)]
pub struct Row {
    price: i64,
    built: i64,
    bedrooms: i64,
    bathrooms: i64,
    year: Option<i64>,
    floor: Option<String>,
    features: Vec<(&'static str, bool)>,
    lat: f64,
    lng: f64,
}

impl Row {
    /// Copies the row's figures to `home`, and the features that the table has columns for.
    pub fn apply_to(&self, home: &mut Property) {
        home.price = Some(self.price);
        home.built_area = Some(self.built);
        home.bedrooms = Some(self.bedrooms);
        home.bathrooms = Some(self.bathrooms);
        home.year_built = self.year.or(home.year_built);
        home.floor = self.floor.clone().filter(|_| home.plot_area.is_none());
        for (feature, has) in &self.features {
            home.features.retain(|known| known != feature);
            if *has {
                home.features.push((*feature).to_owned());
            }
        }
        home.features.sort_unstable();
    }

    /// Returns the offset of a home from the centre of its place, in degrees north and east.
    pub fn offset(&self, (lat, lng): (f64, f64)) -> (f64, f64) {
        ((self.lat - lat) * SCALE, (self.lng - lng) * SCALE)
    }
}

/// Returns the approximate centre of the rows, from the first ones.
pub fn centre(rows: &[Row]) -> (f64, f64) {
    let some = &rows[..rows.len().min(100)];
    let count = as_f64(some.len().max(1));
    let mean = |of: fn(&Row) -> f64| some.iter().map(of).sum::<f64>() / count;
    (mean(|row| row.lat), mean(|row| row.lng))
}

/// Reads the table in `file`. Skips rows without price, size or position.
pub fn read(file: &Path) -> Result<Vec<Row>> {
    let open = || File::open(file).with_context(|| format!("opening {}", file.display()));
    let mut text = String::new();
    if file.extension().is_some_and(|extension| extension == "gz") {
        GzDecoder::new(open()?).read_to_string(&mut text)?;
    } else {
        open()?.read_to_string(&mut text)?;
    }
    let mut lines = text.lines();
    let names: HashMap<&str, usize> =
        lines.next().unwrap_or_default().split(',').enumerate().map(|(i, n)| (n, i)).collect();
    let rows: Vec<Row> =
        lines.filter_map(|line| row(&names, &line.split(',').collect::<Vec<_>>())).collect();
    anyhow::ensure!(!rows.is_empty(), "{} has no row that can be used", file.display());
    Ok(rows)
}

fn row(names: &HashMap<&str, usize>, cells: &[&str]) -> Option<Row> {
    let cell = |name: &str| names.get(name).and_then(|index| cells.get(*index)).copied();
    let whole = |name: &str| cell(name).and_then(|text| text.parse::<i64>().ok());
    let degrees = |name: &str| cell(name).and_then(|text| text.parse::<f64>().ok());
    Some(Row {
        price: whole("price_eur")?,
        built: whole("built_m2")?,
        bedrooms: whole("bedrooms").unwrap_or_default(),
        bathrooms: whole("bathrooms").unwrap_or_default(),
        year: whole("year_built_cadastre").or_else(|| whole("year_built_advertiser")),
        floor: cell("floor").filter(|floor| !floor.is_empty()).map(str::to_owned),
        features: FLAGS.map(|(name, feature)| (feature, cell(name) == Some("1"))).to_vec(),
        lat: degrees("lat")?,
        lng: degrees("lon")?,
    })
}
