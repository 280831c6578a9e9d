//! Checks that the read API matches its description: Schemathesis sends requests that the description
//! allows, and others that it does not, to the door and to the query node behind it. Also checks that
//! the write API accepts or refuses everything that is sent to it, and never answers with a server
//! error.

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

/// How long one run may take. Usual is half a minute; signed in, passwords are hashed as well.
const LIMIT: Duration = Duration::from_mins(10);
/// How many examples of each operation are sent.
const FEW_EXAMPLES: u32 = 10;
const MANY_EXAMPLES: u32 = 30;

#[tokio::test(flavor = "multi_thread")]
async fn the_read_api_matches_its_description_and_the_write_api_never_fails() -> Result<()> {
    // The limits are for visitors, who send fewer requests.
    let options = Options::default().with("RATE_LIMIT", "0").with("ENQUIRY_BURST", "0");
    let stack = Stack::start_with_sample(options).await?;
    stack.verify().await?;
    // The door forwards the node's answers, so a few examples suffice for what it adds itself.
    test_read_api(stack.port, FEW_EXAMPLES, &["--phases=examples,fuzzing"]).await?;
    test_read_api(stack.port_of("query")?, MANY_EXAMPLES, &[]).await?;
    the_write_api_never_fails(&stack).await?;
    stack.stop().await?;
    Ok(())
}

/// Tests the write API with and without a signed-in visitor.
async fn the_write_api_never_fails(stack: &Stack) -> Result<()> {
    let command = format!("http://127.0.0.1:{}", stack.port_of("command")?);
    let mail = format!("http://127.0.0.1:{}", stack.port_of("mail")?);
    // Without an account, nearly everything is refused in the same way, so few examples suffice.
    let signed_in = sign_in(&command, &mail).await?;
    for (cookies, examples) in [(None, FEW_EXAMPLES), (Some(signed_in), MANY_EXAMPLES)] {
        let mut arguments = vec![
            "run".to_owned(),
            "services/command/openapi.json".to_owned(),
            format!("--url={command}"),
            format!("--max-examples={examples}"),
            "--checks=not_a_server_error,response_schema_conformance".to_owned(),
            // These two would end the session of the other requests.
            "--exclude-operation-id=sign_out".to_owned(),
            "--exclude-operation-id=delete_account".to_owned(),
        ];
        arguments.extend(cookies.map(|cookies| format!("--header=Cookie: {cookies}")));
        schemathesis("withstand.toml", &arguments).await?;
    }
    Ok(())
}

/// Signs a visitor in, and returns the cookies.
async fn sign_in(command: &str, mail: &str) -> Result<String> {
    const ADDRESS: &str = "ann@example.com";
    let client = reqwest::Client::new();
    let response = client
        .post(format!("{command}/api/account/sign-in"))
        .json(&json!({ "email": ADDRESS }))
        .send()
        .await?
        .error_for_status()?;
    let browser = cookies_of(response.headers());
    let started = Instant::now();
    let code = loop {
        let mails: Value = reqwest::get(format!("{mail}/api/messages")).await?.json().await?;
        let text = mails[0]["text"].as_str().unwrap_or_default();
        let digits = |line: &&str| line.replace(' ', "").parse::<u32>().is_ok();
        if let Some(code) = text.lines().map(str::trim).find(digits) {
            break code.to_owned();
        }
        ensure!(started.elapsed() < stack::seen_limit(), "no mail to sign in");
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

/// Runs Schemathesis against the API at `port`, with `examples` examples of each operation and more
/// `options`.
async fn test_read_api(port: u16, examples: u32, options: &[&str]) -> Result<()> {
    let mut arguments = vec![
        "run".to_owned(),
        "services/query/openapi.json".to_owned(),
        format!("--url=http://127.0.0.1:{port}"),
        format!("--max-examples={examples}"),
    ];
    arguments.extend(options.iter().map(|&option| option.to_owned()));
    schemathesis("schemathesis.toml", &arguments).await
}

/// Runs Schemathesis with `settings`, a file in the folder `api-description`.
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
    let run = tokio::time::timeout(stack::scaled(LIMIT), run);
    let run = run.await.context("Schemathesis does not end")??;
    let output = String::from_utf8_lossy(&run.stdout);
    println!("{output}{}", String::from_utf8_lossy(&run.stderr));
    ensure!(run.status.success(), "the API does not match its description: {arguments:?}");
    Ok(())
}

/// Returns the program that `make` installs.
fn program() -> Result<PathBuf> {
    let program = stack::root().join("target/schemathesis/bin/schemathesis");
    ensure!(
        program.exists(),
        "{} is not there; `make schemathesis` installs it",
        program.display()
    );
    Ok(program)
}
