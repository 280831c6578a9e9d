//! Saved searches: who gets which alert, when, and only once.

use std::{collections::HashMap, time::Duration};

use chrono::{DateTime, TimeDelta, Utc};
use contracts::{
    AggregateId, Change, Collection, Event, Localized, Offer, SCHEMA_VERSION, Version,
    content::{
        AnnualCosts, ListingStatus, Location, LocationRef, LocationText, Particulars, Property,
        PropertyKind, PropertyText, PropertyType, Snapshot,
    },
};
use http::{Method, StatusCode};
use mail_catcher::{Answer, Mail, Stage};
use serde_json::{Value, json};
use testkit::{
    eventually,
    log::{Log, lineage},
};
use uuid::Uuid;

use crate::{
    browser::Browser,
    world::{World, after},
};

/// Returns a house in Nerja.
pub fn house(reference: &str, price: i64) -> Property {
    let text = |title: &str| PropertyText {
        title: title.to_owned(),
        summary: String::new(),
        description: "<p>With a pool and views of the sea.</p>".to_owned(),
    };
    Property {
        reference: reference.to_owned(),
        status: ListingStatus::ForSale,
        property_type: PropertyType::House,
        kind: PropertyKind::Villa,
        price: Some(price),
        previous_price: None,
        reduced: false,
        featured: false,
        new_build: false,
        listed_at: Utc::now(),
        updated_at: Utc::now(),
        bedrooms: Some(3),
        bathrooms: Some(2),
        built_area: Some(140),
        plot_area: None,
        terrace_area: None,
        year_built: None,
        floor: None,
        features: vec!["pool".to_owned()],
        energy: None,
        annual_costs: AnnualCosts::default(),
        coordinates: None,
        location: LocationRef {
            key: "1".to_owned(),
            slug: "nerja".to_owned(),
            name: Localized { en: Some("Nerja".to_owned()), es: Some("Nerja".to_owned()) },
            ancestors: Vec::new(),
        },
        particulars: Particulars::default(),
        floor_plan: None,
        images: Vec::new(),
        text: Localized {
            en: Some(text(&format!("Villa {reference}"))),
            es: Some(text(&format!("Chalé {reference}"))),
        },
    }
}

/// The content log that editors publish to.
pub struct Content {
    log: Log,
    version: i64,
    /// The offers of each home, which its messages contain.
    offers: HashMap<String, Vec<Offer>>,
}

impl Content {
    pub async fn start(world: &World) -> Self {
        Self { log: Log::create(&world.nats).await, version: 0, offers: HashMap::new() }
    }

    pub async fn publish(&mut self, property: &Property) {
        self.publish_as(&property.reference, property).await;
    }

    /// Publishes `property` as the item `key`.
    pub async fn publish_as(&mut self, key: &str, property: &Property) {
        let offer = Offer {
            version: Version(self.version + 1),
            at: Utc::now(),
            reference: property.reference.clone(),
            location: property.location.slug.clone(),
            property_type: property.property_type,
            price: property.price,
            status: property.status,
        };
        self.offers.entry(key.to_owned()).or_default().push(offer);
        let snapshot = Box::new(Snapshot::Properties(property.clone()));
        self.change(Collection::Properties, key, Change::Upserted { snapshot }).await;
    }

    pub async fn remove(&mut self, key: &str) {
        self.change(Collection::Properties, key, Change::Removed).await;
    }

    /// Publishes the place `key` under the address `slug`.
    pub async fn publish_place(&mut self, key: &str, slug: &str) {
        let text = LocationText {
            name: slug.to_owned(),
            intro: String::new(),
            description: String::new(),
        };
        let place = Location {
            slug: slug.to_owned(),
            ancestors: Vec::new(),
            sort: None,
            coordinates: None,
            image: None,
            text: Localized { en: Some(text), es: None },
        };
        let snapshot = Box::new(Snapshot::Locations(place));
        self.change(Collection::Locations, key, Change::Upserted { snapshot }).await;
    }

    async fn change(&mut self, collection: Collection, key: &str, change: Change) {
        self.version += 1;
        let event = Event {
            id: Uuid::new_v4(),
            schema_version: SCHEMA_VERSION,
            aggregate: AggregateId::new(collection, key),
            version: Version(self.version),
            captured_at: Utc::now(),
            change,
            offers: self.offers.get(key).cloned().unwrap_or_default(),
        };
        self.log.publish(&event).await;
    }

    /// Waits until the role has processed all of it.
    pub async fn wait_until_read(&self, world: &World) {
        // An empty log has no last message.
        let last = if self.version == 0 { 0 } else { self.log.next().to_i64() - 1 };
        eventually("the log was read", async || {
            let read: Option<(i64, bool)> =
                sqlx::query_as("select sequence, is_filled from visitor.alert_checkpoint")
                    .fetch_optional(&world.pool)
                    .await
                    .expect("postgres answers");
            read.is_some_and(|(read, is_filled)| is_filled && read >= last).then_some(())
        })
        .await;
    }
}

impl Browser<'_> {
    pub async fn save_search(&self, address: &str, frequency: &str) -> Value {
        let search = json!({
            "address": address, "name": format!("Search {address}"), "locale": "en",
            "frequency": frequency,
        });
        let (status, saved) = self.post("/api/account/searches", search).await;
        assert_eq!(status, StatusCode::CREATED, "{saved}");
        saved
    }

    /// Makes `reference` a favourite, and turns on immediate alerts about favourites.
    pub async fn follow(&self, reference: &str) {
        let path = format!("/api/account/homes/{reference}");
        let favourite = json!({ "favourite": true });
        assert_eq!(self.call(Method::PUT, &path, Some(favourite)).await.0, StatusCode::OK);
        let wanted = json!({ "favouriteAlerts": "at_once" });
        let (status, _) = self.call(Method::PATCH, "/api/account", Some(wanted)).await;
        assert_eq!(status, StatusCode::OK);
    }
}

impl World {
    /// Sends all pending mails, and returns the alert mails to `address`.
    pub async fn alert_mails(&self, address: &str) -> Vec<Mail> {
        self.make_jobs_due().await;
        self.settled().await;
        let mails = self.mails_to(address).into_iter();
        mails.filter(|mail| mail.head.contains("List-Unsubscribe:")).collect()
    }
}

const ANN: &str = "ann@x.example";

#[tokio::test]
async fn a_saved_search_reports_only_matching_homes() {
    let world = World::start().await;
    let mut content = Content::start(&world).await;
    content.publish(&house("AH-1", 300_000)).await;
    content.wait_until_read(&world).await;
    let ann = world.signed_in(ANN).await;
    ann.save_search("location=nerja&maxPrice=400000&q=sea+view", "at_once").await;
    ann.save_search("location=torrox", "at_once").await;

    content.publish(&house("AH-2", 350_000)).await;
    content.publish(&house("AH-3", 450_000)).await;
    content.wait_until_read(&world).await;
    let mails = world.alert_mails(ANN).await;
    assert_eq!(mails.len(), 1);
    assert!(mails[0].text.contains("Villa AH-2") && !mails[0].text.contains("AH-3"));
    assert!(mails[0].text.contains("Search location=nerja"), "why it was sent");
    assert!(!mails[0].text.contains("torrox"));

    // AH-3 now matches, AH-2 is reduced, and an unchanged home is not reported.
    content.publish(&house("AH-3", 390_000)).await;
    content.publish(&house("AH-2", 340_000)).await;
    content.publish(&house("AH-2", 340_000)).await;
    content.wait_until_read(&world).await;
    let mails = world.alert_mails(ANN).await;
    assert_eq!(mails.len(), 2, "two changes share one mail");
    let text = &mails[1].text;
    assert!(text.contains("€340,000 (was €350,000)"), "{text}");
    assert!(text.contains("€390,000 (was €450,000)"), "{text}");
}

#[tokio::test]
async fn a_home_that_is_for_sale_again_is_not_reported_as_new() {
    let world = World::start().await;
    let mut content = Content::start(&world).await;
    content.publish(&house("AH-1", 300_000)).await;
    content.wait_until_read(&world).await;
    let ann = world.signed_in(ANN).await;
    // The first search matches it while it is reserved too; for the second one it is back.
    ann.save_search("location=nerja", "at_once").await;
    ann.save_search("location=nerja&status=for_sale", "at_once").await;
    let reserved = Property { status: ListingStatus::UnderOffer, ..house("AH-1", 300_000) };
    content.publish(&reserved).await;
    content.wait_until_read(&world).await;
    assert_eq!(world.alert_mails(ANN).await.len(), 0, "this is reported only for favourites");

    content.publish(&house("AH-1", 300_000)).await;
    content.wait_until_read(&world).await;
    let mails = world.alert_mails(ANN).await;
    assert_eq!(mails.len(), 1);
    assert_eq!(mails[0].subject, "For sale again: Villa AH-1");
    let text = &mails[0].text;
    assert!(text.contains("For sale again") && text.contains("Villa AH-1, Nerja"), "{text}");
    assert!(!text.contains("New for you"), "{text}");
    for search in ["Search location=nerja:", "Search location=nerja&status=for_sale:"] {
        assert!(text.contains(search), "{search}: {text}");
    }
}

#[tokio::test]
async fn nothing_is_reported_twice() {
    let mut world = World::start().await;
    let mut content = Content::start(&world).await;
    content.wait_until_read(&world).await;
    let ann = world.signed_in(ANN).await;
    ann.save_search("location=nerja", "at_once").await;
    content.publish(&house("AH-1", 300_000)).await;
    content.wait_until_read(&world).await;
    assert_eq!(world.alert_mails(ANN).await.len(), 1);

    // Removed and published again unchanged.
    content.remove("AH-1").await;
    content.wait_until_read(&world).await;
    content.publish(&house("AH-1", 300_000)).await;
    content.wait_until_read(&world).await;
    // The complete log again, in another epoch.
    content.log.recreate(lineage(2, &[(1, 3)])).await;
    content.publish(&house("AH-1", 300_000)).await;
    content.wait_until_read(&world).await;
    // And from its beginning, by a new process.
    world.process.clone().finish().await.expect("it ends");
    sqlx::query("update visitor.alert_checkpoint set sequence = 0, ledger = null")
        .execute(&world.pool)
        .await
        .expect("postgres answers");
    world.start_role().await;
    content.wait_until_read(&world).await;
    assert_eq!(world.alert_mails(ANN).await.len(), 1);
    assert_eq!(world.count("visitor.alert").await, 1);
}

#[tokio::test]
async fn homes_older_than_a_search_are_not_reported() {
    let world = World::start().await;
    let mut content = Content::start(&world).await;
    content.wait_until_read(&world).await;
    content.publish(&house("AH-1", 300_000)).await;
    let ann = world.signed_in(ANN).await;
    let saved = ann.save_search("location=nerja", "at_once").await;
    content.wait_until_read(&world).await;
    assert_eq!(world.count("visitor.alert").await, 0);

    // After it is ended it gets no more alerts.
    content.publish(&house("AH-2", 300_000)).await;
    content.wait_until_read(&world).await;
    let path = format!("/api/account/searches/{}", saved["id"].as_str().expect("an id"));
    let never = json!({ "frequency": "never" });
    assert_eq!(ann.call(Method::PATCH, &path, Some(never)).await.0, StatusCode::OK);
    content.publish(&house("AH-3", 300_000)).await;
    content.wait_until_read(&world).await;
    assert_eq!(world.alert_mails(ANN).await.len(), 0);
    assert_eq!(ann.call(Method::DELETE, &path, None).await.0, StatusCode::NO_CONTENT);
    assert_eq!(ann.call(Method::DELETE, &path, None).await.0, StatusCode::NOT_FOUND);
    assert_eq!(world.count("visitor.alert").await, 0);
}

#[tokio::test]
async fn changes_of_favourites_are_reported_if_wanted() {
    let world = World::start().await;
    let mut content = Content::start(&world).await;
    content.publish(&house("AH-1", 300_000)).await;
    content.wait_until_read(&world).await;
    let ann = world.signed_in(ANN).await;
    let favourite = json!({ "favourite": true });
    ann.call(Method::PUT, "/api/account/homes/AH-1", Some(favourite)).await;
    content.publish(&house("AH-1", 310_000)).await;
    content.wait_until_read(&world).await;
    assert_eq!(world.alert_mails(ANN).await.len(), 0, "mails about favourites are off");

    let wanted = json!({ "favouriteAlerts": "daily" });
    let (status, account) = ann.call(Method::PATCH, "/api/account", Some(wanted)).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(account["searches"][0]["address"], Value::Null);
    let sold = Property { status: ListingStatus::Sold, ..house("AH-1", 310_000) };
    content.publish(&sold).await;
    content.wait_until_read(&world).await;
    let due: Vec<f64> = sqlx::query_scalar(
        "select extract(epoch from due_at - now())::float8 from visitor.job
         where kind = 'alert_mail' and state = 'due'",
    )
    .fetch_all(&world.pool)
    .await
    .expect("postgres answers");
    assert!(due.len() == 1 && due[0] > 0.0, "it waits for the morning: {due:?}");
    content.remove("AH-1").await;
    content.wait_until_read(&world).await;
    let mails = world.alert_mails(ANN).await;
    assert_eq!(mails.len(), 1);
    assert!(mails[0].text.contains("No longer on our site"), "{}", mails[0].text);
    assert!(!mails[0].text.contains("/AH-1"), "it has no page to link to");
}

#[tokio::test]
async fn the_favourites_have_a_name_in_the_language_of_the_mail() {
    let world = World::start().await;
    let mut content = Content::start(&world).await;
    content.publish(&house("AH-1", 300_000)).await;
    content.wait_until_read(&world).await;
    let ann = world.signed_in(ANN).await;
    ann.follow("AH-1").await;
    for (locale, price, named, other) in [
        ("es", 290_000, "Sus favoritas:", "Your favourites"),
        ("en", 280_000, "Your favourites:", "Sus favoritas"),
    ] {
        let change = json!({ "locale": locale });
        let (status, _) = ann.call(Method::PATCH, "/api/account", Some(change)).await;
        assert_eq!(status, StatusCode::OK);
        content.publish(&house("AH-1", price)).await;
        content.wait_until_read(&world).await;
        let text = world.alert_mails(ANN).await.pop().expect("a mail").text;
        assert!(text.contains(named) && !text.contains(other), "{text}");
    }
}

#[tokio::test]
async fn alerts_need_a_confirmation() {
    let world = World::start().await;
    let mut content = Content::start(&world).await;
    content.wait_until_read(&world).await;
    let request = |address: &str, email: &str| {
        json!({ "address": address, "name": "Homes in Nerja", "locale": "es",
                "frequency": "at_once", "email": email })
    };
    let somebody = world.browser();
    let (status, answer) = somebody.post("/api/alerts", request("location=nerja", ANN)).await;
    assert_eq!((status, answer), (StatusCode::ACCEPTED, Value::Null));
    content.publish(&house("AH-1", 300_000)).await;
    content.wait_until_read(&world).await;
    world.settled().await;
    assert_eq!(world.count("visitor.alert").await, 0);

    // Four more requests in her name: three mails a day at most, and the response is the same.
    for _ in 0..4 {
        world.settled().await;
        let (status, _) = somebody.post("/api/alerts", request("location=nerja", ANN)).await;
        assert_eq!(status, StatusCode::ACCEPTED);
    }
    world.settled().await;
    let asking = world.mails_to(ANN);
    assert_eq!(asking.len(), 3);
    let token = after(&asking[0].text, "/es/alerts/confirm?token=");
    let agreement = json!({ "token": token, "name": "Homes in Nerja" });
    let (status, confirmed) = somebody.post("/api/alerts/confirm", agreement).await;
    assert_eq!((status, &confirmed["frequency"]), (StatusCode::OK, &json!("at_once")));

    content.publish(&house("AH-2", 300_000)).await;
    content.wait_until_read(&world).await;
    let mails = world.alert_mails(ANN).await;
    assert_eq!(mails.len(), 1);
    let mail = &mails[0];
    assert!(mail.text.contains("Chalé AH-2") && mail.text.contains("Nuevo para usted"));
    assert!(mail.head.contains("List-Unsubscribe-Post: List-Unsubscribe=One-Click"));
    let manage = after(&mail.text, "/es/alerts?token=");
    let (_, subscription) =
        somebody.post("/api/alerts/subscription", json!({ "token": manage })).await;
    assert_eq!(subscription["email"], ANN);
    assert_eq!(subscription["searches"].as_array().map(Vec::len), Some(1));

    // One-click unsubscribe as mail programs do it: no cookie, a form, no referrer.
    let press = reqwest::Client::new()
        .post(format!("{}/api/alerts/unsubscribe/{manage}", world.url))
        .header("content-type", "application/x-www-form-urlencoded")
        .body("List-Unsubscribe=One-Click");
    assert_eq!(press.send().await.expect("an answer").status(), StatusCode::OK);
    content.publish(&house("AH-3", 300_000)).await;
    content.wait_until_read(&world).await;
    assert_eq!(world.alert_mails(ANN).await.len(), 1);

    // A sign-in proves that she reads the mailbox: the search moves to the account, and old links still
    // work.
    let ann = world.signed_in(ANN).await;
    let (_, account) = ann.get("/api/account").await;
    assert_eq!(account["searches"][0]["name"], "Homes in Nerja");
    let (status, _) = ann.post("/api/alerts/subscription", json!({ "token": manage })).await;
    assert_eq!(status, StatusCode::OK);
}

#[tokio::test]
async fn searches_belong_to_one_account() {
    let world = World::start().await;
    let (ann, eve) = (world.browser(), world.browser());
    ann.sign_in(ANN).await;
    eve.sign_in("eve@x.example").await;
    let saved = ann.save_search("location=nerja", "daily").await;
    let id = saved["id"].as_str().expect("an id");
    let path = format!("/api/account/searches/{id}");
    let change = json!({ "frequency": "never" });
    assert_eq!(eve.call(Method::PATCH, &path, Some(change)).await.0, StatusCode::NOT_FOUND);
    assert_eq!(eve.call(Method::DELETE, &path, None).await.0, StatusCode::NOT_FOUND);
    for token in ["", "x", "' or true --"] {
        let change = json!({ "token": token, "search": id, "change": { "frequency": "never" } });
        assert_eq!(eve.post("/api/alerts/change", change).await.0, StatusCode::GONE);
        let (status, _) = eve.post("/api/alerts/subscription", json!({ "token": token })).await;
        assert_eq!(status, StatusCode::GONE);
    }
    let wrong = json!({ "address": "maxPrice=much", "name": "", "locale": "en",
                        "frequency": "daily", "email": "eve" });
    let (status, problem) = eve.post("/api/alerts", wrong).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    let fields: Vec<_> = problem["errors"].as_array().into_iter().flatten().collect();
    let fields: Vec<_> = fields.iter().filter_map(|error| error["field"].as_str()).collect();
    assert_eq!(fields, ["address", "name", "email"]);
    let (_, account) = ann.get("/api/account").await;
    assert_eq!(account["searches"][0]["frequency"], "daily");
}

#[tokio::test]
async fn alerts_are_complete_and_unique_although_the_process_restarts() {
    let mut world = World::start().await;
    let mut content = Content::start(&world).await;
    content.wait_until_read(&world).await;
    let ann = world.signed_in(ANN).await;
    ann.save_search("location=nerja", "at_once").await;
    for round in 0..4 {
        for house_number in 0..5 {
            content.publish(&house(&format!("AH-{round}{house_number}"), 300_000)).await;
        }
        world.process.clone().finish().await.expect("it ends");
        world.start_role().await;
    }
    content.wait_until_read(&world).await;
    assert_eq!(world.count("visitor.alert").await, 20);
    let listed: usize = world
        .alert_mails(ANN)
        .await
        .iter()
        .map(|mail| mail.text.matches("Villa AH-").count())
        .sum();
    let more = world.mails_to(ANN).iter().filter(|mail| mail.text.contains("10 more")).count();
    assert_eq!(listed + 10 * more, 20);
    tokio::time::timeout(Duration::from_secs(20), world.settled()).await.expect("nothing hangs");
}

#[tokio::test]
async fn late_and_retried_alerts_are_not_sent_at_night() {
    let world = World::start().await;
    let mut content = Content::start(&world).await;
    content.wait_until_read(&world).await;
    let ann = world.signed_in(ANN).await;
    ann.save_search("location=nerja", "at_once").await;
    let set_clock = |now: &str| world.clock.set(now.parse().expect("a time"));
    let job = async || -> (DateTime<Utc>, i32) {
        sqlx::query_as("select due_at, attempts from visitor.job where kind = 'alert_mail'")
            .fetch_one(&world.pool)
            .await
            .expect("a mail")
    };
    let morning = "2030-11-24T07:00:00Z".parse::<DateTime<Utc>>().expect("a time");
    let waits_for_the_morning = async || {
        eventually("it waits for the morning", async || {
            let (due, attempts) = job().await;
            (due >= morning && due < morning + TimeDelta::minutes(20)).then_some(attempts)
        })
        .await
    };

    // 21:00 in Madrid is night; a backlog becomes due then.
    set_clock("2030-11-23T20:00:00Z");
    content.publish(&house("AH-1", 300_000)).await;
    content.wait_until_read(&world).await;
    world.make_jobs_due().await;
    assert_eq!(waits_for_the_morning().await, 0, "a postponement is not an attempt");
    // More changes can still be added to the mail.
    content.publish(&house("AH-2", 300_000)).await;
    content.wait_until_read(&world).await;
    assert_eq!(world.count("visitor.alert_mail").await, 1);

    // The mail server refuses by day, and the retry is due at night.
    set_clock("2030-11-23T19:59:00Z");
    world.mails.answer(Some(Answer { stage: Stage::Sender, code: 451, times: 1 }));
    world.make_jobs_due().await;
    eventually("it was attempted", async || (job().await.1 == 1).then_some(())).await;
    eventually("it was refused", async || {
        let refused = "visitor.job where kind = 'alert_mail' and last_error is not null";
        (world.count(refused).await == 1).then_some(())
    })
    .await;
    set_clock("2030-11-23T22:30:00Z");
    world.make_jobs_due().await;
    assert_eq!(waits_for_the_morning().await, 1);
    assert_eq!(world.count("visitor.job where last_error is not null").await, 0, "it is postponed");
    let sent = || {
        let mails = world.mails_to(ANN).into_iter();
        mails.filter(|mail| mail.head.contains("List-Unsubscribe:")).collect::<Vec<_>>()
    };
    assert_eq!(sent().len(), 0);
    set_clock("2030-11-24T07:00:00Z");
    let mails = world.alert_mails(ANN).await;
    assert_eq!(mails.len(), 1);
    assert!(mails[0].text.contains("AH-1") && mails[0].text.contains("AH-2"));
}
