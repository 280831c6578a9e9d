//! Reads one `property` element of a feed.

use contracts::{
    Locale,
    content::{Embed, PropertyKind},
    rules::to_decimal,
};
use serde_json::{Value, json};

use super::{ReadOptions, xml::Element};
use crate::{
    Feed, Kinds, Listing,
    numbers::{self, number, whole},
    texts,
    words::{set_features, type_of},
};

/// Elements that are read, and those that are ignored without a report, because the content service
/// needs no such field: dates for portals, links to the home's page, the agency.
const KNOWN: [&str; 30] = [
    "id",
    "date",
    "ref",
    "price",
    "currency",
    "price_freq",
    "new_build",
    "type",
    "town",
    "province",
    "country",
    "location",
    "location_detail",
    "beds",
    "baths",
    "pool",
    "surface_area",
    "energy_rating",
    "url",
    "desc",
    "features",
    "images",
    "video_url",
    "virtual_tour_url",
    "title",
    "floor",
    "latitude",
    "longitude",
    "agent",
    "description",
];

/// Reads one home. Counts in `feed` what is skipped.
pub fn read_home(
    home: &Element,
    at: String,
    options: &ReadOptions<'_>,
    feed: &mut Feed,
) -> Listing {
    let mut listing = Listing { at, ..Listing::default() };
    let reference = home.text_of("ref").or_else(|| home.text_of("id")).unwrap_or_default();
    home.text_of("id").unwrap_or(reference).clone_into(&mut listing.key);
    listing.fields.insert("ref", json!(reference_of(reference)));
    listing.fields.insert("listing_status", json!("for_sale"));
    let kind = read_kind(&mut listing, home, options.kinds);
    read_price(&mut listing, home);
    read_rooms(&mut listing, home, kind);
    read_point(&mut listing, home);
    read_energy(&mut listing, home, kind, feed);
    read_texts(&mut listing, home, feed);
    if let Some(flag) = home.text_of("new_build") {
        listing.fields.insert("new_build", json!(is_yes(flag)));
    }
    if let Some(floor) = home.text_of("floor") {
        listing.fields.insert("floor", json!(floor));
    }
    read_features(&mut listing, home, options, feed);
    let places = ["location_detail", "town"].map(|name| home.text_of(name).unwrap_or_default());
    listing.places =
        places.into_iter().filter(|name| !name.is_empty()).map(str::to_owned).collect();
    read_embeds(&mut listing, home, feed);
    read_pictures(&mut listing, home);
    let unknown = home.children.iter().filter(|it| !KNOWN.contains(&it.name.as_str()));
    for element in unknown.filter(|it| !it.text.trim().is_empty() || !it.children.is_empty()) {
        feed.count_skipped(format!("element <{}>", element.name));
    }
    listing
}

/// Returns a reference in a form that is valid in an address: `V-104-2` for `V 104/2`.
pub fn reference_of(text: &str) -> String {
    let is_plain = |char: char| char.is_ascii_alphanumeric() || "-_.".contains(char);
    text.split(|char| !is_plain(char)).filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-")
}

fn is_yes(text: &str) -> bool {
    matches!(text.to_lowercase().as_str(), "1" | "true" | "yes" | "y" | "si" | "sí")
}

fn read_kind(listing: &mut Listing, home: &Element, kinds: &Kinds) -> Option<PropertyKind> {
    let found = home.text_of("type").unwrap_or_default();
    let kind = kinds.kind(found);
    match kind {
        Some(kind) => {
            listing.fields.insert("kind", json!(kind.name()));
            listing.fields.insert("property_type", json!(type_of(kind)));
        }
        None => {
            listing.add_violation(
                "type",
                found,
                "must be a kind that is known (--kind says which it is)",
            );
        }
    }
    kind
}

/// Reads the features, if the feed lists them. Without the list, only the pool is known.
fn read_features(
    listing: &mut Listing,
    home: &Element,
    options: &ReadOptions<'_>,
    feed: &mut Feed,
) {
    let has_pool = home.text_of("pool").map(is_yes);
    if let Some(features) = home.child("features") {
        let names = features.children_named("feature").map(|it| it.text.trim().to_owned());
        let names: Vec<String> = names.filter(|name| !name.is_empty()).collect();
        set_features(listing, feed, &names, has_pool, options.keep_unknown_features);
    } else if let Some(has_pool) = has_pool {
        listing.fields.insert("has_pool", json!(has_pool));
    }
}

fn read_price(listing: &mut Listing, home: &Element) {
    let frequency = home.text_of("price_freq").unwrap_or("sale");
    if !frequency.eq_ignore_ascii_case("sale") {
        listing.add_violation(
            "price_freq",
            frequency,
            "must be `sale`: the site shows nothing to let",
        );
    }
    let currency = home.text_of("currency").unwrap_or("EUR");
    if !currency.eq_ignore_ascii_case("EUR") {
        listing.add_violation("currency", currency, "must be EUR: the site's prices are in euros");
    }
    let Some(price) = home.child("price") else { return };
    let text = price.text.trim();
    match numbers::price(text, '.').or_else(|| numbers::price(text, ',')) {
        Some(price) => {
            listing.fields.insert("price", price);
        }
        None => listing.add_violation(
            "price",
            text,
            "must be a number of euros, or `x` for a price on request",
        ),
    }
}

fn read_rooms(listing: &mut Listing, home: &Element, kind: Option<PropertyKind>) {
    let mut read = |field: &'static str, text: Option<&str>| {
        let Some(text) = text else { return };
        match whole(text, '.').or_else(|| whole(text, ',')) {
            // In the format, 0 or `x` means unknown.
            Some(0) if field != "bedrooms" || kind != Some(PropertyKind::Studio) => {
                listing.fields.insert(field, Value::Null);
            }
            Some(number) => {
                listing.fields.insert(field, json!(number));
            }
            None if text.eq_ignore_ascii_case("x") => {
                listing.fields.insert(field, Value::Null);
            }
            None => listing.add_violation(field, text, "must be a whole number"),
        }
    };
    read("bedrooms", home.text_of("beds"));
    read("bathrooms", home.text_of("baths"));
    let area = home.child("surface_area");
    read("built_m2", area.and_then(|area| area.text_of("built")));
    read("plot_m2", area.and_then(|area| area.text_of("plot")));
}

fn read_point(listing: &mut Listing, home: &Element) {
    let at = home.child("location").unwrap_or(home);
    let (Some(lat), Some(lng)) = (at.text_of("latitude"), at.text_of("longitude")) else { return };
    // Degrees have no thousands, so a comma without a point is a decimal separator.
    let degrees = |text: &str| number(text, if text.contains('.') { '.' } else { ',' });
    match (degrees(lat), degrees(lng)) {
        (Some(0.0), Some(0.0)) => {
            listing.fields.extend([("lat", Value::Null), ("lng", Value::Null)]);
        }
        (Some(lat), Some(lng)) => {
            listing.fields.extend([("lat", rounded(lat)), ("lng", rounded(lng))]);
        }
        _ => listing.add_violation("location", &format!("{lat}, {lng}"), "must be two numbers"),
    }
}

/// Rounds to six decimals, as the content service does.
fn rounded(degrees: f64) -> Value {
    json!(to_decimal(&json!(format!("{degrees:.6}"))))
}

fn read_energy(listing: &mut Listing, home: &Element, kind: Option<PropertyKind>, feed: &mut Feed) {
    if kind.is_some_and(|kind| !kind.needs_energy_rating()) {
        return;
    }
    let rating = home.child("energy_rating");
    let consumption = rating.and_then(|rating| rating.text_of("consumption"));
    let letter = |text: &str| {
        let upper = text.to_uppercase();
        matches!(upper.as_str(), "A" | "B" | "C" | "D" | "E" | "F" | "G").then_some(upper)
    };
    match consumption {
        None => {}
        Some(text) => match (letter(text), text.to_lowercase().as_str()) {
            (Some(letter), _) => {
                listing.fields.insert("energy_rating", json!(letter));
            }
            // X means that the certificate is in process, or an exemption of unknown reason.
            (None, "x" | "in process" | "in progress" | "en trámite" | "en tramite") => {
                listing.fields.insert("energy_rating", json!("in_process"));
            }
            (None, "exempt" | "exento") => {
                listing.fields.insert("energy_rating", json!("exempt"));
            }
            (None, _) => feed.count_skipped(format!("energy rating `{text}`")),
        },
    }
    if let Some(letter) = rating.and_then(|rating| rating.text_of("emissions")).and_then(letter) {
        listing.fields.insert("emissions_rating", json!(letter));
    }
}

fn read_texts(listing: &mut Listing, home: &Element, feed: &mut Feed) {
    let titles = home.child("title");
    let descriptions = home.child("desc").or_else(|| home.child("description"));
    for element in titles.iter().chain(&descriptions).flat_map(|it| &it.children) {
        let has_content = !element.text.trim().is_empty() || !element.children.is_empty();
        if locale_of(&element.name).is_none() && has_content {
            feed.count_skipped(format!("texts in `{}`", element.name));
        }
    }
    for locale in Locale::ALL {
        let title = titles.and_then(|titles| text_in(titles, locale));
        let title = title.map(|title| texts::paragraphs(&title).join(" "));
        let title = title.filter(|title| !title.is_empty());
        if let Some(title) = title.clone() {
            listing.add_text(locale, "title", title);
        }
        let Some(text) = descriptions.and_then(|texts| text_in(texts, locale)) else { continue };
        let (first, body) = match title {
            Some(_) => (None, texts::body(&text)),
            None => texts::title_and_body(&text),
        };
        listing.add_text(locale, "title", first.unwrap_or_default());
        listing.add_text(locale, "description", body);
        if !listing.texts.contains_key(&locale) {
            continue;
        }
        listing.texts.entry(locale).or_default().entry("description").or_insert(Value::Null);
    }
}

/// Returns the text of `element` in `locale`, whose child is called `en`, `en-GB` or `en_gb`. Text
/// without a language counts as English.
fn text_in(element: &Element, locale: Locale) -> Option<String> {
    let element = if element.children.is_empty() && locale == Locale::En {
        Some(element)
    } else {
        element.children.iter().find(|child| locale_of(&child.name) == Some(locale))
    };
    element.map(Element::markup).filter(|text| !text.trim().is_empty())
}

fn locale_of(name: &str) -> Option<Locale> {
    let language = name.split(['-', '_']).next().unwrap_or_default();
    Locale::ALL.into_iter().find(|locale| locale.code().eq_ignore_ascii_case(language))
}

/// Reads the video and the virtual tour, with addresses in the form of the site's own feed. Skips those
/// that the site can't embed.
fn read_embeds(listing: &mut Listing, home: &Element, feed: &mut Feed) {
    let mut read = |field: &'static str, name: &str, parse: fn(&str) -> Option<Embed>| {
        let Some(address) = home.text_of(name) else { return };
        match parse(address) {
            Some(embed) => {
                listing.fields.insert(field, json!(embed.address()));
            }
            None => feed.count_skipped(format!("element <{name}> of another service")),
        }
    };
    read("video_url", "video_url", Embed::video);
    read("tour_url", "virtual_tour_url", Embed::tour);
}

/// Reads the pictures, if the feed lists them. The first one tagged as a floor plan becomes the floor plan;
/// the site shows only one, so further ones are ordinary pictures.
fn read_pictures(listing: &mut Listing, home: &Element) {
    let Some(images) = home.child("images") else { return };
    let mut images: Vec<_> = images.children_named("image").collect();
    // They are ordered by number, if all have one.
    let number = |image: &Element| image.id.as_deref().and_then(|id| id.trim().parse::<u32>().ok());
    if images.iter().all(|image| number(image).is_some()) {
        images.sort_by_key(|image| number(image));
    }
    let mut urls: Vec<String> = Vec::new();
    for image in images {
        let url = image.text_of("url").unwrap_or_else(|| image.text.trim());
        let is_plan = image.child("tags").is_some_and(|tags| tags.child("floorplan").is_some());
        if url.is_empty() {
            continue;
        }
        if is_plan && listing.floor_plan.is_none() {
            listing.floor_plan = Some(url.to_owned());
        } else if !urls.iter().any(|known| known == url) {
            urls.push(url.to_owned());
        }
    }
    listing.pictures = Some(urls);
}
