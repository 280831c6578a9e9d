//! The table of rules.

use super::{Form, Need, Rule};
use crate::content::{
    BeachSlope, EnergyExemption, EnergyRating, ListingStatus, MAX_BEACH_MINUTES, Orientation,
    PropertyKind,
};

/// The most euros of a price or a cost.
const MAX_EUROS: i64 = 1_000_000_000;
/// The most rooms of a kind.
const MAX_ROOMS: i64 = 1_000;
/// The most square metres: a hundred square kilometres.
const MAX_SQUARE_METRES: i64 = 100_000_000;

const EUROS: Form = Form::Whole { least: 0, most: MAX_EUROS };
const ROOMS: Form = Form::Whole { least: 0, most: MAX_ROOMS };
const SQUARE_METRES: Form = Form::Whole { least: 0, most: MAX_SQUARE_METRES };
const YEAR: Form = Form::Whole { least: 1000, most: 2200 };
const ENERGY: Form = Form::Decimal { least: 0.0, most: 999_999.0 };
const LATITUDE: Form = Form::Decimal { least: -90.0, most: 90.0 };
const LONGITUDE: Form = Form::Decimal { least: -180.0, most: 180.0 };
/// What the content service's database can hold: a place in a list.
const PLACE: Form = Form::Whole { least: i32::MIN as i64, most: i32::MAX as i64 };
const STATUS: Form = Form::Word(&["draft", "published", "archived"]);
const PIXELS: Form = Form::Whole { least: 0, most: i32::MAX as i64 };

const fn may(collection: &'static str, field: &'static str, form: Form) -> Rule {
    Rule { collection, field, form, need: Need::Optional }
}

const fn must(collection: &'static str, field: &'static str, form: Form) -> Rule {
    Rule { collection, field, form, need: Need::Always }
}

const fn leads(collection: &'static str, field: &'static str) -> Rule {
    Rule { collection, field, form: Form::Text, need: Need::InALanguage }
}

/// Every rule.
pub static RULES: &[Rule] = &[
    must("properties", "status", STATUS),
    must("properties", "ref", Form::Reference),
    must("properties", "listing_status", Form::Word(ListingStatus::NAMES)),
    // The content service's own words for what addresses write with a capital.
    must("properties", "property_type", Form::Word(&["house", "apartment", "commercial"])),
    must("properties", "kind", Form::Word(PropertyKind::NAMES)),
    may("properties", "price", EUROS),
    may("properties", "previous_price", EUROS),
    may("properties", "reduced", Form::Flag),
    may("properties", "featured", Form::Flag),
    may("properties", "new_build", Form::Flag),
    may("properties", "listed_on", Form::Moment),
    may("properties", "bedrooms", ROOMS),
    may("properties", "bathrooms", ROOMS),
    may("properties", "built_m2", SQUARE_METRES),
    may("properties", "useful_m2", SQUARE_METRES),
    may("properties", "plot_m2", SQUARE_METRES),
    may("properties", "terrace_m2", SQUARE_METRES),
    may("properties", "year_built", YEAR),
    may("properties", "floor", Form::Text),
    may("properties", "has_garden", Form::Flag),
    may("properties", "has_pool", Form::Flag),
    may("properties", "views", Form::Texts),
    may("properties", "features", Form::Texts),
    may("properties", "energy_rating", Form::Word(EnergyRating::NAMES)),
    may("properties", "energy_exemption", Form::Word(EnergyExemption::NAMES)),
    may("properties", "energy_value", ENERGY),
    may("properties", "emissions_value", ENERGY),
    may("properties", "emissions_rating", Form::Word(&["A", "B", "C", "D", "E", "F", "G"])),
    may("properties", "community_fees_year", EUROS),
    may("properties", "ibi_year", EUROS),
    may("properties", "garbage_year", EUROS),
    may("properties", "lat", LATITUDE),
    may("properties", "lng", LONGITUDE),
    may("properties", "orientation", Form::Word(Orientation::NAMES)),
    may("properties", "beach_walk_minutes", Form::Whole { least: 0, most: MAX_BEACH_MINUTES }),
    may("properties", "beach_slope", Form::Word(BeachSlope::NAMES)),
    may("properties", "rooms", Form::Json),
    may("properties", "video_url", Form::Video),
    may("properties", "tour_url", Form::Tour),
    must("properties", "location", Form::Item),
    leads("properties_translations", "title"),
    may("properties_translations", "summary", Form::Text),
    may("properties_translations", "description", Form::Text),
    may("properties_files", "sort", PLACE),
    must("locations", "status", STATUS),
    may("locations", "sort", PLACE),
    must("locations", "slug", Form::Slug),
    may("locations", "part_of", Form::Item),
    may("locations", "lat", LATITUDE),
    may("locations", "lng", LONGITUDE),
    leads("locations_translations", "name"),
    may("locations_translations", "intro", Form::Text),
    may("locations_translations", "description", Form::Text),
    must("articles", "status", STATUS),
    may("articles", "published_at", Form::Moment),
    must("articles", "slug", Form::Slug),
    leads("articles_translations", "title"),
    may("articles_translations", "summary", Form::Text),
    may("articles_translations", "body", Form::Text),
    must("pages", "status", STATUS),
    must("pages", "kind", Form::Word(&["guide", "legal", "landing", "service", "list"])),
    must("pages", "slug", Form::Slug),
    may("pages", "location", Form::Item),
    leads("pages_translations", "title"),
    may("pages_translations", "intro", Form::Text),
    may("pages_translations", "body", Form::Text),
    may("pages_translations", "meta_description", Form::Text),
    may("pages_translations", "faq", Form::Json),
    must("docs", "status", STATUS),
    may("docs", "sort", PLACE),
    // The index of the documentation has no slug of its own.
    may("docs", "slug", Form::SlugPath),
    leads("docs_translations", "title"),
    may("docs_translations", "summary", Form::Text),
    may("docs_translations", "body", Form::Text),
    must("team", "status", STATUS),
    may("team", "sort", PLACE),
    must("team", "name", Form::Text),
    may("team", "administration", Form::Flag),
    may("team", "email", Form::Text),
    may("team", "phone", Form::Text),
    leads("team_translations", "role"),
    may("team_translations", "bio", Form::Text),
    must("navigation", "status", STATUS),
    may("navigation", "sort", PLACE),
    must("navigation", "menu", Form::Word(&["header", "footer", "popular", "quick", "legal"])),
    may("navigation", "url", Form::Link),
    may("navigation", "target", Form::Word(&["_self", "_blank"])),
    may("navigation", "icon", Form::Text),
    may("navigation", "badge", Form::Text),
    may("navigation", "disabled", Form::Flag),
    leads("navigation_translations", "label"),
    may("navigation_translations", "description", Form::Text),
    must("site_settings", "company_name", Form::Text),
    may("site_settings", "legal_name", Form::Text),
    may("site_settings", "tax_id", Form::Text),
    may("site_settings", "phones", Form::Texts),
    may("site_settings", "emails", Form::Texts),
    may("site_settings", "whatsapp", Form::Text),
    may("site_settings", "street", Form::Text),
    may("site_settings", "postal_code", Form::Text),
    may("site_settings", "town", Form::Text),
    may("site_settings", "province", Form::Text),
    may("site_settings", "lat", LATITUDE),
    may("site_settings", "lng", LONGITUDE),
    may("site_settings", "social_url", Form::Link),
    may("site_settings", "opening_hours", Form::Json),
    may("site_settings", "figures", Form::Json),
    leads("site_settings_translations", "title_suffix"),
    may("site_settings_translations", "tagline", Form::Text),
    may("site_settings_translations", "description", Form::Text),
    may("site_settings_translations", "footer_note", Form::Text),
    may("site_settings_translations", "sample_notice", Form::Text),
    must("redirects", "status", STATUS),
    must("redirects", "from_path", Form::BarePath),
    may("redirects", "to_path", Form::Path),
    may("redirects", "code", Form::Code(&[301, 308, 410])),
    may("directus_files", "type", Form::Text),
    may("directus_files", "width", PIXELS),
    may("directus_files", "height", PIXELS),
    may("directus_files", "description", Form::Text),
    may("directus_files", "description_es", Form::Text),
    may("directus_files", "modified_on", Form::Moment),
];
