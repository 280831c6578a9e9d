//! The bodies of the API's answers, as JSON in camelCase.

mod prices;
mod search;
mod site;

pub use answers::*;
pub use prices::*;
pub use search::*;
pub use site::*;
