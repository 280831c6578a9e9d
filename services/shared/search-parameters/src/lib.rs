//! A search for homes as a URL query: its parameters, the filters they set, and their canonical form. The
//! read side answers such searches; the write side stores them.

mod areas;
mod filters;
mod parameters;
mod search_address;

pub use areas::{Area, Bounds};
pub use filters::{EnergyLetter, Feature, FilterParameters, filters, parameters_of, today};
pub use parameters::{InvalidParameters, Parameters};
pub use search_address::SearchAddress;
