//! Parking: what can't be recorded is set aside alone, and what the site shows of it stays.

use contracts::Locale;
use reqwest::StatusCode;
use runtime::Process;
use serde_json::{Value, json};
use sync::{Depth, MassRemoval};
use testkit::{ADMIN_TOKEN, eventually};

use crate::{
    content::{FILE, file, house, location},
    role::{Entry, HINTS_ONLY, Role, World},
};

/// Invalid edits of house 1, and the field that each is reported for.
const INVALID_EDITS: [(&str, &str); 8] = [
    (
        r#"{ "translations": [{ "id": 10, "languages_code": "en-GB", "title": "" }] }"#,
        "translations.title",
    ),
    (r#"{ "lat": "999.0" }"#, "lat"),
    (r#"{ "status": "review" }"#, "status"),
    (r#"{ "location": null }"#, "location"),
    (r#"{ "price": -5 }"#, "price"),
    (r#"{ "energy_rating": "in_process" }"#, "energy_rating"),
    (r#"{ "energy_rating": "exempt" }"#, "energy_exemption"),
    (r#"{ "ref": "AH 1042" }"#, "ref"),
];

fn edit(world: &World, key: &str, fields: &Value) {
    world.content.change("properties", key, |house| {
        for (field, value) in fields.as_object().expect("fields") {
            house[field] = value.clone();
        }
    });
}

/// Has the parked item read now, as its schedule would do later.
async fn try_parked_now(world: &World) {
    world
        .sql(
            "update ledger.aggregate set recheck_at = now()
             where (collection, key) in (select collection, key from ledger.parked)",
        )
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_character_that_postgres_can_t_store_parks_its_item_alone() {
    let world = World::new("nul").await;
    for id in 1..=25 {
        world.content.put("properties", &id.to_string(), house(id, 100));
    }
    world.content.change("properties", "7", |house| {
        house["translations"][0]["title"] = json!("A\0house");
    });
    let role = world.start(HINTS_ONLY).await;
    let item = world.wait_until_parked("properties", "7", "translations.en-GB.title").await;
    assert!(item.violations[0].rule.contains("U+0000"), "{}", item.violations[0]);
    assert_eq!(item.violations[0].value, r#""A\u0000house""#);
    eventually("every other house in the ledger", async || {
        let latest = world.latest().await;
        let houses = latest.keys().filter(|name| name.starts_with("properties/")).count();
        (houses == 24).then_some(())
    })
    .await;
    assert_eq!(world.parked().await.items.len(), 1);

    world.content.change("properties", "7", |house| {
        house["translations"][0]["title"] = json!("A house");
    });
    // The hint is about the translation, which only the parked read recorded as a part.
    role.hint("properties_translations", "70").await;
    world.wait_for_price("7", 100).await;
    world.wait_until_none_is_parked().await;
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invalid_edit_keeps_the_last_good_version() {
    let world = World::new("slips").await;
    world.content.put("properties", "1", house(1, 100));
    let role = world.start(HINTS_ONLY).await;
    for (slip, field) in INVALID_EDITS {
        let good = world.content.properties().remove("1").expect("house 1");
        edit(&world, "1", &serde_json::from_str(slip).expect("JSON"));
        role.hint("properties", "1").await;
        let item = world.wait_until_parked("properties", "1", field).await;
        assert_eq!(item.violations.len(), 1, "{slip}: {:?}", item.violations);
        // None while a recheck is pending.
        eventually(&format!("a next try of {slip}"), async || {
            world.parked().await.items.pop().filter(|item| item.next_try.is_some())
        })
        .await;
        world.content.put("properties", "1", good);
        role.hint("properties", "1").await;
        world.wait_until_none_is_parked().await;
    }
    world.wait_until_idle().await;
    let entry = world.property("1").await.expect("it is still published");
    assert_eq!((entry.version, entry.price()), (1, Some(100)), "nothing was recorded");

    edit(&world, "1", &json!({ "price": -5 }));
    role.hint("properties", "1").await;
    world.wait_until_parked("properties", "1", "price").await;
    edit(&world, "1", &json!({ "status": "archived" }));
    role.hint("properties", "1").await;
    eventually("the removal", async || world.property("1").await.filter(Entry::is_removal)).await;
    world.wait_until_none_is_parked().await;
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_place_that_loses_its_name_does_not_remove_its_homes() {
    let world = World::new("nameless").await;
    world.content.put("properties", "1", house(1, 100));
    let role = world.start(HINTS_ONLY).await;
    world.content.put("locations", "4", location(4, "nerja", ""));
    role.hint("locations", "4").await;
    world.wait_until_parked("locations", "4", "translations.name").await;
    world.content.change("properties", "1", |house| house["price"] = json!(200));
    role.hint("properties", "1").await;
    world.wait_until_parked("properties", "1", "location").await;

    // The place is as before and gets no new version; what waited for it is read again.
    world.content.put("locations", "4", location(4, "nerja", "Nerja"));
    role.hint("locations", "4").await;
    world.wait_for_price("1", 200).await;
    world.wait_until_none_is_parked().await;
    assert!(world.entries().await.iter().all(|entry| !entry.is_removal()));
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_item_that_the_ledger_refuses_is_parked_alone_and_retried() {
    let world = World::new("refused").await;
    for id in 1..=9 {
        world.content.put("properties", &id.to_string(), house(id, 100));
    }
    let operator = world.operator().await;
    world
        .sql(
            "alter table ledger.entry add constraint no_five
             check (coalesce(change -> 'snapshot' ->> 'ref', '') <> 'AH-5')",
        )
        .await;
    operator.reconcile(Depth::Contents, MassRemoval::Refuse).await.expect("compared");
    operator.capture_due().await.expect("the others are captured");
    let parked = world.parked().await.items;
    let [item] = parked.as_slice() else { panic!("{parked:?}") };
    assert_eq!((item.collection.as_str(), item.key.as_str()), ("properties", "5"));
    assert!(item.violations[0].rule.contains("no_five"), "{:?}", item.violations);
    // Including a place and the settings.
    assert_eq!(world.latest().await.len(), 10);

    world.sql("alter table ledger.entry drop constraint no_five").await;
    try_parked_now(&world).await;
    assert_eq!(operator.capture_due().await.expect("captured"), 1);
    assert!(world.parked().await.items.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_item_that_the_content_service_can_t_read_is_parked_alone() {
    let world = World::new("broken").await;
    for id in 1..=20 {
        world.content.put("properties", &id.to_string(), house(id, 100));
    }
    let role = world.start(HINTS_ONLY).await;
    for id in 1..=20 {
        world.content.change("properties", &id.to_string(), |house| house["price"] = json!(200));
    }
    world.content.break_item("properties", "13");
    let keys: Vec<i64> = (1..=20).collect();
    let body =
        json!({ "event": "properties.items.update", "keys": keys, "collection": "properties" });
    assert!(role.post(&body).await.status().is_success());
    let item = world.wait_until_parked("properties", "13", "").await;
    assert!(item.violations[0].rule.contains("500"), "{:?}", item.violations);
    for key in (1..=20).filter(|key| *key != 13) {
        world.wait_for_price(&key.to_string(), 200).await;
    }
    assert_eq!(world.property("13").await.and_then(|entry| entry.price()), Some(100));

    world.content.mend_item("properties", "13");
    try_parked_now(&world).await;
    world.wait_for_price("13", 200).await;
    world.wait_until_none_is_parked().await;
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unreadable_item_does_not_block_the_full_comparison_of_others() {
    let world = World::new("unread").await;
    for id in 1..=20 {
        world.content.put("properties", &id.to_string(), house(id, 100));
    }
    let operator = world.operator().await;
    operator.reconcile(Depth::Contents, MassRemoval::Refuse).await.expect("read");
    operator.capture_due().await.expect("captured");
    world.content.break_item("properties", "13");
    // Without a hint: only a full comparison finds them.
    for id in 1..=20 {
        world.content.change("properties", &id.to_string(), |house| house["price"] = json!(200));
    }
    let report =
        operator.reconcile(Depth::Contents, MassRemoval::Refuse).await.expect("read all the same");
    assert_eq!((report.differing, report.missing), (20, 0));
    operator.capture_due().await.expect("captured");
    for key in (1..=20).filter(|key| *key != 13) {
        let entry = world.property(&key.to_string()).await;
        assert_eq!(entry.and_then(|entry| entry.price()), Some(200), "{key}");
    }
    assert_eq!(world.property("13").await.and_then(|entry| entry.price()), Some(100));
    world.wait_until_parked("properties", "13", "").await;
    // Parked items are left to their own schedule.
    let again = operator.reconcile(Depth::Contents, MassRemoval::Refuse).await.expect("read");
    assert_eq!((again.differing, again.missing), (0, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_item_that_stays_invalid_is_read_less_and_less_often() {
    let world = World::new("seldom").await;
    let operator = world.operator().await;
    operator.reconcile(Depth::Contents, MassRemoval::Refuse).await.expect("compared");
    operator.capture_due().await.expect("its place is captured");
    world.content.put("properties", "1", house(1, -5));
    let mut pauses = Vec::new();
    for tries in 1..=12 {
        operator.reconcile(Depth::Contents, MassRemoval::Refuse).await.expect("compared");
        operator.capture_due().await.expect("captured");
        let item = world.wait_until_parked("properties", "1", "price").await;
        assert_eq!(item.tries, tries, "a comparison that finds the same reads nothing again");
        let next = item.next_try.expect("it is tried again");
        pauses.push((next - item.last_at).num_seconds());
        try_parked_now(&world).await;
        assert_eq!(
            operator.reconcile(Depth::Ids, MassRemoval::Refuse).await.expect("compared").differing,
            0
        );
        assert_eq!(
            operator.reconcile(Depth::Contents, MassRemoval::Refuse).await.expect("ok").differing,
            0
        );
    }
    assert_eq!(pauses[..3], [15, 30, 60]);
    assert_eq!(pauses.last(), Some(&3600));
}

#[tokio::test(flavor = "multi_thread")]
async fn unresolved_hints_do_not_delay_later_ones() {
    let world = World::new("hints").await;
    world.content.put("properties", "1", house(1, 100));
    let role = world.start(HINTS_ONLY).await;
    world.content.forbid("team_translations");
    for key in 1..=150 {
        role.hint("team_translations", &key.to_string()).await;
    }
    world.translate(&role).await;
    let hints = eventually("every hint being put off", async || {
        Some(world.parked().await.hints).filter(|hints| hints.len() == 150)
    })
    .await;
    assert!(hints.iter().all(|hint| hint.collection == "team_translations" && hint.tries > 0));
    assert!(hints[0].failure.contains("forbids"), "{}", hints[0].failure);

    world.content.allow("team_translations");
    world.sql("update ledger.inbox set due_at = now() where resolved_at is null").await;
    eventually("every hint being resolved", async || {
        world.parked().await.hints.is_empty().then_some(())
    })
    .await;
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn hints_whose_requests_hang_do_not_delay_later_ones_for_long() {
    let world = World::new("hanging_hints").await;
    world.content.put("properties", "1", house(1, 100));
    let role = world.start(HINTS_ONLY).await;
    world.content.hang("team_translations");
    // Each takes five seconds, so that all of them, one after the other, would take more than a minute.
    for key in 1..=16 {
        role.hint("team_translations", &key.to_string()).await;
    }
    world.translate(&role).await;
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_health_report_lists_what_is_parked() {
    let world = World::new("told").await;
    world.content.put("properties", "1", house(1, -5));
    let role = world.start(HINTS_ONLY).await;
    world.wait_until_parked("properties", "1", "price").await;
    // Counts and names are read one after the other, and the item may be parked in between.
    let counted = json!({ "properties": 1 });
    let told = eventually("the health naming it", async || {
        role.health_details("parked").filter(|told| told["counts"] == counted)
    })
    .await;
    assert_eq!(told["named"][0]["item"], "properties/1");
    assert!(role.is_ready(), "a slip of an editor's makes sync no less ready");

    let (status, answer) = role.ask("/admin/parked", Some(ADMIN_TOKEN)).await;
    assert_eq!(status, StatusCode::OK);
    let item = &answer["items"][0];
    assert_eq!((&item["collection"], &item["key"]), (&json!("properties"), &json!("1")));
    let violation = &item["violations"][0];
    assert_eq!((&violation["field"], &violation["value"]), (&json!("price"), &json!("-5")));
    assert!(violation["rule"].as_str().is_some_and(|rule| rule.contains("from 0")), "{answer}");
    for token in [None, Some("another-token-for-it")] {
        let (status, answer) = role.ask("/admin/parked", token).await;
        assert_eq!(status, StatusCode::UNAUTHORIZED);
        assert!(!answer.to_string().contains("price"));
    }

    edit(&world, "1", &json!({ "price": 5 }));
    role.hint("properties", "1").await;
    eventually("the health naming nothing", async || {
        role.health_details("parked").is_none().then_some(())
    })
    .await;
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_article_with_a_future_day_is_listed_as_planned() {
    const ARTICLE: &str = "b0000000-0000-4000-8000-000000000001";
    let world = World::new("planned").await;
    let article = |slug: &str| {
        json!({
            "id": ARTICLE, "status": "published", "slug": slug, "published_at": "2099-01-01",
            "translations": [{ "id": 1, "languages_code": "en-GB", "title": "The market" }],
        })
    };
    let counted = async || {
        let counts = world.ledger().parked_counts().await.expect("the ledger answers");
        (counts.items.values().sum::<i64>(), counts.planned)
    };
    world.content.put("articles", ARTICLE, article("market"));
    let role = world.start(HINTS_ONLY).await;
    let item = world.wait_until_parked("articles", ARTICLE, "published_at").await;
    assert!(item.awaits_publication_day(), "{item:?}");
    assert_eq!(counted().await, (0, 1));

    world.content.put("articles", ARTICLE, article("a market"));
    role.hint("articles", ARTICLE).await;
    let item = world.wait_until_parked("articles", ARTICLE, "slug").await;
    assert!(!item.awaits_publication_day(), "{item:?}");
    assert_eq!(counted().await, (1, 0));
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn many_items_are_all_counted_and_some_listed() {
    let world = World::new("many").await;
    let role = world.start(HINTS_ONLY).await;
    world
        .sql(
            "insert into ledger.left_out (collection, key, pictures)
             select 'properties', n::text, '[]' from generate_series(1, 1200) as n",
        )
        .await;
    let told = eventually("all of them being counted", async || {
        role.health_details("parked").filter(|told| told["leftOut"] == 1200)
    })
    .await;
    assert_eq!(told["named"].as_array().map(Vec::len), Some(20));
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_an_admin_token_the_calls_do_not_exist() {
    let world = World::new("tokenless").await;
    world.operator().await;
    let role = Role::start_as(Process::new(), world.config(HINTS_ONLY)).await;
    for token in [None, Some(ADMIN_TOKEN), Some("")] {
        assert_eq!(role.ask("/admin/parked", token).await.0, StatusCode::NOT_FOUND);
    }
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_can_t_be_shown_is_reported_with_instructions() {
    let world = World::new("heic").await;
    world.content.put("properties", "1", house(1, 100));
    world.content.change("directus_files", FILE, |file| {
        file["type"] = json!("image/heic");
        file["filename_download"] = json!("IMG_4711.HEIC");
    });
    let role = world.start(HINTS_ONLY).await;
    let left_out = async || world.parked().await.left_out.into_iter().next();
    let item = eventually("the house being told", left_out).await;
    assert_eq!((item.collection.as_str(), item.key.as_str()), ("properties", "1"));
    let [picture] = item.pictures.as_slice() else { panic!("{item:?}") };
    assert_eq!(picture.field, "images[1]");
    assert!(picture.value.contains("IMG_4711.HEIC") && picture.value.contains("image/heic"));
    assert!(picture.rule.contains("save it as JPEG"), "{picture}");
    assert_eq!(world.property("1").await.and_then(|entry| entry.price()), Some(100));
    assert!(world.parked().await.items.is_empty(), "the house itself is no slip");

    let told = eventually("the health naming it", async || role.health_details("parked")).await;
    assert_eq!((&told["leftOut"], role.is_ready()), (&json!(1), true));
    assert_eq!(told["named"][0]["shownWithoutPicture"], "properties/1");
    let (_, answer) = role.ask("/admin/parked", Some(ADMIN_TOKEN)).await;
    assert_eq!(answer["leftOut"][0]["pictures"][0]["field"], "images[1]", "{answer}");

    // Items from before omitted pictures were recorded are recorded when they are compared.
    world.sql("delete from ledger.left_out").await;
    let operator = world.operator().await;
    let differing = async || {
        let report =
            operator.reconcile(Depth::Contents, MassRemoval::Refuse).await.expect("compared");
        report.differing
    };
    assert_eq!(differing().await, 1);
    eventually("the house being told again", left_out).await;
    world.wait_until_idle().await;
    assert_eq!(differing().await, 0, "what is noted is no difference");

    world.content.change("directus_files", FILE, |file| file["type"] = json!("image/jpeg"));
    role.hint("directus_files", FILE).await;
    eventually("nothing left out", async || left_out().await.is_none().then_some(())).await;
    eventually("the health naming nothing", async || {
        role.health_details("parked").is_none().then_some(())
    })
    .await;
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_exceeds_a_limit_is_never_shown_and_reported_with_instructions() {
    let world = World::new("limits").await;
    world.content.put("properties", "1", house(1, 100));
    let change_file = |field: &str, value: Value| {
        let mut changed = file("A terrace");
        changed[field] = value;
        world.content.put("directus_files", FILE, changed);
    };
    let told = async |words: &str| {
        eventually("the house being told", async || {
            let picture = world.parked().await.left_out.pop()?.pictures.pop()?;
            picture.rule.contains(words).then_some(picture.rule_in(Locale::Es))
        })
        .await
    };
    // 33 MB, as text like Directus sends it.
    change_file("filesize", json!("34603008"));
    let role = world.start(HINTS_ONLY).await;
    let in_spanish = told("a file of at most 32 MB").await;
    assert!(in_spanish.contains("un archivo de 32 MB como máximo"), "{in_spanish}");
    change_file("width", json!(20_000));
    role.hint("directus_files", FILE).await;
    let in_spanish = told("64 megapixels and 16,384 pixels a side").await;
    assert!(in_spanish.contains("16.384 píxeles por lado"), "{in_spanish}");

    let entries = world.entries().await;
    let mut versions = entries.iter().filter(|entry| entry.aggregate == "properties/1");
    assert!(versions.all(|entry| entry.change["snapshot"]["images"] == json!([])));
    assert_eq!(world.content.originals_asked(), 0);
    role.stop().await;
}
