//! Compares the read models with the published content.

use std::collections::BTreeMap;

use chrono::DateTime;
use contracts::{
    AggregateId, Offer, Version,
    content::{Snapshot, remove_placeholders},
};
use runtime::postgres::with_answer_timeout;
use serde_json::Value;
use sqlx::PgPool;

use crate::{
    error::Error,
    models::{ReadModel, Row},
};

/// Columns that are not compared. Versions and their times come from the ledger, not from the content. The
/// content service's date of change moves even when a save changes nothing.
const IGNORED_COLUMNS: [&str; 3] = ["version", "changed_at", "updated_at"];

/// A column whose value differs from the expected one.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The table.
    pub model: ReadModel,
    /// The aggregate's key, followed by the locale if the table has one row per locale.
    pub row: String,
    /// The column; `None` if the complete row is missing or unexpected.
    pub column: Option<String>,
    /// The expected value.
    pub expected: Value,
    /// The stored value.
    pub found: Value,
}

/// Compares the live read models with all `published` aggregates, row by row and column by column. `offers`
/// has the price history of each property, by key, the oldest first.
pub async fn differences<'a>(
    pool: &PgPool,
    published: impl IntoIterator<Item = (&'a AggregateId, &'a Snapshot)>,
    offers: &BTreeMap<String, Vec<Offer>>,
) -> Result<Vec<Difference>, Error> {
    let mut expected: BTreeMap<ReadModel, Vec<Row>> = BTreeMap::new();
    for (id, snapshot) in published {
        let offers = match snapshot {
            Snapshot::Properties(_) => offers.get(&id.key).map_or(&[][..], Vec::as_slice),
            _ => &[],
        };
        let rows = ReadModel::rows(id, Version::default(), DateTime::default(), snapshot, offers);
        expected.entry(ReadModel::of(id.collection)).or_default().extend(rows);
    }
    let mut differences = Vec::new();
    for &model in ReadModel::ALL {
        let expected = by_name(&expected.remove(&model).unwrap_or_default())?;
        let found = by_name(&with_answer_timeout(model.stored(pool)).await?)?;
        compare(model, expected, found, &mut differences);
    }
    Ok(differences)
}

type Rows = BTreeMap<String, Value>;

/// Returns `rows` by name, without the columns and placeholders that are not compared.
fn by_name(rows: &[Row]) -> Result<Rows, Error> {
    let comparable = |row| -> serde_json::Result<(String, Value)> {
        let mut row = serde_json::to_value(row)?;
        let name = name_of(&row);
        if let Some(columns) = row.as_object_mut() {
            columns.retain(|column, _| !IGNORED_COLUMNS.contains(&column.as_str()));
            columns.values_mut().for_each(remove_placeholders);
        }
        Ok((name, row))
    };
    let rows: serde_json::Result<Rows> = rows.iter().map(comparable).collect();
    rows.map_err(|error| Error::Database(sqlx::Error::Encode(Box::new(error))))
}

fn name_of(row: &Value) -> String {
    let key = row["key"].as_str().unwrap_or_default();
    row["locale"].as_str().map_or_else(|| key.to_owned(), |locale| format!("{key}/{locale}"))
}

fn compare(model: ReadModel, expected: Rows, mut found: Rows, differences: &mut Vec<Difference>) {
    let mut record = |row: &str, column: Option<&String>, expected: &Value, found: &Value| {
        differences.push(Difference {
            model,
            row: row.to_owned(),
            column: column.cloned(),
            expected: expected.clone(),
            found: found.clone(),
        });
    };
    for (name, expected) in expected {
        match (expected.as_object(), found.remove(&name)) {
            (Some(columns), Some(found)) => {
                for (column, value) in columns {
                    if *value != found[column] {
                        record(&name, Some(column), value, &found[column]);
                    }
                }
            }
            (_, found) => record(&name, None, &expected, &found.unwrap_or_default()),
        }
    }
    for (name, found) in found {
        record(&name, None, &Value::Null, &found);
    }
}
