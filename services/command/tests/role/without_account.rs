//! Saved searches of a mailbox without an account: what each link of their mails does, and what it does not.

use http::{StatusCode, header};
use reqwest::redirect::Policy;
use serde_json::{Value, json};
use testkit::eventually;

use crate::{
    alerts::{Content, house},
    browser::Browser,
    role::{World, after},
};

const ANN: &str = "ann@x.example";
/// What whoever asks calls a search, and what Ann does who agrees.
const TYPED: &str = "Homes by the sea";
const HERS: &str = "Casas en Nerja";

impl Browser<'_> {
    /// Asks for mails to Ann about `address`, so often.
    pub async fn asks_for(&self, address: &str, frequency: &str) -> (StatusCode, Value) {
        let search = json!({ "address": address, "name": TYPED, "locale": "es",
                             "frequency": frequency, "email": ANN });
        self.post("/api/alerts", search).await
    }

    /// Agrees to mails by `link`; how often they come, where that can be.
    pub async fn agrees(&self, link: &str) -> Result<String, StatusCode> {
        let agreement = json!({ "token": link, "name": HERS });
        let (status, search) = self.post("/api/alerts/confirm", agreement).await;
        match (status, search["frequency"].as_str()) {
            (StatusCode::OK, Some(frequency)) => Ok(frequency.to_owned()),
            _ => Err(status),
        }
    }

    /// What the mail with `link` asks, as its page shows it.
    async fn is_asked_by(&self, link: &str) -> Value {
        let (status, asked) = self.post("/api/alerts/asked", json!({ "token": link })).await;
        assert_eq!(status, StatusCode::OK, "{asked}");
        asked
    }

    /// Ends all of them by `token`.
    pub async fn ends(&self, token: &str) {
        let (status, _) = self.post(&format!("/api/alerts/unsubscribe/{token}"), json!({})).await;
        assert_eq!(status, StatusCode::OK);
    }
}

impl World {
    /// What the link ends with by which Ann agrees, in her latest mail, one of `count`.
    pub async fn link_to_agree(&self, count: usize) -> String {
        self.settled().await;
        let mails = self.mails_to(ANN);
        assert_eq!(mails.len(), count);
        after(&mails[count - 1].text, "/es/alerts/confirm?token=")
    }

    /// What the other links in her mails end with.
    pub async fn token(&self) -> String {
        sqlx::query_scalar("select tokens[1] from visitor.subscriber")
            .fetch_one(&self.pool)
            .await
            .expect("a subscriber")
    }
}

#[tokio::test]
async fn a_search_that_is_asked_for_once_more_is_told_of_as_often_as_its_reader_agrees_to() {
    let world = World::start().await;
    let browser = world.browser();
    assert_eq!(browser.asks_for("location=nerja", "weekly").await.0, StatusCode::ACCEPTED);
    let first = world.link_to_agree(1).await;
    let asking = world.mails_to(ANN).remove(0);
    assert!(asking.subject.starts_with("Confirme que quiere avisos ("), "{}", asking.subject);
    assert!(!asking.text.contains(TYPED), "anybody's words: {}", asking.text);
    assert_eq!(browser.agrees(&first).await.as_deref(), Ok("weekly"));

    assert_eq!(browser.asks_for("location=nerja", "at_once").await.0, StatusCode::ACCEPTED);
    let second = world.link_to_agree(2).await;
    let asking = world.mails_to(ANN).remove(1);
    assert!(asking.text.contains("en cuanto algo cambie"), "{}", asking.text);
    assert!(asking.text.contains(HERS), "it is hers: {}", asking.text);
    // Somebody else may have asked, and she opens an older mail.
    assert_eq!(browser.agrees(&first).await.as_deref(), Ok("weekly"));
    // And once more, in another tab.
    for _ in 0..2 {
        assert_eq!(browser.agrees(&second).await.as_deref(), Ok("at_once"));
    }
    assert_eq!(browser.agrees(&first).await.as_deref(), Ok("at_once"), "it changes nothing");

    // What was ended meanwhile stays ended.
    assert_eq!(browser.asks_for("location=nerja", "daily").await.0, StatusCode::ACCEPTED);
    let third = world.link_to_agree(3).await;
    browser.ends(&world.token().await).await;
    for link in [&first, &second, &third] {
        assert_eq!(browser.agrees(link).await, Err(StatusCode::GONE));
    }
    let (status, problem) = browser.asks_for("location=nerja", "never").await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(problem["errors"][0]["field"], "frequency", "nobody asks for no mails");
}

#[tokio::test]
async fn each_mail_agrees_to_what_it_asks_and_to_nothing_else() {
    let world = World::start().await;
    let browser = world.browser();
    let mut links = Vec::new();
    for (count, frequency) in [(1, "weekly"), (2, "daily"), (3, "at_once"), (4, "weekly")] {
        assert_eq!(browser.asks_for("location=nerja", frequency).await.0, StatusCode::ACCEPTED);
        links.push(world.link_to_agree(count).await);
        if count == 1 {
            assert_eq!(browser.agrees(&links[0]).await.as_deref(), Ok("weekly"));
        }
    }
    // Three mails a day since a search was last agreed to for the first time: the next wish is never
    // mailed, and nothing agrees to it.
    assert_eq!(browser.asks_for("location=nerja", "daily").await.0, StatusCode::ACCEPTED);
    assert_eq!(world.link_to_agree(4).await, links[3]);
    for (link, frequency) in
        [(2, "at_once"), (1, "daily"), (0, "daily"), (3, "weekly"), (2, "at_once")]
    {
        let asked = browser.is_asked_by(&links[link]).await;
        assert_eq!(asked["frequency"], frequency, "{asked}");
        assert_eq!(browser.agrees(&links[link]).await.as_deref(), Ok(frequency));
    }
}

#[tokio::test]
async fn who_answers_each_mail_is_asked_about_every_search_of_a_day() {
    let world = World::start().await;
    let browser = world.browser();
    for (count, place) in (1..).zip(["nerja", "frigiliana", "torrox", "maro", "competa"]) {
        let address = format!("location={place}");
        assert_eq!(browser.asks_for(&address, "daily").await.0, StatusCode::ACCEPTED);
        let link = world.link_to_agree(count).await;
        assert_eq!(browser.agrees(&link).await.as_deref(), Ok("daily"));
    }
}

#[tokio::test]
async fn what_had_to_wait_is_asked_about_when_a_mail_is_answered() {
    let world = World::start().await;
    let browser = world.browser();
    for place in ["nerja", "frigiliana", "torrox", "maro", "competa"] {
        let address = format!("location={place}");
        assert_eq!(browser.asks_for(&address, "daily").await.0, StatusCode::ACCEPTED);
    }
    let mut link = world.link_to_agree(3).await;
    for (count, place) in [(4, "maro"), (5, "competa")] {
        assert_eq!(browser.agrees(&link).await.as_deref(), Ok("daily"));
        link = world.link_to_agree(count).await;
        assert_eq!(browser.is_asked_by(&link).await["address"], format!("location={place}"));
    }
    assert_eq!(browser.agrees(&link).await.as_deref(), Ok("daily"));
    world.link_to_agree(5).await;
}

#[tokio::test]
async fn a_wish_is_asked_about_though_another_mail_is_on_its_way() {
    let world = World::start().await;
    let browser = world.browser();
    assert_eq!(browser.asks_for("location=nerja", "weekly").await.0, StatusCode::ACCEPTED);
    let first = world.link_to_agree(1).await;
    assert_eq!(browser.agrees(&first).await.as_deref(), Ok("weekly"));
    let asked = async |count: usize| {
        eventually("a mail asks", async || world.mails_to(ANN).into_iter().nth(count - 1)).await
    };
    let done = async |statement: &'static str| {
        sqlx::query(statement).execute(&world.pool).await.expect("postgres answers");
    };

    // One that asks whether the search is wanted still says nothing of a wish.
    done(
        "insert into visitor.job (id, kind, saved_search, due_at)
         select gen_random_uuid(), 'renewal_mail', id, now() + interval '1 hour'
         from visitor.saved_search",
    )
    .await;
    assert_eq!(browser.asks_for("location=nerja", "daily").await.0, StatusCode::ACCEPTED);
    assert!(asked(2).await.text.contains("cada mañana"));
    done("delete from visitor.job where kind = 'renewal_mail'").await;

    // Nor does one that is just being sent say anything of the next.
    world.settled().await;
    done("update visitor.job set state = 'due', lease_until = now() + interval '1 minute'").await;
    assert_eq!(browser.asks_for("location=nerja", "at_once").await.0, StatusCode::ACCEPTED);
    assert!(asked(3).await.text.contains("en cuanto algo cambie"));
}

#[tokio::test]
async fn who_asks_twice_is_mailed_once_though_that_mail_is_on_its_way() {
    let world = World::start().await;
    let browser = world.browser();
    assert_eq!(browser.asks_for("location=nerja", "daily").await.0, StatusCode::ACCEPTED);
    world.settled().await;
    sqlx::query("update visitor.job set state = 'due', lease_until = now() + interval '1 minute'")
        .execute(&world.pool)
        .await
        .expect("postgres answers");
    assert_eq!(browser.asks_for("location=nerja", "daily").await.0, StatusCode::ACCEPTED);
    assert_eq!(world.count("visitor.job where kind = 'confirm_mail'").await, 1);
}

#[tokio::test]
async fn what_nobody_has_agreed_to_waits_on_while_the_mailboxs_reader_signs_in() {
    let world = World::start().await;
    let browser = world.browser();
    let searches = async || browser.get("/api/account").await.1["searches"].take();
    assert_eq!(browser.asks_for("location=nerja", "daily").await.0, StatusCode::ACCEPTED);
    let link = world.link_to_agree(1).await;
    browser.signs_in(ANN).await;
    assert_eq!(searches().await, json!([]), "anybody may have asked for it");
    let waiting = async || browser.get("/api/account/export").await.1["askedSearches"].take();
    let kept = waiting().await;
    assert_eq!(kept.as_array().map(Vec::len), Some(1), "it is kept all the same: {kept}");
    for (name, value) in [("address", "location=nerja"), ("name", TYPED), ("frequency", "daily")] {
        assert_eq!(kept[0][name], value, "{kept}");
    }
    assert_eq!(browser.agrees(&link).await.as_deref(), Ok("daily"));
    assert_eq!(waiting().await, json!([]), "it is the account's");
    let hers = searches().await;
    assert_eq!((&hers[0]["address"], &hers[0]["name"]), (&json!("location=nerja"), &json!(HERS)));
}

#[tokio::test]
async fn mails_say_what_their_reader_agreed_to_and_in_its_language_whatever_others_type() {
    let world = World::start().await;
    let mut content = Content::begin(&world).await;
    content.read(&world).await;
    let browser = world.browser();
    assert_eq!(browser.asks_for("location=nerja", "at_once").await.0, StatusCode::ACCEPTED);
    let link = world.link_to_agree(1).await;
    let nameless = json!({ "token": link, "name": " " });
    let (status, problem) = browser.post("/api/alerts/confirm", nameless).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(problem["errors"][0]["field"], "name");
    assert_eq!(browser.agrees(&link).await.as_deref(), Ok("at_once"));
    assert_eq!(browser.asks_for("maxPrice=400000", "at_once").await.0, StatusCode::ACCEPTED);
    let unnamed = json!({ "token": world.link_to_agree(2).await });
    let (status, search) = browser.post("/api/alerts/confirm", unnamed).await;
    assert_eq!((status, &search["name"]), (StatusCode::OK, &json!("Su búsqueda")));

    let in_english = json!({ "address": "location=nerja", "name": TYPED, "locale": "en",
                             "frequency": "daily", "email": ANN });
    let (status, _) = world.browser().post("/api/alerts", in_english).await;
    assert_eq!(status, StatusCode::ACCEPTED);
    content.publish(&house("AH-1", 300_000)).await;
    content.read(&world).await;
    let mails = world.told(ANN).await;
    assert_eq!(mails.len(), 1);
    let text = &mails[0].text;
    assert!(text.contains("Nuevo para usted"), "{text}");
    assert!(text.contains(&format!("- {HERS}: ")) && text.contains("- Su búsqueda: "), "{text}");
    assert!(!text.contains(TYPED), "{text}");
}

#[tokio::test]
async fn mails_are_in_the_language_of_who_asked_last_before_they_were_agreed_to() {
    let world = World::start().await;
    let mut content = Content::begin(&world).await;
    content.read(&world).await;
    let browser = world.browser();
    assert_eq!(browser.asks_for("location=nerja", "at_once").await.0, StatusCode::ACCEPTED);
    world.settled().await;
    let in_english = json!({ "address": "location=nerja", "name": "Nerja", "locale": "en",
                             "frequency": "at_once", "email": ANN });
    assert_eq!(browser.post("/api/alerts", in_english).await.0, StatusCode::ACCEPTED);
    world.settled().await;
    let asking = world.mails_to(ANN).pop().expect("a mail asks");
    let link = after(&asking.text, "/alerts/confirm?token=");
    assert_eq!(browser.agrees(&link).await.as_deref(), Ok("at_once"));
    content.publish(&house("AH-1", 300_000)).await;
    content.read(&world).await;
    let mails = world.told(ANN).await;
    assert_eq!(mails.len(), 1);
    assert!(mails[0].text.contains("New for you"), "{}", mails[0].text);
}

#[tokio::test]
async fn mails_are_in_the_language_of_the_page_that_they_were_agreed_to_on() {
    let world = World::start().await;
    let mut content = Content::begin(&world).await;
    content.read(&world).await;
    let browser = world.browser();
    assert_eq!(browser.asks_for("location=nerja", "at_once").await.0, StatusCode::ACCEPTED);
    let link = world.link_to_agree(1).await;
    let agreement = json!({ "token": link, "name": "Homes in Nerja", "locale": "en" });
    assert_eq!(browser.post("/api/alerts/confirm", agreement).await.0, StatusCode::OK);
    content.publish(&house("AH-1", 300_000)).await;
    content.read(&world).await;
    let mails = world.told(ANN).await;
    assert_eq!(mails.len(), 1);
    assert!(mails[0].text.contains("New for you"), "{}", mails[0].text);
}

#[tokio::test]
async fn whoever_opens_a_mail_that_asks_is_shown_its_search_before_they_agree() {
    let world = World::start().await;
    let browser = world.browser();
    assert_eq!(browser.asks_for("location=nerja", "daily").await.0, StatusCode::ACCEPTED);
    let nerja = world.link_to_agree(1).await;
    assert_eq!(browser.asks_for("location=torrox", "weekly").await.0, StatusCode::ACCEPTED);
    let torrox = world.link_to_agree(2).await;
    // Words that anybody may have typed are not among it.
    let shown = json!({ "address": "location=torrox", "frequency": "weekly" });
    assert_eq!(browser.is_asked_by(&torrox).await, shown);
    assert_eq!(browser.is_asked_by(&nerja).await["address"], "location=nerja");
    assert_eq!(world.count("visitor.saved_search where confirmed_at is not null").await, 0);
    assert_eq!(browser.agrees(&torrox).await.as_deref(), Ok("weekly"));
    assert_eq!(browser.is_asked_by(&torrox).await, shown);

    browser.ends(&world.token().await).await;
    for over in [&*torrox, "nobodys", ""] {
        let (status, _) = browser.post("/api/alerts/asked", json!({ "token": over })).await;
        assert_eq!(status, StatusCode::GONE);
    }
}

#[tokio::test]
async fn a_press_agrees_to_the_frequency_that_its_page_showed() {
    let world = World::start().await;
    let browser = world.browser();
    assert_eq!(browser.asks_for("location=nerja", "weekly").await.0, StatusCode::ACCEPTED);
    let link = world.link_to_agree(1).await;
    let shown = browser.is_asked_by(&link).await["frequency"].take();
    // Anybody asks for more while it is read.
    assert_eq!(browser.asks_for("location=nerja", "at_once").await.0, StatusCode::ACCEPTED);
    let agrees_to = async |frequency: &Value| {
        let agreement = json!({ "token": link, "frequency": frequency });
        browser.post("/api/alerts/confirm", agreement).await
    };
    let (status, problem) = agrees_to(&json!("never")).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(problem["errors"][0]["field"], "frequency");
    // Pressed once more it changes nothing.
    for frequency in [&shown, &json!("daily")] {
        let (status, search) = agrees_to(frequency).await;
        assert_eq!((status, &search["frequency"]), (StatusCode::OK, &json!("weekly")));
    }
}

#[tokio::test]
async fn no_mail_of_before_agrees_to_a_search_that_was_ended_and_begun_again() {
    let world = World::start().await;
    let browser = world.browser();
    assert_eq!(browser.asks_for("location=nerja", "daily").await.0, StatusCode::ACCEPTED);
    let first = world.link_to_agree(1).await;
    assert_eq!(browser.agrees(&first).await.as_deref(), Ok("daily"));
    assert_eq!(browser.asks_for("location=nerja", "at_once").await.0, StatusCode::ACCEPTED);
    let second = world.link_to_agree(2).await;

    let token = world.token().await;
    let (_, subscription) =
        browser.post("/api/alerts/subscription", json!({ "token": token })).await;
    let search = &subscription["searches"][0]["id"];
    for frequency in ["never", "weekly"] {
        let change =
            json!({ "token": token, "search": search, "change": { "frequency": frequency } });
        assert_eq!(browser.post("/api/alerts/change", change).await.0, StatusCode::OK);
    }
    for link in [&first, &second] {
        assert_eq!(browser.agrees(link).await, Err(StatusCode::GONE));
    }
}

#[tokio::test]
async fn ending_all_mails_leaves_what_waits_to_be_agreed_to() {
    let world = World::start().await;
    let browser = world.browser();
    assert_eq!(browser.asks_for("location=nerja", "daily").await.0, StatusCode::ACCEPTED);
    let nerja = world.link_to_agree(1).await;
    assert_eq!(browser.asks_for("location=torrox", "weekly").await.0, StatusCode::ACCEPTED);
    let torrox = world.link_to_agree(2).await;
    assert_eq!(browser.agrees(&nerja).await.as_deref(), Ok("daily"));
    let token = world.token().await;
    browser.ends(&token).await;
    assert_eq!(browser.agrees(&torrox).await.as_deref(), Ok("weekly"));
    assert_eq!(browser.agrees(&nerja).await, Err(StatusCode::GONE));
    browser.ends(&token).await;
    assert_eq!(browser.agrees(&torrox).await, Err(StatusCode::GONE));
}

#[tokio::test]
async fn who_opens_the_address_that_ends_mails_is_led_to_the_page_that_does() {
    let world = World::start().await;
    let browser = world.browser();
    assert_eq!(browser.asks_for("location=nerja", "daily").await.0, StatusCode::ACCEPTED);
    let link = world.link_to_agree(1).await;
    assert_eq!(browser.agrees(&link).await.as_deref(), Ok("daily"));
    let token = world.token().await;
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
