//! What is answered of a home, a place, an article and a page, as pure functions of their rows: the same
//! whether the rows are the read models' (`query`) or a draft's (`preview`), so that a preview is
//! rendered by the pages that visitors see.

mod cards;
mod editorial;
mod place;
mod property;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use cards::{ON_CARD, ON_PAGE, coordinates, item, property_path};
pub use editorial::*;
pub use place::*;
pub use property::*;
pub use read_models::Picture;

/// A place, as others name it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct LocationName {
    /// Its part of the path.
    pub slug: String,
    /// Its name.
    pub name: String,
}
