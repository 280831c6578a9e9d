//! What the API answers, as JSON in camelCase.

mod editorial;
mod property;
mod search;
mod site;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use editorial::*;
pub use property::*;
pub use search::*;
pub use site::*;

/// A picture: its address is `/media/<file>/<version>/<width>.<avif|webp|jpg>`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Picture {
    /// The file's id.
    pub file: String,
    /// Part of every address of it.
    pub version: String,
    /// Natural width in pixels.
    pub width: u32,
    /// Natural height in pixels.
    pub height: u32,
    /// What it shows.
    pub alt: String,
    /// What to show until it is there: a tiny WebP in base64, to be stretched. None where it is not
    /// made yet, and for pictures that an answer's readers do not show at once.
    pub placeholder: Option<String>,
}

/// A place, as others name it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct LocationName {
    /// Its part of the path.
    pub slug: String,
    /// Its name.
    pub name: String,
}
