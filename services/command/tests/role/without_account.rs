//! Saved searches of a mailbox without an account: what each link in their mails does.

use http::{StatusCode, header};
use reqwest::redirect::Policy;
use serde_json::{Value, json};
use testkit::eventually;

use crate::{
    alerts::{Content, house},
    browser::Browser,
    world::{World, after},
};

const ANN: &str = "ann@x.example";
/// The name of a search that the requester types, and the one that Ann confirms.
const TYPED: &str = "Homes by the sea";
const HERS: &str = "Casas en Nerja";

impl Browser<'_> {
    /// Requests alerts to Ann about `address` with this `frequency`.
    pub async fn request_alerts(&self, address: &str, frequency: &str) -> (StatusCode, Value) {
        let search = json!({ "address": address, "name": TYPED, "locale": "es",
                             "frequency": frequency, "email": ANN });
        self.post("/api/alerts", search).await
    }

    /// Confirms mails by `link`. Returns their frequency, or the status of a refusal.
    pub async fn confirm(&self, link: &str) -> Result<String, StatusCode> {
        let agreement = json!({ "token": link, "name": HERS });
        let (status, search) = self.post("/api/alerts/confirm", agreement).await;
        match (status, search["frequency"].as_str()) {
            (StatusCode::OK, Some(frequency)) => Ok(frequency.to_owned()),
            _ => Err(status),
        }
    }

    /// Returns what the mail with `link` asks, as its page shows it.
    async fn asked_search(&self, link: &str) -> Value {
        let (status, asked) = self.post("/api/alerts/asked", json!({ "token": link })).await;
        assert_eq!(status, StatusCode::OK, "{asked}");
        asked
    }

    /// Ends all alerts by `token`.
    pub async fn unsubscribe(&self, token: &str) {
        let (status, _) = self.post(&format!("/api/alerts/unsubscribe/{token}"), json!({})).await;
        assert_eq!(status, StatusCode::OK);
    }
}

impl World {
    /// Returns the token of the confirmation link in Ann's latest mail, which is the `count`th.
    pub async fn confirm_token(&self, count: usize) -> String {
        self.settled().await;
        let mails = self.mails_to(ANN);
        assert_eq!(mails.len(), count);
        after(&mails[count - 1].text, "/es/alerts/confirm?token=")
    }

    /// Requests alerts and confirms them by the link in Ann's `count`th mail. Returns the link's token.
    pub async fn subscribe(
        &self,
        browser: &Browser<'_>,
        address: &str,
        frequency: &str,
        count: usize,
    ) -> String {
        let (status, _) = browser.request_alerts(address, frequency).await;
        assert_eq!(status, StatusCode::ACCEPTED);
        let token = self.confirm_token(count).await;
        assert_eq!(browser.confirm(&token).await.as_deref(), Ok(frequency));
        token
    }

    /// Returns the token of the other links in her mails.
    pub async fn manage_token(&self) -> String {
        sqlx::query_scalar("select tokens[1] from visitor.subscriber")
            .fetch_one(&self.pool)
            .await
            .expect("a subscriber")
    }
}

#[tokio::test]
async fn a_new_frequency_of_a_search_applies_when_it_is_confirmed() {
    let world = World::start().await;
    let browser = world.browser();
    assert_eq!(browser.request_alerts("location=nerja", "weekly").await.0, StatusCode::ACCEPTED);
    let first = world.confirm_token(1).await;
    let asking = world.mails_to(ANN).remove(0);
    assert!(asking.subject.starts_with("Confirme que quiere avisos ("), "{}", asking.subject);
    assert!(!asking.text.contains(TYPED), "anybody's words: {}", asking.text);
    assert_eq!(browser.confirm(&first).await.as_deref(), Ok("weekly"));

    assert_eq!(browser.request_alerts("location=nerja", "at_once").await.0, StatusCode::ACCEPTED);
    let second = world.confirm_token(2).await;
    let asking = world.mails_to(ANN).remove(1);
    assert!(asking.text.contains("en cuanto algo cambie"), "{}", asking.text);
    assert!(asking.text.contains(HERS), "it is hers: {}", asking.text);
    // Somebody else may have made the request, and she opens an older mail.
    assert_eq!(browser.confirm(&first).await.as_deref(), Ok("weekly"));
    // Confirmed twice, as from two tabs.
    for _ in 0..2 {
        assert_eq!(browser.confirm(&second).await.as_deref(), Ok("at_once"));
    }
    assert_eq!(browser.confirm(&first).await.as_deref(), Ok("at_once"), "it changes nothing");

    // What was ended meanwhile stays ended.
    assert_eq!(browser.request_alerts("location=nerja", "daily").await.0, StatusCode::ACCEPTED);
    let third = world.confirm_token(3).await;
    browser.unsubscribe(&world.manage_token().await).await;
    for link in [&first, &second, &third] {
        assert_eq!(browser.confirm(link).await, Err(StatusCode::GONE));
    }
    let (status, problem) = browser.request_alerts("location=nerja", "never").await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(problem["errors"][0]["field"], "frequency", "this frequency can't be requested");
}

#[tokio::test]
async fn each_confirmation_link_applies_what_its_mail_asks() {
    let world = World::start().await;
    let browser = world.browser();
    let mut links = Vec::new();
    for (count, frequency) in [(1, "weekly"), (2, "daily"), (3, "at_once"), (4, "weekly")] {
        assert_eq!(
            browser.request_alerts("location=nerja", frequency).await.0,
            StatusCode::ACCEPTED
        );
        links.push(world.confirm_token(count).await);
        if count == 1 {
            assert_eq!(browser.confirm(&links[0]).await.as_deref(), Ok("weekly"));
        }
    }
    // Three mails a day since a search was last confirmed for the first time: the next request gets no
    // mail, so nothing can confirm it.
    assert_eq!(browser.request_alerts("location=nerja", "daily").await.0, StatusCode::ACCEPTED);
    assert_eq!(world.confirm_token(4).await, links[3]);
    for (link, frequency) in
        [(2, "at_once"), (1, "daily"), (0, "daily"), (3, "weekly"), (2, "at_once")]
    {
        let asked = browser.asked_search(&links[link]).await;
        assert_eq!(asked["frequency"], frequency, "{asked}");
        assert_eq!(browser.confirm(&links[link]).await.as_deref(), Ok(frequency));
    }
}

#[tokio::test]
async fn confirming_each_mail_lifts_the_daily_limit() {
    let world = World::start().await;
    let browser = world.browser();
    for (count, place) in (1..).zip(["nerja", "frigiliana", "torrox", "maro", "competa"]) {
        let address = format!("location={place}");
        assert_eq!(browser.request_alerts(&address, "daily").await.0, StatusCode::ACCEPTED);
        let link = world.confirm_token(count).await;
        assert_eq!(browser.confirm(&link).await.as_deref(), Ok("daily"));
    }
}

#[tokio::test]
async fn a_waiting_search_gets_its_mail_when_another_is_confirmed() {
    let world = World::start().await;
    let browser = world.browser();
    for place in ["nerja", "frigiliana", "torrox", "maro", "competa"] {
        let address = format!("location={place}");
        assert_eq!(browser.request_alerts(&address, "daily").await.0, StatusCode::ACCEPTED);
    }
    let mut link = world.confirm_token(3).await;
    for (count, place) in [(4, "maro"), (5, "competa")] {
        assert_eq!(browser.confirm(&link).await.as_deref(), Ok("daily"));
        link = world.confirm_token(count).await;
        assert_eq!(browser.asked_search(&link).await["address"], format!("location={place}"));
    }
    assert_eq!(browser.confirm(&link).await.as_deref(), Ok("daily"));
    world.confirm_token(5).await;
}

#[tokio::test]
async fn a_new_frequency_gets_its_own_mail_while_another_is_in_flight() {
    let world = World::start().await;
    let browser = world.browser();
    world.subscribe(&browser, "location=nerja", "weekly", 1).await;
    let asked = async |count: usize| {
        eventually("a confirmation mail arrives", async || {
            world.mails_to(ANN).into_iter().nth(count - 1)
        })
        .await
    };
    let done = async |statement: &'static str| {
        sqlx::query(statement).execute(&world.pool).await.expect("postgres answers");
    };

    // A pending renewal mail does not replace a confirmation mail.
    done(
        "insert into visitor.job (id, kind, saved_search, due_at)
         select gen_random_uuid(), 'renewal_mail', id, now() + interval '1 hour'
         from visitor.saved_search",
    )
    .await;
    assert_eq!(browser.request_alerts("location=nerja", "daily").await.0, StatusCode::ACCEPTED);
    assert!(asked(2).await.text.contains("cada mañana"));
    done("delete from visitor.job where kind = 'renewal_mail'").await;

    // Neither does a confirmation mail that is being sent, for a later request.
    world.settled().await;
    done("update visitor.job set state = 'due', lease_until = now() + interval '1 minute'").await;
    assert_eq!(browser.request_alerts("location=nerja", "at_once").await.0, StatusCode::ACCEPTED);
    assert!(asked(3).await.text.contains("en cuanto algo cambie"));
}

#[tokio::test]
async fn a_repeated_request_gets_no_second_mail_while_one_is_in_flight() {
    let world = World::start().await;
    let browser = world.browser();
    assert_eq!(browser.request_alerts("location=nerja", "daily").await.0, StatusCode::ACCEPTED);
    world.settled().await;
    sqlx::query("update visitor.job set state = 'due', lease_until = now() + interval '1 minute'")
        .execute(&world.pool)
        .await
        .expect("postgres answers");
    assert_eq!(browser.request_alerts("location=nerja", "daily").await.0, StatusCode::ACCEPTED);
    assert_eq!(world.count("visitor.job where kind = 'confirm_mail'").await, 1);
}

#[tokio::test]
async fn an_unconfirmed_search_stays_with_the_mailbox_after_a_sign_in() {
    let world = World::start().await;
    let browser = world.browser();
    let searches = async || browser.get("/api/account").await.1["searches"].take();
    assert_eq!(browser.request_alerts("location=nerja", "daily").await.0, StatusCode::ACCEPTED);
    let link = world.confirm_token(1).await;
    browser.sign_in(ANN).await;
    assert_eq!(searches().await, json!([]), "anybody may have requested it");
    let waiting = async || browser.get("/api/account/export").await.1["askedSearches"].take();
    let kept = waiting().await;
    assert_eq!(kept.as_array().map(Vec::len), Some(1), "it is kept all the same: {kept}");
    for (name, value) in [("address", "location=nerja"), ("name", TYPED), ("frequency", "daily")] {
        assert_eq!(kept[0][name], value, "{kept}");
    }
    assert_eq!(browser.confirm(&link).await.as_deref(), Ok("daily"));
    assert_eq!(waiting().await, json!([]), "it is the account's");
    let hers = searches().await;
    assert_eq!((&hers[0]["address"], &hers[0]["name"]), (&json!("location=nerja"), &json!(HERS)));
}

#[tokio::test]
async fn mails_use_the_confirmed_name_and_language_and_not_typed_ones() {
    let world = World::start().await;
    let mut content = Content::start(&world).await;
    content.wait_until_read(&world).await;
    let browser = world.browser();
    assert_eq!(browser.request_alerts("location=nerja", "at_once").await.0, StatusCode::ACCEPTED);
    let link = world.confirm_token(1).await;
    let nameless = json!({ "token": link, "name": " " });
    let (status, problem) = browser.post("/api/alerts/confirm", nameless).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(problem["errors"][0]["field"], "name");
    assert_eq!(browser.confirm(&link).await.as_deref(), Ok("at_once"));
    assert_eq!(browser.request_alerts("maxPrice=400000", "at_once").await.0, StatusCode::ACCEPTED);
    let unnamed = json!({ "token": world.confirm_token(2).await });
    let (status, search) = browser.post("/api/alerts/confirm", unnamed).await;
    assert_eq!((status, &search["name"]), (StatusCode::OK, &json!("Su búsqueda")));

    let in_english = json!({ "address": "location=nerja", "name": TYPED, "locale": "en",
                             "frequency": "daily", "email": ANN });
    let (status, _) = world.browser().post("/api/alerts", in_english).await;
    assert_eq!(status, StatusCode::ACCEPTED);
    content.publish(&house("AH-1", 300_000)).await;
    content.wait_until_read(&world).await;
    let mails = world.alert_mails(ANN).await;
    assert_eq!(mails.len(), 1);
    let text = &mails[0].text;
    assert!(text.contains("Nuevo para usted"), "{text}");
    assert!(text.contains(&format!("- {HERS}: ")) && text.contains("- Su búsqueda: "), "{text}");
    assert!(!text.contains(TYPED), "{text}");
}

#[tokio::test]
async fn mails_are_in_the_language_of_the_last_request_before_the_confirmation() {
    let world = World::start().await;
    let mut content = Content::start(&world).await;
    content.wait_until_read(&world).await;
    let browser = world.browser();
    assert_eq!(browser.request_alerts("location=nerja", "at_once").await.0, StatusCode::ACCEPTED);
    world.settled().await;
    let in_english = json!({ "address": "location=nerja", "name": "Nerja", "locale": "en",
                             "frequency": "at_once", "email": ANN });
    assert_eq!(browser.post("/api/alerts", in_english).await.0, StatusCode::ACCEPTED);
    world.settled().await;
    let asking = world.mails_to(ANN).pop().expect("a confirmation mail arrives");
    let link = after(&asking.text, "/alerts/confirm?token=");
    assert_eq!(browser.confirm(&link).await.as_deref(), Ok("at_once"));
    content.publish(&house("AH-1", 300_000)).await;
    content.wait_until_read(&world).await;
    let mails = world.alert_mails(ANN).await;
    assert_eq!(mails.len(), 1);
    assert!(mails[0].text.contains("New for you"), "{}", mails[0].text);
}

#[tokio::test]
async fn mails_are_in_the_language_of_the_page_of_the_confirmation() {
    let world = World::start().await;
    let mut content = Content::start(&world).await;
    content.wait_until_read(&world).await;
    let browser = world.browser();
    assert_eq!(browser.request_alerts("location=nerja", "at_once").await.0, StatusCode::ACCEPTED);
    let link = world.confirm_token(1).await;
    let agreement = json!({ "token": link, "name": "Homes in Nerja", "locale": "en" });
    assert_eq!(browser.post("/api/alerts/confirm", agreement).await.0, StatusCode::OK);
    content.publish(&house("AH-1", 300_000)).await;
    content.wait_until_read(&world).await;
    let mails = world.alert_mails(ANN).await;
    assert_eq!(mails.len(), 1);
    assert!(mails[0].text.contains("New for you"), "{}", mails[0].text);
}

#[tokio::test]
async fn a_confirmation_page_shows_the_search_before_it_is_confirmed() {
    let world = World::start().await;
    let browser = world.browser();
    assert_eq!(browser.request_alerts("location=nerja", "daily").await.0, StatusCode::ACCEPTED);
    let nerja = world.confirm_token(1).await;
    assert_eq!(browser.request_alerts("location=torrox", "weekly").await.0, StatusCode::ACCEPTED);
    let torrox = world.confirm_token(2).await;
    // The response has no text that anybody may have typed.
    let shown = json!({ "address": "location=torrox", "frequency": "weekly" });
    assert_eq!(browser.asked_search(&torrox).await, shown);
    assert_eq!(browser.asked_search(&nerja).await["address"], "location=nerja");
    assert_eq!(world.count("visitor.saved_search where confirmed_at is not null").await, 0);
    assert_eq!(browser.confirm(&torrox).await.as_deref(), Ok("weekly"));
    assert_eq!(browser.asked_search(&torrox).await, shown);

    browser.unsubscribe(&world.manage_token().await).await;
    for over in [&*torrox, "nobodys", ""] {
        let (status, _) = browser.post("/api/alerts/asked", json!({ "token": over })).await;
        assert_eq!(status, StatusCode::GONE);
    }
}

#[tokio::test]
async fn a_confirmation_applies_the_frequency_that_its_page_showed() {
    let world = World::start().await;
    let browser = world.browser();
    assert_eq!(browser.request_alerts("location=nerja", "weekly").await.0, StatusCode::ACCEPTED);
    let link = world.confirm_token(1).await;
    let shown = browser.asked_search(&link).await["frequency"].take();
    // Somebody requests more while the page is open.
    assert_eq!(browser.request_alerts("location=nerja", "at_once").await.0, StatusCode::ACCEPTED);
    let agrees_to = async |frequency: &Value| {
        let agreement = json!({ "token": link, "frequency": frequency });
        browser.post("/api/alerts/confirm", agreement).await
    };
    let (status, problem) = agrees_to(&json!("never")).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(problem["errors"][0]["field"], "frequency");
    // A second submission changes nothing.
    for frequency in [&shown, &json!("daily")] {
        let (status, search) = agrees_to(frequency).await;
        assert_eq!((status, &search["frequency"]), (StatusCode::OK, &json!("weekly")));
    }
}

#[tokio::test]
async fn earlier_links_are_void_after_a_search_was_ended() {
    let world = World::start().await;
    let browser = world.browser();
    let first = world.subscribe(&browser, "location=nerja", "daily", 1).await;
    assert_eq!(browser.request_alerts("location=nerja", "at_once").await.0, StatusCode::ACCEPTED);
    let second = world.confirm_token(2).await;

    let token = world.manage_token().await;
    let (_, subscription) =
        browser.post("/api/alerts/subscription", json!({ "token": token })).await;
    let search = &subscription["searches"][0]["id"];
    for frequency in ["never", "weekly"] {
        let change =
            json!({ "token": token, "search": search, "change": { "frequency": frequency } });
        assert_eq!(browser.post("/api/alerts/change", change).await.0, StatusCode::OK);
    }
    for link in [&first, &second] {
        assert_eq!(browser.confirm(link).await, Err(StatusCode::GONE));
    }
}

#[tokio::test]
async fn unsubscribing_keeps_unconfirmed_searches() {
    let world = World::start().await;
    let browser = world.browser();
    assert_eq!(browser.request_alerts("location=nerja", "daily").await.0, StatusCode::ACCEPTED);
    let nerja = world.confirm_token(1).await;
    assert_eq!(browser.request_alerts("location=torrox", "weekly").await.0, StatusCode::ACCEPTED);
    let torrox = world.confirm_token(2).await;
    assert_eq!(browser.confirm(&nerja).await.as_deref(), Ok("daily"));
    let token = world.manage_token().await;
    browser.unsubscribe(&token).await;
    assert_eq!(browser.confirm(&torrox).await.as_deref(), Ok("weekly"));
    assert_eq!(browser.confirm(&nerja).await, Err(StatusCode::GONE));
    browser.unsubscribe(&token).await;
    assert_eq!(browser.confirm(&torrox).await, Err(StatusCode::GONE));
}

#[tokio::test]
async fn opening_the_unsubscribe_address_redirects_to_the_page() {
    let world = World::start().await;
    let browser = world.browser();
    world.subscribe(&browser, "location=nerja", "daily", 1).await;
    let token = world.manage_token().await;
    let client = reqwest::Client::builder().redirect(Policy::none()).build().expect("a client");
    let led_to = async |token: &str| {
        let address = format!("{}/api/alerts/unsubscribe/{token}", world.url);
        let answer = client.get(address).send().await.expect("an answer");
        assert_eq!(answer.status(), StatusCode::SEE_OTHER);
        answer.headers()[header::LOCATION].to_str().expect("text").to_owned()
    };
    assert_eq!(led_to(&token).await, format!("/es/alerts?token={token}"));
    assert_eq!(led_to("nobodys").await, "/alerts?token=");
    let (_, subscription) =
        browser.post("/api/alerts/subscription", json!({ "token": token })).await;
    assert_eq!(subscription["searches"][0]["frequency"], "daily", "that ended nothing");
}
