//! A stack that has nothing left to do.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use contracts::Collection;
use sqlx::{Connection, PgConnection};

use super::{Stack, patient};

/// How long all that was published may take to be through, the placeholders of its pictures too.
const REST_LIMIT: Duration = Duration::from_mins(2);

impl Stack {
    /// Waits until sync has compared everything and has nothing left to do, and the read API stands where
    /// the log ends: placeholders are made behind the first publish of what shows them, and are one more
    /// version of it. Of a ledger that was at rest before, what is compared at the start may differ.
    pub async fn wait_at_rest(&self) -> Result<()> {
        let mut ledger = self.ledger().await?;
        let collections = i64::try_from(Collection::ALL.len())?;
        let limit = patient(REST_LIMIT);
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
            // A query node may be starting again.
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

    /// Has the ledger know of no comparison: whoever starts with a copy of it is at rest only after one of
    /// their own.
    pub(super) async fn forget_comparisons(&self) -> Result<()> {
        let mut ledger = self.ledger().await?;
        sqlx::query("delete from ledger.compared").execute(&mut ledger).await?;
        Ok(())
    }

    /// A connection to the ledger, as its owner.
    pub async fn ledger(&self) -> Result<PgConnection> {
        let url = self.operators_environment()?.remove("SYNC_DATABASE_URL");
        Ok(PgConnection::connect(&url.context("the ledger has an address")?).await?)
    }
}
