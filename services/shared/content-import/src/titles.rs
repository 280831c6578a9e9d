//! The texts of a home, with a generated title if its feed has none.

use contracts::{Locale, content::PropertyKind, rules::is_blank, vocabulary};
use serde_json::{Value, json};

use crate::{Listing, compare::Flat, memory::fingerprint, store::Stored};

/// Adds the feed's texts to `wanted`, with a generated title if neither the feed nor an editor has one.
/// `place` returns the name of the home's place.
pub fn add_texts<'a>(
    wanted: &mut Flat,
    listing: &Listing,
    found: Option<&Stored>,
    place: impl Fn(Locale) -> &'a str,
) {
    let kind = listing.fields.get("kind").and_then(Value::as_str);
    let kind: Option<PropertyKind> = kind.and_then(|kind| kind.parse().ok());
    let has_texts = !listing.texts.is_empty() || had_feed_texts(found);
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
        let has_title = wanted.contains_key(&title) || was_edited(&title, found);
        if let Some(kind) = kind.filter(|_| !has_title) {
            wanted.insert(title, json!(generated_title(kind, place(locale), locale)));
        }
    }
}

/// Returns whether the feed had texts of the home before, which stay: a generated title must not replace
/// the feed's own. A remembered title alone proves nothing, since generated ones are remembered too.
fn had_feed_texts(found: Option<&Stored>) -> bool {
    let memory = found.and_then(|home| home.memory.as_ref());
    memory.is_some_and(|memory| {
        let mut fields = memory.values.keys();
        fields.any(|field| {
            field.starts_with("translations.") && field.strip_suffix(".title").is_none()
        })
    })
}

/// Returns whether an editor has written `field`, or changed it since the last import. This matters
/// because a generated title may differ from the last one without any change in the feed, as it has the
/// site's words.
fn was_edited(field: &str, found: Option<&Stored>) -> bool {
    let Some(home) = found else { return false };
    let current = home.fields.get(field).unwrap_or(&Value::Null);
    let last = home.memory.as_ref().and_then(|memory| memory.values.get(field));
    last.map_or(!is_blank(current), |last| *last != fingerprint(current))
}

/// Returns the title of a home without one: `Villa in Nerja`.
fn generated_title(kind: PropertyKind, place: &str, locale: Locale) -> String {
    let name = &vocabulary::kind(kind, locale).name;
    match locale {
        Locale::En => format!("{name} in {place}"),
        Locale::Es => format!("{name} en {place}"),
    }
}
