//! The statements that write and read the rows of each read model.
//!
//! Each statement sends its rows as one JSON array, which Postgres converts to columns
//! (`jsonb_populate_recordset`). So any number of rows takes one round trip.

use read_models::OfferRow;
use serde_json::{Map, Value};
use sqlx::{PgConnection, PgPool, query, query_scalar, types::Json};

use crate::{
    error::Error,
    models::{ReadModel, Row},
};

/// Deletes the rows of the aggregates `$gone` from the table `$table`, and inserts `$rows`.
macro_rules! replace {
    ($table:tt, $connection:expr, $gone:expr, $rows:expr) => {{
        if !$gone.is_empty() {
            query!("delete from " + $table + " where key = any($1)", $gone as &[&str])
                .execute(&mut *$connection)
                .await?;
        }
        if !$rows.is_empty() {
            query!(
                "insert into "
                    + $table
                    + " select * from jsonb_populate_recordset(null::"
                    + $table
                    + ", $1)",
                Json($rows) as _
            )
            .execute(&mut *$connection)
            .await?;
        }
    }};
}

/// Reads the rows of `read.$table`.
macro_rules! stored {
    ($table:tt, $variant:path, $pool:expr) => {
        query_scalar!("select to_jsonb(r) as \"row!\" from read." + $table + " as r")
            .fetch_all($pool)
            .await?
            .into_iter()
            .map(|row| serde_json::from_value(row).map($variant))
            .collect::<Result<Vec<_>, _>>()
    };
}

/// Reads the rows of `read.$table` with the key `$key`.
macro_rules! shown {
    ($table:tt, $pool:expr, $key:expr) => {
        query_scalar!(
            "select to_jsonb(r) as \"row!\" from read." + $table + " as r where r.key = $1",
            $key
        )
        .fetch_all($pool)
        .await?
    };
}

impl ReadModel {
    /// Deletes the rows of the aggregates with the keys `gone`, and inserts `rows`, in the tables that are
    /// first on the connection's search path.
    pub(crate) async fn replace(
        self,
        connection: &mut PgConnection,
        gone: &[&str],
        rows: &[&Row],
    ) -> Result<(), Error> {
        match self {
            Self::Property => replace!("property", connection, gone, rows),
            Self::Location => replace!("location", connection, gone, rows),
            Self::SiteSettings => replace!("site_settings", connection, gone, rows),
            Self::Navigation => replace!("navigation", connection, gone, rows),
            Self::Page => replace!("page", connection, gone, rows),
            Self::Article => replace!("article", connection, gone, rows),
            Self::Doc => replace!("doc", connection, gone, rows),
            Self::TeamMember => replace!("team_member", connection, gone, rows),
            Self::Redirect => replace!("redirect", connection, gone, rows),
        }
        Ok(())
    }

    /// Returns the live rows of the aggregate `key`, by column.
    pub(crate) async fn shown(
        self,
        pool: &PgPool,
        key: &str,
    ) -> Result<Vec<Map<String, Value>>, Error> {
        let rows = match self {
            Self::Property => shown!("property", pool, key),
            Self::Location => shown!("location", pool, key),
            Self::SiteSettings => shown!("site_settings", pool, key),
            Self::Navigation => shown!("navigation", pool, key),
            Self::Page => shown!("page", pool, key),
            Self::Article => shown!("article", pool, key),
            Self::Doc => shown!("doc", pool, key),
            Self::TeamMember => shown!("team_member", pool, key),
            Self::Redirect => shown!("redirect", pool, key),
        };
        let objects = rows.into_iter().filter_map(|row| match row {
            Value::Object(row) => Some(row),
            _ => None,
        });
        Ok(objects.collect())
    }

    /// Returns all live rows.
    pub(crate) async fn stored(self, pool: &PgPool) -> Result<Vec<Row>, Error> {
        let rows = match self {
            Self::Property => stored!("property", Row::Property, pool),
            Self::Location => stored!("location", Row::Location, pool),
            Self::SiteSettings => stored!("site_settings", Row::SiteSettings, pool),
            Self::Navigation => stored!("navigation", Row::Navigation, pool),
            Self::Page => stored!("page", Row::Page, pool),
            Self::Article => stored!("article", Row::Article, pool),
            Self::Doc => stored!("doc", Row::Doc, pool),
            Self::TeamMember => stored!("team_member", Row::TeamMember, pool),
            Self::Redirect => stored!("redirect", Row::Redirect, pool),
        };
        rows.map_err(|error| Error::Database(sqlx::Error::Decode(Box::new(error))))
    }
}

/// Adds `offers` to the price history; those already stored stay as they are.
pub(crate) async fn add_offers(
    connection: &mut PgConnection,
    offers: &[OfferRow],
) -> Result<(), Error> {
    if offers.is_empty() {
        return Ok(());
    }
    query!(
        "insert into offer select * from jsonb_populate_recordset(null::offer, $1)
         on conflict do nothing",
        Json(offers) as _
    )
    .execute(connection)
    .await?;
    Ok(())
}
