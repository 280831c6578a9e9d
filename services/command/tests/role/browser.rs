//! A visitor's browser, reduced to its cookies.

use std::{
    collections::BTreeMap,
    sync::Mutex,
    time::{Duration, Instant},
};

use http::{Method, StatusCode, header};
use mail_catcher::Mail;
use serde_json::{Value, json};
use testkit::eventually;

use crate::world::World;

/// One browser.
pub struct Browser<'a> {
    pub world: &'a World,
    cookies: Mutex<BTreeMap<String, String>>,
    /// The `Set-Cookie` headers of the last response.
    pub set_cookies: Mutex<Vec<String>>,
}

impl World {
    /// Returns a new browser without cookies.
    pub fn browser(&self) -> Browser<'_> {
        Browser { world: self, cookies: Mutex::default(), set_cookies: Mutex::default() }
    }

    /// Returns a browser that is signed in as `email`.
    pub async fn signed_in(&self, email: &str) -> Browser<'_> {
        let browser = self.browser();
        browser.sign_in(email).await;
        browser
    }
}

impl Browser<'_> {
    /// Makes a call and stores the cookies of the response.
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
        let set_cookies = answer.headers().get_all(header::SET_COOKIE).iter();
        let set_cookies: Vec<String> =
            set_cookies.map(|cookie| cookie.to_str().expect("text").to_owned()).collect();
        for cookie in &set_cookies {
            let (name, rest) = cookie.split_once('=').expect("a cookie");
            let value = rest.split(';').next().unwrap_or_default();
            let mut cookies = self.cookies.lock().expect("nobody panicked");
            if value.is_empty() {
                cookies.remove(name);
            } else {
                cookies.insert(name.to_owned(), value.to_owned());
            }
        }
        *self.set_cookies.lock().expect("nobody panicked") = set_cookies;
        let status = answer.status();
        (status, answer.json().await.unwrap_or_default())
    }

    pub async fn get(&self, path: &str) -> (StatusCode, Value) {
        self.call(Method::GET, path, None).await
    }

    pub async fn post(&self, path: &str, body: Value) -> (StatusCode, Value) {
        self.call(Method::POST, path, Some(body)).await
    }

    /// Returns the cookie `name`.
    pub fn cookie(&self, name: &str) -> Option<String> {
        self.cookies.lock().expect("nobody panicked").get(name).cloned()
    }

    /// Sets a cookie that the server did not send.
    pub fn set_cookie(&self, name: &str, value: &str) {
        let mut cookies = self.cookies.lock().expect("nobody panicked");
        cookies.insert(name.to_owned(), value.to_owned());
    }

    /// Requests a sign-in as `email` and reads the mail.
    pub async fn request_sign_in(&self, email: &str) -> Mailed {
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
    pub async fn sign_in(&self, email: &str) {
        let mailed = self.request_sign_in(email).await;
        let (status, _) =
            self.post("/api/account/sign-in/code", json!({ "code": mailed.code })).await;
        assert_eq!(status, StatusCode::OK);
    }

    /// Returns the address of the signed-in account.
    pub async fn signed_in_email(&self) -> Option<String> {
        let (_, me) = self.get("/api/me").await;
        me["account"]["email"].as_str().map(str::to_owned)
    }
}

/// A sign-in mail with its link's token and its code.
pub struct Mailed {
    pub mail: Mail,
    pub token: String,
    pub code: String,
}

impl Mailed {
    /// Returns the token of the link in `mail`.
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

/// Asserts that response times do not reveal whether an address is among the `known`. The fastest call
/// for known and the fastest for unknown addresses may differ by a factor of three at most. They
/// alternate, because a busy machine slows both.
pub async fn assert_similar_duration<'a>(
    known: impl Iterator<Item = &'a str>,
    ask: impl AsyncFn(&str),
) {
    const MIN_ROUNDS: usize = 4;
    let took = async |email: &str| {
        let started = Instant::now();
        ask(email).await;
        started.elapsed()
    };
    let (mut fastest, mut fastest_unknown) = (Duration::MAX, Duration::MAX);
    for (round, email) in known.enumerate() {
        fastest = fastest.min(took(email).await);
        fastest_unknown = fastest_unknown.min(took(&format!("{round}@x.example")).await);
        let are_similar = fastest_unknown * 3 > fastest && fastest * 3 > fastest_unknown;
        if round + 1 >= MIN_ROUNDS && are_similar {
            return;
        }
    }
    panic!("{fastest:?} for the known, {fastest_unknown:?} for others");
}
