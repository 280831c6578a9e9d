//! The enquiry request, and the limits that the API description contains too.

use chrono::{DateTime, Utc};
use contracts::Locale;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// What an enquiry is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Anything.
    General,
    /// One home.
    Property,
    /// Seeing a home.
    Viewing,
    /// Being called.
    Callback,
    /// What a home of the sender's is worth.
    Valuation,
}

impl Kind {
    /// Returns the serialized name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::General => "general",
            Self::Property => "property",
            Self::Viewing => "viewing",
            Self::Callback => "callback",
            Self::Valuation => "valuation",
        }
    }
}

/// The min and max number of characters of each field.
pub const LENGTHS: [(&str, usize, usize); 8] = [
    ("name", 1, 100),
    ("firstName", 1, 100),
    ("lastName", 1, 100),
    ("email", 1, 200),
    ("phone", 1, 40),
    ("mobile", 1, 40),
    ("address", 5, 200),
    ("message", 10, 2_000),
];
/// The maximum number of times proposed for a viewing.
pub const MAX_TIMES: usize = 3;
/// The maximum number of pictures of a home to be valued.
pub const MAX_PICTURES: usize = 5;
/// The min and max built area of a home to be valued, in square metres.
pub const AREA: (u32, u32) = (10, 100_000);
/// The required fields of each kind, besides a way to answer.
pub const REQUIRED: [(Kind, &[&str]); 5] = [
    (Kind::General, &["name", "message"]),
    (Kind::Property, &["name", "message", "ref"]),
    (Kind::Viewing, &["name", "ref", "times"]),
    (Kind::Callback, &["name"]),
    (Kind::Valuation, &["name", "address", "propertyKind"]),
];

/// An enquiry as it is sent. An empty text counts as none.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EnquiryRequest {
    /// What it is for.
    pub kind: Kind,
    /// The sender's whole name; or the next two.
    #[serde(default)]
    pub name: Option<String>,
    /// The first name.
    #[serde(default)]
    pub first_name: Option<String>,
    /// The last name.
    #[serde(default)]
    pub last_name: Option<String>,
    /// Where to answer: this or a number is needed.
    #[serde(default)]
    pub email: Option<String>,
    /// A number; one without `+` is Spanish.
    #[serde(default)]
    pub phone: Option<String>,
    /// Another.
    #[serde(default)]
    pub mobile: Option<String>,
    /// What is asked.
    #[serde(default)]
    pub message: Option<String>,
    /// The home that it is about.
    #[serde(default, rename = "ref")]
    pub reference: Option<String>,
    /// The sender's language, in which errors are told and mails are written.
    #[serde(default)]
    pub locale: Locale,
    /// Times that suit for a viewing, on the agency's clock: `2026-12-01T10:30`.
    #[serde(default)]
    pub times: Vec<String>,
    /// Where the home is that is to be valued.
    #[serde(default)]
    pub address: Option<String>,
    /// What it is, as the read API calls it: `villa`, `apartment`.
    #[serde(default)]
    pub property_kind: Option<String>,
    /// What is built of it, in square metres.
    #[serde(default)]
    pub built_area: Option<u32>,
    /// Pictures of it, by what `/api/enquiries/pictures` answered.
    #[serde(default)]
    #[schema(value_type = Vec<String>)]
    pub pictures: Vec<Uuid>,
    /// That the sender was told what becomes of the data.
    #[serde(default)]
    pub privacy_accepted: bool,
    /// That the sender wants to hear of offers.
    #[serde(default)]
    pub marketing_consent: bool,
    /// For how many seconds the page had been open.
    #[serde(default)]
    pub opened_for: Option<u32>,
    /// When the form was there, on the sender's clock: of pages that don't say for how long.
    #[serde(default)]
    pub started_at: Option<DateTime<Utc>>,
    /// For programs that fill in whatever they find; people don't see it.
    #[serde(default)]
    pub website: Option<String>,
}
