//! Duplicate redirects: redirects from the same address, which editors spelled in two ways, so that the
//! content service accepted both. The first one stays, and the other is parked.

use content_client::{Part, Reading};
use contracts::{AggregateId, Collection, content::Snapshot, rules::OtherRule};
use serde_json::json;

use crate::{Error, Ledger};

/// Makes every redirect in `readings`, which are by key, invalid if another redirect from the same
/// address is shown already. It is read again as soon as that other one changes.
pub async fn invalidate_duplicates(
    ledger: &Ledger,
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
    let mut shown_by_path = ledger.redirects_from(&paths).await?;
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
