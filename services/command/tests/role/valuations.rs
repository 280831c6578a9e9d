//! Valuation enquiries and their pictures.

use bytes::Bytes;
use http::{Method, StatusCode};
use pictures::{DynamicImage, Format, decode, encode};
use serde_json::{Value, json};

use crate::world::{World, enquiry};

/// Returns a picture of the size that telephones make, but blank.
pub fn picture() -> Bytes {
    encode(&DynamicImage::new_rgb8(3_000, 2_000), Format::Jpeg).expect("a picture")
}

fn valuation(pictures: &[&Value]) -> Value {
    json!({
        "kind": "valuation", "name": "Ann Lee", "email": "ann@x.example", "locale": "es",
        "address": "Calle Real 1, Nerja", "propertyKind": "villa", "builtArea": 140,
        "pictures": pictures, "privacyAccepted": true,
    })
}

impl World {
    /// Uploads a file as a picture.
    pub async fn upload(&self, file: impl Into<reqwest::Body>) -> (StatusCode, Value) {
        let url = format!("{}/api/enquiries/pictures?locale=es", self.url);
        let sent = reqwest::Client::new().post(url).body(file).send().await.expect("an answer");
        (sent.status(), sent.json().await.expect("JSON"))
    }
}

#[tokio::test]
async fn only_the_office_and_the_sender_get_the_pictures_of_a_valuation() {
    let world = World::start().await;
    let mut ids = Vec::new();
    for _ in 0..2 {
        let (status, kept) = world.upload(picture()).await;
        assert_eq!(status, StatusCode::CREATED, "{kept}");
        ids.push(kept["id"].clone());
    }
    let (status, receipt) = world.send(&valuation(&ids.iter().collect::<Vec<_>>()), None).await;
    assert_eq!(status, StatusCode::CREATED, "{receipt}");
    world.settled().await;

    let office = world.mails_to("office@almijara.example");
    for word in ["Calle Real 1, Nerja", "Villa", "140", "Fotos (adjuntas): 2"] {
        assert!(office[0].text.contains(word), "{word}: {}", office[0].text);
    }
    let [first, second] = &office[0].attachments[..] else { panic!("two pictures") };
    assert_eq!((&*first.name, &*second.name), ("1.jpg", "2.jpg"));
    let shown = decode(&first.content).expect("a picture");
    assert_eq!((shown.width(), shown.height()), (1_600, 1_067), "it is scaled for the office");
    let thanks = world.mails_to("ann@x.example");
    assert!(thanks[0].attachments.is_empty(), "they are not sent back to the sender");
    let items = world.items.lock().expect("nobody panicked").clone();
    let item = items.values().next().expect("an item");
    assert_eq!((&item["property_kind"], &item["pictures"]), (&json!("villa"), &json!(2)));

    // Only the owner of the address can see them.
    let id = ids[0].as_str().expect("an id");
    let path = format!("/api/account/pictures/{id}");
    let (ann, bob) = (world.browser(), world.browser());
    assert_eq!(ann.get(&path).await.0, StatusCode::UNAUTHORIZED);
    ann.sign_in("ann@x.example").await;
    bob.sign_in("bob@x.example").await;
    assert_eq!(ann.get(&path).await.0, StatusCode::OK);
    assert_eq!(bob.get(&path).await.0, StatusCode::NOT_FOUND);
    let (_, account) = ann.get("/api/account").await;
    assert_eq!(account["enquiries"][0]["pictures"], json!(ids));

    // A picture belongs to one enquiry.
    let mut other = valuation(&[&ids[0]]);
    other["address"] = "Calle Real 2, Nerja".into();
    other["email"] = "bob@x.example".into();
    let (status, problem) = world.send(&other, None).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{problem}");
    assert_eq!(problem["errors"][0]["code"], "unknown_picture");
    let (_, account) = bob.call(Method::GET, "/api/account", None).await;
    assert_eq!(account["enquiries"], json!([]), "nothing of it is stored");
}

#[tokio::test]
async fn a_changed_valuation_is_a_different_enquiry() {
    let world = World::start().await;
    let key = Some("0123456789abcdef");
    let (status, first) = world.send(&valuation(&[]), key).await;
    assert_eq!(status, StatusCode::CREATED, "{first}");
    let (_, again) = world.send(&valuation(&[]), key).await;
    assert_eq!(again["reference"], first["reference"]);

    let pictured = async || {
        let (_, kept) = world.upload(picture()).await;
        valuation(&[&kept["id"]])
    };
    let mut larger = valuation(&[]);
    larger["builtArea"] = 150.into();
    let mut of_another_kind = valuation(&[]);
    of_another_kind["propertyKind"] = "apartment".into();
    for changed in [larger, of_another_kind, pictured().await] {
        let (status, problem) = world.send(&changed, key).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{problem}");
        assert_eq!(problem["type"], "urn:almijara:problem:idempotency-key-reused");
        // A form without script sends no key, so its content identifies it.
        let (status, kept) = world.send(&changed, None).await;
        assert_eq!(status, StatusCode::CREATED, "{kept}");
        assert_ne!(kept["reference"], first["reference"]);
    }
    let kept = world.count("visitor.enquiry").await;
    // The same picture is uploaded again each time the form is sent.
    assert_eq!(world.send(&pictured().await, None).await.0, StatusCode::CREATED);
    assert_eq!((kept, world.count("visitor.enquiry").await), (4, 4));
}

#[tokio::test]
async fn a_valuation_is_stored_with_its_page_and_privacy_version() {
    let texts: Vec<Value> =
        serde_json::from_str(include_str!("../../consents.json")).expect("the file is read");
    let text = texts.iter().rfind(|text| text["purpose"] == "privacy").expect("the latest words");
    let version = text["version"].as_str().expect("a version");
    let world = World::start().await;
    let page = "/es/enquiry?kind=valuation&secret=1";
    let status = world.submit("/api/enquiries", page, "192.0.2.1", &valuation(&[])).await;
    assert_eq!(status, StatusCode::CREATED);
    // Some browsers send no referrer.
    let mut other = valuation(&[]);
    other["address"] = "Calle Real 2, Nerja".into();
    assert_eq!(world.send(&other, None).await.0, StatusCode::CREATED);

    let kept: Vec<(String, Option<String>, Option<String>)> = sqlx::query_as(
        "select address, page, privacy_version from visitor.enquiry order by address",
    )
    .fetch_all(&world.pool)
    .await
    .expect("postgres answers");
    let row = |address: &str, page: Option<&str>| {
        (address.to_owned(), page.map(str::to_owned), Some(version.to_owned()))
    };
    let known = row("Calle Real 1, Nerja", Some("/es/enquiry"));
    assert_eq!(kept, [known, row("Calle Real 2, Nerja", None)]);

    // The sender's export has it too, latest first.
    world.settled().await;
    let ann = world.signed_in("ann@x.example").await;
    let (_, export) = ann.get("/api/account/export").await;
    let sent = &export["account"]["enquiries"];
    assert_eq!((&sent[0]["page"], &sent[1]["page"]), (&Value::Null, &json!("/es/enquiry")));
    for each in [&sent[0], &sent[1]] {
        assert_eq!(each["privacyVersion"], version, "{each}");
    }
}

#[tokio::test]
async fn files_that_are_no_picture_or_too_large_are_refused() {
    let world = World::start().await;
    let code = |problem: &Value| problem["errors"][0]["code"].clone();
    let (status, problem) = world.upload("<script>alert(1)</script>").await;
    assert_eq!(
        (status, code(&problem)),
        (StatusCode::UNPROCESSABLE_ENTITY, "not_a_picture".into())
    );
    assert!(problem["errors"][0]["detail"].as_str().expect("words").starts_with("Uno de los"));
    let mut broken = picture().to_vec();
    broken.truncate(20);
    assert_eq!(code(&world.upload(broken).await.1), "not_a_picture");
    assert_eq!(code(&world.upload(vast()).await.1), "picture_too_large");
    let (status, problem) = world.upload(vec![0; 13 << 20]).await;
    assert_eq!(status, StatusCode::PAYLOAD_TOO_LARGE, "{problem}");
    let kept: i64 = sqlx::query_scalar("select count(*) from visitor.picture")
        .fetch_one(&world.pool)
        .await
        .expect("postgres answers");
    assert_eq!(kept, 0);
    // Pictures are ignored for kinds of enquiries that have none.
    let mut with_pictures = enquiry();
    with_pictures["pictures"] = json!([uuid::Uuid::nil()]);
    assert_eq!(world.send(&with_pictures, None).await.0, StatusCode::CREATED);
}

/// Returns a JPEG that claims 256 million pixels: a small file that would need much memory.
fn vast() -> Vec<u8> {
    let mut jpeg = picture().to_vec();
    let frame = jpeg.windows(2).position(|marker| marker == [0xff, 0xc0] || marker == [0xff, 0xc2]);
    let frame = frame.expect("a frame");
    for side in [frame + 5, frame + 7] {
        jpeg[side..side + 2].copy_from_slice(&16_000_u16.to_be_bytes());
    }
    jpeg
}
