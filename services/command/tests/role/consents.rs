//! Consents can be proved: text, page, and from where they were requested and confirmed.

use http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::{
    browser::{Browser, Mailed},
    world::{World, enquiry},
};

/// The stored proof of a consent.
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
    /// Submits a form on `page` from the network address `from`.
    pub async fn submit(&self, path: &str, page: &str, from: &str, body: &Value) -> StatusCode {
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
async fn a_consent_is_stored_with_its_text_page_and_addresses() {
    let world = World::start().await;
    let mut sent = enquiry();
    sent["marketingConsent"] = true.into();
    let status = world.submit("/api/enquiries", "/contact?x=1", "192.0.2.1", &sent).await;
    assert_eq!(status, StatusCode::CREATED);
    assert_eq!(world.proofs("consent").await, [proof("marketing", "/contact", "192.0.2.1", None)]);

    let asked = json!({ "address": "location=nerja", "name": "Nerja", "locale": "es",
                        "frequency": "daily", "email": "bob@x.example" });
    // The last request is the one that is confirmed.
    for (page, from) in
        [("/property-for-sale", "192.0.2.9"), ("/es/property-for-sale", "192.0.2.2")]
    {
        sqlx::query("update visitor.saved_search set created_at = created_at - interval '3 days'")
            .execute(&world.pool)
            .await
            .expect("postgres answers");
        let status = world.submit("/api/alerts", page, from, &asked).await;
        assert_eq!(status, StatusCode::ACCEPTED);
    }
    assert_eq!(world.proofs("consent").await.len(), 1, "it is not confirmed yet");
    world.settled().await;
    let mail = world.mails_to("bob@x.example").pop().expect("a mail");
    let token = Mailed::token(&mail);
    let page = "/es/alerts/confirm?token=secret";
    for _ in 0..2 {
        let confirmed = json!({ "token": token });
        let status = world.submit("/api/alerts/confirm", page, "192.0.2.3", &confirmed).await;
        assert_eq!(status, StatusCode::OK);
    }
    let agreed = || proof("alerts", "/es/property-for-sale", "192.0.2.2", Some("192.0.2.3"));
    assert_eq!(world.proofs("consent").await[1..], [agreed()]);
    let just_now = "visitor.consent where asked_at > now() - interval '1 hour'";
    assert_eq!(world.count(just_now).await, 1);

    // After it was withdrawn, the proof is retained as long as it may be needed.
    let manage: String = sqlx::query_scalar("select tokens[1] from visitor.subscriber")
        .fetch_one(&world.pool)
        .await
        .expect("a subscriber");
    let path = format!("/api/alerts/unsubscribe/{manage}");
    assert_eq!(world.submit(&path, "/", "192.0.2.3", &json!({})).await, StatusCode::OK);
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
async fn a_consent_of_a_new_account_is_confirmed_by_its_mail() {
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
    // The searches are deleted after the account.
    let deleted = json!({ "email": "ann@x.example" });
    let (status, _) = ann.call(Method::DELETE, "/api/account", Some(deleted)).await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    assert!(world.proofs("consent").await.is_empty());
    let proofs = world.proofs("blocked_consent").await;
    assert_eq!(proofs.len(), 1);
    assert!(proofs[0].is_hashed && proofs[0].is_withdrawn, "{proofs:?}");
}

/// Returns the text of `purpose`, as forms in `language` show it.
fn words(purpose: &str, language: &str) -> String {
    let texts: Vec<Value> =
        serde_json::from_str(include_str!("../../consents.json")).expect("the file is read");
    let text = texts.iter().rev().find(|text| text["purpose"] == purpose).expect("its words");
    text[language].as_str().expect("text").to_owned()
}

impl World {
    /// Returns the recorded languages of consents to these words.
    async fn consent_languages(&self, words: &str) -> Vec<String> {
        sqlx::query_scalar(
            "select locale from visitor.consent
             where words_hash = sha256(convert_to($1, 'UTF8')) order by given_at",
        )
        .bind(words)
        .fetch_all(&self.pool)
        .await
        .expect("proofs")
    }
}

#[tokio::test]
async fn a_consent_records_the_language_of_the_page() {
    let world = World::start().await;
    let (ann, bob) = (world.browser(), world.browser());
    ann.sign_in("ann@x.example").await;
    let change = json!({ "locale": "en", "marketingConsent": true, "readIn": "es" });
    assert_eq!(ann.call(Method::PATCH, "/api/account", Some(change)).await.0, StatusCode::OK);
    assert_eq!(world.consent_languages(&words("marketing", "es")).await, ["es"]);

    let asked = json!({ "address": "location=nerja", "name": "Nerja", "locale": "es",
                        "frequency": "daily", "email": "bob@x.example" });
    assert_eq!(bob.post("/api/alerts", asked).await.0, StatusCode::ACCEPTED);
    world.settled().await;
    let token = Mailed::token(&world.mails_to("bob@x.example").pop().expect("a mail"));
    let agreement = json!({ "token": token, "name": "Nerja", "locale": "en" });
    let (status, search) = bob.post("/api/alerts/confirm", agreement).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(world.consent_languages(&words("alerts", "en")).await, ["en"]);

    // Withdrawn and given again on the page that manages his searches.
    let manage: String = sqlx::query_scalar("select tokens[1] from visitor.subscriber")
        .fetch_one(&world.pool)
        .await
        .expect("a subscriber");
    for frequency in ["never", "weekly"] {
        let change = json!({ "token": manage, "search": search["id"], "locale": "es",
                             "change": { "frequency": frequency } });
        let status = world.submit("/api/alerts/change", "/es/alerts", "192.0.2.4", &change).await;
        assert_eq!(status, StatusCode::OK);
    }
    assert_eq!(world.consent_languages(&words("alerts", "es")).await, ["es"]);
    let proofs = world.proofs("consent").await;
    assert_eq!(proofs[2..], [proof("alerts", "/es/alerts", "192.0.2.4", None)]);
    let at_once = "visitor.consent where purpose = 'alerts' and asked_at is null";
    assert_eq!(world.count(at_once).await, 1);
}

#[tokio::test]
async fn a_consent_in_a_repeated_request_is_stored() {
    let world = World::start().await;
    let mut sent = enquiry();
    let key = Some("0123456789abcdef");
    let (_, first) = world.send(&sent, key).await;
    sent["marketingConsent"] = true.into();
    for _ in 0..2 {
        let (status, again) = world.send(&sent, key).await;
        assert_eq!((status, &again["reference"]), (StatusCode::CREATED, &first["reference"]));
    }
    assert_eq!(world.count("visitor.enquiry").await, 1);
    assert_eq!(world.count("visitor.consent").await, 1);

    // The same for an account.
    let bob = world.signed_in("bob@x.example").await;
    bob.post("/api/account/sign-out", json!({})).await;
    bob.sign_in_with_consent("bob@x.example").await;
    assert_eq!(bob.get("/api/account").await.1["marketingConsent"], true);
}

impl Browser<'_> {
    /// Signs in as `email` with the box for news and offers ticked.
    async fn sign_in_with_consent(&self, email: &str) {
        let before = self.world.mails_to(email).len();
        let asked = json!({ "email": email, "locale": "es", "marketingConsent": true });
        assert_eq!(self.post("/api/account/sign-in", asked).await.0, StatusCode::ACCEPTED);
        self.world.settled().await;
        let mail = self.world.mails_to(email).into_iter().nth(before).expect("a mail");
        let link = json!({ "token": Mailed::token(&mail) });
        assert_eq!(self.post("/api/account/sign-in/link", link).await.0, StatusCode::OK);
    }
}

/// The list is queried for each mailing.
#[tokio::test]
async fn the_mailing_list_has_each_consenting_visitor_once() {
    let world = World::start().await;
    let agreed = |email: &str| {
        let mut sent = enquiry();
        sent["email"] = email.into();
        sent["marketingConsent"] = true.into();
        sent
    };
    let mut by_a_program = agreed("eve@x.example");
    by_a_program["website"] = "http://x.example".into();
    for sent in [agreed("Ann@x.example"), agreed("bob@x.example"), by_a_program] {
        assert_eq!(world.send(&sent, None).await.0, StatusCode::CREATED);
    }
    let listed = async || -> Vec<(String, String)> {
        let readers = command::mailing_list(&world.pool).await.expect("postgres answers");
        readers.into_iter().map(|reader| (reader.email, reader.locale)).collect()
    };
    let reader = |email: &str, locale: &str| (email.to_owned(), locale.to_owned());
    assert_eq!(listed().await, [reader("Ann@x.example", "en"), reader("bob@x.example", "en")]);

    world.settled().await;
    let (ann, bob, eve) = (world.browser(), world.browser(), world.browser());
    ann.sign_in_with_consent("ann@x.example").await;
    bob.sign_in("bob@x.example").await;
    eve.sign_in("eve@x.example").await;
    assert_eq!(eve.get("/api/account").await.1["marketingConsent"], true, "the account shows it");
    let no = json!({ "marketingConsent": false });
    assert_eq!(bob.call(Method::PATCH, "/api/account", Some(no)).await.0, StatusCode::OK);
    assert_eq!(listed().await, [reader("ann@x.example", "es"), reader("eve@x.example", "en")]);
}
