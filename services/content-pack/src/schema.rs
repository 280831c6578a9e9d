//! The collections and their fields, as `directus-setup` sets them up in a Directus.

/// A collection.
#[derive(Debug)]
pub(crate) struct Collection {
    pub name: &'static str,
    pub key: &'static str,
    pub singleton: bool,
    /// Whether it may be asked for under `/items`; Directus keeps its own collections elsewhere.
    pub is_item: bool,
    pub fields: &'static [Field],
}

/// A field: its name and what it holds.
pub(crate) type Field = (&'static str, FieldKind);

/// What a field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FieldKind {
    Integer,
    /// A number that is sent as text, so that no digit is lost.
    Decimal,
    Text,
    Uuid,
    Flag,
    Json,
    Date,
    Moment,
    /// The key of an item of the collection.
    One(&'static str),
    /// The items of a part collection that name this one in a field.
    Many(&'static str, &'static str),
}

use FieldKind::{Date, Decimal, Flag, Integer, Json, Many, Moment, One, Text, Uuid};

impl FieldKind {
    /// The type's name in Directus's messages.
    pub const fn name(self) -> &'static str {
        match self {
            Integer | One(_) => "integer",
            Decimal => "decimal",
            Text => "string",
            Uuid => "uuid",
            Flag => "boolean",
            Json => "json",
            Date => "date",
            Moment => "timestamp",
            Many(..) => "alias",
        }
    }

    /// Whether its values can be put in an order.
    pub const fn is_ordered(self) -> bool {
        matches!(self, Integer | Decimal | Date | Moment | One(_))
    }
}

impl Collection {
    /// The field `name`.
    pub fn field(&self, name: &str) -> Option<FieldKind> {
        self.fields.iter().find(|(field, _)| *field == name).map(|(_, kind)| *kind)
    }

    /// The part collections whose items show in this one's: field, collection, and the field by
    /// which they name their parent.
    pub fn parts(&self) -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
        self.fields.iter().filter_map(|(field, kind)| match kind {
            Many(part, parent) => Some((*field, *part, *parent)),
            _ => None,
        })
    }
}

/// The collection `name`.
pub(crate) fn collection(name: &str) -> Option<&'static Collection> {
    COLLECTIONS.iter().find(|collection| collection.name == name)
}

const fn items(name: &'static str, fields: &'static [Field]) -> Collection {
    Collection { name, key: "id", singleton: false, is_item: true, fields }
}

/// Every collection; those that a file may hold are the ones that are not parts.
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
            ("date_created", Moment),
            ("user_updated", Uuid),
            ("date_updated", Moment),
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
            ("date_updated", Moment),
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
            ("date_created", Moment),
            ("user_updated", Uuid),
            ("date_updated", Moment),
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
            ("date_updated", Moment),
        ],
    ),
    items(
        "properties_files",
        &[
            ("id", Integer),
            ("sort", Integer),
            ("properties_id", One("properties")),
            ("directus_files_id", One("directus_files")),
            ("date_updated", Moment),
        ],
    ),
    items(
        "articles",
        &[
            ("id", Uuid),
            ("status", Text),
            ("published_at", Moment),
            ("slug", Text),
            ("image", One("directus_files")),
            ("user_created", Uuid),
            ("date_created", Moment),
            ("user_updated", Uuid),
            ("date_updated", Moment),
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
            ("date_updated", Moment),
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
            ("date_created", Moment),
            ("user_updated", Uuid),
            ("date_updated", Moment),
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
            ("date_updated", Moment),
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
            ("date_created", Moment),
            ("user_updated", Uuid),
            ("date_updated", Moment),
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
            ("date_updated", Moment),
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
            ("date_created", Moment),
            ("user_updated", Uuid),
            ("date_updated", Moment),
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
            ("date_updated", Moment),
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
            ("date_created", Moment),
            ("user_updated", Uuid),
            ("date_updated", Moment),
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
            ("date_updated", Moment),
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
            ("date_created", Moment),
            ("user_updated", Uuid),
            ("date_updated", Moment),
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
            ("date_updated", Moment),
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
            ("date_created", Moment),
            ("user_updated", Uuid),
            ("date_updated", Moment),
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
            ("modified_on", Moment),
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
            ("timestamp", Moment),
            ("ip", Text),
            ("user_agent", Text),
            ("collection", Text),
            ("item", Text),
            ("origin", Text),
        ],
    },
];
