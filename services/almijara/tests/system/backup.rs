//! Backup and restore of what exists nowhere else. Data that was erased after a backup must not come back.

use std::{
    process::Output,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};
use local_servers::Programs;
use reqwest::Method;
use rustix::process::Signal;
use serde_json::{Value, json};
use sqlx::{Connection, PgConnection, PgPool};
use tempfile::tempdir;
use tokio::process::Command;

use crate::{
    stack::{Options, Stack, content, seen_limit},
    visitor::sign_up,
};

#[tokio::test(flavor = "multi_thread")]
async fn a_restored_backup_has_what_was_sent_but_no_erased_account() -> Result<()> {
    let stack = Stack::start_with_sample(Options::default().with("ENQUIRY_BURST", "0")).await?;
    let url = stack.operator_environment()?.remove("COMMAND_DATABASE_URL");
    let url = url.context("the write side's database")?;
    let mut database = PgConnection::connect(&url).await?;
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
    let output = run(&stack, &["backup", &file]).await?;
    ensure!(output.contains("1 enquiries, 2 accounts and 0 readers of alerts"), "{output}");

    enquire(&stack, "After the backup").await?;
    let erased = bob.delete("/api/account", &json!({ "email": "bob@example.com" })).await?;
    ensure!(erased == 204, "{erased}");
    wait_until_published(&mut database).await?;
    let refused = stack.operator(&["restore", &file]).await?;
    ensure!(!refused.status.success(), "newer data must not be lost without --replace");
    let error = String::from_utf8_lossy(&refused.stderr).into_owned();
    ensure!(error.contains("2 enquiries, 1 accounts") && error.contains("--replace"), "{error}");

    let output = run(&stack, &["restore", "--replace", "--only", "visitors", &file]).await?;
    ensure!(output.contains("1 enquiries, 1 accounts"), "{output}");
    ensure!(output.contains("1 accounts erased"), "{output}");
    ensure!(!output.contains("operators") && !output.contains("versions"), "{output}");
    ensure!(ann.signed_in_email().await?.as_deref() == Some("ann@example.com"));
    ensure!(bob.signed_in_email().await?.is_none());
    let blocked: i64 = sqlx::query_scalar("select count(*) from visitor.blocked_consent")
        .fetch_one(&mut database)
        .await?;
    ensure!(blocked == 1, "{blocked} proofs of what was agreed to are kept");
    // The role keeps running, unaffected.
    enquire(&stack, "After the restoring").await?;
    let messages: Vec<String> =
        sqlx::query_scalar("select message from visitor.enquiry order by received_at")
            .fetch_all(&mut database)
            .await?;
    ensure!(messages == ["Before the backup", "After the restoring"], "{messages:?}");

    // The format of the first versions, which backed up neither operators nor ledger.
    let older = folder.path().join("older.backup").display().to_string();
    let dumped = Command::new(Programs::postgres_client("pg_dump")?)
        .args(["--format=custom", "--schema=visitor", "--no-owner", "--no-privileges"])
        .args(["--file", &older, "--dbname", &url])
        .status();
    ensure!(dumped.await?.success(), "pg_dump");
    enquire(&stack, "After the older backup").await?;
    // Its time has no time zone, so it may be older than the stream: hence --allow-old.
    let output = run(&stack, &["restore", "--replace", "--allow-old", &older]).await?;
    ensure!(output.contains("2 enquiries, 1 accounts"), "{output}");

    a_backup_older_than_the_stream_needs_a_flag(&stack, &mut database, &file).await?;
    std::fs::write(&file, "no backup")?;
    let refused = stack.operator(&["restore", "--replace", &file]).await?;
    ensure!(!refused.status.success());
    ensure!(ann.signed_in_email().await?.is_some(), "an invalid file must change nothing");
    stack.stop().await?;
    Ok(())
}

async fn a_backup_older_than_the_stream_needs_a_flag(
    stack: &Stack,
    database: &mut PgConnection,
    file: &str,
) -> Result<()> {
    let streams = stack.data.path().join("nats/jetstream");
    stack.while_stopped("nats-server", || Ok(std::fs::remove_dir_all(streams)?)).await?;
    // Publishing this creates the stream again.
    enquire(stack, "After the stream was lost").await?;
    wait_until_published(database).await?;
    let restore = ["restore", "--replace", "--only", "visitors"];
    let refused = stack.operator(&[&restore[..], &[file]].concat()).await?;
    let error = String::from_utf8_lossy(&refused.stderr).into_owned();
    ensure!(!refused.status.success(), "accounts that were erased must not come back");
    ensure!(error.contains("stream VISITOR") && error.contains("--allow-old"), "{error}");
    run(stack, &[&restore[..], &["--allow-old", file]].concat()).await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_moves_operators_and_prices_to_another_machine() -> Result<()> {
    let content = content::copy()?;
    let options = || Options::default().with("CONTENT_DIR", content.path().display().to_string());
    let stack = Stack::start_with_sample(options()).await?;
    stack.wait_until_idle().await?;
    let list =
        stack.api("/api/properties?location=nerja&status=for_sale&propertyType=House").await?;
    let reference = list["items"][0]["ref"].as_str().context("a home in Nerja")?;
    let folder = tempdir()?;
    let earlier = folder.path().join("prices.json");
    let prices = json!([{ "ref": reference, "from": "2020-01-02", "price": 9_876_000 }]);
    std::fs::write(&earlier, prices.to_string())?;
    run(&stack, &["import", "prices", &earlier.display().to_string()]).await?;
    content::edit_property(content.path(), reference, &json!({ "price": 7_654_321 }))?;
    let known = |prices: &[i64]| prices.contains(&9_876_000) && prices.contains(&7_654_321);
    let history = wait_for_prices(&stack, reference, known).await?;

    let operators = operators_of(&stack).await?;
    for name in ["ann", "bob"] {
        console::operators::add(&operators, name, "ganso-teja-limonero".to_owned(), true).await?;
    }
    let file = folder.path().join("almijara.backup").display().to_string();
    let output = run(&stack, &["backup", &file]).await?;
    ensure!(output.contains("2 operators and 2 lines of their audit trail"), "{output}");

    console::operators::remove(&operators, "bob").await?;
    console::operators::add(&operators, "carl", "ganso-teja-limonero".to_owned(), true).await?;
    console::operators::reset(&operators, "ann", "limonero-ganso-teja".to_owned()).await?;
    sqlx::query("update operator.account set may_act = false where name = 'ann'")
        .execute(&operators)
        .await?;
    let ann = async || -> Result<Value> {
        let statement = "select to_jsonb(account) from operator.account where name = 'ann'";
        Ok(sqlx::query_scalar(statement).fetch_one(&operators).await?)
    };
    let newer = ann().await?;
    let refused = stack.operator(&["restore", &file]).await?;
    let error = String::from_utf8_lossy(&refused.stderr).into_owned();
    ensure!(!refused.status.success(), "what came since must not be lost unasked");
    ensure!(error.contains("2 operators and 5 lines") && error.contains("versions"), "{error}");
    run(&stack, &["restore", "--replace", "--only", "operators", &file]).await?;
    let who = who_may_sign_in(&operators).await?;
    ensure!(who == [("ann".to_owned(), true), ("bob".to_owned(), false)], "{who:?}");
    let restored = ann().await?;
    ensure!(restored == newer, "what was reset and taken away since: {newer}, {restored}");
    let may_change: bool = sqlx::query_scalar(
        "select has_table_privilege('operator.audit', 'update, delete, truncate')",
    )
    .fetch_one(&operators)
    .await?;
    ensure!(!may_change, "nobody may change a line of the trail");
    a_restored_ledger_of_an_older_version_is_not_compared(&stack).await?;
    stack.stop().await?;

    let stack = Stack::start(options()).await?;
    stack.wait_until_idle().await?;
    let fresh = wait_for_prices(&stack, reference, |_| true).await?;
    ensure!(!fresh.contains(&9_876_000), "{fresh:?}: only the backup has that price");
    // Editors keep working before the restore: the current price is a different one.
    content::edit_property(content.path(), reference, &json!({ "price": 7_800_321 }))?;
    wait_for_prices(&stack, reference, |prices| prices.contains(&7_800_321)).await?;
    // The new stream can't know that no account was erased meanwhile, hence --allow-old.
    run(&stack, &["restore", "--replace", "--allow-old", &file]).await?;
    run(&stack, &["reconcile"]).await?;
    let now = |prices: &[i64]| known(prices) && prices.last() == Some(&7_800_321);
    let restored = wait_for_prices(&stack, reference, now).await?;
    ensure!(restored == [&history[..], &[7_800_321]].concat(), "{history:?}: {restored:?}");
    let who = who_may_sign_in(&operators_of(&stack).await?).await?;
    ensure!(who == [("ann".to_owned(), true), ("bob".to_owned(), true)], "{who:?}");
    stack.wait_until_idle().await?;
    stack.verify().await?;
    stack.stop().await?;
    Ok(())
}

async fn a_restored_ledger_of_an_older_version_is_not_compared(stack: &Stack) -> Result<()> {
    let url = stack.operator_environment()?.remove("SYNC_DATABASE_URL");
    let url = url.context("the ledger's database")?;
    // Stopped, so that it compares nothing meanwhile.
    stack.signal("almijara sync", Signal::STOP)?;
    let mut ledger = PgConnection::connect(&url).await?;
    // The schema of versions that did not record what was compared.
    sqlx::query("drop table ledger.compared").execute(&mut ledger).await?;
    sqlx::query("delete from ledger.migration where version = 14").execute(&mut ledger).await?;
    let folder = tempdir()?;
    let file = folder.path().join("almijara.backup").display().to_string();
    run(stack, &["backup", &file]).await?;
    run(stack, &["restore", "--replace", "--only", "ledger", &file]).await?;
    // Restoring ends the connections of the ledger's owner.
    let mut ledger = PgConnection::connect(&url).await?;
    let compared: i64 =
        sqlx::query_scalar("select count(*) from ledger.compared").fetch_one(&mut ledger).await?;
    ensure!(compared == 0, "{compared} collections count as read again");
    stack.signal("almijara sync", Signal::CONT)
}

/// Waits until the prices that the home was offered at satisfy `wanted`, and returns them.
async fn wait_for_prices(
    stack: &Stack,
    reference: &str,
    wanted: impl Fn(&[i64]) -> bool,
) -> Result<Vec<i64>> {
    let started = Instant::now();
    loop {
        let home = stack.api(&format!("/api/properties/{reference}")).await?;
        let history = home["history"].as_array().context("a history")?;
        let prices: Vec<i64> = history.iter().filter_map(|offer| offer["price"].as_i64()).collect();
        if wanted(&prices) {
            return Ok(prices);
        }
        ensure!(started.elapsed() < seen_limit(), "it was offered at {prices:?}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

async fn operators_of(stack: &Stack) -> Result<PgPool> {
    let url = stack.operator_environment()?.remove("CONSOLE_DATABASE_URL");
    Ok(PgPool::connect(&url.context("the console's database")?).await?)
}

/// Returns the operators, and whether each may sign in.
async fn who_may_sign_in(operators: &PgPool) -> Result<Vec<(String, bool)>> {
    let listed = console::operators::list(operators).await?;
    Ok(listed.into_iter().map(|operator| (operator.name, !operator.disabled)).collect())
}

#[tokio::test(flavor = "multi_thread")]
async fn what_visitors_ended_after_a_backup_stays_ended() -> Result<()> {
    let stack = Stack::start_with_sample(Options::default().with("ENQUIRY_BURST", "0")).await?;
    let url = stack.operator_environment()?.remove("COMMAND_DATABASE_URL");
    let mut database = PgConnection::connect(&url.context("the write side's database")?).await?;
    let ann = sign_up(&stack, "ann@example.com").await?;
    let search = |name: &str| {
        json!({ "address": format!("location={name}"), "name": name, "locale": "en",
                "frequency": "daily" })
    };
    let save = async |name: &str| -> Result<String> {
        let saved = ann.call(Method::POST, "/api/account/searches", &search(name)).await?;
        Ok(format!("/api/account/searches/{}", saved["id"].as_str().context("an id")?))
    };
    let (nerja, torrox) = (save("nerja").await?, save("torrox").await?);
    ann.call(Method::PATCH, &torrox, &json!({ "frequency": "weekly" })).await?;
    let mut alert = search("frigiliana");
    alert["email"] = "carl@example.com".into();
    ann.call(Method::POST, "/api/alerts", &alert).await?;
    let token: String = sqlx::query_scalar(
        "with agreed as (update visitor.saved_search set confirmed_at = now()
                         where name = 'frigiliana')
         select tokens[1] from visitor.subscriber where email = 'carl@example.com'",
    )
    .fetch_one(&mut database)
    .await?;
    let client = reqwest::Client::new();
    let enquiry = json!({
        "kind": "general", "name": "Ann", "email": "Ann@example.com", "privacyAccepted": true,
        "message": "With news and offers", "marketingConsent": true,
    });
    let sent = client.post(stack.url("/api/enquiries")).json(&enquiry).send().await?;
    ensure!(sent.status() == 201, "{}", sent.text().await?);
    wait_until_published(&mut database).await?;

    let folder = tempdir()?;
    let file = folder.path().join("almijara.backup").display().to_string();
    // In a time zone where it is tomorrow already.
    let output = Command::new(env!("CARGO_BIN_EXE_almijara"))
        .args(["backup", &file])
        .envs(stack.operator_environment()?)
        .env("TZ", "LINT-14")
        .output();
    let output = successful_output(&output.await?)?;
    ensure!(output.contains("2 readers of alerts"), "{output}");
    ensure!(ann.delete(&nerja, &json!({})).await? == 204);
    let path = format!("/api/alerts/unsubscribe/{token}");
    let ended = client.post(stack.url(&path)).send().await?;
    ensure!(ended.status() == 200, "{}", ended.status());
    let withdrawn = json!({ "marketingConsent": false });
    let account = ann.call(Method::PATCH, "/api/account", &withdrawn).await?;
    ensure!(
        account["marketingConsent"] == false,
        "the consent given with an enquiry is withdrawn too"
    );
    wait_until_published(&mut database).await?;

    let output = run(&stack, &["restore", "--replace", &file]).await?;
    ensure!(output.contains("1 consents were withdrawn"), "{output}");
    ensure!(output.contains("1 searches deleted, 1 ended"), "{output}");
    let left = searches(&mut database).await?;
    ensure!(left == ["frigiliana never", "torrox weekly"], "{left:?}");
    let open = open_consents(&mut database).await?;
    ensure!(open == 0, "{open} consents came back");

    // The format of versions that did not store the start time: only the dump has a time, in local time.
    let older = Command::new("tar").args(["--delete", "--file", &file, "begun"]).status();
    ensure!(older.await?.success(), "tar");
    run(&stack, &["restore", "--replace", "--only", "visitors", &file]).await?;
    let left = searches(&mut database).await?;
    ensure!(left.len() == 2 && left[0] == "frigiliana never", "{left:?}");
    let open = open_consents(&mut database).await?;
    ensure!(open == 0, "{open} consents came back");
    endings_that_are_not_published_yet_are_repeated(&stack, &mut database).await?;
    stack.stop().await?;
    Ok(())
}

async fn endings_that_are_not_published_yet_are_repeated(
    stack: &Stack,
    database: &mut PgConnection,
) -> Result<()> {
    let alert = json!({ "address": "location=nerja", "name": "malaga", "locale": "en",
                        "frequency": "daily", "email": "dora@example.com" });
    let sent = reqwest::Client::new().post(stack.url("/api/alerts")).json(&alert).send().await?;
    ensure!(sent.status().is_success(), "{}", sent.status());
    wait_until_published(database).await?;
    let folder = tempdir()?;
    let file = folder.path().join("almijara.backup").display().to_string();
    run(stack, &["backup", &file]).await?;

    // Stopped, so that it publishes nothing meanwhile.
    stack.signal("almijara command", Signal::STOP)?;
    sqlx::query(
        "with ended as (delete from visitor.saved_search where name = 'malaga' returning id)
         insert into visitor.event (id, kind, subject)
         select gen_random_uuid(), 'search.deleted', id from ended",
    )
    .execute(&mut *database)
    .await?;
    let output = run(stack, &["restore", "--replace", "--only", "visitors", &file]).await?;
    ensure!(output.contains("1 searches deleted"), "{output}");
    let left = searches(database).await?;
    ensure!(!left.iter().any(|search| search.starts_with("malaga")), "{left:?}");
    let waiting = "select count(*) from visitor.event
                   where kind = 'search.deleted' and published_at is null";
    let waiting: i64 = sqlx::query_scalar(waiting).fetch_one(&mut *database).await?;
    ensure!(waiting == 1, "{waiting} events wait to be published");
    stack.signal("almijara command", Signal::CONT)?;
    wait_until_published(database).await
}

/// Returns the saved searches with their frequencies.
async fn searches(database: &mut PgConnection) -> Result<Vec<String>> {
    let statement = "select name || ' ' || frequency from visitor.saved_search order by name";
    Ok(sqlx::query_scalar(statement).fetch_all(database).await?)
}

async fn open_consents(database: &mut PgConnection) -> Result<i64> {
    let statement = "select count(*) from visitor.consent where withdrawn_at is null";
    Ok(sqlx::query_scalar(statement).fetch_one(database).await?)
}

async fn run(stack: &Stack, arguments: &[&str]) -> Result<String> {
    successful_output(&stack.operator(arguments).await?)
}

/// Returns the output of a command, which must have succeeded.
fn successful_output(output: &Output) -> Result<String> {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    ensure!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    Ok(text)
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

/// Waits until all visitors' events are published.
async fn wait_until_published(database: &mut PgConnection) -> Result<()> {
    let started = Instant::now();
    loop {
        let waiting = "select count(*) from visitor.event where published_at is null";
        let waiting: i64 = sqlx::query_scalar(waiting).fetch_one(&mut *database).await?;
        if waiting == 0 {
            return Ok(());
        }
        ensure!(started.elapsed() < seen_limit(), "{waiting} events wait to be published");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}
