//! Each row type has a field for every column of its table, and none besides; and what is written to
//! them is of the version of the read models.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use contracts::{Change, Event, READ_MODEL_VERSION};
use projections::{ReadModel, Row};
use serde_json::Value;

use crate::fixtures::database;

/// The forms that events were written in, the newest the last by name; each has one event of each
/// collection and more.
const FORMS: &str = "../services/shared/contracts/tests/golden/events";
/// Of the rows that are made of the newest form, as [`READ_MODEL_VERSION`] has them. Much of a row is
/// JSON, of which the tables say nothing: a build that writes it otherwise under the same version would
/// leave what is written already as it was.
const FINGERPRINT: &str = "0063ecfe25d64815";

/// The events of the newest form.
fn newest_events() -> Vec<Event> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(FORMS);
    let forms = fs::read_dir(folder).expect("the forms of events");
    let newest = forms.map(|form| form.expect("an entry").path()).max().expect("a form");
    let events = fs::read(newest).expect("it can be read");
    serde_json::from_slice(&events).expect("events")
}

/// Their rows, in their order.
fn newest() -> Vec<(ReadModel, Row)> {
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

#[test]
fn what_is_written_otherwise_has_another_version() {
    let rows: Vec<Row> = newest().into_iter().map(|(_, row)| row).collect();
    let rows = serde_json::to_vec(&rows).expect("rows become JSON");
    let fingerprint = blake3::hash(&rows).to_hex();
    assert_eq!(
        &fingerprint[..16],
        FINGERPRINT,
        "what is written to the read models has changed: raise READ_MODEL_VERSION, which is \
         {READ_MODEL_VERSION}, and keep this here"
    );
}

/// `event` as of an item whose editors have written its text in English and no more.
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
fn where_nobody_wrote_a_summary_the_beginning_of_the_text_is_told() {
    let events: Vec<Event> = newest_events().iter().map(without_summary).collect();
    let told = |model: ReadModel, field: &str| -> Vec<Value> {
        let rows = rows_of(&events).into_iter().filter(|(of, _)| *of == model);
        let rows = rows.map(|(_, row)| serde_json::to_value(row).expect("a row is JSON"));
        rows.map(|row| row[field].clone()).collect()
    };
    // In Spanish somebody did.
    for (model, field, expected) in [
        (ReadModel::Property, "summary", ["With a garden", "Quiet and sunny"]),
        (ReadModel::Article, "summary", ["White", "Almonds"]),
        (ReadModel::Doc, "summary", ["White", "Almonds"]),
        (ReadModel::Page, "meta_description", ["First", "How to buy"]),
    ] {
        assert_eq!(told(model, field), expected, "{model:?}");
    }
}

#[tokio::test]
async fn rows_have_the_columns_of_their_tables() {
    let (pool, _) = database("rows").await;
    let mut fields: BTreeMap<ReadModel, BTreeSet<String>> = BTreeMap::new();
    for (model, row) in newest() {
        let Ok(Value::Object(row)) = serde_json::to_value(row) else { panic!("an object") };
        fields.entry(model).or_default().extend(row.into_iter().map(|(name, _)| name));
    }
    for model in ReadModel::ALL {
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
