//! Files: those of this build of the frontend and of others, and the map's streets.

pub mod assets;
pub mod basemap;
pub mod earlier_builds;
pub mod other_builds;
