//! The collections and their fields, the same as `directus-setup` creates in Directus.

/// A collection.
#[derive(Debug)]
pub(crate) struct Collection {
    pub name: &'static str,
    pub key: &'static str,
    pub singleton: bool,
    /// Whether it is available under `/items`; system collections of Directus have other routes.
    pub is_item: bool,
    pub fields: &'static [Field],
}

/// A field: its name and its type.
pub(crate) type Field = (&'static str, FieldKind);

/// The type of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FieldKind {
    Integer,
    /// A number that is sent as a string, so that no digit is lost.
    Decimal,
    Text,
    Uuid,
    Flag,
    Json,
    Date,
    Timestamp,
    /// The key of an item of this collection.
    One(&'static str),
    /// The items of a part collection (the first name) whose field (the second) references this item.
    Many(&'static str, &'static str),
}

use FieldKind::{Date, Decimal, Flag, Integer, Json, Many, One, Text, Timestamp, Uuid};

impl FieldKind {
    /// Returns the name of the type in Directus's messages.
    pub const fn name(self) -> &'static str {
        match self {
            Integer | One(_) => "integer",
            Decimal => "decimal",
            Text => "string",
            Uuid => "uuid",
            Flag => "boolean",
            Json => "json",
            Date => "date",
            Timestamp => "timestamp",
            Many(..) => "alias",
        }
    }

    /// Whether its values have an order.
    pub const fn is_ordered(self) -> bool {
        matches!(self, Integer | Decimal | Date | Timestamp | One(_))
    }
}

impl Collection {
    /// Returns the type of the field `name`.
    pub fn field(&self, name: &str) -> Option<FieldKind> {
        self.fields.iter().find(|(field, _)| *field == name).map(|(_, kind)| *kind)
    }

    /// Returns the part collections that are nested in this one: the field of this collection, the part
    /// collection, and its field that references the parent.
    pub fn parts(&self) -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
        self.fields.iter().filter_map(|(field, kind)| match kind {
            Many(part, parent) => Some((*field, *part, *parent)),
            _ => None,
        })
    }
}

/// Returns the collection `name`.
pub(crate) fn collection(name: &str) -> Option<&'static Collection> {
    COLLECTIONS.iter().find(|collection| collection.name == name)
}

const fn items(name: &'static str, fields: &'static [Field]) -> Collection {
    Collection { name, key: "id", singleton: false, is_item: true, fields }
}

/// All collections. Parents come before their parts, which have no file of their own.
pub(crate) static COLLECTIONS: &[Collection] = &[
    Collection {
        name: "languages",
        key: "code",
        singleton: false,
        is_item: true,
        fields: &[("code", Text), ("name", Text), ("direction", Text), ("sort", Integer)],
    },
    items(
        "locations",
        &[
            ("id", Integer),
            ("status", Text),
            ("sort", Integer),
            ("slug", Text),
            ("part_of", One("locations")),
            ("lat", Decimal),
            ("lng", Decimal),
            ("image", One("directus_files")),
            ("user_created", Uuid),
            ("date_created", Timestamp),
            ("user_updated", Uuid),
            ("date_updated", Timestamp),
            ("translations", Many("locations_translations", "locations_id")),
        ],
    ),
    items(
        "locations_translations",
        &[
            ("id", Integer),
            ("locations_id", One("locations")),
            ("languages_code", One("languages")),
            ("name", Text),
            ("intro", Text),
            ("description", Text),
            ("date_updated", Timestamp),
        ],
    ),
    items(
        "properties",
        &[
            ("id", Integer),
            ("status", Text),
            ("sort", Integer),
            ("ref", Text),
            ("listing_status", Text),
            ("property_type", Text),
            ("kind", Text),
            ("price", Integer),
            ("previous_price", Integer),
            ("reduced", Flag),
            ("featured", Flag),
            ("new_build", Flag),
            ("listed_on", Date),
            ("bedrooms", Integer),
            ("bathrooms", Integer),
            ("built_m2", Integer),
            ("useful_m2", Integer),
            ("plot_m2", Integer),
            ("terrace_m2", Integer),
            ("year_built", Integer),
            ("floor", Text),
            ("has_garden", Flag),
            ("has_pool", Flag),
            ("views", Json),
            ("features", Json),
            ("energy_rating", Text),
            ("energy_exemption", Text),
            ("energy_value", Decimal),
            ("emissions_value", Decimal),
            ("emissions_rating", Text),
            ("community_fees_year", Integer),
            ("ibi_year", Integer),
            ("garbage_year", Integer),
            ("lat", Decimal),
            ("lng", Decimal),
            ("orientation", Text),
            ("beach_walk_minutes", Integer),
            ("beach_slope", Text),
            ("rooms", Json),
            ("floor_plan", One("directus_files")),
            ("video_url", Text),
            ("tour_url", Text),
            ("location", One("locations")),
            ("imported", Json),
            ("user_created", Uuid),
            ("date_created", Timestamp),
            ("user_updated", Uuid),
            ("date_updated", Timestamp),
            ("images", Many("properties_files", "properties_id")),
            ("translations", Many("properties_translations", "properties_id")),
        ],
    ),
    items(
        "properties_translations",
        &[
            ("id", Integer),
            ("properties_id", One("properties")),
            ("languages_code", One("languages")),
            ("title", Text),
            ("summary", Text),
            ("description", Text),
            ("date_updated", Timestamp),
        ],
    ),
    items(
        "properties_files",
        &[
            ("id", Integer),
            ("sort", Integer),
            ("properties_id", One("properties")),
            ("directus_files_id", One("directus_files")),
            ("date_updated", Timestamp),
        ],
    ),
    items(
        "articles",
        &[
            ("id", Uuid),
            ("status", Text),
            ("published_at", Timestamp),
            ("slug", Text),
            ("image", One("directus_files")),
            ("user_created", Uuid),
            ("date_created", Timestamp),
            ("user_updated", Uuid),
            ("date_updated", Timestamp),
            ("translations", Many("articles_translations", "articles_id")),
        ],
    ),
    items(
        "articles_translations",
        &[
            ("id", Integer),
            ("articles_id", One("articles")),
            ("languages_code", One("languages")),
            ("title", Text),
            ("summary", Text),
            ("body", Text),
            ("date_updated", Timestamp),
        ],
    ),
    items(
        "pages",
        &[
            ("id", Integer),
            ("status", Text),
            ("kind", Text),
            ("slug", Text),
            ("location", One("locations")),
            ("image", One("directus_files")),
            ("user_created", Uuid),
            ("date_created", Timestamp),
            ("user_updated", Uuid),
            ("date_updated", Timestamp),
            ("translations", Many("pages_translations", "pages_id")),
        ],
    ),
    items(
        "pages_translations",
        &[
            ("id", Integer),
            ("pages_id", One("pages")),
            ("languages_code", One("languages")),
            ("title", Text),
            ("intro", Text),
            ("body", Text),
            ("meta_description", Text),
            ("faq", Json),
            ("date_updated", Timestamp),
        ],
    ),
    items(
        "docs",
        &[
            ("id", Integer),
            ("status", Text),
            ("sort", Integer),
            ("slug", Text),
            ("user_created", Uuid),
            ("date_created", Timestamp),
            ("user_updated", Uuid),
            ("date_updated", Timestamp),
            ("translations", Many("docs_translations", "docs_id")),
        ],
    ),
    items(
        "docs_translations",
        &[
            ("id", Integer),
            ("docs_id", One("docs")),
            ("languages_code", One("languages")),
            ("title", Text),
            ("summary", Text),
            ("body", Text),
            ("date_updated", Timestamp),
        ],
    ),
    items(
        "team",
        &[
            ("id", Integer),
            ("status", Text),
            ("sort", Integer),
            ("name", Text),
            ("administration", Flag),
            ("photo", One("directus_files")),
            ("email", Text),
            ("phone", Text),
            ("user_created", Uuid),
            ("date_created", Timestamp),
            ("user_updated", Uuid),
            ("date_updated", Timestamp),
            ("translations", Many("team_translations", "team_id")),
        ],
    ),
    items(
        "team_translations",
        &[
            ("id", Integer),
            ("team_id", One("team")),
            ("languages_code", One("languages")),
            ("role", Text),
            ("bio", Text),
            ("date_updated", Timestamp),
        ],
    ),
    items(
        "navigation",
        &[
            ("id", Integer),
            ("status", Text),
            ("sort", Integer),
            ("menu", Text),
            ("parent", One("navigation")),
            ("url", Text),
            ("target", Text),
            ("icon", Text),
            ("badge", Text),
            ("disabled", Flag),
            ("user_created", Uuid),
            ("date_created", Timestamp),
            ("user_updated", Uuid),
            ("date_updated", Timestamp),
            ("translations", Many("navigation_translations", "navigation_id")),
        ],
    ),
    items(
        "navigation_translations",
        &[
            ("id", Integer),
            ("navigation_id", One("navigation")),
            ("languages_code", One("languages")),
            ("label", Text),
            ("description", Text),
            ("date_updated", Timestamp),
        ],
    ),
    Collection {
        name: "site_settings",
        key: "id",
        singleton: true,
        is_item: true,
        fields: &[
            ("id", Integer),
            ("company_name", Text),
            ("legal_name", Text),
            ("tax_id", Text),
            ("phones", Json),
            ("emails", Json),
            ("whatsapp", Text),
            ("street", Text),
            ("postal_code", Text),
            ("town", Text),
            ("province", Text),
            ("lat", Decimal),
            ("lng", Decimal),
            ("social_url", Text),
            ("opening_hours", Json),
            ("figures", Json),
            ("hero", One("directus_files")),
            ("user_created", Uuid),
            ("date_created", Timestamp),
            ("user_updated", Uuid),
            ("date_updated", Timestamp),
            ("translations", Many("site_settings_translations", "site_settings_id")),
        ],
    },
    items(
        "site_settings_translations",
        &[
            ("id", Integer),
            ("site_settings_id", One("site_settings")),
            ("languages_code", One("languages")),
            ("title_suffix", Text),
            ("tagline", Text),
            ("description", Text),
            ("footer_note", Text),
            ("sample_notice", Text),
            ("date_updated", Timestamp),
        ],
    ),
    items(
        "redirects",
        &[
            ("id", Integer),
            ("status", Text),
            ("from_path", Text),
            ("to_path", Text),
            ("code", Integer),
            ("user_created", Uuid),
            ("date_created", Timestamp),
            ("user_updated", Uuid),
            ("date_updated", Timestamp),
        ],
    ),
    Collection {
        name: "directus_files",
        key: "id",
        singleton: false,
        is_item: false,
        fields: &[
            ("id", Uuid),
            ("filename_disk", Text),
            ("filename_download", Text),
            ("title", Text),
            ("description", Text),
            ("description_es", Text),
            ("type", Text),
            ("width", Integer),
            ("height", Integer),
            ("filesize", Decimal),
            ("modified_on", Timestamp),
        ],
    },
    Collection {
        name: "directus_activity",
        key: "id",
        singleton: false,
        is_item: false,
        fields: &[
            ("id", Integer),
            ("action", Text),
            ("user", Uuid),
            ("timestamp", Timestamp),
            ("ip", Text),
            ("user_agent", Text),
            ("collection", Text),
            ("item", Text),
            ("origin", Text),
        ],
    },
];
