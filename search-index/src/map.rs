//! Search results on the map, grouped by the cells of a grid.

use std::collections::HashMap;

use crate::{
    catalogue::Segment,
    error::Error,
    query::{BoundingBox, PropertyQuery, Sort},
    spot::{CellKey, Spot},
    view::View,
};
use contracts::Sequence;

/// A cell of the grid with the properties in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The mean latitude of its properties.
    pub lat: f64,
    /// Their mean longitude.
    pub lng: f64,
    /// The number of properties in it.
    pub count: u64,
    /// Their bounding box.
    pub bounds: BoundingBox,
    /// The property's reference, if there is only one.
    pub reference: Option<String>,
}

/// The matching properties on the map.
#[derive(Clone, Debug, PartialEq)]
pub struct MapResult {
    /// The number of matching properties, the same as in the list.
    pub total: u64,
    /// How many of them have no coordinates.
    pub unplaced: u64,
    /// The cells with the other properties.
    pub cells: Vec<Cell>,
    /// The log position that the answer reflects.
    pub sequence: Sequence,
}

impl View {
    /// Groups the properties that match `query` by the cells of the grid of `zoom`, which is 20 at most. Uses
    /// a coarser grid if there would be more than `max_cells` cells. Ignores the order, offset and limit of
    /// the query.
    pub fn map(
        &self,
        query: &PropertyQuery,
        zoom: u8,
        max_cells: usize,
    ) -> Result<MapResult, Error> {
        let words = self.words(query);
        let matches = self.matches(words.as_deref(), Sort::Newest)?;
        let mut grid = Grid::new(zoom);
        for (ordinal, segment) in self.catalogue.segments.iter().enumerate() {
            let matches = matches.as_ref().and_then(|matches| matches.get(ordinal));
            for doc in segment.apply_filters(query, matches).fits.ones() {
                grid.place(&segment.columns.spots[doc], (ordinal, doc));
            }
        }
        while grid.cells.len() > max_cells && grid.coarsen() {}
        let mut cells: Vec<_> = grid.cells.into_iter().collect();
        cells.sort_unstable_by_key(|(key, _)| *key);
        let cells =
            cells.into_iter().map(|(_, content)| content.into_cell(&self.catalogue.segments));
        Ok(MapResult {
            total: grid.total,
            unplaced: grid.unplaced,
            cells: cells.collect(),
            sequence: self.sequence,
        })
    }
}

/// The properties in the cells of one grid.
struct Grid {
    zoom: u8,
    total: u64,
    unplaced: u64,
    cells: HashMap<CellKey, CellContent>,
}

/// The properties in one cell, summed up.
#[derive(Clone, Copy)]
struct CellContent {
    count: u64,
    lat_sum: f64,
    lng_sum: f64,
    bounds: BoundingBox,
    /// The segment and the document of one of the properties.
    one: (usize, usize),
}

impl Grid {
    fn new(zoom: u8) -> Self {
        Self { zoom, total: 0, unplaced: 0, cells: HashMap::new() }
    }

    /// Adds the property at `spot`; `one` is its segment and document.
    fn place(&mut self, spot: &Spot, one: (usize, usize)) {
        self.total += 1;
        if spot.is_known() {
            self.put(spot.cell(self.zoom), CellContent::of(spot, one));
        } else {
            self.unplaced += 1;
        }
    }

    fn put(&mut self, key: CellKey, content: CellContent) {
        self.cells.entry(key).and_modify(|cell| cell.add(&content)).or_insert(content);
    }

    /// Switches to the next coarser grid. Returns false if there is none.
    fn coarsen(&mut self) -> bool {
        if self.zoom == 0 {
            return false;
        }
        self.zoom -= 1;
        for (key, content) in std::mem::take(&mut self.cells) {
            self.put(key.coarser(), content);
        }
        true
    }
}

impl CellContent {
    const fn of(spot: &Spot, one: (usize, usize)) -> Self {
        let Spot { lat, lng, .. } = *spot;
        let bounds = BoundingBox { west: lng, south: lat, east: lng, north: lat };
        Self { count: 1, lat_sum: lat, lng_sum: lng, bounds, one }
    }

    fn add(&mut self, other: &Self) {
        self.count += other.count;
        self.lat_sum += other.lat_sum;
        self.lng_sum += other.lng_sum;
        let (own, more) = (self.bounds, other.bounds);
        self.bounds = BoundingBox {
            west: own.west.min(more.west),
            south: own.south.min(more.south),
            east: own.east.max(more.east),
            north: own.north.max(more.north),
        };
    }

    #[expect(clippy::cast_precision_loss, reason = "no catalogue has so many")]
    fn into_cell(self, segments: &[Segment]) -> Cell {
        let count = self.count as f64;
        let (segment, doc) = self.one;
        let reference = || segments[segment].columns.reference(doc).to_owned();
        Cell {
            lat: self.lat_sum / count,
            lng: self.lng_sum / count,
            count: self.count,
            bounds: self.bounds,
            reference: (self.count == 1).then(reference),
        }
    }
}
