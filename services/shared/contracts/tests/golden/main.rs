//! Every event form that was ever written to the log stays readable.
//!
//! `events/` has a file for every form in which events were written, the newest last. Its files must never be
//! changed or removed: existing ledgers contain such entries, and relays publish them unchanged.
#![expect(clippy::expect_used, reason = "a test that can't do its part must fail loudly")]

mod sample;

use std::{fs, path::PathBuf};

use contracts::{Collection, Event};
use serde_json::Value;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden/events")
}

/// Returns all forms with their file names, the oldest first.
fn forms() -> Vec<(String, Vec<Value>)> {
    let mut forms: Vec<(String, Vec<Value>)> = fs::read_dir(folder())
        .expect("the folder")
        .map(|entry| {
            let entry = entry.expect("an entry");
            let text = fs::read(entry.path()).expect("a file");
            let events = serde_json::from_slice(&text).expect("a list of events");
            (entry.file_name().to_string_lossy().into_owned(), events)
        })
        .collect();
    forms.sort_by(|one, other| one.0.cmp(&other.0));
    forms
}

#[test]
fn every_event_form_ever_written_can_be_read() {
    let forms = forms();
    assert!(forms.len() >= 10, "a form was removed");
    for (name, events) in forms {
        let parsed: Vec<Event> = events
            .into_iter()
            .map(|event| {
                serde_json::from_value(event).unwrap_or_else(|error| panic!("{name}: {error}"))
            })
            .collect();
        for collection in Collection::ALL {
            let of_it = parsed.iter().filter(|event| event.aggregate.collection == collection);
            assert!(of_it.count() > 0, "{name} has no event of {collection}");
        }
    }
}

#[test]
fn the_current_event_form_is_the_newest_golden_file() {
    let current: Vec<Value> = sample::events()
        .iter()
        .map(|event| serde_json::to_value(event).expect("events become JSON"))
        .collect();
    let (name, newest) = forms().pop().expect("a form");
    if std::env::var_os("UPDATE_GOLDEN").is_some() && current != newest {
        let number: u32 = name.split('-').next().and_then(|n| n.parse().ok()).expect("a number");
        let file = folder().join(format!("{:04}-new.json", number + 1));
        let text = serde_json::to_string_pretty(&current).expect("JSON");
        fs::write(file, text + "\n").expect("the folder can be written to");
    } else {
        assert_eq!(
            current, newest,
            "events have another form than in {name}: UPDATE_GOLDEN=1 keeps it in a file of its own"
        );
    }
}
