//! The table of rules.

use super::{Form, Need, Rule};
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

const EUROS: Form = Form::Whole { least: 0, most: MAX_EUROS };
const ROOMS: Form = Form::Whole { least: 0, most: MAX_ROOMS };
const SQUARE_METRES: Form = Form::Whole { least: 0, most: MAX_SQUARE_METRES };
const YEAR: Form = Form::Whole { least: 1000, most: 2200 };
const ENERGY: Form = Form::Decimal { least: 0.0, most: 999_999.0 };
const LATITUDE: Form = Form::Decimal { least: -90.0, most: 90.0 };
const LONGITUDE: Form = Form::Decimal { least: -180.0, most: 180.0 };
/// A position in a list, in the range that the content service's database can store.
const SORT: Form = Form::Whole { least: i32::MIN as i64, most: i32::MAX as i64 };
const STATUS: Form = Form::Word(&["draft", "published", "archived"]);
const PIXELS: Form = Form::Whole { least: 0, most: i32::MAX as i64 };

const fn optional(collection: &'static str, field: &'static str, form: Form) -> Rule {
    Rule { collection, field, form, need: Need::Optional }
}

const fn required(collection: &'static str, field: &'static str, form: Form) -> Rule {
    Rule { collection, field, form, need: Need::Always }
}

const fn required_in_a_language(collection: &'static str, field: &'static str) -> Rule {
    Rule { collection, field, form: Form::Text, need: Need::InALanguage }
}

/// All rules of single fields.
pub static RULES: &[Rule] = &[
    required("properties", "status", STATUS),
    required("properties", "ref", Form::Reference),
    required("properties", "listing_status", Form::Word(ListingStatus::NAMES)),
    // The content service has these in lower case, while URLs have them capitalised.
    required("properties", "property_type", Form::Word(&["house", "apartment", "commercial"])),
    required("properties", "kind", Form::Word(PropertyKind::NAMES)),
    optional("properties", "price", EUROS),
    optional("properties", "previous_price", EUROS),
    optional("properties", "reduced", Form::Flag),
    optional("properties", "featured", Form::Flag),
    optional("properties", "new_build", Form::Flag),
    optional("properties", "listed_on", Form::Moment),
    optional("properties", "bedrooms", ROOMS),
    optional("properties", "bathrooms", ROOMS),
    optional("properties", "built_m2", SQUARE_METRES),
    optional("properties", "useful_m2", SQUARE_METRES),
    optional("properties", "plot_m2", SQUARE_METRES),
    optional("properties", "terrace_m2", SQUARE_METRES),
    optional("properties", "year_built", YEAR),
    optional("properties", "floor", Form::Text),
    optional("properties", "has_garden", Form::Flag),
    optional("properties", "has_pool", Form::Flag),
    optional("properties", "views", Form::Texts),
    optional("properties", "features", Form::Texts),
    optional("properties", "energy_rating", Form::Word(EnergyRating::NAMES)),
    optional("properties", "energy_exemption", Form::Word(EnergyExemption::NAMES)),
    optional("properties", "energy_value", ENERGY),
    optional("properties", "emissions_value", ENERGY),
    optional("properties", "emissions_rating", Form::Word(&["A", "B", "C", "D", "E", "F", "G"])),
    optional("properties", "community_fees_year", EUROS),
    optional("properties", "ibi_year", EUROS),
    optional("properties", "garbage_year", EUROS),
    optional("properties", "lat", LATITUDE),
    optional("properties", "lng", LONGITUDE),
    optional("properties", "orientation", Form::Word(Orientation::NAMES)),
    optional("properties", "beach_walk_minutes", Form::Whole { least: 0, most: MAX_BEACH_MINUTES }),
    optional("properties", "beach_slope", Form::Word(BeachSlope::NAMES)),
    optional("properties", "rooms", Form::Json),
    optional("properties", "video_url", Form::Video),
    optional("properties", "tour_url", Form::Tour),
    required("properties", "location", Form::Item),
    required_in_a_language("properties_translations", "title"),
    optional("properties_translations", "summary", Form::Text),
    optional("properties_translations", "description", Form::Text),
    optional("properties_files", "sort", SORT),
    required("locations", "status", STATUS),
    optional("locations", "sort", SORT),
    required("locations", "slug", Form::Slug),
    optional("locations", "part_of", Form::Item),
    optional("locations", "lat", LATITUDE),
    optional("locations", "lng", LONGITUDE),
    required_in_a_language("locations_translations", "name"),
    optional("locations_translations", "intro", Form::Text),
    optional("locations_translations", "description", Form::Text),
    required("articles", "status", STATUS),
    optional("articles", "published_at", Form::Moment),
    required("articles", "slug", Form::Slug),
    required_in_a_language("articles_translations", "title"),
    optional("articles_translations", "summary", Form::Text),
    optional("articles_translations", "body", Form::Text),
    required("pages", "status", STATUS),
    required("pages", "kind", Form::Word(&["guide", "legal", "landing", "service", "list"])),
    required("pages", "slug", Form::Slug),
    optional("pages", "location", Form::Item),
    required_in_a_language("pages_translations", "title"),
    optional("pages_translations", "intro", Form::Text),
    optional("pages_translations", "body", Form::Text),
    optional("pages_translations", "meta_description", Form::Text),
    optional("pages_translations", "faq", Form::Json),
    required("docs", "status", STATUS),
    optional("docs", "sort", SORT),
    // The index of the documentation has no slug of its own.
    optional("docs", "slug", Form::SlugPath),
    required_in_a_language("docs_translations", "title"),
    optional("docs_translations", "summary", Form::Text),
    optional("docs_translations", "body", Form::Text),
    required("team", "status", STATUS),
    optional("team", "sort", SORT),
    required("team", "name", Form::Text),
    optional("team", "administration", Form::Flag),
    optional("team", "email", Form::Text),
    optional("team", "phone", Form::Text),
    required_in_a_language("team_translations", "role"),
    optional("team_translations", "bio", Form::Text),
    required("navigation", "status", STATUS),
    optional("navigation", "sort", SORT),
    required("navigation", "menu", Form::Word(&["header", "footer", "popular", "quick", "legal"])),
    optional("navigation", "url", Form::Link),
    optional("navigation", "target", Form::Word(&["_self", "_blank"])),
    optional("navigation", "icon", Form::Text),
    optional("navigation", "badge", Form::Text),
    optional("navigation", "disabled", Form::Flag),
    required_in_a_language("navigation_translations", "label"),
    optional("navigation_translations", "description", Form::Text),
    required("site_settings", "company_name", Form::Text),
    optional("site_settings", "legal_name", Form::Text),
    optional("site_settings", "tax_id", Form::Text),
    optional("site_settings", "phones", Form::Texts),
    optional("site_settings", "emails", Form::Texts),
    optional("site_settings", "whatsapp", Form::Text),
    optional("site_settings", "street", Form::Text),
    optional("site_settings", "postal_code", Form::Text),
    optional("site_settings", "town", Form::Text),
    optional("site_settings", "province", Form::Text),
    optional("site_settings", "lat", LATITUDE),
    optional("site_settings", "lng", LONGITUDE),
    optional("site_settings", "social_url", Form::Link),
    optional("site_settings", "opening_hours", Form::Json),
    optional("site_settings", "figures", Form::Json),
    required_in_a_language("site_settings_translations", "title_suffix"),
    optional("site_settings_translations", "tagline", Form::Text),
    optional("site_settings_translations", "description", Form::Text),
    optional("site_settings_translations", "footer_note", Form::Text),
    optional("site_settings_translations", "sample_notice", Form::Text),
    required("redirects", "status", STATUS),
    required("redirects", "from_path", Form::BarePath),
    optional("redirects", "to_path", Form::Path),
    optional("redirects", "code", Form::Code(&[301, 308, 410])),
    optional("directus_files", "type", Form::Text),
    optional("directus_files", "width", PIXELS),
    optional("directus_files", "height", PIXELS),
    optional("directus_files", "description", Form::Text),
    optional("directus_files", "description_es", Form::Text),
    optional("directus_files", "modified_on", Form::Moment),
];
