//! A visitor with an account.

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use reqwest::Method;
use serde_json::{Value, json};

use crate::stack::{Stack, seen_limit};

/// A signed-in visitor, with the cookies of a browser.
pub struct Visitor {
    base: String,
    cookies: String,
}

impl Visitor {
    pub async fn delete(&self, path: &str, body: &Value) -> Result<u16> {
        let request = reqwest::Client::new().delete(format!("{}{path}", self.base));
        let request = request.header("cookie", &self.cookies).header("origin", &self.base);
        Ok(request.json(body).send().await?.status().as_u16())
    }

    pub async fn call(&self, method: Method, path: &str, body: &Value) -> Result<Value> {
        let request = reqwest::Client::new().request(method, format!("{}{path}", self.base));
        let request = request.header("cookie", &self.cookies).header("origin", &self.base);
        let answer = request.json(body).send().await?;
        ensure!(answer.status().is_success(), "{path}: {}", answer.status());
        Ok(answer.json().await.unwrap_or_default())
    }

    /// Returns the address of the signed-in account, if there is one.
    pub async fn signed_in_email(&self) -> Result<Option<String>> {
        let request = reqwest::Client::new().get(format!("{}/api/me", self.base));
        let me: Value = request.header("cookie", &self.cookies).send().await?.json().await?;
        Ok(me["account"]["email"].as_str().map(str::to_owned))
    }
}

/// Creates an account with the code that is mailed to `email`.
pub async fn sign_up(stack: &Stack, email: &str) -> Result<Visitor> {
    let client = reqwest::Client::new();
    let base = stack.url("").trim_end_matches('/').to_owned();
    let post = async |path: &str, cookies: &str, body: Value| -> Result<String> {
        let request = client.post(format!("{base}/api/account/sign-in{path}")).json(&body);
        let request = request.header("origin", &base).header("cookie", cookies);
        let answer = request.send().await?;
        ensure!(answer.status().is_success(), "{}", answer.status());
        let headers = answer.headers().get_all("set-cookie").iter();
        let pairs = headers.filter_map(|cookie| cookie.to_str().ok()?.split(';').next());
        Ok(pairs.collect::<Vec<_>>().join("; "))
    };
    let cookies = post("", "", json!({ "email": email })).await?;
    let mails = format!("http://127.0.0.1:{}/api/messages", stack.port_of("mail")?);
    let started = Instant::now();
    loop {
        let mails: Vec<Value> = client.get(&mails).send().await?.json().await?;
        let subjects = mails.iter().filter(|mail| mail["to"][0] == email);
        let mut subjects = subjects.filter_map(|mail| mail["subject"].as_str());
        if let Some(subject) = subjects.find(|subject| subject.starts_with("Your sign-in code")) {
            let code: String = subject.chars().filter(char::is_ascii_digit).collect();
            let cookies = post("/code", &cookies, json!({ "code": code })).await?;
            return Ok(Visitor { base, cookies });
        }
        ensure!(started.elapsed() < seen_limit(), "no mail to {email}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}
