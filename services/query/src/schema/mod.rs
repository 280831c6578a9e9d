//! What the API answers, as JSON in camelCase.

mod editorial;
mod property;
mod search;
mod site;

pub use read_models::Picture;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use editorial::*;
pub use property::*;
pub use search::*;
pub use site::*;

/// A place, as others name it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct LocationName {
    /// Its part of the path.
    pub slug: String,
    /// Its name.
    pub name: String,
}
