//! Texts of a home, with a title where its feed has none.

use contracts::{Locale, content::PropertyKind, vocabulary};
use serde_json::{Value, json};

use crate::{Listing, compare::Flat};

/// Texts, with a title where the feed has none.
pub fn take_texts(wanted: &mut Flat, listing: &Listing, place: &str) {
    let kind = listing.fields.get("kind").and_then(Value::as_str);
    let kind: Option<PropertyKind> = kind.and_then(|kind| kind.parse().ok());
    for locale in Locale::ALL {
        let texts = listing.texts.get(&locale);
        if texts.is_none() && !listing.texts.is_empty() {
            continue;
        }
        let name = |field: &str| format!("translations.{}.{field}", locale.language_tag());
        for (field, text) in texts.into_iter().flatten() {
            wanted.insert(name(field), text.clone());
        }
        let has_title = texts.is_some_and(|texts| texts.contains_key("title"));
        if let Some(kind) = kind.filter(|_| !has_title) {
            wanted.insert(name("title"), json!(made_title(kind, place, locale)));
        }
    }
}

/// What a home without a title is called: `Villa in Nerja`.
fn made_title(kind: PropertyKind, place: &str, locale: Locale) -> String {
    let name = &vocabulary::kind(kind, locale).name;
    match locale {
        Locale::En => format!("{name} in {place}"),
        Locale::Es => format!("{name} en {place}"),
    }
}
