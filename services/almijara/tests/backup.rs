//! What visitors sent is kept in a file and comes back from it, and whoever was erased does not.

mod stack;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use sqlx::{Connection, PgConnection};
use stack::{Options, Stack};
use tempfile::tempdir;

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_brings_back_what_was_sent_but_nobody_who_was_erased() -> Result<()> {
    let stack = Stack::start(Options::default().with("ENQUIRY_BURST", "0")).await?;
    let url = stack.operators_environment()?.remove("COMMAND_DATABASE_URL");
    let mut database = PgConnection::connect(&url.context("the write side's database")?).await?;
    enquire(&stack, "Before the backup").await?;
    let ann = sign_up(&stack, "ann@example.com").await?;
    let bob = sign_up(&stack, "bob@example.com").await?;
    sqlx::query(
        "insert into visitor.consent (account, purpose, text_version, locale)
         select id, 'marketing', '1', 'en' from visitor.account where email = 'bob@example.com'",
    )
    .execute(&mut database)
    .await?;

    let folder = tempdir()?;
    let file = folder.path().join("almijara.backup").display().to_string();
    let said = run(&stack, &["backup", &file]).await?;
    ensure!(said.contains("1 enquiries and 2 accounts"), "{said}");

    enquire(&stack, "After the backup").await?;
    let erased = bob.delete("/api/account", &json!({ "email": "bob@example.com" })).await?;
    ensure!(erased == 204, "{erased}");
    published(&mut database).await?;
    let refused = stack.operator(&["restore", &file]).await?;
    ensure!(!refused.status.success(), "what came since must not be lost unasked");
    let why = String::from_utf8_lossy(&refused.stderr).into_owned();
    ensure!(why.contains("2 enquiries and 1 accounts") && why.contains("--replace"), "{why}");

    let said = run(&stack, &["restore", "--replace", &file]).await?;
    ensure!(said.contains("1 enquiries and 1 accounts"), "{said}");
    ensure!(said.contains("1 accounts were erased again"), "{said}");
    ensure!(ann.who().await?.as_deref() == Some("ann@example.com"));
    ensure!(bob.who().await?.is_none());
    let blocked: i64 = sqlx::query_scalar("select count(*) from visitor.blocked_consent")
        .fetch_one(&mut database)
        .await?;
    ensure!(blocked == 1, "{blocked} proofs of what was agreed to are kept");
    // The role has not noticed, and goes on.
    enquire(&stack, "After the restoring").await?;
    let messages: Vec<String> =
        sqlx::query_scalar("select message from visitor.enquiry order by received_at")
            .fetch_all(&mut database)
            .await?;
    ensure!(messages == ["Before the backup", "After the restoring"], "{messages:?}");

    std::fs::write(&file, "no backup")?;
    let refused = stack.operator(&["restore", "--replace", &file]).await?;
    ensure!(!refused.status.success());
    ensure!(ann.who().await?.is_some(), "what is no backup changes nothing");
    stack.stop().await?;
    Ok(())
}

async fn run(stack: &Stack, arguments: &[&str]) -> Result<String> {
    let output = stack.operator(arguments).await?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    ensure!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    Ok(said)
}

async fn enquire(stack: &Stack, message: &str) -> Result<()> {
    let enquiry = json!({
        "kind": "general", "name": "Ann", "email": "ann@example.com", "message": message,
        "privacyAccepted": true,
    });
    let client = reqwest::Client::new();
    let sent = client.post(stack.url("/api/enquiries")).json(&enquiry).send().await?;
    ensure!(sent.status() == 201, "{}", sent.text().await?);
    Ok(())
}

/// Whoever is signed in, as a browser is.
struct Visitor {
    base: String,
    cookies: String,
}

impl Visitor {
    async fn delete(&self, path: &str, body: &Value) -> Result<u16> {
        let request = reqwest::Client::new().delete(format!("{}{path}", self.base));
        let request = request.header("cookie", &self.cookies).header("origin", &self.base);
        Ok(request.json(body).send().await?.status().as_u16())
    }

    async fn who(&self) -> Result<Option<String>> {
        let request = reqwest::Client::new().get(format!("{}/api/me", self.base));
        let me: Value = request.header("cookie", &self.cookies).send().await?.json().await?;
        Ok(me["account"]["email"].as_str().map(str::to_owned))
    }
}

async fn sign_up(stack: &Stack, email: &str) -> Result<Visitor> {
    let client = reqwest::Client::new();
    let base = stack.url("").trim_end_matches('/').to_owned();
    let post = async |path: &str, cookies: &str, body: Value| -> Result<String> {
        let request = client.post(format!("{base}/api/account/sign-in{path}")).json(&body);
        let request = request.header("origin", &base).header("cookie", cookies);
        let answer = request.send().await?;
        ensure!(answer.status().is_success(), "{}", answer.status());
        let told = answer.headers().get_all("set-cookie").iter();
        let pairs = told.filter_map(|cookie| cookie.to_str().ok()?.split(';').next());
        Ok(pairs.collect::<Vec<_>>().join("; "))
    };
    let cookies = post("", "", json!({ "email": email })).await?;
    let mails = format!("http://127.0.0.1:{}/api/messages", stack.port_of("mail")?);
    for _ in 0..600 {
        let mails: Vec<Value> = client.get(&mails).send().await?.json().await?;
        let subjects = mails.iter().filter(|mail| mail["to"][0] == email);
        let mut subjects = subjects.filter_map(|mail| mail["subject"].as_str());
        if let Some(subject) = subjects.find(|subject| subject.starts_with("Your code")) {
            let code: String = subject.chars().filter(char::is_ascii_digit).collect();
            let cookies = post("/code", &cookies, json!({ "code": code })).await?;
            return Ok(Visitor { base, cookies });
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    anyhow::bail!("no mail to {email}")
}

/// Waits until the stream has all that happened.
async fn published(database: &mut PgConnection) -> Result<()> {
    for _ in 0..600 {
        let waiting: i64 = sqlx::query_scalar("select count(*) from visitor.event")
            .fetch_one(&mut *database)
            .await?;
        if waiting == 0 {
            return Ok(());
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    anyhow::bail!("events wait to be published")
}
