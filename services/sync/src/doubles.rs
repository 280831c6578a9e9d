//! Doubles: redirects that lead from one address, which its editors spelt in two ways, so that the content
//! service took them both. The first stays, and the other is parked.

use std::collections::BTreeMap;

use content_client::{Part, Reading};
use contracts::{AggregateId, Collection, Locale, content::Snapshot, rules::OtherRule};
use runtime::postgres::answered;
use serde_json::json;
use sqlx::{Connection, PgConnection};

use crate::{Error, Sync};

/// What is wrong with a double, as it is parked.
const DOUBLE: &str = OtherRule::AddressOfItsOwn.words_in(Locale::En);
/// The advisory lock of whoever captures redirects; the letters `redirect` as a number.
const CAPTURE_LOCK: i64 = 0x7265_6469_7265_6374;

/// Waits until nobody else captures redirects, in this process or another: each is compared with the recorded
/// ones, and two that are compared side by side would both be recorded. The turn ends with the connection,
/// which is one of its own.
pub async fn turn(sync: &Sync) -> Result<PgConnection, Error> {
    let options = sync.ledger.pool().connect_options();
    let turn = Box::pin(async {
        let mut connection = PgConnection::connect_with(options.as_ref()).await?;
        sqlx::query_scalar!("select pg_advisory_lock($1)", CAPTURE_LOCK)
            .fetch_one(&mut connection)
            .await?;
        Ok::<_, sqlx::Error>(connection)
    });
    Ok(answered(turn).await?)
}

/// Makes of each redirect among `readings`, by key, that leads from where another does already one that
/// can't be shown. It is read again as soon as that other one changes.
pub async fn refuse(sync: &Sync, readings: Vec<(&str, &mut Reading)>) -> Result<(), Error> {
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
    let mut first = recorded(sync, &paths).await?;
    for (key, from, reading) in redirects {
        let shown = first.entry(from.clone()).or_insert_with(|| key.to_owned());
        if shown.as_str() != key {
            let violation = OtherRule::AddressOfItsOwn.broken("from_path", &json!(from));
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

/// The key of the redirect that is shown of each of `paths`. One that is parked as a double is about to lead
/// from elsewhere, and keeps no other away.
async fn recorded(sync: &Sync, paths: &[String]) -> Result<BTreeMap<String, String>, Error> {
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
        DOUBLE,
    );
    let rows = answered(recorded.fetch_all(sync.ledger.pool())).await?;
    Ok(rows.into_iter().map(|row| (row.from_path, row.key)).collect())
}
