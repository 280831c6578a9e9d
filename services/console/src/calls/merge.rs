//! The answers of several processes, as one.

use serde_json::{Map, Value, json};

use super::list::Together;

/// The most entries of a list of the slowest: as each process has.
const MAX_SLOW: usize = 50;

/// `answers` of several, made one.
pub fn merged(answers: Vec<Value>, together: Together) -> Value {
    match together {
        Together::Slowest => {
            let mut entries = entries(answers);
            let key = |entry: &Value| entry["milliseconds"].as_f64().unwrap_or_default();
            entries.sort_by(|a, b| key(b).total_cmp(&key(a)));
            entries.truncate(MAX_SLOW);
            Value::Array(entries)
        }
        Together::Counted(by, most) => counted(entries(answers), by, most),
        Together::Latest => latest(entries(answers)),
        Together::Sum => summed(answers),
    }
}

fn entries(answers: Vec<Value>) -> Vec<Value> {
    let lists = answers.into_iter().filter_map(|answer| match answer {
        Value::Array(entries) => Some(entries),
        _ => None,
    });
    lists.flatten().filter(Value::is_object).collect()
}

/// Those that agree in the fields `by` are one, with their counts added up and the latest of them told;
/// the `most` with the highest counts.
fn counted(entries: Vec<Value>, by: &[&str], most: usize) -> Value {
    let mut together: Vec<Value> = Vec::new();
    for entry in entries {
        let same =
            together.iter_mut().find(|known| by.iter().all(|field| known[*field] == entry[*field]));
        let Some(known) = same else {
            together.push(entry);
            continue;
        };
        let count = count_of(known) + count_of(&entry);
        // Times are written so that the later one is the greater text.
        if known["lastAt"].as_str() < entry["lastAt"].as_str() {
            *known = entry;
        }
        known["count"] = json!(count);
    }
    together.sort_by_key(|entry| std::cmp::Reverse(count_of(entry)));
    together.truncate(most);
    Value::Array(together)
}

/// Those of one `sequence` are one, with the latest of their times.
fn latest(entries: Vec<Value>) -> Value {
    let mut together: Vec<Value> = Vec::new();
    for entry in entries {
        match together.iter_mut().find(|known| known["sequence"] == entry["sequence"]) {
            // Times are written so that the later one is the greater text.
            Some(known) if known["at"].as_str() < entry["at"].as_str() => *known = entry,
            Some(_) => {}
            None => together.push(entry),
        }
    }
    Value::Array(together)
}

fn count_of(entry: &Value) -> u64 {
    entry["count"].as_u64().unwrap_or_default()
}

fn summed(answers: Vec<Value>) -> Value {
    let mut sum = Map::new();
    for answer in answers {
        let Value::Object(members) = answer else { continue };
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
    use super::*;

    #[test]
    fn several_answers_are_one() {
        let slow = merged(
            vec![
                json!([{ "call": "a", "milliseconds": 3 }]),
                json!([{ "call": "b", "milliseconds": 7.5 }, { "call": "c", "milliseconds": 1 }]),
            ],
            Together::Slowest,
        );
        assert_eq!(slow[0]["call"], "b");
        assert_eq!(slow.as_array().map(Vec::len), Some(3));

        let counted = merged(
            vec![
                json!([{ "path": "/a", "count": 2, "lastAt": "2026-11-25T10:00:00Z" }]),
                json!([
                    { "path": "/b", "count": 4, "lastAt": "2026-11-25T09:00:00Z" },
                    { "path": "/a", "count": 3, "lastAt": "2026-11-25T11:00:00Z" },
                    { "path": "/c", "count": 1, "lastAt": "2026-11-25T11:00:00Z" },
                ]),
            ],
            Together::Counted(&["path"], 2),
        );
        let a = json!({ "path": "/a", "count": 5, "lastAt": "2026-11-25T11:00:00Z" });
        assert_eq!(counted[0], a);
        assert_eq!(counted[1]["path"], "/b");
        assert_eq!(counted.as_array().map(Vec::len), Some(2), "no more than one process lists");

        let [early, late] = ["2026-11-25T10:00:00.100Z", "2026-11-25T10:00:00.120Z"];
        let reached = merged(
            vec![
                json!([{ "sequence": 7, "at": late }]),
                json!([{ "sequence": 7, "at": early }, { "sequence": 8, "at": early }]),
            ],
            Together::Latest,
        );
        let expected =
            [json!({ "sequence": 7, "at": late }), json!({ "sequence": 8, "at": early })];
        assert_eq!(reached, Value::from(expected.to_vec()));

        let sum = merged(vec![json!({ "purged": 2 }), json!({ "purged": 5 })], Together::Sum);
        assert_eq!(sum, json!({ "purged": 7 }));
    }
}
