//! An operator's day in the console, in Chromium against a complete stack: a parked item with its
//! reason, which is corrected and read again; a rebuild while visitors read; a rotated secret; and the
//! audit trail.
//!
//! Screenshots are saved in `target/tmp/operator-journey`.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    process::Stdio,
};

use anyhow::{Context, Result, bail, ensure};
use rustix::process::Signal;
use serde_json::{Value, json};
use sqlx::{Connection, PgConnection};
use tokio::{io::AsyncWriteExt, process::Command};

use crate::stack::{
    Options, Stack, content, journeys,
    webhooks::{Delivery, WebhookProxy},
};

const PASSWORD: &str = "ganso-teja-limonero";
const NEW_PASSWORD: &str = "farol-nogal-acequia";
/// The price on the corrected home's page.
const PRICE: &str = "7,654,321";

/// An operator's account.
struct Operator {
    name: &'static str,
    password: &'static str,
    /// The secret of the one-time codes.
    secret: String,
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operators_day() -> Result<()> {
    let proxy = WebhookProxy::open().await?;
    let content = content::copy()?;
    let options = Options::default()
        .with("CONTENT_DIR", content.path().display().to_string())
        .with("WEBHOOK_URL", proxy.url())
        // Content is read only after a hint, or on an operator's request.
        .with("RECONCILE_ACTIVITY_SECONDS", "86400")
        .with("RECONCILE_SWEEP_SECONDS", "86400")
        .with("RECONCILE_FULL_SECONDS", "86400")
        // Slow enough to see the progress of a rebuild.
        .with("FAILPOINTS", "projections.commit=sleep(2500)");
    let stack = Stack::start_with_sample(options).await?;
    proxy.forward_to(stack.port_of("sync")?);
    stack.wait_until_idle().await?;
    // The table of addresses says how to create an operator.
    stack.wait_for_lines("almijara operator add NAME", 1).await?;
    let operator = add(&stack, "ann", &["--may-act"]).await?;
    let viewer = add(&stack, "bea", &[]).await?;

    let list = stack.api("/api/properties").await?;
    let home = &list["items"][0];
    let reference = home["ref"].as_str().context("a reference")?;
    let path = home["url"].as_str().context("a path")?;
    let browser_state = tempfile::tempdir()?;
    let day = Day::of(&stack, content.path(), browser_state.path())?;

    content::edit_property(content.path(), reference, &json!({ "price": -5 }))?;
    stack.wait_for_parked("1 items can't be recorded").await?;
    // It would soon be read again automatically; here the operator has to do that.
    let mut ledger = stack.ledger().await?;
    sqlx::query("update ledger.aggregate set recheck_at = now() + interval '1 hour'")
        .execute(&mut ledger)
        .await?;
    day.step(&stack, "parked", &operator).await?;

    proxy.set_delivery(Delivery::Lost);
    content::edit_property(content.path(), reference, &json!({ "price": 7_654_321 }))?;
    day.step(&stack, "mended", &operator).await?;
    stack.wait_for_parked("0 items can't be recorded").await?;
    stack.wait_for_page(path, "the mended price", |_, html| html.contains(PRICE)).await?;

    day.step(&stack, "rebuild", &operator).await?;
    day.step(&stack, "trail", &operator).await?;
    day.step(&stack, "viewer", &viewer).await?;
    an_action_whose_end_the_console_misses_stays_begun(&stack, &day).await?;

    let reset = account(&stack, NEW_PASSWORD, &["reset", "ann"]).await?;
    let operator = Operator { name: "ann", password: NEW_PASSWORD, secret: reset };
    day.step(&stack, "rotated", &operator).await?;
    ensure_the_trail_is_complete(&stack).await?;
    stack.verify().await?;
    stack.stop().await?;
    Ok(())
}

/// The common environment of the day's steps.
struct Day {
    environment: BTreeMap<&'static str, String>,
}

impl Day {
    fn of(stack: &Stack, content: &Path, browser_state: &Path) -> Result<Self> {
        let console = format!("http://localhost:{}", stack.port_of("console")?);
        let traces =
            stack.port_of("traces").map_or_else(|_| String::new(), |port| port.to_string());
        let environment = BTreeMap::from([
            ("CONSOLE_URL", console),
            ("CONTENT_DIR", content.display().to_string()),
            ("SCREENSHOTS", journeys::screenshots("operator-journey")?),
            ("OPERATOR_BROWSER", browser_state.join("browser.json").display().to_string()),
            ("OPERATOR_TRACES", traces),
        ]);
        Ok(Self { environment })
    }

    /// Runs one step in Chromium.
    async fn step(&self, stack: &Stack, step: &str, operator: &Operator) -> Result<()> {
        let mut environment = self.environment.clone();
        environment.extend([
            ("OPERATOR_STEP", step.to_owned()),
            ("OPERATOR_NAME", operator.name.to_owned()),
            ("OPERATOR_PASSWORD", operator.password.to_owned()),
            ("OPERATOR_SECRET", operator.secret.clone()),
        ]);
        journeys::run(stack, journeys::CHROMIUM, "operator", &environment).await
    }
}

/// Creates an account with the command line.
async fn add(stack: &Stack, name: &'static str, more: &[&str]) -> Result<Operator> {
    let secret = account(stack, PASSWORD, &[&["add", name], more].concat()).await?;
    Ok(Operator { name, password: PASSWORD, secret })
}

/// Runs `almijara operator` with a password, and returns the secret that it prints.
async fn account(stack: &Stack, password: &str, arguments: &[&str]) -> Result<String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_almijara"))
        .arg("operator")
        .args(arguments)
        .envs(stack.operator_environment()?)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()?;
    let mut stdin = command.stdin.take().context("it reads a password")?;
    stdin.write_all(format!("{password}\n").as_bytes()).await?;
    drop(stdin);
    let output = command.wait_with_output().await?;
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    ensure!(output.status.success() && printed.contains("otpauth://"), "{arguments:?}: {printed}");
    ensure!(!printed.contains(password), "the password is shown");
    let secret = printed.lines().find_map(|line| line.trim().strip_prefix("secret: "));
    Ok(secret.context("a secret")?.to_owned())
}

/// The console is killed before a role has answered: the audit trail only says that the action was begun.
async fn an_action_whose_end_the_console_misses_stays_begun(
    stack: &Stack,
    day: &Day,
) -> Result<()> {
    // The projections are not paused, so this changes nothing if it is done after all.
    const ACTION: &str = "projections/resume";
    let browser: Value = serde_json::from_slice(&fs::read(&day.environment["OPERATOR_BROWSER"])?)?;
    let cookies = browser["cookies"].as_array().context("who signed in has a cookie")?;
    let cookies: Vec<_> = cookies
        .iter()
        .filter_map(|it| Some(format!("{}={}", it["name"].as_str()?, it["value"].as_str()?)))
        .collect();
    stack.signal("almijara projections", Signal::STOP)?;
    let request = stack
        .client
        .post(format!("{}/api/{ACTION}", day.environment["CONSOLE_URL"]))
        .header("cookie", cookies.join("; "))
        .header("sec-fetch-site", "same-origin")
        .send();
    let request = tokio::spawn(request);
    stack.wait_for_lines(ACTION, 1).await?;
    stack.kill("almijara console")?;
    ensure!(request.await?.is_err(), "it was answered before the console was killed");
    stack.signal("almijara projections", Signal::CONT)?;
    stack.wait_for_readiness("console", 200).await?;
    let lines = trail(&mut console_database(stack).await?).await?;
    let of_it: Vec<_> = lines.iter().filter(|line| line.1 == ACTION).collect();
    ensure!(of_it.len() == 1 && of_it[0].2 == "begun", "{of_it:?}");
    Ok(())
}

async fn console_database(stack: &Stack) -> Result<PgConnection> {
    let environment = stack.operator_environment()?;
    let address = environment.get("CONSOLE_DATABASE_URL").context("the console's database")?;
    Ok(PgConnection::connect(address).await?)
}

/// Operator, action, outcome, and the line that says that it was begun.
type Line = (String, String, String, Option<i64>);

/// Returns the lines of the audit trail.
async fn trail(database: &mut PgConnection) -> Result<Vec<Line>> {
    let lines = "select operator, action, outcome, begun from operator.audit order by id";
    Ok(sqlx::query_as(lines).fetch_all(database).await?)
}

/// Checks that each action has a line before and one after it.
async fn ensure_the_trail_is_complete(stack: &Stack) -> Result<()> {
    let mut database = console_database(stack).await?;
    let lines = trail(&mut database).await?;
    for action in ["sync/parked/retry", "projections/rebuild"] {
        let of_it: Vec<_> = lines.iter().filter(|line| line.1 == action).collect();
        let [begun, done] = of_it[..] else { bail!("{action}: {lines:?}") };
        ensure!(begun.0 == "ann" && begun.2 == "begun", "{begun:?}");
        ensure!(done.2.starts_with("done") && done.3.is_some(), "{done:?}");
    }
    let actions: BTreeSet<&str> = lines.iter().map(|line| &*line.1).collect();
    for action in ["operator add --may-act", "operator add", "sign-in", "operator reset"] {
        ensure!(actions.contains(action), "{action}: {actions:?}");
    }
    let changed = sqlx::query("update operator.audit set operator = 'nobody'");
    ensure!(changed.execute(&mut database).await.is_err(), "the trail can be changed");
    // The log has all lines of the trail, except for the three of the command line.
    stack.wait_for_lines("audited", lines.len() - 3).await
}
