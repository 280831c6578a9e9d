//! What the content service calls a field, and where a snapshot holds it.

use contracts::Locale;
use serde_json::Value;

/// The fields that snapshots call otherwise, or keep within another: their collection, the content
/// service's name, and the place. All others have one name, but for the way in which words are joined.
const OTHERWISE: &[(&str, &str, &str)] = &[
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

/// Where snapshots of `collection` hold what the content service calls `field`: a text that is missing in
/// all languages is told of none, and has a place in each.
pub fn places_of(collection: &str, field: &str) -> Vec<String> {
    if let Some(text) = field.strip_prefix("translations.") {
        let (row, name) = text.rsplit_once('.').unwrap_or(("", text));
        let name = camel_case(name);
        let own = Locale::from_language_tag(row);
        let spoken = Locale::ALL.into_iter().filter(|locale| own.is_none_or(|own| own == *locale));
        return spoken.map(|locale| format!("/text/{locale}/{name}")).collect();
    }
    // What stands in a list, or in a file, is told with its place there.
    let field = field.split(['.', '[']).next().unwrap_or(field);
    // The one that is published and the one that is parked have the same.
    if field == "status" {
        return Vec::new();
    }
    let otherwise = OTHERWISE.iter().find(|(of, name, _)| *of == collection && *name == field);
    let place = otherwise.map(|(_, _, place)| (*place).to_owned());
    vec![place.unwrap_or_else(|| format!("/{}", camel_case(field)))]
}

/// What the content service calls what snapshots of `collection` hold in `place`.
pub fn field_at(collection: &str, place: &str) -> String {
    let otherwise = OTHERWISE.iter().find(|(of, _, at)| *of == collection && *at == place);
    if let Some((_, field, _)) = otherwise {
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

/// What `snapshot` of `collection` holds of `field`.
pub fn held<'s>(collection: &str, snapshot: &'s Value, field: &str) -> Option<&'s Value> {
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
    let mut parted = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() {
            parted.push('_');
        }
        parted.push(letter.to_ascii_lowercase());
    }
    parted
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_field_is_found_in_the_snapshot_by_the_content_services_name() {
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
            assert_eq!(held("properties", &home, field), Some(&value), "{field}");
        }
        for field in
            ["status", "bedrooms", "translations", "translations.en-GB.summary", "images[1]"]
        {
            assert_eq!(held("properties", &home, field), None, "{field}");
        }
        let settings = json!({ "companyName": "Almijara", "postalCode": "29780" });
        assert_eq!(held("site_settings", &settings, "postal_code"), Some(&json!("29780")));
    }

    #[test]
    fn each_field_has_one_place_and_is_called_by_it() {
        for (collection, field, place) in OTHERWISE {
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
