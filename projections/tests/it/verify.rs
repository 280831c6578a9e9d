//! Comparing rows with content finds exactly the differences.

use std::collections::BTreeMap;

use contracts::{AggregateId, Collection, Offer, content::Snapshot};
use projections::{ReadModel, verify::differences};
use serde_json::json;
use sqlx::Executor as _;

use crate::fixtures::{apply_all, database, day, home, id, place, upserted};

#[tokio::test]
async fn differing_columns_and_missing_or_extra_rows_are_reported() {
    let (pool, mut generation) = database("verify").await;
    let torrox = AggregateId::new(Collection::Locations, "9");
    let mut content = vec![
        (id("1"), Snapshot::Properties(home("AH-1", "nerja", 100))),
        (id("2"), Snapshot::Properties(home("AH-2", "nerja", 200))),
        (torrox, place("torrox")),
    ];
    let events: Vec<_> =
        content.iter().map(|(id, snapshot)| upserted(id, 1, snapshot.clone())).collect();
    apply_all(&pool, &mut generation, &events).await;
    let offers: BTreeMap<String, Vec<Offer>> =
        events.iter().map(|event| (event.aggregate.key.clone(), event.offers.clone())).collect();
    let compare = async |content: &[(AggregateId, Snapshot)]| {
        let published = content.iter().map(|(id, snapshot)| (id, snapshot));
        differences(&pool, published, &offers).await.expect("the tables can be read")
    };
    if let Snapshot::Properties(home) = &mut content[0].1 {
        // The content service updates this even when a save changes nothing.
        home.updated_at = day(9);
        // The content service does not have placeholders.
        home.images[0].placeholder = None;
    }
    assert_eq!(compare(&content).await, vec![]);

    pool.execute("update read_0001.property set price = 99 where key = '1' and locale = 'es'")
        .await
        .expect("the table can be spoiled");
    pool.execute("delete from read_0001.property where key = '2' and locale = 'en'")
        .await
        .expect("the table can be spoiled");
    content.pop();
    let found = compare(&content).await;
    let reported: Vec<_> = found
        .iter()
        .map(|difference| (difference.model, difference.row.as_str(), difference.column.as_deref()))
        .collect();
    assert_eq!(
        reported,
        [
            (ReadModel::Property, "1/es", Some("price")),
            (ReadModel::Property, "2/en", None),
            (ReadModel::Location, "9/en", None),
            (ReadModel::Location, "9/es", None),
        ]
    );
    assert_eq!((&found[0].expected, &found[0].found), (&json!(100), &json!(99)));
}
