//! The API's answers about homes, places, articles and pages, as pure functions of their rows. The rows are
//! those of the read models (`query`) or of a draft (`preview`), so the pages that visitors see also render
//! previews. Roles that read the answers do so with a [`client::Client`].

mod cards;
pub mod client;
mod editorial;
mod place;
mod property;
mod site;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use cards::{CARD_PICTURES, PAGE_PICTURES, coordinates, list_item};
pub use editorial::*;
pub use place::*;
pub use property::*;
pub use read_models::Picture;
pub use site::*;

/// A place, as referred to in other answers.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct LocationName {
    /// The last part of its path.
    pub slug: String,
    /// Its name.
    pub name: String,
}
