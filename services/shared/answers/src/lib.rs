//! The API's answers about homes, places, articles and pages, as pure functions of their rows. The rows are
//! those of the read models (`query`) or of a draft (`preview`), so the pages that visitors see also render
//! previews.

mod cards;
mod editorial;
mod place;
mod property;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use cards::{CARD_PICTURES, PAGE_PICTURES, coordinates, list_item};
pub use editorial::*;
pub use place::*;
pub use property::*;
pub use read_models::Picture;

/// A place, as referred to in other answers.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct LocationName {
    /// The last part of its path.
    pub slug: String,
    /// Its name.
    pub name: String,
}
