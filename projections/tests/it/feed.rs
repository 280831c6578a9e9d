//! The change feed has exactly the tags that caches must purge.

use contracts::{
    AggregateId, Collection, Event,
    content::{ListingStatus, Snapshot},
};
use sqlx::PgPool;
use uuid::Uuid;

use crate::fixtures::{apply_all, database, home, id, place, removed, upserted};

#[tokio::test]
async fn a_change_has_the_tags_of_the_previous_and_of_the_new_state() {
    let (pool, mut generation) = database("feed").await;
    let property = |version, place: &str, price, status| -> Event {
        let mut home = home("AH-1", place, price);
        home.status = status;
        upserted(&id("1"), version, Snapshot::Properties(home))
    };
    let torrox = AggregateId::new(Collection::Locations, "9");
    let events = [
        property(1, "torrox", 100, ListingStatus::ForSale),
        property(2, "torrox", 90, ListingStatus::ForSale),
        property(3, "nerja", 90, ListingStatus::ForSale),
        property(4, "nerja", 90, ListingStatus::Sold),
        property(3, "maro", 90, ListingStatus::ForSale),
        removed(&id("1"), 5),
        upserted(&torrox, 1, place("torrox")),
    ];
    apply_all(&pool, &mut generation, &events).await;
    let feed: Vec<(i64, Vec<String>, Option<String>)> =
        sqlx::query_as("select sequence, tags, traceparent from read.change order by sequence")
            .fetch_all(&pool)
            .await
            .expect("the feed can be read");
    let tags: Vec<(i64, String)> =
        feed.iter().map(|(sequence, tags, _)| (*sequence, tags.join(" "))).collect();
    let expected = [
        (1, "list:locations list:properties location:torrox property:AH-1"),
        (2, "list:properties location:torrox property:AH-1"),
        (3, "list:locations list:properties location:nerja location:torrox property:AH-1"),
        (4, "list:locations list:properties location:nerja property:AH-1"),
        (6, "list:properties location:nerja property:AH-1"),
        (7, "list:locations location:torrox"),
    ];
    let expected: Vec<_> = expected.map(|(sequence, tags)| (sequence, tags.to_owned())).into();
    assert_eq!(tags, expected, "the outdated event at 5 changed nothing");
    assert_eq!(
        feed[0].2.as_deref(),
        Some("00-00000000000000000000000000000001-0000000000000001-01")
    );
}

#[tokio::test]
async fn a_change_of_a_home_has_the_tags_of_all_places_around_it() {
    let (pool, mut generation) = database("places").await;
    let property = |version, ancestors: &[&str]| -> Event {
        let mut home = home("AH-1", "torrox-costa", 100);
        home.location.ancestors = ancestors.iter().map(|slug| (*slug).to_owned()).collect();
        upserted(&id("1"), version, Snapshot::Properties(home))
    };
    let events = [property(1, &["torrox", "axarquia"]), property(2, &["axarquia"])];
    apply_all(&pool, &mut generation, &events).await;
    let tags: Vec<String> =
        sqlx::query_scalar("select array_to_string(tags, ' ') from read.change order by sequence")
            .fetch_all(&pool)
            .await
            .expect("the feed can be read");
    // Its own place is the same, but Torrox has one home less.
    let both = "list:locations list:properties location:axarquia location:torrox location:torrox-costa \
                property:AH-1";
    assert_eq!(tags, [both, both]);
}

/// Returns the first tag of each aggregate that shows the picture of the fixtures' homes.
async fn showing(pool: &PgPool) -> Vec<String> {
    let picture = format!("{}/1", Uuid::from_u128(7));
    sqlx::query_scalar("select tags[1] from read.shown where pictures @> array[$1] order by 1")
        .bind(picture)
        .fetch_all(pool)
        .await
        .expect("the view can be read")
}

#[tokio::test]
async fn a_picture_is_public_while_any_published_aggregate_shows_it() {
    let (pool, mut generation) = database("shown").await;
    let shows = |key: &str, version| {
        upserted(&id(key), version, Snapshot::Properties(home(&format!("AH-{key}"), "nerja", 1)))
    };
    apply_all(&pool, &mut generation, &[shows("1", 1), shows("2", 1)]).await;
    assert_eq!(showing(&pool).await, ["property:AH-1", "property:AH-2"]);

    let mut without = home("AH-1", "nerja", 1);
    without.images.clear();
    let without = upserted(&id("1"), 2, Snapshot::Properties(without));
    apply_all(&pool, &mut generation, &[without]).await;
    assert_eq!(showing(&pool).await, ["property:AH-2"]);

    apply_all(&pool, &mut generation, &[removed(&id("2"), 2)]).await;
    assert!(showing(&pool).await.is_empty());
}
