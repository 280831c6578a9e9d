//! Redirects: which one is shown for an address, and the lock for capturing them.

use std::collections::BTreeMap;

use contracts::{Collection, Locale, rules::OtherRule};
use runtime::postgres::with_answer_timeout;
use sqlx::PgConnection;

use super::Ledger;
use crate::Error;

/// The rule that a duplicate is parked for.
const DUPLICATE_RULE: &str = OtherRule::UniqueAddress.words_in(Locale::En);
/// The advisory lock that is held while redirects are captured; the letters `redirect` as a number.
const CAPTURE_LOCK: i64 = 0x7265_6469_7265_6374;

impl Ledger {
    /// Takes the lock for capturing redirects, in this process and all others: each redirect is compared
    /// with the recorded ones, and two that are compared concurrently would both be recorded. The lock is
    /// released with the returned connection, which is not from the pool.
    pub(crate) async fn lock_redirects(&self) -> Result<PgConnection, Error> {
        let locked = Box::pin(async {
            let mut connection = self.connect().await?;
            sqlx::query_scalar!("select pg_advisory_lock($1)", CAPTURE_LOCK)
                .fetch_one(&mut connection)
                .await?;
            Ok::<_, sqlx::Error>(connection)
        });
        Ok(with_answer_timeout(locked).await?)
    }

    /// Returns the key of the redirect that is shown for each of `paths`. A redirect that is parked as a
    /// duplicate is moving to another address, and does not block its old one.
    pub(crate) async fn redirects_from(
        &self,
        paths: &[String],
    ) -> Result<BTreeMap<String, String>, Error> {
        let recorded = sqlx::query!(
            r#"select e.change->'snapshot'->>'fromPath' as "from_path!", min(a.key) as "key!"
           from ledger.aggregate as a join ledger.entry as e using (collection, key, version)
           where a.collection = $1 and a.hash is not null
             and e.change->'snapshot'->>'fromPath' = any($2)
             and not exists (select from ledger.parked as p
                             where p.collection = a.collection and p.key = a.key
                                and p.violations->0->>'rule' = $3)
           group by 1"#,
            Collection::Redirects.name(),
            paths,
            DUPLICATE_RULE,
        );
        let rows = with_answer_timeout(recorded.fetch_all(&self.pool)).await?;
        Ok(rows.into_iter().map(|row| (row.from_path, row.key)).collect())
    }
}
