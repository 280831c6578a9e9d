//! What a draft would change on its page.

use serde::Serialize;
use serde_json::Value;

/// What of an answer a visitor does not see, or what comes with other members.
const NOT_TOLD: [&str; 11] = [
    "contents",
    "headings",
    "history",
    "language",
    "locales",
    "minutes",
    "reducedAt",
    "sequence",
    "similar",
    "updatedAt",
    "url",
];

/// A member of an answer that would be another.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// Its name in the read API.
    pub field: String,
    /// As it is published.
    pub old: Value,
    /// As the draft has it.
    pub new: Value,
}

/// What of `published` the draft would change, in the order of the draft's answer. Nothing is published
/// of a new item, so nothing differs.
pub fn differences(published: Option<&Value>, draft: &Value) -> Vec<Difference> {
    let Some(published) = published else { return Vec::new() };
    let members = draft.as_object().into_iter().flatten();
    members
        .filter(|(field, _)| !NOT_TOLD.contains(&field.as_str()))
        .filter_map(|(field, new)| {
            let (old, new) = (told(&published[field]), told(new));
            (old != new).then(|| Difference { field: field.clone(), old, new })
        })
        .collect()
}

/// A value without what the site makes of it by itself: a picture's placeholder, and the version of its
/// file, which is told by the picture.
fn told(value: &Value) -> Value {
    let mut value = value.clone();
    match &mut value {
        Value::Array(entries) => entries.iter_mut().for_each(|entry| *entry = told(entry)),
        Value::Object(members) => {
            members.remove("placeholder");
        }
        _ => {}
    }
    value
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_an_editor_changed_is_told_and_nothing_else() {
        let published = json!({
            "title": "A house", "price": 1, "updatedAt": "then", "sequence": 7,
            "images": [{ "file": "a", "placeholder": "xyz" }], "similar": [1], "features": ["pool"],
        });
        let draft = json!({
            "title": "A bright house", "price": 1, "updatedAt": "now", "sequence": 0,
            "images": [{ "file": "a", "placeholder": null }], "similar": [], "features": ["pool"],
        });
        let found = differences(Some(&published), &draft);
        let title = Difference {
            field: "title".to_owned(),
            old: json!("A house"),
            new: json!("A bright house"),
        };
        assert_eq!(found, [title]);
        assert!(differences(None, &draft).is_empty());
    }
}
