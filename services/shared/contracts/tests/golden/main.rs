//! What was once written to the log is read for ever.
//!
//! `events/` keeps every form that events were written in, the newest last. None of its files is ever
//! changed or removed: a ledger somewhere holds such entries, and a relay publishes them as they are.
#![expect(clippy::expect_used, reason = "a test that can't do its part must fail loudly")]

mod sample;

use std::{fs, path::PathBuf};

use contracts::{Collection, Event};
use serde_json::Value;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden/events")
}

/// Every form by its file's name, the oldest first.
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
fn every_form_of_an_event_that_was_ever_written_is_read() {
    let forms = forms();
    assert!(forms.len() >= 10, "a form was removed");
    for (name, events) in forms {
        let read: Vec<Event> = events
            .into_iter()
            .map(|event| {
                serde_json::from_value(event).unwrap_or_else(|error| panic!("{name}: {error}"))
            })
            .collect();
        for collection in Collection::ALL {
            let of_it = read.iter().filter(|event| event.aggregate.collection == collection);
            assert!(of_it.count() > 0, "{name} has no event of {collection}");
        }
    }
}

#[test]
fn the_form_of_today_is_kept() {
    let today: Vec<Value> = sample::events()
        .iter()
        .map(|event| serde_json::to_value(event).expect("events become JSON"))
        .collect();
    let (name, newest) = forms().pop().expect("a form");
    if std::env::var_os("UPDATE_GOLDEN").is_some() && today != newest {
        let number: u32 = name.split('-').next().and_then(|n| n.parse().ok()).expect("a number");
        let file = folder().join(format!("{:04}-new.json", number + 1));
        let text = serde_json::to_string_pretty(&today).expect("JSON");
        fs::write(file, text + "\n").expect("the folder can be written to");
    } else {
        assert_eq!(
            today, newest,
            "events have another form than in {name}: UPDATE_GOLDEN=1 keeps it in a file of its own"
        );
    }
}
