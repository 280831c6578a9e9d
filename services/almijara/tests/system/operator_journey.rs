//! An operator's day in the console, in Chromium against everything: a parked item and why, mended and
//! read again; a rebuild while visitors read; a secret that is rotated; and who did what.
//!
//! Its screenshots are left in `target/tmp/operator-journey`.

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
    webhooks::{Road, Weather},
};

const PASSWORD: &str = "ganso-teja-limonero";
const NEW_PASSWORD: &str = "farol-nogal-acequia";
/// As the mended home's page has it.
const PRICE: &str = "7,654,321";

/// Somebody who signs in.
struct Operator {
    name: &'static str,
    password: &'static str,
    /// What their codes are made of.
    secret: String,
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operators_day() -> Result<()> {
    let road = Road::open().await?;
    let content = content::copy()?;
    let options = Options::default()
        .with("CONTENT_DIR", content.path().display().to_string())
        .with("WEBHOOK_URL", road.url())
        // Nothing but a hint, or an operator, has anything read.
        .with("RECONCILE_ACTIVITY_SECONDS", "86400")
        .with("RECONCILE_SWEEP_SECONDS", "86400")
        .with("RECONCILE_FULL_SECONDS", "86400")
        // So slow that it can be seen how far a rebuild is.
        .with("FAILPOINTS", "projections.commit=sleep(2500)");
    let stack = Stack::start_with_sample(options).await?;
    road.leads_to(stack.port_of("sync")?);
    stack.wait_at_rest().await?;
    // The table of addresses says how somebody gets into the console.
    stack.wait_until_said("almijara operator add NAME", 1).await?;
    let operator = add(&stack, "ann", &["--may-act"]).await?;
    let viewer = add(&stack, "bea", &[]).await?;

    let list = stack.api("/api/properties").await?;
    let home = &list["items"][0];
    let reference = home["ref"].as_str().context("a reference")?;
    let path = home["url"].as_str().context("a path")?;
    let kept = tempfile::tempdir()?;
    let day = Day::of(&stack, content.path(), kept.path())?;

    content::edit_property(content.path(), reference, &json!({ "price": -5 }))?;
    stack.wait_for_parked("1 items can't be recorded").await?;
    // It would be read again by itself before long: here that is left to the operator.
    let mut ledger = stack.ledger().await?;
    sqlx::query("update ledger.aggregate set recheck_at = now() + interval '1 hour'")
        .execute(&mut ledger)
        .await?;
    day.step(&stack, "parked", &operator).await?;

    road.set(Weather::Lost);
    content::edit_property(content.path(), reference, &json!({ "price": 7_654_321 }))?;
    day.step(&stack, "mended", &operator).await?;
    stack.wait_for_parked("0 items can't be recorded").await?;
    stack.wait_for_page(path, "the mended price", |_, html| html.contains(PRICE)).await?;

    day.step(&stack, "rebuild", &operator).await?;
    day.step(&stack, "trail", &operator).await?;
    day.step(&stack, "viewer", &viewer).await?;
    what_the_console_does_not_see_end_stays_begun(&stack, &day).await?;

    let reset = account(&stack, NEW_PASSWORD, &["reset", "ann"]).await?;
    let operator = Operator { name: "ann", password: NEW_PASSWORD, secret: reset };
    day.step(&stack, "rotated", &operator).await?;
    ensure_it_is_noted(&stack).await?;
    stack.verify().await?;
    stack.stop().await?;
    Ok(())
}

/// What the steps of the day have in common.
struct Day {
    environment: BTreeMap<&'static str, String>,
}

impl Day {
    fn of(stack: &Stack, content: &Path, kept: &Path) -> Result<Self> {
        let console = format!("http://localhost:{}", stack.port_of("console")?);
        let traces =
            stack.port_of("traces").map_or_else(|_| String::new(), |port| port.to_string());
        let environment = BTreeMap::from([
            ("CONSOLE_URL", console),
            ("CONTENT_DIR", content.display().to_string()),
            ("SCREENSHOTS", journeys::screenshots("operator-journey")?),
            ("OPERATOR_BROWSER", kept.join("browser.json").display().to_string()),
            ("OPERATOR_TRACES", traces),
        ]);
        Ok(Self { environment })
    }

    /// One step of it, in Chromium.
    async fn step(&self, stack: &Stack, step: &str, operator: &Operator) -> Result<()> {
        let mut environment = self.environment.clone();
        environment.extend([
            ("OPERATOR_STEP", step.to_owned()),
            ("OPERATOR_NAME", operator.name.to_owned()),
            ("OPERATOR_PASSWORD", operator.password.to_owned()),
            ("OPERATOR_SECRET", operator.secret.clone()),
        ]);
        journeys::make(stack, journeys::CHROMIUM, "operator", &environment).await
    }
}

/// Makes an account, as an administrator of the machine does.
async fn add(stack: &Stack, name: &'static str, more: &[&str]) -> Result<Operator> {
    let secret = account(stack, PASSWORD, &[&["add", name], more].concat()).await?;
    Ok(Operator { name, password: PASSWORD, secret })
}

/// Runs `almijara operator` with a password; gives the secret that it shows.
async fn account(stack: &Stack, password: &str, arguments: &[&str]) -> Result<String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_almijara"))
        .arg("operator")
        .args(arguments)
        .envs(stack.operators_environment()?)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()?;
    let mut stdin = command.stdin.take().context("it reads a password")?;
    stdin.write_all(format!("{password}\n").as_bytes()).await?;
    drop(stdin);
    let output = command.wait_with_output().await?;
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    ensure!(output.status.success() && told.contains("otpauth://"), "{arguments:?}: {told}");
    ensure!(!told.contains(password), "the password is shown");
    let secret = told.lines().find_map(|line| line.trim().strip_prefix("secret: "));
    Ok(secret.context("a secret")?.to_owned())
}

/// The console is killed while a role has yet to answer: the trail says that it was begun, and no more.
async fn what_the_console_does_not_see_end_stays_begun(stack: &Stack, day: &Day) -> Result<()> {
    // Of what is not paused: it changes nothing, should it be done after all.
    const DEED: &str = "projections/resume";
    let browser: Value = serde_json::from_slice(&fs::read(&day.environment["OPERATOR_BROWSER"])?)?;
    let cookies = browser["cookies"].as_array().context("who signed in has a cookie")?;
    let cookies: Vec<_> = cookies
        .iter()
        .filter_map(|kept| Some(format!("{}={}", kept["name"].as_str()?, kept["value"].as_str()?)))
        .collect();
    stack.signal("almijara projections", Signal::STOP)?;
    let asked = stack
        .client
        .post(format!("{}/api/{DEED}", day.environment["CONSOLE_URL"]))
        .header("cookie", cookies.join("; "))
        .header("sec-fetch-site", "same-origin")
        .send();
    let asked = tokio::spawn(asked);
    stack.wait_until_said(DEED, 1).await?;
    stack.kill("almijara console")?;
    ensure!(asked.await?.is_err(), "it was answered before the console was killed");
    stack.signal("almijara projections", Signal::CONT)?;
    stack.wait_for_readiness("console", 200).await?;
    let lines = trail(&mut console_database(stack).await?).await?;
    let of_it: Vec<_> = lines.iter().filter(|line| line.1 == DEED).collect();
    ensure!(of_it.len() == 1 && of_it[0].2 == "begun", "{of_it:?}");
    Ok(())
}

async fn console_database(stack: &Stack) -> Result<PgConnection> {
    let environment = stack.operators_environment()?;
    let address = environment.get("CONSOLE_DATABASE_URL").context("the console's database")?;
    Ok(PgConnection::connect(address).await?)
}

/// Who, what, what became of it, and which line said that it was begun.
type Line = (String, String, String, Option<i64>);

/// The lines of the audit trail.
async fn trail(database: &mut PgConnection) -> Result<Vec<Line>> {
    let lines = "select operator, action, outcome, begun from operator.audit order by id";
    Ok(sqlx::query_as(lines).fetch_all(database).await?)
}

/// Each thing that was done has a line before and one after, with who and to what.
async fn ensure_it_is_noted(stack: &Stack) -> Result<()> {
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
    // The log has what the trail has, but for the three lines of the command.
    stack.wait_until_said("audited", lines.len() - 3).await
}
