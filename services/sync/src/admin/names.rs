//! Maps field names of the content service to places in snapshots.

use contracts::Locale;
use serde_json::Value;

/// The fields with another name or a nested place in snapshots: their collection, their name in the
/// content service, and the place. All others differ only in how words are joined.
const RENAMED_FIELDS: &[(&str, &str, &str)] = &[
    ("properties", "listing_status", "/status"),
    ("properties", "listed_on", "/listedAt"),
    ("properties", "built_m2", "/builtArea"),
    ("properties", "plot_m2", "/plotArea"),
    ("properties", "terrace_m2", "/terraceArea"),
    ("properties", "energy_rating", "/energy/rating"),
    ("properties", "energy_exemption", "/energy/exemption"),
    ("properties", "energy_value", "/energy/consumption"),
    ("properties", "emissions_value", "/energy/emissions"),
    ("properties", "emissions_rating", "/energy/emissionsRating"),
    ("properties", "community_fees_year", "/annualCosts/communityFees"),
    ("properties", "ibi_year", "/annualCosts/ibi"),
    ("properties", "garbage_year", "/annualCosts/garbage"),
    ("properties", "useful_m2", "/particulars/usefulArea"),
    ("properties", "orientation", "/particulars/orientation"),
    ("properties", "beach_walk_minutes", "/particulars/beachWalk/minutes"),
    ("properties", "beach_slope", "/particulars/beachWalk/slope"),
    ("properties", "rooms", "/particulars/rooms"),
    ("properties", "video_url", "/particulars/video/id"),
    ("properties", "tour_url", "/particulars/tour/id"),
    ("properties", "location", "/location/slug"),
    ("properties", "lat", "/coordinates/lat"),
    ("properties", "lng", "/coordinates/lng"),
    ("locations", "lat", "/coordinates/lat"),
    ("locations", "lng", "/coordinates/lng"),
    ("locations", "part_of", "/ancestors"),
    ("site_settings", "lat", "/coordinates/lat"),
    ("site_settings", "lng", "/coordinates/lng"),
];

/// Returns the places where snapshots of `collection` hold the `field` of the content service. A text
/// that is missing in all languages is reported without a language, and has a place in each.
pub fn places_of(collection: &str, field: &str) -> Vec<String> {
    if let Some(text) = field.strip_prefix("translations.") {
        let (row, name) = text.rsplit_once('.').unwrap_or(("", text));
        let name = camel_case(name);
        let row_locale = Locale::from_language_tag(row);
        let locales = Locale::ALL
            .into_iter()
            .filter(|locale| row_locale.is_none_or(|row_locale| row_locale == *locale));
        return locales.map(|locale| format!("/text/{locale}/{name}")).collect();
    }
    // An entry of a list, or a part of a file, is reported with its path inside the field.
    let field = field.split(['.', '[']).next().unwrap_or(field);
    // The status is the same in the published and the parked item.
    if field == "status" {
        return Vec::new();
    }
    let renamed = RENAMED_FIELDS.iter().find(|(of, name, _)| *of == collection && *name == field);
    let place = renamed.map(|(_, _, place)| (*place).to_owned());
    vec![place.unwrap_or_else(|| format!("/{}", camel_case(field)))]
}

/// Returns the content service's name of the field that snapshots of `collection` hold in `place`.
pub fn field_at(collection: &str, place: &str) -> String {
    let renamed = RENAMED_FIELDS.iter().find(|(of, _, at)| *of == collection && *at == place);
    if let Some((_, field, _)) = renamed {
        return (*field).to_owned();
    }
    let steps: Vec<&str> = place.split('/').skip(1).collect();
    if let ["text", code, name] = steps[..]
        && let Ok(locale) = code.parse::<Locale>()
    {
        return format!("translations.{}.{}", locale.language_tag(), snake_case(name));
    }
    steps.into_iter().map(snake_case).collect::<Vec<_>>().join(".")
}

/// Returns the value of `field` in `snapshot`, which is of `collection`.
pub fn field_value<'s>(collection: &str, snapshot: &'s Value, field: &str) -> Option<&'s Value> {
    places_of(collection, field).iter().find_map(|place| snapshot.pointer(place))
}

fn camel_case(name: &str) -> String {
    let mut words = name.split('_');
    let mut joined = words.next().unwrap_or_default().to_owned();
    for word in words {
        let mut letters = word.chars();
        joined.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        joined.push_str(letters.as_str());
    }
    joined
}

fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    snake
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_field_of_the_content_service_is_found_in_the_snapshot() {
        let home = json!({
            "ref": "AH-1", "status": "available", "price": 100, "previousPrice": 120,
            "coordinates": { "lat": 36.7, "lng": -3.9 }, "location": { "slug": "nerja" },
            "annualCosts": { "communityFees": 600 }, "builtArea": 90,
            "particulars": { "rooms": [] },
            "text": { "en": { "title": "Villa" }, "es": { "title": "Chalé" } },
        });
        for (field, value) in [
            ("price", json!(100)),
            ("previous_price", json!(120)),
            ("listing_status", json!("available")),
            ("lat", json!(36.7)),
            ("location", json!("nerja")),
            ("community_fees_year", json!(600)),
            ("built_m2", json!(90)),
            ("rooms[2].kind", json!([])),
            ("translations.es-ES.title", json!("Chalé")),
            ("translations.title", json!("Villa")),
        ] {
            assert_eq!(field_value("properties", &home, field), Some(&value), "{field}");
        }
        for field in
            ["status", "bedrooms", "translations", "translations.en-GB.summary", "images[1]"]
        {
            assert_eq!(field_value("properties", &home, field), None, "{field}");
        }
        let settings = json!({ "companyName": "Almijara", "postalCode": "29780" });
        assert_eq!(field_value("site_settings", &settings, "postal_code"), Some(&json!("29780")));
    }

    #[test]
    fn field_names_and_places_map_to_each_other() {
        for (collection, field, place) in RENAMED_FIELDS {
            assert_eq!(places_of(collection, field), [*place], "{collection}.{field}");
            assert_eq!(field_at(collection, place), *field, "{collection}{place}");
        }
        for (place, field) in [
            ("/price", "price"),
            ("/newBuild", "new_build"),
            ("/text/es/metaDescription", "translations.es-ES.meta_description"),
            ("/figures/notice_sheet/title", "figures.notice_sheet.title"),
        ] {
            assert_eq!(field_at("pages", place), field, "{place}");
        }
    }
}
