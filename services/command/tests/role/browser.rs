//! A visitor's browser, as far as the calls see it: it keeps cookies.

use std::{
    collections::BTreeMap,
    sync::Mutex,
    time::{Duration, Instant},
};

use http::{Method, StatusCode, header};
use mail_catcher::Mail;
use serde_json::{Value, json};
use testkit::eventually;

use crate::role::World;

/// One browser.
pub struct Browser<'a> {
    pub world: &'a World,
    cookies: Mutex<BTreeMap<String, String>>,
    /// What it was told to keep last, as it came.
    pub told: Mutex<Vec<String>>,
}

impl World {
    /// One that never was here.
    pub fn browser(&self) -> Browser<'_> {
        Browser { world: self, cookies: Mutex::default(), told: Mutex::default() }
    }

    /// One in which somebody has signed in as `email`.
    pub async fn signed_in(&self, email: &str) -> Browser<'_> {
        let browser = self.browser();
        browser.signs_in(email).await;
        browser
    }
}

impl Browser<'_> {
    /// Asks, and keeps the cookies that come back.
    pub async fn call(
        &self,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> (StatusCode, Value) {
        let cookies: Vec<String> = {
            let cookies = self.cookies.lock().expect("nobody panicked");
            cookies.iter().map(|(name, value)| format!("{name}={value}")).collect()
        };
        let request = reqwest::Client::new()
            .request(method, format!("{}{path}", self.world.url))
            .header(header::USER_AGENT, "Firefox of a test")
            .header(header::COOKIE, cookies.join("; "));
        let request = match &body {
            Some(body) => request.json(body),
            None => request,
        };
        let answer = request.send().await.expect("an answer");
        let told = answer.headers().get_all(header::SET_COOKIE).iter();
        let told: Vec<String> =
            told.map(|cookie| cookie.to_str().expect("text").to_owned()).collect();
        for cookie in &told {
            let (name, rest) = cookie.split_once('=').expect("a cookie");
            let value = rest.split(';').next().unwrap_or_default();
            let mut cookies = self.cookies.lock().expect("nobody panicked");
            if value.is_empty() {
                cookies.remove(name);
            } else {
                cookies.insert(name.to_owned(), value.to_owned());
            }
        }
        *self.told.lock().expect("nobody panicked") = told;
        let status = answer.status();
        (status, answer.json().await.unwrap_or_default())
    }

    pub async fn get(&self, path: &str) -> (StatusCode, Value) {
        self.call(Method::GET, path, None).await
    }

    pub async fn post(&self, path: &str, body: Value) -> (StatusCode, Value) {
        self.call(Method::POST, path, Some(body)).await
    }

    /// What it holds under `name`.
    pub fn cookie(&self, name: &str) -> Option<String> {
        self.cookies.lock().expect("nobody panicked").get(name).cloned()
    }

    /// Gives it a cookie that it was never told.
    pub fn plant(&self, name: &str, value: &str) {
        let mut cookies = self.cookies.lock().expect("nobody panicked");
        cookies.insert(name.to_owned(), value.to_owned());
    }

    /// Asks to be signed in as `email`, and reads the mail.
    pub async fn asks(&self, email: &str) -> Mailed {
        let before = self.world.mails_to(email).len();
        let (status, answer) = self.post("/api/account/sign-in", json!({ "email": email })).await;
        assert_eq!(status, StatusCode::ACCEPTED, "{answer}");
        let mail = eventually("the mail is there", async || {
            self.world.mails_to(email).into_iter().nth(before)
        })
        .await;
        Mailed::read(mail)
    }

    /// Signs in as `email`.
    pub async fn signs_in(&self, email: &str) {
        let mailed = self.asks(email).await;
        let (status, _) =
            self.post("/api/account/sign-in/code", json!({ "code": mailed.code })).await;
        assert_eq!(status, StatusCode::OK);
    }

    /// The address that is signed in, if one is.
    pub async fn who(&self) -> Option<String> {
        let (_, me) = self.get("/api/me").await;
        me["account"]["email"].as_str().map(str::to_owned)
    }
}

/// What a mail lets its reader do.
pub struct Mailed {
    pub mail: Mail,
    pub token: String,
    pub code: String,
}

impl Mailed {
    /// What the link in `mail` ends with.
    pub fn token(mail: &Mail) -> String {
        let (_, rest) = mail.text.split_once("?token=").expect("a link");
        rest.split_whitespace().next().expect("a token").to_owned()
    }

    fn read(mail: Mail) -> Self {
        let token = Self::token(&mail);
        let digits =
            |line: &&str| line.split_whitespace().collect::<String>().parse::<u32>().is_ok();
        let code = mail.text.lines().map(str::trim).find(digits).expect("a code").to_owned();
        Self { mail, token, code }
    }
}

/// Nobody learns from how long an answer takes whether an address is among the `known`: the fastest of
/// some, asked in turns with unknown ones because a busy machine slows both, are within three times of
/// each other.
pub async fn assert_cost_alike<'a>(known: impl Iterator<Item = &'a str>, ask: impl AsyncFn(&str)) {
    const FEWEST: usize = 4;
    let took = async |email: &str| {
        let begun = Instant::now();
        ask(email).await;
        begun.elapsed()
    };
    let (mut fastest, mut fastest_unknown) = (Duration::MAX, Duration::MAX);
    for (turn, email) in known.enumerate() {
        fastest = fastest.min(took(email).await);
        fastest_unknown = fastest_unknown.min(took(&format!("{turn}@x.example")).await);
        let are_alike = fastest_unknown * 3 > fastest && fastest * 3 > fastest_unknown;
        if turn + 1 >= FEWEST && are_alike {
            return;
        }
    }
    panic!("{fastest:?} for the known, {fastest_unknown:?} for others");
}
