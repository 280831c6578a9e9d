//! Each row type has exactly the columns of its table, and summaries are made where none is written.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use contracts::{Change, Event};
use projections::{ReadModel, Row};
use serde_json::Value;

use crate::fixtures::database;

/// The golden files of event forms, in the order of their names, the newest last. Each has at least one event
/// of each collection.
const FORMS: &str = "../services/shared/contracts/tests/golden/events";

/// Returns the events of the newest form.
fn newest_events() -> Vec<Event> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(FORMS);
    let forms = fs::read_dir(folder).expect("the forms of events");
    let newest = forms.map(|form| form.expect("an entry").path()).max().expect("a form");
    let events = fs::read(newest).expect("it can be read");
    serde_json::from_slice(&events).expect("events")
}

/// Returns the rows of [`newest_events`], in order.
fn newest_rows() -> Vec<(ReadModel, Row)> {
    rows_of(&newest_events())
}

fn rows_of(events: &[Event]) -> Vec<(ReadModel, Row)> {
    let mut all = Vec::new();
    for event in events {
        let Change::Upserted { snapshot } = &event.change else { continue };
        let (id, at) = (&event.aggregate, event.captured_at);
        let rows = ReadModel::rows(id, event.version, at, snapshot, &event.offers);
        all.extend(rows.into_iter().map(|row| (ReadModel::of(id.collection), row)));
    }
    all
}

/// Returns `event` with empty English summaries.
fn without_summary(event: &Event) -> Event {
    let mut event = serde_json::to_value(event).expect("an event is JSON");
    for field in ["summary", "intro", "metaDescription"] {
        if let Some(text) = event.pointer_mut(&format!("/change/snapshot/text/en/{field}")) {
            *text = Value::from("");
        }
    }
    serde_json::from_value(event).expect("an event")
}

#[test]
fn a_missing_summary_is_made_from_the_beginning_of_the_text() {
    let events: Vec<Event> = newest_events().iter().map(without_summary).collect();
    let values = |model: ReadModel, field: &str| -> Vec<Value> {
        let rows = rows_of(&events).into_iter().filter(|(of, _)| *of == model);
        let rows = rows.map(|(_, row)| serde_json::to_value(row).expect("a row is JSON"));
        rows.map(|row| row[field].clone()).collect()
    };
    // The Spanish summaries are written.
    for (model, field, expected) in [
        (ReadModel::Property, "summary", ["With a garden", "Quiet and sunny"]),
        (ReadModel::Article, "summary", ["White", "Almonds"]),
        (ReadModel::Doc, "summary", ["White", "Almonds"]),
        (ReadModel::Page, "meta_description", ["First", "How to buy"]),
    ] {
        assert_eq!(values(model, field), expected, "{model:?}");
    }
}

#[tokio::test]
async fn rows_have_the_columns_of_their_tables() {
    let (pool, _) = database("rows").await;
    let mut fields: BTreeMap<ReadModel, BTreeSet<String>> = BTreeMap::new();
    for (model, row) in newest_rows() {
        let Ok(Value::Object(row)) = serde_json::to_value(row) else { panic!("an object") };
        fields.entry(model).or_default().extend(row.into_iter().map(|(name, _)| name));
    }
    for &model in ReadModel::ALL {
        let columns: Vec<String> = sqlx::query_scalar(
            "select column_name::text from information_schema.columns
             where table_schema = 'read' and table_name = $1",
        )
        .bind(model.name())
        .fetch_all(&pool)
        .await
        .expect("the catalogue can be read");
        let columns: BTreeSet<String> = columns.into_iter().collect();
        assert_eq!(fields.remove(&model), Some(columns), "{model:?}");
    }
}
