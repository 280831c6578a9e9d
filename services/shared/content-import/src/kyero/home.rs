//! One `property` of a feed.

use contracts::{
    Locale,
    content::{Embed, PropertyKind},
    rules::to_decimal,
};
use serde_json::{Value, json};

use super::{Reading, xml::Element};
use crate::{
    Feed, Kinds, Listing,
    numbers::{self, number, whole},
    texts,
    words::{take_features, type_of},
};

/// Elements that are read, or that say nothing which the content service has a place for and everybody
/// knows: when a portal is to read again, where the home's page and the agency are.
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

pub fn read_home(home: &Element, at: String, reading: &Reading<'_>, feed: &mut Feed) -> Listing {
    let mut listing = Listing { at, ..Listing::default() };
    let reference = home.said("ref").or_else(|| home.said("id")).unwrap_or_default();
    home.said("id").unwrap_or(reference).clone_into(&mut listing.key);
    listing.fields.insert("ref", json!(reference_of(reference)));
    listing.fields.insert("listing_status", json!("for_sale"));
    let kind = take_kind(&mut listing, home, reading.kinds);
    take_price(&mut listing, home);
    take_rooms(&mut listing, home, kind);
    take_point(&mut listing, home);
    take_energy(&mut listing, home, kind, feed);
    take_texts(&mut listing, home, feed);
    if let Some(flag) = home.said("new_build") {
        listing.fields.insert("new_build", json!(is_yes(flag)));
    }
    if let Some(floor) = home.said("floor") {
        listing.fields.insert("floor", json!(floor));
    }
    take_what_it_has(&mut listing, home, reading, feed);
    let places = ["location_detail", "town"].map(|name| home.said(name).unwrap_or_default());
    listing.places =
        places.into_iter().filter(|name| !name.is_empty()).map(str::to_owned).collect();
    take_embeds(&mut listing, home, feed);
    take_pictures(&mut listing, home);
    let unknown = home.children.iter().filter(|it| !KNOWN.contains(&it.name.as_str()));
    for element in unknown.filter(|it| !it.text.trim().is_empty() || !it.children.is_empty()) {
        feed.leave(format!("element <{}>", element.name));
    }
    listing
}

/// A reference as addresses can hold it: `V 104/2` as `V-104-2`.
pub fn reference_of(text: &str) -> String {
    let is_plain = |char: char| char.is_ascii_alphanumeric() || "-_.".contains(char);
    text.split(|char| !is_plain(char)).filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-")
}

fn is_yes(text: &str) -> bool {
    matches!(text.to_lowercase().as_str(), "1" | "true" | "yes" | "y" | "si" | "sí")
}

fn take_kind(listing: &mut Listing, home: &Element, kinds: &Kinds) -> Option<PropertyKind> {
    let found = home.said("type").unwrap_or_default();
    let kind = kinds.kind(found);
    match kind {
        Some(kind) => {
            listing.fields.insert("kind", json!(kind.name()));
            listing.fields.insert("property_type", json!(type_of(kind)));
        }
        None => {
            listing.slip("type", found, "must be a kind that is known (--kind says which it is)");
        }
    }
    kind
}

/// Its features, where the feed has the list of them. Without it the pool alone is known.
fn take_what_it_has(listing: &mut Listing, home: &Element, reading: &Reading<'_>, feed: &mut Feed) {
    let has_pool = home.said("pool").map(is_yes);
    if let Some(features) = home.child("features") {
        let names = features.all("feature").map(|it| it.text.trim().to_owned());
        let names: Vec<String> = names.filter(|name| !name.is_empty()).collect();
        take_features(listing, feed, &names, has_pool, reading.keep_unknown_features);
    } else if let Some(has_pool) = has_pool {
        listing.fields.insert("has_pool", json!(has_pool));
    }
}

fn take_price(listing: &mut Listing, home: &Element) {
    let frequency = home.said("price_freq").unwrap_or("sale");
    if !frequency.eq_ignore_ascii_case("sale") {
        listing.slip("price_freq", frequency, "must be `sale`: the site shows nothing to let");
    }
    let currency = home.said("currency").unwrap_or("EUR");
    if !currency.eq_ignore_ascii_case("EUR") {
        listing.slip("currency", currency, "must be EUR: the site's prices are in euros");
    }
    let Some(price) = home.child("price") else { return };
    let text = price.text.trim();
    match numbers::price(text, '.').or_else(|| numbers::price(text, ',')) {
        Some(price) => {
            listing.fields.insert("price", price);
        }
        None => listing.slip("price", text, "must be euros, or `x` where it is told on request"),
    }
}

fn take_rooms(listing: &mut Listing, home: &Element, kind: Option<PropertyKind>) {
    let mut take = |field: &'static str, text: Option<&str>| {
        let Some(text) = text else { return };
        match whole(text, '.').or_else(|| whole(text, ',')) {
            // What is not known is 0 in the format, or `x`.
            Some(0) if field != "bedrooms" || kind != Some(PropertyKind::Studio) => {
                listing.fields.insert(field, Value::Null);
            }
            Some(number) => {
                listing.fields.insert(field, json!(number));
            }
            None if text.eq_ignore_ascii_case("x") => {
                listing.fields.insert(field, Value::Null);
            }
            None => listing.slip(field, text, "must be a whole number"),
        }
    };
    take("bedrooms", home.said("beds"));
    take("bathrooms", home.said("baths"));
    let area = home.child("surface_area");
    take("built_m2", area.and_then(|area| area.said("built")));
    take("plot_m2", area.and_then(|area| area.said("plot")));
}

fn take_point(listing: &mut Listing, home: &Element) {
    let at = home.child("location").unwrap_or(home);
    let (Some(lat), Some(lng)) = (at.said("latitude"), at.said("longitude")) else { return };
    // No degrees are thousands: a comma without a point stands before their decimals.
    let degrees = |text: &str| number(text, if text.contains('.') { '.' } else { ',' });
    match (degrees(lat), degrees(lng)) {
        (Some(0.0), Some(0.0)) => {
            listing.fields.extend([("lat", Value::Null), ("lng", Value::Null)]);
        }
        (Some(lat), Some(lng)) => {
            listing.fields.extend([("lat", rounded(lat)), ("lng", rounded(lng))]);
        }
        _ => listing.slip("location", &format!("{lat}, {lng}"), "must be two numbers"),
    }
}

/// To the six places after the point that the content service keeps.
fn rounded(degrees: f64) -> Value {
    json!(to_decimal(&json!(format!("{degrees:.6}"))))
}

fn take_energy(listing: &mut Listing, home: &Element, kind: Option<PropertyKind>, feed: &mut Feed) {
    if kind.is_some_and(|kind| !kind.needs_energy_rating()) {
        return;
    }
    let rating = home.child("energy_rating");
    let consumption = rating.and_then(|rating| rating.said("consumption"));
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
            // X stands for a certificate that is on its way, and for an exemption of unknown reason.
            (None, "x" | "in process" | "in progress" | "en trámite" | "en tramite") => {
                listing.fields.insert("energy_rating", json!("in_process"));
            }
            (None, "exempt" | "exento") => {
                listing.fields.insert("energy_rating", json!("exempt"));
            }
            (None, _) => feed.leave(format!("energy rating `{text}`")),
        },
    }
    if let Some(letter) = rating.and_then(|rating| rating.said("emissions")).and_then(letter) {
        listing.fields.insert("emissions_rating", json!(letter));
    }
}

fn take_texts(listing: &mut Listing, home: &Element, feed: &mut Feed) {
    let titles = home.child("title");
    let descriptions = home.child("desc").or_else(|| home.child("description"));
    for element in titles.iter().chain(&descriptions).flat_map(|it| &it.children) {
        let is_said = !element.text.trim().is_empty() || !element.children.is_empty();
        if locale_of(&element.name).is_none() && is_said {
            feed.leave(format!("texts in `{}`", element.name));
        }
    }
    for locale in Locale::ALL {
        let title = titles.and_then(|titles| said_in(titles, locale));
        let title = title.map(|title| texts::paragraphs(&title).join(" "));
        let title = title.filter(|title| !title.is_empty());
        if let Some(title) = title.clone() {
            listing.say(locale, "title", title);
        }
        let Some(text) = descriptions.and_then(|texts| said_in(texts, locale)) else { continue };
        let (first, body) = match title {
            Some(_) => (None, texts::body(&text)),
            None => texts::title_and_body(&text),
        };
        listing.say(locale, "title", first.unwrap_or_default());
        listing.say(locale, "description", body);
        if !listing.texts.contains_key(&locale) {
            continue;
        }
        listing.texts.entry(locale).or_default().entry("description").or_insert(Value::Null);
    }
}

/// What `element` says in `locale`: `en`, `en-GB`, `en_gb`. Text without a language is taken for English.
fn said_in(element: &Element, locale: Locale) -> Option<String> {
    let said = if element.children.is_empty() && locale == Locale::En {
        Some(element)
    } else {
        element.children.iter().find(|child| locale_of(&child.name) == Some(locale))
    };
    said.map(Element::markup).filter(|text| !text.trim().is_empty())
}

fn locale_of(name: &str) -> Option<Locale> {
    let language = name.split(['-', '_']).next().unwrap_or_default();
    Locale::ALL.into_iter().find(|locale| locale.code().eq_ignore_ascii_case(language))
}

/// What there is to watch, in the form that the site's own feed has. What no page can show is left.
fn take_embeds(listing: &mut Listing, home: &Element, feed: &mut Feed) {
    let mut take = |field: &'static str, name: &str, at: fn(&str) -> Option<Embed>| {
        let Some(address) = home.said(name) else { return };
        match at(address) {
            Some(embed) => {
                listing.fields.insert(field, json!(embed.address()));
            }
            None => feed.leave(format!("element <{name}> of another service")),
        }
    };
    take("video_url", "video_url", Embed::video);
    take("tour_url", "virtual_tour_url", Embed::tour);
}

/// Its pictures, where the feed has the list of them, and the first one that is tagged as a floor plan: the
/// site shows one, so further ones are pictures like others.
fn take_pictures(listing: &mut Listing, home: &Element) {
    let Some(images) = home.child("images") else { return };
    let mut images: Vec<_> = images.all("image").collect();
    // Their order is that of their numbers, where all have one.
    let number = |image: &Element| image.id.as_deref().and_then(|id| id.trim().parse::<u32>().ok());
    if images.iter().all(|image| number(image).is_some()) {
        images.sort_by_key(|image| number(image));
    }
    let mut urls: Vec<String> = Vec::new();
    for image in images {
        let url = image.said("url").unwrap_or_else(|| image.text.trim());
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
