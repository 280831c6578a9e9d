//! Generations: complete sets of tables side by side, of which one is live.

use contracts::{Checkpoint, LedgerId, Sequence};
use event_log::{CheckpointStatus, Lineage};
use read_models::READ_MODEL_VERSION;
use sqlx::{AssertSqlSafe, PgConnection, PgPool, PgTransaction, query, query_scalar};

use crate::{error::Error, models::ReadModel};

/// The tables of a generation, and the views of them in `read`.
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
    /// The read model version of its tables.
    pub model_version: i32,
    /// The last position that was applied to it, with the ledger of the log.
    pub checkpoint: Checkpoint,
    /// Whether the views in `read` show it.
    pub live: bool,
}

impl Generation {
    /// Returns the name of the schema that has its tables.
    pub fn schema(&self) -> String {
        schema(self.number)
    }

    /// Begins a transaction whose search path starts with this generation's schema.
    pub(crate) async fn begin(&self, pool: &PgPool) -> Result<PgTransaction<'static>, Error> {
        let sql = format!("begin; set local search_path to {}", self.schema());
        Ok(pool.begin_with(AssertSqlSafe(sql)).await?)
    }

    /// Returns the live generation.
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

    /// Returns the generation that was live before, if it is retained and has this build's model version.
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

    /// Returns the numbers of the retained former generations, of any model version.
    pub(crate) async fn former_numbers(pool: &PgPool) -> Result<Vec<i32>, Error> {
        Ok(query_scalar!("select generation from read.checkpoint where former")
            .fetch_all(pool)
            .await?)
    }

    /// Creates a generation with empty tables.
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

    /// Collects the planner's statistics of the tables. Otherwise Postgres plans without statistics until
    /// autovacuum analyzes the tables, up to a minute after they are shown.
    pub(crate) async fn analyze(&self, pool: &PgPool) -> Result<(), Error> {
        let mut tables = ReadModel::NAMES.to_vec();
        tables.extend(["aggregate", "offer"]);
        let mut transaction = self.begin(pool).await?;
        let sql = format!("analyze {}", tables.join(", "));
        sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut *transaction).await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Reloads the checkpoint, and returns whether this generation is already live: a failed statement may
    /// have been committed. Also marks the generation as still being filled, so that no process drops it as
    /// abandoned.
    ///
    /// # Errors
    /// [`Error::Gone`] if it was dropped.
    pub(crate) async fn reload(&mut self, pool: &PgPool) -> Result<bool, Error> {
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

    /// Makes this generation live in place of the current one, atomically, and returns true.
    ///
    /// It does so if its position is at least that of the live generation, or if the live one has diverged:
    /// if that was built from a history that is no longer part of the log of `lineage`, neither positions nor
    /// dead letters can be compared. Otherwise it changes nothing and returns false, as it does when another
    /// generation was swapped in at the same moment; the caller then checks again.
    ///
    /// A new generation may not have more dead letters than a live one of the same model version. A live one
    /// of another version does not count: no build follows the log with it any longer, so refusing would
    /// mean that nothing new is ever shown.
    ///
    /// The generation that was live is retained as the former one if this build can show it again.
    ///
    /// # Errors
    /// [`Error::Paused`] while an operator has paused following, because this generation has later messages.
    /// [`Error::WorseRebuild`] if it has more dead letters than the live one.
    pub(crate) async fn swap_in(
        &self,
        pool: &PgPool,
        lineage: Option<&Lineage>,
    ) -> Result<bool, Error> {
        let mut transaction = pool.begin().await?;
        // Locks both rows, always in the same order, so that all writers of either wait.
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
        let live_checkpoint = Checkpoint {
            sequence: Sequence::from_i64(live.sequence),
            ledger: live.ledger.map(LedgerId),
        };
        let live_has_diverged = lineage.is_some_and(|lineage| {
            lineage.checkpoint_status(live_checkpoint) == CheckpointStatus::Diverged
        });
        if ours.sequence < live.sequence && !live_has_diverged {
            return Ok(false);
        }
        // Counted while both are locked, and only up to the position that both have read.
        let dead_letters = query!(
            r#"select count(*) filter (where c.live) as "live!",
                      count(*) filter (where not c.live) as "ours!"
               from read.dead_letter d join read.checkpoint c using (generation)
               where (c.live or generation = $1) and d.sequence <= $2"#,
            self.number,
            live.sequence,
        )
        .fetch_one(&mut *transaction)
        .await?;
        let is_comparable = !live_has_diverged && live.model_version == READ_MODEL_VERSION;
        if dead_letters.ours > dead_letters.live && is_comparable {
            return Err(Error::WorseRebuild {
                rebuilt: dead_letters.ours,
                live: dead_letters.live,
            });
        }
        query!("update read.checkpoint set former = false where former")
            .execute(&mut *transaction)
            .await?;
        query!(
            "update read.checkpoint set live = false, former = model_version = $1 and not $2
             where live",
            READ_MODEL_VERSION,
            live_has_diverged,
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
        // Replacing the views needs exclusive locks. Readers of the views queue behind this statement for as
        // long as it waits for other transactions, hence the timeout.
        sqlx::raw_sql("set local lock_timeout to '1s'").execute(&mut *transaction).await?;
        show(&mut transaction, self.number).await?;
        transaction.commit().await?;
        Ok(true)
    }

    /// Drops every generation that is neither live nor retained as the former one, and that has not been
    /// filled for a minute or whose number is in `also`.
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
            // Locks the row before the tables, like filling and swapping in do. The generation may have become
            // live since, or its fill job may have continued.
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

/// Migrates the schema `read`, and creates a first, empty, live generation if there is none.
///
/// The role of `pool` must be allowed to create schemas in its database. The role `almijara_query`, if it
/// exists, may only select from the views and tables in `read`.
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

/// Returns the name of the schema of generation `number`.
fn schema(number: i32) -> String {
    format!("read_{number:04}")
}

/// Creates the tables of the next generation and returns its number.
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
