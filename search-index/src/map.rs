//! What fits, on the map: in the cells of a grid.

use std::collections::HashMap;

use crate::{
    catalogue::Segment,
    error::Error,
    query::{BoundingBox, PropertyQuery, Sort},
    spot::{CellKey, Spot},
    view::View,
};
use contracts::Sequence;

/// One cell of the grid with what lies in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// Latitude of the middle of what lies in it.
    pub lat: f64,
    /// Longitude of the middle.
    pub lng: f64,
    /// How many lie in it.
    pub count: u64,
    /// What holds them all.
    pub bounds: BoundingBox,
    /// The reference, where there is only one.
    pub reference: Option<String>,
}

/// What fits, on the map.
#[derive(Clone, Debug, PartialEq)]
pub struct Mapped {
    /// How many fit: as many as the list finds.
    pub total: u64,
    /// How many of them have no coordinates.
    pub unplaced: u64,
    /// The others.
    pub cells: Vec<Cell>,
    /// The position that the answer was made from.
    pub sequence: Sequence,
}

impl View {
    /// What fits `query`, in the cells of the grid of `zoom`, which is 20 at the nearest, or of a
    /// coarser one where there would be more than `most` cells. The order, offset and limit of the
    /// query play no part.
    pub fn map(&self, query: &PropertyQuery, zoom: u8, most: usize) -> Result<Mapped, Error> {
        let words = self.words(query);
        let matches = self.matches(words.as_deref(), Sort::Newest)?;
        let mut grid = Grid::new(zoom);
        for (ordinal, segment) in self.catalogue.segments.iter().enumerate() {
            let matches = matches.as_ref().and_then(|matches| matches.get(ordinal));
            for doc in segment.sift(query, matches).fits.ones() {
                grid.place(&segment.columns.spots[doc], (ordinal, doc));
            }
        }
        while grid.cells.len() > most && grid.coarsen() {}
        let mut cells: Vec<_> = grid.cells.into_iter().collect();
        cells.sort_unstable_by_key(|(key, _)| *key);
        let cells = cells.into_iter().map(|(_, heap)| heap.into_cell(&self.catalogue.segments));
        Ok(Mapped {
            total: grid.total,
            unplaced: grid.unplaced,
            cells: cells.collect(),
            sequence: self.sequence,
        })
    }
}

/// What lies in the cells of one grid.
struct Grid {
    zoom: u8,
    total: u64,
    unplaced: u64,
    cells: HashMap<CellKey, Heap>,
}

/// What lies in one cell.
#[derive(Clone, Copy)]
struct Heap {
    count: u64,
    lat_sum: f64,
    lng_sum: f64,
    bounds: BoundingBox,
    /// The segment and the document of one that lies in it.
    one: (usize, usize),
}

impl Grid {
    fn new(zoom: u8) -> Self {
        Self { zoom, total: 0, unplaced: 0, cells: HashMap::new() }
    }

    /// Puts down what lies at `spot`, by its segment and document.
    fn place(&mut self, spot: &Spot, one: (usize, usize)) {
        self.total += 1;
        if spot.is_known() {
            self.put(spot.cell(self.zoom), Heap::of(spot, one));
        } else {
            self.unplaced += 1;
        }
    }

    fn put(&mut self, key: CellKey, heap: Heap) {
        self.cells.entry(key).and_modify(|cell| cell.add(&heap)).or_insert(heap);
    }

    /// Goes to the next coarser grid, if there is one.
    fn coarsen(&mut self) -> bool {
        if self.zoom == 0 {
            return false;
        }
        self.zoom -= 1;
        for (key, heap) in std::mem::take(&mut self.cells) {
            self.put(key.coarser(), heap);
        }
        true
    }
}

impl Heap {
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
