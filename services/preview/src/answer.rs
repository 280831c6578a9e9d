//! A preview: the answer that a page is rendered from, and what its banner tells the editor.

use answers::{Article, Doc, LocationLink, LocationText, Offer, Page, PropertyDetail};
use chrono::Utc;
use content_client::Draft;
use contracts::{Collection, Locale, Reduction, Sequence, Violation};
use projections::{ReadModel, Row};
use serde::Serialize;
use serde_json::{Value, json};

use crate::differences::{Difference, differences};

/// The body of an answer.
#[derive(Debug, Serialize)]
pub struct Preview {
    /// What the read API would answer; none if the draft can't be shown and nothing is published.
    pub answer: Option<Value>,
    /// What the banner tells the editor.
    pub preview: EditorInfo,
}

/// The content of the preview's banner, and what the page needs to edit texts in place.
#[derive(Debug, Serialize)]
pub struct EditorInfo {
    /// The content service's name of the collection.
    pub collection: &'static str,
    /// The item's key there.
    pub item: String,
    /// The item's status there.
    pub status: String,
    /// Whether a version of the item is shown instead of the item itself.
    pub draft: bool,
    /// Whether the item is published.
    pub published: bool,
    /// The URL of the Studio.
    pub studio: String,
    /// What the draft would change on the page.
    pub differences: Vec<Difference>,
    /// The values that the rules of the model refuse.
    pub refused: Vec<Refusal>,
    /// The pictures that the site would omit.
    #[serde(rename = "leftOut")]
    pub left_out: Vec<Refusal>,
}

/// A field, its value, and the rule that refuses the value, in words.
#[derive(Debug, Serialize)]
pub struct Refusal {
    field: String,
    value: String,
    rule: String,
}

/// Returns the preview of `draft` in `locale`, compared with what is `published`.
pub fn preview(draft: &Draft, published: Option<Value>, locale: Locale, studio: &str) -> Preview {
    let collection = draft.id().collection;
    let shown = rows(draft)
        .into_iter()
        .find_map(|row| answer(row, locale))
        .map(|answer| with_published_parts(answer, published.as_ref()));
    let differences =
        shown.as_ref().map(|shown| differences(published.as_ref(), shown)).unwrap_or_default();
    let in_words = |violations: &[Violation]| {
        let refusals = violations.iter().map(|violation| Refusal {
            field: violation.field.clone(),
            value: violation.value.clone(),
            rule: violation.rule_in(locale),
        });
        refusals.collect()
    };
    let info = EditorInfo {
        collection: collection.name(),
        item: draft.id().key.clone(),
        status: draft.status().to_owned(),
        draft: draft.is_version(),
        published: published.is_some(),
        studio: studio.to_owned(),
        differences,
        refused: in_words(draft.refused()),
        left_out: in_words(draft.left_out()),
    };
    Preview { answer: shown.or(published), preview: info }
}

/// Returns the rows of `draft` as the read models would have them.
fn rows(draft: &Draft) -> Vec<Row> {
    draft.rows(|id, version, at, snapshot| ReadModel::rows(id, version, at, snapshot, &[]))
}

/// Adds the place of `draft` to the places in `site`, the answer of `/api/site`, or replaces it there. Pages
/// take from it which places there are, their names, and what they are part of.
pub fn with_place(mut site: Value, draft: &Draft, locale: Locale) -> Value {
    let drafted = rows(draft).into_iter().find_map(|row| place_link(row, locale));
    if let Some(drafted) = drafted
        && let Some(places) = site.get_mut("locations").and_then(Value::as_array_mut)
    {
        match places.iter_mut().find(|place| place["slug"] == drafted["slug"]) {
            Some(place) => *place = drafted,
            None => places.push(drafted),
        }
    }
    site
}

/// Returns the link to a place that every page has, as in the read API.
fn place_link(row: Row, locale: Locale) -> Option<Value> {
    let Row::Location(row) = row else { return None };
    if row.origin.locale != locale {
        return None;
    }
    let part_of = row.ancestors.into_iter().next();
    // The read API serializes the same type, so this does not fail.
    serde_json::to_value(LocationLink { slug: row.slug, name: row.name, part_of }).ok()
}

/// Returns what the read API would answer for `row`; none if the row is in another language than `locale`.
fn answer(row: Row, locale: Locale) -> Option<Value> {
    let answer = match row {
        Row::Property(row) if row.card.locale == locale => serde_json::to_value(
            PropertyDetail::of(*row, Vec::new(), Vec::new(), Sequence::default()),
        ),
        Row::Location(row) if row.origin.locale == locale => {
            serde_json::to_value(LocationText::of(row, None, None))
        }
        Row::Article(row) if row.origin.locale == locale => {
            serde_json::to_value(Article::from(row))
        }
        Row::Page(row) if row.origin.locale == locale => serde_json::to_value(Page::from(row)),
        Row::Doc(row) if row.origin.locale == locale => {
            serde_json::to_value(Doc::of(row, Vec::new()))
        }
        _ => return None,
    };
    // The read API serializes the same types, so this does not fail.
    answer.ok()
}

/// Copies from `published` into `answer` what a draft does not have: the history of a home, similar homes,
/// the prices of a place, the page that introduces it, the contents of the documentation, and the
/// placeholders of pictures that are already published.
fn with_published_parts(mut answer: Value, published: Option<&Value>) -> Value {
    let Some(published) = published else { return answer };
    for field in ["contents", "history", "page", "prices", "sequence", "similar"] {
        if answer.get(field).is_some()
            && let Some(value) = published.get(field)
        {
            answer[field] = value.clone();
        }
    }
    with_reduction(&mut answer, published);
    let placeholders: Vec<(&Value, &Value)> = pictures(published)
        .into_iter()
        .map(|picture| (&picture["file"], &picture["placeholder"]))
        .collect();
    let placeholder_of = |picture: &Value| {
        let known = placeholders.iter().find(|(file, _)| **file == picture["file"]);
        known.map_or(Value::Null, |(_, placeholder)| (*placeholder).clone())
    };
    if let Some(images) = answer.get_mut("images").and_then(Value::as_array_mut) {
        for picture in images {
            picture["placeholder"] = placeholder_of(picture);
        }
    }
    if let Some(picture) = answer.get_mut("image").filter(|picture| picture.is_object()) {
        picture["placeholder"] = placeholder_of(picture);
    }
    answer
}

/// Sets whether the home in `answer` will be reduced, as if its price were asked from now on. Its earlier
/// prices are those of `published`, unless that is under another reference: then the site ignores them too.
fn with_reduction(answer: &mut Value, published: &Value) {
    let Some(price) = answer["price"].as_i64().filter(|_| answer["ref"] == published["ref"]) else {
        return;
    };
    let history: Vec<Offer> =
        serde_json::from_value(published["history"].clone()).unwrap_or_default();
    let before = history.iter().filter_map(|offer| Some((offer.price?, offer.at)));
    let reduction = Reduction::of_prices(Some(price), before.chain([(price, Utc::now())]));
    answer["reduced"] = reduction.is_some().into();
    answer["previousPrice"] = reduction.map(|reduction| reduction.from).into();
    answer["reducedAt"] = json!(reduction.map(|reduction| reduction.at));
}

fn pictures(answer: &Value) -> Vec<&Value> {
    let gallery = answer["images"].as_array().into_iter().flatten();
    gallery.chain(answer["image"].is_object().then_some(&answer["image"])).collect()
}

/// Returns the path prefix of a collection's items in the read API, and the field that names an item there.
pub const fn path_and_field(collection: Collection) -> (&'static str, &'static str) {
    match collection {
        Collection::Properties => ("/api/properties/", "ref"),
        Collection::Locations => ("/api/locations/", "slug"),
        Collection::Articles => ("/api/articles/", "slug"),
        Collection::Docs => ("/api/docs/", "slug"),
        _ => ("/api/pages/", "slug"),
    }
}

/// Returns the body of a 404.
pub fn nothing() -> Value {
    json!({ "answer": null, "preview": null })
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;

    use super::*;

    /// Returns `reduced` and `previousPrice` of a draft with `price`, of a home that was asked for at `prices`,
    /// each with its hours ago.
    fn reduced(prices: &[(Option<i64>, i64)], price: i64) -> (Value, Value) {
        let offer = |(price, hours): &(Option<i64>, i64)| {
            let at = Utc::now() - TimeDelta::hours(*hours);
            json!({ "at": at, "price": price, "status": "for_sale" })
        };
        let history: Vec<Value> = prices.iter().map(offer).collect();
        let published = json!({ "ref": "AH-1", "price": history.last().map(|it| &it["price"]), "history": history });
        let draft =
            json!({ "ref": "AH-1", "price": price, "reduced": false, "previousPrice": null });
        let shown = with_published_parts(draft, Some(&published));
        (shown["reduced"].clone(), shown["previousPrice"].clone())
    }

    #[test]
    fn a_draft_is_reduced_by_the_rule_of_the_site() {
        let none = (json!(false), Value::Null);
        let from = |before: i64| (json!(true), json!(before));
        let asked = [(Some(320), 900), (Some(300), 600)];
        assert_eq!(reduced(&asked, 300), from(320), "as it is published");
        assert_eq!(reduced(&asked, 280), from(300));
        assert_eq!(reduced(&asked, 310), none);
        assert_eq!(reduced(&[(Some(300), 600), (None, 300)], 280), from(300), "on request between");
        // A digit too many is corrected within the hour.
        assert_eq!(reduced(&[(Some(345), 600), (Some(3_450), 1)], 345), none);
        assert_eq!(reduced(&[(Some(400), 600), (Some(3_450), 1)], 345), from(400));
        assert_eq!(reduced(&[(Some(345), 600), (Some(389), 48)], 345), from(389));
    }

    #[test]
    fn prices_under_another_reference_reduce_no_draft() {
        let history = json!([{ "at": "2026-01-01T00:00:00Z", "price": 300, "status": "for_sale" }]);
        let published = json!({ "ref": "AH-1", "price": 300, "history": history });
        let draft = json!({ "ref": "AH-2", "price": 280, "reduced": false });
        assert_eq!(with_published_parts(draft, Some(&published))["reduced"], false);
    }
}
