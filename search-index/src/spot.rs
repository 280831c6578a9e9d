//! Places on the map, and the grid that lies over them.

/// The nearest zoom that the grid knows.
pub(crate) const DEEPEST_ZOOM: u8 = 20;
/// Cells of the grid in one tile of 256 pixels, each way, as a power of two: a cell has 64 pixels.
const CELLS_A_TILE: u8 = 2;
/// Where the Mercator projection ends, degrees.
const MAX_NORTHERN: f64 = 85.051_128;

/// Where a document lies, with its column and row in the finest grid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot {
    pub lat: f64,
    pub lng: f64,
    column: u32,
    row: u32,
}

impl Spot {
    /// Of what has no coordinates.
    pub const NOWHERE: Self = Self { lat: f64::NAN, lng: f64::NAN, column: 0, row: 0 };

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "both are from 0 to the grid's size, which is far below the types' limits"
    )]
    pub fn new(lat: f64, lng: f64) -> Self {
        let size = f64::from(1_u32 << (DEEPEST_ZOOM + CELLS_A_TILE));
        let east = (lng + 180.0) / 360.0;
        let angle = lat.clamp(-MAX_NORTHERN, MAX_NORTHERN).to_radians();
        let south = (1.0 - angle.tan().asinh() / std::f64::consts::PI) / 2.0;
        let line = |part: f64| (part * size).clamp(0.0, size - 1.0) as u32;
        Self { lat, lng, column: line(east), row: line(south) }
    }

    pub fn is_known(&self) -> bool {
        !self.lat.is_nan()
    }

    /// The cell of the grid of `zoom` that it lies in.
    pub fn cell(&self, zoom: u8) -> CellKey {
        let coarser = DEEPEST_ZOOM.saturating_sub(zoom);
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
    /// The cell that holds it in the next coarser grid.
    pub const fn coarser(self) -> Self {
        Self { column: self.column >> 1, row: self.row >> 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_of_zoom_halves_the_cells() {
        let spot = Spot::new(36.75, -3.87);
        for zoom in 1..=DEEPEST_ZOOM {
            assert_eq!(spot.cell(zoom).coarser(), spot.cell(zoom - 1));
        }
        assert_eq!(spot.cell(0), CellKey { column: 1, row: 1 });
    }

    #[test]
    fn the_ends_of_the_world_are_in_the_grid() {
        let last = (1 << (DEEPEST_ZOOM + CELLS_A_TILE)) - 1;
        assert_eq!(Spot::new(90.0, -180.0).cell(DEEPEST_ZOOM), CellKey { column: 0, row: 0 });
        let corner = Spot::new(-90.0, 180.0).cell(DEEPEST_ZOOM);
        assert_eq!(corner, CellKey { column: last, row: last });
    }
}
