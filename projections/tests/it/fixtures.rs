//! Sample content, and helpers that write and read the tables.

use chrono::{DateTime, Utc};
use contracts::{
    AggregateId, Change, Checkpoint, Collection, Event, Locale, Localized, Offer, SCHEMA_VERSION,
    Sequence, Version,
    content::{
        AnnualCosts, Coordinates, ListingStatus, Location, LocationRef, LocationText, Orientation,
        Particulars, Picture, Property, PropertyKind, PropertyText, PropertyType, Room, RoomKind,
        Snapshot,
    },
};
use projections::{Generation, Message, ReadModel};
use serde_json::Value;
use sqlx::{AssertSqlSafe, PgPool};
use testkit::{Database, log::LEDGER};
use uuid::Uuid;

pub fn day(number: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(1_750_000_000 + number * 86_400, 0).expect("a date of our time")
}

pub fn home(reference: &str, place: &str, price: i64) -> Property {
    let text = |title: &str| PropertyText {
        title: title.to_owned(),
        summary: "Quiet and sunny".to_owned(),
        description: "<p>With a garden</p>".to_owned(),
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
        listed_at: day(0),
        updated_at: day(1),
        bedrooms: Some(3),
        bathrooms: Some(2),
        built_area: Some(120),
        plot_area: None,
        terrace_area: None,
        year_built: None,
        floor: None,
        features: vec!["garden".to_owned()],
        energy: None,
        annual_costs: AnnualCosts::default(),
        coordinates: Some(Coordinates { lat: 36.730_000_000_000_004, lng: -3.953_5 }),
        location: LocationRef {
            key: place.to_owned(),
            slug: place.to_owned(),
            name: Localized { en: Some(place.to_uppercase()), es: None },
            ancestors: Vec::new(),
        },
        particulars: Particulars {
            useful_area: Some(101),
            orientation: Some(Orientation::South),
            rooms: vec![Room { kind: RoomKind::Kitchen, area: Some(9.5), floor: None }],
            ..Particulars::default()
        },
        images: vec![picture(7, "A terrace")],
        floor_plan: Some(picture(8, "A plan")),
        text: Localized { en: Some(text("Villa")), es: Some(text("Chalé")) },
    }
}

fn picture(file: u128, alt: &str) -> Picture {
    Picture {
        file: Uuid::from_u128(file),
        version: "1".to_owned(),
        width: 1_200,
        height: 800,
        alt: alt.to_owned(),
        alt_es: None,
        placeholder: Some("UklGRg==".to_owned()),
    }
}

pub fn place(slug: &str) -> Snapshot {
    let text = LocationText {
        name: slug.to_uppercase(),
        intro: "A white town".to_owned(),
        description: String::new(),
    };
    Snapshot::Locations(Location {
        slug: slug.to_owned(),
        ancestors: Vec::new(),
        sort: Some(1),
        coordinates: None,
        image: None,
        text: Localized { en: Some(text), es: None },
    })
}

pub fn id(key: &str) -> AggregateId {
    AggregateId::new(Collection::Properties, key)
}

pub fn upserted(id: &AggregateId, version: i64, snapshot: Snapshot) -> Event {
    event(id, version, Change::Upserted { snapshot: Box::new(snapshot) })
}

pub fn removed(id: &AggregateId, version: i64) -> Event {
    event(id, version, Change::Removed)
}

fn event(id: &AggregateId, version: i64, change: Change) -> Event {
    let offers = match &change {
        Change::Upserted { snapshot } => offer(version, snapshot).into_iter().collect(),
        Change::Removed => Vec::new(),
    };
    Event {
        offers,
        id: Uuid::new_v4(),
        schema_version: SCHEMA_VERSION,
        aggregate: id.clone(),
        version: Version(version),
        captured_at: day(2),
        change,
    }
}

fn offer(version: i64, snapshot: &Snapshot) -> Option<Offer> {
    let Snapshot::Properties(home) = snapshot else { return None };
    Some(Offer {
        version: Version(version),
        at: day(2),
        reference: home.reference.clone(),
        location: home.location.slug.clone(),
        property_type: home.property_type,
        price: home.price,
        status: home.status,
    })
}

/// Returns a database with the first generation of read models.
pub async fn database(name: &str) -> (PgPool, Generation) {
    read_models_in(&testkit::postgres().await.database(name).await).await
}

/// Creates the first generation of read models in `database`.
pub async fn read_models_in(database: &Database) -> (PgPool, Generation) {
    let pool = database.pool();
    projections::migrate(&pool).await.expect("the schema can be made");
    let generation = Generation {
        number: 1,
        model_version: read_models::READ_MODEL_VERSION,
        checkpoint: Checkpoint::START,
        live: true,
    };
    (pool, generation)
}

/// Applies `events` one after another, from the position of `generation` on.
pub async fn apply_all(pool: &PgPool, generation: &mut Generation, events: &[Event]) {
    for event in events {
        apply_batch(pool, generation, std::slice::from_ref(event)).await;
    }
}

/// Applies `events` in one transaction.
pub async fn apply_batch(pool: &PgPool, generation: &mut Generation, events: &[Event]) {
    let from = generation.checkpoint.sequence;
    let messages: Vec<Message<'_>> = (from.get() + 1..)
        .zip(events)
        .map(|(sequence, event)| Message {
            sequence: Sequence::from(sequence),
            event,
            traceparent: Some(format!("00-{sequence:032x}-{sequence:016x}-01")),
        })
        .collect();
    let to = messages.last().map_or(from, |message| message.sequence);
    let to = Checkpoint::new(LEDGER, to);
    let applied = projections::apply(pool, generation, from, to, &messages).await;
    applied.expect("the messages can be applied");
    generation.checkpoint = to;
}

/// Stores `event`, at `sequence`, as a dead letter.
pub async fn store_dead_letter(pool: &PgPool, sequence: i64, event: &Event) {
    sqlx::query(
        "insert into read.dead_letter
             (generation, subject, sequence, version, body, traceparent, error, tries)
         select generation, $1, $2, $3, $4, $5, 'the disk was full', 3 from read.checkpoint",
    )
    .bind(event.aggregate.subject())
    .bind(sequence)
    .bind(event.version.0)
    .bind(serde_json::to_vec(event).expect("an event is JSON"))
    .bind(format!("00-{:032x}-{:016x}-01", 7, 7))
    .execute(pool)
    .await
    .expect("the letter is written");
}

/// Returns all rows of all read models and of the table `aggregate`, as JSON, in order.
pub async fn dump(pool: &PgPool, generation: &Generation) -> Vec<Value> {
    let mut all = Vec::new();
    let names = ReadModel::NAMES.iter().map(|name| format!("read.{name}"));
    for table in
        names.chain(["read.offer".to_owned(), format!("{}.aggregate", generation.schema())])
    {
        let sql = format!("select to_jsonb(t) from {table} t order by to_jsonb(t)::text");
        let rows: Vec<Value> = sqlx::query_scalar(AssertSqlSafe(sql))
            .fetch_all(pool)
            .await
            .expect("the table can be read");
        all.extend(rows);
    }
    all
}

/// Returns the title and price of the property `key` in English, if it is shown.
pub async fn shown(pool: &PgPool, key: &str) -> Option<(String, Option<i64>)> {
    sqlx::query_as("select title, price from read.property where key = $1 and locale = $2")
        .bind(key)
        .bind(Locale::En.code())
        .fetch_optional(pool)
        .await
        .expect("the view can be read")
}
