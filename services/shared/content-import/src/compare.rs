//! Compares a feed with a home: which fields it changes, and which keep an editor's value.

use std::collections::BTreeMap;

use contracts::rules::is_blank;
use serde_json::Value;

use crate::memory::{Memory, RememberedPicture, are_equal, fingerprint};

/// Fields by name. The names of texts have a path: `translations.en-GB.title`.
pub type Flat = BTreeMap<String, Value>;

/// A change of a field.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// Its name.
    pub field: String,
    /// The current value.
    pub from: Value,
    /// The feed's value.
    pub to: Value,
    /// Whether it replaces an editor's own value.
    pub overrides_editor: bool,
}

/// The result of a comparison.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Compared {
    pub changes: Vec<Change>,
    /// Fields that keep an editor's value.
    pub kept: Vec<String>,
}

/// Compares the feed's values with the current ones. A field is changed if the feed's value differs from
/// its last one. A field that the feed never had before is changed only if it is blank.
pub fn compare(
    wanted: &Flat,
    current: &Flat,
    memory: Option<&Memory>,
    overwrite: bool,
) -> Compared {
    let mut compared = Compared::default();
    for (field, to) in wanted {
        let from = current.get(field).cloned().unwrap_or_default();
        if are_equal(&from, to) {
            continue;
        }
        let last = memory.and_then(|memory| memory.values.get(field));
        let is_written = match last {
            Some(last) => *last != fingerprint(to),
            None => is_blank(&from),
        };
        // An editor's decision on the status is never overwritten.
        if is_written || (overwrite && field != "status") {
            let overrides_editor =
                last.map_or(!is_blank(&from), |last| *last != fingerprint(&from));
            let field = field.clone();
            compared.changes.push(Change { field, from, to: to.clone(), overrides_editor });
        } else {
            compared.kept.push(field.clone());
        }
    }
    compared
}

/// Returns, in order, the files that a home is to show, when the feed had the pictures `before` and has
/// `now`. Pictures that left the feed are removed, new ones are added; what an editor has removed, added
/// or reordered stays so.
pub fn arrange_pictures(
    current: &[String],
    before: &[RememberedPicture],
    now: &[RememberedPicture],
    overwrite: bool,
) -> Vec<String> {
    let files = |pictures: &[RememberedPicture]| {
        let mut files: Vec<String> = Vec::new();
        for file in pictures.iter().filter_map(|picture| picture.file.clone()) {
            if !files.contains(&file) {
                files.push(file);
            }
        }
        files
    };
    let (before, now) = (files(before), files(now));
    if overwrite {
        return now;
    }
    let is_shown = |file: &String| current.contains(file) || !before.contains(file);
    let current_order: Vec<&String> = current.iter().filter(|file| before.contains(file)).collect();
    let feed_order: Vec<&String> = before.iter().filter(|file| current.contains(file)).collect();
    let stays = |file: &&String| now.contains(file) || !before.contains(file);
    if current_order == feed_order {
        let others = current.iter().filter(stays).filter(|file| !now.contains(file));
        return now.iter().filter(|file| is_shown(file)).chain(others).cloned().collect();
    }
    let added = now.iter().filter(|file| is_shown(file) && !current.contains(file));
    current.iter().filter(stays).chain(added).cloned().collect()
}

#[cfg(test)]
mod tests {
    use proptest::{collection::vec, prelude::*};
    use serde_json::json;

    use super::*;

    fn flat(fields: &[(&str, Value)]) -> Flat {
        fields.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
    }

    fn memory(fields: &[(&str, Value)]) -> Memory {
        let values = fields.iter().map(|(name, value)| ((*name).to_owned(), fingerprint(value)));
        Memory { values: values.collect(), ..Memory::default() }
    }

    #[test]
    fn only_fields_that_the_feed_changed_are_written() {
        let last = memory(&[
            ("price", json!(300)),
            ("bedrooms", json!(3)),
            ("title", json!("A")),
            ("status", json!("published")),
        ]);
        let current = flat(&[
            ("price", json!(300)),
            ("bedrooms", json!(4)),
            ("title", json!("An editor's")),
            ("status", json!("draft")),
        ]);
        let wanted = flat(&[
            ("price", json!(280)),
            ("bedrooms", json!(3)),
            ("title", json!("B")),
            ("status", json!("published")),
        ]);
        let compared = compare(&wanted, &current, Some(&last), false);
        let change = |field: &str, from: Value, to: Value, overrides_editor| Change {
            field: field.to_owned(),
            from,
            to,
            overrides_editor,
        };
        let price = change("price", json!(300), json!(280), false);
        let title = change("title", json!("An editor's"), json!("B"), true);
        assert_eq!(compared.changes, [price, title]);
        assert_eq!(compared.kept, ["bedrooms", "status"]);
        let all = compare(&wanted, &current, Some(&last), true);
        assert_eq!(all.kept, ["status"], "what an editor withdrew stays withdrawn");
    }

    #[test]
    fn only_blank_fields_of_a_home_without_memory_are_filled() {
        let current = flat(&[("price", json!(300)), ("floor", json!(null))]);
        let wanted = flat(&[("price", json!(280)), ("floor", json!("3")), ("beds", json!(2))]);
        let compared = compare(&wanted, &current, None, false);
        let fields: Vec<_> = compared.changes.iter().map(|change| change.field.as_str()).collect();
        assert_eq!((fields, compared.kept), (vec!["beds", "floor"], vec!["price".to_owned()]));
    }

    fn pictures(files: &str) -> Vec<RememberedPicture> {
        let one =
            |file: char| RememberedPicture { url: file.to_string(), file: Some(file.to_string()) };
        files.chars().map(one).collect()
    }

    #[test]
    fn pictures_follow_the_feed_and_keep_an_editor_s_changes() {
        for (current, before, now, expected) in [
            ("", "", "abc", "abc"),
            ("abc", "abc", "acd", "acd"),
            ("abc", "abc", "cba", "cba"),
            // An editor's own picture stays, after those of the feed.
            ("abx", "ab", "abc", "abcx"),
            // A picture that an editor has removed stays removed.
            ("ac", "abc", "abcd", "acd"),
            // An editor's order is kept.
            ("cab", "abc", "abcd", "cabd"),
            ("cabx", "abc", "bc", "cbx"),
            ("a", "", "aa", "a"),
        ] {
            let current: Vec<String> = current.chars().map(String::from).collect();
            let files = arrange_pictures(&current, &pictures(before), &pictures(now), false);
            assert_eq!(files.concat(), expected, "{current:?} {before} {now}");
        }
        let current = ["x".to_owned()];
        assert_eq!(arrange_pictures(&current, &pictures("a"), &pictures("ab"), true), ["a", "b"]);
    }

    proptest! {
        /// Fields that the feed did not change are never written, and those that it changed always are.
        #[test]
        fn a_field_is_written_only_if_the_feed_changed_it(fields in vec((0..3_i64, 0..3_i64, 0..3_i64), 1..8)) {
            let named = |pick: fn(&(i64, i64, i64)) -> i64| -> Vec<(String, Value)> {
                let values = fields.iter().map(pick).enumerate();
                values.map(|(at, value)| (format!("f{at}"), json!(value))).collect()
            };
            let (last, now, current) = (named(|it| it.0), named(|it| it.1), named(|it| it.2));
            let memory = Memory {
                values: last.iter().map(|(name, value)| (name.clone(), fingerprint(value))).collect(),
                ..Memory::default()
            };
            let (wanted, current): (Flat, Flat) =
                (now.into_iter().collect(), current.into_iter().collect());
            let mut after = current.clone();
            for change in compare(&wanted, &current, Some(&memory), false).changes {
                after.insert(change.field, change.to);
            }
            for (at, (last, now, current)) in fields.iter().enumerate() {
                let expected = if last == now { current } else { now };
                prop_assert_eq!(&after[&format!("f{at}")], &json!(expected));
            }
            // The second run has nothing to do.
            let memory = Memory {
                values: wanted.iter().map(|(name, value)| (name.clone(), fingerprint(value))).collect(),
                ..Memory::default()
            };
            prop_assert_eq!(compare(&wanted, &after, Some(&memory), false).changes, vec![]);
        }
    }
}
