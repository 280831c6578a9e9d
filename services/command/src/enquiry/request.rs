//! The enquiry request, and the limits that the API description contains too.

use chrono::{DateTime, Utc};
use contracts::Locale;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// The purpose of an enquiry.
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
    /// All kinds.
    const ALL: [Self; 5] =
        [Self::General, Self::Property, Self::Viewing, Self::Callback, Self::Valuation];

    /// Returns the kind of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

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

/// An enquiry. Empty texts count as omitted.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EnquiryRequest {
    /// The purpose of the enquiry.
    pub kind: Kind,
    /// The sender's full name. `firstName` and `lastName` can be sent instead.
    #[serde(default)]
    pub name: Option<String>,
    /// The sender's first name.
    #[serde(default)]
    pub first_name: Option<String>,
    /// The sender's last name.
    #[serde(default)]
    pub last_name: Option<String>,
    /// The sender's e-mail address. Required unless a telephone number is given.
    #[serde(default)]
    pub email: Option<String>,
    /// A telephone number. Without a leading `+` it is read as Spanish.
    #[serde(default)]
    pub phone: Option<String>,
    /// A second telephone number.
    #[serde(default)]
    pub mobile: Option<String>,
    /// The text of the enquiry.
    #[serde(default)]
    pub message: Option<String>,
    /// The reference of the home that the enquiry is about.
    #[serde(default, rename = "ref")]
    pub reference: Option<String>,
    /// The sender's language, used for error messages and mails.
    #[serde(default)]
    pub locale: Locale,
    /// Preferred times for a viewing, in the agency's local time: `2026-12-01T10:30`.
    #[serde(default)]
    pub times: Vec<String>,
    /// For a valuation: the address of the home.
    #[serde(default)]
    pub address: Option<String>,
    /// For a valuation: the kind of the home, as in the read API (`villa`, `apartment`).
    #[serde(default)]
    pub property_kind: Option<String>,
    /// For a valuation: the built area, in square metres.
    #[serde(default)]
    pub built_area: Option<u32>,
    /// For a valuation: the ids of pictures, as returned by `POST /api/enquiries/pictures`.
    #[serde(default)]
    #[schema(value_type = Vec<String>)]
    pub pictures: Vec<Uuid>,
    /// Confirms that the sender was informed how the data is processed.
    #[serde(default)]
    pub privacy_accepted: bool,
    /// Whether the sender consents to marketing mails about offers.
    #[serde(default)]
    pub marketing_consent: bool,
    /// How long the page had been open when the enquiry was sent, in seconds.
    #[serde(default)]
    pub opened_for: Option<u32>,
    /// When the form was opened, by the sender's clock. Sent by pages that don't send `openedFor`.
    #[serde(default)]
    pub started_at: Option<DateTime<Utc>>,
    /// A honeypot for bots: the field is hidden from people and has to stay empty.
    #[serde(default)]
    pub website: Option<String>,
}
