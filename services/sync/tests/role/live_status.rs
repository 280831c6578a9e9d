//! The live status: every change of an item queues a report for its editors.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use axum::{
    Router,
    http::{HeaderMap, HeaderValue},
};
use chrono::{DateTime, Utc};
use contracts::{SEQUENCE_HEADER, Sequence};
use serde_json::{Value, json};
use sqlx::{Postgres, Transaction};
use sync::{Config, Depth, LiveStatusConfig, MassRemoval};
use testkit::eventually;
use tokio::net::TcpListener;

use crate::{
    content::{FILE, file, house},
    placeholders::photo,
    role::{Entry, HINTS_ONLY, Role, World},
};

/// Waits until a report of house 1 is queued, removes it as a reporter would, and returns the recorded
/// version.
async fn take_queued_report(world: &World, after_what: &str) -> Option<i64> {
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

async fn queued_reports(world: &World) -> i64 {
    sqlx::query_scalar("select count(*) from ledger.untold where collection = 'properties'")
        .fetch_one(&world.pool)
        .await
        .expect("a count")
}

#[tokio::test(flavor = "multi_thread")]
async fn recording_parking_correcting_and_removing_queue_a_report() {
    let world = World::new("live_status").await;
    world.content.put("properties", "1", house(1, 100));
    let role = world.start(HINTS_ONLY).await;
    world.wait_for_price("1", 100).await;
    world.wait_until_idle().await;
    assert_eq!(take_queued_report(&world, "it is recorded").await, Some(1));

    world.content.change("properties", "1", |house| house["price"] = json!(-5));
    role.hint("properties", "1").await;
    world.wait_until_parked("properties", "1", "price").await;
    assert_eq!(take_queued_report(&world, "it is parked").await, None);
    // Another read with the same result queues nothing.
    role.hint("properties", "1").await;
    world.wait_until_idle().await;
    assert_eq!(queued_reports(&world).await, 0);

    world.content.change("properties", "1", |house| house["price"] = json!(100));
    role.hint("properties", "1").await;
    world.wait_until_none_is_parked().await;
    assert_eq!(take_queued_report(&world, "it is as it was, which makes no version").await, None);

    world.content.delete("properties", "1");
    role.hint("properties", "1").await;
    assert_eq!(take_queued_report(&world, "it is gone").await, Some(2));
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn saving_an_unchanged_item_queues_a_report() {
    let world = World::new("told_as_before").await;
    world.content.put("properties", "1", house(1, 100));
    let mut draft = house(2, 100);
    draft["status"] = json!("draft");
    world.content.put("properties", "2", draft);
    let role = world.start(HINTS_ONLY).await;
    world.wait_for_price("1", 100).await;
    world.wait_until_idle().await;
    assert_eq!(take_queued_report(&world, "it is recorded").await, Some(1));

    role.hint("properties", "1").await;
    assert_eq!(take_queued_report(&world, "it is as it was").await, None);
    // Nothing is queued when it is read again, when something that it shows is read, or for a draft.
    role.hint("locations", "4").await;
    role.hint("properties", "2").await;
    world.wait_until_idle().await;
    assert_eq!(queued_reports(&world).await, 0);

    // Saving the item again moves its queued report to the front.
    world
        .sql(
            "insert into ledger.untold (collection, key, noted_at, version, claimed_until)
             values ('properties', '1', now() - interval '1 day', 1, now() + interval '1 minute')",
        )
        .await;
    role.hint("properties", "1").await;
    eventually("it is noted anew", async || {
        let requeued: bool = sqlx::query_scalar(
            "select noted_at > now() - interval '1 hour' and claimed_until is null and version = 1
             from ledger.untold where collection = 'properties' and key = '1'",
        )
        .fetch_one(&world.pool)
        .await
        .expect("it is still to be told");
        requeued.then_some(())
    })
    .await;
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_version_that_only_adds_a_placeholder_keeps_the_live_status() {
    let (world, role) = with_a_house_that_is_shown("seen_before").await;
    world.content.change("properties", "1", |house| house["price"] = json!(200));
    role.hint("properties", "1").await;
    let published = seen(&role, 2).await;

    world.content.put_original(FILE, photo());
    eventually("a version with the placeholder", async || {
        // An attempt in flight may still record after this that there was no photograph.
        world.sql("update ledger.placeholder set due_at = now()").await;
        let version = world.property("1").await?;
        version.change["snapshot"]["images"][0]["placeholder"].is_string().then_some(())
    })
    .await;
    assert_eq!(seen(&role, 3).await, published);

    world.content.change("properties", "1", |house| house["price"] = json!(300));
    role.hint("properties", "1").await;
    assert_ne!(seen(&role, 4).await, published);
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_report_names_omitted_pictures_until_they_are_shown() {
    let (world, role) = with_a_house_reported_to_editors("told_left_out", Some("for it")).await;
    let wait_for = async |what, is_it: &dyn Fn(&Value) -> bool| {
        eventually(what, async || world.content.live_status("1").filter(is_it)).await
    };
    world.content.change("properties", "1", |house| house["price"] = json!(200));
    role.hint("properties", "1").await;
    let since = moment(&seen(&role, 2).await["since"]);
    let live = wait_for("it is live", &|row| moment(&row["live_since"]) == since).await;
    assert_eq!((&live["state"], &live["reasons"]), (&json!("live"), &json!([])));

    let other = "9d5a1d1c-6f43-4a52-8f0e-0f6f6b1f2c11";
    let mut photo_of_a_telephone = file("A pool");
    photo_of_a_telephone["id"] = json!(other);
    photo_of_a_telephone["type"] = json!("image/heic");
    world.content.put("directus_files", other, photo_of_a_telephone);
    world.content.change("properties", "1", |house| {
        let images = house["images"].as_array_mut().expect("a gallery");
        images.push(json!({ "id": 11, "sort": 2, "directus_files_id": other }));
    });
    role.hint("properties", "1").await;
    let without = wait_for("one is left out", &|row| row["reasons"] != json!([])).await;
    let reason = &without["reasons"][0];
    assert_eq!(
        (&without["state"], &reason["field"]),
        (&json!("live_in_part"), &json!("images[2]"))
    );
    for (language, word) in [("en", "must be a picture"), ("es", "debe ser una imagen")] {
        let words = reason["rule"][language].as_str().unwrap_or_default();
        assert!(words.starts_with(word), "{without}");
    }
    let shown = |row: &Value| (moment(&row["live_since"]), row["milliseconds"].clone());
    assert_eq!(shown(&without), shown(&live), "the site shows what it showed");

    world.content.change("directus_files", other, |file| file["type"] = json!("image/jpeg"));
    role.hint("directus_files", other).await;
    let whole = wait_for("none is left out", &|row| row["reasons"] == json!([])).await;
    assert_eq!(whole["state"], "live");
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_item_with_an_omitted_picture_is_reported_as_shown() {
    let (world, role) = with_a_house_that_is_shown("seen_in_part").await;
    // The omitted picture is recorded before the site is asked.
    world.sql("insert into ledger.pause (step) values ('relay')").await;
    world.content.change("directus_files", FILE, |file| file["type"] = json!("image/heic"));
    world.content.change("properties", "1", |house| house["price"] = json!(200));
    role.hint("properties", "1").await;
    eventually("a picture being left out", async || world.parked().await.left_out.pop()).await;
    world.sql("delete from ledger.pause").await;
    assert!(seen(&role, 2).await["since"].is_string());
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_removal_is_reported_after_the_site_stops_showing_the_item() {
    let site = Site::start().await;
    let (world, role) = with_a_house_on(&site, "told_removal", Some("for it")).await;
    let state = async || world.content.live_status("1").map(|row| row["state"].clone());
    eventually("it is live", async || state().await.filter(|state| state == "live")).await;
    site.show_up_to(Sequence::START);
    world.content.delete("properties", "1");
    role.hint("properties", "1").await;
    eventually("the removal", async || world.property("1").await.filter(Entry::is_removal)).await;
    world.wait_until_published().await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(state().await, Some(json!("live")), "the site may still show it");

    site.show_up_to(Sequence::LAST);
    eventually("it is off", async || state().await.filter(|state| state == "off")).await;
    let off = seen(&role, 2).await;
    assert!(off["since"].is_string() && off["milliseconds"].is_null(), "{off}");
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_home_removed_with_its_place_is_reported_with_the_reason_and_not_read_endlessly() {
    let (world, role) = with_a_house_reported_to_editors("told_place", Some("for it")).await;
    let wait_for = async |state: &str| {
        eventually(state, async || {
            world.content.live_status("1").filter(|row| row["state"] == state)
        })
        .await
    };
    wait_for("live").await;
    world.content.change("locations", "4", |place| place["status"] = json!("draft"));
    role.hint("locations", "4").await;
    let row = wait_for("not_live").await;
    assert_eq!((&row["live_since"], &row["addresses"]), (&Value::Null, &json!([])), "{row}");
    let reason = &row["reasons"][0];
    let place = json!("\"locations/4 (draft) “nerja”\"");
    assert_eq!((&reason["field"], &reason["value"]), (&json!("location"), &place));
    assert_eq!(reason["rule"]["en"], "must be a published place that has a name and a slug");
    let spanish = reason["rule"]["es"].as_str().unwrap_or_default();
    assert!(spanish.starts_with("debe ser una zona publicada"), "{row}");
    world.wait_until_parked("properties", "1", "location").await;
    let compared = role.operator.get("/admin/parked/item?collection=properties&key=1").await;
    let field = &compared["fields"][0];
    assert_eq!((&field["field"], &field["now"]), (&json!("location"), &place));

    world.wait_until_idle().await;
    let operator = world.operator().await;
    for depth in [Depth::Ids, Depth::Contents] {
        let compared =
            operator.reconcile(depth, MassRemoval::Refuse).await.expect("it is compared");
        assert_eq!((compared.differing, compared.missing), (0, 0), "{depth:?}");
    }
    world.content.change("locations", "4", |place| place["status"] = json!("published"));
    role.hint("locations", "4").await;
    wait_for("live").await;
    world.wait_until_none_is_parked().await;
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_version_recorded_during_the_claim_of_the_previous_one_is_reported_too() {
    let (world, role) = with_a_house_that_is_shown("told_meanwhile").await;
    seen(&role, 1).await;
    let claim = start_waiting_claim(&world).await;
    world
        .sql(
            "with entry as (
                insert into ledger.entry
                    (event_id, collection, key, version, schema_version, change)
                select gen_random_uuid(), collection, key, 2, schema_version,
                       jsonb_set(change, '{snapshot,price}', '200')
                from ledger.entry where collection = 'properties' returning id
             ), outbox as (
                update ledger.outbox_behind set entry = id, refill = false from entry
             )
             update ledger.aggregate set version = 2 where collection = 'properties'",
        )
        .await;
    claim.rollback().await.expect("it goes on");
    seen(&role, 2).await;
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_item_claimed_by_another_during_a_claim_is_left_to_it() {
    let (world, role) = with_a_house_that_is_shown("told_by_another").await;
    seen(&role, 1).await;
    let claim = start_waiting_claim(&world).await;
    world.sql("update ledger.untold set claimed_until = '2100-01-01'").await;
    claim.rollback().await.expect("it goes on");
    eventually("the end of the claim", async || {
        waiting_claims(&world).await.is_empty().then_some(())
    })
    .await;
    let is_theirs = sqlx::query_scalar("select claimed_until = '2100-01-01' from ledger.untold");
    let is_theirs: Option<bool> =
        is_theirs.fetch_optional(&world.pool).await.expect("postgres answers");
    assert_eq!(is_theirs, Some(true));
    role.stop().await;
}

/// Makes a claim wait, as on a slow machine, while it checks whether house 1, whose report is queued,
/// waits for the relay. It continues when the transaction ends.
async fn start_waiting_claim(world: &World) -> Transaction<'static, Postgres> {
    world.wait_until_published().await;
    for statement in [
        // Until the gate is closed: otherwise the relay would take the row before a claim waits for it.
        "insert into ledger.pause (step) values ('relay')",
        "insert into ledger.outbox (collection, key, entry, refill)
            select collection, key, id, true from ledger.entry where collection = 'properties'",
        "create function ledger.gate(refill boolean) returns boolean language plpgsql as $$
         begin perform pg_advisory_xact_lock_shared(1); return refill; end $$",
        // In one statement: a role that finds no outbox assumes that its tables are gone, and ends.
        "do $do$ begin
            alter table ledger.outbox rename to outbox_behind;
            create view ledger.outbox as
                select collection, key, entry, ledger.gate(refill) as refill
                from ledger.outbox_behind;
         end $do$",
    ] {
        world.sql(statement).await;
    }
    let mut gate = world.pool.begin().await.expect("a transaction");
    let closing = sqlx::query("select pg_advisory_xact_lock(1)").execute(&mut *gate).await;
    closing.expect("it closes");
    world.sql("delete from ledger.pause").await;
    world.sql("insert into ledger.untold (collection, key) values ('properties', '1')").await;
    eventually("a claim that waits", async || {
        waiting_claims(world).await.contains(&Some("advisory".to_owned())).then_some(())
    })
    .await;
    gate
}

/// Returns what the claims in flight wait for.
async fn waiting_claims(world: &World) -> Vec<Option<String>> {
    sqlx::query_scalar(
        "select wait_event from pg_stat_activity
         where datname = current_database() and state = 'active'
             and query like '%update ledger.untold%' and pid <> pg_backend_pid()",
    )
    .fetch_all(&world.pool)
    .await
    .expect("postgres answers")
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unreadable_version_does_not_block_the_reports_of_others() {
    let (world, role) = with_a_house_that_is_shown("told_unread").await;
    world.sql("insert into ledger.pause (step) values ('relay')").await;
    world
        .sql(
            "with aggregate as (
                insert into ledger.aggregate (collection, key, version) values ('rentals', '9', 1)
             ), entry as (
                insert into ledger.entry
                    (event_id, collection, key, version, schema_version, change)
                values (gen_random_uuid(), 'rentals', '9', 1, 99, '{\"kind\":\"let\"}')
                returning collection, key, id
             )
             insert into ledger.outbox (collection, key, entry) select collection, key, id from entry",
        )
        .await;
    world.content.change("properties", "1", |house| house["price"] = json!(200));
    role.hint("properties", "1").await;
    world.wait_for_price("1", 200).await;
    // Both become due at the same moment, as if a relay had published them.
    world
        .sql(
            "with published as (delete from ledger.outbox)
             update ledger.entry set sequence = 1 where sequence is null",
        )
        .await;
    seen(&role, 2).await;
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_late_report_of_an_older_state_does_not_replace_a_newer_one() {
    let site = Site::start().await;
    let (world, role) = with_a_house_on(&site, "told_late", Some("for it")).await;
    let other = world.start_with(reporting_config(&world, &site, Some("for it"))).await;
    let wait_for = async |state: &str| {
        eventually(state, async || {
            world.content.live_status("1").filter(|row| row["state"] == state)
        })
        .await
    };
    wait_for("live").await;
    // Whichever of the two roles reports this price, the other one reports the next.
    let (has_arrived, release) = world.content.hold_live_status("1");
    world.content.change("properties", "1", |house| house["price"] = json!(200));
    role.hint("properties", "1").await;
    has_arrived.await.expect("an editor is told");
    world.content.change("properties", "1", |house| house["price"] = json!(-5));
    role.hint("properties", "1").await;
    let newer = wait_for("not_live").await;

    release.send(()).expect("it waits");
    eventually("the newer state being told again", async || {
        let row = world.content.live_status("1")?;
        (row["state"] == "not_live" && row["noted_at"] != newer["noted_at"]).then_some(())
    })
    .await;
    eventually("nothing left to tell", async || (queued_reports(&world).await == 0).then_some(()))
        .await;
    role.stop().await;
    other.stop().await;
}

/// A time in the precision of the ledger.
fn moment(text: &Value) -> Option<i64> {
    let moment: DateTime<Utc> = text.as_str()?.parse().ok()?;
    Some(moment.timestamp_micros())
}

/// Waits until the site was seen to show the `version` of house 1, and returns the live status of that
/// version.
async fn seen(role: &Role, version: i64) -> Value {
    eventually("the site being seen to show it", async || {
        let mut publishes = role.operator.get("/admin/publishes?limit=10").await;
        let mut of_it = publishes["items"].as_array_mut()?.iter_mut().filter(|publish| {
            publish["collection"] == "properties" && publish["version"] == version
        });
        let live = of_it.next()?["live"].take();
        live.is_object().then_some(live)
    })
    .await
}

/// A world with house 1 at 100, and a role that checks a site which shows everything immediately, and
/// reports to operators only.
pub async fn with_a_house_that_is_shown(name: &str) -> (World, Role) {
    with_a_house_reported_to_editors(name, None).await
}

/// The same, with a report to editors through `token`.
async fn with_a_house_reported_to_editors(name: &str, token: Option<&str>) -> (World, Role) {
    with_a_house_on(&Site::start().await, name, token).await
}

/// The same, with `site`.
async fn with_a_house_on(site: &Site, name: &str, token: Option<&str>) -> (World, Role) {
    let world = World::new(name).await;
    world.content.put("properties", "1", house(1, 100));
    world.operator().await;
    let role = world.start_with(reporting_config(&world, site, token)).await;
    world.wait_for_price("1", 100).await;
    (world, role)
}

/// Returns the configuration of a role in `world` that checks `site`, and reports to editors through
/// `token`.
fn reporting_config(world: &World, site: &Site, token: Option<&str>) -> Config {
    let mut config = world.config(HINTS_ONLY);
    config.live_status = LiveStatusConfig {
        live_status_token: token.map(Into::into),
        site_url: Some(site.url.parse().expect("a URL")),
        public_url: "https://homes.example".parse().expect("a URL"),
        ..config.live_status
    };
    config
}

/// A site that immediately shows everything published up to a position, which is the last one by
/// default.
struct Site {
    url: String,
    built_from: Arc<AtomicU64>,
}

impl Site {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let built_from = Arc::new(AtomicU64::new(Sequence::LAST.get()));
        let shown = Arc::clone(&built_from);
        let router = Router::new().fallback(async move || {
            HeaderMap::from_iter([(
                SEQUENCE_HEADER.parse().expect("a name"),
                HeaderValue::from(shown.load(Ordering::Relaxed)),
            )])
        });
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { url: format!("http://{address}"), built_from }
    }

    fn show_up_to(&self, position: Sequence) {
        self.built_from.store(position.get(), Ordering::Relaxed);
    }
}
