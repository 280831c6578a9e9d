//! The activity log.

use chrono::{DurationRound as _, TimeDelta, Utc};
use content_client::{Activity, ActivityWindow};
use serde_json::json;
use testkit::eventually;

use crate::service::{Edit, Service};

pub async fn a_save_is_in_the_activity_log(service: &Service) {
    let client = service.client();
    // The window includes its complete first millisecond.
    let millisecond = TimeDelta::milliseconds(1);
    let since = Utc::now().duration_trunc(millisecond).expect("a time") - TimeDelta::seconds(2);
    let window = ActivityWindow { since, after: None, limit: 1_000 };
    // The item itself may have been created just now.
    let before = client.activity(&window).await.expect("the log").last().map(|row| row.id);
    for price in [111_111, 222_222] {
        let fields = json!({ "price": price });
        service.edit(Edit::Update { collection: "properties", key: json!(11), fields }).await;
        let read = |reading: &content_client::Reading| {
            serde_json::to_value(reading.snapshot()).is_ok_and(|json| json["price"] == price)
        };
        let what = "the price is read";
        service.eventually_read(what, contracts::Collection::Properties, "11", read).await;
    }
    let is_the_update = |row: &&Activity| {
        row.collection == "properties" && row.item == "11" && Some(row.id) > before
    };
    let rows = eventually("both saves are in the log", async || {
        let rows = client.activity(&window).await.expect("the log");
        (rows.iter().filter(is_the_update).count() == 2).then_some(rows)
    })
    .await;
    assert!(rows.is_sorted_by_key(|row| row.id), "rows are sorted by id");
    assert!(rows.iter().all(|row| row.timestamp >= since));

    let first = rows.iter().find(is_the_update).expect("the first of the two");
    let after = ActivityWindow { after: Some(first.id), ..window };
    let later = client.activity(&after).await.expect("the log");
    assert!(later.iter().all(|row| row.id > first.id));
    assert_eq!(later.iter().filter(is_the_update).count(), 1);
    let one = ActivityWindow { limit: 1, ..window };
    assert_eq!(client.activity(&one).await.expect("the log").len(), 1);
    let future = ActivityWindow { since: Utc::now() + TimeDelta::hours(1), ..window };
    assert_eq!(client.activity(&future).await.expect("the log"), []);
}
