//! Merges the responses of several processes into one.

use serde_json::{Map, Value, json};

use super::list::Merge;

/// The maximum length of a merged list of the slowest: the same as the limit of a single process.
const MAX_SLOWEST: usize = 50;

/// Merges the JSON bodies of several responses.
pub fn merge(bodies: Vec<Value>, how: Merge) -> Value {
    match how {
        Merge::Slowest => {
            let mut entries = entries(bodies);
            let key = |entry: &Value| entry["milliseconds"].as_f64().unwrap_or_default();
            entries.sort_by(|a, b| key(b).total_cmp(&key(a)));
            entries.truncate(MAX_SLOWEST);
            Value::Array(entries)
        }
        Merge::Counts(by, max) => add_counts(entries(bodies), by, max),
        Merge::Latest => latest(entries(bodies)),
        Merge::Sum => sum(bodies),
    }
}

fn entries(bodies: Vec<Value>) -> Vec<Value> {
    let lists = bodies.into_iter().filter_map(|body| match body {
        Value::Array(entries) => Some(entries),
        _ => None,
    });
    lists.flatten().filter(Value::is_object).collect()
}

/// Groups entries with equal fields `by`: adds up their counts, and takes the other fields from the
/// latest. Returns the `max` groups with the highest counts.
fn add_counts(entries: Vec<Value>, by: &[&str], max: usize) -> Value {
    let mut groups: Vec<Value> = Vec::new();
    for entry in entries {
        let same =
            groups.iter_mut().find(|known| by.iter().all(|field| known[*field] == entry[*field]));
        let Some(known) = same else {
            groups.push(entry);
            continue;
        };
        let count = count_of(known) + count_of(&entry);
        // The times have the same format, so the later one is the greater string.
        if known["lastAt"].as_str() < entry["lastAt"].as_str() {
            *known = entry;
        }
        known["count"] = json!(count);
    }
    groups.sort_by_key(|entry| std::cmp::Reverse(count_of(entry)));
    groups.truncate(max);
    Value::Array(groups)
}

/// Keeps one entry for each `sequence`, the one with the latest time, and none where a process has not
/// reached it.
fn latest(entries: Vec<Value>) -> Value {
    let mut groups: Vec<Value> = Vec::new();
    for entry in entries {
        match groups.iter_mut().find(|known| known["sequence"] == entry["sequence"]) {
            Some(known) if known["at"].is_null() => {}
            Some(known) if entry["at"].is_null() => *known = entry,
            // The times have the same format, so the later one is the greater string.
            Some(known) if known["at"].as_str() < entry["at"].as_str() => *known = entry,
            Some(_) => {}
            None => groups.push(entry),
        }
    }
    groups.retain(|entry| !entry["at"].is_null());
    Value::Array(groups)
}

fn count_of(entry: &Value) -> u64 {
    entry["count"].as_u64().unwrap_or_default()
}

fn sum(bodies: Vec<Value>) -> Value {
    let mut sum = Map::new();
    for body in bodies {
        let Value::Object(members) = body else { continue };
        for (name, value) in members {
            let before = sum.get(&name).and_then(Value::as_u64).unwrap_or_default();
            match value.as_u64() {
                Some(number) => sum.insert(name, json!(before + number)),
                None => sum.insert(name, value),
            };
        }
    }
    Value::Object(sum)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use admin_answers::{
        query::{Call, EmptySearch},
        site::NotFoundPath,
    };
    use chrono::Utc;
    use contracts::Locale;
    use runtime::admin::{Positions, Progress, Slowest};

    use super::{
        super::list::{Recipients, Role, find_read_call},
        *,
    };

    #[test]
    fn responses_are_merged() {
        let slow = merge(
            vec![
                json!([{ "call": "a", "milliseconds": 3 }]),
                json!([{ "call": "b", "milliseconds": 7.5 }, { "call": "c", "milliseconds": 1 }]),
            ],
            Merge::Slowest,
        );
        assert_eq!(slow[0]["call"], "b");
        assert_eq!(slow.as_array().map(Vec::len), Some(3));

        let counted = merge(
            vec![
                json!([{ "path": "/a", "count": 2, "lastAt": "2026-11-25T10:00:00Z" }]),
                json!([
                    { "path": "/b", "count": 4, "lastAt": "2026-11-25T09:00:00Z" },
                    { "path": "/a", "count": 3, "lastAt": "2026-11-25T11:00:00Z" },
                    { "path": "/c", "count": 1, "lastAt": "2026-11-25T11:00:00Z" },
                ]),
            ],
            Merge::Counts(&["path"], 2),
        );
        let a = json!({ "path": "/a", "count": 5, "lastAt": "2026-11-25T11:00:00Z" });
        assert_eq!(counted[0], a);
        assert_eq!(counted[1]["path"], "/b");
        assert_eq!(counted.as_array().map(Vec::len), Some(2), "no more than one process lists");

        let [early, late] = ["2026-11-25T10:00:00.100Z", "2026-11-25T10:00:00.120Z"];
        let reached = |sequence: u64, at: Option<&str>| json!({ "sequence": sequence, "at": at });
        // The first process has forgotten position 6, and the second has not reached position 8.
        let mut lists = vec![
            json!([reached(7, Some(late)), reached(8, Some(late))]),
            json!([reached(6, Some(early)), reached(7, Some(early)), reached(8, None)]),
        ];
        for _ in 0..2 {
            let mut merged = merge(lists.clone(), Merge::Latest);
            if let Some(merged) = merged.as_array_mut() {
                merged.sort_by_key(|entry| entry["sequence"].as_u64());
            }
            assert_eq!(merged, json!([reached(6, Some(early)), reached(7, Some(late))]));
            lists.reverse();
        }

        let sum = merge(vec![json!({ "purged": 2 }), json!({ "purged": 5 })], Merge::Sum);
        assert_eq!(sum, json!({ "purged": 7 }));
    }

    #[test]
    fn the_lists_of_the_roles_have_the_merged_fields() {
        let progress = Progress::default();
        for position in [6, 7] {
            progress.record(position);
        }
        let (slow, last_at) = (Slowest::default(), Utc::now());
        slow.record(Duration::from_secs(1), || Call {
            call: "/api/map".to_owned(),
            query: String::new(),
        });
        let search =
            EmptySearch { query: "boat".to_owned(), locale: Locale::En, count: 1, last_at };
        let path = NotFoundPath { path: "/a".to_owned(), count: 1, last_at, referrer: None };
        for (role, name, list, mut fields) in [
            (Role::Query, "slow", json!(slow.list()), vec!["milliseconds"]),
            (Role::Query, "empty-searches", json!([search]), vec!["count", "lastAt"]),
            (Role::Site, "not-found", json!([path]), vec!["count", "lastAt"]),
            (
                Role::Query,
                "indexed",
                json!(progress.list(&Positions(vec![7]))),
                vec!["sequence", "at"],
            ),
        ] {
            let call = find_read_call(role, name).expect("a call");
            if let Recipients::All(Merge::Counts(by, _)) = call.recipients {
                fields.extend(by);
            }
            for field in fields {
                assert!(!list[0][field].is_null(), "{name}: {field} in {list}");
            }
        }
    }
}
