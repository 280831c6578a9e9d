//! Placeholders are made after the publish, once per picture.

use std::time::Duration;

use base64::{Engine, engine::general_purpose::STANDARD};
use contracts::{Locale, rules::MAX_PICTURE_BYTES};
use pictures::{DynamicImage, Format};
use serde_json::json;
use sync::{Depth, Intervals, MassRemoval};
use testkit::eventually;

use crate::{
    content::{FILE, Mood, house},
    role::{HINTS_ONLY, World},
};

pub fn photo() -> Vec<u8> {
    let image = DynamicImage::new_rgb8(240, 160);
    pictures::encode(&image, Format::Jpeg).expect("a JPEG").to_vec()
}

async fn placeholder(world: &World, key: &str) -> Option<String> {
    let entry = world.property(key).await?;
    Some(entry.change["snapshot"]["images"][0]["placeholder"].as_str()?.to_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_picture_gets_one_placeholder_for_all_items_that_show_it() {
    let world = World::new("placeholder").await;
    world.content.put_original(FILE, photo());
    for key in 1..=3 {
        world.content.put("properties", &key.to_string(), house(key, 100));
    }
    let role = world.start(HINTS_ONLY).await;
    for key in ["1", "2", "3"] {
        eventually("a placeholder", async || placeholder(&world, key).await).await;
    }
    world.wait_until_idle().await;
    assert_eq!(world.content.originals_asked(), 1);
    let made = placeholder(&world, "1").await.expect("a placeholder");
    let webp = STANDARD.decode(&made).expect("base64");
    assert!(webp.starts_with(b"RIFF") && &webp[8..12] == b"WEBP" && webp.len() < 300);

    let before = world.property("1").await.expect("it is published").version;
    assert!(before <= 2, "a picture alone made {before} versions");
    world.content.change("properties", "1", |house| house["price"] = json!(200));
    role.hint("properties", "1").await;
    let priced = world.wait_for_price("1", 200).await;
    assert_eq!(priced.version, before + 1);
    assert_eq!(placeholder(&world, "1").await, Some(made));
    let report =
        world.operator().await.reconcile(Depth::Contents, MassRemoval::Refuse).await.expect("read");
    assert_eq!(report.differing, 0, "what is known to the ledger alone is no difference");
    assert_eq!(world.content.originals_asked(), 1);

    // The editors replace the file of the picture.
    world.content.change("directus_files", FILE, |file| {
        file["modified_on"] = json!("2026-05-02T10:00:00.000Z");
    });
    role.hint("directus_files", FILE).await;
    eventually("the new picture's", async || (world.content.originals_asked() == 2).then_some(()))
        .await;
    eventually("a placeholder", async || placeholder(&world, "1").await).await;
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unreadable_picture_does_not_delay_the_publish() {
    let world = World::new("no_placeholder").await;
    world.content.put("properties", "1", house(1, 100));
    let role = world.start(HINTS_ONLY).await;
    eventually("a try", async || (world.content.originals_asked() > 0).then_some(())).await;
    // The next house is published after all of this.
    world.sql("update ledger.placeholder set due_at = now() + interval '1 hour'").await;
    let tried = world.content.originals_asked();
    world.content.change("properties", "1", |house| house["price"] = json!(200));
    role.hint("properties", "1").await;
    world.wait_for_price("1", 200).await;
    assert_eq!(placeholder(&world, "1").await, None);
    assert_eq!(world.content.originals_asked(), tried, "a price is no reason to try again");

    world.content.put_original(FILE, photo());
    world.sql("update ledger.placeholder set due_at = now()").await;
    eventually("a placeholder", async || placeholder(&world, "1").await).await;
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_placeholder_lost_before_it_was_shown_is_made_again() {
    let world = World::new("lost_placeholder").await;
    world.content.put("properties", "1", house(1, 100));
    let role = world.start(HINTS_ONLY).await;
    eventually("a try", async || (world.content.originals_asked() > 0).then_some(())).await;
    // The home can't be marked while its row is locked.
    let mut held = world.pool.begin().await.expect("a transaction");
    sqlx::query("select from ledger.aggregate where collection = 'properties' for update")
        .execute(&mut *held)
        .await
        .expect("the row is held");
    world.content.put_original(FILE, photo());
    world.sql("update ledger.placeholder set due_at = now()").await;
    eventually("the mark that waits for the row being cut off", async || {
        let ended: i64 = sqlx::query_scalar(
            "select count(pg_terminate_backend(pid)) from pg_stat_activity
             where datname = current_database() and wait_event_type = 'Lock'
               and query like '%dirty_gen = a.dirty_gen + 1%'",
        )
        .fetch_one(&world.pool)
        .await
        .expect("Postgres answers");
        (ended > 0).then_some(())
    })
    .await;
    held.rollback().await.expect("the row is let go");

    world.sql("update ledger.placeholder set due_at = now()").await;
    eventually("a placeholder", async || placeholder(&world, "1").await).await;
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_no_picture_is_removed_until_it_is_replaced() {
    let world = World::new("unreadable").await;
    world.content.put_original(FILE, b"\xff\xd8\xff\xe0 but no picture".to_vec());
    world.content.put("properties", "1", house(1, 100));
    let role = world.start(HINTS_ONLY).await;
    let images = async || {
        let entry = world.property("1").await?;
        Some(entry.change["snapshot"]["images"].as_array()?.len())
    };
    eventually("the home without it", async || (images().await == Some(0)).then_some(())).await;
    let left_out = async || world.parked().await.left_out;
    let told = eventually("the editor being told", async || left_out().await.pop()).await;
    assert_eq!((told.key.as_str(), told.pictures[0].field.as_str()), ("1", "images[1]"));
    let broken = &told.pictures[0];
    assert!(broken.rule.contains("this file is broken or no picture"), "{broken}");
    let in_spanish = broken.rule_in(Locale::Es);
    assert!(in_spanish.contains("este archivo está dañado"), "{in_spanish}");
    world.wait_until_idle().await;
    let report =
        world.operator().await.reconcile(Depth::Contents, MassRemoval::Refuse).await.expect("read");
    assert_eq!(report.differing, 0, "what is left out is no difference");

    world.content.put_original(FILE, photo());
    world.content.change("directus_files", FILE, |file| {
        file["modified_on"] = json!("2026-05-02T10:00:00.000Z");
    });
    role.hint("directus_files", FILE).await;
    eventually("the home with its picture", async || placeholder(&world, "1").await).await;
    assert_eq!(images().await, Some(1));
    assert!(left_out().await.is_empty());
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_truncated_photograph_is_omitted_and_reported() {
    let world = World::new("cut").await;
    let whole = photo();
    world.content.put_original(FILE, whole[..whole.len() - 2].to_vec());
    world.content.put("properties", "1", house(1, 100));
    let role = world.start(HINTS_ONLY).await;
    let told = eventually("the editor being told", async || {
        world.parked().await.left_out.pop()?.pictures.pop()
    })
    .await;
    assert!(told.rule.contains("this file ends too early"), "{told}");
    let in_spanish = told.rule_in(Locale::Es);
    assert!(in_spanish.contains("este archivo termina antes de tiempo"), "{in_spanish}");
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_without_bytes_is_removed_after_some_attempts_and_shown_once_it_has_them() {
    let world = World::new("bytes_gone").await;
    world.content.put("properties", "1", house(1, 100));
    let role = world.start(HINTS_ONLY).await;
    let images = async || {
        let entry = world.property("1").await?;
        Some(entry.change["snapshot"]["images"].as_array()?.len())
    };
    let left_out = async || world.parked().await.left_out.pop()?.pictures.pop();
    let tried = async |times| {
        eventually("a try", async || (world.content.originals_asked() == times).then_some(()))
            .await;
        world.wait_until_idle().await;
    };
    tried(1).await;
    assert_eq!((images().await, left_out().await), (Some(1), None), "it may be being uploaded");
    world.sql("update ledger.placeholder set attempts = 3, due_at = now()").await;
    eventually("the home without it", async || (images().await == Some(0)).then_some(())).await;
    let told = eventually("the editor being told", left_out).await;
    assert!(told.rule.contains("the contents of this file are missing"), "{told}");
    let in_spanish = told.rule_in(Locale::Es);
    assert!(in_spanish.contains("falta el contenido de este archivo"), "{in_spanish}");

    // However often it was in vain, it is asked for again within an hour.
    world.sql("update ledger.placeholder set attempts = 9, due_at = now()").await;
    tried(3).await;
    let pause: f64 = sqlx::query_scalar(
        "select extract(epoch from due_at - now())::float8 from ledger.placeholder",
    )
    .fetch_one(&world.pool)
    .await
    .expect("the ledger answers");
    assert!(pause <= 3_600.0, "{pause} s");
    world.content.put_original(FILE, photo());
    world.sql("update ledger.placeholder set due_at = now()").await;
    eventually("the home with its picture", async || placeholder(&world, "1").await).await;
    eventually("nothing left out", async || left_out().await.is_none().then_some(())).await;
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_of_unknown_size_that_is_too_heavy_is_omitted_and_reported() {
    let world = World::new("heavy").await;
    world.content.put_original(FILE, vec![0; MAX_PICTURE_BYTES + 1]);
    world.content.put("properties", "1", house(1, 100));
    let role = world.start(HINTS_ONLY).await;
    let told = eventually("the editor being told", async || {
        world.parked().await.left_out.pop()?.pictures.pop()
    })
    .await;
    assert!(told.rule.contains("a file of at most 32 MB"), "{told}");
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_found_unreadable_during_the_capture_of_its_page_is_removed() {
    let world = World::new("unreadable_meanwhile").await;
    world.content.put("properties", "2", house(2, 100));
    let role = world.start(HINTS_ONLY).await;
    eventually("a try", async || (world.content.originals_asked() == 1).then_some(())).await;
    world.sql("update ledger.placeholder set due_at = now() + interval '1 day'").await;
    world.content.put("properties", "1", house(1, 100));
    world.content.set(Mood::Stalling);
    let before = world.content.readings_of("properties");
    role.hint("properties", "1").await;
    eventually("the reading", async || {
        (world.content.readings_of("properties") > before).then_some(())
    })
    .await;
    // Otherwise the recheck would find it too.
    world.sql("update ledger.aggregate set recheck_at = null").await;
    let mut held = world.pool.begin().await.expect("a transaction");
    sqlx::query(
        "select from ledger.aggregate where collection = 'properties' and key = '1' for update",
    )
    .execute(&mut *held)
    .await
    .expect("the row is held");
    world.content.set(Mood::Fair);
    world.wait_until_locked_out("with held as%").await;
    // As the maker of placeholders found it, before it was recorded that this home shows the file.
    world.sql("update ledger.placeholder set unreadable = 'broken'").await;
    held.rollback().await.expect("the row is let go");
    eventually("the home without it", async || {
        let entry = world.property("1").await?;
        entry.change["snapshot"]["images"].as_array()?.is_empty().then_some(())
    })
    .await;
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_placeholder_that_gets_used_during_pruning_is_kept() {
    let world = World::new("shown_meanwhile").await;
    world.content.put("properties", "1", house(1, 100));
    let every_second = Intervals { sweep: Duration::from_secs(1), ..HINTS_ONLY };
    let role = world.start(every_second).await;
    eventually("a try", async || (world.content.originals_asked() > 0).then_some(())).await;
    let mut held = world.pool.begin().await.expect("a transaction");
    sqlx::query("select from ledger.placeholder for update")
        .execute(&mut *held)
        .await
        .expect("the row is held");
    world.sql("create table ledger.shown as select * from ledger.part").await;
    world.sql("delete from ledger.part").await;
    world.wait_until_locked_out("%from ledger.placeholder as p%").await;
    world.sql("insert into ledger.part select * from ledger.shown").await;
    held.rollback().await.expect("the row is let go");
    // Long enough to delete it, and for another round of pruning.
    tokio::time::sleep(Duration::from_millis(1500)).await;
    let kept: i64 = sqlx::query_scalar("select count(*) from ledger.placeholder")
        .fetch_one(&world.pool)
        .await
        .expect("the ledger answers");
    assert_eq!(kept, 1);
    role.stop().await;
}
