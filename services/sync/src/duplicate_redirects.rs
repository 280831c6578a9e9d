//! Duplicate redirects: redirects from the same address, which editors spelled in two ways, so that the
//! content service accepted both. The first one stays, and the other is parked.

use std::collections::BTreeMap;

use content_client::{Part, Reading};
use contracts::{AggregateId, Collection, Locale, content::Snapshot, rules::OtherRule};
use runtime::postgres::with_answer_timeout;
use serde_json::json;
use sqlx::{Connection, PgConnection};

use crate::{Error, Sync};

/// The rule that a duplicate is parked for.
const DUPLICATE_RULE: &str = OtherRule::UniqueAddress.words_in(Locale::En);
/// The advisory lock that is held while redirects are captured; the letters `redirect` as a number.
const CAPTURE_LOCK: i64 = 0x7265_6469_7265_6374;

/// Takes the lock for capturing redirects, in this process and all others: each redirect is compared
/// with the recorded ones, and two that are compared concurrently would both be recorded. The lock is
/// released with the returned connection, which is not from the pool.
pub async fn lock(sync: &Sync) -> Result<PgConnection, Error> {
    let options = sync.ledger.pool().connect_options();
    let locked = Box::pin(async {
        let mut connection = PgConnection::connect_with(options.as_ref()).await?;
        sqlx::query_scalar!("select pg_advisory_lock($1)", CAPTURE_LOCK)
            .fetch_one(&mut connection)
            .await?;
        Ok::<_, sqlx::Error>(connection)
    });
    Ok(with_answer_timeout(locked).await?)
}

/// Makes every redirect in `readings`, which are by key, invalid if another redirect from the same
/// address is shown already. It is read again as soon as that other one changes.
pub async fn invalidate_duplicates(
    sync: &Sync,
    readings: Vec<(&str, &mut Reading)>,
) -> Result<(), Error> {
    let redirects: Vec<(&str, String, &mut Reading)> = readings
        .into_iter()
        .filter_map(|(key, reading)| {
            let from = from_path(reading)?.to_owned();
            Some((key, from, reading))
        })
        .collect();
    if redirects.is_empty() {
        return Ok(());
    }
    let paths: Vec<String> = redirects.iter().map(|(_, from, _)| from.clone()).collect();
    let mut shown_by_path = shown(sync, &paths).await?;
    for (key, from, reading) in redirects {
        let shown = shown_by_path.entry(from.clone()).or_insert_with(|| key.to_owned());
        if shown.as_str() != key {
            let violation = OtherRule::UniqueAddress.broken("from_path", &json!(from));
            let shown = AggregateId::new(Collection::Redirects, shown.clone());
            let (violations, parts) = (vec![violation], vec![Part::Aggregate(shown)]);
            *reading = Reading::Invalid { violations, parts };
        }
    }
    Ok(())
}

fn from_path(reading: &Reading) -> Option<&str> {
    match reading.snapshot()? {
        Snapshot::Redirects(redirect) => Some(&redirect.from_path),
        _ => None,
    }
}

/// Returns the key of the redirect that is shown for each of `paths`. A redirect that is parked as a
/// duplicate is moving to another address, and does not block its old one.
async fn shown(sync: &Sync, paths: &[String]) -> Result<BTreeMap<String, String>, Error> {
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
    let rows = with_answer_timeout(recorded.fetch_all(sync.ledger.pool())).await?;
    Ok(rows.into_iter().map(|row| (row.from_path, row.key)).collect())
}
