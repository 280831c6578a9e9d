//! Saved searches from before two parameters were renamed.

use contracts::content::Property;

use crate::{
    alerts::{Content, house},
    renamed_places::addresses,
    world::World,
};

const ANN: &str = "ann@x.example";

/// Stores `address` for all saved searches, as an earlier release does.
async fn store(world: &World, address: &str) {
    sqlx::query("update visitor.saved_search set address = $1")
        .bind(address)
        .execute(&world.pool)
        .await
        .expect("it is stored");
}

#[tokio::test]
async fn a_search_with_former_parameters_keeps_its_meaning() {
    let mut world = World::start().await;
    let mut content = Content::start(&world).await;
    content.wait_until_read(&world).await;
    let ann = world.signed_in(ANN).await;
    ann.save_search("kind=villa", "at_once").await;
    world.process.clone().finish().await.expect("it ends");
    sqlx::raw_sql("drop function visitor.rename_search_parameters cascade")
        .execute(&world.pool)
        .await
        .expect("it is gone");
    store(
        &world,
        "excludedFeatures=lift&excludedFeatures=sea-view&excludedLocation=maro&kind=villa",
    )
    .await;
    sqlx::raw_sql(include_str!("../../migrations/0023_renamed_search_parameters.sql"))
        .execute(&world.pool)
        .await
        .expect("the migration runs");
    assert_eq!(
        addresses(&world).await,
        ["kind=villa&notLocation=maro&withoutFeatures=lift&withoutFeatures=sea-view"]
    );

    world.start_role().await;
    content.publish(&house("AH-1", 300_000)).await;
    let with_lift = Property { features: vec!["lift".to_owned()], ..house("AH-2", 300_000) };
    content.publish(&with_lift).await;
    let mut in_maro = house("AH-3", 300_000);
    "2".clone_into(&mut in_maro.location.key);
    "maro".clone_into(&mut in_maro.location.slug);
    content.publish(&in_maro).await;
    content.wait_until_read(&world).await;
    let mails = world.alert_mails(ANN).await;
    assert_eq!(mails.len(), 1);
    let text = &mails[0].text;
    assert!(text.contains("Villa AH-1"), "{text}");
    assert!(!text.contains("Villa AH-2") && !text.contains("Villa AH-3"), "{text}");
}

#[tokio::test]
async fn what_an_older_command_stores_during_an_upgrade_is_renamed() {
    let world = World::start().await;
    let ann = world.signed_in(ANN).await;
    ann.save_search("kind=villa", "at_once").await;
    store(&world, "excludedLocation=maro&location=nerja&q=excludedLocation%3Dmaro").await;
    assert_eq!(
        addresses(&world).await,
        ["location=nerja&notLocation=maro&q=excludedLocation%3Dmaro"]
    );
}
