//! Comparing the read models with what the content says.

use std::collections::BTreeMap;

use chrono::DateTime;
use contracts::{AggregateId, Offer, Version, content::Snapshot};
use serde_json::Value;
use sqlx::PgPool;

use crate::{
    error::Error,
    models::{ReadModel, Row},
};

/// Columns that need not be equal: the ledger alone numbers versions and dates them, and the content
/// service moves its date of change for saves that change nothing.
const INCIDENTAL: [&str; 3] = ["version", "changed_at", "updated_at"];

/// One column that is not what it should be.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The table.
    pub model: ReadModel,
    /// The aggregate's key, and the locale where the table has one row for each.
    pub row: String,
    /// The column; none where the whole row is missing or too many.
    pub column: Option<String>,
    /// What it should be.
    pub expected: Value,
    /// What it is.
    pub found: Value,
}

/// Compares the live read models with all published aggregates, row by row, column by column; `offers`
/// has what properties were offered at, by key, the oldest first.
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
    for model in ReadModel::ALL {
        let expected = by_name(&expected.remove(&model).unwrap_or_default())?;
        let found = by_name(&model.stored(pool).await?)?;
        compare(model, expected, found, &mut differences);
    }
    Ok(differences)
}

type Rows = BTreeMap<String, Value>;

/// `rows` by what tells them apart, less what need not be equal.
fn by_name(rows: &[Row]) -> Result<Rows, Error> {
    let comparable = |row| -> serde_json::Result<(String, Value)> {
        let mut row = serde_json::to_value(row)?;
        let name = name_of(&row);
        if let Some(columns) = row.as_object_mut() {
            columns.retain(|column, _| !INCIDENTAL.contains(&column.as_str()));
            columns.values_mut().for_each(forget_placeholders);
        }
        Ok((name, row))
    };
    let rows: serde_json::Result<Rows> = rows.iter().map(comparable).collect();
    rows.map_err(|error| Error::Database(sqlx::Error::Encode(Box::new(error))))
}

/// Pictures wherever they stand, less their placeholders: those are ours, and the content service
/// knows nothing of them.
fn forget_placeholders(value: &mut Value) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(forget_placeholders),
        Value::Object(members) => {
            if members.contains_key("file") {
                members.remove("placeholder");
            }
            members.values_mut().for_each(forget_placeholders);
        }
        _ => {}
    }
}

fn name_of(row: &Value) -> String {
    let key = row["key"].as_str().unwrap_or_default();
    row["locale"].as_str().map_or_else(|| key.to_owned(), |locale| format!("{key}/{locale}"))
}

fn compare(model: ReadModel, expected: Rows, mut found: Rows, differences: &mut Vec<Difference>) {
    let mut note = |row: &str, column: Option<&String>, expected: &Value, found: &Value| {
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
                        note(&name, Some(column), value, &found[column]);
                    }
                }
            }
            (_, found) => note(&name, None, &expected, &found.unwrap_or_default()),
        }
    }
    for (name, found) in found {
        note(&name, None, &Value::Null, &found);
    }
}
