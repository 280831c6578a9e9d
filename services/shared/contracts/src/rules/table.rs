//! The table of rules.

use super::{Need, Rule, RuleForm};
use crate::content::{
    BeachSlope, EnergyExemption, EnergyRating, ListingStatus, MAX_BEACH_MINUTES, Orientation,
    PropertyKind,
};

/// The maximum price or cost, in euros.
const MAX_EUROS: i64 = 1_000_000_000;
/// The maximum number of rooms of a kind.
const MAX_ROOMS: i64 = 1_000;
/// The maximum area, in square metres: a hundred square kilometres.
const MAX_SQUARE_METRES: i64 = 100_000_000;

const EUROS: RuleForm = RuleForm::Whole { least: 0, most: MAX_EUROS };
const ROOMS: RuleForm = RuleForm::Whole { least: 0, most: MAX_ROOMS };
const SQUARE_METRES: RuleForm = RuleForm::Whole { least: 0, most: MAX_SQUARE_METRES };
const YEAR: RuleForm = RuleForm::Whole { least: 1000, most: 2200 };
const ENERGY: RuleForm = RuleForm::Decimal { least: 0.0, most: 999_999.0 };
const LATITUDE: RuleForm = RuleForm::Decimal { least: -90.0, most: 90.0 };
const LONGITUDE: RuleForm = RuleForm::Decimal { least: -180.0, most: 180.0 };
/// A position in a list, in the range that the content service's database can store.
const SORT: RuleForm = RuleForm::Whole { least: i32::MIN as i64, most: i32::MAX as i64 };
const STATUS: RuleForm = RuleForm::Word(&["draft", "published", "archived"]);
const PIXELS: RuleForm = RuleForm::Whole { least: 0, most: i32::MAX as i64 };

const fn optional(collection: &'static str, field: &'static str, form: RuleForm) -> Rule {
    Rule { collection, field, form, need: Need::Optional }
}

const fn required(collection: &'static str, field: &'static str, form: RuleForm) -> Rule {
    Rule { collection, field, form, need: Need::Always }
}

const fn required_in_a_language(collection: &'static str, field: &'static str) -> Rule {
    Rule { collection, field, form: RuleForm::Text, need: Need::InALanguage }
}

/// All rules of single fields.
pub static RULES: &[Rule] = &[
    required("properties", "status", STATUS),
    required("properties", "ref", RuleForm::Reference),
    required("properties", "listing_status", RuleForm::Word(ListingStatus::NAMES)),
    // The content service has these in lower case, while URLs have them capitalised.
    required("properties", "property_type", RuleForm::Word(&["house", "apartment", "commercial"])),
    required("properties", "kind", RuleForm::Word(PropertyKind::NAMES)),
    optional("properties", "price", EUROS),
    optional("properties", "previous_price", EUROS),
    optional("properties", "reduced", RuleForm::Flag),
    optional("properties", "featured", RuleForm::Flag),
    optional("properties", "new_build", RuleForm::Flag),
    optional("properties", "listed_on", RuleForm::Moment),
    optional("properties", "bedrooms", ROOMS),
    optional("properties", "bathrooms", ROOMS),
    optional("properties", "built_m2", SQUARE_METRES),
    optional("properties", "useful_m2", SQUARE_METRES),
    optional("properties", "plot_m2", SQUARE_METRES),
    optional("properties", "terrace_m2", SQUARE_METRES),
    optional("properties", "year_built", YEAR),
    optional("properties", "floor", RuleForm::Text),
    optional("properties", "has_garden", RuleForm::Flag),
    optional("properties", "has_pool", RuleForm::Flag),
    optional("properties", "views", RuleForm::Texts),
    optional("properties", "features", RuleForm::Texts),
    optional("properties", "energy_rating", RuleForm::Word(EnergyRating::NAMES)),
    optional("properties", "energy_exemption", RuleForm::Word(EnergyExemption::NAMES)),
    optional("properties", "energy_value", ENERGY),
    optional("properties", "emissions_value", ENERGY),
    optional(
        "properties",
        "emissions_rating",
        RuleForm::Word(&["A", "B", "C", "D", "E", "F", "G"]),
    ),
    optional("properties", "community_fees_year", EUROS),
    optional("properties", "ibi_year", EUROS),
    optional("properties", "garbage_year", EUROS),
    optional("properties", "lat", LATITUDE),
    optional("properties", "lng", LONGITUDE),
    optional("properties", "orientation", RuleForm::Word(Orientation::NAMES)),
    optional(
        "properties",
        "beach_walk_minutes",
        RuleForm::Whole { least: 0, most: MAX_BEACH_MINUTES },
    ),
    optional("properties", "beach_slope", RuleForm::Word(BeachSlope::NAMES)),
    optional("properties", "rooms", RuleForm::Json),
    optional("properties", "video_url", RuleForm::Video),
    optional("properties", "tour_url", RuleForm::Tour),
    required("properties", "location", RuleForm::Item),
    required_in_a_language("properties_translations", "title"),
    optional("properties_translations", "summary", RuleForm::Text),
    optional("properties_translations", "description", RuleForm::Text),
    optional("properties_files", "sort", SORT),
    required("locations", "status", STATUS),
    optional("locations", "sort", SORT),
    required("locations", "slug", RuleForm::Slug),
    optional("locations", "part_of", RuleForm::Item),
    optional("locations", "lat", LATITUDE),
    optional("locations", "lng", LONGITUDE),
    required_in_a_language("locations_translations", "name"),
    optional("locations_translations", "intro", RuleForm::Text),
    optional("locations_translations", "description", RuleForm::Text),
    required("articles", "status", STATUS),
    optional("articles", "published_at", RuleForm::Moment),
    required("articles", "slug", RuleForm::Slug),
    required_in_a_language("articles_translations", "title"),
    optional("articles_translations", "summary", RuleForm::Text),
    optional("articles_translations", "body", RuleForm::Text),
    required("pages", "status", STATUS),
    required("pages", "kind", RuleForm::Word(&["guide", "legal", "landing", "service", "list"])),
    required("pages", "slug", RuleForm::Slug),
    optional("pages", "location", RuleForm::Item),
    required_in_a_language("pages_translations", "title"),
    optional("pages_translations", "intro", RuleForm::Text),
    optional("pages_translations", "body", RuleForm::Text),
    optional("pages_translations", "meta_description", RuleForm::Text),
    optional("pages_translations", "faq", RuleForm::Json),
    required("docs", "status", STATUS),
    optional("docs", "sort", SORT),
    // The index of the documentation has no slug of its own.
    optional("docs", "slug", RuleForm::SlugPath),
    required_in_a_language("docs_translations", "title"),
    optional("docs_translations", "summary", RuleForm::Text),
    optional("docs_translations", "body", RuleForm::Text),
    required("team", "status", STATUS),
    optional("team", "sort", SORT),
    required("team", "name", RuleForm::Text),
    optional("team", "administration", RuleForm::Flag),
    optional("team", "email", RuleForm::Text),
    optional("team", "phone", RuleForm::Text),
    required_in_a_language("team_translations", "role"),
    optional("team_translations", "bio", RuleForm::Text),
    required("navigation", "status", STATUS),
    optional("navigation", "sort", SORT),
    required(
        "navigation",
        "menu",
        RuleForm::Word(&["header", "footer", "popular", "quick", "legal"]),
    ),
    optional("navigation", "url", RuleForm::Link),
    optional("navigation", "target", RuleForm::Word(&["_self", "_blank"])),
    optional("navigation", "icon", RuleForm::Text),
    optional("navigation", "badge", RuleForm::Text),
    optional("navigation", "disabled", RuleForm::Flag),
    required_in_a_language("navigation_translations", "label"),
    optional("navigation_translations", "description", RuleForm::Text),
    required("site_settings", "company_name", RuleForm::Text),
    optional("site_settings", "legal_name", RuleForm::Text),
    optional("site_settings", "tax_id", RuleForm::Text),
    optional("site_settings", "phones", RuleForm::Texts),
    optional("site_settings", "emails", RuleForm::Texts),
    optional("site_settings", "whatsapp", RuleForm::Text),
    optional("site_settings", "street", RuleForm::Text),
    optional("site_settings", "postal_code", RuleForm::Text),
    optional("site_settings", "town", RuleForm::Text),
    optional("site_settings", "province", RuleForm::Text),
    optional("site_settings", "lat", LATITUDE),
    optional("site_settings", "lng", LONGITUDE),
    optional("site_settings", "social_url", RuleForm::Link),
    optional("site_settings", "opening_hours", RuleForm::Json),
    optional("site_settings", "figures", RuleForm::Json),
    required_in_a_language("site_settings_translations", "title_suffix"),
    optional("site_settings_translations", "tagline", RuleForm::Text),
    optional("site_settings_translations", "description", RuleForm::Text),
    optional("site_settings_translations", "footer_note", RuleForm::Text),
    optional("site_settings_translations", "sample_notice", RuleForm::Text),
    required("redirects", "status", STATUS),
    required("redirects", "from_path", RuleForm::BarePath),
    optional("redirects", "to_path", RuleForm::Path),
    optional("redirects", "code", RuleForm::Code(&[301, 308, 410])),
    optional("directus_files", "type", RuleForm::Text),
    optional("directus_files", "width", PIXELS),
    optional("directus_files", "height", PIXELS),
    optional("directus_files", "description", RuleForm::Text),
    optional("directus_files", "description_es", RuleForm::Text),
    optional("directus_files", "modified_on", RuleForm::Moment),
];
