//! The description of the read API is true: Schemathesis asks the running API whatever it allows, and
//! whatever it does not, at the door and at the query node behind it. And the write API takes or refuses
//! whatever anybody sends: nothing of it is answered as the service's own failure.

use std::{
    path::PathBuf,
    process::Stdio,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};
use reqwest::header::HeaderMap;
use serde_json::{Value, json};
use tokio::process::Command;

use crate::stack::{self, Options, Stack};

/// How long one run may take: half a minute is usual, and of who is signed in passwords are hashed besides.
const LIMIT: Duration = Duration::from_mins(10);
/// How many examples of each operation are sent.
const FEW: u32 = 10;
const MANY: u32 = 30;

#[tokio::test(flavor = "multi_thread")]
async fn the_api_is_as_it_is_described_and_takes_or_refuses_whatever_is_sent() -> Result<()> {
    // A visitor would not ask so much.
    let options = Options::default().with("RATE_LIMIT", "0").with("ENQUIRY_BURST", "0");
    let stack = Stack::start_with_sample(options).await?;
    stack.verify().await?;
    // The door hands on what the node answers: what it adds itself is seen by a few questions.
    ask_everything(stack.port, FEW, &["--phases=examples,fuzzing"]).await?;
    ask_everything(stack.port_of("query")?, MANY, &[]).await?;
    whatever_is_sent_is_taken_or_refused(&stack).await?;
    stack.stop().await?;
    Ok(())
}

/// With and without somebody being signed in.
async fn whatever_is_sent_is_taken_or_refused(stack: &Stack) -> Result<()> {
    let command = format!("http://127.0.0.1:{}", stack.port_of("command")?);
    let mail = format!("http://127.0.0.1:{}", stack.port_of("mail")?);
    // Nearly all that a stranger sends ends at one refusal.
    let signed_in = sign_in(&command, &mail).await?;
    for (cookies, examples) in [(None, FEW), (Some(signed_in), MANY)] {
        let mut arguments = vec![
            "run".to_owned(),
            "services/command/openapi.json".to_owned(),
            format!("--url={command}"),
            format!("--max-examples={examples}"),
            "--checks=not_a_server_error,response_schema_conformance".to_owned(),
            // The first two of these end the session that the rest is asked with.
            "--exclude-operation-id=sign_out".to_owned(),
            "--exclude-operation-id=delete_account".to_owned(),
        ];
        arguments.extend(cookies.map(|cookies| format!("--header=Cookie: {cookies}")));
        schemathesis("withstand.toml", &arguments).await?;
    }
    Ok(())
}

/// Signs somebody in; the cookies of their browser.
async fn sign_in(command: &str, mail: &str) -> Result<String> {
    const ADDRESS: &str = "ann@example.com";
    let client = reqwest::Client::new();
    let asked = client
        .post(format!("{command}/api/account/sign-in"))
        .json(&json!({ "email": ADDRESS }))
        .send()
        .await?
        .error_for_status()?;
    let browser = cookies_of(asked.headers());
    let begun = Instant::now();
    let code = loop {
        let mails: Value = reqwest::get(format!("{mail}/api/messages")).await?.json().await?;
        let text = mails[0]["text"].as_str().unwrap_or_default();
        let digits = |line: &&str| line.replace(' ', "").parse::<u32>().is_ok();
        if let Some(code) = text.lines().map(str::trim).find(digits) {
            break code.to_owned();
        }
        ensure!(begun.elapsed() < stack::seen_limit(), "no mail to sign in");
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    let signed_in = client
        .post(format!("{command}/api/account/sign-in/code"))
        .header("cookie", browser)
        .json(&json!({ "code": code }))
        .send()
        .await?
        .error_for_status()?;
    Ok(cookies_of(signed_in.headers()))
}

fn cookies_of(headers: &HeaderMap) -> String {
    let cookies = headers.get_all("set-cookie").iter().filter_map(|cookie| cookie.to_str().ok());
    let cookies = cookies.filter_map(|cookie| cookie.split(';').next());
    cookies.filter(|cookie| !cookie.ends_with('=')).collect::<Vec<_>>().join("; ")
}

/// Runs Schemathesis against the API at `port`, with so many `examples` of each operation, and the
/// `options` of such a run.
async fn ask_everything(port: u16, examples: u32, options: &[&str]) -> Result<()> {
    let description = format!("http://127.0.0.1:{port}/api/openapi.json");
    let mut arguments = vec!["run".to_owned(), description, format!("--max-examples={examples}")];
    arguments.extend(options.iter().map(|&option| option.to_owned()));
    schemathesis("schemathesis.toml", &arguments).await
}

/// Runs it with `settings`, a file beside this one.
async fn schemathesis(settings: &str, arguments: &[String]) -> Result<()> {
    let settings =
        stack::root().join("services/almijara/tests/system/api-description").join(settings);
    let run = Command::new(program()?)
        .arg("--config-file")
        .arg(settings)
        .args(arguments)
        .current_dir(stack::root())
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output();
    let run = tokio::time::timeout(stack::patient(LIMIT), run);
    let run = run.await.context("Schemathesis does not end")??;
    let said = String::from_utf8_lossy(&run.stdout);
    println!("{said}{}", String::from_utf8_lossy(&run.stderr));
    ensure!(run.status.success(), "the API is not as it is described: {arguments:?}");
    Ok(())
}

/// The program, as `make` installs it.
fn program() -> Result<PathBuf> {
    let program = stack::root().join("target/schemathesis/bin/schemathesis");
    ensure!(
        program.exists(),
        "{} is not there; `make schemathesis` installs it",
        program.display()
    );
    Ok(program)
}
