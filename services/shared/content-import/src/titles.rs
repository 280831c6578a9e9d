//! Texts of a home, with a title where its feed has none.

use contracts::{Locale, content::PropertyKind, rules::is_blank, vocabulary};
use serde_json::{Value, json};

use crate::{Listing, compare::Flat, memory::mark, store::Stored};

/// Texts, with a title where neither the feed nor an editor has one. `place` is what the home's place is
/// called.
pub fn take_texts<'a>(
    wanted: &mut Flat,
    listing: &Listing,
    found: Option<&Stored>,
    place: impl Fn(Locale) -> &'a str,
) {
    let kind = listing.fields.get("kind").and_then(Value::as_str);
    let kind: Option<PropertyKind> = kind.and_then(|kind| kind.parse().ok());
    let has_texts = !listing.texts.is_empty() || has_told_texts(found);
    for locale in Locale::ALL {
        let texts = listing.texts.get(&locale);
        if texts.is_none() && has_texts {
            continue;
        }
        let name = |field: &str| format!("translations.{}.{field}", locale.language_tag());
        for (field, text) in texts.into_iter().flatten() {
            wanted.insert(name(field), text.clone());
        }
        let title = name("title");
        let has_title = wanted.contains_key(&title) || is_an_editor_s(&title, found);
        if let Some(kind) = kind.filter(|_| !has_title) {
            wanted.insert(title, json!(made_title(kind, place(locale), locale)));
        }
    }
}

/// Whether the feed told of the home's texts before: a title that is made would stand beside them, in the
/// place of their own. A title alone does not show it, since one that was made is remembered too.
fn has_told_texts(found: Option<&Stored>) -> bool {
    let memory = found.and_then(|home| home.memory.as_ref());
    memory.is_some_and(|memory| {
        let mut fields = memory.values.keys();
        fields.any(|field| {
            field.starts_with("translations.") && field.strip_suffix(".title").is_none()
        })
    })
}

/// Whether an editor has written `field` or changed it since the import did. A made title is of the site's
/// own words, so that it is another than last is nothing that the feed says.
fn is_an_editor_s(field: &str, found: Option<&Stored>) -> bool {
    let Some(home) = found else { return false };
    let current = home.fields.get(field).unwrap_or(&Value::Null);
    let last = home.memory.as_ref().and_then(|memory| memory.values.get(field));
    last.map_or(!is_blank(current), |last| *last != mark(current))
}

/// What a home without a title is called: `Villa in Nerja`.
fn made_title(kind: PropertyKind, place: &str, locale: Locale) -> String {
    let name = &vocabulary::kind(kind, locale).name;
    match locale {
        Locale::En => format!("{name} in {place}"),
        Locale::Es => format!("{name} en {place}"),
    }
}
