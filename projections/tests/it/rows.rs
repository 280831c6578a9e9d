//! Each row type has a field for every column of its table, and none besides.

use std::collections::{BTreeMap, BTreeSet};

use contracts::{Change, Event};
use projections::ReadModel;
use serde_json::Value;

use crate::fixtures::database;

/// One event of each collection and more, in the newest form.
const EVENTS: &str =
    include_str!("../../../services/shared/contracts/tests/golden/events/0008-places-around.json");

#[tokio::test]
async fn rows_have_the_columns_of_their_tables() {
    let (pool, _) = database("rows").await;
    let events: Vec<Event> = serde_json::from_str(EVENTS).expect("events");
    let mut fields: BTreeMap<ReadModel, BTreeSet<String>> = BTreeMap::new();
    for event in &events {
        let Change::Upserted { snapshot } = &event.change else { continue };
        let (id, at) = (&event.aggregate, event.captured_at);
        let rows = ReadModel::rows(id, event.version, at, snapshot, &event.offers);
        for row in rows {
            let Ok(Value::Object(row)) = serde_json::to_value(row) else { panic!("an object") };
            let model = ReadModel::of(event.aggregate.collection);
            fields.entry(model).or_default().extend(row.into_iter().map(|(name, _)| name));
        }
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
