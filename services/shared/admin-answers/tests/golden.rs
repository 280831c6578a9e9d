//! The states that older builds send stay readable.
//!
//! `golden/` has for each role the forms in which its state was sent, the newest last. They must never be
//! changed or removed. A new form is added at the end.
#![expect(clippy::expect_used, reason = "a test that can't do its part must fail loudly")]

use std::{fs, path::Path};

use admin_answers::{
    projections::ProjectionsState, query::QueryState, site::SiteState, sync::SyncState,
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

/// Checks that every form of a `role`'s state can be read, and that the newest has the current fields.
fn check<State: Serialize + DeserializeOwned>(role: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/golden/{role}.json"));
    let text = fs::read(file).expect("a file");
    let forms: Vec<Value> = serde_json::from_slice(&text).expect("a list of states");
    let read = |form: &Value| {
        let state = serde_json::from_value::<State>(form.clone());
        state.unwrap_or_else(|error| panic!("{role}: {error} in {form}"))
    };
    let states: Vec<State> = forms.iter().map(read).collect();
    let current = serde_json::to_value(states.last().expect("a form")).expect("JSON");
    assert_eq!(Some(&current), forms.last(), "{role} has a new form: add it to its file");
}

#[test]
fn every_state_ever_sent_can_be_read() {
    check::<SyncState>("sync");
    check::<ProjectionsState>("projections");
    check::<QueryState>("query");
    check::<SiteState>("site");
}
