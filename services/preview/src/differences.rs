//! The differences between a draft and what is published.

use serde::Serialize;
use serde_json::Value;

/// The members of an answer that are not compared: visitors do not see them, or they follow from other
/// members.
const IGNORED: [&str; 11] = [
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

/// A member of an answer whose value the draft changes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// Its name in the read API.
    pub field: String,
    /// The published value.
    pub old: Value,
    /// The draft's value.
    pub new: Value,
}

/// Returns the members of `published` that the draft would change, in the order of the draft's answer. For a
/// new item nothing is published, so there are no differences.
pub fn differences(published: Option<&Value>, draft: &Value) -> Vec<Difference> {
    let Some(published) = published else { return Vec::new() };
    let members = draft.as_object().into_iter().flatten();
    members
        .filter(|(field, _)| !IGNORED.contains(&field.as_str()))
        .filter_map(|(field, new)| {
            let (old, new) = (comparable(&published[field]), comparable(new));
            (old != new).then(|| Difference { field: field.clone(), old, new })
        })
        .collect()
}

/// Returns a value without the placeholders of pictures, which the site generates.
fn comparable(value: &Value) -> Value {
    let mut value = value.clone();
    match &mut value {
        Value::Array(entries) => entries.iter_mut().for_each(|entry| *entry = comparable(entry)),
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
    fn only_an_editors_changes_are_differences() {
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
