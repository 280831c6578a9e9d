//! Visitors' enquiries in a real Directus, and their alerts about homes published there.

use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};
use chrono::{TimeDelta, Utc};
use serde::Deserialize;
use serde_json::{Value, json};
use sqlx::{Connection, PgConnection};
use uuid::Uuid;

use crate::stack::{
    Stack,
    editor::{Editor, house},
    scaled, seen_limit,
};

/// How long the office's items and the stored enquiries may take to agree: failures are retried after a
/// minute.
const OFFICE_LIMIT: Duration = Duration::from_mins(2);

/// The personal data that visitors send here.
pub const PERSONAL: [&str; 10] = [
    "zumbrel@example.com",
    "reader@example.com",
    "Quorbella",
    "Zumbrel",
    "frindlewick",
    "Vurbelin",
    "600 123 456",
    "+34600123456",
    "20 7946 0958",
    "+442079460958",
];

/// An enquiry becomes an item for the office, and the office's changes to it come back.
pub async fn answer_an_enquiry(stack: &Stack, editor: &Editor) -> Result<()> {
    let enquiry = json!({
        "kind": "general", "name": "Quorbella Zumbrel", "email": "zumbrel@example.com",
        "phone": "600 123 456", "mobile": "+44 20 7946 0958", "privacyAccepted": true,
        "message": "Is there a frindlewick in the house?",
    });
    let client = reqwest::Client::new();
    let sent = client.post(stack.url("/api/enquiries")).json(&enquiry).send().await?;
    ensure!(sent.status() == 201, "{}", sent.text().await?);
    let reference = sent.json::<Value>().await?["reference"].clone();
    let reference = reference.as_str().context("a reference")?;
    let path = format!("/items/enquiries?filter[reference][_eq]={reference}");
    let started = Instant::now();
    let item = loop {
        let found = editor.read(&path).await?;
        if let Some(item) = found.as_array().and_then(|items| items.first()) {
            break item.clone();
        }
        ensure!(started.elapsed() < seen_limit(), "the office has no item");
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    ensure!(item["state"] == "new" && item["message"] == enquiry["message"], "{item}");
    editor.update("enquiries", &item["id"], json!({ "state": "answered" })).await?;
    let url = stack.operator_environment()?.remove("COMMAND_DATABASE_URL");
    let mut database = PgConnection::connect(&url.context("the write side's database")?).await?;
    until_answered(&mut database, reference).await?;
    // After a start, a missed webhook is made up for.
    sqlx::query("update visitor.enquiry set state = 'new' where reference = $1")
        .bind(reference)
        .execute(&mut database)
        .await?;
    stack.kill("command")?;
    until_answered(&mut database, reference).await?;
    // Enquiries that are two years old are erased then.
    let long_ago = json!({ "received_at": Utc::now() - TimeDelta::days(731) });
    editor.update("enquiries", &item["id"], long_ago).await?;
    let young = json!({ "id": Uuid::new_v4(), "state": "new", "kind": "general", "name": "Bob",
                        "received_at": Utc::now() - TimeDelta::days(729) });
    let young = editor.create("enquiries", young).await?;
    stack.kill("command")?;
    let started = Instant::now();
    loop {
        let left = editor.read("/items/enquiries?fields=id").await?;
        if left == json!([{ "id": young["id"] }]) {
            break;
        }
        ensure!(started.elapsed() < scaled(OFFICE_LIMIT), "{left} are left");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    Ok(())
}

/// Waits until the enquiry `reference` is stored as answered.
async fn until_answered(database: &mut PgConnection, reference: &str) -> Result<()> {
    let started = Instant::now();
    loop {
        let state = "select state from visitor.enquiry where reference = $1";
        let state: String =
            sqlx::query_scalar(state).bind(reference).fetch_one(&mut *database).await?;
        if state == "answered" {
            return Ok(());
        }
        ensure!(started.elapsed() < scaled(OFFICE_LIMIT), "it is still {state}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// A visitor who saved a search gets one mail about a home that matches it, until they unsubscribe with
/// one click.
pub async fn tell_of_a_home(stack: &Stack, editor: &Editor) -> Result<()> {
    const READER: &str = "reader@example.com";
    // The write side may be restarting; requests that it could not store may be sent again.
    let send = async |path: &str, body: Value| -> Result<()> {
        let started = Instant::now();
        loop {
            let sent = stack.client.post(stack.url(path)).json(&body).send().await?;
            if sent.status().is_success() {
                return Ok(());
            }
            let is_away = sent.status() == 503 && started.elapsed() < seen_limit();
            ensure!(is_away, "{path}: {}", sent.text().await?);
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let search = json!({ "address": "location=nerja&minPrice=777000&maxPrice=778000",
                         "name": "Vurbelin by the sea", "locale": "en", "frequency": "at_once",
                         "email": READER });
    send("/api/alerts", search).await?;
    let confirmation = mails_to(stack, READER, 1).await?;
    let token = word_after(&confirmation[0].text, "/alerts/confirm?token=")?;
    send("/api/alerts/confirm", json!({ "token": token })).await?;

    let fits = editor.create("properties", house("AH-9010", 777_500)).await?;
    let mails = mails_to(stack, READER, 2).await?;
    ensure!(mails[0].text.contains("A bright house AH-9010"), "{}", mails[0].text);
    let end = word_after(&mails[0].text, "/alerts?token=")?;
    send(&format!("/api/alerts/unsubscribe/{end}"), json!({})).await?;
    let change = json!({ "price": 777_100 });
    editor.update("properties", &fits["id"], change).await?;
    stack
        .wait_for_page("/property-for-sale/nerja/AH-9010", "the new price", |_, html| {
            html.contains("777,100")
        })
        .await?;
    editor.delete("properties", &fits["id"]).await?;
    stack
        .wait_for_page("/property-for-sale/nerja/AH-9010", "that it is gone", |status, _| {
            matches!(status, 404 | 410)
        })
        .await?;
    mails_to(stack, READER, 2).await?;
    Ok(())
}

/// A mail in the mail catcher's API.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Mail {
    message_id: String,
    to: Vec<String>,
    text: String,
}

/// Waits until `reader` has received `count` mails, and returns them, the newest first. The mail server
/// may get the same mail twice.
async fn mails_to(stack: &Stack, reader: &str, count: usize) -> Result<Vec<Mail>> {
    let catcher = format!("http://127.0.0.1:{}/api/messages", stack.port_of("mail")?);
    let started = Instant::now();
    loop {
        let mut mails: Vec<Mail> = reqwest::get(&catcher).await?.json().await?;
        let mut seen = BTreeSet::new();
        mails.retain(|mail| {
            mail.to.iter().any(|to| to == reader) && seen.insert(mail.message_id.clone())
        });
        if mails.len() == count {
            return Ok(mails);
        }
        ensure!(started.elapsed() < seen_limit(), "{} mails to {reader}, not {count}", mails.len());
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

fn word_after<'a>(text: &'a str, before: &str) -> Result<&'a str> {
    let (_, after) =
        text.split_once(before).with_context(|| format!("{before} is not in {text}"))?;
    Ok(after.split_whitespace().next().unwrap_or_default())
}
