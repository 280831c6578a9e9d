//! Whatever becomes of an item is noted, so that its editors are told.

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
use sync::{Config, LiveStatusConfig, Scope};
use testkit::eventually;
use tokio::net::TcpListener;

use crate::{
    content::{FILE, file, house},
    placeholders::photo,
    role::{Entry, HINTS_ONLY, Role, World},
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

#[tokio::test(flavor = "multi_thread")]
async fn who_saves_what_is_shown_as_before_is_told_so() {
    let world = World::new("told_as_before").await;
    world.content.put("properties", "1", house(1, 100));
    let mut draft = house(2, 100);
    draft["status"] = json!("draft");
    world.content.put("properties", "2", draft);
    let role = world.start(HINTS_ONLY).await;
    world.wait_for_price("1", 100).await;
    world.quiet().await;
    assert_eq!(is_noted(&world, "it is recorded").await, Some(1));

    role.hint("properties", "1").await;
    assert_eq!(is_noted(&world, "it is as it was").await, None);
    // Nor is it news once more when it is read again, nor what only shows in it, nor a draft.
    role.hint("locations", "4").await;
    role.hint("properties", "2").await;
    world.quiet().await;
    assert_eq!(noted(&world).await, 0);

    // Of much that is still to be told what was saved just now comes first.
    world
        .sql(
            "insert into ledger.untold (collection, key, noted_at, version, claimed_until)
             values ('properties', '1', now() - interval '1 day', 1, now() + interval '1 minute')",
        )
        .await;
    role.hint("properties", "1").await;
    eventually("it is noted anew", async || {
        let anew: bool = sqlx::query_scalar(
            "select noted_at > now() - interval '1 hour' and claimed_until is null and version = 1
             from ledger.untold where collection = 'properties' and key = '1'",
        )
        .fetch_one(&world.pool)
        .await
        .expect("it is still to be told");
        anew.then_some(())
    })
    .await;
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_placeholder_takes_nothing_back_of_when_the_site_was_seen_to_show_a_home() {
    let (world, role) = with_a_house_that_is_shown("seen_before").await;
    world.content.change("properties", "1", |house| house["price"] = json!(200));
    role.hint("properties", "1").await;
    let published = seen(&role, 2).await;

    world.content.put_original(FILE, photo());
    eventually("a version with the placeholder", async || {
        // A try that is under way notes after this that there was no photograph.
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
async fn an_editor_is_told_which_picture_is_left_out_and_when_it_no_longer_is() {
    let (world, role) = with_a_house_whose_editors_are_told("told_left_out", Some("for it")).await;
    let told = async |what, is_it: &dyn Fn(&Value) -> bool| {
        eventually(what, async || world.content.told("1").filter(is_it)).await
    };
    world.content.change("properties", "1", |house| house["price"] = json!(200));
    role.hint("properties", "1").await;
    let since = moment(&seen(&role, 2).await["since"]);
    let live = told("it is live", &|row| moment(&row["live_since"]) == since).await;
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
    let without = told("one is left out", &|row| row["reasons"] != json!([])).await;
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
    let whole = told("none is left out", &|row| row["reasons"] == json!([])).await;
    assert_eq!(whole["state"], "live");
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_published_with_a_picture_that_is_left_out_is_seen_to_be_shown() {
    let (world, role) = with_a_house_that_is_shown("seen_in_part").await;
    // What is left out is noted before the site is asked.
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
async fn a_removal_is_told_once_the_site_shows_the_item_no_more() {
    let site = Site::start().await;
    let (world, role) = with_a_house_on(&site, "told_removal", Some("for it")).await;
    let state = async || world.content.told("1").map(|row| row["state"].clone());
    eventually("it is live", async || state().await.filter(|state| state == "live")).await;
    site.show_up_to(Sequence::START);
    world.content.delete("properties", "1");
    role.hint("properties", "1").await;
    eventually("the removal", async || world.property("1").await.filter(Entry::is_removal)).await;
    world.published().await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(state().await, Some(json!("live")), "the site may still show it");

    site.show_up_to(Sequence::LAST);
    eventually("it is off", async || state().await.filter(|state| state == "off")).await;
    let off = seen(&role, 2).await;
    assert!(off["since"].is_string() && off["milliseconds"].is_null(), "{off}");
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn editors_are_told_why_a_home_goes_with_its_place_and_it_is_not_read_for_ever() {
    let (world, role) = with_a_house_whose_editors_are_told("told_place", Some("for it")).await;
    let told = async |state: &str| {
        eventually(state, async || world.content.told("1").filter(|row| row["state"] == state))
            .await
    };
    told("live").await;
    world.content.change("locations", "4", |place| place["status"] = json!("draft"));
    role.hint("locations", "4").await;
    let row = told("not_live").await;
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

    world.quiet().await;
    let operator = world.operator().await;
    for scope in [Scope::Ids, Scope::Everything] {
        let compared = operator.reconcile(scope, false).await.expect("it is compared");
        assert_eq!((compared.differing, compared.missing), (0, 0), "{scope:?}");
    }
    world.content.change("locations", "4", |place| place["status"] = json!("published"));
    role.hint("locations", "4").await;
    told("live").await;
    world.wait_until_none_is_parked().await;
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_recorded_of_an_item_while_the_version_before_is_claimed_is_told_too() {
    let (world, role) = with_a_house_that_is_shown("told_meanwhile").await;
    seen(&role, 1).await;
    let claim = a_claim_that_waits(&world).await;
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
async fn what_another_claims_while_a_claim_looks_for_it_is_left_to_that() {
    let (world, role) = with_a_house_that_is_shown("told_by_another").await;
    seen(&role, 1).await;
    let claim = a_claim_that_waits(&world).await;
    world.sql("update ledger.untold set claimed_until = '2100-01-01'").await;
    claim.rollback().await.expect("it goes on");
    eventually("the end of the claim", async || claims(&world).await.is_empty().then_some(()))
        .await;
    let is_theirs = sqlx::query_scalar("select claimed_until = '2100-01-01' from ledger.untold");
    let is_theirs: Option<bool> =
        is_theirs.fetch_optional(&world.pool).await.expect("postgres answers");
    assert_eq!(is_theirs, Some(true));
    role.stop().await;
}

/// Has a claim wait that looks whether house 1, of which somebody is to be told, waits for the relay: as
/// on a slow machine. It goes on when the transaction ends.
async fn a_claim_that_waits(world: &World) -> Transaction<'static, Postgres> {
    world.published().await;
    for statement in [
        // Until the gate is closed: the relay would take the row before anybody waits at it.
        "insert into ledger.pause (step) values ('relay')",
        "insert into ledger.outbox (collection, key, entry, refill)
            select collection, key, id, true from ledger.entry where collection = 'properties'",
        "create function ledger.gate(refill boolean) returns boolean language plpgsql as $$
         begin perform pg_advisory_xact_lock_shared(1); return refill; end $$",
        // In one: a role that finds no outbox takes its tables for gone, and ends.
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
        claims(world).await.contains(&Some("advisory".to_owned())).then_some(())
    })
    .await;
    gate
}

/// What the claims that are under way wait for.
async fn claims(world: &World) -> Vec<Option<String>> {
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
async fn a_version_that_can_t_be_read_keeps_nobody_from_being_told_of_the_others() {
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
    // Both are to be told of from the same moment on, as if a relay had published them.
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
async fn what_is_told_late_of_an_older_state_does_not_stay_over_a_newer_one() {
    let site = Site::start().await;
    let (world, role) = with_a_house_on(&site, "told_late", Some("for it")).await;
    let other = world.start_with(telling_of(&world, &site, Some("for it"))).await;
    let told = async |state: &str| {
        eventually(state, async || world.content.told("1").filter(|row| row["state"] == state))
            .await
    };
    told("live").await;
    // Whichever of the two it is that tells of this price, the other tells of the next.
    let (has_come, go) = world.content.hold_told("1");
    world.content.change("properties", "1", |house| house["price"] = json!(200));
    role.hint("properties", "1").await;
    has_come.await.expect("an editor is told");
    world.content.change("properties", "1", |house| house["price"] = json!(-5));
    role.hint("properties", "1").await;
    let newer = told("not_live").await;

    go.send(()).expect("it waits");
    eventually("the newer state being told again", async || {
        let row = world.content.told("1")?;
        (row["state"] == "not_live" && row["noted_at"] != newer["noted_at"]).then_some(())
    })
    .await;
    eventually("nothing left to tell", async || (noted(&world).await == 0).then_some(())).await;
    role.stop().await;
    other.stop().await;
}

/// A moment as exact as the ledger keeps it.
fn moment(text: &Value) -> Option<i64> {
    let moment: DateTime<Utc> = text.as_str()?.parse().ok()?;
    Some(moment.timestamp_micros())
}

/// Waits until the site was seen to show the `version` of house 1, and gives what is told of that.
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

/// A world with house 1 at 100, and a role that asks a site which shows whatever there is, at once, and
/// tells operators alone.
pub async fn with_a_house_that_is_shown(name: &str) -> (World, Role) {
    with_a_house_whose_editors_are_told(name, None).await
}

/// The same, and editors by `token`.
async fn with_a_house_whose_editors_are_told(name: &str, token: Option<&str>) -> (World, Role) {
    with_a_house_on(&Site::start().await, name, token).await
}

/// The same of `site`.
async fn with_a_house_on(site: &Site, name: &str, token: Option<&str>) -> (World, Role) {
    let world = World::new(name).await;
    world.content.put("properties", "1", house(1, 100));
    world.operator().await;
    let role = world.start_with(telling_of(&world, site, token)).await;
    world.wait_for_price("1", 100).await;
    (world, role)
}

/// The configuration of a role in `world` that asks `site`, and tells editors by `token`.
fn telling_of(world: &World, site: &Site, token: Option<&str>) -> Config {
    let mut config = world.config(HINTS_ONLY);
    config.live_status = LiveStatusConfig {
        live_status_token: token.map(Into::into),
        site_url: Some(site.url.parse().expect("a URL")),
        public_url: "https://homes.example".parse().expect("a URL"),
        ..config.live_status
    };
    config
}

/// A site that shows at once whatever was published up to a position: everything, until it is told.
struct Site {
    url: String,
    made_from: Arc<AtomicU64>,
}

impl Site {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let made_from = Arc::new(AtomicU64::new(Sequence::LAST.get()));
        let shown = Arc::clone(&made_from);
        let router = Router::new().fallback(async move || {
            HeaderMap::from_iter([(
                SEQUENCE_HEADER.parse().expect("a name"),
                HeaderValue::from(shown.load(Ordering::Relaxed)),
            )])
        });
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { url: format!("http://{address}"), made_from }
    }

    fn show_up_to(&self, position: Sequence) {
        self.made_from.store(position.get(), Ordering::Relaxed);
    }
}
