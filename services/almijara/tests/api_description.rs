//! The description of the read API is true: Schemathesis asks the running API whatever it allows, and
//! whatever it does not, at the door and at the query node behind it.

mod stack;

use std::{path::PathBuf, process::Stdio, time::Duration};

use anyhow::{Context, Result, ensure};
use stack::{Options, Stack};
use tokio::process::Command;

/// How long one run may take; half a minute is usual.
const LIMIT: Duration = Duration::from_mins(5);

#[tokio::test(flavor = "multi_thread")]
async fn the_api_is_as_it_is_described() -> Result<()> {
    // A visitor would not ask so much.
    let stack = Stack::start(Options::default().with("RATE_LIMIT", "0")).await?;
    stack.verify().await?;
    for port in [stack.port, stack.port_of("query")?] {
        ask_everything(port).await?;
    }
    stack.stop().await?;
    Ok(())
}

/// Runs Schemathesis against the API at `port`.
async fn ask_everything(port: u16) -> Result<()> {
    let settings = stack::root().join("services/almijara/tests/api-description/schemathesis.toml");
    let run = Command::new(schemathesis()?)
        .arg("--config-file")
        .arg(settings)
        .args(["run", &format!("http://127.0.0.1:{port}/api/openapi.json")])
        .current_dir(stack::root())
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output();
    let run = tokio::time::timeout(LIMIT, run).await.context("Schemathesis does not end")??;
    let said = String::from_utf8_lossy(&run.stdout);
    println!("{said}{}", String::from_utf8_lossy(&run.stderr));
    ensure!(run.status.success(), "the API at port {port} is not as it is described");
    Ok(())
}

/// The program, as `make` installs it.
fn schemathesis() -> Result<PathBuf> {
    let program = stack::root().join("target/schemathesis/bin/schemathesis");
    ensure!(
        program.exists(),
        "{} is not there; `make schemathesis` installs it",
        program.display()
    );
    Ok(program)
}
