//! Which collections were compared in full since the ledger got its identity.

use contracts::Collection;
use runtime::postgres::with_answer_timeout;
use uuid::Uuid;

use super::Ledger;
use crate::Error;

impl Ledger {
    /// Returns the ledger's identity; none before a relay led for the first time.
    pub(crate) async fn identity(&self) -> Result<Option<Uuid>, Error> {
        let identity =
            sqlx::query_scalar!("select ledger from ledger.epoch order by epoch desc limit 1");
        Ok(with_answer_timeout(identity.fetch_optional(&self.pool)).await?)
    }

    /// Records that all of `collection` was compared and that the differences are marked. This has no
    /// effect if the ledger no longer has the identity that it had when the comparison started,
    /// `identity_at_start`. If the ledger was restored from a copy in between, the relay detects that
    /// and deletes what was recorded under the earlier identity.
    pub(crate) async fn record_compared(
        &self,
        collection: Collection,
        identity_at_start: Option<Uuid>,
    ) -> Result<(), Error> {
        let recorded = sqlx::query!(
            "insert into ledger.compared (collection, ledger)
             select $1::text, $2::uuid
             where $2::uuid is null
                or $2::uuid = (select ledger from ledger.epoch order by epoch desc limit 1)
             on conflict (collection) do update set ledger = excluded.ledger",
            collection.name(),
            identity_at_start,
        );
        self.observe_write(with_answer_timeout(recorded.execute(&self.pool)).await)?;
        Ok(())
    }

    /// Returns whether all of `collection` was compared since the ledger got its identity.
    pub(crate) async fn is_compared(&self, collection: Collection) -> Result<bool, Error> {
        let compared = sqlx::query_scalar!(
            r#"select exists (
                select from ledger.compared as c
                where c.collection = $1 and (c.ledger is null or c.ledger = (
                    select e.ledger from ledger.epoch as e order by e.epoch desc limit 1))
             ) as "compared!""#,
            collection.name(),
        );
        Ok(with_answer_timeout(compared.fetch_one(&self.pool)).await?)
    }
}
