//! What a feed changes in a home, and what it leaves as an editor has it.

use std::collections::BTreeMap;

use contracts::rules::is_blank;
use serde_json::Value;

use crate::memory::{Memory, Remembered, mark, same};

/// Fields by their names; of texts with where they stand: `translations.en-GB.title`.
pub type Flat = BTreeMap<String, Value>;

/// A field that is written.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// Its name.
    pub field: String,
    /// What it holds now.
    pub from: Value,
    /// What the feed says.
    pub to: Value,
    /// Whether an editor's own value goes.
    pub over_an_editor_s: bool,
}

/// What comes of one comparison.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Compared {
    pub changes: Vec<Change>,
    /// Fields that stay as an editor has them.
    pub kept: Vec<String>,
}

/// Compares what a feed wants with what stands there. A field is written where the feed says something
/// else than it did last; of a home that it never told of before, where nothing stands there.
pub fn compare(
    wanted: &Flat,
    current: &Flat,
    memory: Option<&Memory>,
    overwrite: bool,
) -> Compared {
    let mut compared = Compared::default();
    for (field, to) in wanted {
        let from = current.get(field).cloned().unwrap_or_default();
        if same(&from, to) {
            continue;
        }
        let last = memory.and_then(|memory| memory.values.get(field));
        let is_taken = match last {
            Some(last) => *last != mark(to),
            None => is_blank(&from),
        };
        // An editor's word on what is published is never taken away.
        if is_taken || (overwrite && field != "status") {
            let over_an_editor_s = last.map_or(!is_blank(&from), |last| *last != mark(&from));
            let field = field.clone();
            compared.changes.push(Change { field, from, to: to.clone(), over_an_editor_s });
        } else {
            compared.kept.push(field.clone());
        }
    }
    compared
}

/// The files that a home shows after the feed, which had `before` and has `now`, in order. What the feed
/// no longer has goes, what is new comes; what an editor has taken away, added or put in another order
/// stays so.
pub fn arranged(
    current: &[String],
    before: &[Remembered],
    now: &[Remembered],
    overwrite: bool,
) -> Vec<String> {
    let files = |pictures: &[Remembered]| {
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
    let of_the_feed: Vec<&String> = current.iter().filter(|file| before.contains(file)).collect();
    let as_it_was: Vec<&String> = before.iter().filter(|file| current.contains(file)).collect();
    let stays = |file: &&String| now.contains(file) || !before.contains(file);
    if of_the_feed == as_it_was {
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
        let values = fields.iter().map(|(name, value)| ((*name).to_owned(), mark(value)));
        Memory { values: values.collect(), ..Memory::default() }
    }

    #[test]
    fn only_what_the_feed_changed_is_written() {
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
        let change = |field: &str, from: Value, to: Value, over_an_editor_s| Change {
            field: field.to_owned(),
            from,
            to,
            over_an_editor_s,
        };
        let price = change("price", json!(300), json!(280), false);
        let title = change("title", json!("An editor's"), json!("B"), true);
        assert_eq!(compared.changes, [price, title]);
        assert_eq!(compared.kept, ["bedrooms", "status"]);
        let all = compare(&wanted, &current, Some(&last), true);
        assert_eq!(all.kept, ["status"], "what an editor withdrew stays withdrawn");
    }

    #[test]
    fn a_home_that_was_there_before_is_filled_in_and_not_changed() {
        let current = flat(&[("price", json!(300)), ("floor", json!(null))]);
        let wanted = flat(&[("price", json!(280)), ("floor", json!("3")), ("beds", json!(2))]);
        let compared = compare(&wanted, &current, None, false);
        let fields: Vec<_> = compared.changes.iter().map(|change| change.field.as_str()).collect();
        assert_eq!((fields, compared.kept), (vec!["beds", "floor"], vec!["price".to_owned()]));
    }

    fn pictures(files: &str) -> Vec<Remembered> {
        let one = |file: char| Remembered { url: file.to_string(), file: Some(file.to_string()) };
        files.chars().map(one).collect()
    }

    #[test]
    fn pictures_follow_the_feed_and_an_editor_s_hand() {
        for (current, before, now, expected) in [
            ("", "", "abc", "abc"),
            ("abc", "abc", "acd", "acd"),
            ("abc", "abc", "cba", "cba"),
            // An editor's own picture stays, behind those of the feed.
            ("abx", "ab", "abc", "abcx"),
            // What an editor has taken away stays away.
            ("ac", "abc", "abcd", "acd"),
            // And the order that they chose stays.
            ("cab", "abc", "abcd", "cabd"),
            ("cabx", "abc", "bc", "cbx"),
            ("a", "", "aa", "a"),
        ] {
            let current: Vec<String> = current.chars().map(String::from).collect();
            let files = arranged(&current, &pictures(before), &pictures(now), false);
            assert_eq!(files.concat(), expected, "{current:?} {before} {now}");
        }
        let current = ["x".to_owned()];
        assert_eq!(arranged(&current, &pictures("a"), &pictures("ab"), true), ["a", "b"]);
    }

    proptest! {
        /// What an editor touched and the feed did not is never written, and what the feed changed is.
        #[test]
        fn a_field_is_the_feed_s_or_the_editor_s(fields in vec((0..3_i64, 0..3_i64, 0..3_i64), 1..8)) {
            let named = |pick: fn(&(i64, i64, i64)) -> i64| -> Vec<(String, Value)> {
                let values = fields.iter().map(pick).enumerate();
                values.map(|(at, value)| (format!("f{at}"), json!(value))).collect()
            };
            let (last, now, current) = (named(|it| it.0), named(|it| it.1), named(|it| it.2));
            let memory = Memory {
                values: last.iter().map(|(name, value)| (name.clone(), mark(value))).collect(),
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
                values: wanted.iter().map(|(name, value)| (name.clone(), mark(value))).collect(),
                ..Memory::default()
            };
            prop_assert_eq!(compare(&wanted, &after, Some(&memory), false).changes, vec![]);
        }
    }
}
