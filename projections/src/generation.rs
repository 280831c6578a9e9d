//! Generations: one set of tables beside another, and which of them is shown.

use std::fmt::Write as _;

use sqlx::{AssertSqlSafe, PgConnection, PgPool, Row as _};

use contracts::{Checkpoint, LedgerId, READ_MODEL_VERSION, Sequence};

use crate::{
    error::Error,
    models::{ReadModel, offer},
    table::Table,
};

/// The role that the query service connects as, if it exists.
const GRANT_TO_QUERY: &str = "
    do $$ begin
        if exists (select from pg_roles where rolname = 'almijara_query') then
            grant usage on schema read to almijara_query;
            grant select on all tables in schema read to almijara_query;
        end if;
    end $$";

/// One generation of tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generation {
    /// Its number.
    pub number: i32,
    /// The form of its tables.
    pub model_version: i32,
    /// The last position whose effect it has, and whose log that is of.
    pub checkpoint: Checkpoint,
    /// Whether it is the one that is shown.
    pub live: bool,
}

impl Generation {
    /// The schema of its tables.
    pub fn schema(&self) -> String {
        schema(self.number)
    }

    /// The live one.
    pub(crate) async fn live(pool: &PgPool) -> Result<Self, Error> {
        let row = sqlx::query(
            "select generation, model_version, sequence, ledger, live from read.checkpoint where live",
        )
        .fetch_one(pool)
        .await?;
        Ok(Self {
            number: row.try_get(0)?,
            model_version: row.try_get(1)?,
            checkpoint: Checkpoint {
                sequence: Sequence::from_i64(row.try_get(2)?),
                ledger: row.try_get::<Option<_>, _>(3)?.map(LedgerId),
            },
            live: row.try_get(4)?,
        })
    }

    /// A new one with empty tables, beside those that are.
    pub(crate) async fn create(pool: &PgPool) -> Result<Self, Error> {
        let mut transaction = pool.begin().await?;
        let number = create_tables(&mut transaction, false).await?;
        transaction.commit().await?;
        Ok(Self {
            number,
            model_version: READ_MODEL_VERSION,
            checkpoint: Checkpoint::START,
            live: false,
        })
    }

    /// Shows this one in place of the live one, in one step, if it stands at least where that does,
    /// or `live_is_lost`: made of a history that is part of no log any more, so that neither its
    /// position nor what it put aside can be compared. Else changes nothing and says false. The
    /// former one's tables stay.
    pub(crate) async fn swap_in(&self, pool: &PgPool, live_is_lost: bool) -> Result<bool, Error> {
        let mut transaction = pool.begin().await?;
        // Both rows are locked in one order, so that whoever writes either waits.
        let rows = sqlx::query(
            "select sequence, revision, live,
                    (select count(*) from read.dead_letter d where d.generation = c.generation)
             from read.checkpoint c where live or generation = $1
             order by generation for update",
        )
        .bind(self.number)
        .fetch_all(&mut *transaction)
        .await?;
        let mut ours: (i64, i64) = (i64::MIN, 0);
        let mut live: (i64, i64) = (i64::MAX, 0);
        let mut revision: i64 = 0;
        for row in rows {
            let state = (row.try_get(0)?, row.try_get(3)?);
            if row.try_get(2)? {
                live = state;
                revision = row.try_get(1)?;
            } else {
                ours = state;
            }
        }
        if ours.0 < live.0 && !live_is_lost {
            return Ok(false);
        }
        if ours.1 > live.1 && !live_is_lost {
            return Err(Error::WorseRebuild { rebuilt: ours.1, live: live.1 });
        }
        sqlx::query("update read.checkpoint set live = false where live")
            .execute(&mut *transaction)
            .await?;
        sqlx::query("update read.checkpoint set live = true, revision = $2 where generation = $1")
            .bind(self.number)
            .bind(revision + 1)
            .execute(&mut *transaction)
            .await?;
        show(&mut transaction, self.number).await?;
        transaction.commit().await?;
        Ok(true)
    }

    /// Drops the tables of every generation that is not shown and that nobody has been filling
    /// for a minute, or that was shown before `self`.
    pub(crate) async fn drop_others(pool: &PgPool, also: &[i32]) -> Result<(), Error> {
        let abandoned: Vec<i32> = sqlx::query_scalar(
            "select generation from read.checkpoint
             where not live
               and (generation = any($1) or updated_at < now() - interval '1 minute')",
        )
        .bind(also)
        .fetch_all(pool)
        .await?;
        for number in abandoned {
            let schema = schema(number);
            let sql = format!(
                "drop schema if exists {schema} cascade;
                 delete from read.checkpoint where generation = {number} and not live"
            );
            sqlx::raw_sql(AssertSqlSafe(sql)).execute(pool).await?;
            tracing::info!(%schema, "dropped a generation of read models");
        }
        Ok(())
    }
}

/// Brings the schema `read` up to date, and shows a first, empty generation where there is none.
///
/// The role of `pool` must be allowed to create schemas in its database. `almijara_query`, if it
/// exists, may select from what `read` shows, and nothing else.
pub async fn migrate(pool: &PgPool) -> Result<(), Error> {
    let mut migrator = sqlx::migrate!("./migrations");
    migrator.create_schema("read");
    migrator.dangerous_set_table_name("read.migration");
    migrator.run(pool).await?;

    let mut transaction = pool.begin().await?;
    // Several processes may start at once; the lock ends with the transaction.
    sqlx::query("lock table read.checkpoint in exclusive mode").execute(&mut *transaction).await?;
    let any_live: bool =
        sqlx::query_scalar("select exists (select from read.checkpoint where live)")
            .fetch_one(&mut *transaction)
            .await?;
    if !any_live {
        let number = create_tables(&mut transaction, true).await?;
        show(&mut transaction, number).await?;
    }
    sqlx::raw_sql(GRANT_TO_QUERY).execute(&mut *transaction).await?;
    transaction.commit().await?;
    Ok(())
}

/// The tables that are shown: the read models, and their history.
fn tables() -> impl Iterator<Item = &'static Table> {
    ReadModel::ALL.into_iter().map(ReadModel::table).chain([&offer::TABLE])
}

fn schema(number: i32) -> String {
    format!("read_{number:04}")
}

/// The statements that make the tables of a generation in `schema`.
fn definition(schema: &str) -> String {
    let mut sql = format!(
        "create schema {schema};
         create table {schema}.aggregate (
             collection text not null,
             key text not null,
             -- Stays when the aggregate goes, so that nothing late brings it back.
             version bigint not null,
             removed boolean not null,
             tags text[] not null,
             counted_in text,
             -- The pictures that it shows, each as <file>/<version>.
             pictures text[] collate \"C\" not null,
             primary key (collection, key)
         );
         create index on {schema}.aggregate using gin (pictures);"
    );
    for table in tables() {
        sql.push_str(&table.create(schema));
    }
    sql
}

/// Makes the tables of the next generation and gives its number.
async fn create_tables(connection: &mut PgConnection, live: bool) -> Result<i32, Error> {
    let number: i32 = sqlx::query_scalar(
        "insert into read.checkpoint (generation, model_version, live)
         select coalesce(max(generation), 0) + 1, $1, $2 from read.checkpoint
         returning generation",
    )
    .bind(READ_MODEL_VERSION)
    .bind(live)
    .fetch_one(&mut *connection)
    .await?;
    sqlx::raw_sql(AssertSqlSafe(definition(&schema(number)))).execute(connection).await?;
    Ok(number)
}

/// Points the views of `read` at generation `number`.
async fn show(connection: &mut PgConnection, number: i32) -> Result<(), Error> {
    let schema = schema(number);
    let mut sql = String::new();
    for table in tables() {
        sql.push_str("drop view if exists read.");
        sql.push_str(table.name);
        sql.push(';');
        sql.push_str(&table.create_view(&schema));
    }
    // By which a picture is known to be public. What shows it comes with its own tag first.
    let _ok = write!(
        sql,
        "drop view if exists read.shown;
         create view read.shown as
             select collection, key, tags, pictures from {schema}.aggregate where not removed;"
    );
    sql.push_str(GRANT_TO_QUERY);
    sqlx::raw_sql(AssertSqlSafe(sql)).execute(connection).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of the tables as [`READ_MODEL_VERSION`] has them. A build whose tables differ from those that
    /// are live, under the same version, would fail at every statement.
    const FINGERPRINT: &str = "06d4344b4b231ab7";

    #[test]
    fn tables_that_changed_have_another_version() {
        let fingerprint = blake3::hash(definition("read").as_bytes()).to_hex();
        assert_eq!(
            &fingerprint[..16],
            FINGERPRINT,
            "the read models' tables have changed: raise READ_MODEL_VERSION and keep this here"
        );
    }
}
