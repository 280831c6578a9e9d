//! What a search for homes is called in an address: its parameters, the filters that they ask for, and
//! the one way to write them. The read side answers such searches; the write side keeps them.

mod areas;
mod filters;
mod parameters;
mod search_address;

pub use areas::{Area, Bounds};
pub use filters::{EnergyLetter, Feature, FilterParameters, filters, parameters_of, today};
pub use parameters::{InvalidParameters, Parameters};
pub use search_address::SearchAddress;
