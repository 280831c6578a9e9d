//! A drawn area.

use std::hash::{Hash, Hasher};

/// A polygon on the map, closed implicitly. Every point that the outline winds around is inside, however
/// often (nonzero rule): people who draw by hand may circle a place twice. Two are equal if their corners have
/// the same bits.
#[derive(Clone, Debug)]
pub struct Polygon {
    /// Longitude and latitude of each corner, degrees.
    corners: Vec<(f64, f64)>,
    west: f64,
    south: f64,
    east: f64,
    north: f64,
}

impl Polygon {
    /// Creates the polygon with these corners, each a longitude and a latitude in degrees. Returns `None` if
    /// there are fewer than three, or one of them is not finite.
    pub fn new(corners: Vec<(f64, f64)>) -> Option<Self> {
        let finite = corners.iter().all(|(lng, lat)| lng.is_finite() && lat.is_finite());
        if corners.len() < 3 || !finite {
            return None;
        }
        let min = |of: fn(&(f64, f64)) -> f64| corners.iter().map(of).fold(f64::MAX, f64::min);
        let max = |of: fn(&(f64, f64)) -> f64| corners.iter().map(of).fold(f64::MIN, f64::max);
        let (west, south) = (min(|corner| corner.0), min(|corner| corner.1));
        let (east, north) = (max(|corner| corner.0), max(|corner| corner.1));
        Some(Self { corners, west, south, east, north })
    }

    /// Returns the corners, each a longitude and a latitude in degrees.
    pub fn corners(&self) -> &[(f64, f64)] {
        &self.corners
    }

    fn bits(&self) -> impl Iterator<Item = [u64; 2]> {
        self.corners.iter().map(|(lng, lat)| [lng.to_bits(), lat.to_bits()])
    }

    /// Returns whether the point is inside. It is if, among the edges that a ray to the east crosses, the
    /// numbers of edges going north and going south differ.
    pub fn contains(&self, lat: f64, lng: f64) -> bool {
        // Most points are far away; the bounding box rejects them without checking any edge.
        if lng < self.west || lng > self.east || lat < self.south || lat > self.north {
            return false;
        }
        let mut windings = 0_i32;
        let mut from = self.corners[self.corners.len() - 1];
        for &to in &self.corners {
            // An edge includes its lower end but not its upper one, so that a ray through a corner
            // crosses once.
            if (from.1 > lat) != (to.1 > lat) {
                let crossing = from.0 + (lat - from.1) / (to.1 - from.1) * (to.0 - from.0);
                if lng < crossing {
                    windings += if to.1 > from.1 { 1 } else { -1 };
                }
            }
            from = to;
        }
        windings != 0
    }
}

impl PartialEq for Polygon {
    fn eq(&self, other: &Self) -> bool {
        self.bits().eq(other.bits())
    }
}

impl Eq for Polygon {}

impl Hash for Polygon {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.bits().for_each(|corner| corner.hash(state));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bay_is_outside_and_points_that_the_outline_winds_around_are_inside() {
        let bay =
            [(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (3.0, 4.0), (3.0, 1.0), (1.0, 1.0), (0.0, 4.0)];
        let bay = Polygon::new(bay.to_vec()).expect("seven corners");
        assert!(bay.contains(0.5, 2.0) && bay.contains(3.0, 3.5));
        assert!(!bay.contains(2.0, 2.0) && !bay.contains(5.0, 2.0) && !bay.contains(0.5, -1.0));
        // A star drawn in one line: it winds around its middle twice.
        let star = [(0.0, 3.0), (1.8, -2.4), (-2.9, 0.9), (2.9, 0.9), (-1.8, -2.4)];
        let star = Polygon::new(star.to_vec()).expect("five corners");
        assert!(star.contains(2.0, 0.0) && star.contains(0.0, 0.0));
        assert!(!star.contains(-2.0, 0.0));
        // A square drawn in two laps, and in one lap in the opposite direction.
        let lap = [(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0)];
        let twice = Polygon::new([lap, lap].concat()).expect("eight corners");
        assert!(twice.contains(2.0, 2.0) && !twice.contains(2.0, 5.0));
        let back = Polygon::new(lap.into_iter().rev().collect()).expect("four corners");
        assert!(back.contains(2.0, 2.0) && !back.contains(-1.0, 2.0));
        // A figure of eight: its two loops wind in opposite directions, and both are inside.
        let eight = [(0.0, 0.0), (4.0, 4.0), (4.0, 0.0), (0.0, 4.0)];
        let eight = Polygon::new(eight.to_vec()).expect("four corners");
        assert!(eight.contains(2.0, 0.5) && eight.contains(2.0, 3.5) && !eight.contains(0.5, 2.0));
    }

    #[test]
    fn a_polygon_needs_three_finite_corners() {
        assert_eq!(Polygon::new(vec![(0.0, 0.0), (1.0, 1.0)]), None);
        assert_eq!(Polygon::new(vec![(0.0, 0.0), (1.0, 1.0), (f64::NAN, 0.0)]), None);
    }
}
