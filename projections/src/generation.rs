//! Generations: one set of tables beside another, and which of them is shown.

use contracts::{Checkpoint, LedgerId, READ_MODEL_VERSION, Sequence};
use event_log::{Lineage, Standing};
use sqlx::{AssertSqlSafe, PgConnection, PgPool, PgTransaction, query, query_scalar};

use crate::{error::Error, models::ReadModel};

/// The tables of a generation, and what `read` shows of them.
const TABLES: &str = include_str!("../tables.sql");
const VIEWS: &str = include_str!("../views.sql");
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

    /// Begins a transaction that has this generation's tables first on its search path.
    pub(crate) async fn begin(&self, pool: &PgPool) -> Result<PgTransaction<'static>, Error> {
        let sql = format!("begin; set local search_path to {}", self.schema());
        Ok(pool.begin_with(AssertSqlSafe(sql)).await?)
    }

    /// The live one.
    pub(crate) async fn live(pool: &PgPool) -> Result<Self, Error> {
        let row = query!(
            "select generation, model_version, sequence, ledger, live
             from read.checkpoint where live"
        )
        .fetch_one(pool)
        .await?;
        Ok(Self {
            number: row.generation,
            model_version: row.model_version,
            checkpoint: Checkpoint {
                sequence: Sequence::from_i64(row.sequence),
                ledger: row.ledger.map(LedgerId),
            },
            live: row.live,
        })
    }

    /// The one that was live before, if it is kept and of this build's form.
    pub(crate) async fn former(pool: &PgPool) -> Result<Option<Self>, Error> {
        let row = query!(
            "select generation, model_version, sequence, ledger from read.checkpoint
             where former and not live and model_version = $1",
            READ_MODEL_VERSION,
        )
        .fetch_optional(pool)
        .await?;
        Ok(row.map(|row| Self {
            number: row.generation,
            model_version: row.model_version,
            checkpoint: Checkpoint {
                sequence: Sequence::from_i64(row.sequence),
                ledger: row.ledger.map(LedgerId),
            },
            live: false,
        }))
    }

    /// The numbers of those that are kept as [`Self::former`], of whatever form.
    pub(crate) async fn formers(pool: &PgPool) -> Result<Vec<i32>, Error> {
        Ok(query_scalar!("select generation from read.checkpoint where former")
            .fetch_all(pool)
            .await?)
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

    /// Has Postgres look at what the tables hold. Without that it plans by guesses until it looks by
    /// itself, up to a minute after they are shown.
    pub(crate) async fn analyze(&self, pool: &PgPool) -> Result<(), Error> {
        let mut tables = ReadModel::ALL.map(ReadModel::name).to_vec();
        tables.extend(["aggregate", "offer"]);
        let mut transaction = self.begin(pool).await?;
        let sql = format!("analyze {}", tables.join(", "));
        sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut *transaction).await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Finds out where it stands, and whether it is shown already: of what failed nobody knows whether it
    /// was done. It also says that it is still being filled, so that nobody drops it as abandoned.
    ///
    /// # Errors
    /// [`Error::Gone`] where it is no more.
    pub(crate) async fn resume(&mut self, pool: &PgPool) -> Result<bool, Error> {
        let row = query!(
            "update read.checkpoint set updated_at = now() where generation = $1
             returning sequence, ledger, live",
            self.number,
        )
        .fetch_optional(pool)
        .await?
        .ok_or(Error::Gone)?;
        self.checkpoint = Checkpoint {
            sequence: Sequence::from_i64(row.sequence),
            ledger: row.ledger.map(LedgerId),
        };
        Ok(row.live)
    }

    /// Shows this one in place of the live one, in one step, if it stands at least where that does, or
    /// that is lost: made of a history that is no part of the log of `lineage`, so that neither its
    /// position nor what it put aside can be compared. Else changes nothing and says false, as where
    /// another was shown in the same moment: which one is live is looked at again then.
    ///
    /// One of another form is no measure of what may be put aside: nobody goes on with it, so that to
    /// refuse would be to show nothing new any more.
    ///
    /// The one that was live becomes the former one, where this build can show it again.
    ///
    /// # Errors
    /// [`Error::Paused`] while an operator has paused what is shown: this one has what came since.
    pub(crate) async fn swap_in(
        &self,
        pool: &PgPool,
        lineage: Option<&Lineage>,
    ) -> Result<bool, Error> {
        let mut transaction = pool.begin().await?;
        // Both rows are locked in one order, so that whoever writes either waits.
        let rows = query!(
            "select sequence, ledger, revision, live, model_version, paused_since
             from read.checkpoint where live or generation = $1
             order by generation for update",
            self.number,
        )
        .fetch_all(&mut *transaction)
        .await?;
        let (shown, filled): (Vec<_>, Vec<_>) = rows.into_iter().partition(|row| row.live);
        let (Some(live), Some(ours)) = (shown.first(), filled.first()) else { return Ok(false) };
        if live.paused_since.is_some() {
            return Err(Error::Paused);
        }
        let stood = Checkpoint {
            sequence: Sequence::from_i64(live.sequence),
            ledger: live.ledger.map(LedgerId),
        };
        let live_is_lost =
            lineage.is_some_and(|lineage| lineage.standing(stood) == Standing::Diverged);
        if ours.sequence < live.sequence && !live_is_lost {
            return Ok(false);
        }
        // Counted once both stand still, and of what both have read.
        let put_aside = query!(
            r#"select count(*) filter (where c.live) as "live!",
                      count(*) filter (where not c.live) as "ours!"
               from read.dead_letter d join read.checkpoint c using (generation)
               where (c.live or generation = $1) and d.sequence <= $2"#,
            self.number,
            live.sequence,
        )
        .fetch_one(&mut *transaction)
        .await?;
        let is_comparable = !live_is_lost && live.model_version == READ_MODEL_VERSION;
        if put_aside.ours > put_aside.live && is_comparable {
            return Err(Error::WorseRebuild { rebuilt: put_aside.ours, live: put_aside.live });
        }
        query!("update read.checkpoint set former = false where former")
            .execute(&mut *transaction)
            .await?;
        query!(
            "update read.checkpoint set live = false, former = model_version = $1 and not $2
             where live",
            READ_MODEL_VERSION,
            live_is_lost,
        )
        .execute(&mut *transaction)
        .await?;
        query!(
            "update read.checkpoint set live = true, revision = $2 where generation = $1",
            self.number,
            live.revision + 1,
        )
        .execute(&mut *transaction)
        .await?;
        // Whoever reads what is shown waits behind this one, for as long as it waits for others.
        sqlx::raw_sql("set local lock_timeout to '1s'").execute(&mut *transaction).await?;
        show(&mut transaction, self.number).await?;
        transaction.commit().await?;
        Ok(true)
    }

    /// Drops the tables of every generation that is neither shown nor kept as the former one, and that
    /// nobody has been filling for a minute, or whose number is among `also`.
    pub(crate) async fn drop_others(pool: &PgPool, also: &[i32]) -> Result<(), Error> {
        let abandoned = query_scalar!(
            "select generation from read.checkpoint
             where not live and not former
               and (generation = any($1) or updated_at < now() - interval '1 minute')
             order by generation",
            also,
        )
        .fetch_all(pool)
        .await?;
        for number in abandoned {
            let mut transaction = pool.begin().await?;
            // The row is locked before the tables, as by whoever fills them or shows them: it may
            // have been shown since, or somebody goes on with it.
            let still_abandoned = query_scalar!(
                "select generation from read.checkpoint
                 where generation = $1 and not live and not former
                   and (generation = any($2) or updated_at < now() - interval '1 minute')
                 for update",
                number,
                also,
            )
            .fetch_optional(&mut *transaction)
            .await?;
            if still_abandoned.is_none() {
                continue;
            }
            let schema = schema(number);
            let sql = format!(
                "drop schema if exists {schema} cascade;
                 delete from read.checkpoint where generation = {number}"
            );
            sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut *transaction).await?;
            transaction.commit().await?;
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
    runtime::migrations::migrate(sqlx::migrate!("./migrations"), "read", pool).await?;

    let mut transaction = pool.begin().await?;
    // Several processes may start at once; the lock ends with the transaction.
    query!("lock table read.checkpoint in exclusive mode").execute(&mut *transaction).await?;
    let any_live =
        query_scalar!(r#"select exists (select from read.checkpoint where live) as "live!""#)
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

/// The schema of the tables of generation `number`.
fn schema(number: i32) -> String {
    format!("read_{number:04}")
}

/// Makes the tables of the next generation and gives its number.
async fn create_tables(connection: &mut PgConnection, live: bool) -> Result<i32, Error> {
    let number = query_scalar!(
        "insert into read.checkpoint (generation, model_version, live)
         select coalesce(max(generation), 0) + 1, $1, $2 from read.checkpoint
         returning generation",
        READ_MODEL_VERSION,
        live,
    )
    .fetch_one(&mut *connection)
    .await?;
    let schema = schema(number);
    let sql = format!("create schema {schema}; set local search_path to {schema}; {TABLES}");
    sqlx::raw_sql(AssertSqlSafe(sql)).execute(connection).await?;
    Ok(number)
}

/// Points the views of `read` at generation `number`.
async fn show(connection: &mut PgConnection, number: i32) -> Result<(), Error> {
    let schema = schema(number);
    let sql = format!("set local search_path to {schema}; {VIEWS}; {GRANT_TO_QUERY}");
    sqlx::raw_sql(AssertSqlSafe(sql)).execute(connection).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of the tables as [`READ_MODEL_VERSION`] has them. A build whose tables differ from those that
    /// are live, under the same version, would fail at every statement. What is written to them has a
    /// fingerprint too, in `tests/it/rows.rs`.
    const FINGERPRINT: &str = "c8e5d92d0d30e433";

    #[test]
    fn tables_that_changed_have_another_version() {
        let statements: Vec<&str> = [TABLES, VIEWS]
            .iter()
            .flat_map(|sql| sql.lines())
            .map(|line| line.split("--").next().unwrap_or_default())
            .flat_map(str::split_whitespace)
            .collect();
        let fingerprint = blake3::hash(statements.join(" ").as_bytes()).to_hex();
        assert_eq!(
            &fingerprint[..16],
            FINGERPRINT,
            "the read models' tables have changed: raise READ_MODEL_VERSION and keep this here"
        );
    }
}
