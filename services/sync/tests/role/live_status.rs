//! Whatever becomes of an item is noted, so that its editors are told.

use serde_json::json;
use testkit::eventually;

use crate::{
    content::house,
    role::{HINTS_ONLY, World},
};

/// Waits until house 1 is noted, and forgets that it was, as who tells its editors does; gives the
/// version that was recorded.
async fn is_noted(world: &World, after_what: &str) -> Option<i64> {
    eventually(after_what, async || {
        sqlx::query_scalar(
            "delete from ledger.untold where collection = 'properties' and key = '1'
                 and not exists (select from ledger.outbox where key = '1')
             returning version",
        )
        .fetch_optional(&world.pool)
        .await
        .expect("it can be forgotten")
    })
    .await
}

async fn noted(world: &World) -> i64 {
    sqlx::query_scalar("select count(*) from ledger.untold where collection = 'properties'")
        .fetch_one(&world.pool)
        .await
        .expect("a count")
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_recorded_parked_mended_and_removed_is_noted_for_its_editors() {
    let world = World::new("live_status").await;
    world.content.put("properties", "1", house(1, 100));
    let role = world.start(HINTS_ONLY).await;
    world.wait_for_price("1", 100).await;
    world.quiet().await;
    assert_eq!(is_noted(&world, "it is recorded").await, Some(1));

    world.content.change("properties", "1", |house| house["price"] = json!(-5));
    role.hint("properties", "1").await;
    world.wait_until_parked("properties", "1", "price").await;
    assert_eq!(is_noted(&world, "it is parked").await, None);
    // Read once more with the same result, it is no news.
    role.hint("properties", "1").await;
    world.quiet().await;
    assert_eq!(noted(&world).await, 0);

    world.content.change("properties", "1", |house| house["price"] = json!(100));
    role.hint("properties", "1").await;
    world.wait_until_none_is_parked().await;
    assert_eq!(is_noted(&world, "it is as it was, which makes no version").await, None);

    world.content.delete("properties", "1");
    role.hint("properties", "1").await;
    assert_eq!(is_noted(&world, "it is gone").await, Some(2));
    role.stop().await;
}
