//! A preview: the answer that a page is made from, and what an editor is told beside it.

use answers::{Article, Doc, LocationText, Page, PropertyDetail};
use content_client::Draft;
use contracts::{Collection, Locale, Sequence, Violation};
use projections::{ReadModel, Row};
use serde::Serialize;
use serde_json::{Value, json};

use crate::differences::{Difference, differences};

/// What is answered.
#[derive(Debug, Serialize)]
pub struct Preview {
    /// As the read API would answer; none where the draft can't be shown and nothing is published.
    pub answer: Option<Value>,
    /// What the editor is told.
    pub preview: Told,
}

/// What stands in the preview's banner, and what its texts are edited by.
#[derive(Debug, Serialize)]
pub struct Told {
    /// The content service's name of the collection.
    pub collection: &'static str,
    /// The item's key there.
    pub item: String,
    /// Its status there.
    pub status: String,
    /// Whether a version beside the item is shown.
    pub draft: bool,
    /// Whether the site shows anything of it.
    pub published: bool,
    /// Where the Studio is.
    pub studio: String,
    /// What would change on the page.
    pub differences: Vec<Difference>,
    /// What the rules of the model refuse.
    pub refused: Vec<Refusal>,
    /// The pictures that the site would show the item without.
    #[serde(rename = "leftOut")]
    pub left_out: Vec<Refusal>,
}

/// A field, what it holds, and the rule that refuses it, in words.
#[derive(Debug, Serialize)]
pub struct Refusal {
    field: String,
    value: String,
    rule: String,
}

/// The preview of `draft` to readers of `locale`, beside what is `published`.
pub fn preview(draft: &Draft, published: Option<Value>, locale: Locale, studio: &str) -> Preview {
    let collection = draft.id().collection;
    let shown = rows(draft)
        .into_iter()
        .find_map(|row| answer(row, locale))
        .map(|answer| with_what_is_known(answer, published.as_ref()));
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
    let told = Told {
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
    Preview { answer: shown.or(published), preview: told }
}

/// The rows that `draft` would be in the read models.
fn rows(draft: &Draft) -> Vec<Row> {
    draft.rows(|id, version, at, snapshot| ReadModel::rows(id, version, at, snapshot, &[]))
}

/// `site`, which is what every page shows, with the place of `draft` among those that are published.
/// Pages know by it which places there are, what they are called and where they lie.
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

/// A place as every page names it, as the read API does.
fn place_link(row: Row, locale: Locale) -> Option<Value> {
    let Row::Location(row) = row else { return None };
    if row.locale != locale {
        return None;
    }
    let mut link = json!({ "slug": row.slug, "name": row.name });
    if let Some(outer) = row.ancestors.into_iter().next() {
        link["partOf"] = outer.into();
    }
    Some(link)
}

/// What the read API answers of `row` in its language, if that is `locale`.
fn answer(row: Row, locale: Locale) -> Option<Value> {
    let answer = match row {
        Row::Property(row) if row.card.locale == locale => serde_json::to_value(
            PropertyDetail::of(*row, Vec::new(), Vec::new(), Sequence::default()),
        ),
        Row::Location(row) if row.locale == locale => {
            serde_json::to_value(LocationText::of(row, None, None))
        }
        Row::Article(row) if row.locale == locale => serde_json::to_value(Article::from(row)),
        Row::Page(row) if row.locale == locale => serde_json::to_value(Page::from(row)),
        Row::Doc(row) if row.locale == locale => serde_json::to_value(Doc::of(row, Vec::new())),
        _ => return None,
    };
    // They are answered so all day: what can't be written is no answer.
    answer.ok()
}

/// `answer` with what only the log and the site know of the item: its history, homes like it, the prices
/// of a place, the pages beside it, and the placeholders of pictures that are published already.
fn with_what_is_known(mut answer: Value, published: Option<&Value>) -> Value {
    let Some(published) = published else { return answer };
    for known in ["contents", "history", "page", "prices", "sequence", "similar"] {
        if answer.get(known).is_some()
            && let Some(value) = published.get(known)
        {
            answer[known] = value.clone();
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

/// Tells whether `answer` will be reduced, which the log says: as what is published, unless its price
/// changes.
fn with_reduction(answer: &mut Value, published: &Value) {
    let (Some(price), Some(before)) = (answer["price"].as_i64(), published["price"].as_i64())
    else {
        return;
    };
    if price == before {
        for known in ["reduced", "previousPrice", "reducedAt"] {
            answer[known] = published[known].clone();
        }
    } else if price < before {
        answer["reduced"] = true.into();
        answer["previousPrice"] = before.into();
    }
}

fn pictures(answer: &Value) -> Vec<&Value> {
    let gallery = answer["images"].as_array().into_iter().flatten();
    gallery.chain(answer["image"].is_object().then_some(&answer["image"])).collect()
}

/// Where the read API has what is published of the items of a collection, and by which field they are
/// asked for.
pub const fn place_of(collection: Collection) -> (&'static str, &'static str) {
    match collection {
        Collection::Properties => ("/api/properties/", "ref"),
        Collection::Locations => ("/api/locations/", "slug"),
        Collection::Articles => ("/api/articles/", "slug"),
        Collection::Docs => ("/api/docs/", "slug"),
        _ => ("/api/pages/", "slug"),
    }
}

/// What is answered where there is no such item.
pub fn nothing() -> Value {
    json!({ "answer": null, "preview": null })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draft_is_reduced_by_what_the_log_knows() {
        let published = json!({
            "price": 300, "reduced": true, "previousPrice": 320, "reducedAt": "2026-03-01T00:00:00Z",
        });
        let draft = |price: i64| {
            let of_a_draft = json!({ "price": price, "reduced": false, "previousPrice": null, "reducedAt": null });
            with_what_is_known(of_a_draft, Some(&published))
        };
        assert_eq!(draft(300), published);
        let none = Value::Null;
        for (price, reduced, before) in [(280, true, &json!(300)), (310, false, &none)] {
            let shown = draft(price);
            let found = (&shown["reduced"], &shown["previousPrice"], &shown["reducedAt"]);
            assert_eq!(found, (&json!(reduced), before, &none), "{price}");
        }
    }
}
