//! The rows of the read models, one type per table: the projections write them, and the query service reads
//! them. The tables are in `projections/tables.sql`; the fields of a row are the columns of its table.
//!
//! Rows are sent to and from Postgres as JSON, one object per row, so that one statement carries any number.

mod editorial;
mod property;
mod site;
mod version;

use chrono::{DateTime, Utc};
use contracts::{Locale, Version, content};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use editorial::{ArticleRow, DocRow, Heading, PageRow, TeamMemberRow};
pub use property::{OfferRow, PropertyCard, PropertyRow};
pub use site::{LocationRow, NavigationRow, RedirectRow, Settings, SiteSettingsRow};
pub use version::{READ_MODEL_VERSION, READ_MODEL_VERSIONS};

/// What a row of one language was made from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The aggregate's key.
    pub key: String,
    /// The language of the row.
    pub locale: Locale,
    /// The version of the aggregate that the row was made from.
    pub version: Version,
    /// When that version was captured.
    pub changed_at: DateTime<Utc>,
}

/// A picture, described in one language. Its URL is
/// `/media/<file>/<version>/<width>.<avif|webp|jpg>`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Picture {
    /// The file's id.
    pub file: String,
    /// The version of the file; part of every URL of the picture.
    pub version: String,
    /// The original width, in pixels.
    pub width: u32,
    /// The original height, in pixels.
    pub height: u32,
    /// A description of what it shows.
    pub alt: String,
    /// A placeholder to show while the picture loads: a tiny WebP in base64, to be scaled up. Null
    /// if it has not been made yet, and for pictures that clients do not show at once.
    pub placeholder: Option<String>,
}

impl Picture {
    /// Returns `picture`, described for readers of `locale`.
    pub fn of(picture: &content::Picture, locale: Locale) -> Self {
        Self {
            file: picture.file.to_string(),
            version: picture.version.clone(),
            width: picture.width,
            height: picture.height,
            alt: picture.alt_in(locale).to_owned(),
            placeholder: picture.placeholder.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_described_in_the_language_of_its_row() {
        let mut bay = content::Picture {
            file: "0f8470da-8519-4420-8d5d-ae4d58b58e5f".parse().expect("an id"),
            version: "1".to_owned(),
            width: 640,
            height: 480,
            alt: "A bay".to_owned(),
            alt_es: Some("Una cala".to_owned()),
            placeholder: None,
        };
        assert_eq!(Picture::of(&bay, Locale::Es).alt, "Una cala");
        assert_eq!(Picture::of(&bay, Locale::En).alt, "A bay");
        bay.alt_es = None;
        assert_eq!(Picture::of(&bay, Locale::Es).alt, "A bay");
    }
}
