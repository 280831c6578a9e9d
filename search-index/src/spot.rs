//! Points on the map, and the grid over it.

/// The highest zoom of the grid.
pub(crate) const MAX_ZOOM: u8 = 20;
/// The base-2 logarithm of the number of cells along each side of a tile of 256 pixels: a cell has 64
/// pixels.
const LOG2_CELLS_PER_TILE: u8 = 2;
/// The maximum latitude of the Mercator projection, degrees.
const MAX_LATITUDE: f64 = 85.051_128;

/// The coordinates of a document, with its column and row in the finest grid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot {
    pub lat: f64,
    pub lng: f64,
    column: u32,
    row: u32,
}

impl Spot {
    /// The spot of documents without coordinates.
    pub const NOWHERE: Self = Self { lat: f64::NAN, lng: f64::NAN, column: 0, row: 0 };

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "both are from 0 to the grid's size, which is far below the types' limits"
    )]
    pub fn new(lat: f64, lng: f64) -> Self {
        let size = f64::from(1_u32 << (MAX_ZOOM + LOG2_CELLS_PER_TILE));
        let east = (lng + 180.0) / 360.0;
        let angle = lat.clamp(-MAX_LATITUDE, MAX_LATITUDE).to_radians();
        let south = (1.0 - angle.tan().asinh() / std::f64::consts::PI) / 2.0;
        let line = |part: f64| (part * size).clamp(0.0, size - 1.0) as u32;
        Self { lat, lng, column: line(east), row: line(south) }
    }

    pub fn is_known(&self) -> bool {
        !self.lat.is_nan()
    }

    /// Returns its cell in the grid of `zoom`.
    pub fn cell(&self, zoom: u8) -> CellKey {
        let coarser = MAX_ZOOM.saturating_sub(zoom);
        CellKey { column: self.column >> coarser, row: self.row >> coarser }
    }
}

/// One cell of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct CellKey {
    column: u32,
    row: u32,
}

impl CellKey {
    /// Returns the cell that contains this one in the next coarser grid.
    pub const fn coarser(self) -> Self {
        Self { column: self.column >> 1, row: self.row >> 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zoom_step_halves_the_cells() {
        let spot = Spot::new(36.75, -3.87);
        for zoom in 1..=MAX_ZOOM {
            assert_eq!(spot.cell(zoom).coarser(), spot.cell(zoom - 1));
        }
        assert_eq!(spot.cell(0), CellKey { column: 1, row: 1 });
    }

    #[test]
    fn the_poles_are_in_the_grid() {
        let last = (1 << (MAX_ZOOM + LOG2_CELLS_PER_TILE)) - 1;
        assert_eq!(Spot::new(90.0, -180.0).cell(MAX_ZOOM), CellKey { column: 0, row: 0 });
        let corner = Spot::new(-90.0, 180.0).cell(MAX_ZOOM);
        assert_eq!(corner, CellKey { column: last, row: last });
    }
}
