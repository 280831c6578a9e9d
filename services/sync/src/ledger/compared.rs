//! Which collections were compared in full since the ledger has its identity.

use contracts::Collection;
use runtime::postgres::answered;
use uuid::Uuid;

use super::Ledger;
use crate::Error;

impl Ledger {
    /// The ledger's identity; none before a relay led for the first time.
    pub async fn identity(&self) -> Result<Option<Uuid>, Error> {
        let identity =
            sqlx::query_scalar!("select ledger from ledger.epoch order by epoch desc limit 1");
        Ok(answered(identity.fetch_optional(&self.pool)).await?)
    }

    /// All of `collection` was compared, and what differs is marked. It counts for nothing where the
    /// ledger is not the one any more that it was when that `began`. A copy that came back in between is
    /// found out by the relay, which forgets what was noted under the identity of before.
    pub async fn note_compared(
        &self,
        collection: Collection,
        began: Option<Uuid>,
    ) -> Result<(), Error> {
        let noted = sqlx::query!(
            "insert into ledger.compared (collection, ledger)
             select $1::text, $2::uuid
             where $2::uuid is null
                or $2::uuid = (select ledger from ledger.epoch order by epoch desc limit 1)
             on conflict (collection) do update set ledger = excluded.ledger",
            collection.name(),
            began,
        );
        self.noted(answered(noted.execute(&self.pool)).await)?;
        Ok(())
    }

    /// Whether all of `collection` was compared since the ledger has its identity.
    pub async fn is_compared(&self, collection: Collection) -> Result<bool, Error> {
        let compared = sqlx::query_scalar!(
            r#"select exists (
                select from ledger.compared as c
                where c.collection = $1 and (c.ledger is null or c.ledger = (
                    select e.ledger from ledger.epoch as e order by e.epoch desc limit 1))
             ) as "compared!""#,
            collection.name(),
        );
        Ok(answered(compared.fetch_one(&self.pool)).await?)
    }
}
