//! What the API answers, as JSON in camelCase.

mod search;
mod site;

pub use answers::*;
pub use search::*;
pub use site::*;
