//! Waits until a stack has nothing left to do.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use contracts::Collection;
use sqlx::{Connection, PgConnection};

use super::{Stack, scaled};

/// How long a stack may take to process everything that was published, including pictures' placeholders.
const IDLE_LIMIT: Duration = Duration::from_mins(2);

impl Stack {
    /// Waits until sync has compared everything and has nothing left to do, and the read API is at the
    /// end of the log. Placeholders are made after the first publish of what shows them, and lead to
    /// another version of it. Even if the ledger was idle before, the comparison at the start may find
    /// differences.
    pub async fn wait_until_idle(&self) -> Result<()> {
        let mut ledger = self.ledger().await?;
        let collections = i64::try_from(Collection::ALL.len())?;
        let limit = scaled(IDLE_LIMIT);
        let deadline = Instant::now() + limit;
        while Instant::now() < deadline {
            let end: Option<i64> = sqlx::query_scalar(
                "select max(sequence) from ledger.entry
                 having (select count(*) from ledger.compared) >= $1
                     and not exists (
                         select from ledger.part
                         left join ledger.placeholder on file::text = part_key
                         where part_collection = 'directus_files' and webp is null and unreadable is null)
                     and not exists (select from ledger.aggregate where dirty_gen > clean_gen)
                     and not exists (select from ledger.outbox)",
            )
            .bind(collections)
            .fetch_optional(&mut ledger)
            .await?;
            // A query node may be restarting.
            if end.is_some()
                && let Ok(list) = self.api("/api/properties").await
                && list["sequence"].as_i64() == end
            {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        bail!("the stack did not come to rest within {limit:?}")
    }

    /// Deletes the ledger's record of comparisons, so that a stack that starts on a copy of it is idle
    /// only after it has compared everything itself.
    pub(super) async fn forget_comparisons(&self) -> Result<()> {
        let mut ledger = self.ledger().await?;
        sqlx::query("delete from ledger.compared").execute(&mut ledger).await?;
        Ok(())
    }

    /// Connects to the ledger as its owner.
    pub async fn ledger(&self) -> Result<PgConnection> {
        let url = self.operator_environment()?.remove("SYNC_DATABASE_URL");
        Ok(PgConnection::connect(&url.context("the ledger has an address")?).await?)
    }
}
