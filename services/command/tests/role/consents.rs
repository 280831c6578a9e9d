//! What was agreed to can be proved: words, page, and who asked and confirmed from where.

use http::StatusCode;
use serde_json::{Value, json};

use crate::{
    browser::Mailed,
    role::{World, enquiry},
};

/// What is kept as proof.
#[derive(Debug, PartialEq, Eq, sqlx::FromRow)]
struct Proof {
    purpose: String,
    page: Option<String>,
    asked_from: Option<String>,
    confirmed_from: Option<String>,
    is_hashed: bool,
    is_withdrawn: bool,
}

impl World {
    /// Presses a button on `page`, from the network address `from`.
    pub async fn press(&self, path: &str, page: &str, from: &str, body: &Value) -> StatusCode {
        let request = reqwest::Client::new().post(format!("{}{path}", self.url));
        let request = request
            .header("referer", format!("https://almijara.example{page}"))
            .header("x-forwarded-for", from);
        request.json(body).send().await.expect("an answer").status()
    }

    async fn proofs(&self, table: &str) -> Vec<Proof> {
        let proofs = format!(
            "select purpose, page, asked_from, confirmed_from,
                coalesce(length(words_hash) = 32, false) as is_hashed,
                withdrawn_at is not null as is_withdrawn
             from visitor.{table} order by given_at"
        );
        sqlx::query_as(sqlx::AssertSqlSafe(proofs)).fetch_all(&self.pool).await.expect("proofs")
    }
}

fn proof(purpose: &str, page: &str, asked: &str, confirmed: Option<&str>) -> Proof {
    Proof {
        purpose: purpose.to_owned(),
        page: Some(page.to_owned()),
        asked_from: Some(asked.to_owned()),
        confirmed_from: confirmed.map(str::to_owned),
        is_hashed: true,
        is_withdrawn: false,
    }
}

#[tokio::test]
async fn a_yes_is_kept_with_its_words_its_page_and_its_addresses() {
    let world = World::start().await;
    let mut sent = enquiry();
    sent["marketingConsent"] = true.into();
    let status = world.press("/api/enquiries", "/contact?x=1", "192.0.2.1", &sent).await;
    assert_eq!(status, StatusCode::CREATED);
    assert_eq!(world.proofs("consent").await, [proof("marketing", "/contact", "192.0.2.1", None)]);

    let asked = json!({ "address": "location=nerja", "name": "Nerja", "locale": "es",
                        "frequency": "daily", "email": "bob@x.example" });
    let status = world.press("/api/alerts", "/es/property-for-sale", "192.0.2.2", &asked).await;
    assert_eq!(status, StatusCode::ACCEPTED);
    assert_eq!(world.proofs("consent").await.len(), 1, "nobody has agreed yet");
    world.settled().await;
    let mail = world.mails_to("bob@x.example").pop().expect("a mail");
    let token = Mailed::token(&mail);
    let page = "/es/alerts/confirm?token=secret";
    for _ in 0..2 {
        let confirmed = json!({ "token": token });
        let status = world.press("/api/alerts/confirm", page, "192.0.2.3", &confirmed).await;
        assert_eq!(status, StatusCode::OK);
    }
    let agreed = || proof("alerts", "/es/property-for-sale", "192.0.2.2", Some("192.0.2.3"));
    assert_eq!(world.proofs("consent").await[1..], [agreed()]);

    // Ended, it is proved for as long as somebody may ask.
    let manage: String = sqlx::query_scalar("select tokens[1] from visitor.subscriber")
        .fetch_one(&world.pool)
        .await
        .expect("a subscriber");
    let path = format!("/api/alerts/unsubscribe/{manage}");
    assert_eq!(world.press(&path, "/", "192.0.2.3", &json!({})).await, StatusCode::OK);
    let ended = || Proof { is_withdrawn: true, ..agreed() };
    assert_eq!(world.proofs("consent").await[1..], [ended()]);
    sqlx::query("delete from visitor.saved_search").execute(&world.pool).await.expect("erased");
    assert_eq!(world.proofs("consent").await.len(), 1);
    assert_eq!(world.proofs("blocked_consent").await, [ended()]);
    let given_by: String = sqlx::query_scalar("select given_by from visitor.blocked_consent")
        .fetch_one(&world.pool)
        .await
        .expect("a proof");
    assert_eq!(given_by, "bob@x.example");
}

#[tokio::test]
async fn a_yes_of_a_new_account_is_confirmed_by_its_mail() {
    let world = World::start().await;
    let ann = world.browser();
    let asked = json!({ "email": "ann@x.example", "marketingConsent": true });
    assert_eq!(ann.post("/api/account/sign-in", asked).await.0, StatusCode::ACCEPTED);
    world.settled().await;
    assert!(world.proofs("consent").await.is_empty());
    let mail = world.mails_to("ann@x.example").pop().expect("a mail");
    let link = json!({ "token": Mailed::token(&mail) });
    assert_eq!(ann.post("/api/account/sign-in/link", link).await.0, StatusCode::OK);
    assert_eq!(world.proofs("consent").await.len(), 1);
    let search = json!({ "address": "location=nerja", "name": "Nerja", "locale": "en",
                         "frequency": "daily" });
    assert_eq!(ann.post("/api/account/searches", search).await.0, StatusCode::CREATED);
    // With its searches, which go after it.
    let deleted = json!({ "email": "ann@x.example" });
    let (status, _) = ann.call(http::Method::DELETE, "/api/account", Some(deleted)).await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    assert!(world.proofs("consent").await.is_empty());
    let proofs = world.proofs("blocked_consent").await;
    assert_eq!(proofs.len(), 1);
    assert!(proofs[0].is_hashed && proofs[0].is_withdrawn, "{proofs:?}");
}
